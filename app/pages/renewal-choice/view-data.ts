/** View model of a renewal choice: the current choice, and the cost of each at today's price. */
import type { RenewalChoice } from "#db/orders/renewal-choices.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { zero } from "#server/catalogue/pricing/money.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import {
  choiceOf,
  seatsChosenForNextTerm,
  whyNoChoice,
  whyNotReducible,
} from "#server/orders/renewal-choice.ts";
import { renewalChoiceText } from "#server/orders/renewal-choice-text.ts";
import { type RenewalPrice, readRenewalPrices } from "#server/orders/renewal-forecast.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { mayRenew, renewalOpensAt } from "#server/orders/subscriptions/days.ts";
import {
  licencesInUse,
  licencesInUseText,
  suggestFewerLicences,
} from "#server/orders/subscriptions/licences-in-use.ts";
import { taxTexts } from "#server/orders/tax-texts.ts";
import type { RequestContext } from "../../http/request-context.ts";

export interface ChoiceView {
  title: string;
  /** Description with the domain in `<domain>`. */
  about: string;
  said: SaidView | null;
  /** Why no choice is possible, or the choices; amounts are in `<amount>`. */
  offer: { closed: string } | OfferView;
}

interface SaidView {
  words: string;
  /** Cost of the choice; null for stopping. */
  cost: string | null;
  /** Link to the renewal's first step, once it can be ordered. */
  renew: string | null;
}

interface OfferView {
  when: string;
  nothingYet: string;
  keep: { title: string; price: string; button: string };
  fewer:
    | { closed: string }
    | { price: string | null; inUse: string | null; suggested: number | null; hint: string; button: string };
  stop: { price: string };
}

/** @param country of the company, whose time zone the dates use */
export async function choiceView(
  request: Pick<RequestContext, "context" | "text" | "language">,
  known: { subscription: Subscription; country: Country; byLink: boolean; now: Date },
): Promise<ChoiceView> {
  const { subscription, country, now } = known;
  const { text, language } = request;
  const { name, domain, quantity, end } = subscription;
  const choice = await choiceOf(request.context.db, subscription.id);
  const refused = whyNoChoice(subscription, country, now);
  return {
    title: text("renewals.choiceTitle", { name }),
    about: text("renewals.about", {
      licences: text("orders.licences", { count: quantity }),
      domain,
      date: formatDate(end, country, language),
    }),
    said: choice === null ? null : await saidView(request, subscription, choice, { country, now }),
    offer: refused === null ? await offerView(request, known) : { closed: translate(language, refused) },
  };
}

async function saidView(
  request: Pick<RequestContext, "context" | "text" | "language">,
  subscription: Subscription,
  choice: RenewalChoice,
  { country, now }: { country: Country; now: Date },
): Promise<SaidView> {
  const seats = seatsChosenForNextTerm(subscription, choice);
  const isToRenew = seats > 0;
  const cost = isToRenew ? await costOf(request, subscription, seats) : null;
  return {
    words: renewalChoiceText(choice, country, request.language),
    cost: isToRenew ? costWords(request, subscription, cost) : null,
    renew: isToRenew && mayRenew(subscription, now) ? paths.renew(subscription.id) : null,
  };
}

async function offerView(
  request: Pick<RequestContext, "context" | "text" | "language">,
  {
    subscription,
    country,
    byLink,
    now,
  }: { subscription: Subscription; country: Country; byLink: boolean; now: Date },
): Promise<OfferView> {
  const { text, language } = request;
  const { quantity, end } = subscription;
  const isOpen = mayRenew(subscription, now);
  const cost = await costOf(request, subscription, quantity);
  const closed = whyNotReducible(subscription, now);
  const inUse = (await licencesInUse(request.context.db, [subscription])).get(subscription.id);
  const { currency } = countries[subscription.country];
  const date = formatDate(end, country, language);
  return {
    when: isOpen
      ? text(byLink ? "renewals.isOpenByLink" : "renewals.isOpen")
      : text("renewals.opensOn", { date: formatDate(renewalOpensAt(end), country, language) }),
    nothingYet: text("renewals.nothingYet", { date }),
    keep: {
      title: text("renewals.keep", { licences: text("orders.licences", { count: quantity }) }),
      price: costWords(request, subscription, cost),
      button: text(isOpen ? "renewals.renewAll" : "renewals.keepAll"),
    },
    fewer:
      closed !== null
        ? { closed: translate(language, closed) }
        : {
            price:
              cost === null
                ? null
                : text("renewals.fewerPrice", {
                    price: formatMoney(cost.unitPrice),
                    tax: taxTexts(cost.priceTax, language).before,
                  }),
            inUse: inUse === undefined ? null : licencesInUseText(inUse, country, language),
            suggested: suggestFewerLicences(subscription, inUse),
            hint: text("renewals.seatsHint", { most: quantity - 1 }),
            button: text(isOpen ? "renewals.renewSome" : "renewals.keepSome"),
          },
    stop: { price: text("renewals.stopPrice", { price: formatMoney(zero(currency)), date }) },
  };
}

/** Today's price of another term with the given number of licences. */
async function costOf(
  { context }: Pick<RequestContext, "context">,
  subscription: Subscription,
  quantity: number,
): Promise<RenewalPrice | null> {
  const { id, customerId } = subscription;
  const costs = await readRenewalPrices(context.db, context.env.sellers, customerId, [
    { ...subscription, quantity },
  ]);
  return costs.get(id) ?? null;
}

function costWords(
  { text, language }: Pick<RequestContext, "text" | "language">,
  { term }: Subscription,
  cost: RenewalPrice | null,
): string {
  if (cost === null) return text("renewals.noPrice");
  const { name: tax } = taxTexts(cost.priceTax, language);
  const price = formatMoney(cost.total);
  const isMonth = term === "P1M";
  return tax === null
    ? text(isMonth ? "renewals.costsMonth" : "renewals.costsYear", { price })
    : text(isMonth ? "renewals.costsMonthTaxed" : "renewals.costsYearTaxed", { price, tax });
}
