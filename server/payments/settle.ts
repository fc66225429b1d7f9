/**
 * settlePayment: the one place where money becomes a paid order. The buyer's return, the webhook, the sweeper and the
 * Submit retry all end here, in any order, from any process, as often as they like (docs/decisions/paid-orders.md).
 */

import type { OrderId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Order } from "#db/order.ts";
import {
  findIntent,
  findIntentByProviderOrder,
  findPayment,
  listPayments,
  markIntentPaid,
  savePayment,
} from "#db/payments.ts";
import type { Trx } from "#db/tables/index.ts";
import type { PaymentIntentRow, PaymentRow } from "#db/tables/payments.ts";
import type { Context } from "#server/context.ts";
import { issueInvoice } from "#server/documents/issue.ts";
import { type Supplier, supplierOf } from "#server/documents/supplier.ts";
import { notFound } from "#server/errors.ts";
import { queueFulfilment } from "#server/fulfilment/queue.ts";
import { lockOrder } from "#server/orders/find.ts";
import { fulfilmentAfterPayment, moveOrder } from "#server/orders/life.ts";
import { isPaid, isRefunded } from "#server/orders/order.ts";
import { whyNotAsPaid } from "#server/orders/still-possible.ts";
import { queueOperatorAlert } from "#server/outbox/mail.ts";
import { ProviderError } from "#server/providers/errors.ts";
import type { Razorpay } from "#server/providers/razorpay.ts";
import { intentOf } from "./intents.ts";
import { asPaidFor } from "./paid-for.ts";
import { requestRefund } from "./refund.ts";

type ProviderPayment = Awaited<ReturnType<Razorpay["getPayment"]>>;

/**
 * pending = the provider has not captured it yet; mismatch = money that does not fit what was asked for, kept for a person;
 * refunded = the order cannot be carried out any more, and the money goes back.
 */
export type Settlement =
  | { state: "completed"; orderId: OrderId }
  | { state: "pending" | "failed" | "mismatch" | "refunded"; orderId: OrderId; problem: string };

/**
 * Checks a payment at the provider and, when it is captured and fits, pays the order as it was when this payment was begun:
 * payment row, order, fulfilment job and invoice in one transaction. What can no longer be carried out is refunded instead, and
 * never bought. Idempotent by provider payment id.
 * @throws DomainError not_found when we never asked for this provider order
 * @throws ProviderError when the provider cannot be asked; nothing is lost, ask again
 */
export async function settlePayment(
  context: Context,
  input: { providerOrderId: string; providerPaymentId: string },
): Promise<Settlement> {
  const { db, razorpay } = context;
  const intent = await intentOf(context, input.providerOrderId);
  if (intent === null) throw notFound("payment");
  const orderId = intent.order_id;
  const known = decided(await findPayment(db, input.providerPaymentId));
  if (known !== null) return known;

  let payment = await razorpay.getPayment(input.providerPaymentId);
  if (payment.status === "authorized" && problemWith(payment, input.providerOrderId, intent) === null) {
    payment = await razorpay.capturePayment(payment.id, payment.amountMinor, payment.currency);
  }
  if (payment.status === "created" || payment.status === "authorized") {
    return { state: "pending", orderId, problem: "The payment has not been captured yet." };
  }

  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    const report = (status: PaymentRow["status"], problem: string | null) =>
      savePayment(trx, {
        orderId,
        providerPaymentId: payment.id,
        providerOrderId: input.providerOrderId,
        amountMinor: payment.amountMinor,
        currency: payment.currency,
        method: payment.method,
        status,
        problem,
      });

    if (payment.status !== "captured") {
      const problem = payment.errorDescription ?? "The payment was not successful.";
      await report("failed", problem);
      return { state: "failed", orderId, problem };
    }
    // Asked again under the lock: another process may have settled this very payment a moment ago.
    const already = decided(await findPayment(trx, payment.id));
    if (already !== null) return already;

    const asked = (await findIntent(trx, { id: intent.id })) ?? intent;
    const problem = problemWith(payment, input.providerOrderId, expectedOf(asked, order));
    if (problem !== null) {
      await report("mismatch", problem);
      await alert(trx, order, payment.id, `Payment does not fit the order: ${problem}`);
      return { state: "mismatch", orderId, problem };
    }
    if (isPaid(order)) {
      await report("surplus", "The order was already paid.");
      await alert(trx, order, payment.id, "The order was paid twice: please refund this payment.");
      return { state: "completed", orderId };
    }
    const giveBack = async (unsold: Order, reason: string): Promise<Settlement> => {
      await report("refunded", reason);
      const amount = money(payment.amountMinor, unsold.total.currency);
      await requestRefund(trx, { order: unsold, providerPaymentId: payment.id, amount, reason });
      context.log.warn({ orderId, providerPaymentId: payment.id, reason }, "payment refunded");
      return { state: "refunded", orderId, problem: reason };
    };
    if (isRefunded(order)) return giveBack(order, "An earlier payment for this order was refunded too.");
    const paidFor = await asPaidFor(trx, order, asked);
    await markIntentPaid(trx, asked);
    const now = new Date();
    const reason = await whyNotAsPaid(trx, paidFor, now);
    if (reason !== null) {
      await moveOrder(trx, paidFor, { payment_status: "refunded" });
      return giveBack(paidFor, reason);
    }
    await report("captured", null);
    await completeOrder(trx, paidFor, supplierOf(context.env), now);
    context.log.info({ orderId, providerPaymentId: payment.id }, "payment settled");
    return { state: "completed", orderId };
  });
}

