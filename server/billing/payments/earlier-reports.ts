/** Catches up with reports about a payment from before it was settled: refunds, and events that waited for it. */
import type { ProviderAccount, ProviderPaymentKey } from "#db/billing/payment-keys.ts";
import { listEventsWaitingFor } from "#db/platform/provider-events.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import type { ProviderPayment } from "./provider.ts";
import { paymentProviderIds, paymentProviders } from "./registry.ts";

/** Queues the jobs that record earlier refunds and events of a payment, in the transaction that settles it. */
export async function queueEarlierReports(
  trx: Trx,
  { provider, account, providerPaymentId }: ProviderPaymentKey & ProviderAccount,
  { amountRefundedMinor }: Pick<ProviderPayment, "amountRefundedMinor">,
): Promise<void> {
  if (amountRefundedMinor > 0) {
    const jobKey = `refunds:${provider}:${providerPaymentId}`;
    await addJob(trx, "look-up-refunds", { provider, account, providerPaymentId }, { jobKey });
  }
  const { system } = paymentProviders[provider];
  const providers = paymentProviderIds.filter((id) => paymentProviders[id].system === system);
  for (const event of await listEventsWaitingFor(trx, { providers, providerPaymentId }))
    await addJob(trx, "handle-provider-event", event, { jobKey: `event:${event.provider}:${event.eventId}` });
}
