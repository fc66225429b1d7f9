/** Razorpay's webhooks: signed over the raw body, with the event id in a header (docs/providers.md, section 3.2). */
import { z } from "zod";
import { parseId, type RefundId } from "#db/ids.ts";
import type { DisputeStatus } from "#db/tables/payments.ts";
import {
  disputeWire,
  type ListedRazorpayDispute,
  type RazorpayDispute,
} from "#server/integrations/razorpay/disputes.ts";
import { type RazorpayRefund, refundWire, toRazorpayRefund } from "#server/integrations/razorpay.ts";
import type { Context } from "#server/platform/context.ts";
import type {
  PaymentReference,
  ProviderEvent,
  ReportedDispute,
  ReportedRefund,
  WebhookRequest,
} from "../provider.ts";
import { type EventRules, parseSignedEvent, razorpayId } from "./signed-events.ts";

const paymentSchema = z.object({ id: razorpayId, order_id: razorpayId.nullish() });

const eventSchema = z.object({
  event: z.string(),
  /** Unix seconds. */
  created_at: z.number().optional(),
  payload: z.object({
    payment: z.object({ entity: paymentSchema }).optional(),
    refund: z.object({ entity: refundWire }).optional(),
    dispute: z.object({ entity: disputeWire }).optional(),
  }),
});

const rules: EventRules = {
  entities: { payment: paymentSchema, refund: refundWire, dispute: disputeWire },
  needed(kind) {
    if (kind.startsWith("payment.dispute.")) return ["dispute"];
    // About a bank or a card network, not a payment.
    if (kind.startsWith("payment.downtime.")) return [];
    if (kind.startsWith("refund.")) return ["refund"];
    return /^(payment|order)\./.test(kind) ? ["payment"] : [];
  },
};

/** Reads a webhook. @throws DomainError unauthenticated for a forged signature, bad_request for a body that is not an event */
export function parseRazorpayEvent(context: Context, request: WebhookRequest): ProviderEvent {
  const event = parseSignedEvent(context, request, rules);
  const isUnknownState = event.type.startsWith("payment.dispute.") && disputeStates[event.type] === undefined;
  return isUnknownState && event.problem === null
    ? { ...event, problem: `The store does not know the dispute's new state, "${event.type}".` }
    : event;
}

/**
 * Reads the payment from an event. @returns null for an event about something other than a payment, or about a payment outside
 * an order
 */
export function parsePaymentReference(payload: unknown): PaymentReference | null {
  const payment = eventSchema.parse(payload).payload.payment?.entity;
  if (payment?.order_id == null) return null;
  return { providerOrderId: payment.order_id, providerPaymentId: payment.id };
}

/** Reads the refund from an event. @returns null for an event about something other than a refund */
export function parseReportedRefund(payload: unknown): ReportedRefund | null {
  const { event, payload: about } = eventSchema.parse(payload);
  const refund = about.refund?.entity;
  if (refund === undefined) return null;
  const report = toReportedRefund(toRazorpayRefund(refund));
  // The event's name counts: its refund may show the state when the event was written, or when it was sent.
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

/** The dispute's state for each kind of event. */
const disputeStates: Readonly<Record<string, DisputeStatus>> = {
  "payment.dispute.created": "open",
  "payment.dispute.under_review": "review",
  "payment.dispute.action_required": "action",
  "payment.dispute.won": "won",
  "payment.dispute.lost": "lost",
  "payment.dispute.closed": "closed",
};

/** Reads the dispute from an event. @returns null for an event about something other than a dispute */
export function parseReportedDispute(payload: unknown): ReportedDispute | null {
  const { event, created_at: at, payload: about } = eventSchema.parse(payload);
  const dispute = about.dispute?.entity;
  const status = disputeStates[event];
  if (dispute === undefined || status === undefined) return null;
  const writtenAt = at === undefined ? new Date() : new Date(at * 1000);
  return toReportedDispute(dispute, { status, at: writtenAt, begunAt: writtenAt });
}

const listedStates: Readonly<Record<ListedRazorpayDispute["status"], DisputeStatus>> = {
  open: "open",
  under_review: "review",
  won: "won",
  lost: "lost",
  closed: "closed",
};

export function toListedDispute(dispute: ListedRazorpayDispute): ReportedDispute {
  const begunAt = new Date(dispute.created_at * 1000);
  return toReportedDispute(dispute, { status: listedStates[dispute.status], at: null, begunAt });
}

function toReportedDispute(
  dispute: RazorpayDispute,
  { status, ...times }: Pick<ReportedDispute, "status" | "at" | "begunAt">,
): ReportedDispute {
  const { respond_by: respondBy, amount } = dispute;
  return {
    id: dispute.id,
    providerPaymentId: dispute.payment_id,
    amountMinor: amount,
    // A loss without a reported deduction is one of the whole amount.
    deductedMinor: status === "lost" ? (dispute.amount_deducted ?? amount) : 0,
    currency: dispute.currency,
    status,
    reason: dispute.reason_code ?? null,
    phase: dispute.phase ?? null,
    respondBy: respondBy == null ? null : new Date(respondBy * 1000),
    ...times,
  };
}