/** What was decided on a payment for good; null while that is open. */
function decided(payment: PaymentRow | null): Settlement | null {
  if (payment?.status === "captured") return { state: "completed", orderId: payment.order_id };
  if (payment?.status !== "refunded") return null;
  return { state: "refunded", orderId: payment.order_id, problem: payment.problem ?? "" };
}

/** What a payment must be of: what it was begun for. One of an earlier version that was superseded is held against the order. */
function expectedOf(intent: PaymentIntentRow, { total }: Order): { amount_minor: number; currency: string } {
  if (intent.status !== "superseded" || intent.paid_for !== null) return intent;
  return { amount_minor: total.minor, currency: total.currency };
}

/** Records a signed return before it is checked, so that a payment is never forgotten while the provider is away. */
export async function recordReturn(
  context: Context,
  input: { providerOrderId: string; providerPaymentId: string },
): Promise<OrderId> {
  const intent = await findIntentByProviderOrder(context.db, input.providerOrderId);
  if (intent === null) throw notFound("payment");
  await context.db.transaction().execute(async (trx) => {
    // The order first, as settlePayment does: a payment's row refers to it, and two who lock crosswise wait for each other.
    await lockOrder(trx, intent.order_id);
    await savePayment(trx, {
      orderId: intent.order_id,
      ...input,
      amountMinor: null,
      currency: null,
      method: null,
      status: "returned",
      problem: null,
    });
  });
  return intent.order_id;
}

/** Looks at a payment that the browser says has failed; nothing is believed that the provider does not confirm. */
export async function recordFailure(
  context: Context,
  input: { providerOrderId: string; providerPaymentId: string },
): Promise<void> {
  // Whoever posts this need not be the provider: an order that it alone knows is not worth a question.
  if ((await findIntentByProviderOrder(context.db, input.providerOrderId)) === null)
    throw notFound("payment");
  try {
    await settlePayment(context, input);
  } catch (error) {
    // The sweeper asks again; the buyer only misses the reason.
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error }, "a failed payment could not be looked at");
  }
}

/** Payments of an unpaid order that were made but not accepted: what puts the review page into its retry state. */
export async function unsettledPayments(context: Context, orderId: OrderId): Promise<PaymentRow[]> {
  const payments = await listPayments(context.db, orderId);
  return payments.filter(({ status }) => status === "returned" || status === "mismatch");
}

/** Why the latest payment of an unpaid order failed, in the provider's words for the buyer; null when none did. */
export async function lastFailure(context: Context, orderId: OrderId): Promise<string | null> {
  const latest = (await listPayments(context.db, orderId)).at(-1);
  return latest?.status === "failed" ? latest.problem : null;
}

async function completeOrder(trx: Trx, order: Order, supplier: Supplier, now: Date): Promise<void> {
  const next = fulfilmentAfterPayment(order.kind, order.family);
  await moveOrder(trx, order, {
    stage: "stage3",
    payment_status: "completed",
    fulfilment_status: next,
    paid_at: now,
    terms_accepted_at: order.termsAcceptedAt ?? now,
  });
  if (next === "queued") await queueFulfilment(trx, order.id);
  await issueInvoice(trx, supplier, order.id, now);
}

/** Why this payment must not pay for the expected amount, or null. */
function problemWith(
  payment: ProviderPayment,
  providerOrderId: string,
  expected: { amount_minor: number; currency: string },
): string | null {
  if (payment.orderId !== providerOrderId) return "It was made for another order.";
  if (payment.currency !== expected.currency)
    return `Paid in ${payment.currency} instead of ${expected.currency}.`;
  if (payment.amountMinor !== expected.amount_minor) {
    return `Paid ${payment.amountMinor / 100} instead of ${expected.amount_minor / 100} ${expected.currency}.`;
  }
  return null;
}

async function alert(trx: Trx, order: Order, paymentId: string, what: string): Promise<void> {
  await queueOperatorAlert(trx, { dedupeKey: `payment-alert:${paymentId}`, orderId: order.id, what });
}
