/** Razorpay's webhooks: signed over the raw body, with the event id in a header (docs/providers.md, section 3.2). */
import { z } from "zod";
import { parseId, type RefundId } from "#db/ids.ts";
import type { DisputeStatus } from "#db/tables/payments.ts";
import type { Context } from "#server/context.ts";
import { DomainError, forged } from "#server/errors.ts";
import { type RazorpayRefund, refundWire, toRazorpayRefund } from "#server/providers/razorpay.ts";
import type {
  PaymentReference,
  ProviderEvent,
  ReportedDispute,
  ReportedRefund,
  WebhookRequest,
} from "../provider.ts";

const disputeSchema = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.int(),
  amount_deducted: z.int().nullish(),
  currency: z.string(),
  reason_code: z.string().nullish(),
  phase: z.string().nullish(),
  respond_by: z.number().nullish(),
});

const eventSchema = z.object({
  event: z.string().max(100),
  /** Unix seconds. */
  created_at: z.number().optional(),
  payload: z.object({
    payment: z.object({ entity: z.object({ id: z.string(), order_id: z.string().nullish() }) }).optional(),
    refund: z.object({ entity: refundWire }).optional(),
    dispute: z.object({ entity: disputeSchema }).optional(),
  }),
});

/** @throws DomainError unauthenticated for a forged signature, bad_request for a body that is not an event */
export function parseRazorpayEvent(context: Context, request: WebhookRequest): ProviderEvent {
  return parseSignedEvent(context, request, eventSchema);
}

/**
 * Reads a webhook of any kind. What the schema leaves out is not stored.
 * @throws DomainError unauthenticated for a forged signature, bad_request for a body that is not an event
 */
export function parseSignedEvent(
  { env, razorpayOf }: Context,
  { body, headers }: WebhookRequest,
  schema: z.ZodType<{ event: string }>,
): ProviderEvent {
  const signature = headers.get("x-razorpay-signature");
  const [account] = [...env.razorpayAccounts.keys()].filter(
    (each) => signature !== null && razorpayOf(each).isWebhookSignatureValid(body, signature),
  );
  if (account === undefined) {
    throw new DomainError("unauthenticated", "The signature is not valid.", { facts: forged });
  }
  const event = schema.safeParse(parseJson(body));
  const id = headers.get("x-razorpay-event-id");
  if (!event.success || id === null || id.length > 200) {
    throw new DomainError("bad_request", "The body is not an event.");
  }
  return { id, account, type: event.data.event, payload: event.data };
}

/** @returns null for an event about something other than a payment, or about a payment outside an order */
export function parsePaymentReference(payload: unknown): PaymentReference | null {
  const payment = eventSchema.parse(payload).payload.payment?.entity;
  if (payment?.order_id == null) return null;
  return { providerOrderId: payment.order_id, providerPaymentId: payment.id };
}

/** @returns null for an event about something other than a refund */
export function parseReportedRefund(payload: unknown): ReportedRefund | null {
  const { event, payload: about } = eventSchema.parse(payload);
  const refund = about.refund?.entity;
  if (refund === undefined) return null;
  const report = toReportedRefund(toRazorpayRefund(refund));
  // What is meant is the event: the refund in it is from when it was written, or from when it was sent.
  return event === "refund.failed" ? { ...report, status: "failed" } : report;
}

export function toReportedRefund(refund: RazorpayRefund): ReportedRefund {
  const { receipt, id, paymentId, amountMinor, status, bankReference } = refund;
  return {
    id,
    providerPaymentId: paymentId,
    amountMinor,
    status,
    bankReference,
    key: parseId<RefundId>(receipt ?? undefined),
  };
}

/** The state that an event about a dispute tells of. */
const disputeStates: Readonly<Record<string, DisputeStatus>> = {
  "payment.dispute.created": "open",
  "payment.dispute.under_review": "review",
  "payment.dispute.action_required": "action",
  "payment.dispute.won": "won",
  "payment.dispute.lost": "lost",
  "payment.dispute.closed": "closed",
};

/** @returns null for an event about something other than a dispute */
export function parseReportedDispute(payload: unknown): ReportedDispute | null {
  const { event, created_at: at, payload: about } = eventSchema.parse(payload);
  const dispute = about.dispute?.entity;
  const status = disputeStates[event];
  if (dispute === undefined || status === undefined) return null;
  const { respond_by: respondBy, amount } = dispute;
  return {
    id: dispute.id,
    providerPaymentId: dispute.payment_id,
    amountMinor: amount,
    // A loss without a deduction told is one of the whole amount.
    deductedMinor: status === "lost" ? (dispute.amount_deducted ?? amount) : 0,
    currency: dispute.currency,
    status,
    reason: dispute.reason_code ?? null,
    phase: dispute.phase ?? null,
    respondBy: respondBy == null ? null : new Date(respondBy * 1000),
    at: at === undefined ? new Date() : new Date(at * 1000),
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}
