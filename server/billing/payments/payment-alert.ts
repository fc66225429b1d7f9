/** Money of an order that a person has to look at. */
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";

/** Alerts the operator, once for each payment. @param paymentId the provider's @param what happened, and what to do */
export async function queuePaymentAlert(
  trx: Trx,
  order: Pick<Order, "id">,
  paymentId: string,
  what: string,
): Promise<void> {
  await queueOperatorAlert(trx, { dedupeKey: `payment-alert:${paymentId}`, orderId: order.id, what });
}
