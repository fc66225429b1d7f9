/** What a plan's card shows, already put into words, so that the view holds no rule. Used by the catalogue and by search. */
import type { ItemId } from "#db/ids.ts";
import type { Country, Currency, Family } from "#db/tables/enums.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { startingPrice } from "#server/catalogue/prices.ts";
import { currencyOf } from "#server/pricing/country.ts";
import { type Money, toMajor } from "#server/pricing/money.ts";

export interface Card {
  readonly id: ItemId;
  readonly family: Family;
  readonly name: string;
  readonly audience: string;
  readonly description: string;
  readonly features: readonly string[];
  readonly apps: readonly string[];
  /** "₹79": the lowest price of a seat a month. */
  readonly from: string;
  /** The list price a month of the same offer. */
  readonly list: string | null;
}

const locales: Record<Currency, string> = { INR: "en-IN", USD: "en-US" };

export function toCard(item: CatalogueItem, country: Country): Card {
  const { perMonth, list } = startingPrice(item, currencyOf(country));
  return {
    id: item.id,
    family: item.family,
    name: item.name,
    audience: item.audience,
    description: item.description,
    features: item.features,
    apps: item.images,
    from: inWords(perMonth),
    list: list === null ? null : inWords(list),
  };
}

/** A price as a shop writes it: decimals only where there are any. */
function inWords(amount: Money): string {
  return new Intl.NumberFormat(locales[amount.currency], {
    style: "currency",
    currency: amount.currency,
    trailingZeroDisplay: "stripIfInteger",
  }).format(toMajor(amount));
}
