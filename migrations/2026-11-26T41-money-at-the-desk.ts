/**
 * The order that a difference of the books is about, and the indexes by which the desk lists documents, refunds, payouts and vendors'
 * bills. Differences that are open get their order when the books are next compared. On a large database build the indexes before by
 * hand, as those of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table money_differences add column order_id uuid references orders (id)`.execute(db);
  for (const table of ["invoices", "credit_notes", "proformas"])
    await sql`create index if not exists ${sql.id(`${table}_issued`)}
      on ${sql.table(table)} (issued_at, number collate "C")`.execute(db);
  await sql`create index if not exists refunds_newest on refunds (created_at, id)`.execute(db);
  await sql`create index if not exists settlement_lines_payout
    on settlement_lines (settled_at, settlement_id collate "C", entity_id collate "C")`.execute(db);
  await sql`create index if not exists settlement_lines_of on settlement_lines (settlement_id)`.execute(db);
  await sql`create index if not exists vendor_bill_lines_bill
    on vendor_bill_lines (family, account, statement)`.execute(db);
  await sql`create index if not exists vendor_bill_lines_newest
    on vendor_bill_lines (starts_at, line_key collate "C")`.execute(db);
}
