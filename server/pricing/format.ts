/**
 * How money reads: Indian grouping and the rupee sign, or American grouping and the dollar. Dollars always have their cents,
 * as on every American bill; rupees have paise only where there are any, since what is paid is whole rupees.
 */
import type { Currency, Money } from "./money.ts";

// Made once: making one costs as much as writing sixty amounts with it, and a page shows dozens.
const formats: Record<Currency, { usual: Intl.NumberFormat; fraction: Intl.NumberFormat }> = {
  INR: { usual: formatOf("en-IN", "INR", 0), fraction: formatOf("en-IN", "INR", 2) },
  USD: { usual: formatOf("en-US", "USD", 2), fraction: formatOf("en-US", "USD", 2) },
};

function formatOf(locale: string, currency: Currency, minimumFractionDigits: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits,
    maximumFractionDigits: 2,
  });
}

/** "₹1,23,851", "₹6,955.20", "$30.00". */
export function formatMoney(amount: Money): string {
  if (amount.minor % 100 !== 0) return formatExact(amount);
  return formats[amount.currency].usual.format(amount.minor / 100);
}

/** "₹1,23,851.00": always two decimals, for columns of amounts. */
export function formatExact({ minor, currency }: Money): string {
  return formats[currency].fraction.format(minor / 100);
}
