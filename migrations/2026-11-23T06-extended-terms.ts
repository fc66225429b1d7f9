/**
 * Until when a vendor has extended a subscription after its term, which nobody has paid for here. The version still serving
 * neither reads nor writes it.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions add column extended_until timestamptz`.execute(db);
}
