/** Finds orders and checks access. Somebody else's order is a 404, never a 403 (docs/decisions/security.md). */

import type { CustomerId, ItemId, OrderId, SubscriptionId, UserId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import { findFreshDraft, listOrdersWaitingForSignIn, readOrder, readOrderLocked } from "#db/orders.ts";
import type { Country, FamilyId, MemberRole, OrderKind } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { may } from "#server/accounts/roles.ts";
import { notFound } from "#server/errors.ts";
import type { LanguageId } from "#server/languages/language.ts";
import { openedOrder } from "#server/providers/for-order.ts";

/** Who asks for an order: a logged-in user, a visitor with a draft key, or both. */
export interface Asker {
  userId: UserId | null;
  customer: { id: CustomerId; role: MemberRole } | null;
  draftKey: string | null;
  /** In which they are written to about what they order; left out where nobody knows. */
  language?: LanguageId;
}

export async function findOrder(db: Db, id: OrderId): Promise<Order | null> {
  return readOrder(db, id);
}

/** @throws DomainError not_found when it does not exist or is not the asker's */
export async function getOrderFor(db: Db, id: OrderId, asker: Asker): Promise<Order> {
  const order = await findOrder(db, id);
  if (order === null || !mayOpen(order, asker)) throw notFound("order");
  openedOrder(id);
  return order;
}

/** For how long the first step of a plan reuses the order it began. */
const freshMs = 60 * 60 * 1000;

/**
 * The order the asker has just begun for this plan or subscription. Going back to the first step, or posting it twice,
 * changes that order and does not make a second one.
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

/** The paid orders that the asker may open and that wait for the sign-in step. */
export async function listWaitingForSignIn(db: Db, asker: Asker, family: FamilyId): Promise<Order[]> {
  const { userId, customer } = asker;
  if (userId === null) return [];
  const waiting = await listOrdersWaitingForSignIn(db, { userId, customerId: customer?.id ?? null, family });
  return waiting.filter((order) => mayOpen(order, asker));
}

/** Reads and locks an order. @throws DomainError not_found when there is no such order */
export async function lockOrder(trx: Trx, id: OrderId): Promise<Order> {
  const order = await readOrderLocked(trx, id);
  if (order === null) throw notFound("order");
  return order;
}

/**
 * Whether the asker may open an order. The buyer may, and so may owners and buyers of its company, but no other members:
 * they see lists, not journeys. A buyer who has left the company may not. An unclaimed draft belongs to the browser that
 * made it.
 */
export function mayOpen(order: Order, asker: Asker): boolean {
  if (order.userId === null) return order.draftKey !== null && order.draftKey === asker.draftKey;
  const isOwn = order.userId === asker.userId;
  if (order.customerId === null) return isOwn;
  return order.customerId === asker.customer?.id && (isOwn || may(asker.customer.role, "order"));
}

/**
 * Whether the asker may read an order's documents: any member may read the company's, and a buyer without a company their
 * own.
 */
export function maySee(order: Order, asker: Asker): boolean {
  if (order.customerId !== null) return order.customerId === asker.customer?.id;
  return order.userId !== null && order.userId === asker.userId;
}
