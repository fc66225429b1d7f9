/**
 * Refunds: requested in the transaction that decides on them, carried out by a job. The refund's own id is the provider's
 * idempotency key, so the money goes back once even after a crash.
 */
import { newId, type RefundId } from "#db/ids.ts";
import type { Money } from "#db/money.ts";
import type { Order } from "#db/order.ts";
import type { ProviderPaymentKey } from "#db/payments.ts";
import { findRefund, insertRefund, type Refund, type RefundOutcome, updateRefund } from "#db/refunds.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { addJob } from "#server/outbox/jobs.ts";
import { queueMail, queueOperatorAlert } from "#server/outbox/mail.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { paymentProviders } from "./provider.ts";

/**
 * Requests a refund, and tells the buyer and the operator by mail.
 * @param refund.amount from one minor unit to what was captured
 * @param refund.reason why, in words for the buyer
 */
export async function requestRefund(
  trx: Trx,
  refund: { order: Order; payment: ProviderPaymentKey; amount: Money; reason: string },
): Promise<void> {
  const { order, payment, amount, reason } = refund;
  const id = newId<RefundId>();
  await insertRefund(trx, {
    id,
    orderId: order.id,
    provider: payment.provider,
    providerPaymentId: payment.providerPaymentId,
    amountMinor: amount.minor,
    currency: amount.currency,
    reason,
  });
  await addJob(trx, "refund-payment", { refundId: id }, { jobKey: `refund:${id}` });
  if (order.account !== null) {
    await queueMail(trx, {
      kind: "order-refunded",
      dedupeKey: `order-refunded:${id}`,
      recipient: order.account.email,
      userId: order.userId,
      orderId: order.id,
      data: { amount: formatMoney(amount), reason },
    });
  }
  await queueOperatorAlert(trx, {
    dedupeKey: `refund-requested:${id}`,
    orderId: order.id,
    what: `Payment ${payment.providerPaymentId} is being refunded in full, ${formatMoney(amount)}, and nothing was bought. ${reason}`,
  });
}

/**
 * The job that carries out a refund. A refusal goes to the operator, since a retry would change nothing.
 * @throws ProviderError while the provider cannot be reached, so that the queue retries
 */
export async function refundPayment(context: Context, refundId: RefundId): Promise<void> {
  const { db, log } = context;
  const refund = await findRefund(db, refundId);
  if (refund === null || refund.status !== "requested") return;
  try {
    const made = await paymentProviders[refund.provider].refund(context, refund.account, {
      paymentId: refund.providerPaymentId,
      amountMinor: refund.amountMinor,
      key: refund.id,
    });
    await finish(context, refund, {
      status: made.status,
      providerRefundId: made.id,
      problem: made.status === "failed" ? "The provider answered: failed." : null,
    });
    log.info({ refundId, orderId: refund.orderId, status: made.status }, "a refund was asked for");
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "refused") throw error;
    log.warn({ err: error, refundId, description: error.description }, "a refund was refused");
    const problem = error.description ?? error.message;
    await finish(context, refund, { status: "failed", providerRefundId: null, problem });
  }
}

async function finish(
  { db }: Context,
  { id, orderId, providerPaymentId }: Refund,
  outcome: RefundOutcome,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await updateRefund(trx, id, outcome);
    if (outcome.status !== "failed") return;
    await queueOperatorAlert(trx, {
      dedupeKey: `refund-failed:${id}`,
      orderId,
      what: `The refund of payment ${providerPaymentId} did not go through, please give the money back by hand: ${outcome.problem}`,
    });
  });
}
