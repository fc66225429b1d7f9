/** Orders that need attention: retrying, closing and investigating them, for `npm run order` and Desk. */
import { findOrderByNumber, type OrderInvestigation, readOrderInvestigation } from "#db/desk/attention.ts";
import { resetRetryState } from "#db/fulfilment/fulfilments.ts";
import { type OrderId, parseId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { releaseSubscriptionLock } from "#db/orders/subscription-lock.ts";
import type { Db } from "#db/tables/index.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { lockOrder } from "#server/orders/find.ts";
import { readOrderNumber } from "#server/orders/number.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import { isFullyReturned } from "#server/orders/payment-state.ts";
import { withNote } from "./buyer-notes.ts";
import { queueFulfilment } from "./queue.ts";

/**
 * Retries an order, with a fresh count of tries. Its stored steps remain: a step that succeeded is not repeated, and one in
 * doubt is sent with the same request id.
 * @throws DomainError not_found; conflict for an order that does not need attention, which stays unchanged
 */
export async function retryFulfilment(
  db: Db,
  orderId: OrderId,
  { reason, by, staffId }: AuditContext,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (order.fulfilmentStatus !== "needs_attention") {
      throw new DomainError(
        "conflict",
        `Its fulfilment is "${order.fulfilmentStatus}": only orders that need attention can be retried.`,
      );
    }
    if (isFullyReturned(order))
      throw new DomainError("conflict", "This order was refunded, so nothing can be bought for it.");
    await resetRetryState(trx, orderId);
    await moveOrder(trx, order, { fulfilmentStatus: "queued" });
    await queueFulfilment(trx, orderId);
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "order.retry",
      subject: `order:${orderId}`,
      data: { reason, by },
    });
  });
}

/** Returns the reason, as a sentence, why an order cannot be closed; null when it can. */
export function whyNotClosed(order: Order): string | null {
  if (order.fulfilmentStatus !== "needs_attention") return "This order hasn't stopped.";
  return isFullyReturned(order) ? null : "This order is paid: fulfil it, or refund it first.";
}

/**
 * Closes a stopped, refunded order of which something may have been bought, after a person has made sure that the vendor has
 * nothing left for it.
 * @throws DomainError not_found; conflict for an order that has not stopped, or is not refunded
 */
export async function closeRefundedOrder(
  db: Db,
  orderId: OrderId,
  { reason, by, staffId }: AuditContext,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    const why = whyNotClosed(order);
    if (why !== null) throw new DomainError("conflict", why);
    await releaseSubscriptionLock(trx, orderId);
    await moveOrder(trx, order, { fulfilmentStatus: "not_due", ...withNote(order, undefined) });
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "order.close",
      subject: `order:${orderId}`,
      data: { reason, by, before: "needs attention", after: "not due" },
    });
  });
}

/** Reads everything stored about an order, for the person who investigates it. @throws DomainError not_found */
export async function getOrderInvestigation(db: Db, orderId: OrderId): Promise<OrderInvestigation> {
  const history = await readOrderInvestigation(db, orderId);
  if (history === null) throw notFound("order");
  return history;
}

/** Finds an order by its id, or by the number that people read out. @throws DomainError not_found */
export async function resolveOrderId(db: Db, text: string): Promise<OrderId> {
  const id = parseId<OrderId>(text);
  if (id !== null) return id;
  const number = readOrderNumber(text);
  const found = number === null ? null : await findOrderByNumber(db, number);
  if (found === null) throw notFound("order");
  return found;
}
