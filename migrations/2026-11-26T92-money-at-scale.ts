/**
 * What the desk's lists of documents and money are found by, however many there are: the provider's ids, the bank's references, what is not
 * over, and the sums of a bill. On a large database build them before by hand, as those of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists payments_provider_payment_id on payments (provider_payment_id)`.execute(
    db,
  );
  await sql`create index if not exists refunds_provider_id on refunds (provider_refund_id)
    where provider_refund_id is not null`.execute(db);
  await sql`create index if not exists refunds_unfinished on refunds (created_at, id)
    where status in ('requested', 'pending', 'failed')`.execute(db);
  await sql`create index if not exists disputes_provider_dispute on disputes (provider_dispute_id)`.execute(
    db,
  );
  for (const column of ["entity_id", "bank_reference", "provider_payment_id", "provider_dispute_id"])
    await sql`create index if not exists ${sql.id(`settlement_lines_${column}`)}
      on settlement_lines (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(db);
  await sql`create index if not exists e_invoices_cancelled on e_invoices (issued_at) where state = 'cancelled'`.execute(
    db,
  );
  await sql`create index if not exists vendor_bill_lines_sums
    on vendor_bill_lines (family, account, statement) include (kind, amount_minor, currency)`.execute(db);
  await sql`create index if not exists vendor_bill_lines_statement
    on vendor_bill_lines (statement, starts_at, line_key collate "C")`.execute(db);
  await sql`create index if not exists vendor_bill_lines_kind
    on vendor_bill_lines (kind, starts_at, line_key collate "C")`.execute(db);
  await sql`create index if not exists vendor_bill_lines_external on vendor_bill_lines (lower(external_id))`.execute(
    db,
  );
}
