/** Webhooks about paid links: signed like Razorpay's others, at a separate address (docs/providers.md, section 3.6). */
import { z } from "zod";
import type { Context } from "#server/platform/context.ts";
import type { PaymentReference, ProviderEvent, WebhookRequest } from "../provider.ts";
import { type EventRules, parseSignedEvent, razorpayId } from "../razorpay/signed-events.ts";

const entity = z.object({ id: razorpayId });
const wrapped = z.object({ entity }).optional();
const eventSchema = z.object({ payload: z.object({ payment: wrapped, payment_link: wrapped }) });

const rules: EventRules = {
  entities: { payment: entity, payment_link: entity },
  needed: (kind) => (kind === "payment_link.paid" ? ["payment", "payment_link"] : []),
};

/** Reads a webhook. @throws DomainError unauthenticated for a forged signature, bad_request for a body that is not an event */
export function parseLinkEvent(context: Context, request: WebhookRequest): ProviderEvent {
  return parseSignedEvent(context, request, rules);
}

/** Reads the payment from an event. @returns null for an event without a payment, such as an expired link */
export function parseLinkPayment(stored: unknown): PaymentReference | null {
  const { payment, payment_link: link } = eventSchema.parse(stored).payload;
  if (payment === undefined || link === undefined) return null;
  return { providerOrderId: link.entity.id, providerPaymentId: payment.entity.id };
}
