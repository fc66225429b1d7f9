/** Prices an order from the catalogue: the plans of an item, the current price of a quantity, and when a price is too old. */

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

/** Time for which a draft keeps the price that it showed (docs/decisions/prices.md#price-holds). */
export const priceHoldMs = 7 * 24 * 60 * 60 * 1000;

/** One way in which an item is sold: a commitment and its billing cycle. */
export interface Plan {
  term: Term;
  billingCycle: BillingCycle;
  /** Per seat and charge: for a month when monthly, for the term when annual. */
  unitPrice: Money;
  list: Money | null;
}

/** The buyer's choice at Subscription Details. */
export interface Selection {
  term: Term;
  billingCycle: BillingCycle;
  quantity: number;
  /**
   * The domain, for a family sold per domain; it decides whether the first seats have the sign-up price. Undefined for a new
   * sign-up.
   */
  google?: OrderedDomain | undefined;
  /** Buy more only: the part of the term to pay for, to the end of the last paid term. */
  proration?: OrderDetails["proration"];
  /** Renewal only. */
  renewal?: OrderDetails["renewal"];
  /**
   * Seats that the subscription already has when more are bought. They count towards the maximum; the minimum applies to new
   * subscriptions only.
   */
  heldSeats?: number;
}

/** Restores the selection that an order was made from, to price it again. */
export function selectionOf({ line, details }: Order): Selection {
  const { term, billingCycle, quantity } = line;
  const { google, proration, renewal } = details;
  return { term, billingCycle, quantity, google, proration, renewal };
}

/** Returns the lines of an order's price: two for a new sign-up with more users than get the sign-up price, else one. */
export function linesOf({ line, country }: Order): QuoteLine[] {
  return quote({
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    signupPrice: line.signupPrice,
    customerType: line.signupPrice === null ? "standard" : "new_signup",
    country,
  }).lines;
}

/** A quote with its regular seat price, which a quote with only sign-up seats does not show. */
export type PricedSelection = Quote & {
  regularPrice: Money;
  /** The list price that it is based on; undefined when unknown. */
  priced?: OrderDetails["priced"];
};

/** Lists the plans of an item in a country, longest commitment first; the first is the default. */
export function plansOf(item: CatalogueItem, country: Country): Plan[] {
  const currency = currencyOf(country);
  return item.prices
    .filter((price) => price.currency === currency && price.kind === "regular")
    .map(({ term, billingCycle, amount, list }) => ({ term, billingCycle, unitPrice: amount, list }))
    .sort((a, b) => b.term.localeCompare(a.term) || a.billingCycle.localeCompare(b.billingCycle));
}

/**
 * Computes the saving of an annual charge against twelve monthly ones per seat: amount, and whole percent rounded down. Null
 * when it is less than 1%.
 */
export function yearlySaving(yearly: Plan, monthly: Plan): { amount: Money; percent: number } | null {
  if (yearly.billingCycle !== "annual") return null;
  const twelve = times(monthly.unitPrice, 12);
  const minor = twelve.minor - yearly.unitPrice.minor;
  const percent = Math.floor((100 * minor) / twelve.minor);
  return percent < 1 ? null : { amount: money(minor, twelve.currency), percent };
}

/**
 * Computes the current price of a selection, the only source of an order's amounts.
 * @param taxRateBasisPoints rate of its supply (supply.ts); the country's rate by default
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

/** Whether an unpaid order's price is older than the price hold and no quote holds it. */
export function isPriceStale(order: Order, now: Date): boolean {
  const heldUntil = Math.max(order.pricedAt.getTime() + priceHoldMs, order.priceHeldUntil?.getTime() ?? 0);
  return !isPaid(order) && now.getTime() > heldUntil;
}

/**
 * Returns the reason, with a way out for the buyer, why a total is below the payment provider's minimum; null when it can be
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
