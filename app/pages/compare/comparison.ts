/** Data of the comparison at each of its URLs. */
import { z } from "zod";
import { families, familyIds, standardFamily } from "#server/catalogue/families/registry.ts";
import { listDashboard } from "#server/catalogue/items.ts";
import { countries, countryCodes } from "#server/foundation/countries/registry.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { mayOrder, viewerOnlyMessageKey } from "#server/orders/draft.ts";
import { whyNotSold } from "#server/orders/market-availability.ts";
import { screens } from "../../families/registry.ts";
import { countryOfPrices } from "../../http/country.ts";
import { priceTaxNote, taxForVisitor } from "../../http/price-tax.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { familyName } from "../../params.ts";
import { toCard } from "../home/card.ts";
import { canonicalQuery, place } from "./query.ts";
import { comparable, rowsOf } from "./rows.ts";

const querySchema = place.extend({
  service: familyName.catch(standardFamily),
  /** The two plans shown on a phone. */
  plan: z.string().optional().catch(undefined),
  with: z.string().optional().catch(undefined),
  /** The recommended plan. */
  fits: z.string().optional().catch(undefined),
});

export async function comparisonOf(request: RequestContext) {
  const { context, url, session, text, language } = request;
  const country = await countryOfPrices(request);
  const { service, TUP, ...chosen } = querySchema.parse(Object.fromEntries(url.searchParams));
  const { featured, other } = await listDashboard(context.db, service);
  const plans = [...featured, ...other].flatMap(comparable);
  const closed = whyNotSold(context.env, service, country);
  const mayBuy = mayOrder(session) && closed === null;
  const first = plans.find(({ id }) => id === chosen.plan) ?? plans[0];
  const others = plans.filter((plan) => plan !== first);
  const second = others.find(({ id }) => id === chosen.with) ?? others[0];
  const family = families[service].name;
  const at = canonicalQuery({ service, country });
  return {
    title: text("compare.title", { family }),
    description: text("compare.description", {
      family,
      country: countries[country].words[language].inSentence,
    }),
    path: paths.compare(at),
    service,
    country,
    isCustomer: TUP === "true",
    closed: closed === null ? null : translate(language, closed),
    looksOnly: mayOrder(session) ? null : text(viewerOnlyMessageKey),
    prices: priceTaxNote(await taxForVisitor(request, country), language),
    services: familyIds.map((id) => ({ value: id, text: families[id].label })),
    markets: countryCodes.map((code) => ({ value: code, text: countries[code].words[language].market })),
    help: screens[service].choosing === null ? null : paths.choose({ ...at, TUP }),
    all: paths.home({ ...at, TUP }),
    first: first?.id ?? null,
    second: second?.id ?? null,
    plans: plans.map((plan) => ({
      id: plan.id,
      name: plan.name,
      buy: toCard(plan, country, language, { isCustomer: TUP === "true", mayBuy }).buy,
      isShown: plan === first || plan === second,
      fits: plan.id === chosen.fits,
    })),
    groups: rowsOf(plans, country, text),
  };
}

export type Comparison = Awaited<ReturnType<typeof comparisonOf>>;
