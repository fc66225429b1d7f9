/** Webhooks about credits: signed like Razorpay's others, at a separate address (docs/providers.md, section 3.5). */
import { z } from "zod";
import type { Context } from "#server/platform/context.ts";
import type { PaymentReference, ProviderEvent, WebhookRequest } from "../provider.ts";
import { type EventRules, parseSignedEvent, razorpayId } from "../razorpay/signed-events.ts";

const entity = z.object({ id: razorpayId });
const wrapped = z.object({ entity }).optional();
const eventSchema = z.object({ payload: z.object({ payment: wrapped, virtual_account: wrapped }) });

const rules: EventRules = {
  entities: { payment: entity, virtual_account: entity },
  needed: (kind) => (kind === "virtual_account.credited" ? ["payment", "virtual_account"] : []),
};

/** Reads a webhook. @throws DomainError unauthenticated for a forged signature, bad_request for a body that is not an event */
export function parseTransferEvent(context: Context, request: WebhookRequest): ProviderEvent {
  return parseSignedEvent(context, request, rules);
}

/** Reads the credit from an event. @returns null for an event about something other than a credit to an account */
export function parseCreditReference(stored: unknown): PaymentReference | null {
  const { payment, virtual_account: account } = eventSchema.parse(stored).payload;
  if (payment === undefined || account === undefined) return null;
  return { providerOrderId: account.entity.id, providerPaymentId: payment.entity.id };
}
