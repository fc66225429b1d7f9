/**
 * The payment methods and their limits. This module is below orders, which must check that a total can be paid. The
 * provider of each method is in server/payments/provider.ts.
 */
import { type Money, money } from "#db/money.ts";
import type { Country, Currency } from "#db/tables/enums.ts";
import type { PaymentAccount } from "#db/tables/payments.ts";
import type { Env } from "#server/env.ts";
import { cardLimits } from "#server/providers/razorpay/limits.ts";

/** What a buyer pays with. */
export type PaymentMethod = "card";

/** The default method. */
export const standardMethod: PaymentMethod = "card";

/** The limits of a single payment, in minor units. */
interface PaymentLimits {
  leastMinor: number;
}

const limits: Readonly<Record<PaymentMethod, (currency: Currency) => PaymentLimits>> = {
  card: cardLimits,
};

const accounts: Readonly<Record<PaymentMethod, (env: Env) => ReadonlyMap<PaymentAccount, unknown>>> = {
  card: ({ razorpayAccounts }) => razorpayAccounts,
};

/** Whether a country has an account that can take its money. */
export function isPayableIn(env: Env, country: Country): boolean {
  return Object.values(accounts).some((of) => of(env).has(country));
}

/** The minimum payment when a total is below it; null when the total can be paid. */
export function leastAbove({ minor, currency }: Money): Money | null {
  const least = Math.min(...Object.values(limits).map((of) => of(currency).leastMinor));
  return minor < least ? money(least, currency) : null;
}
