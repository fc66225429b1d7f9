/**
 * The one place where money becomes a paid order. The buyer's return, the webhook, the sweeper and the Submit retry all
 * call settlePayment, in any order, from any process, any number of times (docs/decisions/paid-orders.md).
 */

import type { OrderId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Order } from "#db/order.ts";
import {
  findIntent,
  findPayment,
  listPayments,
  markIntentPaid,
  type Payment,
  type PaymentIntent,
  type PaymentKey,
  savePayment,
} from "#db/payments.ts";
import type { Trx } from "#db/tables/index.ts";
import type { PaymentRowStatus } from "#db/tables/payments.ts";
import type { Context } from "#server/context.ts";
import { issueInvoice } from "#server/documents/issue.ts";
import type { Sellers } from "#server/documents/supplier.ts";
import { notFound } from "#server/errors.ts";
import { queueFulfilment } from "#server/fulfilment/queue.ts";
import { lockOrder } from "#server/orders/find.ts";
import { fulfilmentAfterPayment, moveOrder } from "#server/orders/life.ts";
import { isPaid, isRefunded } from "#server/orders/order.ts";
import { whyNotAsPaid } from "#server/orders/still-possible.ts";
import { queueOperatorAlert } from "#server/outbox/mail.ts";
import { intentOf } from "./intents.ts";
import { asPaidFor } from "./paid-for.ts";
import { type ProviderPayment, paymentProviders } from "./provider.ts";
import { requestRefund } from "./refund.ts";

/**
 * pending = the provider has not captured it yet; mismatch = the money does not fit what was asked for, and is kept for a
 * person; refunded = the order can no longer be carried out, and the money goes back.
 */
export type Settlement =
  | { state: "completed"; orderId: OrderId }
  | { state: "pending" | "failed" | "mismatch" | "refunded"; orderId: OrderId; problem: string };

/**
 * Checks a payment at the provider and, when it is captured and fits, completes the order as it was when this payment
 * began: payment row, order, fulfilment job and invoice in one transaction. An order that can no longer be carried out is
 * refunded and never bought. Idempotent by provider payment id.
 * @param key.account who is asked about a provider's order that is not stored; a stored one has its own account
 * @throws DomainError not_found for a provider order that is not ours
 * @throws ProviderError when the provider cannot be reached; nothing is lost, call again
 */
export async function settlePayment(context: Context, key: PaymentKey): Promise<Settlement> {
  const { db } = context;
  const { providerOrderId, providerPaymentId } = key;
  const intent = await intentOf(context, key);
  if (intent === null) throw notFound("payment");
  const { orderId, account } = intent;
  const known = decided(await findPayment(db, key));
  if (known !== null) return known;

  const provider = paymentProviders[key.provider];
  let payment = await provider.getPayment(context, account, providerPaymentId);
  if (payment.status === "authorized" && problemWith(payment, providerOrderId, intent) === null) {
    payment = await provider.capturePayment(context, account, payment);
  }
  if (payment.status === "created" || payment.status === "authorized") {
    return { state: "pending", orderId, problem: "The payment has not been captured yet." };
  }

  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    const report = (status: PaymentRowStatus, problem: string | null) =>
      savePayment(trx, {
        orderId,
        provider: key.provider,
        account,
        providerOrderId,
        providerPaymentId,
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
    // Checked again under the lock, because another process may have settled the same payment meanwhile.
    const already = decided(await findPayment(trx, key));
    if (already !== null) return already;

    const asked = (await findIntent(trx, { id: intent.id })) ?? intent;
    const problem = problemWith(payment, providerOrderId, expectedOf(asked, order));
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
      await requestRefund(trx, { order: unsold, payment: key, amount, reason });
      context.log.warn({ orderId, providerPaymentId: payment.id, reason }, "payment refunded");
      return { state: "refunded", orderId, problem: reason };
    };
    if (isRefunded(order)) return giveBack(order, "An earlier payment for this order was refunded too.");
    const paidFor = await asPaidFor(trx, order, asked);
    await markIntentPaid(trx, asked);
    const now = new Date();
    const reason = await whyNotAsPaid(trx, paidFor, now);
    if (reason !== null) {
      await moveOrder(trx, paidFor, { paymentStatus: "refunded" });
      return giveBack(paidFor, reason);
    }
    await report("captured", null);
    await completeOrder(trx, paidFor, context.env, now);
    context.log.info({ orderId, providerPaymentId: payment.id }, "payment settled");
    return { state: "completed", orderId };
  });
}

/** The final outcome of a payment; null while it is open. */
function decided(payment: Payment | null): Settlement | null {
  if (payment?.status === "captured") return { state: "completed", orderId: payment.orderId };
  if (payment?.status !== "refunded") return null;
  return { state: "refunded", orderId: payment.orderId, problem: payment.problem ?? "" };
}

type Expected = Pick<ProviderPayment, "amountMinor" | "currency">;

/**
 * The amount a payment must have. Superseded intents from before `paidFor` was stored are compared with the order
 * instead.
 */
function expectedOf(intent: PaymentIntent, { total }: Order): Expected {
  if (intent.status !== "superseded" || intent.paidFor !== null) return intent;
  return { amountMinor: total.minor, currency: total.currency };
}

/** Payments of an order that were made but not accepted, which put the review page into its retry state. */
export async function unsettledPayments(context: Context, orderId: OrderId): Promise<Payment[]> {
  const payments = await listPayments(context.db, orderId);
  return payments.filter(({ status }) => status === "returned" || status === "mismatch");
}

/** Why an order's latest payment failed, in the provider's words for the buyer; null when it has not failed. */
export async function lastFailure(context: Context, orderId: OrderId): Promise<string | null> {
  const latest = (await listPayments(context.db, orderId)).at(-1);
  return latest?.status === "failed" ? latest.problem : null;
}

async function completeOrder(trx: Trx, order: Order, sellers: Sellers, now: Date): Promise<void> {
  const next = fulfilmentAfterPayment(order);
  await moveOrder(trx, order, {
    stage: "stage3",
    paymentStatus: "completed",
    fulfilmentStatus: next,
    paidAt: now,
    termsAcceptedAt: order.termsAcceptedAt ?? now,
  });
  if (next === "queued") await queueFulfilment(trx, order.id);
  await issueInvoice(trx, sellers, order.id, now);
}

/** Why this payment does not fit the expected order or amount; null when it fits. */
function problemWith(payment: ProviderPayment, providerOrderId: string, expected: Expected): string | null {
  if (payment.orderId !== providerOrderId) return "It was made for another order.";
  if (payment.currency !== expected.currency)
    return `Paid in ${payment.currency} instead of ${expected.currency}.`;
  if (payment.amountMinor !== expected.amountMinor) {
    return `Paid ${payment.amountMinor / 100} instead of ${expected.amountMinor / 100} ${expected.currency}.`;
  }
  return null;
}

async function alert(trx: Trx, order: Order, paymentId: string, what: string): Promise<void> {
  await queueOperatorAlert(trx, { dedupeKey: `payment-alert:${paymentId}`, orderId: order.id, what });
}
