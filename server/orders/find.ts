/**
 * Finding an order, and whether whoever asks may have it. Somebody else's order is a 404, never a 403 (docs/decisions/security.md).
 */

import type { CustomerId, ItemId, OrderId, SubscriptionId, UserId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import { findFreshDraft, listOrdersWaitingForSignIn, readOrder, readOrderLocked } from "#db/orders.ts";
import type { Country, FamilyId, MemberRole, OrderKind } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { notFound } from "#server/errors.ts";

/** Who is asking: a signed-in user, a visitor known by a draft key, or both. */
export interface Asker {
  userId: UserId | null;
  customer: { id: CustomerId; role: MemberRole } | null;
  draftKey: string | null;
}

export async function findOrder(db: Db, id: OrderId): Promise<Order | null> {
  return readOrder(db, id);
}

/** @throws DomainError not_found when it does not exist or is not the asker's */
export async function getOrderFor(db: Db, id: OrderId, asker: Asker): Promise<Order> {
  const order = await findOrder(db, id);
  if (order === null || !mayOpen(order, asker)) throw notFound("order");
  return order;
}

/** How long the first step of a plan leads back to the order it began, instead of to another one. */
const freshMs = 60 * 60 * 1000;

/**
 * The order that the asker has just begun for this plan, or for this subscription. Going back to the first step, or posting it twice, changes that
 * order; it does not make a second one.
 */
export async function findJustBegun(
  db: Db,
  plan: { kind: OrderKind; itemId: ItemId; country: Country; subscriptionId: SubscriptionId | null },
  asker: Asker,
  now: Date,
): Promise<Order | null> {
  const { userId, draftKey } = asker;
  const since = new Date(now.getTime() - freshMs);
  const id = await findFreshDraft(db, { ...plan, userId, draftKey, since });
  return id === null ? null : findOrder(db, id);
}

/** The paid orders that the asker may open and that wait to be told which account they go to. */
export async function listWaitingForSignIn(db: Db, asker: Asker, family: FamilyId): Promise<Order[]> {
  const { userId, customer } = asker;
  if (userId === null) return [];
  const waiting = await listOrdersWaitingForSignIn(db, { userId, customerId: customer?.id ?? null, family });
  return waiting.filter((order) => mayOpen(order, asker));
}

/** Reads and locks. @throws DomainError not_found when there is no such order */
export async function lockOrder(trx: Trx, id: OrderId): Promise<Order> {
  const order = await readOrderLocked(trx, id);
  if (order === null) throw notFound("order");
  return order;
}

/**
 * The buyer's own order, or one of a company whose owner or buyer asks; a draft nobody has claimed belongs to the browser
 * that made it. Viewers see lists, not journeys. A company's order is out of reach of a buyer who has left it.
 */
export function mayOpen(order: Order, asker: Asker): boolean {
  if (order.userId === null) return order.draftKey !== null && order.draftKey === asker.draftKey;
  const isOwn = order.userId === asker.userId;
  if (order.customerId === null) return isOwn;
  return order.customerId === asker.customer?.id && (isOwn || asker.customer.role !== "viewer");
}

/** Whose papers may be read: those of one's company, in whatever role, and one's own while there is no company. */
export function maySee(order: Order, asker: Asker): boolean {
  if (order.customerId !== null) return order.customerId === asker.customer?.id;
  return order.userId !== null && order.userId === asker.userId;
}
