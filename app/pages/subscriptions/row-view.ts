/**
 * View model of a subscription's row: its price, its possible actions, and the reasons against the others (docs/specification.md,
 * section 4.6).
 */

import type { AddOn } from "#db/catalogue/catalogue.ts";
import type { RenewalChoice } from "#db/orders/renewal-choices.ts";
import type { ListedSubscription } from "#db/orders/subscriptions.ts";
import type { LicencesInUse } from "#db/orders/vendor-snapshots.ts";
import type { Country } from "#db/tables/enums.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { whyNoChoice } from "#server/orders/renewal-choice.ts";
import { renewalChoiceText } from "#server/orders/renewal-choice-text.ts";
import type { RenewalPrice } from "#server/orders/renewal-forecast.ts";
import { type ChangeKind, whyNotChangeable } from "#server/orders/subscription-change.ts";
import { dateView, formatDate, formatDateTime } from "#server/orders/subscriptions/dates.ts";
import { daysLeft, hasEnded } from "#server/orders/subscriptions/days.ts";
import { licencesInUseText } from "#server/orders/subscriptions/licences-in-use.ts";
import { isReminderDue } from "#server/orders/subscriptions/renewal-reminders.ts";
import { taxTexts } from "#server/orders/tax-texts.ts";
import { screens } from "../../families/registry.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { planText } from "../../journey/order-labels.ts";
import type { DateView } from "../../ui/date-text.tsx";
import { timeLeft } from "./time-left.ts";

/** An action: its link, or why it is not available. */
export type ActionAvailability = { href: string } | { closed: string };

export interface RowActions {
  buyMore: ActionAvailability;
  renew: ActionAvailability;
  /** True where a renewal is the likely next action: the end is near, or past. */
  isToRenew: boolean;
  addOns: { name: string; href: string }[];
  /** Link to the renewal choice, while one is possible. */
  choose: string | null;
  /** Link to the cancellation; null once nothing can be cancelled. */
  cancel: string | null;
}

export interface RowView {
  id: string;
  tile: string;
  name: string;
  /** Name and domain, for links that screen readers announce outside their row. */
  what: string;
  /** The term, and its billing where no price shows that. */
  plan: string;
  domain: string;
  quantity: number;
  /** Today's price of another term, with the amount in `<amount>`; null where there is none. */
  price: string | null;
  /** Number of licences in use; null where the vendor has not reported it. */
  inUse: string | null;
  start: DateView;
  end: DateView;
  /** Time until the end; null once it has ended. */
  left: { text: string; isDue: boolean } | null;
  /** The next term, once paid for. */
  renewed: string | null;
  /** Deadline for cancelling licences of a renewed term, with the link; null at any other time, and for a viewer. */
  window: { words: string; href: string } | null;
  /** The renewal choice, while the next term is not paid. */
  said: string | null;
  /** Changes at the vendor: suspended, cancelled, transferred, extended, fewer licences. */
  vendorSays: string[];
  /** Link to accept the vendor's terms, while they are not accepted. */
  terms: { words: string; href: string } | null;
  /** Null for a viewer. */
  actions: RowActions | null;
}

interface Showing {
  request: RequestContext;
  country: Country;
  now: Date;
  mayBuy: boolean;
  /** Today's price of a renewal, by the subscription's id. */
  costs: ReadonlyMap<string, RenewalPrice | null>;
  choices: ReadonlyMap<string, RenewalChoice>;
  inUse: ReadonlyMap<string, LicencesInUse>;
  /** Deadlines for cancelling licences of a renewed term, by the subscription's id. */
  windows: ReadonlyMap<string, Date>;
  addOns: readonly AddOn[];
}

