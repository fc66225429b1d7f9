/** The carousel's offers (docs/specification.md, section 1), with the texts and prices of one country and language. */

import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { SlideTitles } from "#server/catalogue/edit.ts";
import { families, familyIds } from "#server/catalogue/families/registry.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { startingPrice } from "#server/catalogue/prices.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { currencyOf } from "#server/foundation/countries/registry.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { PlainMessageKey, Translate } from "#server/foundation/languages/messages.ts";
import { textIn, translate } from "#server/foundation/languages/text.ts";
import type { CarouselSlide } from "../../families/carousel-slide.ts";
import { screens } from "../../families/registry.ts";
import { plansSlideId } from "../../families/slides.ts";
import { canonicalCataloguePath } from "./catalogue-query.ts";

/** The families that have a banner slide for their plans. */
export const familiesWithBanner = familyIds.filter((family) => screens[family].plansBanner !== null);

interface Shown {
  country: Country;
  /** The family whose plans the page shows: its slides come first. */
  service: FamilyId;
  language: LanguageId;
  /** "true" for an existing customer; the links to plans keep it. */
  TUP?: "true" | undefined;
}

/**
 * A slide for the plans of each family with a banner, then the other promotions.
 * @param items each family's items on sale
 * @param titles edited titles of slides, by slide id
 */
export function carouselSlides(
  { country, service, language, TUP }: Shown,
  items: ReadonlyMap<FamilyId, readonly CatalogueItem[]>,
  titles: ReadonlyMap<string, SlideTitles> = new Map(),
): CarouselSlide[] {
  const text = textIn(language);
  const titleOf = (id: string, said: PlainMessageKey) => titles.get(id)?.[language] ?? text(said);
  const plans = familiesWithBanner.flatMap((family): CarouselSlide[] => {
    const { plansBanner } = screens[family];
    if (plansBanner === null) return [];
    const { label, name } = families[family];
    return [
      {
        artwork: plansBanner.artwork,
        title: titleOf(plansSlideId(family), plansBanner.title),
        maker: name,
        price: startingAt(items.get(family) ?? [], country, text),
        action: text("home.seePlans", { family: label }),
        // Links to the plans themselves, because the top of that page may show this very slide.
        href: `${canonicalCataloguePath({ service: family, country, TUP })}#featured`,
      },
    ];
  });
  const promotions = familyIds.flatMap((family) =>
    screens[family].promotions(country, language).map(
      ({ id, price, artwork, maker, title, action }): CarouselSlide => ({
        artwork,
        maker,
        title: titleOf(id, title),
        price: price === null ? null : { ...price, before: text("home.now"), after: text(price.after) },
        action: translate(language, action),
        href: null,
      }),
    ),
  );
  const chosen = families[service].name;
  return [
    ...plans.filter(({ maker }) => maker === chosen),
    ...plans.filter(({ maker }) => maker !== chosen),
    ...promotions,
  ];
}

/** A family's lowest price, or none when it has nothing on sale. */
function startingAt(
  items: readonly CatalogueItem[],
  country: Country,
  text: Translate,
): CarouselSlide["price"] {
  const [lowest] = items
    .map((item) => startingPrice(item, currencyOf(country)).perMonth)
    .sort((a, b) => a.minor - b.minor);
  if (lowest === undefined) return null;
  return {
    before: text("catalogue.startingAt"),
    amount: formatMoney(lowest),
    list: null,
    after: text("home.perMonth"),
  };
}
