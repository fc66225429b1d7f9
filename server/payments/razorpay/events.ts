/** Razorpay's webhooks: signed over the raw body, with the event id in a header (docs/providers.md, section 3.2). */
import { z } from "zod";
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import type { PaymentReference, ProviderEvent, WebhookRequest } from "../provider.ts";

const eventSchema = z.object({
  event: z.string().max(100),
  payload: z.object({
    payment: z.object({ entity: z.object({ id: z.string(), order_id: z.string().nullish() }) }).optional(),
  }),
});

/** @throws DomainError unauthenticated for a forged signature, bad_request for a body that is not an event */
export function readEvent({ env, razorpayOf }: Context, { body, headers }: WebhookRequest): ProviderEvent {
  const signature = headers.get("x-razorpay-signature");
  const [account] = [...env.razorpayAccounts.keys()].filter(
    (each) => signature !== null && razorpayOf(each).isWebhookSignatureValid(body, signature),
  );
  if (account === undefined) {
    throw new DomainError("unauthenticated", "The signature is not valid.");
  }
  const event = eventSchema.safeParse(parseJson(body));
  const id = headers.get("x-razorpay-event-id");
  if (!event.success || id === null || id.length > 200) {
    throw new DomainError("bad_request", "The body is not an event.");
  }
  return { id, account, type: event.data.event, payload: event.data };
}

/** @returns null for an event about something other than a payment, or about a payment outside an order */
export function paymentIn(payload: unknown): PaymentReference | null {
  const payment = eventSchema.parse(payload).payload.payment?.entity;
  if (payment?.order_id == null) return null;
  return { providerOrderId: payment.order_id, providerPaymentId: payment.id };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}