export function rowView(row: ListedSubscription, showing: Showing): RowView {
  const { request, country, now, mayBuy } = showing;
  const { text, language } = request;
  const { id, name, domain, family, quantity, start, end, next } = row;
  const choice = showing.choices.get(id);
  const inUse = showing.inUse.get(id);
  const until = showing.windows.get(id);
  const price = priceWords(row, showing);
  return {
    id,
    tile: screens[family].tile,
    name,
    what: text("subscriptions.what", { name, domain }),
    plan: price === null ? planText(row, text) : text("orders.term", { term: row.term }),
    domain,
    quantity,
    price,
    inUse: inUse === undefined || hasEnded(row, now) ? null : licencesInUseText(inUse, country, language),
    start: dateView(start, country, language),
    end: dateView(end, country, language),
    left: hasEnded(row, now)
      ? null
      : { text: timeLeft(daysLeft(end, now), text), isDue: isReminderDue(row, now) },
    renewed:
      next === null
        ? null
        : text("subscriptions.renewed", {
            date: formatDate(next.start, country, language),
            licences: text("orders.licences", { count: next.quantity }),
          }),
    window:
      until === undefined || !mayBuy
        ? null
        : {
            words: text("cancellation.window", { moment: formatDateTime(until, country, language) }),
            href: paths.cancelSubscription(id),
          },
    said: choice === undefined || next !== null ? null : renewalChoiceText(choice, country, language),
    vendorSays: vendorWords(row, showing),
    terms: row.waitsForTerms
      ? {
          words: text("subscriptions.waitsForTerms", { family: families[family].label }),
          href: families[family].startUrl(request.context.env),
        }
      : null,
    actions: mayBuy ? actionsOf(row, showing) : null,
  };
}

function priceWords({ id, billingCycle }: ListedSubscription, showing: Showing): string | null {
  const { text, language } = showing.request;
  const cost = showing.costs.get(id) ?? null;
  if (cost === null) return null;
  const { before: tax } = taxTexts(cost.priceTax, language);
  return text(billingCycle === "annual" ? "subscriptions.aYear" : "subscriptions.aMonth", {
    amount: formatMoney(cost.subtotal),
    tax,
  });
}

function actionsOf(row: ListedSubscription, showing: Showing): RowActions {
  const { country, now, addOns } = showing;
  const { id, itemId, isSuspended } = row;
  const isOver = hasEnded(row, now);
  const mayHaveAddOns = !isOver && !isSuspended;
  return {
    buyMore: possible("ADD", row, showing, paths.buyMore(id)),
    renew: possible("RENEW", row, showing, paths.renew(id)),
    isToRenew: isOver || (isReminderDue(row, now) && showing.choices.get(id)?.decision !== "stop"),
    addOns: addOns
      .filter(({ baseItemIds }) => mayHaveAddOns && baseItemIds.includes(itemId))
      .map(({ name, sku }) => ({ name, href: paths.newAddOn({ sku_id: sku, base: id }) })),
    choose: whyNoChoice(row, country, now) === null ? paths.renewalChoice(id) : null,
    cancel: isOver ? null : paths.cancelSubscription(id),
  };
}

function vendorWords(row: ListedSubscription, { request, country }: Showing): string[] {
  const { text, language } = request;
  const { status, isSuspended, quantity, reducedFrom, extendedUntil } = row;
  const family = families[row.family].label;
  if (extendedUntil !== null) {
    const date = formatDate(extendedUntil, country, language);
    return [text("subscriptions.extended", { family, date })];
  }
  if (status === "cancelled") return [text("subscriptions.isCancelled")];
  if (status === "transferred") return [text("subscriptions.isMoved", { family })];
  return [
    ...(isSuspended ? [text("subscriptions.isSuspended", { family })] : []),
    ...(reducedFrom === null
      ? []
      : [
          text("subscriptions.isReduced", {
            family,
            licences: text("orders.licences", { count: reducedFrom }),
            count: quantity,
          }),
        ]),
  ];
}

/** The link to an action that is possible now, or why it is not. */
function possible(
  kind: ChangeKind,
  row: ListedSubscription,
  { request, country, now }: Showing,
  href: string,
): ActionAvailability {
  const closed = whyNotChangeable(kind, row, country, now);
  return closed === null ? { href } : { closed: translate(request.language, closed) };
}
