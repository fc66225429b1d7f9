/**
 * Enforces a plan's maximum seats in one scope (a tenant, or the one subscription). Seats held, paid for and at the checkout
 * all count. Checked before an order is placed, and again when its payment arrives.
 */
import type { SubscriptionId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import {
  type ActiveSeats,
  type AddOnScope,
  listActiveSeats,
  listOrderedSeats,
  lockSeatScope,
  type OrderedSeats,
  type SeatScope,
} from "#db/orders/seats.ts";
import type { Trx } from "#db/tables/index.ts";
import { isSameEnd } from "#server/catalogue/families/same-end.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";

/** Time for which an order at the checkout reserves its seats after Place Order. */
const checkoutMs = 30 * 60_000;

/** "placing": orders at the checkout count too. "settling": the payment has arrived, and only seats held or paid for count. */
export type SeatCheckPhase = "placing" | "settling";

export interface SeatCheckContext {
  moment: SeatCheckPhase;
  now: Date;
}

/**
 * Returns the reason, for the buyer, why the order would exceed the plan's maximum seats; null when there is room. Locks the
 * scope until the transaction ends.
 */
export async function whySeatLimitExceeded(
  trx: Trx,
  order: Order,
  { maxSeats }: Pick<CatalogueItem, "maxSeats">,
  { moment, now }: SeatCheckContext,
): Promise<MessageDescriptor | null> {
  const place = placeOf(order);
  if (maxSeats === null || place === null) return null;
  await lockSeatScope(trx, place);
  const others = (await listOthers(trx, place, order, now)).filter(
    (other) => !isReplaced(order, other.subscriptionId),
  );
  const paid = seatsOf(others.filter(({ isPaid }) => isPaid));
  const open = moment === "placing" ? seatsOf(others.filter(({ isPaid }) => !isPaid)) : 0;
  const held =
    (await listActiveSeats(trx, place)).reduce((sum, each) => sum + seatsHeld(order, each), 0) + paid;
  if (held + open + order.line.quantity <= maxSeats) return null;
  const room = Math.max(0, maxSeats - held - open);
  const name = order.details.addedTo ?? msg("refusals.thisSubscription");
  const has = msg("refusals.hasOfMost", { name, count: held, most: maxSeats });
  if (moment === "settling") return msg("refusals.fullAfterPayment", { has, count: order.line.quantity });
  return seatLimitMessage(has, room, open);
}

/** Counts the add-on seats that other orders have at the checkout for the same base. They count only before payment. */
export async function addOnSeatsAtCheckout(
  trx: Trx,
  order: Order,
  baseId: SubscriptionId,
  { moment, now }: SeatCheckContext,
): Promise<number> {
  if (moment === "settling") return 0;
  const others = await listOthers(trx, { baseId, itemId: order.itemId }, order, now);
  return seatsOf(others.filter(({ isPaid }) => !isPaid));
}

/**
 * Builds the message for a full scope: how many more seats are possible, and whether checkouts hold some.
 * @param has message about the current seats
 */
export function seatLimitMessage(has: MessageDescriptor, left: number, open: number): MessageDescriptor {
  const room = left <= 0 ? msg("refusals.noRoom") : msg("refusals.room", { count: left });
  return open === 0 ? msg("refusals.full", { has, room }) : msg("refusals.fullForNow", { has, open, room });
}

function listOthers(
  trx: Trx,
  place: SeatScope | AddOnScope,
  { id: except }: Order,
  now: Date,
): Promise<OrderedSeats[]> {
  return listOrderedSeats(trx, place, { except, since: new Date(now.getTime() - checkoutMs) });
}

function placeOf({ tenantId, itemId, subscriptionId }: Order): SeatScope | null {
  if (tenantId !== null) return { tenantId, itemId };
  return subscriptionId === null ? null : { subscriptionId };
}

/** Whether a renewal's seats replace those of this subscription. */
function isReplaced({ kind, subscriptionId }: Order, id: Order["subscriptionId"]): boolean {
  return kind === "RENEW" && id !== null && id === subscriptionId;
}

/** Counts a subscription with its highest number of seats in any term that this order covers. */
function seatsHeld(order: Order, { id, quantity, nextQuantity, end }: ActiveSeats): number {
  if (isReplaced(order, id)) return 0;
  // Seats paid for only to the end of the running term do not count in the next one.
  const endsBeforeNext = id === order.subscriptionId && !isSameEnd(order.details.proration?.until, end);
  return endsBeforeNext ? quantity : Math.max(quantity, nextQuantity ?? 0);
}

function seatsOf(orders: readonly OrderedSeats[]): number {
  return orders.reduce((sum, { quantity }) => sum + quantity, 0);
}
