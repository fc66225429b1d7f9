/** Sums of money by month, one row of months for each currency: amounts of two currencies are never added. */

import type { MonthAmount } from "#db/billing/spend.ts";
import type { Money } from "#db/money.ts";
import type { Currency } from "#db/tables/enums.ts";
import { add, zero } from "./money.ts";

/** Sums in one currency, for every requested month, including months without an amount. */
export interface MonthSums {
  total: Money;
  months: readonly MonthAmount[];
}

/** Lists the months around one. @param of "2026-11" */
export function monthsAround(
  of: string,
  { before = 0, after = 0 }: { before?: number; after?: number },
): string[] {
  const [year = 0, month = 1] = of.split("-").map(Number);
  return Array.from({ length: before + 1 + after }, (_, index) => {
    const sinceYearZero = year * 12 + month - 1 - before + index;
    return `${Math.floor(sinceYearZero / 12)}-${String((sinceYearZero % 12) + 1).padStart(2, "0")}`;
  });
}

/** @param months the months to show; amounts of other months are left out */
export function sumByMonth(months: readonly string[], amounts: readonly MonthAmount[]): MonthSums[] {
  const shown = amounts.filter(({ month }) => months.includes(month));
  const currencies = [...new Set(shown.map(({ amount }) => amount.currency))].sort();
  return currencies.map((currency) => {
    const ofCurrency = shown.filter(({ amount }) => amount.currency === currency);
    return {
      total: sumOf(currency, ofCurrency),
      months: months.map((month) => ({
        month,
        amount: sumOf(
          currency,
          ofCurrency.filter((one) => one.month === month),
        ),
      })),
    };
  });
}

function sumOf(currency: Currency, amounts: readonly MonthAmount[]): Money {
  return amounts.reduce((sum, { amount }) => add(sum, amount), zero(currency));
}
