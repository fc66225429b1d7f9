/** The service card of the JSON calls (SPEC section 3), spelled as the product spells it. */
import type { ItemId } from "#db/ids.ts";
import type { Family } from "#db/tables/enums.ts";
import { toMajor } from "#server/pricing/money.ts";
import type { CatalogueItem } from "./items.ts";
import { lowestOfKind } from "./prices.ts";

/** Prices are a seat a month, in rupees or dollars, the lowest of their kind; "signup-" keys exist for Google only. */
export interface ServiceCard {
  readonly id: ItemId;
  readonly sku: string;
  readonly item_family: Family;
  readonly name: string;
  readonly description: string;
  readonly features: readonly string[];
  readonly images: readonly string[];
  readonly price: Partial<Record<"INR" | "USD" | "signup-INR" | "signup-USD", number>>;
  readonly ERP_INR?: number;
  readonly min_quantity: number;
  /** The most seats, with those the customer has; null = no limit. */
  readonly max_quantity: number | null;
}

export function toServiceCard(item: CatalogueItem): ServiceCard {
  const list = lowestOfKind(item, "INR")?.list;
  return {
    id: item.id,
    sku: item.sku,
    item_family: item.family,
    name: item.name,
    description: item.description,
    features: item.features,
    images: item.images,
    price: {
      ...priceUnder(item, "INR", "INR"),
      ...priceUnder(item, "USD", "USD"),
      ...priceUnder(item, "signup-INR", "INR", "signup"),
      ...priceUnder(item, "signup-USD", "USD", "signup"),
    },
    ...(list ? { ERP_INR: toMajor(list) } : {}),
    min_quantity: item.minSeats,
    max_quantity: item.maxSeats,
  };
}

function priceUnder(
  item: CatalogueItem,
  key: keyof ServiceCard["price"],
  currency: "INR" | "USD",
  kind: "regular" | "signup" = "regular",
): ServiceCard["price"] {
  const lowest = lowestOfKind(item, currency, kind);
  return lowest === null ? {} : { [key]: toMajor(lowest.perMonth) };
}
