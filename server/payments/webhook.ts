/** The payment provider's webhooks: stored once by event id and handled by a job, so that the answer is quick and nothing is lost. */
import { z } from "zod";
import { findProviderEvent, insertProviderEvent, markEventProcessed } from "#db/payments.ts";
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import { addJob } from "#server/outbox/jobs.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { settleQuietly } from "./sweep.ts";

const provider = "razorpay";
const eventSchema = z.object({
  event: z.string().max(100),
  payload: z.object({
    payment: z.object({ entity: z.object({ id: z.string(), order_id: z.string().nullish() }) }).optional(),
  }),
});

/**
 * Takes a webhook in. The signature is over the raw body; a repeated event id is acknowledged and ignored.
 * @throws DomainError unauthenticated for a forged signature, bad_request for a body that is not an event
 */
export async function receiveWebhook(
  context: Context,
  input: { body: Buffer; signature: string | null; eventId: string | null },
): Promise<{ received: true; repeated: boolean }> {
  if (input.signature === null || !context.razorpay.isWebhookSignatureValid(input.body, input.signature)) {
    throw new DomainError("unauthenticated", "The signature is not valid.");
  }
  const event = eventSchema.safeParse(parseJson(input.body));
  const eventId = input.eventId;
  if (!event.success || eventId === null || eventId.length > 200) {
    throw new DomainError("bad_request", "The body is not an event.");
  }
  return context.db.transaction().execute(async (trx) => {
    const isNew = await insertProviderEvent(trx, {
      provider,
      eventId,
      type: event.data.event,
      payload: event.data,
    });
    if (isNew) await addJob(trx, "handle-provider-event", { provider, eventId });
    return { received: true, repeated: !isNew };
  });
}

/** So often a payment is asked about that the provider says it does not have: the webhook may be quicker than its books. */
const refusalsHeard = 4;

/**
 * The job behind a webhook.
 * @param attempt which try it is, from 1
 * @throws ProviderError so that the queue tries again
 */
export async function handleProviderEvent(context: Context, eventId: string, attempt = 1): Promise<void> {
  const event = await findProviderEvent(context.db, provider, eventId);
  if (event === null) return;
  const { payload } = eventSchema.parse(event.payload);
  const payment = payload.payment?.entity;
  if (payment?.order_id != null) {
    try {
      await settleQuietly(context, { providerOrderId: payment.order_id, providerPaymentId: payment.id });
    } catch (error) {
      const isFinal = error instanceof ProviderError && error.kind === "refused" && attempt >= refusalsHeard;
      if (!isFinal) throw error;
      context.log.warn(
        { err: error, eventId },
        "a webhook tells of a payment that the provider does not know",
      );
    }
  }
  await markEventProcessed(context.db, provider, eventId);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}
