/**
 * The payment providers' webhooks: stored once by event id and handled by a job, so that the answer is quick and nothing
 * is lost.
 */
import {
  findProviderEvent,
  insertProviderEvent,
  markEventProcessed,
  type ProviderEventKey,
} from "#db/payments.ts";
import { recordWebhookReceived } from "#db/provider-health.ts";
import type { PaymentProviderId } from "#db/tables/payments.ts";
import type { Context } from "#server/context.ts";
import { labelOf, webhooks } from "#server/metrics/process-metrics.ts";
import { addJob } from "#server/outbox/jobs.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { applyDisputeReport } from "./dispute-reports.ts";
import { type ProviderEvent, paymentProviders, type WebhookRequest } from "./provider.ts";
import { applyRefundReport } from "./refund-reports.ts";
import { settleQuietly } from "./sweep.ts";

/**
 * Stores a webhook. Idempotent: a repeated event id is acknowledged and ignored.
 * @throws DomainError unauthenticated for a forged signature, bad_request for a body that is not an event
 */
export async function receiveWebhook(
  context: Context,
  provider: PaymentProviderId,
  request: WebhookRequest,
): Promise<{ received: true; repeated: boolean }> {
  const { id: eventId, account, type, payload } = readCounted(context, provider, request);
  const event = labelOf("event", type);
  const { repeated } = await context.db.transaction().execute(async (trx) => {
    const isNew = await insertProviderEvent(trx, { provider, eventId, account, type, payload });
    if (isNew) {
      const jobKey = `event:${provider}:${eventId}`;
      await addJob(trx, "handle-provider-event", { provider, eventId }, { jobKey });
    }
    await recordWebhookReceived(trx, { source: provider, kind: event });
    return { repeated: !isNew };
  });
  webhooks.inc({ provider, event, result: repeated ? "repeated" : "accepted" });
  return { received: true, repeated };
}

/** Of a refused one not even the type is believed. */
function readCounted(context: Context, provider: PaymentProviderId, request: WebhookRequest): ProviderEvent {
  try {
    return paymentProviders[provider].readEvent(context, request);
  } catch (error) {
    webhooks.inc({ provider, event: "unknown", result: "refused" });
    throw error;
  }
}

/**
 * After this many tries a payment that the provider does not know is given up. The webhook may arrive before the provider
 * can find the payment.
 */
const refusalsHeard = 4;

/**
 * The job behind a webhook.
 * @param attempt the try, from 1
 * @throws ProviderError so that the queue retries
 */
export async function handleProviderEvent(
  context: Context,
  key: ProviderEventKey,
  attempt = 1,
): Promise<void> {
  const { provider, eventId } = key;
  const event = await findProviderEvent(context.db, key);
  if (event === null) return;
  const { paymentIn, refundIn, disputeIn } = paymentProviders[provider];
  const payment = paymentIn(event.payload);
  if (payment !== null) {
    try {
      await settleQuietly(context, { provider, account: event.account, ...payment });
    } catch (error) {
      const isFinal = error instanceof ProviderError && error.kind === "refused" && attempt >= refusalsHeard;
      if (!isFinal) throw error;
      context.log.warn(
        { err: error, eventId },
        "a webhook tells of a payment that the provider does not know",
      );
    }
  }
  const refund = refundIn(event.payload);
  if (refund !== null) await applyRefundReport(context, key, refund);
  const dispute = disputeIn(event.payload);
  if (dispute !== null) await applyDisputeReport(context, key, dispute);
  await markEventProcessed(context.db, key);
}
