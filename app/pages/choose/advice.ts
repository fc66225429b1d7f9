/** The data of the questions, and of the advice once they are answered. */
import { z } from "zod";
import { families, familyIds, standardFamily } from "#server/catalogue/families/registry.ts";
import { listDashboard } from "#server/catalogue/items.ts";
import { currencyOf } from "#server/foundation/countries/registry.ts";
import { languages } from "#server/foundation/languages/language.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { mayOrder, viewerOnlyMessageKey } from "#server/orders/draft.ts";
import { whyNotSold } from "#server/orders/market-availability.ts";
import { taxTexts } from "#server/orders/tax-texts.ts";
import { advise, answersIn, reasonsFor } from "../../families/plan-advisor.ts";
import { screens } from "../../families/registry.ts";
import { countryOfPrices } from "../../http/country.ts";
import { taxForVisitor } from "../../http/price-tax.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { canonicalQuery, place } from "../compare/query.ts";
import { comparable } from "../compare/rows.ts";
import { toCard } from "../home/card.ts";

const querySchema = place.extend({
  service: z.enum(familyIds.filter((id) => screens[id].choosing !== null)).catch(standardFamily),
});

export async function adviceOf(request: RequestContext) {
  const { context, url, session, text, language } = request;
  const country = await countryOfPrices(request);
  const { service, TUP } = querySchema.parse(Object.fromEntries(url.searchParams));
  const { choosing } = screens[service];
  if (choosing === null) throw new Error(`${service} is chosen without questions`);
  const family = families[service].name;
  const at = canonicalQuery({ service, country });
  const closed = whyNotSold(context.env, service, country);
  const given = answersIn(choosing, url.searchParams);
  const isBegun = choosing.some(({ id }) => url.searchParams.has(id));
  const { featured, other } = await listDashboard(context.db, service);
  const plans = [...featured, ...other].flatMap(comparable);
  const plan = given === null ? null : advise(plans, given, currencyOf(country));
  const list = new Intl.ListFormat(languages[language].locale);
  const reasons = reasonsFor(given ?? []).map((reason) => translate(language, reason));
  return {
    title: text("compare.chooseTitle"),
    heading: text("compare.chooseHeading", { family }),
    description: text("compare.chooseDescription", { family }),
    path: paths.choose(at),
    service,
    country,
    isCustomer: TUP === "true",
    closed: closed === null ? null : translate(language, closed),
    looksOnly: mayOrder(session) ? null : text(viewerOnlyMessageKey),
    isIncomplete: isBegun && given === null,
    advice:
      given === null
        ? null
        : plan === null
          ? { plan: null }
          : {
              plan: plan.name,
              reason:
                reasons.length === 0
                  ? text("compare.cheapest")
                  : text("compare.because", { reasons: list.format(reasons) }),
              price: text("compare.from", {
                price: toCard(plan, country, language).from,
                beforeTax: taxTexts(await taxForVisitor(request, country), language).before,
              }),
              buy: toCard(plan, country, language, {
                isCustomer: TUP === "true",
                mayBuy: mayOrder(session) && closed === null,
              }).buy,
              compare: paths.compare({ ...at, TUP, plan: plan.id, fits: plan.id }),
            },
    questions: choosing.map((question) => ({
      id: question.id,
      text: translate(language, question.text),
      answers: question.answers.map((answer) => ({
        id: answer.id,
        text: translate(language, answer.text),
        isGiven: url.searchParams.get(question.id) === answer.id,
      })),
    })),
  };
}

export type AdvicePage = Awaited<ReturnType<typeof adviceOf>>;
