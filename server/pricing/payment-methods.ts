/**
 * The ways to pay, and what each takes at once. It lies below orders, which must not come to what nobody can pay; who takes the
 * money of each method is in server/payments/provider.ts.
 */
import { type Money, money } from "#db/money.ts";
import type { Currency } from "#db/tables/enums.ts";
import { cardLimits } from "#server/providers/razorpay/limits.ts";

/** What a buyer pays with. */
export type PaymentMethod = "card";

/** Where nothing says which. */
export const standardMethod: PaymentMethod = "card";

/** What a method takes at once, in minor units. */
interface PaymentLimits {
  leastMinor: number;
}

const limits: Readonly<Record<PaymentMethod, (currency: Currency) => PaymentLimits>> = {
  card: cardLimits,
};

/** The least that can be paid at once, when a total is below it; null when it can be paid. */
export function leastAbove({ minor, currency }: Money): Money | null {
  const least = Math.min(...Object.values(limits).map((of) => of(currency).leastMinor));
  return minor < least ? money(least, currency) : null;
}
