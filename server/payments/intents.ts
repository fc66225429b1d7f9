/** A payment intent is our half of the provider's order: one open at a time for an order, superseded when the price changes. */

import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import {
  claimIntent,
  findIntent,
  findIntentByProviderOrder,
  findOpenIntent,
  insertIntent,
  nameProviderOrder,
  type PaymentIntent,
  type ProviderOrderKey,
  releaseIntent,
} from "#db/payments.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { standardMethod } from "#server/pricing/payment-methods.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { paidForOf } from "./paid-for.ts";
import { paymentProviders, providerOf } from "./provider.ts";

/** The open intent of a locked order, made when there is none. */
export async function openIntent(trx: Trx, order: Order): Promise<PaymentIntent> {
  const open = await findOpenIntent(trx, order.id);
  if (open !== null) return open;
  return insertIntent(trx, {
    orderId: order.id,
    // Providers allow 40 characters and no two alike: a bare UUID is 32.
    receipt: newId().replaceAll("-", ""),
    provider: providerOf[standardMethod],
    amountMinor: order.total.minor,
    currency: order.total.currency,
    paidFor: paidForOf(order),
  });
}

const lookAgainMs = 100;

/**
 * The provider's order for an intent. Whoever asks for it claims the intent first and the others wait for the name, so that
 * however often Place Order is pressed there is one. An answer that was lost is found again by the receipt before another order is
 * made: a provider need not know a repeated request.
 * @throws ProviderError; transient when another caller has asked and heard nothing for as long as a call may take
 */
export async function ensureProviderOrder(context: Context, intent: PaymentIntent): Promise<string> {
  const { db, env } = context;
  // A call is over by then, with or without an answer: its claim is one of a process that died.
  const claimMs = 3 * env.PROVIDER_TIMEOUT_MS;
  const until = Date.now() + env.PROVIDER_TIMEOUT_MS;
  for (let known: PaymentIntent | null = intent; known !== null; ) {
    if (known.providerOrderId !== null) return known.providerOrderId;
    if (await claimIntent(db, intent.id, new Date(Date.now() - claimMs))) return askForOrder(context, intent);
    if (Date.now() > until) break;
    await sleep(lookAgainMs);
    known = await findIntent(db, { id: intent.id });
  }
  throw new ProviderError(intent.provider, "transient", "a new order", { code: "asked_already" });
}

async function askForOrder(context: Context, intent: PaymentIntent): Promise<string> {
  const { db } = context;
  const provider = paymentProviders[intent.provider];
  try {
    const made =
      (await provider.findOrder(context, intent.receipt)) ?? (await provider.createOrder(context, intent));
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
export async function intentOf(context: Context, key: ProviderOrderKey): Promise<PaymentIntent | null> {
  const stored = await findIntentByProviderOrder(context.db, key);
  if (stored !== null) return stored;
  const made = await paymentProviders[key.provider].getOrder(context, key.providerOrderId);
  if (made === null || made.receipt === null) return null;
  const intent = await findIntent(context.db, { receipt: made.receipt });
  return intent?.provider === key.provider ? intent : null;
}
