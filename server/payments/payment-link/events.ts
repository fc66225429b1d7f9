/** Webhooks about links that were paid: signed like Razorpay's others, at an address of their own (docs/providers.md, section 3.6). */
import { z } from "zod";
import type { Context } from "#server/context.ts";
import type { PaymentReference, ProviderEvent, WebhookRequest } from "../provider.ts";
import { parseSignedEvent } from "../razorpay/events.ts";

const entity = z.object({ entity: z.object({ id: z.string() }) });
const eventSchema = z.object({
  event: z.string().max(100),
  payload: z.object({ payment: entity.optional(), payment_link: entity.optional() }),
});

/** @throws DomainError unauthenticated for a forged signature, bad_request for a body that is not an event */
export function parseLinkEvent(context: Context, request: WebhookRequest): ProviderEvent {
  return parseSignedEvent(context, request, eventSchema);
}

/** @returns null for an event about a link that nothing was paid through, such as one that has expired */
export function parseLinkPayment(stored: unknown): PaymentReference | null {
  const { payment, payment_link: link } = eventSchema.parse(stored).payload;
  if (payment === undefined || link === undefined) return null;
  return { providerOrderId: link.entity.id, providerPaymentId: payment.entity.id };
}
