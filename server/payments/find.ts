/** What is known of an order's money, without asking its provider. */
import type { OrderId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import * as payments from "#db/payments.ts";
import { findRefundOf } from "#db/refunds.ts";
import type { Db } from "#db/tables/index.ts";
import type { PaymentRowStatus } from "#db/tables/payments.ts";

/** The order that a checkout was opened for; null when it is none of ours. */
export async function findOrderOfCheckout(db: Db, providerOrderId: string): Promise<OrderId | null> {
  const intent = await payments.findIntentByProviderOrder(db, providerOrderId);
  return intent?.order_id ?? null;
}

/** The order that a payment was made for; null for a payment we have not heard of. */
export async function findOrderOfPayment(db: Db, providerPaymentId: string): Promise<OrderId | null> {
  const payment = await payments.findPayment(db, providerPaymentId);
  return payment?.order_id ?? null;
}

/** The provider's order that is open for an order, or was paid; null while the provider has made none. */
export async function findCheckoutOf(db: Db, orderId: OrderId): Promise<string | null> {
  const intent = await payments.findOpenIntent(db, orderId);
  return intent?.provider_order_id ?? null;
}

export interface KnownPayment {
  providerPaymentId: string;
  status: PaymentRowStatus;
  /** Why it was not accepted, in words for the buyer. */
  problem: string | null;
}

/** All that were reported for an order, the first at the front. */
export async function listPaymentsOf(db: Db, orderId: OrderId): Promise<KnownPayment[]> {
  const rows = await payments.listPayments(db, orderId);
  return rows.map((row) => ({
    providerPaymentId: row.provider_payment_id,
    status: row.status,
    problem: row.problem,
  }));
}

/** The money that goes back for an order, and why, in words for the buyer; null when none does. */
export async function refundOf(db: Db, orderId: OrderId): Promise<{ amount: Money; reason: string } | null> {
  const row = await findRefundOf(db, orderId);
  return row === null ? null : { amount: money(row.amount_minor, row.currency), reason: row.reason };
}
