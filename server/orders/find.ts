/** Finds orders and checks access. Somebody else's order is a 404, never a 403 (docs/decisions/security.md#every-route). */

import type { CustomerId, ItemId, OrderId, SubscriptionId, UserId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { findFreshDraft, listOrdersNeedingSignIn, readOrder, readOrderLocked } from "#db/orders/orders.ts";
import type { Country, FamilyId, MemberRole, OrderKind } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { currentMembership } from "#server/accounts/customers.ts";
import { roleMay } from "#server/accounts/roles.ts";
import { notFound } from "#server/foundation/errors.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { attributeToOrder } from "#server/integrations/call-attribution.ts";

/** The requester of an order: a logged-in user, a visitor with a draft key, or both. */
export interface Requester {
  userId: UserId | null;
  customer: { id: CustomerId; role: MemberRole } | null;
  draftKey: string | null;
  /** Language for emails about their orders; undefined when unknown. */
  language?: LanguageId;
}

export async function findOrder(db: Db, id: OrderId): Promise<Order | null> {
  return readOrder(db, id);
}

/** Finds an order that the requester may open. @throws DomainError not_found when it does not exist or is not theirs */
export async function getOrderFor(db: Db, id: OrderId, requester: Requester): Promise<Order> {
  const order = await findOrder(db, id);
  if (order === null || !mayOpenOrder(order, requester)) throw notFound("order");
  attributeToOrder(id);
  return order;
}

/** Time for which the first step of a plan reuses the order that it began. */
const freshMs = 60 * 60 * 1000;

/**
 * Finds the order that the requester has just begun for this plan or subscription. Returning to the first step, or posting it
 * twice, changes that order instead of creating a second one.
 */
export async function findRecentDraftFor(
  db: Db,
  plan: { kind: OrderKind; itemId: ItemId; country: Country; subscriptionId: SubscriptionId | null },
  requester: Requester,
  now: Date,
): Promise<Order | null> {
  const { userId, draftKey } = requester;
  const since = new Date(now.getTime() - freshMs);
  const id = await findFreshDraft(db, { ...plan, userId, draftKey, since });
  return id === null ? null : findOrder(db, id);
}

/** Lists the paid orders that the requester may open and that wait for the sign-in step. */
export async function listOrdersWaitingForSignInOf(
  db: Db,
  requester: Requester,
  family: FamilyId,
): Promise<Order[]> {
  const { userId, customer } = requester;
  if (userId === null) return [];
  const waiting = await listOrdersNeedingSignIn(db, { userId, customerId: customer?.id ?? null, family });
  return waiting.filter((order) => mayOpenOrder(order, requester));
}

/** Reads and locks an order. @throws DomainError not_found when there is no such order */
export async function lockOrder(trx: Trx, id: OrderId): Promise<Order> {
  const order = await readOrderLocked(trx, id);
  if (order === null) throw notFound("order");
  return order;
}

/** Reads the requester's current membership. @throws DomainError as currentMembership */
export async function currentRequester(trx: Trx, requester: Requester): Promise<Requester> {
  const { userId, customer } = requester;
  return {
    ...requester,
    customer: userId === null ? null : await currentMembership(trx, { userId, customer }),
  };
}

/**
 * Locks an order that the requester may open, by the membership as this transaction reads it.
 * @throws DomainError not_found for another's order
 */
export async function lockOrderFor(
  trx: Trx,
  id: OrderId,
  requester: Requester,
): Promise<{ order: Order; requester: Requester }> {
  const order = await lockOrder(trx, id);
  const current = await currentRequester(trx, requester);
  if (!mayOpenOrder(order, current)) throw notFound("order");
  return { order, requester: current };
}

/**
 * Whether the requester may open an order: its buyer may, and so may owners and buyers of its company. Other members see lists,
 * but no journeys. A buyer who has left the company cannot. An unclaimed draft belongs to the browser that created it.
 */
export function mayOpenOrder(order: Order, requester: Requester): boolean {
  if (order.userId === null) return order.draftKey !== null && order.draftKey === requester.draftKey;
  const isOwn = order.userId === requester.userId;
  if (order.customerId === null) return isOwn;
  return order.customerId === requester.customer?.id && (isOwn || roleMay(requester.customer.role, "order"));
}

/**
 * Whether the requester may read an order's documents: any member may read the company's, and a buyer without a company their
 * own.
 */
export function mayReadDocuments(order: Order, requester: Requester): boolean {
  if (order.customerId !== null) return order.customerId === requester.customer?.id;
  return order.userId !== null && order.userId === requester.userId;
}
