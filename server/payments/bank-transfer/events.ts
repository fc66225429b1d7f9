/** Webhooks about credits: signed like Razorpay's others, at an address of their own (docs/providers.md, section 3.5). */
import { z } from "zod";
import type { Context } from "#server/context.ts";
import type { PaymentReference, ProviderEvent, WebhookRequest } from "../provider.ts";
import { parseSignedEvent } from "../razorpay/events.ts";

const entity = z.object({ entity: z.object({ id: z.string() }) });
const eventSchema = z.object({
  event: z.string().max(100),
  payload: z.object({ payment: entity.optional(), virtual_account: entity.optional() }),
});

/** @throws DomainError unauthenticated for a forged signature, bad_request for a body that is not an event */
export function parseTransferEvent(context: Context, request: WebhookRequest): ProviderEvent {
  return parseSignedEvent(context, request, eventSchema);
}

/** @returns null for an event about something other than money that reached an account */
export function parseCreditReference(stored: unknown): PaymentReference | null {
  const { payment, virtual_account: account } = eventSchema.parse(stored).payload;
  if (payment === undefined || account === undefined) return null;
  return { providerOrderId: account.entity.id, providerPaymentId: payment.entity.id };
}
