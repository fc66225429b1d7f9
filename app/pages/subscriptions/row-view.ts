/**
 * A subscription's row in words: its possible actions, and the reasons for the others (docs/specification.md, section 4.6).
 */

import type { SubscriptionListed } from "#db/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Env } from "#server/env.ts";
import { families } from "#server/families/family.ts";
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
  /** What its vendor has made of it: suspended, cancelled, moved away, extended, fewer licences. */
  vendorSays: string | null;
  /** Where its vendor's terms are accepted, while they are not. */
  terms: { words: string; href: string } | null;
  /** Null for a viewer. */
  actions: RowActions | null;
}

export interface Showing {
  country: Country;
  now: Date;
  mayBuy: boolean;
  env: Env;
  addOns: readonly { name: string; sku: string; baseItemIds: readonly string[] }[];
}

export function rowView(row: SubscriptionListed, showing: Showing): RowView {
  const { country, now, mayBuy, addOns, env } = showing;
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
    vendorSays: vendorWords(row, country),
    terms: row.waitsForTerms
      ? {
          words: `Waiting for your administrator to accept ${families[row.family].label}'s terms`,
          href: families[row.family].startUrl(env),
        }
      : null,
    actions: mayBuy
      ? {
          buyMore: possible("ADD", row, showing, paths.buyMore(row.id)),
          renew: possible("RENEW", row, showing, paths.renew(row.id)),
          addOns: addOns
            .filter(
              ({ baseItemIds }) =>
                !hasEnded(row, now) && !row.isSuspended && baseItemIds.includes(row.itemId),
            )
            .map(({ name, sku }) => ({ name, href: paths.newAddOn({ sku_id: sku, base: row.id }) })),
        }
      : null,
  };
}

function vendorWords(
  { family, status, isSuspended, quantity, reducedFrom, extendedUntil }: SubscriptionListed,
  country: Country,
): string | null {
  const { label } = families[family];
  if (extendedUntil !== null)
    return `Extended at ${label} month by month, for now to ${formatDate(extendedUntil, country)}. Renew it to keep it.`;
  if (status === "cancelled") return "Cancelled";
  if (status === "transferred") return `Moved away from us at ${label}`;
  const said = [
    ...(isSuspended ? [`Suspended at ${label}`] : []),
    ...(reducedFrom === null ? [] : [`Reduced at ${label} from ${licences(reducedFrom)} to ${quantity}`]),
  ];
  return said.length === 0 ? null : said.join(". ");
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
