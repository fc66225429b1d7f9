/**
 * A subscription's row in words: its possible actions, and the reasons for the others (docs/specification.md, section 4.6).
 */

import type { SubscriptionListed } from "#db/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";
import { type ChangeKind, whyNot } from "#server/orders/subscription-change.ts";
import * as paths from "#server/paths.ts";
import { licences } from "#server/pricing/quantity.ts";
import { dateView, formatDate } from "#server/subscriptions/dates.ts";
import { hasEnded } from "#server/subscriptions/days.ts";
import { planWords } from "../../journey/order-words.ts";
import type { DateView } from "../../ui/date-text.tsx";

/** An action: its link, or why it is not available. */
export type Possible = { href: string } | { closed: string };

export interface RowActions {
  buyMore: Possible;
  renew: Possible;
  addOns: { name: string; href: string }[];
}

export interface RowView {
  id: string;
  name: string;
  plan: string;
  domain: string;
  quantity: number;
  start: DateView;
  end: DateView;
  /** The next term, once paid for. */
  renewed: string | null;
  /** Null for a viewer. */
  actions: RowActions | null;
}

export interface Showing {
  country: Country;
  now: Date;
  mayBuy: boolean;
  addOns: readonly { name: string; sku: string; baseItemIds: readonly string[] }[];
}

export function rowView(row: SubscriptionListed, showing: Showing): RowView {
  const { country, now, mayBuy, addOns } = showing;
  const say = (date: Date) => formatDate(date, country);
  return {
    id: row.id,
    name: row.name,
    plan: planWords({ term: row.term, billingCycle: row.billingCycle }),
    domain: row.domain,
    quantity: row.quantity,
    start: dateView(row.start, country),
    end: dateView(row.end, country),
    renewed:
      row.next === null
        ? null
        : `Renewed: next term from ${say(row.next.start)}, ${licences(row.next.quantity)}`,
    actions: mayBuy
      ? {
          buyMore: possible("ADD", row, showing, paths.buyMore(row.id)),
          renew: possible("RENEW", row, showing, paths.renew(row.id)),
          addOns: addOns
            .filter(({ baseItemIds }) => !hasEnded(row, now) && baseItemIds.includes(row.itemId))
            .map(({ name, sku }) => ({ name, href: paths.newAddOn({ sku_id: sku, base: row.id }) })),
        }
      : null,
  };
}

/** The link to what may be done now, or why it may not. */
function possible(
  kind: ChangeKind,
  row: SubscriptionListed,
  { country, now }: Showing,
  href: string,
): Possible {
  const closed = whyNot(kind, row, country, now);
  return closed === null ? { href } : { closed };
}
