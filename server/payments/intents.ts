/** A payment intent is our half of the provider's order: one open at a time for an order, superseded when the price changes. */

import type { OrderId } from "#db/ids.ts";
import { newId } from "#db/ids.ts";
import { findOpenIntent, insertIntent, nameProviderOrder, setIntentStatus } from "#db/payments.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { PaymentIntentRow } from "#db/tables/payments.ts";
import type { Order } from "#server/orders/order.ts";
import type { Razorpay } from "#server/providers/razorpay.ts";

/** Closes the open intent: a payment made for it after this is checked against the new price and may be a mismatch. */
export async function supersedeIntents(trx: Trx, orderId: OrderId): Promise<void> {
  await setIntentStatus(trx, orderId, "open", "superseded");
}

/** The open intent of a locked order, made when there is none. */
export async function openIntent(trx: Trx, order: Order): Promise<PaymentIntentRow> {
  const open = await findOpenIntent(trx, order.id);
  if (open !== null) return open;
  return insertIntent(trx, {
    order_id: order.id,
    // Razorpay allows 40 characters and no two alike: a bare UUID is 32.
    receipt: newId().replaceAll("-", ""),
    amount_minor: order.total.minor,
    currency: order.total.currency,
  });
}

/**
 * The provider's order for an intent. Razorpay has no idempotency key, so an answer that was lost is found again by the
 * receipt before another is made (PROVIDERS section 3).
 * @throws ProviderError
 */
export async function ensureProviderOrder(
  db: Db,
  razorpay: Razorpay,
  intent: PaymentIntentRow,
): Promise<string> {
  if (intent.provider_order_id !== null) return intent.provider_order_id;
  const made =
    (await razorpay.findOrderByReceipt(intent.receipt)) ??
    (await razorpay.createOrder({
      amountMinor: intent.amount_minor,
      currency: intent.currency,
      receipt: intent.receipt,
      notes: { order_id: intent.order_id },
    }));
  await nameProviderOrder(db, intent.id, made.id);
  // Another request may have named its own first; the one that is stored is the one that counts.
  const stored = await findOpenIntent(db, intent.order_id);
  return stored?.id === intent.id && stored.provider_order_id !== null ? stored.provider_order_id : made.id;
}
