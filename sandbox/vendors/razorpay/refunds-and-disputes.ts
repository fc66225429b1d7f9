/**
 * Money that leaves Razorpay's ledger again: refunds, requested through the API or begun in the dashboard, and disputes. Their
 * transitions, their format in the API, and their webhooks (docs/providers.md, section 3.3).
 */
import { z } from "zod";
import { type JsonObject, shortId } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { RazorpayDispute, RazorpayPayment, RazorpayRefund } from "../state-schemas.ts";
import { accountOf, notesOf, paymentEntity, send } from "./ledger.ts";

/** A refund begun by a person in the dashboard, or the bank's result for a pending one. */
export const refundAct = z.union([
  z.object({ paymentId: z.string(), amount: z.int().positive().optional() }),
  z.object({ refundId: z.string(), status: z.enum(["processed", "failed"]) }),
]);
/** A dispute begun by a bank, or its next state. */
export const disputeAct = z.union([
  z.object({ paymentId: z.string(), amount: z.int().positive().optional() }),
  z.object({
    disputeId: z.string(),
    event: z.enum(["under_review", "action_required", "won", "lost", "closed"]),
  }),
]);

export function actOnRefund(sandbox: Sandbox, act: z.infer<typeof refundAct>): JsonObject | undefined {
  if ("paymentId" in act) {
    const payment = sandbox.state.razorpay.payments[act.paymentId];
    if (payment === undefined) return undefined;
    const amount = act.amount ?? payment.amount - payment.amount_refunded;
    return refundEntity(refund(sandbox, payment, { amount, notes: {}, receipt: null, idempotencyKey: null }));
  }
  const made = sandbox.state.razorpay.refunds[act.refundId];
  if (made === undefined) return undefined;
  settle(sandbox, made, act.status);
  return refundEntity(made);
}

export function refund(
  sandbox: Sandbox,
  payment: RazorpayPayment,
  input: Pick<RazorpayRefund, "amount" | "notes" | "receipt" | "idempotencyKey">,
): RazorpayRefund {
  const made: RazorpayRefund = {
    ...input,
    id: shortId("rfnd_"),
    payment_id: payment.id,
    currency: payment.currency,
    status: "pending",
    created_at: sandbox.seconds(),
  };
  sandbox.state.razorpay.refunds[made.id] = made;
  add(payment, made.amount);
  sandbox.count("razorpay.refund.create");
  const { answer } = sandbox.refundMode;
  // The real one may report "processed" in the event about its creation.
  if (answer === "processed") process(sandbox, made);
  sendRefundEvent(sandbox, "refund.created", made);
  if (answer === "processed") sendRefundEvent(sandbox, "refund.processed", made);
  return made;
}

function settle(sandbox: Sandbox, made: RazorpayRefund, status: "processed" | "failed"): void {
  if (status === "processed") process(sandbox, made);
  else made.status = status;
  const payment = sandbox.state.razorpay.payments[made.payment_id];
  if (payment !== undefined && status === "failed") add(payment, -made.amount);
  sendRefundEvent(sandbox, `refund.${status}`, made);
}

function process(sandbox: Sandbox, made: RazorpayRefund): void {
  made.status = "processed";
  made.processed_at = sandbox.seconds();
}

function add(payment: RazorpayPayment, amount: number): void {
  payment.amount_refunded += amount;
  payment.status = payment.amount_refunded === payment.amount ? "refunded" : "captured";
}

function sendRefundEvent(sandbox: Sandbox, event: string, made: RazorpayRefund): void {
  sendPaymentEvent(sandbox, event, made.payment_id, { refund: { entity: refundEntity(made) } });
}

function sendPaymentEvent(sandbox: Sandbox, event: string, paymentId: string, about: JsonObject): void {
  const payment = sandbox.state.razorpay.payments[paymentId];
  const account = payment === undefined ? undefined : accountOf(sandbox, payment);
  if (payment === undefined || account === undefined) return;
  send(sandbox, account, event, { payment: { entity: paymentEntity(payment) }, ...about });
}

export function refundEntity(made: RazorpayRefund): JsonObject {
  const { idempotencyKey: _ours, processed_at: _too, notes, status, ...rest } = made;
  return {
    ...rest,
    entity: "refund",
    notes: notesOf(notes),
    acquirer_data: { arn: status === "processed" ? "10000000000000" : null },
    batch_id: null,
    status,
    speed_processed: "normal",
    speed_requested: "normal",
  };
}

const respondWithinDays = 7;

export function actOnDispute(sandbox: Sandbox, act: z.infer<typeof disputeAct>): JsonObject | undefined {
  if ("paymentId" in act) {
    const payment = sandbox.state.razorpay.payments[act.paymentId];
    if (payment === undefined) return undefined;
    const begun: RazorpayDispute = {
      id: shortId("disp_"),
      payment_id: payment.id,
      amount: act.amount ?? payment.amount,
      amount_deducted: 0,
      currency: payment.currency,
      reason_code: "goods_or_services_not_received_or_partially_received",
      respond_by: sandbox.seconds() + respondWithinDays * 86_400,
      status: "open",
      phase: "chargeback",
      created_at: sandbox.seconds(),
    };
    sandbox.state.razorpay.disputes[begun.id] = begun;
    tellOfDispute(sandbox, "created", begun);
    return disputeEntity(begun);
  }
  const dispute = sandbox.state.razorpay.disputes[act.disputeId];
  if (dispute === undefined) return undefined;
  if (act.event !== "action_required") dispute.status = act.event;
  if (act.event === "lost") {
    dispute.amount_deducted = dispute.amount;
    dispute.lost_at = sandbox.seconds();
  }
  tellOfDispute(sandbox, act.event, dispute);
  return disputeEntity(dispute);
}

function tellOfDispute(sandbox: Sandbox, event: string, dispute: RazorpayDispute): void {
  sendPaymentEvent(sandbox, `payment.dispute.${event}`, dispute.payment_id, {
    dispute: { entity: disputeEntity(dispute) },
  });
}

export function disputeEntity({ lost_at: _ours, ...dispute }: RazorpayDispute): JsonObject {
  return { ...dispute, entity: "dispute", gateway_dispute_id: null, comments: null };
}
