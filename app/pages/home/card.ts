/** A plan's card, with all texts already formatted so that the view has no logic. Used by the catalogue and by search. */

import type { ItemId } from "#db/ids.ts";
import type { Country, Currency, FamilyId } from "#db/tables/enums.ts";
import { itemCopyIn } from "#server/catalogue/item-copy.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { startingPrice } from "#server/catalogue/prices.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { currencyOf } from "#server/foundation/countries/registry.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";

export interface Card {
  readonly id: ItemId;
  readonly family: FamilyId;
  readonly name: string;
  readonly audience: string;
  readonly description: string;
  readonly features: readonly string[];
  readonly apps: readonly string[];
  /** "₹79": the lowest monthly price of a seat. */
  readonly from: string;
  /** The same, machine-readable: "79.00" of "INR". */
  readonly price: { readonly amount: string; readonly currency: Currency };
  /** Billing of a seat, which "Monthly" does not say. */
  readonly paid: string;
  /** The monthly list price of the same offer. */
  readonly list: string | null;
  /** Buy Now's link, or null for a visitor who cannot buy. */
  readonly buy: string | null;
}

/**
 * @param options.isCustomer true for an existing customer, who gets the shorter journey (docs/specification.md, section 2.4)
 * @param options.mayBuy false for a viewer
 */
export function toCard(
  item: CatalogueItem,
  country: Country,
  language: LanguageId,
  { isCustomer = false, mayBuy = true }: { isCustomer?: boolean; mayBuy?: boolean } = {},
): Card {
  const text = textIn(language);
  const { perMonth, list, billingCycle } = startingPrice(item, currencyOf(country));
  return {
    id: item.id,
    family: item.family,
    name: item.name,
    ...itemCopyIn(item, language),
    apps: item.images,
    from: formatMoney(perMonth),
    price: { amount: (perMonth.minor / 100).toFixed(2), currency: perMonth.currency },
    paid: text(billingCycle === "annual" ? "catalogue.paidYearly" : "catalogue.paidMonthly"),
    list: list === null ? null : formatMoney(list),
    buy: mayBuy
      ? (isCustomer ? paths.newContract : paths.newOrder)({ family: item.family, item: item.id, country })
      : null,
  };
}
