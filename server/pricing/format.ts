/** How money reads: Indian grouping and the rupee sign, or American grouping and the dollar (SPEC section 9). */
import type { Currency, Money } from "./money.ts";

// Made once: making one costs as much as writing sixty amounts with it, and a page shows dozens.
const formats = { INR: formatsOf("en-IN", "INR"), USD: formatsOf("en-US", "USD") } as const;

function formatsOf(locale: string, currency: Currency) {
  const withDecimals = (minimumFractionDigits: number) =>
    new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      minimumFractionDigits,
      maximumFractionDigits: 2,
    });
  return { whole: withDecimals(0), exact: withDecimals(2) };
}

/** "₹1,23,851", "$12.50": decimals only where there are any. */
export function formatMoney(amount: Money): string {
  if (amount.minor % 100 !== 0) return formatExact(amount);
  return formats[amount.currency].whole.format(amount.minor / 100);
}

/** "₹1,23,851.00": always two decimals, for columns of amounts. */
export function formatExact({ minor, currency }: Money): string {
  return formats[currency].exact.format(minor / 100);
}
