/** Reads an item's price list: one exact price, or the lowest to show as "Starting at". */

import type { Money } from "#db/money.ts";
import type { BillingCycle, Currency, PriceKind, Term } from "#db/tables/enums.ts";
import { scale } from "#server/catalogue/pricing/money.ts";
import type { CatalogueItem, Price } from "./items.ts";

export interface PriceChoice {
  readonly currency: Currency;
  readonly kind: PriceKind;
  readonly term: Term;
  readonly billingCycle: BillingCycle;
}

export interface StartingPrice {
  readonly perMonth: Money;
  /** Interval of payments. */
  readonly billingCycle: BillingCycle;
  /** Monthly list price of the same offer, shown struck through. */
  readonly list: Money | null;
}

/** Returns the price of exactly this offer, or null when the item is not sold that way. */
export function priceOf(item: Pick<CatalogueItem, "prices">, choice: PriceChoice): Price | null {
  const found = item.prices.find(
    (price) =>
      price.currency === choice.currency &&
      price.kind === choice.kind &&
      price.term === choice.term &&
      price.billingCycle === choice.billingCycle,
  );
  return found ?? null;
}

/**
 * Returns the lowest price per seat and month, over every term and kind, including sign-up prices.
 * @throws Error when the item has no price in that currency; the seed ensures that it has
 */
export function startingPrice(item: Pick<CatalogueItem, "prices">, currency: Currency): StartingPrice {
  const lowest = findLowestPrice(item, currency);
  if (lowest === null) throw new Error(`An item without a price in ${currency}`);
  return lowest;
}

/** Returns the lowest price, of one kind if given; null when the item has none. Otherwise as startingPrice. */
export function findLowestPrice(
  item: Pick<CatalogueItem, "prices">,
  currency: Currency,
  kind?: PriceKind,
): StartingPrice | null {
  const [lowest] = item.prices
    .filter((price) => price.currency === currency && (kind === undefined || price.kind === kind))
    .map((price) => ({
      perMonth: aMonth(price.amount, price.billingCycle),
      billingCycle: price.billingCycle,
      list: price.list === null ? null : aMonth(price.list, price.billingCycle),
    }))
    .sort((a, b) => a.perMonth.minor - b.perMonth.minor);
  return lowest ?? null;
}

/** Converts to a month's price. Only a yearly term is billed annually, so an annual amount always covers twelve months. */
function aMonth(amount: Money, billingCycle: BillingCycle): Money {
  return billingCycle === "monthly" ? amount : scale(amount, 1, 12);
}
