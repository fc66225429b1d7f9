/**
 * The figures by which Subscription Details says the total of any number of licences, before anything is posted. The page has
 * them as data, and live-total.tsx puts in the number.
 */
import type { Money } from "#db/money.ts";
import type { Order } from "#db/order.ts";
import type { Term } from "#db/tables/enums.ts";
import { priceOf } from "#server/catalogue/prices.ts";
import { countries, currencyOf, taxName } from "#server/countries/country.ts";
import { families } from "#server/families/family.ts";
import { plansOf } from "#server/orders/pricing.ts";
import { seatPrice } from "#server/orders/subscription-change.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { scale } from "#server/pricing/money.ts";
import type { Rates } from "#server/pricing/total.ts";
import type { RequestContext } from "../../http/request-context.ts";
import type { Offer } from "./offer.ts";

export interface TotalView {
  /** How amounts are written: as formatMoney does. */
  locale: string;
  currency: string;
  fractionDigits: number;
  /** The largest number of licences; null where the plan has no maximum. */
  most: number | null;
  plans: Readonly<Partial<Record<Term, PlanTotal>>>;
}

export interface PlanTotal extends Rates {
  /** What is said of the total, with `{parts}` and `{total}` to put in: all seats at one price, or some at each. */
  atOnePrice: string;
  atTwoPrices: string;
}

export function totalView(
  { text }: Pick<RequestContext, "text">,
  offer: Offer,
  order: Order | null,
): TotalView {
  const { country, item } = offer;
  const { locale, currency, shownFractionDigits, taxRateBasisPoints, totalStepMinor } = countries[country];
  const tax = taxName(country);
  const places = { parts: "{parts}", total: "{total}" };
  const sum = tax === null ? text("steps.sum", places) : text("steps.sumWithTax", { ...places, tax });
  const rates = { taxRateBasisPoints, totalStepMinor };

  if ("subscription" in offer) {
    const { price, selection } = seatPrice(offer.kind, offer, new Date());
    const plan = { ...rates, unitPrice: price.minor, signupPrice: null, atOnePrice: sum, atTwoPrices: sum };
    const { quantity } = offer.subscription;
    return {
      locale,
      currency,
      fractionDigits: shownFractionDigits,
      most: item.maxSeats === null ? null : item.maxSeats - (offer.kind === "ADD" ? quantity : 0),
      plans: { [selection.term]: plan },
    };
  }

  const plans = plansOf(item, country).map(({ term, billingCycle, unitPrice }) => {
    const signup = mayHaveSignupPrice(offer, order)
      ? priceOf(item, { currency: currencyOf(country), kind: "signup", term, billingCycle })
      : null;
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
      atOnePrice: said(perMonth),
      atTwoPrices: said(sum),
    };
    return [term, total];
  });
  return {
    locale,
    currency,
    fractionDigits: shownFractionDigits,
    most: item.maxSeats,
    plans: Object.fromEntries(plans),
  };
}

/** What a seat costs in a month, rounded half up to a minor unit. @param amount of one charge */
export function monthly(amount: Money, billingCycle: "annual" | "monthly"): Money {
  return billingCycle === "monthly" ? amount : scale(amount, 1, 12);
}

/** Until the domain has been looked up, a new order is taken for one of a domain that is new to the family. */
export function mayHaveSignupPrice({ kind, item }: Offer, order: Order | null): boolean {
  const known = order?.details.google?.customerType ?? "new_signup";
  return kind === "NEW" && families[item.family].domain !== null && known === "new_signup";
}
