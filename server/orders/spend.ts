/** A company's spend in the last twelve months, by month. */

import { spendByMonth } from "#db/billing/spend.ts";
import type { CustomerId } from "#db/ids.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { type MonthSums, monthsAround, sumByMonth } from "#server/catalogue/pricing/months.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { zonedMonth } from "#server/orders/subscriptions/dates.ts";

/**
 * Sums the totals paid this month and in the eleven months before, by currency, without refunded orders.
 * @param country of the company; it decides the time zone of the months
 */
export async function spendOfYear(
  db: Db,
  customerId: CustomerId,
  { country, family, now }: { country: Country; family: FamilyId | null; now: Date },
): Promise<MonthSums[]> {
  const months = monthsAround(zonedMonth(now, country), { before: 11 });
  const [from = ""] = months;
  const { timeZone } = countries[country];
  return sumByMonth(months, await spendByMonth(db, customerId, { from, timeZone, family }));
}
