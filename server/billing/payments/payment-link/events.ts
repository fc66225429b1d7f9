/** Webhooks about links that were paid: signed like Razorpay's others, at an address of their own (docs/providers.md, section 3.6). */
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

/** @throws DomainError unauthenticated for a forged signature, bad_request for a body that is not an event */
export function parseLinkEvent(context: Context, request: WebhookRequest): ProviderEvent {
  return parseSignedEvent(context, request, rules);
}

/** @returns null for an event about a link that nothing was paid through, such as one that has expired */
export function parseLinkPayment(stored: unknown): PaymentReference | null {
  const { payment, payment_link: link } = eventSchema.parse(stored).payload;
  if (payment === undefined || link === undefined) return null;
  return { providerOrderId: link.entity.id, providerPaymentId: payment.entity.id };
}
