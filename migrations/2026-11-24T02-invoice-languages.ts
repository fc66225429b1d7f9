/** In which language an invoice was issued. Unknown, which is English, for those from before and of the version still serving. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices add column language text`.execute(db);
}
