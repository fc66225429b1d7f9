/**
 * Orders that change a company's subscription: more seats to the end of its term (ADD), or its next term (RENEW). Rules for
 * when each may be bought, for how much of a term, and whether that still applies at payment.
 */

import { findOpenCancellation } from "#db/billing/cancellations.ts";
import type { Order } from "#db/orders/order.ts";
import { listChangesUnderWay } from "#db/orders/subscription-lists.ts";
import { findLockHolder } from "#db/orders/subscription-lock.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { domainOfCustomer, families } from "#server/catalogue/families/registry.ts";
import { isSameEnd } from "#server/catalogue/families/same-end.ts";
import { type CatalogueItem, getItem } from "#server/catalogue/items.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { localisedDate } from "#server/orders/subscriptions/dates.ts";
import { mayRenew, renewalDays, renewalOpensAt } from "#server/orders/subscriptions/days.ts";
import { prorationOf } from "#server/orders/subscriptions/proration.ts";
import { getSubscriptionOf, isRunning } from "#server/orders/subscriptions/subscription.ts";
import { anchorDayOf } from "#server/orders/subscriptions/term.ts";
import type { Placement } from "./draft.ts";
import { accountAnswersFor, type Company } from "./existing-customer.ts";
import {
  isPriceStale,
  type PricedSelection,
  priceSelection,
  type Selection,
  selectionOf,
} from "./pricing.ts";
import { computeTaxNow, type SellersByCountry } from "./supply.ts";

export type ChangeKind = "ADD" | "RENEW";

/** Message for a subscription with an open cancellation or reduction. */
export const cancellationUnderWayMessage = msg("cancellation.underWay");

/**
 * Returns the reason, for the buyer, why a subscription cannot get more seats or be renewed now; null when it can. A later
 * order would wait indefinitely behind a lock holder that needs attention; a lock held by an order at work is released when
 * that order is done.
 */
export async function whyNotChangeableNow(
  db: Db,
  kind: ChangeKind,
  subscription: Subscription,
  country: Country,
  now: Date,
): Promise<MessageDescriptor | null> {
  const refused = whyNotChangeable(kind, subscription, country, now);
  if (refused !== null) return refused;
  if ((await findOpenCancellation(db, subscription.id)) !== null) return cancellationUnderWayMessage;
  if (!subscription.isBeingChanged || !(await findLockHolder(db, subscription.id))?.needsPerson) return null;
  return msg("subscriptions.lookedInto");
}

/** Returns the reason as whyNotChangeableNow does, judged only by the subscription's dates and status. */
export function whyNotChangeable(
  kind: ChangeKind,
  subscription: Pick<Subscription, "family" | "status" | "start" | "end" | "next" | "isSuspended">,
  country: Country,
  now: Date,
): MessageDescriptor | null {
  const family = families[subscription.family].label;
  if (subscription.status === "cancelled") return msg("subscriptions.cancelled");
  if (subscription.status === "transferred") return msg("subscriptions.moved", { family });
  if (subscription.isSuspended) return msg("subscriptions.suspended", { family });
  if (kind === "ADD") return isRunning(subscription, now) ? null : msg("subscriptions.endedRenewFirst");
  if (subscription.next !== null)
    return msg("subscriptions.renewedAlready", { date: localisedDate(subscription.end, country) });
  if (mayRenew(subscription, now)) return null;
  const opens = renewalOpensAt(subscription.end);
  return msg("subscriptions.renewalOpens", { date: localisedDate(opens, country), days: renewalDays });
}

/** Builds the selection of the first step from the subscription's current state. */
export function selectChange(
  kind: ChangeKind,
  subscription: Subscription,
  quantity: number,
  now: Date,
): Selection {
  const { term, billingCycle, end, family, domain } = subscription;
  // An existing customer's domain has no first users, so no sign-up price (docs/specification.md, section 9.1).
  const google = domainOfCustomer(family, domain);
  const selection: Selection = { term, billingCycle, quantity, google };
  if (kind === "RENEW") {
    const anchorDay = anchorDayOf(subscription, subscription.country);
    return { ...selection, renewal: { after: end.toISOString(), anchorDay } };
  }
  return {
    ...selection,
    proration: { ...prorationOf(subscription, now), until: end.toISOString() },
    heldSeats: subscription.quantity,
  };
}

/**
 * Computes the price of one more seat, or of one seat of the next term. The maximum is checked later, when the order is placed.
 */
