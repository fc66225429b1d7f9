/**
 * A payment intent is our record of a provider's order. An order has at most one open, which is superseded when the price
 * changes.
 */

import { setTimeout as sleep } from "node:timers/promises";
import {
  claimIntent,
  findIntent,
  findIntentByProviderOrder,
  findOpenIntent,
  insertIntent,
  type PaymentIntent,
  releaseIntent,
  setProviderOrderId,
  supersedeOpenIntents,
} from "#db/billing/payment-intents.ts";
import type { AccountOrderKey, ProviderOrderKey } from "#db/billing/payment-keys.ts";
import { newId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import type { PaymentProviderId } from "#db/tables/payments.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { isAccountConfigured } from "./accounts.ts";
import { serializePaidFor } from "./paid-for.ts";
import { paymentProviders } from "./registry.ts";

/**
 * Finds or creates the open intent of a locked order at a provider, at the account of the order's country. An open intent at
 * another provider, or at an account without settings, is superseded.
 */
export async function openIntent(
  { env }: Context,
  trx: Trx,
  order: Order,
  provider: PaymentProviderId,
): Promise<PaymentIntent> {
  const open = await findOpenIntent(trx, order.id);
  if (open?.provider === provider && isAccountConfigured(env, open)) return open;
  if (open !== null) await supersedeOpenIntents(trx, order.id);
  return insertIntent(trx, {
    orderId: order.id,
    // Providers require a unique receipt of at most 40 characters; a UUID without dashes has 32.
    receipt: newId().replaceAll("-", ""),
    provider,
    account: order.country,
    amountMinor: order.total.minor,
    currency: order.total.currency,
    paidFor: serializePaidFor(order),
  });
}

const lookAgainMs = 100;

/**
 * Finds or creates the provider's order for an intent. One caller claims the intent and the others wait for its result, so that
 * there is only one order however often Place Order is pressed. After a lost response the order is found by its receipt before
 * another is created, because not every provider detects repeated requests.
 * @throws ProviderError; transient when another caller has had no response within the timeout of a call
 */
export async function ensureProviderOrder(context: Context, intent: PaymentIntent): Promise<string> {
  const { db, env } = context;
  // Every call has ended by then, so an older claim belongs to a process that crashed.
  const claimMs = 3 * env.PROVIDER_TIMEOUT_MS;
  const until = Date.now() + env.PROVIDER_TIMEOUT_MS;
  for (let known: PaymentIntent | null = intent; known !== null; ) {
    if (known.providerOrderId !== null) return known.providerOrderId;
    if (await claimIntent(db, intent.id, new Date(Date.now() - claimMs))) return askForOrder(context, intent);
    if (Date.now() > until) break;
    await sleep(lookAgainMs);
    known = await findIntent(db, { id: intent.id });
  }
  throw new ProviderError(paymentProviders[intent.provider].system, "transient", "a new order", {
    code: "asked_already",
  });
}

async function askForOrder(context: Context, intent: PaymentIntent): Promise<string> {
  const { db } = context;
  const { account, receipt } = intent;
  const provider = paymentProviders[intent.provider];
  try {
    const made =
      (await provider.findOrder(context, account, receipt)) ??
      (await provider.createOrder(context, account, intent).catch(async (error: unknown) => {
        // A provider refuses a repeated receipt, and may list a new order only after a moment.
        const found = isRefusal(error) ? await provider.findOrder(context, account, receipt) : null;
        if (found === null) throw error;
        return found;
      }));
    await setProviderOrderId(db, intent.id, made.id);
    return made.id;
  } finally {
    await releaseIntent(db, intent.id);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === "refused";
}

/**
 * Finds the intent that a provider's order was created for, and the order to settle its payment by. After a lost response a
 * second order may exist that we never stored. Its receipt identifies the intent, and money paid for it still counts. An
 * outside system may serve several providers and report all their payments to one address; then the order is that of the
 * intent's provider.
 * @param key.account account to query about an order that is not stored
 * @throws ProviderError when the provider cannot be reached
 */
export async function intentOf(
  context: Context,
  key: AccountOrderKey,
): Promise<({ intent: PaymentIntent } & ProviderOrderKey) | null> {
  const { provider, providerOrderId } = key;
  const stored = await findIntentByProviderOrder(context.db, key);
  if (stored !== null) return { intent: stored, provider, providerOrderId };
  const made = await paymentProviders[provider].getOrder(context, key.account, providerOrderId);
  if (made === null || made.receipt === null) return null;
  const intent = await findIntent(context.db, { receipt: made.receipt });
  if (intent === null || intent.provider === provider)
    return intent === null ? null : { intent, provider, providerOrderId };
  const isSameSystem = paymentProviders[intent.provider].system === paymentProviders[provider].system;
  return isSameSystem && intent.providerOrderId !== null
    ? { intent, provider: intent.provider, providerOrderId: intent.providerOrderId }
    : null;
}
