/** The data of the catalogue page at each of its addresses. */

import { z } from "zod";
import { listSlideTitles } from "#server/catalogue/edit.ts";
import { allNames, families, familyIds, standardFamily } from "#server/catalogue/families/registry.ts";
import { listDashboards } from "#server/catalogue/items.ts";
import { brand } from "#server/foundation/brand.ts";
import { countries, countryCodes } from "#server/foundation/countries/registry.ts";
import { translate } from "#server/foundation/languages/text.ts";
import { mayOrder, viewerOnlyMessageKey } from "#server/orders/draft.ts";
import { whyNotSold } from "#server/orders/market-availability.ts";
import { screens } from "../../families/registry.ts";
import { countryOfPrices } from "../../http/country.ts";
import { priceTaxNote, taxForVisitor } from "../../http/price-tax.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { familyName } from "../../params.ts";
import { toCard } from "./card.ts";
import { carouselSlides, familiesWithBanner } from "./carousel-slides.ts";
import { canonicalCataloguePath } from "./catalogue-query.ts";
import { ownTasksOf } from "./own-tasks.ts";
import { priceEstimateOf } from "./price-estimate.ts";
import { faqFor } from "./questions.ts";
import { structuredDataOf } from "./structured-data.ts";

/** A link with an unknown value still shows the shop, not an error. */
const chosen = z.object({
  service: familyName.catch(standardFamily),
  /** "true" for an existing customer (docs/specification.md, section 2.4). */
  TUP: z.literal("true").optional().catch(undefined),
});

export async function catalogueOf(request: RequestContext) {
  const { context, url, session, language, text } = request;
  const { db, env } = context;
  const country = await countryOfPrices(request);
  const words = countries[country].words[language];
  const { service, TUP } = chosen.parse(Object.fromEntries(url.searchParams));
  // The offers show the lowest price of every family with a banner, not just the chosen one.
  const shown = [...new Set([...familiesWithBanner, service])];
  const [own, tax, dashboards, titles] = await Promise.all([
    ownTasksOf(request),
    taxForVisitor(request, country),
    listDashboards(db, shown),
    listSlideTitles(db),
  ]);
  const onSale = new Map(
    dashboards.map(({ family, featured, other }) => [family, [...featured, ...other]] as const),
  );
  const chosenPlans = dashboards.find(({ family }) => family === service);
  const { featured = [], other = [], addOns = [] } = chosenPlans ?? {};
  const isCustomer = TUP === "true";
  const closed = whyNotSold(env, service, country);
  const mayBuy = mayOrder(session);
  const cards = (items: typeof featured) =>
    items.map((item) => toCard(item, country, language, { isCustomer, mayBuy: mayBuy && closed === null }));
  const shownCards = { featured: cards(featured), other: cards(other), addOns: cards(addOns) };
  const questions = faqFor(env, { service, country, language });
  return {
    own,
    path: canonicalCataloguePath({ service, country }),
    service,
    country,
    isCustomer,
    looksOnly: mayBuy ? null : text(viewerOnlyMessageKey),
    closed: closed === null ? null : translate(language, closed),
    offers: carouselSlides({ country, service, language, TUP }, onSale, titles),
    sells: allNames[language],
    // A family outside the service switch is listed only while it is shown. Otherwise a link further down leads to it.
    services: familyIds
      .filter((family) => screens[family].also === null || family === service)
      .map((family) => ({ value: family, text: families[family].label })),
    also: familyIds.flatMap((family) => {
      const { also } = screens[family];
      return also === null || family === service
        ? []
        : [{ service: family, text: text(also.text), link: text(also.link) }];
    }),
    ...shownCards,
    cost:
      closed === null
        ? priceEstimateOf(
            {
              items: [...featured, ...other],
              country,
              tax,
              language,
              isCustomer,
              mayBuy,
            },
            url.searchParams,
          )
        : null,
    proof: env.PARTNER_BADGES,
    questions,
    things: structuredDataOf({ ...shownCards, questions }, { brand, storeUrl: env.PUBLIC_URL }),
    markets: countryCodes.map((code) => ({ code, name: countries[code].words[language].market })),
    head: {
      title: text("home.metaTitle", { service: families[service].name, country: words.inSentence }),
      description: text("home.metaDescription", {
        service: families[service].name,
        country: words.inSentence,
        money: words.money,
      }),
    },
    market: {
      prices: priceTaxNote(tax, language),
      assurances: words.assurances,
    },
  };
}

export type CatalogueData = Awaited<ReturnType<typeof catalogueOf>>;