export function seatPrice(
  kind: ChangeKind,
  { item, country, subscription }: { item: CatalogueItem; country: Country; subscription: Subscription },
  now: Date,
): { price: PricedSelection["regularPrice"]; selection: Selection } {
  const selection = selectChange(kind, subscription, Math.max(item.minSeats, 1), now);
  const { regularPrice } = priceSelection(item, country, { ...selection, heldSeats: 0 });
  return { price: regularPrice, selection };
}

/**
 * Places an order that changes a subscription.
 * @param input.addressId one of the company's saved addresses; null for the newest
 * @throws DomainError conflict when it cannot be changed now; bad_request on the field concerned
 */
export async function placeChange(
  db: Db,
  input: {
    kind: ChangeKind;
    company: Company;
    country: Country;
    subscription: Subscription;
    quantity: number;
    addressId: string | null;
    now: Date;
  },
): Promise<{ selection: Selection; placement: Placement }> {
  const { kind, company, country, subscription, quantity, now } = input;
  const refused = await whyNotChangeableNow(db, kind, subscription, country, now);
  if (refused !== null) throw new DomainError("conflict", refused);
  const whole = await notAllSeats(db, kind, subscription, quantity, now);
  if (whole !== null) throw new DomainError("bad_request", whole, { fields: { quantity: whole } });
  return {
    selection: selectChange(kind, subscription, quantity, now),
    placement: {
      kind,
      tenantId: subscription.tenantId,
      // Added seats of an add-on count against its base, as a new add-on's do.
      parentSubscriptionId: kind === "ADD" ? subscription.parentSubscriptionId : null,
      subscriptionId: subscription.id,
      signIn: null,
      account: await accountAnswersFor(db, company, country, input.addressId),
      addedTo: subscription.domain,
    },
  };
}

/**
 * Returns the selection for repricing an order whose price no longer applies, because it is too old
 * (docs/decisions/prices.md#price-holds), or the subscription's term has changed.
 * @returns null while the price holds
 */
export async function newSelection(db: Db, order: Order, now: Date): Promise<Selection | null> {
  const { kind, subscriptionId, details } = order;
  const stale = isPriceStale(order, now);
  if ((kind !== "ADD" && kind !== "RENEW") || subscriptionId === null)
    return stale ? selectionOf(order) : null;
  const subscription = await getSubscriptionOf(db, order.customerId, subscriptionId);
  const countedTo = kind === "ADD" ? details.proration?.until : details.renewal?.after;
  if (!stale && isSameEnd(countedTo, subscription.end)) return null;
  return selectChange(kind, subscription, order.line.quantity, now);
}

/**
 * Prices an order at the current price and tax when its old price no longer applies. Stores nothing.
 * @returns null while the price holds
 * @throws DomainError when the selection is no longer sold
 */
export async function priceOrderNow(
  db: Db,
  sellers: SellersByCountry,
  order: Order,
  now: Date,
): Promise<{ selection: Selection; priced: PricedSelection } | null> {
  const selection = await newSelection(db, order, now);
  if (selection === null) return null;
  const item = await getItem(db, order.itemId, { includeRetired: order.subscriptionId !== null });
  const { figures } = await computeTaxNow(db, sellers, order, order.account, now);
  return { selection, priced: priceSelection(item, order.country, selection, figures.taxRateBasisPoints) };
}

/**
 * Returns the reason why a renewal cannot be for this quantity, in a family that renews a running term for all its seats. Seats
 * are added before the renewal, or reduced after the term (docs/providers.md, section 2.3).
 */
export async function notAllSeats(
  db: Db,
  kind: ChangeKind,
  subscription: Subscription,
  quantity: number,
  now: Date,
): Promise<MessageDescriptor | null> {
  if (kind !== "RENEW" || !mustRenewAllSeats(subscription, now)) return null;
  const all = subscription.quantity + (await seatsUnderWay(db, subscription));
  if (quantity === all) return null;
  return renewsAll(subscription, all);
}

/** Whether it is a running term that the vendor renews for all its seats. */
export function mustRenewAllSeats(subscription: Subscription, now: Date): boolean {
  return families[subscription.family].renewsAllSeats && isRunning(subscription, now);
}

export function renewsAll({ family }: Pick<Subscription, "family">, seats: number): MessageDescriptor {
  return msg("subscriptions.renewsAll", {
    family: families[family].label,
    licences: msg("orders.licences", { count: seats }),
  });
}

async function seatsUnderWay(db: Db, { id }: Subscription): Promise<number> {
  const orders = await listChangesUnderWay(db, id, "ADD");
  return orders.reduce((sum, { quantity }) => sum + quantity, 0);
}
