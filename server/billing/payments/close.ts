/**
 * Has a provider take no more payments for what an order is not paid by any more: because its price has changed, or because it was paid
 * another way. What is paid all the same is settled like any other payment.
 */
import { findIntent } from "#db/billing/payment-intents.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import type { Context } from "#server/platform/context.ts";
import { isAccountConfigured } from "./accounts.ts";
import { paymentProviders } from "./registry.ts";

/**
 * The job of an intent that is closed. What its provider has not made yet is closed by whoever makes it.
 * @throws ProviderError so that the queue retries
 */
export async function closePayment(context: Context, intentId: string): Promise<void> {
  const intent = await findIntent(context.db, { id: intentId });
  if (intent === null) return;
  const { account, orderId, receipt, providerOrderId } = intent;
  const { closeOrder, findOrder } = paymentProviders[intent.provider];
  // With the account's settings gone nobody can be asked; what is open there ends by itself.
  if (closeOrder === null || !isAccountConfigured(context.env, intent)) return;
  await forOrder(orderId, async () => {
    const made = providerOrderId ?? (await findOrder(context, account, receipt))?.id;
    if (made !== undefined) await closeOrder(context, account, made);
  });
}
