/**
 * When the operator was told that a document is late: the clock looks at it once for that, and not every hour for as long as there is one that
 * nobody can register. The version still serving does not write it down, and the mail's key keeps it from being told twice. On a large
 * database build the index before by hand, as those of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table e_invoices add column late_told_at timestamptz`.execute(db);
  await sql`create index if not exists e_invoices_to_chase on e_invoices (issued_at)
    where state = 'pending' or (state = 'failed' and late_told_at is null) or (state = 'final' and cancel_reason is not null)`.execute(
    db,
  );
}
