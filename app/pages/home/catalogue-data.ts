/** What the catalogue page shows at each of its addresses. */

import { z } from "zod";
import { listDashboard } from "#server/catalogue/items.ts";
import { countries, countryCodes, standardCountry } from "#server/countries/country.ts";
import { mayOrder, viewersLook } from "#server/orders/draft.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { countryCode, familyName } from "../../params.ts";
import { toCard } from "./card.ts";
import { offersIn } from "./offers.ts";
import { questionsOn } from "./questions.ts";

/** A link with a value we do not know still shows a shop, not an error. */
const chosen = z.object({
  service: familyName.catch("microsoft"),
  country: countryCode.catch(standardCountry),
  /** "true" where a customer adds to what it has (docs/specification.md, section 2.4). */
  TUP: z.literal("true").optional().catch(undefined),
});

export async function catalogueOf({ context: { db }, url, session }: RequestContext) {
  const { service, country, TUP } = chosen.parse(Object.fromEntries(url.searchParams));
  // The offers name the lowest prices of both, whichever is chosen.
  const [microsoft, google] = await Promise.all([
    listDashboard(db, "microsoft"),
    listDashboard(db, "google"),
  ]);
  const { featured, other, addOns } =
    service === "brio" ? await listDashboard(db, service) : { microsoft, google }[service];
  const isCustomer = TUP === "true";
  const mayBuy = mayOrder(session);
  const cards = (items: typeof featured) =>
    items.map((item) => toCard(item, country, { isCustomer, mayBuy }));
  return {
    service,
    country,
    isCustomer,
    looksOnly: mayBuy ? null : viewersLook,
    offers: offersIn(
      country,
      {
        microsoft: [...microsoft.featured, ...microsoft.other],
        google: [...google.featured, ...google.other],
      },
      TUP,
    ),
    featured: cards(featured),
    other: cards(other),
    addOns: cards(addOns),
    questions: questionsOn(service, country),
    markets: countryCodes.map((code) => ({ code, name: countries[code].market })),
    market: {
      nameInSentence: countries[country].nameInSentence,
      moneyInSentence: countries[country].moneyInSentence,
      prices: countries[country].words.catalogue,
      assurances: countries[country].words.assurances,
    },
  };
}

export type CatalogueData = Awaited<ReturnType<typeof catalogueOf>>;
