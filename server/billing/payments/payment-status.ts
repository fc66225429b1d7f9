/**
 * Updates the payment status of a paid order after refunds and disputes. It is always derived from everything stored, so the
 * order in which events arrive does not matter.
 */

import { readOrderMoney } from "#db/billing/received-payments.ts";
import type { OrderId } from "#db/ids.ts";
import { mayHaveTakenEffect } from "#db/platform/stored-steps.ts";
import type { FulfilmentStatus } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { queueFulfilment } from "#server/fulfilment/queue.ts";
import { lockOrder } from "#server/orders/find.ts";
import {
  fulfilmentAfterPayment,
  hasReached,
  moveOrder,
  paymentStatusAfter,
} from "#server/orders/order-lifecycle.ts";

/** Fulfilment statuses in which no request to a vendor is in progress. */
const resting: ReadonlySet<FulfilmentStatus> = new Set(["waiting_for_signin", "queued", "needs_attention"]);

/**
 * Derives the payment status again. An order that is refunded in full before anything was bought is no longer due; it becomes
 * due again if the refund fails.
 */
export async function updatePaymentStatus(trx: Trx, orderId: OrderId): Promise<void> {
  const order = await lockOrder(trx, orderId);
  // Never paid, or refunded instead of settled.
  if (!hasReached(order.stage, "stage3")) return;
  const paymentStatus = paymentStatusAfter(await readOrderMoney(trx, orderId));
  if (paymentStatus === order.paymentStatus) return;

  if (paymentStatus === "refunded" && resting.has(order.fulfilmentStatus)) {
    const isBought = await mayHaveTakenEffect(trx, orderId);
    await moveOrder(trx, order, { paymentStatus, ...(!isBought && { fulfilmentStatus: "not_due" }) });
    return;
  }
  if (paymentStatus !== "refunded" && order.fulfilmentStatus === "not_due") {
    const fulfilmentStatus = fulfilmentAfterPayment(order);
    await moveOrder(trx, order, { paymentStatus, fulfilmentStatus });
    if (fulfilmentStatus === "queued") await queueFulfilment(trx, orderId);
    return;
  }
  await moveOrder(trx, order, { paymentStatus });
}
