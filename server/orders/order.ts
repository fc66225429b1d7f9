/** What an order's saved payment says. */
import type { Order } from "#db/order.ts";

/** Its money came when it could no longer be carried out, and goes back: nothing more happens to it. */
export function isRefunded(order: Order): boolean {
  return order.paymentStatus === "refunded";
}

export function isPaid(order: Order): boolean {
  return order.paymentStatus === "completed";
}
