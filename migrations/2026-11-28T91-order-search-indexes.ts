/**
 * Orders are found at the desk by the number of their quote, by whom it was sent to, and by the purchase order that a replaced invoice has.
 * On a large database build the indexes before by hand, as those of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists quotes_number on quotes (number)`.execute(db);
  await sql`create index if not exists quote_requests_email on quote_requests (lower(email))`.execute(db);
  await sql`create index if not exists invoices_former_purchase_order
    on invoices (lower(facts -> 'references' ->> 'purchaseOrder') text_pattern_ops)
    where replaced_by is not null`.execute(db);
}
