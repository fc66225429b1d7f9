/** Reads an order's payment status. */
import type { Order } from "#db/order.ts";

/** True when the order could no longer be carried out once it was paid, so that the money goes back. This state is final. */
export function isRefunded(order: Order): boolean {
  return order.paymentStatus === "refunded";
}

export function isPaid(order: Order): boolean {
  return order.paymentStatus === "completed";
}
