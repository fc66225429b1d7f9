/** The name a business trades under, as the tax register has it: an invoice is registered with it and the legal name. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table gst_registrations add column trade_name text not null default ''`.execute(db);
}
