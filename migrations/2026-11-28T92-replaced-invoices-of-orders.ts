/**
 * Whether an order has an invoice that was replaced is looked up for each order of a company that searches: few have one. On a large database
 * build the index before by hand, as those of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists invoices_replaced_of_order on invoices (order_id) where replaced_by is not null`.execute(
    db,
  );
}
