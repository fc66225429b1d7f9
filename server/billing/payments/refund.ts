/**
 * Refunds: requested in the transaction that decides on them, and sent by a job. The refund's own id is the provider's
 * idempotency key, so the money is refunded once even after a crash. Provider reports are handled in refund-reports.ts.
 */

import type { ProviderPaymentKey } from "#db/billing/payment-keys.ts";
import {
  findReceivedPayment,
  type ReceivedPayment,
  readOrderCreditTotals,
} from "#db/billing/received-payments.ts";
import {
  findRefund,
  findReportedRefund,
  insertRefund,
  type Refund,
  recordRefundProblem,
} from "#db/billing/refunds.ts";
import { type CancellationId, newId, type RefundId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { PaymentRowStatus } from "#db/tables/payments.ts";
import { issueCreditNote } from "#server/billing/documents/credit-note.ts";
import type { RegistrationSettings } from "#server/billing/documents/registration-queue.ts";
import type { Sellers } from "#server/billing/documents/supplier.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { divideRefund } from "#server/catalogue/pricing/refund.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { english, type MessageDescriptor, serializeMessage } from "#server/foundation/languages/text.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { queueMail, queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { scaledMs } from "#server/fulfilment/retry-schedule.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import { noFunds, ProviderError } from "#server/integrations/errors.ts";
import { lockOrder } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";
import { updatePaymentStatus } from "./payment-status.ts";
import type { ReportedRefund } from "./provider.ts";
import { applyRefundOutcome, notifyBuyerOfRefund } from "./refund-outcome.ts";
import { paymentProviders } from "./registry.ts";

type Decided =
  | { by: "store" | "operator" }
  /** Refund of returned licences. `licences` is undefined when the refund is not their full amount. */
  | { by: "buyer"; cancellationId?: CancellationId; licences?: number | undefined }
  /** Begun at the provider: recorded, but not requested. */
  | { by: "provider"; made: ReportedRefund };

export type NewRefund = Decided & {
  order: Order;
  payment: ProviderPaymentKey;
  amount: Money;
  reason: MessageDescriptor | string;
};

/**
 * Requests a refund, under its order's lock. A refund of the invoiced amount gets a credit note, which is mailed to the buyer;
 * a refund of the surplus gets none. A buyer whose order was never fulfilled is mailed the reason. Progress is mailed as
 * the provider reports it (refund-outcome.ts); for returned licences there is only the cancellation mail
 * (server/billing/cancellations/notify.ts). Also updates the order's payment status and version.
 * @param refund.amount from one minor unit to the rest: the received amount less every refund that did not fail
 * @param refund.reason text for the buyer
 * @param refund.by who decided on it
 * @throws DomainError conflict for more than the rest, for a payment that brought no money, and for one too old for a refund at
 * the provider; not_found for another order's payment. Nothing changes then
 */
export async function requestRefund(
  trx: Trx,
  sellers: Sellers & RegistrationSettings,
  refund: NewRefund,
): Promise<RefundId> {
  const { order, payment, by } = refund;
  await lockOrder(trx, order.id);
  const received = await findReceivedPayment(trx, payment);
  if (received?.orderId !== order.id) throw notFound("payment");
  const made = refund.by === "provider" ? refund.made : null;
  const { amount, customerFeeMinor, surplusMinor, creditMinor } = await divideReturned(trx, received, refund);
  if (made === null) requireRefundable(received, amount, new Date());
  const reason = serializeMessage(refund.reason);
  const id = newId<RefundId>();
  const isNew = await insertRefund(trx, {
    id,
    orderId: order.id,
    provider: payment.provider,
    providerPaymentId: payment.providerPaymentId,
    amountMinor: amount.minor,
    customerFeeMinor,
    currency: amount.currency,
    reason,
    status: made?.status ?? "requested",
    providerRefundId: made?.id ?? null,
    bankReference: made?.bankReference ?? null,
    decidedBy: by,
    surplusMinor,
    cancellationId: refund.by === "buyer" ? (refund.cancellationId ?? null) : null,
  });
  if (!isNew) throw new RangeError("A refund of the provider's was recorded while its order was locked");
  if (made === null) await addJob(trx, "refund-payment", { refundId: id }, { jobKey: `refund:${id}` });
  const credit = money(creditMinor, amount.currency);
  const licences = refund.by === "buyer" ? refund.licences : undefined;
  const credited = { orderId: order.id, refundId: id, amount: credit, reason, licences, now: new Date() };
  const note = creditMinor > 0 ? await issueCreditNote(trx, sellers, credited) : null;
  // The cancellation mail links to its credit notes.
  if (note !== null && order.account !== null && by !== "buyer") {
    await queueMail(trx, {
      kind: "credit-note",
      dedupeKey: `credit-note:${id}`,
      recipient: order.account.email,
      userId: order.userId,
      orderId: order.id,
      data: { refundId: id },
    });
  }
  if (note === null && order.account !== null && by === "store") {
    await queueMail(trx, {
      kind: "order-refunded",
      dedupeKey: `order-refunded:${id}`,
      recipient: order.account.email,
      userId: order.userId,
      orderId: order.id,
      // A worker of the previous version reads the English text.
      data: { amount: formatMoney(amount), reason: english(reason), reasonMessage: reason },
    });
  }
  if (made !== null && made.status !== "failed")
    await notifyBuyerOfRefund(trx, { id, orderId: order.id, decidedBy: by }, made.status);
  if (by === "provider") await askAboutLicences(trx, id, refund);
  await updatePaymentStatus(trx, order.id);
  return id;
}

/** Divides a refund into the amount for the order, the customer fee, the surplus, and the amount of the credit note. */
export async function divideReturned(
  trx: Trx,
  received: ReceivedPayment,
  refund: Pick<NewRefund, "amount" | "by">,
): Promise<{ amount: Money; customerFeeMinor: number; surplusMinor: number; creditMinor: number }> {
  const { amount, customerFeeMinor } = withCustomerFee(received, refund);
  // Any other payment was never invoiced.
  const isInvoiced = received.status === "captured" || received.status === "part";
  const { surplusMinor, creditMinor } = isInvoiced
    ? divideRefund(amount.minor, await readOrderCreditTotals(trx, received.orderId), {
        isOfLicences: refund.by === "buyer",
      })
    : { surplusMinor: 0, creditMinor: 0 };
  return { amount, customerFeeMinor, surplusMinor, creditMinor };
}

/**
 * Divides a refund into the amount for the order and the fee that the buyer paid on top. The fee is refunded with the last
 * part, so that a full refund is what the buyer paid; the provider reports both as one amount.
 */
function withCustomerFee(
  received: ReceivedPayment,
  { amount, by }: Pick<NewRefund, "amount" | "by">,
): { amount: Money; customerFeeMinor: number } {
  const left = refundableMinor(received);
  const feeLeft = Math.max(0, received.customerFeeLeftMinor);
  if (by !== "provider") return { amount, customerFeeMinor: amount.minor === left ? feeLeft : 0 };
  const customerFeeMinor = Math.min(feeLeft, Math.max(0, amount.minor - left));
  return { amount: money(amount.minor - customerFeeMinor, amount.currency), customerFeeMinor };
}

/** Asks the operator about the licences of a refund begun in the provider's dashboard, whose reason the store does not know. */
async function askAboutLicences(
  trx: Trx,
  id: RefundId,
  { order, payment, amount }: NewRefund,
): Promise<void> {
  const { name } = paymentProviders[payment.provider];
  await queueOperatorAlert(trx, {
    dedupeKey: `refund-requested:${id}`,
    orderId: order.id,
    what: `${formatMoney(amount)} of payment ${payment.providerPaymentId} was refunded in the ${name} dashboard. The order's licenses are unchanged.`,
    toDo: ["Check whether to cancel them."],
  });
}

/** Statuses of payments that brought money. */
const moneyCame: ReadonlySet<PaymentRowStatus> = new Set([
  "captured",
  "part",
  "refunded",
  "surplus",
  "mismatch",
]);

export function hasReceivedMoney({ status }: Pick<ReceivedPayment, "status">): boolean {
  return moneyCame.has(status);
}

/** Returns the refundable rest of a payment, in minor units. */
export function refundableMinor({
  amountMinor,
  goneMinor,
}: Pick<ReceivedPayment, "amountMinor" | "goneMinor">): number {
  return Math.max(0, (amountMinor ?? 0) - goneMinor);
}

/** Requires that the amount can be refunded. @throws DomainError conflict */
export function requireRefundable(received: ReceivedPayment, amount: Money, now: Date): void {
  const { providerPaymentId, provider, currency, receivedAt } = received;
  const refuse = (why: string) => new DomainError("conflict", `Payment ${providerPaymentId}: ${why}`);
  if (!hasReceivedMoney(received)) throw refuse(`it is "${received.status}", so there's nothing to refund.`);
  if (currency !== amount.currency)
    throw refuse(`it was made in ${currency}, and the refund is in ${amount.currency}.`);
  const left = refundableMinor(received);
  if (amount.minor < 1 || amount.minor > left)
    throw refuse(
      left === 0
        ? "it has already been refunded in full."
        : `${formatMoney(amount)} is more than the ${formatMoney(money(left, amount.currency))} left to refund.`,
    );
  const { name, refundsForMonths } = paymentProviders[provider];
  const last = new Date(receivedAt);
  last.setUTCMonth(last.getUTCMonth() + refundsForMonths);
  if (now >= last)
    throw refuse(
      `it is older than ${refundsForMonths} months, so ${name} can't refund it. Refund by bank transfer instead.`,
    );
}

/** Seconds until a refund that waits for funds is requested again. */
const waitForFunds = 3_600;

/**
 * Runs the job that requests a refund at the provider. A refusal goes to the operator, because a retry would not change it.
 * @throws ProviderError while the provider cannot be reached, so that the queue retries
 */
export async function refundPayment(context: Context, refundId: RefundId): Promise<void> {
  const { db, log } = context;
  const refund = await findRefund(db, refundId);
  if (refund === null || refund.status !== "requested") return;
  const provider = paymentProviders[refund.provider];
  try {
    const made = await forOrder(refund.orderId, () =>
      provider.refund(context, refund.account, {
        paymentId: refund.providerPaymentId,
        amountMinor: refund.amountMinor + refund.customerFeeMinor,
        key: refund.id,
      }),
    );
    await applyRefundOutcome(context, refund, made);
    log.info({ refundId, orderId: refund.orderId, status: made.status }, "a refund was asked for");
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const problem = error.description ?? error.message;
    if (error.code === noFunds) {
      log.warn({ refundId, description: problem }, "a refund waits for funds");
      return waitForMoney(context, refund, problem);
    }
    if (error.kind !== "refused") throw error;
    // An earlier request may have succeeded although its response was lost.
    const known = await forOrder(refund.orderId, () =>
      provider.listRefunds(context, refund.account, refund.providerPaymentId),
    );
    const ours = known.find(({ key }) => key === refund.id) ?? (await unnamed(db, refund, known));
    if (ours !== undefined) return applyRefundOutcome(context, refund, ours);
    log.warn({ err: error, refundId, description: error.description }, "a refund was refused");
    await applyRefundOutcome(context, refund, { status: "failed", id: null, bankReference: null, problem });
  }
}

/**
 * Finds a refund that an earlier version requested without our id. The provider refuses to repeat it with one, so it is the
 * refund of this amount that is unknown here.
 */
async function unnamed(
  db: Db,
  refund: Refund,
  known: readonly ReportedRefund[],
): Promise<ReportedRefund | undefined> {
  for (const made of known.filter(
    ({ key, amountMinor }) => key === null && amountMinor === refund.amountMinor + refund.customerFeeMinor,
  ))
    if ((await findReportedRefund(db, refund, made)) === null) return made;
  return undefined;
}

/** Queues a new job, so that waiting uses up no tries and holds up no other jobs. */
async function waitForMoney({ db, env }: Context, refund: Refund, problem: string): Promise<void> {
  const { id, orderId, provider, providerPaymentId } = refund;
  const { name } = paymentProviders[provider];
  await db.transaction().execute(async (trx) => {
    await recordRefundProblem(trx, id, problem);
    const delayMs = scaledMs(waitForFunds, env.RETRY_BASE_MS);
    await addJob(trx, "refund-payment", { refundId: id }, { jobKey: `refund:${id}`, delayMs });
    await queueOperatorAlert(trx, {
      // Once per day.
      dedupeKey: `refund-waits:${id}:${new Date().toISOString().slice(0, 10)}`,
      orderId,
      what: `A refund of ${formatMoney(money(refund.amountMinor, refund.currency))} of payment ${providerPaymentId} is waiting because our ${name} balance is too low: ${problem}`,
      toDo: [`Add funds in the ${name} dashboard. The store retries every hour.`],
    });
  });
}
