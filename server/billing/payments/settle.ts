/**
 * The one place where money becomes a paid order. The buyer's return, the webhook, the sweeper and the Submit retry all
 * call settlePayment, in any order, from any process, any number of times (docs/decisions/paid-orders.md).
 */

import {
  findIntent,
  findPayment,
  listPayments,
  markIntentPaid,
  type Payment,
  type PaymentIntent,
  type PaymentKey,
  savePayment,
  updatePartialPayments,
} from "#db/billing/payments.ts";
import { listReceivedPayments, type ReceivedPayment } from "#db/billing/refunds.ts";
import type { OrderId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import type { PaymentProviderId, PaymentRowStatus } from "#db/tables/payments.ts";
import { issueInvoice } from "#server/billing/documents/issue.ts";
import { listOtherPayers, notifyPayers } from "#server/billing/quotes/requests.ts";
import { otherMethods } from "#server/catalogue/pricing/payment-methods.ts";
import { notFound } from "#server/foundation/errors.ts";
import { english, type MessageDescriptor, msg, serializeMessage } from "#server/foundation/languages/text.ts";
import { queueOperatorAlert, queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { queueFulfilment } from "#server/fulfilment/queue.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import { lockOrder } from "#server/orders/find.ts";
import { fulfilmentAfterPayment, moveOrder } from "#server/orders/order-lifecycle.ts";
import { whyNotFulfillable } from "#server/orders/order-preconditions.ts";
import { isPaid, isRefunded } from "#server/orders/payment-state.ts";
import { closeSuperseded } from "#server/orders/superseded-payments.ts";
import type { Context } from "#server/platform/context.ts";
import type { Env } from "#server/platform/env.ts";
import { acceptCredit, applyCreditToWithheld, matchCredit, recordCredit } from "./credits.ts";
import { queueEarlierReports } from "./earlier-reports.ts";
import { intentOf } from "./intents.ts";
import { asPaidFor } from "./paid-for.ts";
import type { ProviderPayment } from "./provider.ts";
import { requestRefund } from "./refund.ts";
import { paymentProviders, providerOf } from "./registry.ts";

/**
 * pending = the provider has not captured it yet, or more is to come; mismatch = the money does not fit what was asked for, and is kept for a
 * person; refunded = the order can no longer be carried out, and the money goes back.
 */
export type Settlement =
  | { state: "completed"; orderId: OrderId }
  | {
      state: "pending" | "failed" | "mismatch" | "refunded";
      orderId: OrderId;
      problem: MessageDescriptor | string;
    };

/**
 * Checks a payment at the provider and, when it is captured and fits, completes the order as it was when this payment
 * began: payment row, order, fulfilment job and invoice in one transaction. An order that can no longer be carried out is
 * refunded and never bought. Idempotent by provider payment id.
 * @param reported.account who is asked about a provider's order that is not stored; a stored one has its own account
 * @throws DomainError not_found for a provider order that is not ours
 * @throws ProviderError when the provider cannot be reached; nothing is lost, call again
 */
export async function settlePayment(context: Context, reported: PaymentKey): Promise<Settlement> {
  const { db } = context;
  const found = await intentOf(context, reported);
  if (found === null) throw notFound("payment");
  const { intent, ...key } = { ...reported, ...found };
  const { providerOrderId, providerPaymentId } = key;
  const { orderId, account } = intent;
  const known = decided(await findPayment(db, key));
  if (known !== null) return known;

  const provider = paymentProviders[key.provider];
  let payment = await forOrder(orderId, () => provider.getPayment(context, account, key));
  if (
    payment.status === "authorized" &&
    problemWith(payment, providerOrderId, intent, provider.takesParts) === null
  ) {
    const authorized = payment;
    payment = await forOrder(orderId, () => provider.capturePayment(context, account, authorized));
  }
  if (payment.status === "created" || payment.status === "authorized") {
    return { state: "pending", orderId, problem: msg("refusals.uncaptured") };
  }

  const decide = async (trx: Trx): Promise<Settlement> => {
    const order = await lockOrder(trx, orderId);
    const intentNow = (await findIntent(trx, { id: intent.id })) ?? intent;
    const expected = expectedOf(intentNow, order);
    const { takesParts } = provider;
    const customerFeeMinor = takesParts ? 0 : customerFeeOf(payment, expected);
    const report = (status: PaymentRowStatus, problem: MessageDescriptor | string | null) =>
      savePayment(trx, {
        orderId,
        provider: key.provider,
        account,
        providerOrderId,
        providerPaymentId,
        amountMinor: payment.amountMinor - customerFeeMinor,
        customerFeeMinor,
        currency: payment.currency,
        method: payment.method,
        status,
        problem: problem === null ? null : serializeMessage(problem),
      });

    // Read again under the lock, because another process may have settled the same payment meanwhile.
    const before = await findPayment(trx, key);
    // Money that no order uses was given back.
    if (payment.status === "refunded" && before !== null) {
      if (before.status === "mismatch") return { state: "mismatch", orderId, problem: before.problem ?? "" };
    }
    // What was decided meanwhile stays so: the answer may be from after a refund of it.
    const already = decided(before);
    if (already !== null) return already;
    if (payment.status === "refunded") {
      const problem = msg("refusals.refundedUnsettled");
      await report("refunded", problem);
      return { state: "refunded", orderId, problem };
    }
    if (payment.status !== "captured") {
      const problem = payment.errorDescription ?? msg("refusals.unsuccessful");
      await report("failed", problem);
      return { state: "failed", orderId, problem };
    }

    const problem = problemWith(payment, providerOrderId, expected, takesParts);
    if (problem !== null) {
      await report("mismatch", problem);
      await alert(
        trx,
        order,
        payment.id,
        `A payment doesn't match the order: ${english(problem)} Refund it in Desk: payment ${payment.id}.`,
      );
      return { state: "mismatch", orderId, problem };
    }
    if (isPaid(order)) {
      if (takesParts && (await applyCreditToWithheld(trx, intentNow, payment.amountMinor))) {
        await report("part", null);
        return { state: "completed", orderId };
      }
      await report("surplus", msg("refusals.paidTwice"));
      await alert(
        trx,
        order,
        payment.id,
        `The order was paid twice. Refund one of the payments in Desk: payment ${payment.id}.`,
      );
      return { state: "completed", orderId };
    }
    const credit = takesParts
      ? await matchCredit(trx, context.env, {
          order,
          intent: intentNow,
          requestedMinor: expected.amountMinor,
          payment: { ...key, amountMinor: payment.amountMinor },
        })
      : null;
    const giveBack = async (unsold: Order, reason: MessageDescriptor | string): Promise<Settlement> => {
      await report("refunded", reason);
      const amount = money(payment.amountMinor - customerFeeMinor, unsold.total.currency);
      await requestRefund(trx, context.env, { order: unsold, payment: key, amount, reason, by: "store" });
      for (const part of credit?.parts ?? []) {
        const partAmount = money(part.amountMinor, unsold.total.currency);
        const { provider: by } = key;
        const partKey = { provider: by, providerPaymentId: part.providerPaymentId };
        await requestRefund(trx, context.env, {
          order: unsold,
          payment: partKey,
          amount: partAmount,
          reason,
          by: "store",
        });
      }
      await updatePartialPayments(trx, key, { status: "refunded", problem: serializeMessage(reason) });
      context.log.warn(
        { orderId, providerPaymentId: payment.id, reason: english(reason) },
        "payment refunded",
      );
      return { state: "refunded", orderId, problem: reason };
    };
    if (isRefunded(order)) return giveBack(order, msg("refusals.refundedBefore"));
    const now = new Date();
    const kept =
      credit === null
        ? null
        : await recordCredit(trx, context.env.sellers, { order, intent: intentNow, credit, now });
    if (kept !== null) {
      await report(kept.status, kept.problem);
      return { state: kept.status === "part" ? "pending" : "mismatch", orderId, problem: kept.problem };
    }
    const paidFor = await asPaidFor(trx, order, intentNow);
    await markIntentPaid(trx, intentNow, { takesMore: takesParts });
    await closeSuperseded(trx, orderId);
    const reason = await whyNotFulfillable(trx, paidFor, now);
    if (reason !== null) {
      await moveOrder(trx, paidFor, { paymentStatus: "refunded" });
      return giveBack(paidFor, reason);
    }
    await report("captured", null);
    if (credit !== null) {
      await updatePartialPayments(trx, key, { status: "part", problem: null });
      await acceptCredit(trx, paidFor, credit);
    }
    await leaveParts(trx, paidFor);
    await completeOrder(trx, paidFor, context.env, { provider: key.provider, now });
    context.log.info({ orderId, providerPaymentId: payment.id }, "payment settled");
    return { state: "completed", orderId };
  };
  return db.transaction().execute(async (trx) => {
    // Before the series of invoices is locked, for which all payments of a country wait.
    if (payment.status === "captured" || payment.status === "refunded")
      await queueEarlierReports(trx, { ...key, account }, payment);
    return decide(trx);
  });
}

/** The final outcome of a payment; null while it is open. */
function decided(payment: Payment | null): Settlement | null {
  if (payment?.status === "part" && payment.problem !== null)
    return { state: "pending", orderId: payment.orderId, problem: payment.problem };
  if (payment?.status === "part") return { state: "completed", orderId: payment.orderId };
  if (payment?.status === "captured") return { state: "completed", orderId: payment.orderId };
  // Of an order that is paid: the sweeper comes by it again.
  if (payment?.status === "surplus") return { state: "completed", orderId: payment.orderId };
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

/** Payments of an order that were made but not accepted and not given back, which put the review page into its retry state. */
export async function unsettledPayments(context: Context, orderId: OrderId): Promise<Payment[]> {
  return filterUnsettledPayments(context, orderId, await listPayments(context.db, orderId));
}

/** The same, of all the order's payments. */
export async function filterUnsettledPayments(
  { db }: Pick<Context, "db">,
  orderId: OrderId,
  payments: readonly Payment[],
): Promise<Payment[]> {
  const isAnyHeld = payments.some(({ status }) => status === "mismatch");
  const gone = isAnyHeld ? (await listReceivedPayments(db, orderId)).filter(isGone) : [];
  return payments.filter(
    ({ status, providerPaymentId }) =>
      status === "returned" ||
      (status === "mismatch" && !gone.some((each) => each.providerPaymentId === providerPaymentId)),
  );
}

function isGone({ amountMinor, goneMinor }: ReceivedPayment): boolean {
  return amountMinor !== null && goneMinor >= amountMinor;
}

/** Why an order's latest payment failed, for the buyer; null when it has not failed. */
export async function lastFailure(
  context: Context,
  orderId: OrderId,
): Promise<MessageDescriptor | string | null> {
  const latest = (await listPayments(context.db, orderId)).at(-1);
  return latest?.status === "failed" ? latest.problem : null;
}

async function completeOrder(
  trx: Trx,
  order: Order,
  env: Env,
  { provider, now }: { provider: PaymentProviderId; now: Date },
): Promise<void> {
  const next = fulfilmentAfterPayment(order);
  await moveOrder(trx, order, {
    stage: "stage3",
    paymentStatus: "completed",
    fulfilmentStatus: next,
    paidAt: now,
    termsAcceptedAt: order.termsAcceptedAt ?? now,
  });
  if (next === "queued") await queueFulfilment(trx, order.id);
  const payers = await listOtherPayers(trx, order);
  await notifyPayers(trx, order, payers);
  const isPaidElsewhere = otherMethods.some((method) => providerOf[method] === provider);
  if (next === "waiting_for_signin" && (isPaidElsewhere || payers.length > 0))
    await callBuyerBack(trx, order);
  await issueInvoice(trx, env, order.id, now);
}

/**
 * Whoever pays in the checkout is led on by the page they come back to. Where somebody else may have paid, or money came to an
 * account, nobody leads the buyer to the sign-in that their order waits for (docs/decisions/quotes.md).
 */
async function callBuyerBack(trx: Trx, { id, account, userId }: Order): Promise<void> {
  if (account === null) return;
  await queueOwnMail(trx, {
    kind: "signin-reminder",
    dedupeKey: `signin-reminder:${id}:paid`,
    userId,
    orderId: id,
    data: { paidBy: "another" },
    isAwaited: true,
  });
}

/** What has come in for another of the order's intents than the one that was paid is for a person to give back. */
async function leaveParts(trx: Trx, order: Order): Promise<void> {
  const payments = await listPayments(trx, order.id);
  for (const part of payments.filter(({ status, problem }) => status === "part" && problem !== null)) {
    await updatePartialPayments(trx, part, {
      status: "surplus",
      problem: serializeMessage(msg("refusals.paidTwice")),
    });
    await alert(
      trx,
      order,
      part.providerPaymentId,
      `The order was paid another way. Refund this payment in Desk: ${part.providerPaymentId}.`,
    );
  }
}

/**
 * Returns the provider's fee that the buyer paid on top of the order, in minor units; 0 when the amount is anything else than
 * both together. Some accounts have their customers bear the fee (docs/decisions/customer-fees.md).
 */
function customerFeeOf({ amountMinor, feeMinor }: ProviderPayment, expected: Expected): number {
  return feeMinor !== null && amountMinor === expected.amountMinor + feeMinor ? feeMinor : 0;
}

/** Why this payment does not fit the expected order or amount; null when it fits. @param takesParts any amount does */
function problemWith(
  payment: ProviderPayment,
  providerOrderId: string,
  expected: Expected,
  takesParts: boolean,
): MessageDescriptor | null {
  if (payment.orderId !== providerOrderId) return msg("refusals.otherOrder");
  if (payment.currency !== expected.currency)
    return msg("refusals.otherCurrency", { paid: payment.currency, asked: expected.currency });
  if (!takesParts && payment.amountMinor - customerFeeOf(payment, expected) !== expected.amountMinor) {
    return msg("refusals.otherAmount", {
      paid: payment.amountMinor / 100,
      asked: expected.amountMinor / 100,
      currency: expected.currency,
    });
  }
  return null;
}

async function alert(trx: Trx, order: Order, paymentId: string, what: string): Promise<void> {
  await queueOperatorAlert(trx, { dedupeKey: `payment-alert:${paymentId}`, orderId: order.id, what });
}
