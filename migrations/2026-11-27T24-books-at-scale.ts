/**
 * What the nightly comparison of the books finds by index: bill lines without a subscription, the subscription of a vendor's id in any
 * case, and the differences of an order, which a draft's deletion asks for. On a large database build them before by hand, as those of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists vendor_bill_lines_unknown on vendor_bill_lines (family)
    where subscription_id is null`.execute(db);
  await sql`create index if not exists money_differences_order on money_differences (order_id)
    where order_id is not null`.execute(db);
  await sql`create index if not exists subscriptions_external_in_any_case
    on subscriptions (family, lower(external_id))`.execute(db);
}
