/** Reads the stored data about an order's payments, without calling the provider. */

import { findIntentByProviderOrder, findOpenIntent } from "#db/billing/payment-intents.ts";
import type { ProviderOrderKey, ProviderPaymentKey } from "#db/billing/payment-keys.ts";
import { findPayment, listPayments, type Payment } from "#db/billing/payments.ts";
import { listReceivedPaymentsById, type ReceivedPayment } from "#db/billing/received-payments.ts";
import { findRefundOf } from "#db/billing/refunds.ts";
import type { OrderId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db } from "#db/tables/index.ts";
import type { PaymentAccount } from "#db/tables/payments.ts";
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";
import { paymentProviders } from "./registry.ts";

/** Finds the order that a checkout was opened for; null when it is not ours. */
export async function findOrderOfCheckout(db: Db, key: ProviderOrderKey): Promise<OrderId | null> {
  const intent = await findIntentByProviderOrder(db, key);
  return intent?.orderId ?? null;
}

/** Finds the order that a payment was made for; null for an unknown payment. */
export async function findOrderOfPayment(db: Db, key: ProviderPaymentKey): Promise<OrderId | null> {
  const payment = await findPayment(db, key);
  return payment?.orderId ?? null;
}

/**
 * Finds the account that an order is or was paid at, by default its country's; and the open or paid order of the provider, null
 * while the provider has created none.
 */
export async function findCheckoutAccount(
  db: Db,
  { id, country }: Pick<Order, "id" | "country">,
): Promise<{ account: PaymentAccount; providerOrderId: string | null }> {
  const intent = await findOpenIntent(db, id);
  return intent ?? { account: country, providerOrderId: null };
}

/** Whether an order has a payment intent that is open or paid. */
export async function hasOpenPaymentRequest(db: Db, orderId: OrderId): Promise<boolean> {
  return (await findOpenIntent(db, orderId)) !== null;
}

/**
 * Finds the payment that a provider reports by its id. An outside system may serve several providers, and reports all their
 * payments to one address.
 */
export async function findReportedPayment(
  db: Db,
  { provider, providerPaymentId }: ProviderPaymentKey,
): Promise<ReceivedPayment | null> {
  const { system } = paymentProviders[provider];
  const found = await listReceivedPaymentsById(db, providerPaymentId);
  return found.find((each) => paymentProviders[each.provider].system === system) ?? null;
}

/** Lists all payments reported for an order, oldest first. */
export function listPaymentsOf(db: Db, orderId: OrderId): Promise<Payment[]> {
  return listPayments(db, orderId);
}

/** Finds the newest refund of an order with its reason for the buyer; null when there is none. */
export async function findRefundWithReason(
  db: Db,
  orderId: OrderId,
): Promise<{ amount: Money; reason: MessageDescriptor | string } | null> {
  const refund = await findRefundOf(db, orderId);
  return refund === null
    ? null
    : { amount: money(refund.amountMinor, refund.currency), reason: refund.reason };
}
