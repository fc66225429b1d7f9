/**
 * Prices an order from the catalogue: which plans an item is sold in, what a quantity costs now, and when a price is too
 * old.
 */

import { type Money, money } from "#db/money.ts";
import type { Order, OrderAmounts, OrderDetails, OrderLine } from "#db/orders/order.ts";
import type { BillingCycle, Country, OrderKind, Term } from "#db/tables/enums.ts";
import type { OrderedDomain } from "#server/catalogue/families/family.ts";
import { families } from "#server/catalogue/families/registry.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { priceOf } from "#server/catalogue/prices.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { times } from "#server/catalogue/pricing/money.ts";
import { minimumPaymentFor } from "#server/catalogue/pricing/payment-methods.ts";
import { requireQuantity } from "#server/catalogue/pricing/quantity.ts";
import {
  type CustomerType,
  prorate,
  type Quote,
  type QuoteLine,
  quote,
} from "#server/catalogue/pricing/quote.ts";
import { currencyOf } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { isPaid } from "./payment-state.ts";

/** How long a draft keeps the price it was shown (docs/decisions/server-prices.md). */
export const priceHoldMs = 7 * 24 * 60 * 60 * 1000;

/** One way an item is sold: a commitment and how it is charged. */
export interface Plan {
  term: Term;
  billingCycle: BillingCycle;
  /** Per seat and charge: for a month when monthly, for the term when annual. */
  unitPrice: Money;
  list: Money | null;
}

/** What the buyer chose at Subscription Details. */
export interface Selection {
  term: Term;
  billingCycle: BillingCycle;
  quantity: number;
  /**
   * The domain, for a family that is sold to one, and whether the first seats have the sign-up price. Left out for a new
   * sign-up.
   */
  google?: OrderedDomain | undefined;
  /** Buy more only: the seats are paid for to the end of the last term that is paid for. */
  proration?: OrderDetails["proration"];
  /** Renewal only. */
  renewal?: OrderDetails["renewal"];
  /**
   * Seats that the subscription already has, when more are bought. They count towards the maximum, and the minimum
   * applies to new subscriptions only.
   */
  heldSeats?: number;
}

/** The selection an order was made from, to price it again. */
export function selectionOf({ line, details }: Order): Selection {
  const { term, billingCycle, quantity } = line;
  const { google, proration, renewal } = details;
  return { term, billingCycle, quantity, google, proration, renewal };
}

/** The lines of an order's price: two when a new sign-up has more users than get the sign-up price, else one. */
export function linesOf({ line, country }: Order): QuoteLine[] {
  return quote({
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    signupPrice: line.signupPrice,
    customerType: line.signupPrice === null ? "standard" : "new_signup",
    country,
  }).lines;
}

/** A quote with its regular seat price, which a quote of sign-up seats alone does not show. */
export type PricedSelection = Quote & {
  regularPrice: Money;
  /** The price of the list that it is made of; left out where that is not known. */
  priced?: OrderDetails["priced"];
};

/** The plans of an item in a country, longest commitment first; the first is the default. */
export function plansOf(item: CatalogueItem, country: Country): Plan[] {
  const currency = currencyOf(country);
  return item.prices
    .filter((price) => price.currency === currency && price.kind === "regular")
    .map(({ term, billingCycle, amount, list }) => ({ term, billingCycle, unitPrice: amount, list }))
    .sort((a, b) => b.term.localeCompare(a.term) || a.billingCycle.localeCompare(b.billingCycle));
}

/**
 * What a seat saves in a year by a yearly plan, against twelve charges of a monthly one: the amount, and whole percent, rounded
 * down. Null where it saves less than 1%.
 */
export function yearlySaving(yearly: Plan, monthly: Plan): { amount: Money; percent: number } | null {
  if (yearly.billingCycle !== "annual") return null;
  const twelve = times(monthly.unitPrice, 12);
  const minor = twelve.minor - yearly.unitPrice.minor;
  const percent = Math.floor((100 * minor) / twelve.minor);
  return percent < 1 ? null : { amount: money(minor, twelve.currency), percent };
}

/**
 * The current price of a selection. An order's figures come from here alone.
 * @param taxRateBasisPoints of its supply (supply.ts); the country's own when left out
 * @throws DomainError bad_request when the quantity is not allowed or the item is not sold that way
 */
export function priceSelection(
  item: CatalogueItem,
  country: Country,
  selection: Selection,
  taxRateBasisPoints?: number,
): PricedSelection {
  const { term, billingCycle, heldSeats = 0, proration } = selection;
  const { minSeats, maxSeats } = item;
  requireQuantity(selection.quantity, { minSeats, maxSeats, heldSeats });
  const currency = currencyOf(country);
  const regular = priceOf(item, { currency, kind: "regular", term, billingCycle });
  if (regular === null) throw new DomainError("bad_request", msg("refusals.noCommitment"));
  const signup = priceOf(item, { currency, kind: "signup", term, billingCycle });
  const customerType = customerTypeOf(item, selection);
  const regularPrice =
    proration === undefined
      ? regular.amount
      : prorate(regular.amount, proration.daysLeft, proration.daysInTerm);
  const priced = quote({
    quantity: selection.quantity,
    unitPrice: regularPrice,
    signupPrice: signup?.amount ?? null,
    customerType,
    country,
    taxRateBasisPoints,
  });
  const { amount, source } = regular;
  return { ...priced, regularPrice, priced: source && { fullMinor: amount.minor, ...source } };
}

function customerTypeOf(item: CatalogueItem, { google }: Selection): CustomerType {
  if (families[item.family].domain === null) return "standard";
  if (google === undefined) return "new_signup";
  return google.customerType === "existing_customer" ? "standard" : google.customerType;
}

/** True when an unpaid order's price is older than the price hold, and no quote holds it. */
export function isPriceStale(order: Order, now: Date): boolean {
  const heldUntil = Math.max(order.pricedAt.getTime() + priceHoldMs, order.priceHeldUntil?.getTime() ?? 0);
  return !isPaid(order) && now.getTime() > heldUntil;
}

/**
 * Why a total is too small for the payment provider, and what to do instead, in words for the buyer; null when it can be
 * paid. A licence for the last days of a term can cost a few cents.
 */
export function tooSmallToPay(input: {
  kind: OrderKind;
  quantity: number;
  total: Money;
}): MessageDescriptor | null {
  const { kind, quantity: count, total } = input;
  const least = minimumPaymentFor(total);
  if (least === null) return null;
  const amounts = { count, total: formatMoney(total), least: formatMoney(least) };
  return kind === "ADD" ? msg("refusals.tooSmallToAdd", amounts) : msg("refusals.tooSmall", amounts);
}

export function orderAmounts(priced: Quote, now: Date): OrderAmounts {
  const { taxRateBasisPoints, subtotal, tax, rounding, total } = priced;
  return { taxRateBasisPoints, subtotal, tax, rounding, total, pricedAt: now };
}

export function orderLine(item: CatalogueItem, selection: Selection, priced: PricedSelection): OrderLine {
  return {
    itemId: item.id,
    name: item.name,
    sku: item.sku,
    term: selection.term,
    billingCycle: selection.billingCycle,
    quantity: selection.quantity,
    unitPrice: priced.regularPrice,
    signupPrice: priced.secondaryUnitPrice,
    subtotal: priced.subtotal,
  };
}
