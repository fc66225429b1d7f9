/**
 * Figures from which Subscription Details computes the total for any number of licences, before anything is posted. The page has
 * them as data, and live-total.tsx inserts the number.
 */
import { isDeepStrictEqual } from "node:util";
import type { AddressId } from "#db/ids.ts";
import type { Money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Term } from "#db/tables/enums.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { priceOf } from "#server/catalogue/prices.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { scale } from "#server/catalogue/pricing/money.ts";
import type { Rates } from "#server/catalogue/pricing/total.ts";
import { countries, currencyOf } from "#server/foundation/countries/registry.ts";
import { standardLanguage } from "#server/foundation/languages/language.ts";
import { plansOf } from "#server/orders/pricing.ts";
import { seatPrice } from "#server/orders/subscription-change.ts";
import type { PriceTax } from "#server/orders/supply.ts";
import { taxTexts } from "#server/orders/tax-texts.ts";
import type { RequestContext } from "../../http/request-context.ts";
import type { PurchaseContext } from "./purchase-context.ts";

export interface TotalView {
  /** Locale for amounts, as in formatMoney. */
  locale: string;
  currency: string;
  fractionDigits: number;
  /** The largest number of licences; null where the plan has no maximum. */
  most: number | null;
  plans: PlanTotals;
  /** The plans for each of the company's addresses that has a different tax, by address id. */
  plansAt: Readonly<Record<string, PlanTotals>>;
  /** The plans for a domain that the family already knows, where a new domain costs less; null otherwise. */
  knownDomain: PlanTotals | null;
}

export type PlanTotals = Readonly<Partial<Record<Term, PlanTotal>>>;

export interface PlanTotal extends Rates {
  /** Templates of the total's explanation, with `{parts}` and `{total}`: all seats at one price, or some at each. */
  atOnePrice: string;
  atTwoPrices: string;
}

/** The tax in the price, and the one at each of the company's addresses where it differs. */
export interface Taxes {
  usual: PriceTax;
  at: ReadonlyMap<AddressId, PriceTax>;
}

export function totalView(
  request: Pick<RequestContext, "text" | "language">,
  offer: PurchaseContext,
  order: Order | null,
  { usual, at }: Taxes,
): TotalView {
  const { country, item } = offer;
  const { locale, currency, shownFractionDigits } = countries[country];
  const held = offer.kind === "ADD" ? offer.subscription.quantity : 0;
  const isNewDomain = mayHaveSignupPrice(offer, order);
  const totals = (tax: PriceTax) => totalsOf(request, offer, tax, { isNewDomain });
  return {
    locale,
    currency,
    fractionDigits: shownFractionDigits,
    most: item.maxSeats === null ? null : item.maxSeats - held,
    plans: totals(usual),
    plansAt: Object.fromEntries([...at].map(([id, tax]) => [id, totals(tax)])),
    knownDomain:
      isNewDomain && hasSignupPrice(offer)
        ? totalsOf(request, offer, usual, { isNewDomain: false, words: "steps.sumForKnownDomain" })
        : null,
  };
}

/** Whether two taxes give the same total and the same explanation. */
export function hasSameTotal(one: PriceTax, other: PriceTax): boolean {
  const said = (tax: PriceTax) => [tax.rateBasisPoints, taxTexts(tax, standardLanguage)];
  return isDeepStrictEqual(said(one), said(other));
}

function totalsOf(
  { text, language }: Pick<RequestContext, "text" | "language">,
  offer: PurchaseContext,
  priceTax: PriceTax,
  { isNewDomain, words = null }: { isNewDomain: boolean; words?: "steps.sumForKnownDomain" | null },
): PlanTotals {
  const { country, item } = offer;
  const { name: tax, whyNone } = taxTexts(priceTax, language);
  const places = { parts: "{parts}", total: "{total}" };
  const sum = tax === null ? text("steps.sum", places) : text("steps.sumWithTax", { ...places, tax });
  const because = (said: string) => {
    const sentence = whyNone === null ? said : text("steps.sumUntaxed", { sum: said, why: whyNone });
    return words === null ? sentence : text(words, { sum: sentence });
  };
  const rates = {
    taxRateBasisPoints: priceTax.rateBasisPoints,
    totalStepMinor: countries[country].totalStepMinor,
  };

  if ("subscription" in offer) {
    const { price, selection } = seatPrice(offer.kind, offer, new Date());
    const said = because(sum);
    const plan = { ...rates, unitPrice: price.minor, signupPrice: null, atOnePrice: said, atTwoPrices: said };
    return { [selection.term]: plan };
  }

  const plans = plansOf(item, country).map(({ term, billingCycle, unitPrice }) => {
    const signup = isNewDomain ? signupPriceOf(offer, { term, billingCycle }) : null;
    const perMonth = text("steps.sumPerMonth", {
      sum: billingCycle === "monthly" ? text("steps.sumMonthly", { sum }) : sum,
      price: formatMoney(monthly(signup?.amount ?? unitPrice, billingCycle)),
    });
    const said = (words: string) =>
      signup === null
        ? words
        : text("steps.sumForNewDomain", { sum: words, family: families[item.family].label });
    const total: PlanTotal = {
      ...rates,
      unitPrice: unitPrice.minor,
      signupPrice: signup?.amount.minor ?? null,
      atOnePrice: because(said(perMonth)),
      atTwoPrices: because(said(sum)),
    };
    return [term, total];
  });
  return Object.fromEntries(plans);
}

/** The price of a seat for a domain that is new to the family; null where it costs the same. */
export function signupPriceOf(
  { item, country }: PurchaseContext,
  plan: { term: Term; billingCycle: "annual" | "monthly" },
) {
  return priceOf(item, { currency: currencyOf(country), kind: "signup", ...plan });
}

/** Whether a domain that is new to the family costs less in one of the plans. */
export function hasSignupPrice(offer: PurchaseContext): boolean {
  return plansOf(offer.item, offer.country).some((plan) => signupPriceOf(offer, plan) !== null);
}

/** Price of a seat per month, rounded half up to a minor unit. @param amount of one charge */
export function monthly(amount: Money, billingCycle: "annual" | "monthly"): Money {
  return billingCycle === "monthly" ? amount : scale(amount, 1, 12);
}

/** Whether a new order's domain can still turn out to be new to the family. Assumed until the domain check. */
export function mayHaveSignupPrice({ kind, item }: PurchaseContext, order: Order | null): boolean {
  const known = order?.details.google?.customerType ?? "new_signup";
  return kind === "NEW" && families[item.family].domain !== null && known === "new_signup";
}
