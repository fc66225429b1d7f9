/** View model of the next twelve months' renewals, by month. */
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
  /** Total of the month's renewals, in each currency. */
  totals: string[];
  rows: RenewalRow[];
}

interface RenewalRow {
  id: string;
  name: string;
  domain: string;
  /** Name and domain, for links that screen readers announce outside their row. */
  what: string;
  end: DateView;
  quantity: number;
  inUse: string | null;
  /** Today's price with tax; null without one. */
  cost: string | null;
  /** The renewal choice, or why none is possible yet. */
  choice: string | null;
  /** Link to the choice; null for a viewer, and while none is possible. */
  choose: string | null;
}

/** @param shown.country of the company, whose time zone months and dates use */
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
