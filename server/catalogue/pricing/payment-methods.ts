/**
 * The payment methods, their availability, and their limits. This module is below orders, which must check that a total can be
 * paid. The provider of each method is in server/billing/payments/provider.ts.
 */
import { type Money, money } from "#db/money.ts";
import type { Country, Currency } from "#db/tables/enums.ts";
import type { PaymentAccount } from "#db/tables/payments.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { type LanguageId, languages, perLanguage } from "#server/foundation/languages/language.ts";
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { limitsOf, type PaymentLimits } from "#server/integrations/razorpay/limits.ts";
import type { Env } from "#server/platform/env.ts";
import { type PaymentMethod, paymentMethods } from "#server/platform/settings/payments.ts";

/** The default method. */
export const standardMethod: PaymentMethod = "card";

interface MethodProfile {
  /** Whether it is chosen and paid in the checkout, rather than over days or on another device. */
  isInstant: boolean;
  /** Name in a sentence, after "by". */
  name: PlainMessageKey;
  /** Limits of a single payment; null in a currency in which it is not available. */
  limits(currency: Currency): PaymentLimits | null;
  accounts(env: Env): ReadonlyMap<PaymentAccount, unknown>;
}

const atRazorpay = (method: Parameters<typeof limitsOf>[0]) => ({
  limits: (currency: Currency) => limitsOf(method, currency),
  accounts: ({ razorpayAccounts }: Env) => razorpayAccounts,
});

const profiles: Readonly<Record<PaymentMethod, MethodProfile>> = {
  card: { isInstant: true, name: "paying.card", ...atRazorpay("card") },
  upi: { isInstant: true, name: "paying.upi", ...atRazorpay("upi") },
  netbanking: { isInstant: true, name: "paying.netbanking", ...atRazorpay("netbanking") },
  wallet: { isInstant: true, name: "paying.wallet", ...atRazorpay("wallet") },
  link: { isInstant: false, name: "paying.link", ...atRazorpay("link") },
  transfer: { isInstant: false, name: "paying.transfer", ...atRazorpay("transfer") },
};

/** All methods of the checkout, enabled or not. */
export const instantMethods = paymentMethods.filter((method) => profiles[method].isInstant);

/** The settings that are read: all, or the part that a page has. */
type Settings = Pick<Env, "payments">;

/** Whether a country has an account that can take its payments. */
export function isPayableIn(env: Env, country: Country): boolean {
  return methodsIn(env, country).some((method) => profiles[method].accounts(env).has(country));
}

/** Lists the methods that are enabled in a country, in our order, without those that its currency does not have. */
export function methodsIn({ payments }: Settings, country: Country): PaymentMethod[] {
  const switchedOn = payments.get(country)?.methods ?? [];
  const { currency } = countries[country];
  return paymentMethods.filter(
    (method) => switchedOn.includes(method) && profiles[method].limits(currency) !== null,
  );
}

/** Lists the methods of the checkout that are enabled in a country. */
export function instantMethodsIn(env: Settings, country: Country): PaymentMethod[] {
  return methodsIn(env, country).filter((method) => profiles[method].isInstant);
}

/** Lists the methods of the checkout with which a total can be paid at once; none above every ceiling. */
export function instantMethodsFor(env: Settings, country: Country, total: Money): PaymentMethod[] {
  return instantMethodsIn(env, country).filter((method) => isWithin(env, country, method, total));
}

/** Methods outside the checkout. */
export const otherMethods = ["link", "transfer"] as const;
export type OtherMethod = (typeof otherMethods)[number];

/** Lists the methods outside the checkout by which a total can be paid in a country. */
export function otherMethodsFor(env: Settings, country: Country, total: Money): OtherMethod[] {
  const switchedOn = methodsIn(env, country);
  return otherMethods.filter(
    (method) => switchedOn.includes(method) && isWithin(env, country, method, total),
  );
}

/** Lists the checkouts for a total, each a choice of the review: by card, as in the specification, and by the other methods. */
export function checkoutChoicesFor(env: Settings, country: Country, total: Money): PaymentMethod[][] {
  const methods = instantMethodsFor(env, country, total);
  const [first, others] = [[standardMethod], methods.filter((method) => method !== standardMethod)];
  return [first.filter((method) => methods.includes(method)), others].filter(({ length }) => length > 0);
}

/** Lists the enabled methods of the checkout whose ceiling is below a total, each with its ceiling. */
export function methodsBelow(
  env: Settings,
  country: Country,
  total: Money,
): { method: PaymentMethod; most: Money }[] {
  return instantMethodsIn(env, country).flatMap((method) => {
    const most = ceilingOf(env, country, method);
    return most === null || total.minor <= most.minor ? [] : [{ method, most }];
  });
}

function isWithin(env: Settings, country: Country, method: PaymentMethod, total: Money): boolean {
  const most = ceilingOf(env, country, method);
  return most === null || total.minor <= most.minor;
}

/** Returns the largest single payment, by the store's setting or else the provider's; null without a ceiling. */
export function ceilingOf({ payments }: Settings, country: Country, method: PaymentMethod): Money | null {
  const { currency } = countries[country];
  const most = payments.get(country)?.ceilings[method] ?? profiles[method].limits(currency)?.maxMinor;
  return most == null ? null : money(most, currency);
}

/** Returns the highest ceiling of the checkout in a country; null when one of its methods has none, or it has no method. */
export function highestCeilingIn(env: Settings, country: Country): Money | null {
  const most = instantMethodsIn(env, country).map((method) => ceilingOf(env, country, method));
  const amounts = most.flatMap((ceiling) => (ceiling === null ? [] : [ceiling.minor]));
  if (amounts.length === 0 || amounts.length < most.length) return null;
  return money(Math.max(...amounts), countries[country].currency);
}

/** Whether a country's orders may be paid by a method, regardless of their total. */
export function isMethodEnabled(env: Settings, country: Country, method: OtherMethod): boolean {
  return methodsIn(env, country).includes(method);
}

/** Returns the example bill of the payment methods page: 350 of a country's currency (docs/specification.md, section 9.3). */
export function exampleBillIn(country: Country): Money {
  return money(350_00, countries[country].currency);
}

const alternatives = perLanguage(
  (language) => new Intl.ListFormat(languages[language].locale, { type: "disjunction" }),
);

/** Formats "card, UPI or net banking". */
export function formatPaymentMethods(language: LanguageId, methods: readonly PaymentMethod[]): string {
  const text = textIn(language);
  return alternatives[language].format(methods.map((method) => text(profiles[method].name)));
}

/** Returns the minimum payment when a total is below it; null when the total can be paid. */
export function minimumPaymentFor({ minor, currency }: Money): Money | null {
  const all = Object.values(profiles).flatMap(({ limits }) => limits(currency) ?? []);
  const least = Math.min(...all.map(({ minMinor }) => minMinor));
  return minor < least ? money(least, currency) : null;
}
