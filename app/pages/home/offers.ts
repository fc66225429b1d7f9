/** The three offers of the carousel (docs/specification.md, section 1), in the words and prices of one country. */

import type { Country } from "#db/tables/enums.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { startingPrice } from "#server/catalogue/prices.ts";
import { laptopPromotionIn } from "#server/catalogue/promotions.ts";
import { countries, currencyOf } from "#server/countries/country.ts";
import * as paths from "#server/paths.ts";
import { formatMoney } from "#server/pricing/format.ts";

export interface Offer {
  readonly artwork: "office" | "meeting" | "laptop";
  readonly maker: string;
  readonly title: string;
  readonly price: {
    readonly before: string;
    readonly amount: string;
    readonly list: string | null;
    readonly after: string;
  } | null;
  readonly action: string;
  /** Null where it leads to the company's contact page. */
  readonly href: string | null;
}

/**
 * @param items what each family has on sale
 * @param TUP "true" where a customer adds to what it has, which the plans shown next go on with
 */
export function offersIn(
  country: Country,
  items: { microsoft: readonly CatalogueItem[]; google: readonly CatalogueItem[] },
  TUP?: "true",
): Offer[] {
  // To the plans themselves: the page's top may be the one that the slide stands on.
  const plansOf = (service: "microsoft" | "google") =>
    `${paths.catalogue({ service, country, TUP })}#featured`;
  const laptop = laptopPromotionIn(country);
  return [
    {
      artwork: "office",
      maker: "Microsoft 365",
      title: "Meetings, mail or all of Office: a plan for each team",
      price: startingAt(items.microsoft, country),
      action: "See Microsoft plans",
      href: plansOf("microsoft"),
    },
    {
      artwork: "meeting",
      maker: "Google Workspace",
      title: "Mail, documents and calls that teams share live",
      price: startingAt(items.google, country),
      action: "See Google plans",
      href: plansOf("google"),
    },
    {
      artwork: "laptop",
      maker: "Microsoft",
      title: "A business laptop, set up for your team",
      price:
        laptop === null
          ? null
          : {
              before: "Now",
              amount: formatMoney(laptop.offer),
              list: formatMoney(laptop.list),
              after: "both plus GST",
            },
      action:
        laptop === null ? `Ask for a price in ${countries[country].moneyInSentence}` : "Ask for this offer",
      href: null,
    },
  ];
}

/** The lowest price of a family; none when it has nothing on sale. */
function startingAt(items: readonly CatalogueItem[], country: Country): Offer["price"] {
  const [lowest] = items
    .map((item) => startingPrice(item, currencyOf(country)).perMonth)
    .sort((a, b) => a.minor - b.minor);
  if (lowest === undefined) return null;
  return { before: "Starting at", amount: formatMoney(lowest), list: null, after: "per month" };
}
