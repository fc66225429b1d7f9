/**
 * The payment providers' webhooks: stored once by event id and handled by a job, so that the response is quick and nothing is
 * lost.
 */

import type { PaymentKey } from "#db/billing/payment-keys.ts";
import {
  findProviderEvent,
  insertProviderEvent,
  type ProviderEventKey,
  setProviderEventState,
} from "#db/platform/provider-events.ts";
import { recordWebhookReceived } from "#db/platform/provider-health.ts";
import type { PaymentProviderId } from "#db/tables/payments.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { labelOf, webhooks } from "#server/integrations/metrics/process-metrics.ts";
import type { Context } from "#server/platform/context.ts";
import { applyDisputeReport } from "./dispute-reports.ts";
import type { ProviderEvent, WebhookRequest } from "./provider.ts";
import { applyRefundReport } from "./refund-reports.ts";
import { paymentProviders } from "./registry.ts";
import { type ReportOutcome, settleQuietly } from "./reported-payment.ts";

/**
 * Stores a webhook. Idempotent: a repeated event id is acknowledged and ignored. One that cannot be used is stored for staff.
 * @throws DomainError unauthenticated for a forged signature, bad_request for a body that is not an event
 */
export async function receiveWebhook(
  context: Context,
  provider: PaymentProviderId,
  request: WebhookRequest,
): Promise<{ received: true; repeated: boolean }> {
  const { id: eventId, isUsed, ...read } = readCounted(context, provider, request);
  const event = labelOf("event", read.type);
  const state = read.problem !== null ? "unreadable" : isUsed ? "new" : "unused";
  const { repeated } = await context.db.transaction().execute(async (trx) => {
    const isNew = await insertProviderEvent(trx, { ...read, provider, eventId, state });
    if (isNew && state === "new") {
      const jobKey = `event:${provider}:${eventId}`;
      await addJob(trx, "handle-provider-event", { provider, eventId }, { jobKey });
    }
    await recordWebhookReceived(trx, { source: provider, kind: event });
    return { repeated: !isNew };
  });
  webhooks.inc({ provider, event, result: repeated ? "repeated" : "accepted" });
  return { received: true, repeated };
}

/** Reads a webhook and counts a refused one, whose type is not trusted. */
function readCounted(context: Context, provider: PaymentProviderId, request: WebhookRequest): ProviderEvent {
  try {
    return paymentProviders[provider].readEvent(context, request);
  } catch (error) {
    webhooks.inc({ provider, event: "unknown", result: "refused" });
    throw error;
  }
}

/**
 * Number of tries after which the job of an event ends although the provider does not find its payment. A webhook can arrive
 * before the provider finds the payment.
 */
const refusalsHeard = 4;

/**
 * Runs the job of a webhook. An event about an unknown payment waits: the settlement of that payment uses it, or the sweep does
 * (report-sweep.ts), and after a day staff see it in Desk.
 * @param attempt the try, from 1
 * @throws ProviderError so that the queue retries
 */
export async function handleProviderEvent(
  context: Context,
  key: ProviderEventKey,
  attempt = 1,
): Promise<void> {
  const { provider } = key;
  const event = await findProviderEvent(context.db, key);
  if (event === null) return;
  const { account, payload } = event;
  const { paymentIn, refundIn, disputeIn } = paymentProviders[provider];
  const about = { payment: paymentIn(payload), refund: refundIn(payload), dispute: disputeIn(payload) };
  const outcomes: ReportOutcome[] = [];
  if (about.payment !== null)
    outcomes.push(await settleReported(context, { provider, account, ...about.payment }, attempt));
  if (about.refund !== null)
    outcomes.push(await applyRefundReport(context, { provider, account }, about.refund));
  if (about.dispute !== null)
    outcomes.push(await applyDisputeReport(context, { provider, account }, about.dispute));
  const { providerPaymentId } = about.refund ?? about.dispute ?? about.payment ?? {};
  if (outcomes.includes("unknown") && providerPaymentId !== undefined)
    return setProviderEventState(context.db, key, { state: "waiting", paymentId: providerPaymentId });
  const isForeign = outcomes.length > 0 && outcomes.every((outcome) => outcome === "foreign");
  return setProviderEventState(context.db, key, { state: isForeign ? "foreign" : "applied" });
}

/** Settles the reported payment. @throws ProviderError for an outage, and while the provider does not find the payment yet */
async function settleReported(
  context: Context,
  payment: PaymentKey,
  attempt: number,
): Promise<ReportOutcome> {
  try {
    return await settleQuietly(context, payment);
  } catch (error) {
    const isFinal = error instanceof ProviderError && error.kind === "refused" && attempt >= refusalsHeard;
    if (!isFinal) throw error;
    const { providerPaymentId } = payment;
    context.log.warn(
      { err: error, providerPaymentId },
      "a webhook reports a payment that the provider does not know",
    );
    return "unknown";
  }
}
