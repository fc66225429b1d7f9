/**
 * When the operator was told that a document is late: the clock looks at it once for that, and not every hour for as long as there is one that
 * nobody can register. The version still serving does not write it down, and the mail's key keeps it from being told twice.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table e_invoices add column late_told_at timestamptz`.execute(db);
}
