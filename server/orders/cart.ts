/** Removes an unpaid order from the cart, and restores it. Nothing is deleted, because money may still arrive for it. */

import { listPayments } from "#db/billing/payments.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { findLatestChange } from "#db/orders/subscriptions.ts";
import type { Trx } from "#db/tables/index.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { lockDraft } from "./draft.ts";
import { findOrder, type Requester } from "./find.ts";
import { moveOrder } from "./order-lifecycle.ts";
import { isPaid } from "./payment-state.ts";

/**
 * Removes a draft from the cart. Any later step restores it (order-lifecycle.ts).
 * @throws DomainError not_found for another's order; forbidden for a viewer; conflict once it is paid, or while a payment for
 * it is being checked
 */
export async function removeDraft(
  trx: Trx,
  input: { orderId: OrderId; requester: Requester; now: Date },
): Promise<Order> {
  const order = await lockDraft(trx, input.orderId, input.requester);
  const payments = await listPayments(trx, order.id);
  if (payments.some(({ status }) => status === "returned" || status === "mismatch")) {
    throw new DomainError("conflict", msg("refusals.paymentInCheck"));
  }
  if (order.removedAt === null) await moveOrder(trx, order, { removedAt: input.now });
  return order;
}

/**
 * Restores a draft to the cart.
 * @throws DomainError not_found for another's order; forbidden for a viewer; conflict once it is paid, or when a newer order
 * for the same subscription change was begun
 */
export async function restoreDraft(
  trx: Trx,
  input: { orderId: OrderId; requester: Requester },
): Promise<void> {
  const order = await lockDraft(trx, input.orderId, input.requester);
  if (order.removedAt === null) return;
  const { subscriptionId, kind } = order;
  if (subscriptionId !== null && (kind === "ADD" || kind === "RENEW")) {
    const since = await findLatestChange(trx, subscriptionId, kind);
    const begun = since === null ? null : await findOrder(trx, since);
    if (begun !== null && !isPaid(begun) && begun.createdAt > order.createdAt) {
      throw new DomainError("conflict", msg("refusals.newerOrder"));
    }
  }
  await moveOrder(trx, order, {});
}
