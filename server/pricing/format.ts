/** How money reads: Indian grouping and the rupee sign, or American grouping and the dollar (SPEC section 9). */
import type { Money } from "./money.ts";

const locale = { INR: "en-IN", USD: "en-US" } as const;

/** "₹1,23,851", "$12.50": decimals only where there are any. */
export function formatMoney(amount: Money): string {
  const whole = amount.minor % 100 === 0;
  return new Intl.NumberFormat(locale[amount.currency], {
    style: "currency",
    currency: amount.currency,
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(amount.minor / 100);
}
