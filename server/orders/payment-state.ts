/** Reads an order's payment status. */
import type { Order } from "#db/orders/order.ts";
import type { PaymentStatus } from "#db/tables/enums.ts";

type Standing = Pick<Order, "paymentStatus" | "fulfilmentStatus">;

/** The statuses of paid orders, including those with refunds or disputes since. */
const paid: ReadonlySet<PaymentStatus> = new Set(["completed", "partly_refunded", "disputed", "lost"]);

/** Whether all the money is refunded and the order was not fulfilled. */
export function isRefunded({ paymentStatus, fulfilmentStatus }: Standing): boolean {
  return paymentStatus === "refunded" && fulfilmentStatus === "not_due";
}

/** Whether the order was paid. A fulfilled order stays paid when it is refunded later. */
export function isPaid(order: Standing): boolean {
  return paid.has(order.paymentStatus) || (order.paymentStatus === "refunded" && !isRefunded(order));
}

/** Whether none of the order's money is ours any more, so that nothing may be bought for it. */
export function isFullyReturned({ paymentStatus }: Pick<Order, "paymentStatus">): boolean {
  return paymentStatus === "refunded" || paymentStatus === "lost";
}
