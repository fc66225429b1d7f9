/** A payment intent is our half of the provider's order: one open at a time for an order, superseded when the price changes. */

import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "#db/ids.ts";
import {
  claimIntent,
  findIntent,
  findIntentByProviderOrder,
  findOpenIntent,
  insertIntent,
  nameProviderOrder,
  releaseIntent,
} from "#db/payments.ts";
import type { Trx } from "#db/tables/index.ts";
import type { PaymentIntentRow } from "#db/tables/payments.ts";
import type { Context } from "#server/context.ts";
import type { Order } from "#server/orders/order.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { paidForOf } from "./paid-for.ts";

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
    paid_for: paidForOf(order),
  });
}

const lookAgainMs = 100;

/**
 * The provider's order for an intent. Whoever asks for it claims the intent first and the others wait for the name, so that
 * however often Place Order is pressed there is one. Razorpay has no idempotency key: an answer that was lost is found again by
 * the receipt before another order is made.
 * @throws ProviderError; transient when another caller has asked and heard nothing for as long as a call may take
 */
export async function ensureProviderOrder(context: Context, intent: PaymentIntentRow): Promise<string> {
  const { db, env } = context;
  // A call is over by then, with or without an answer: its claim is one of a process that died.
  const claimMs = 3 * env.PROVIDER_TIMEOUT_MS;
  const until = Date.now() + env.PROVIDER_TIMEOUT_MS;
  for (let known: PaymentIntentRow | null = intent; known !== null; ) {
    if (known.provider_order_id !== null) return known.provider_order_id;
    if (await claimIntent(db, intent.id, new Date(Date.now() - claimMs))) return askForOrder(context, intent);
    if (Date.now() > until) break;
    await sleep(lookAgainMs);
    known = await findIntent(db, { id: intent.id });
  }
  throw new ProviderError("razorpay", "transient", "POST /orders", { code: "asked_already" });
}

async function askForOrder({ db, razorpay }: Context, intent: PaymentIntentRow): Promise<string> {
  try {
    const made =
      (await razorpay.findOrderByReceipt(intent.receipt)) ??
      (await razorpay.createOrder({
        amountMinor: intent.amount_minor,
        currency: intent.currency,
        receipt: intent.receipt,
        notes: { order_id: intent.order_id },
      }));
    await nameProviderOrder(db, intent.id, made.id);
    return made.id;
  } finally {
    await releaseIntent(db, intent.id);
  }
}

/**
 * The intent that a provider's order was made for. One that we did not store, because the answer that named it was lost and
 * another was made, is known by its receipt: the money for it is the buyer's all the same.
 * @throws ProviderError when the provider cannot be asked
 */
export async function intentOf(
  { db, razorpay }: Context,
  providerOrderId: string,
): Promise<PaymentIntentRow | null> {
  const stored = await findIntentByProviderOrder(db, providerOrderId);
  if (stored !== null) return stored;
  try {
    const { receipt } = await razorpay.getOrder(providerOrderId);
    return receipt === null ? null : await findIntent(db, { receipt });
  } catch (error) {
    // It has no such order.
    if (error instanceof ProviderError && error.status === 400) return null;
    throw error;
  }
}
