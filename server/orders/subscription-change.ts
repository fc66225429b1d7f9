/**
 * Orders that change a subscription a company has: more seats to the end of its term (ADD), or its next term (RENEW). When
 * each may be bought, for how much of a term, and whether that still holds when it is paid for.
 */
import { listChangesUnderWay } from "#db/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { type CatalogueItem, getItem } from "#server/catalogue/items.ts";
import { DomainError } from "#server/errors.ts";
import { licences } from "#server/pricing/quantity.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { renewalOpensAt } from "#server/subscriptions/days.ts";
import { prorationOf } from "#server/subscriptions/proration.ts";
import {
  getSubscriptionOf,
  isRenewable,
  isRunning,
  lockSubscription,
  type Subscription,
} from "#server/subscriptions/subscription.ts";
import type { Placement } from "./draft.ts";
import { type Company, requirePlace, requireRoom, soldTo } from "./existing-customer.ts";
import type { Order, OrderDetails } from "./order.ts";
import {
  isPriceStale,
  type PricedSelection,
  priceSelection,
  type Selection,
  selectionOf,
} from "./pricing.ts";

export type ChangeKind = "ADD" | "RENEW";

/** Why a subscription cannot be added to or renewed now, in words for the buyer; null when it can. */
export function whyNot(
  kind: ChangeKind,
  subscription: Subscription,
  country: Country,
  now: Date,
): string | null {
  if (kind === "ADD") {
    return isRunning(subscription, now)
      ? null
      : "This subscription has ended. Renew it first, then add licences.";
  }
  if (subscription.status === "cancelled") return "This subscription was cancelled. Please order it anew.";
  if (subscription.next !== null) {
    return `This subscription has been renewed: its next term is paid for, to ${formatDate(subscription.end, country)}.`;
  }
  if (isRenewable(subscription, now)) return null;
  return `Renewal opens on ${formatDate(renewalOpensAt(subscription.end), country)}, 30 days before the end.`;
}

/** What is chosen at the first step, of a subscription as it is now. */
export function selectChange(
  kind: ChangeKind,
  subscription: Subscription,
  quantity: number,
  now: Date,
): Selection {
  const { term, billingCycle, end } = subscription;
  const selection: Selection = { term, billingCycle, quantity, google: googleOf(subscription) };
  if (kind === "RENEW") return { ...selection, renewal: { after: end.toISOString() } };
  return {
    ...selection,
    proration: { ...prorationOf(subscription, now), until: end.toISOString() },
    heldSeats: subscription.quantity,
  };
}

/**
 * What one seat more, or one of the next term, costs at a moment at which it can be bought; how many there are room for is
 * asked when it is.
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

/** A customer's own domain: nobody's first users, so no signup price (SPEC section 9). */
function googleOf({ family, domain }: Subscription): OrderDetails["google"] {
  return family === "google" ? { domain, customerType: "existing_customer" } : undefined;
}

/**
 * Places an order on a subscription.
 * @param input.addressId one of the company's saved addresses; null = the newest
 * @throws DomainError conflict when it cannot be changed so now; bad_request on the field it concerns
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
  const refused = whyNot(kind, subscription, country, now);
  if (refused !== null) throw new DomainError("conflict", refused);
  const whole = await notAllSeats(db, kind, subscription, quantity, now);
  if (whole !== null) throw new DomainError("bad_request", whole, { fields: { quantity: whole } });
  return {
    selection: selectChange(kind, subscription, quantity, now),
    placement: {
      kind,
      tenantId: subscription.tenantId,
      // More of an add-on count against its base, as the add-on itself does.
      parentSubscriptionId: kind === "ADD" ? subscription.parentSubscriptionId : null,
      subscriptionId: subscription.id,
      signIn: null,
      account: await soldTo(db, company, country, input.addressId),
      addedTo: subscription.domain,
    },
  };
}

/**
 * The last look before money is taken: what the order was placed on may have changed since.
 * @throws DomainError conflict, saying how
 */
export async function requireStillPossible(trx: Trx, order: Order, now: Date): Promise<void> {
  const { kind, subscriptionId } = order;
  if (kind !== "ADD" && kind !== "RENEW") return requirePlace(trx, order);
  if (subscriptionId === null) throw new RangeError("An order that changes a subscription names it");
  const subscription = await lockSubscription(trx, subscriptionId);
  const refused = whyNot(kind, subscription, order.country, now);
  if (refused !== null) throw new DomainError("conflict", refused);
  if ((await listChangesUnderWay(trx, subscriptionId, "RENEW")).length > 0) {
    throw new DomainError(
      "conflict",
      "A renewal of this subscription has been paid and is being carried out. Please look again in a minute.",
    );
  }
  const { quantity } = order.line;
  const whole = await notAllSeats(trx, kind, subscription, quantity, now);
  if (whole !== null) throw new DomainError("conflict", whole);
  if (kind === "RENEW") return;
  const item = await getItem(trx, order.itemId, { includeRetired: true });
  const full = await overTheMost(trx, subscription, item, quantity);
  if (full !== null) throw new DomainError("conflict", full);
  if (subscription.parentSubscriptionId !== null) {
    await requireRoom(trx, subscription.parentSubscriptionId, item, quantity);
  }
}

/**
 * What an order is chosen as today, when the price it was shown no longer holds: it was held too long (DESIGN ruling 5), or
 * the term it was counted to has become another.
 * @returns null while the price holds
 */
export async function newSelection(db: Db, order: Order, now: Date): Promise<Selection | null> {
  const { kind, subscriptionId, details } = order;
  const stale = isPriceStale(order, now);
  if ((kind !== "ADD" && kind !== "RENEW") || subscriptionId === null)
    return stale ? selectionOf(order) : null;
  const subscription = await getSubscriptionOf(db, order.customerId, subscriptionId);
  const countedTo = kind === "ADD" ? details.proration?.until : details.renewal?.after;
  if (!stale && countedTo === subscription.end.toISOString()) return null;
  return selectChange(kind, subscription, order.line.quantity, now);
}

/** Google renews a running commitment for the seats it has: fewer or more are bought before, or after it (PROVIDERS section 2). */
async function notAllSeats(
  db: Db,
  kind: ChangeKind,
  subscription: Subscription,
  quantity: number,
  now: Date,
): Promise<string | null> {
  if (kind !== "RENEW" || subscription.family !== "google" || !isRunning(subscription, now)) return null;
  const all = subscription.quantity + (await seatsUnderWay(db, subscription));
  if (quantity === all) return null;
  return googleRenewsAll(all);
}

export function googleRenewsAll(seats: number): string {
  return `Google renews all of your ${licences(seats)}. For more, add licences first; for fewer, renew after the end of the term.`;
}

/** Two who add at once are counted together, before either is carried out. */
async function overTheMost(
  db: Db,
  subscription: Subscription,
  { maxSeats }: CatalogueItem,
  quantity: number,
): Promise<string | null> {
  const held = subscription.quantity + (await seatsUnderWay(db, subscription));
  if (maxSeats === null || held + quantity <= maxSeats) return null;
  const room = Math.max(0, maxSeats - held);
  return `${subscription.domain} has ${licences(held)} and can have up to ${maxSeats}: you can add ${room === 0 ? "no more" : `up to ${room}`}.`;
}

async function seatsUnderWay(db: Db, { id }: Subscription): Promise<number> {
  const orders = await listChangesUnderWay(db, id, "ADD");
  return orders.reduce((sum, { quantity }) => sum + quantity, 0);
}
