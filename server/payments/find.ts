/** What is known of an order's money, without asking its provider. */
import type { OrderId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import * as payments from "#db/payments.ts";
import { findRefundOf } from "#db/refunds.ts";
import type { Db } from "#db/tables/index.ts";

/** The order that a checkout was opened for; null when it is none of ours. */
export async function findOrderOfCheckout(db: Db, key: payments.ProviderOrderKey): Promise<OrderId | null> {
  const intent = await payments.findIntentByProviderOrder(db, key);
  return intent?.orderId ?? null;
}

/** The order that a payment was made for; null for a payment we have not heard of. */
export async function findOrderOfPayment(db: Db, key: payments.ProviderPaymentKey): Promise<OrderId | null> {
  const payment = await payments.findPayment(db, key);
  return payment?.orderId ?? null;
}

/** The provider's order that is open for an order, or was paid; null while the provider has made none. */
export async function findCheckoutOf(db: Db, orderId: OrderId): Promise<string | null> {
  const intent = await payments.findOpenIntent(db, orderId);
  return intent?.providerOrderId ?? null;
}

/** All payments that were reported for an order, the first at the front. */
export function listPaymentsOf(db: Db, orderId: OrderId): Promise<payments.Payment[]> {
  return payments.listPayments(db, orderId);
}

/** The money that goes back for an order, and why, in words for the buyer; null when none does. */
export async function refundOf(db: Db, orderId: OrderId): Promise<{ amount: Money; reason: string } | null> {
  const refund = await findRefundOf(db, orderId);
  return refund === null
    ? null
    : { amount: money(refund.amountMinor, refund.currency), reason: refund.reason };
}
