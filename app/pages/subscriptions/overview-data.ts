/** View model above the first page of My Subscriptions: the next renewal, the renewals ahead, and the spend by month. */
import type { CustomerId } from "#db/ids.ts";
import type { RenewalChoice } from "#db/orders/renewal-choices.ts";
import type { ListedSubscription } from "#db/orders/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";
import { formatMoney, formatShort } from "#server/catalogue/pricing/format.ts";
import type { MonthSums } from "#server/catalogue/pricing/months.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import * as paths from "#server/foundation/paths.ts";
import {
  forecastRenewals,
  listEndingWithinYear,
  type RenewalForecast,
  type RenewalPrice,
} from "#server/orders/renewal-forecast.ts";
import { spendOfYear } from "#server/orders/spend.ts";
import { formatDate, monthView, zonedMonth } from "#server/orders/subscriptions/dates.ts";
import { daysLeft } from "#server/orders/subscriptions/days.ts";
import { taxTexts } from "#server/orders/tax-texts.ts";
import { listQuery } from "../../http/list-query.ts";
import { taxForVisitor } from "../../http/price-tax.ts";
import type { RequestContext } from "../../http/request-context.ts";
import type { MonthBar } from "../../ui/monthly-chart.tsx";

export interface ChartView {
  title: string;
  /** Sums by currency, each with its amount in `<total>`. */
  sums: { total: string; bars: MonthBar[] }[];
  note: string | null;
}

export interface DueView {
  title: string;
  /** Description with the domain in `<domain>`. */
  about: string;
  /** The tax in the amount, or why there is none; null without an amount or a note on its tax. */
  includes: string | null;
  /** Null for a viewer. */
  renew: { href: string; text: string } | null;
  others: string | null;
}

/** The subscriptions that end in the next twelve months. Null during a search, and on later pages of the list. */
export async function endingInOverview(
  { url, context }: RequestContext,
  { id, country }: { id: CustomerId; country: Country },
  now: Date,
): Promise<ListedSubscription[] | null> {
  const { family = null, search = "", page } = listQuery(url);
  const isFirstPage = page === undefined && listQuery(url, "ended").page === undefined;
  return isFirstPage && search.trim() === ""
    ? listEndingWithinYear(context.db, id, { country, family, now })
    : null;
}

/** The company's payments of the last twelve months. */
export function spendInOverview(
  { url, context }: RequestContext,
  { id, country }: { id: CustomerId; country: Country },
  now: Date,
): Promise<MonthSums[]> {
  return spendOfYear(context.db, id, { country, family: listQuery(url).family ?? null, now });
}

/** @param costs renewal prices of the ending subscriptions */
export async function overviewOf(
  request: RequestContext,
  { country }: { country: Country },
  {
    ending,
    costs,
    choices,
    spend,
    mayBuy,
    now,
  }: {
    ending: readonly ListedSubscription[];
    costs: ReadonlyMap<string, RenewalPrice | null>;
    choices: ReadonlyMap<string, RenewalChoice>;
    spend: readonly MonthSums[];
    mayBuy: boolean;
    now: Date;
  },
): Promise<{ due: DueView | null; charts: ChartView[] }> {
  const { text, language } = request;
  const ahead = forecastRenewals(ending, costs, choices, { country, now });
  // Read together with the costs, unless there are none.
  const known = [...costs.values()].find((cost) => cost?.priceTax.country === country)?.priceTax;
  const tax = taxTexts(known ?? (await taxForVisitor(request, country)), language);
  const dueMonths = ahead.due.map(({ subscription }) => zonedMonth(subscription.end, country));
  return {
    due: dueView(request, country, ahead.due, { mayBuy, now }),
    charts: [
      {
        title: text("subscriptions.ahead"),
        sums: ahead.sums.map((sums) => ({
          total: text("subscriptions.aheadTotal", { tax: tax.before, total: formatMoney(sums.total) }),
          bars: barsOf(sums, language, dueMonths),
        })),
        note: ahead.unpriced === 0 ? null : text("subscriptions.aheadUnpriced", { count: ahead.unpriced }),
      },
      {
        title: text("subscriptions.spend"),
        sums: spend.map((sums) => {
          const total = formatMoney(sums.total);
          return {
            total:
              tax.name === null
                ? text("subscriptions.spendTotal", { total })
                : text("subscriptions.spendTotalTaxed", { tax: tax.name, total }),
            bars: barsOf(sums, language),
          };
        }),
        note: null,
      },
    ].filter(({ sums }) => sums.length > 0),
  };
}

function dueView(
  { text, language }: Pick<RequestContext, "text" | "language">,
  country: Country,
  [first, ...others]: RenewalForecast["due"],
  { mayBuy, now }: { mayBuy: boolean; now: Date },
): DueView | null {
  if (first === undefined) return null;
  const { subscription, cost } = first;
  const { id, name, domain, quantity, end } = subscription;
  const tax = cost === null ? null : taxTexts(cost.priceTax, language);
  const amount = cost === null ? null : formatMoney(cost.total);
  return {
    title: text("subscriptions.dueTitle", { name, days: daysLeft(end, now) }),
    about: text("subscriptions.dueOn", {
      licences: text("orders.licences", { count: quantity }),
      domain,
      date: formatDate(end, country, language),
    }),
    includes:
      amount === null || tax === null || !mayBuy
        ? null
        : tax.name === null
          ? tax.whyNone
          : text("subscriptions.dueIncludes", { amount, tax: tax.name }),
    renew: mayBuy
      ? {
          href: paths.renew(id),
          text: amount === null ? text("subscriptions.renew") : text("subscriptions.dueRenewFor", { amount }),
        }
      : null,
    others: others.length === 0 ? null : text("subscriptions.dueOthers", { count: others.length }),
  };
}

/** Minimum number of months with an amount for a chart: with fewer the sum is enough. */
const leastMonths = 3;

/** Empty where there is nothing to compare. @param dueMonths months with an action due now */
function barsOf({ months }: MonthSums, language: LanguageId, dueMonths: readonly string[] = []): MonthBar[] {
  if (months.filter(({ amount }) => amount.minor !== 0).length < leastMonths) return [];
  const most = Math.max(...months.map(({ amount }) => amount.minor));
  return months.map(({ month: iso, amount }) => ({
    iso,
    ...monthView(iso, language),
    amount: amount.minor === 0 ? null : { full: formatMoney(amount), short: formatShort(amount, language) },
    // A minimum height, so that a small amount remains visible next to the largest.
    share: amount.minor === 0 ? 0 : Math.max(2, Math.round((100 * amount.minor) / most)),
    isDue: dueMonths.includes(iso),
  }));
}
