/** Alerts about an order's payment that a person must check. */
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";

/**
 * Alerts the operator, once per payment.
 * @param paymentId the provider's id
 * @param what the event and the action required
 */
export async function queuePaymentAlert(
  trx: Trx,
  order: Pick<Order, "id">,
  paymentId: string,
  what: string,
): Promise<void> {
  await queueOperatorAlert(trx, { dedupeKey: `payment-alert:${paymentId}`, orderId: order.id, what });
}
