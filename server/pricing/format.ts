/** How money reads: Indian grouping and the rupee sign, or American grouping and the dollar (SPEC section 9). */
import type { Money } from "./money.ts";

const locale = { INR: "en-IN", USD: "en-US" } as const;

/** "₹1,23,851", "$12.50": decimals only where there are any. */
export function formatMoney(amount: Money): string {
  return format(amount, amount.minor % 100 === 0 ? 0 : 2);
}

/** "₹1,23,851.00": always two decimals, for columns of amounts. */
export function formatExact(amount: Money): string {
  return format(amount, 2);
}

function format({ minor, currency }: Money, decimals: number): string {
  return new Intl.NumberFormat(locale[currency], {
    style: "currency",
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: 2,
  }).format(minor / 100);
}
