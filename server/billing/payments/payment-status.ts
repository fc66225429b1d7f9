/**
 * Keeps the payment status of an order in step with its money after it was paid: refunds, disputes and what became of them. It is
 * always derived from all that is stored, so the order in which events arrive does not matter.
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

/** Of these nothing is under way at a vendor at this moment. */
const resting: ReadonlySet<FulfilmentStatus> = new Set(["waiting_for_signin", "queued", "needs_attention"]);

/**
 * Brings an order's payment status in line with its money. One that is refunded in full before anything was bought is not due any
 * more; it is again when the refund fails.
 */
export async function updatePaymentStatus(trx: Trx, orderId: OrderId): Promise<void> {
  const order = await lockOrder(trx, orderId);
  // Never paid, or its money went back instead of paying it.
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
