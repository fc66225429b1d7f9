/** The service card of the JSON calls (docs/specification.md, section 3), with that specification's field names. */
import type { ItemId } from "#db/ids.ts";
import type { Currency, FamilyId, PriceKind } from "#db/tables/enums.ts";
import { toMajor } from "#server/catalogue/pricing/money.ts";
import { currencies, currencyOf, standardCountry } from "#server/foundation/countries/registry.ts";
import type { CatalogueItem } from "./items.ts";
import { findLowestPrice } from "./prices.ts";

/** Prices are per seat and month, in rupees or dollars, the lowest of their kind. "signup-" keys exist for Google only. */
export interface ServiceCard {
  readonly id: ItemId;
  readonly sku: string;
  readonly item_family: FamilyId;
  readonly name: string;
  readonly description: string;
  readonly features: readonly string[];
  readonly images: readonly string[];
  readonly price: Partial<Record<PriceKey, number>>;
  readonly ERP_INR?: number;
  readonly min_quantity: number;
  /** Maximum number of seats, including those the customer has; null for no limit. */
  readonly max_quantity: number | null;
}

export function toServiceCard(item: CatalogueItem): ServiceCard {
  const list = findLowestPrice(item, currencyOf(standardCountry))?.list;
  return {
    id: item.id,
    sku: item.sku,
    item_family: item.family,
    name: item.name,
    description: item.description,
    features: item.features,
    images: item.images,
    price: {
      ...pricesOf(item, "regular"),
      ...pricesOf(item, "signup"),
    },
    ...(list ? { ERP_INR: toMajor(list) } : {}),
    min_quantity: item.minSeats,
    max_quantity: item.maxSeats,
  };
}

export type PriceKey = Currency | `signup-${Currency}`;

/** Returns a price's key in API calls: "INR", "signup-INR". */
export function priceKey(currency: Currency, kind: PriceKind): PriceKey {
  return kind === "signup" ? `signup-${currency}` : currency;
}

function pricesOf(item: CatalogueItem, kind: PriceKind): ServiceCard["price"] {
  return Object.fromEntries(
    currencies.flatMap((currency) => {
      const lowest = findLowestPrice(item, currency, kind);
      return lowest === null ? [] : [[priceKey(currency, kind), toMajor(lowest.perMonth)]];
    }),
  );
}
