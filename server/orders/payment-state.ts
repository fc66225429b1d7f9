/** Reads an order's payment status. */
import type { Order } from "#db/orders/order.ts";
import type { PaymentStatus } from "#db/tables/enums.ts";

type Standing = Pick<Order, "paymentStatus" | "fulfilmentStatus">;

/** Paid, whatever became of the money afterwards. */
const paid: ReadonlySet<PaymentStatus> = new Set(["completed", "partly_refunded", "disputed", "lost"]);

/** True when all the money goes back and nothing was bought for it. */
export function isRefunded({ paymentStatus, fulfilmentStatus }: Standing): boolean {
  return paymentStatus === "refunded" && fulfilmentStatus === "not_due";
}

/** True from the payment on. An order that was carried out stays paid and keeps its history when its money goes back. */
export function isPaid(order: Standing): boolean {
  return paid.has(order.paymentStatus) || (order.paymentStatus === "refunded" && !isRefunded(order));
}

/** True when none of its money is ours any more, so that nothing may be bought for it. */
export function isFullyReturned({ paymentStatus }: Pick<Order, "paymentStatus">): boolean {
  return paymentStatus === "refunded" || paymentStatus === "lost";
}
