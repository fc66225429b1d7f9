/** Completes a paid order, in the transaction that settles its payment. */
import { listPayments, updatePartialPayments } from "#db/billing/payments.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import type { PaymentProviderId } from "#db/tables/payments.ts";
import { issueInvoice } from "#server/billing/documents/issue.ts";
import { listOtherPayers, notifyPayers } from "#server/billing/quotes/requests.ts";
import { otherMethods } from "#server/catalogue/pricing/payment-methods.ts";
import { msg, serializeMessage } from "#server/foundation/languages/text.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { queueFulfilment } from "#server/fulfilment/queue.ts";
import { fulfilmentAfterPayment, moveOrder } from "#server/orders/order-lifecycle.ts";
import type { Env } from "#server/platform/env.ts";
import { queuePaymentAlert } from "./payment-alert.ts";
import { providerOf } from "./registry.ts";

/**
 * Marks the order as paid, and queues its fulfilment, the mails to other payers, and the buyer's mail to continue. The invoice
 * comes last, because it locks the series, for which all payments of a country wait.
 */
export async function completeOrder(
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
  await leaveParts(trx, order);
  await tellPayers(trx, order, { provider, waitsForSignIn: next === "waiting_for_signin" });
  await issueInvoice(trx, env, order.id, now);
}

async function tellPayers(
  trx: Trx,
  order: Order,
  { provider, waitsForSignIn }: { provider: PaymentProviderId; waitsForSignIn: boolean },
): Promise<void> {
  const payers = await listOtherPayers(trx, order);
  await notifyPayers(trx, order, payers);
  const isPaidElsewhere = otherMethods.some((method) => providerOf[method] === provider);
  if (waitsForSignIn && (isPaidElsewhere || payers.length > 0)) await callBuyerBack(trx, order);
}

/**
 * Mails the buyer to continue. Buyers who pay in the checkout continue on its return page; when somebody else paid, or money
 * came to an
 * account, nobody leads the buyer to the sign-in that their order waits for (docs/decisions/quotes.md#approval-and-payment-by-link).
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

/** Marks partial payments to other intents of the order as surplus, and alerts staff to refund them. */
async function leaveParts(trx: Trx, order: Order): Promise<void> {
  const payments = await listPayments(trx, order.id);
  for (const part of payments.filter(({ status, problem }) => status === "part" && problem !== null)) {
    await updatePartialPayments(trx, part, {
      status: "surplus",
      problem: serializeMessage(msg("refusals.paidTwice")),
    });
    await queuePaymentAlert(
      trx,
      order,
      part.providerPaymentId,
      `The order was paid another way. Refund this payment in Desk: ${part.providerPaymentId}.`,
    );
  }
}
