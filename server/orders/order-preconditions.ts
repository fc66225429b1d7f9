/**
 * Whether an order can be fulfilled. Checked when it is placed, before payment, and again when the payment has arrived, because
 * two orders can be at the checkout for the same seats, base or term. An impossible order is refused, or refunded.
 */
import { findOpenCancellation } from "#db/billing/cancellations.ts";
import type { SubscriptionId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { listChangesUnderWay } from "#db/orders/subscription-lists.ts";
import { findLockHolder } from "#db/orders/subscription-lock.ts";
import type { Trx } from "#db/tables/index.ts";
import { isSameEnd } from "#server/catalogue/families/same-end.ts";
import { getItem } from "#server/catalogue/items.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { lockSubscription } from "#server/orders/subscriptions/subscription.ts";
import { whyBaseIsFull, whyNotPlaceable } from "./existing-customer.ts";
import { type SeatCheckContext, whySeatLimitExceeded } from "./seats.ts";
import {
  cancellationUnderWayMessage,
  notAllSeats,
  whyNotChangeable,
  whyNotChangeableNow,
} from "./subscription-change.ts";

/**
 * Returns the reason, for the buyer, why an order must not be placed now; null when it may. This is the last check before
 * payment. Locks the rows that the order depends on until the transaction ends.
 */
export function whyNotPlaceableNow(
  trx: Trx,
  order: Order,
  now: Date,
): Promise<MessageDescriptor | string | null> {
  return whyNoLonger(trx, order, { moment: "placing", now });
}

/** Returns the reason, for the buyer, why a paid order can no longer be fulfilled; null when it can. */
export function whyNotFulfillable(
  trx: Trx,
  order: Order,
  now: Date,
): Promise<MessageDescriptor | string | null> {
  return whyNoLonger(trx, order, { moment: "settling", now });
}

async function whyNoLonger(
  trx: Trx,
  order: Order,
  at: SeatCheckContext,
): Promise<MessageDescriptor | string | null> {
  const { kind, subscriptionId } = order;
  if (kind === "NEW") return null;
  // Retired items are still sold to customers who have them, and still fulfilled once paid.
  const includeRetired = subscriptionId !== null || at.moment === "settling";
  const item = await getItem(trx, order.itemId, { includeRetired });
  // Lock order: always the seat scope before the subscription in it.
  const full = await whySeatLimitExceeded(trx, order, item, at);
  if (kind !== "ADD" && kind !== "RENEW") return full ?? whyNotPlaceable(trx, order, item, at);
  if (subscriptionId === null) throw new RangeError("An order that changes a subscription names it");
  const refused = await whyNotChanged(trx, order, { ...at, kind, subscriptionId });
  if (refused !== null || full !== null || kind === "RENEW") return refused ?? full;
  const { parentSubscriptionId } = order;
  return parentSubscriptionId === null ? null : whyBaseIsFull(trx, order, parentSubscriptionId, item, at);
}

async function whyNotChanged(
  trx: Trx,
  order: Order,
  {
    kind,
    subscriptionId,
    moment,
    now,
  }: SeatCheckContext & { kind: "ADD" | "RENEW"; subscriptionId: SubscriptionId },
): Promise<MessageDescriptor | string | null> {
  const subscription = await lockSubscription(trx, subscriptionId);
  const refused =
    moment === "placing"
      ? await whyNotChangeableNow(trx, kind, subscription, order.country, now)
      : (whyNotChangeable(kind, subscription, order.country, now) ?? (await whyStuck(trx, subscriptionId)));
  if (refused !== null) return refused;
  const isRenewing = (await listChangesUnderWay(trx, subscriptionId, "RENEW")).some(
    ({ id }) => id !== order.id,
  );
  // Seats that are already paid for are added despite the renewal.
  if (isRenewing && (moment === "placing" || kind === "RENEW")) {
    return msg("refusals.renewalUnderWay");
  }
  if (moment === "placing") return notAllSeats(trx, kind, subscription, order.line.quantity, now);
  if (kind === "RENEW" && !isSameEnd(order.details.renewal?.after, subscription.end)) {
    return msg("refusals.renewedSince");
  }
  return null;
}

/**
 * Returns the reason when the subscription is blocked: an order paid behind one that needs attention would wait with it
 * indefinitely, and one behind a cancellation would find a changed subscription.
 */
async function whyStuck(trx: Trx, id: SubscriptionId): Promise<MessageDescriptor | string | null> {
  if ((await findOpenCancellation(trx, id)) !== null) return cancellationUnderWayMessage;
  if (!(await findLockHolder(trx, id))?.needsPerson) return null;
  return msg("refusals.stuck");
}
