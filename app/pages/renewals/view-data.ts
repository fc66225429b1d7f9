/** The renewals of the next twelve months in words, month by month. */
import type { Country } from "#db/tables/enums.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { whyNoChoice } from "#server/orders/renewal-choice.ts";
import { renewalChoiceText } from "#server/orders/renewal-choice-text.ts";
import { dateView, monthView, zonedMonth } from "#server/orders/subscriptions/dates.ts";
import { licencesInUseText } from "#server/orders/subscriptions/licences-in-use.ts";
import { sumRenewalPrices, type UpcomingRenewal } from "#server/orders/upcoming-renewals.ts";
import type { RequestContext } from "../../http/request-context.ts";
import type { DateView } from "../../ui/date-text.tsx";

export interface MonthOfRenewals {
  iso: string;
  title: string;
  /** What its renewals cost together, in each currency. */
  totals: string[];
  rows: RenewalRow[];
}

interface RenewalRow {
  id: string;
  name: string;
  domain: string;
  /** Name and domain, for links that are read out of their row. */
  what: string;
  end: DateView;
  quantity: number;
  inUse: string | null;
  /** With tax, as it is today; null where it has none. */
  cost: string | null;
  /** What was said, or why nothing can be said yet. */
  choice: string | null;
  /** Where it is said; null for a viewer, and while it cannot be. */
  choose: string | null;
}

/** @param shown.country of the company, in whose zone months and dates are */
export function monthsOfRenewals(
  { text, language }: Pick<RequestContext, "text" | "language">,
  ahead: readonly UpcomingRenewal[],
  { country, mayBuy, now }: { country: Country; mayBuy: boolean; now: Date },
): MonthOfRenewals[] {
  const months = new Map<string, UpcomingRenewal[]>();
  for (const each of ahead) {
    const month = zonedMonth(each.subscription.end, country);
    months.set(month, [...(months.get(month) ?? []), each]);
  }
  return [...months].map(([iso, renewals]) => {
    const { month, year } = monthView(iso, language);
    return {
      iso,
      title: `${month} ${year}`,
      totals: sumRenewalPrices(renewals).map((total) => formatMoney(total)),
      rows: renewals.map(({ subscription, choice, inUse, cost }): RenewalRow => {
        const { id, name, domain, quantity, end } = subscription;
        const closed = whyNoChoice(subscription, country, now);
        const said = choice === null ? null : renewalChoiceText(choice, country, language);
        return {
          id,
          name,
          domain,
          what: text("subscriptions.what", { name, domain }),
          end: dateView(end, country, language),
          quantity,
          inUse: inUse === null ? null : licencesInUseText(inUse, country, language),
          cost: cost === null ? null : formatMoney(cost.total),
          choice: said ?? (closed === null ? null : translate(language, closed)),
          choose: mayBuy && closed === null ? paths.renewalChoice(id) : null,
        };
      }),
    };
  });
}
