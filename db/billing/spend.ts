/** A company's spend, summed by month. */
import { sql } from "kysely";
import type { CustomerId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";

/** Total of a month ("2026-11"). */
export interface MonthAmount {
  month: string;
  amount: Money;
}

interface SpendQuery {
  from: string;
  timeZone: string;
  family: FamilyId | null;
}

/**
 * Sums a company's paid orders by month of payment and by currency. Fully refunded and lost orders do not count, partly
 * refunded ones count with the rest. Uses the index of paid orders.
 * @param query.from first month to include
 * @param query.timeZone time zone of the months
 */
export async function spendByMonth(
  db: Db,
  customerId: CustomerId,
  { from, timeZone, family }: SpendQuery,
): Promise<MonthAmount[]> {
  const rows = await db
    .selectFrom("orders")
    .where("customer_id", "=", customerId)
    .where(sql<boolean>`payment_status in ('completed', 'partly_refunded', 'disputed')`)
    .where(sql<boolean>`paid_at >= (${from} || '-01')::timestamp at time zone ${timeZone}`)
    .where(sql<boolean>`(${family}::text is null or family = ${family})`)
    .select([
      sql<string>`to_char(paid_at at time zone ${timeZone}, 'YYYY-MM')`.as("month"),
      "currency",
      sql<number>`sum(total_minor - (
          select coalesce(sum(refunds.amount_minor), 0)
          from refunds join payments on payments.provider = refunds.provider
            and payments.provider_payment_id = refunds.provider_payment_id
          where refunds.order_id = orders.id and refunds.status <> 'failed'
            and payments.status in ('captured', 'part')))::bigint`.as("total_minor"),
    ])
    .groupBy(["month", "currency"])
    .orderBy("month")
    .orderBy("currency")
    .execute();
  return rows.map(({ month, currency, total_minor }) => ({ month, amount: money(total_minor, currency) }));
}
