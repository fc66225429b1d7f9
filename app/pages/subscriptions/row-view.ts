/**
 * A subscription's row in words: its possible actions, and the reasons for the others (docs/specification.md, section 4.6).
 */

import type { SubscriptionListed } from "#db/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";
import * as paths from "#server/paths.ts";
import { licences } from "#server/pricing/quantity.ts";
import { dateView, formatDate } from "#server/subscriptions/dates.ts";
import { hasEnded, mayRenew, renewalDays, renewalOpensAt } from "#server/subscriptions/days.ts";
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

export function rowView(row: SubscriptionListed, { country, now, mayBuy, addOns }: Showing): RowView {
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
          buyMore: hasEnded(row, now)
            ? { closed: "No more licences: it has ended" }
            : { href: paths.buyMore(row.id) },
          renew: renewal(row, now, say),
          addOns: addOns
            .filter(({ baseItemIds }) => !hasEnded(row, now) && baseItemIds.includes(row.itemId))
            .map(({ name, sku }) => ({ name, href: paths.newAddOn({ sku_id: sku, base: row.id }) })),
        }
      : null,
  };
}

function renewal(row: SubscriptionListed, now: Date, say: (date: Date) => string): Possible {
  if (mayRenew(row, now)) return { href: paths.renew(row.id) };
  if (row.next !== null) return { closed: "Its next term is paid for" };
  if (row.status === "cancelled") return { closed: "It was cancelled and cannot be renewed" };
  return {
    closed: `Renew opens on ${say(renewalOpensAt(row.end))}, ${renewalDays} days before it ends`,
  };
}
