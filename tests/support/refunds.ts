/** Requests refunds of paid orders, as the code that decides on one does. */

import { listPayments, savePayment } from "#db/billing/payments.ts";
import { newId, type OrderId, type RefundId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { requestRefund } from "#server/billing/payments/refund.ts";
import { lockOrder } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";

/** Adds a payment to an order that was created without one. */
export async function insertCapturedPayment({ db }: Context, orderId: OrderId): Promise<void> {
  const { total } = await db.transaction().execute((trx) => lockOrder(trx, orderId));
  await savePayment(db, {
    orderId,
    provider: "razorpay",
    account: "IN",
    providerOrderId: `order_${newId()}`,
    providerPaymentId: `pay_${newId()}`,
    amountMinor: total.minor,
    customerFeeMinor: 0,
    currency: total.currency,
    method: "card",
    status: "captured",
    problem: null,
  });
}

/** Requests a partial refund of an order's captured payment. @param minor with tax, in minor units */
export async function refundPart(
  { db, env }: Context,
  orderId: OrderId,
  minor: number,
  { reason = "One license was removed.", by = "buyer" }: { reason?: string; by?: "buyer" | "operator" } = {},
): Promise<RefundId> {
  const payment = (await listPayments(db, orderId)).find(({ status }) => status === "captured");
  if (payment === undefined) throw new Error(`Nothing was captured for ${orderId}`);
  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    const amount = money(minor, order.total.currency);
    return requestRefund(trx, env, { order, payment, amount, reason, by });
  });
}
