/** The offers of the carousel (docs/specification.md, section 1), in the words and prices of one country. */

import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { startingPrice } from "#server/catalogue/prices.ts";
import { currencyOf } from "#server/countries/country.ts";
import { families, familyIds } from "#server/families/family.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { screens } from "../../families/family.ts";
import type { Offer } from "../../families/offer.ts";
import { catalogueAddress } from "./address.ts";

/** The families that have a banner slide for their plans. */
export const familiesWithBanner = familyIds.filter((family) => screens[family].plansBanner !== null);

/**
 * A slide for the plans of each family with a banner, then the other promotions.
 * @param items each family's items on sale
 * @param TUP "true" for an existing customer; the links to plans keep it
 */
export function offersIn(
  country: Country,
  items: ReadonlyMap<FamilyId, readonly CatalogueItem[]>,
  TUP?: "true",
): Offer[] {
  const plans = familyIds.flatMap((family): Offer[] => {
    const { plansBanner } = screens[family];
    if (plansBanner === null) return [];
    const { label, name } = families[family];
    return [
      {
        ...plansBanner,
        maker: name,
        price: startingAt(items.get(family) ?? [], country),
        action: `See ${label} plans`,
        // Links to the plans themselves, because the top of that page may show this very slide.
        href: `${catalogueAddress({ service: family, country, TUP })}#featured`,
      },
    ];
  });
  const promotions = familyIds.flatMap((family) =>
    screens[family].promotions(country).map(
      ({ price, ...promotion }): Offer => ({
        ...promotion,
        price: price === null ? null : { before: "Now", ...price },
        href: null,
      }),
    ),
  );
  return [...plans, ...promotions];
}

/** A family's lowest price, or none when it has nothing on sale. */
function startingAt(items: readonly CatalogueItem[], country: Country): Offer["price"] {
  const [lowest] = items
    .map((item) => startingPrice(item, currencyOf(country)).perMonth)
    .sort((a, b) => a.minor - b.minor);
  if (lowest === undefined) return null;
  return { before: "Starting at", amount: formatMoney(lowest), list: null, after: "per month" };
}
