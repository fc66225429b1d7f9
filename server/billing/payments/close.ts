/**
 * Closes a payment at its provider that an order must not be paid by any more, because its price has changed or it was paid
 * another way. A payment that still arrives is settled like any other.
 */
import { findIntent } from "#db/billing/payment-intents.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import type { Context } from "#server/platform/context.ts";
import { isAccountConfigured } from "./accounts.ts";
import { paymentProviders } from "./registry.ts";

/**
 * Runs the job that closes an intent. An order that the provider has not created yet is closed after its creation.
 * @throws ProviderError so that the queue retries
 */
export async function closePayment(context: Context, intentId: string): Promise<void> {
  const intent = await findIntent(context.db, { id: intentId });
  if (intent === null) return;
  const { account, orderId, receipt, providerOrderId } = intent;
  const { closeOrder, findOrder } = paymentProviders[intent.provider];
  // Without the account's settings nothing can be closed; the provider's orders there expire.
  if (closeOrder === null || !isAccountConfigured(context.env, intent)) return;
  await forOrder(orderId, async () => {
    const made = providerOrderId ?? (await findOrder(context, account, receipt))?.id;
    if (made !== undefined) await closeOrder(context, account, made);
  });
}
