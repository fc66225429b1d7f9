/** Decides what a payment means for its order, while the order is locked. Each rejection is one entry of `rejections`. */
import { findIntent, markIntentPaid, type PaymentIntent } from "#db/billing/payment-intents.ts";
import type { PaymentKey } from "#db/billing/payment-keys.ts";
import { findPayment, type Payment, savePayment, updatePartialPayments } from "#db/billing/payments.ts";
import type { OrderId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import type { PaymentRowStatus } from "#db/tables/payments.ts";
import { english, type MessageDescriptor, msg, serializeMessage } from "#server/foundation/languages/text.ts";
import { lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import { whyNotFulfillable } from "#server/orders/order-preconditions.ts";
import { isPaid, isRefunded } from "#server/orders/payment-state.ts";
import { closeSuperseded } from "#server/orders/superseded-payments.ts";
import type { Context } from "#server/platform/context.ts";
import { completeOrder } from "./complete-order.ts";
import { acceptCredit, applyCreditToWithheld, type Credit, matchCredit, recordCredit } from "./credits.ts";
import { asPaidFor } from "./paid-for.ts";
import { queuePaymentAlert } from "./payment-alert.ts";
import { customerFeeOf, type Expected, expectedOf, problemWith } from "./payment-match.ts";
import type { ProviderPayment } from "./provider.ts";
import { requestRefund } from "./refund.ts";

type Problem = MessageDescriptor | string;

/**
 * pending: not captured yet, or more is expected. mismatch: amount or currency differ from the intent's, and staff decide.
 * refunded: the order can no longer be fulfilled, and a refund is queued.
 */
export type Settlement =
  | { state: "completed"; orderId: OrderId }
  | {
      state: "pending" | "failed" | "mismatch" | "refunded";
      orderId: OrderId;
      problem: Problem;
    };

/** A payment as its provider reports it, and its intent. */
export interface ReportedPayment {
  key: PaymentKey & { providerOrderId: string };
  intent: PaymentIntent;
  payment: ProviderPayment;
  /** Whether the order can be paid in several parts, by bank transfer. */
  takesParts: boolean;
}

/** The payment with its order locked, and the intent read again under the lock. */
interface Attempt extends ReportedPayment {
  context: Context;
  trx: Trx;
  order: Order;
  expected: Expected;
}

/** Reasons why a payment settles nothing: its status at the provider, or an earlier payment of the order. */
type Rejection = "refunded" | "failed" | "mismatch" | "second";

/** Locks the order, decides, and records the outcome. */
export async function settleUnderLock(
  context: Context,
  trx: Trx,
  reported: ReportedPayment,
): Promise<Settlement> {
  const order = await lockOrder(trx, reported.intent.orderId);
  const intent = (await findIntent(trx, { id: reported.intent.id })) ?? reported.intent;
  const attempt: Attempt = { ...reported, context, trx, order, intent, expected: expectedOf(intent, order) };
  // Read again under the lock, because another process may have settled the same payment in the meantime.
  const before = await findPayment(trx, reported.key);
  // Staff have refunded a payment that counted for no order.
  if (reported.payment.status === "refunded" && before?.status === "mismatch")
    return { state: "mismatch", orderId: order.id, problem: before.problem ?? "" };
  // An outcome stored in the meantime is final: this response may be from after its refund.
  const known = decidedBefore(before);
  if (known !== null) return known;
  const rejected = rejectionOf(attempt);
  return rejected === null ? settleFitting(attempt) : rejections[rejected.as](attempt, rejected.problem);
}

function rejectionOf(attempt: Attempt): { as: Rejection; problem: Problem } | null {
  const { payment, order, key, expected, takesParts } = attempt;
  if (payment.status === "refunded") return { as: "refunded", problem: msg("refusals.refundedUnsettled") };
  if (payment.status !== "captured")
    return { as: "failed", problem: payment.errorDescription ?? msg("refusals.unsuccessful") };
  const problem = problemWith(payment, key.providerOrderId, expected, takesParts);
  if (problem !== null) return { as: "mismatch", problem };
  return isPaid(order) ? { as: "second", problem: msg("refusals.paidTwice") } : null;
}

const rejections: Record<Rejection, (attempt: Attempt, problem: Problem) => Promise<Settlement>> = {
  async refunded(attempt, problem) {
    await record(attempt, "refunded", problem);
    return { state: "refunded", orderId: attempt.order.id, problem };
  },

  async failed(attempt, problem) {
    await record(attempt, "failed", problem);
    return { state: "failed", orderId: attempt.order.id, problem };
  },

  async mismatch(attempt, problem) {
    const { trx, order, payment } = attempt;
    await record(attempt, "mismatch", problem);
    const what = `A payment doesn't match the order: ${english(problem)} Refund it in Desk: payment ${payment.id}.`;
    await queuePaymentAlert(trx, order, payment.id, what);
    return { state: "mismatch", orderId: order.id, problem };
  },

  async second(attempt, problem) {
    const { trx, order, payment, intent, takesParts } = attempt;
    if (takesParts && (await applyCreditToWithheld(trx, intent, payment.amountMinor))) {
      await record(attempt, "part", null);
      return { state: "completed", orderId: order.id };
    }
    await record(attempt, "surplus", problem);
    const what = `The order was paid twice. Refund one of the payments in Desk: payment ${payment.id}.`;
    await queuePaymentAlert(trx, order, payment.id, what);
    return { state: "completed", orderId: order.id };
  },
};

/** Accepts a payment that fits, stores it until the rest arrives, or refunds it. */
async function settleFitting(attempt: Attempt): Promise<Settlement> {
  const { context, trx, order, intent, takesParts } = attempt;
  const now = new Date();
  const credit = takesParts ? await creditOf(attempt) : null;
  if (isRefunded(order)) return giveBack(attempt, credit, order, msg("refusals.refundedBefore"));
  const kept = credit && (await recordCredit(trx, context.env.sellers, { order, intent, credit, now }));
  if (kept === null) return accept(attempt, credit, now);
  await record(attempt, kept.status, kept.problem);
  const state = kept.status === "part" ? "pending" : "mismatch";
  return { state, orderId: order.id, problem: kept.problem };
}

/** Settles the order as it was when this payment began; an order that can no longer be fulfilled is refunded. */
async function accept(attempt: Attempt, credit: Credit | null, now: Date): Promise<Settlement> {
  const { context, trx, order, intent, key, takesParts } = attempt;
  const paidFor = await asPaidFor(trx, order, intent);
  await markIntentPaid(trx, intent, { takesMore: takesParts });
  await closeSuperseded(trx, order.id);
  const reason = await whyNotFulfillable(trx, paidFor, now);
  if (reason !== null) {
    await moveOrder(trx, paidFor, { paymentStatus: "refunded" });
    return giveBack(attempt, credit, paidFor, reason);
  }
  await record(attempt, "captured", null);
  if (credit !== null) {
    await updatePartialPayments(trx, key, { status: "part", problem: null });
    await acceptCredit(trx, paidFor, credit);
  }
  await completeOrder(trx, paidFor, context.env, { provider: key.provider, now });
  context.log.info({ orderId: order.id, providerPaymentId: key.providerPaymentId }, "payment settled");
  return { state: "completed", orderId: order.id };
}

/** Queues the refund of a payment that fits, and of the parts before it. */
async function giveBack(
  attempt: Attempt,
  credit: Credit | null,
  order: Order,
  reason: Problem,
): Promise<Settlement> {
  const { context, trx, key, payment } = attempt;
  await record(attempt, "refunded", reason);
  const paid = { providerPaymentId: key.providerPaymentId, amountMinor: netMinor(attempt) };
  for (const { providerPaymentId, amountMinor } of [paid, ...(credit?.parts ?? [])])
    await requestRefund(trx, context.env, {
      order,
      payment: { provider: key.provider, providerPaymentId },
      amount: money(amountMinor, order.total.currency),
      reason,
      by: "store",
    });
  await updatePartialPayments(trx, key, { status: "refunded", problem: serializeMessage(reason) });
  context.log.warn(
    { orderId: order.id, providerPaymentId: payment.id, reason: english(reason) },
    "payment refunded",
  );
  return { state: "refunded", orderId: order.id, problem: reason };
}

function creditOf({ trx, context, order, intent, expected, key, payment }: Attempt): Promise<Credit> {
  return matchCredit(trx, context.env, {
    order,
    intent,
    requestedMinor: expected.amountMinor,
    payment: { ...key, amountMinor: payment.amountMinor },
  });
}

function record(attempt: Attempt, status: PaymentRowStatus, problem: Problem | null): Promise<void> {
  const { trx, order, key, payment } = attempt;
  return savePayment(trx, {
    orderId: order.id,
    provider: key.provider,
    account: attempt.intent.account,
    providerOrderId: key.providerOrderId,
    providerPaymentId: key.providerPaymentId,
    amountMinor: netMinor(attempt),
    customerFeeMinor: feeMinor(attempt),
    currency: payment.currency,
    method: payment.method,
    status,
    problem: problem === null ? null : serializeMessage(problem),
  });
}

const feeMinor = ({ takesParts, payment, expected }: Attempt) =>
  takesParts ? 0 : customerFeeOf(payment, expected);

/** Returns the payment's amount for the order, without the fee that the buyer paid. */
const netMinor = (attempt: Attempt) => attempt.payment.amountMinor - feeMinor(attempt);

/** Returns the final outcome of a payment; null while it is open. */
export function decidedBefore(payment: Payment | null): Settlement | null {
  if (payment?.status === "part" && payment.problem !== null)
    return { state: "pending", orderId: payment.orderId, problem: payment.problem };
  if (payment?.status === "part") return { state: "completed", orderId: payment.orderId };
  if (payment?.status === "captured") return { state: "completed", orderId: payment.orderId };
  // Its order is paid. The sweep reads such a payment repeatedly.
  if (payment?.status === "surplus") return { state: "completed", orderId: payment.orderId };
  if (payment?.status !== "refunded") return null;
  return { state: "refunded", orderId: payment.orderId, problem: payment.problem ?? "" };
}
