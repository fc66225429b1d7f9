/** The payment provider's webhooks: stored once by event id and handled by a job, so that the answer is quick and nothing is lost. */
import { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import {
  findOpenIntent,
  findProviderEvent,
  insertProviderEvent,
  listUnsettledIntents,
  markEventProcessed,
} from "#db/payments.ts";
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import { addJob } from "#server/jobs/queue.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { settlePayment } from "./settle.ts";

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

/** The job behind a webhook. @throws ProviderError so that the queue tries again */
export async function handleProviderEvent(context: Context, eventId: string): Promise<void> {
  const event = await findProviderEvent(context.db, provider, eventId);
  if (event === null) return;
  const { payload } = eventSchema.parse(event.payload);
  const payment = payload.payment?.entity;
  if (payment?.order_id != null) {
    await settleQuietly(context, { providerOrderId: payment.order_id, providerPaymentId: payment.id });
  }
  await markEventProcessed(context.db, provider, eventId);
}

/** So many orders in a row without an answer, and the provider is away: the next sweep asks again. */
const patience = 5;

/**
 * Looks up what was begun more than `olderThanMinutes` ago and never reported: the browser closed, the webhook lost. An
 * order that cannot be asked about does not keep the others from being found.
 * @returns how many payments were looked at
 */
export async function sweepPayments(context: Context, olderThanMinutes = 15): Promise<number> {
  const before = new Date(Date.now() - olderThanMinutes * 60_000);
  let looked = 0;
  let unanswered = 0;
  for (const providerOrderId of await listUnsettledIntents(context.db, before, 200)) {
    try {
      looked += await sweepOrder(context, providerOrderId);
      unanswered = 0;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      context.log.warn({ err: error, providerOrderId }, "an order's payments could not be looked up");
      unanswered = error.kind === "transient" ? unanswered + 1 : 0;
      if (unanswered === patience) break;
    }
  }
  return looked;
}

/** Looks up what was paid for an order whose payment is open. @throws ProviderError */
export async function lookUpPayments(context: Context, orderId: OrderId): Promise<void> {
  const intent = await findOpenIntent(context.db, orderId);
  if (intent?.provider_order_id != null) await sweepOrder(context, intent.provider_order_id);
}

async function sweepOrder(context: Context, providerOrderId: string): Promise<number> {
  const payments = await context.razorpay.listOrderPayments(providerOrderId);
  for (const payment of payments) {
    if (payment.status === "captured" || payment.status === "authorized") {
      await settleQuietly(context, { providerOrderId, providerPaymentId: payment.id });
    }
  }
  return payments.length;
}

/** A payment for an order of another system on the same account is none of ours: noted, not failed. */
async function settleQuietly(
  context: Context,
  input: { providerOrderId: string; providerPaymentId: string },
): Promise<void> {
  try {
    await settlePayment(context, input);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "not_found")) throw error;
    context.log.warn({ providerOrderId: input.providerOrderId }, "a payment for an order that is not ours");
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}
