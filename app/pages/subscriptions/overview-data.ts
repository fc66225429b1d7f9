/** What stands above the first page of My Subscriptions: what is due, the renewals ahead, and the spend by month. */
import type { CustomerId } from "#db/ids.ts";
import type { Country } from "#db/tables/enums.ts";
import type { LanguageId } from "#server/languages/language.ts";
import { type RenewalsAhead, renewalsAhead } from "#server/orders/renewals-ahead.ts";
import { spendOfYear } from "#server/orders/spend.ts";
import { taxWords } from "#server/orders/tax-words.ts";
import * as paths from "#server/paths.ts";
import { formatMoney, formatShort } from "#server/pricing/format.ts";
import type { MonthSums } from "#server/pricing/months.ts";
import { formatDate, monthOf, monthView } from "#server/subscriptions/dates.ts";
import { daysLeft } from "#server/subscriptions/days.ts";
import { listQuery } from "../../http/list-query.ts";
import { taxShown } from "../../http/price-tax.ts";
import type { RequestContext } from "../../http/request-context.ts";
import type { MonthBar } from "../../ui/months.tsx";

export interface ChartView {
  title: string;
  /** By currency, with the sum in `<total>`. */
  sums: { total: string; bars: MonthBar[] }[];
  note: string | null;
}

export interface DueView {
  title: string;
  /** With the domain in `<domain>`. */
  about: string;
  /** What the amount has in it, or why no tax; null where there is no amount or nothing to say of tax. */
  includes: string | null;
  /** Null for a viewer. */
  renew: { href: string; text: string } | null;
  others: string | null;
}

/** Null where the list is searched, or another page of it is shown. */
export async function overviewOf(
  request: RequestContext,
  company: { id: CustomerId; country: Country },
  { mayBuy, now }: { mayBuy: boolean; now: Date },
): Promise<{ due: DueView | null; charts: ChartView[] } | null> {
  const { family = null, search = "", page } = listQuery(request.url);
  if (search.trim() !== "" || page !== undefined || listQuery(request.url, "ended").page !== undefined)
    return null;
  const { text, language, context } = request;
  const { id, country } = company;
  const asked = { country, family, now };
  const ahead = await renewalsAhead(context.db, context.env.sellers, id, asked);
  const spend = await spendOfYear(context.db, id, asked);
  const tax = taxWords(await taxShown(request, country), language);
  const dueMonths = ahead.due.map(({ subscription }) => monthOf(subscription.end, country));
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
  [first, ...others]: RenewalsAhead["due"],
  { mayBuy, now }: { mayBuy: boolean; now: Date },
): DueView | null {
  if (first === undefined) return null;
  const { subscription, cost } = first;
  const { id, name, domain, quantity, end } = subscription;
  const tax = cost === null ? null : taxWords(cost.priceTax, language);
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

/** @param dueMonths those in which something must be done now */
function barsOf({ months }: MonthSums, language: LanguageId, dueMonths: readonly string[] = []): MonthBar[] {
  const most = Math.max(...months.map(({ amount }) => amount.minor));
  return months.map(({ month: iso, amount }) => ({
    iso,
    ...monthView(iso, language),
    amount: amount.minor === 0 ? null : { full: formatMoney(amount), short: formatShort(amount, language) },
    // What is small beside the largest is seen all the same.
    share: amount.minor === 0 ? 0 : Math.max(2, Math.round((100 * amount.minor) / most)),
    isDue: dueMonths.includes(iso),
  }));
}
