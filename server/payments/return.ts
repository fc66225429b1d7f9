/** The buyer comes back from the checkout, or presses Submit again: the payment is checked now, or soon, but never lost. */
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import { findIntentByProviderOrder, type PaymentKey, savePayment } from "#db/payments.ts";
import type { PaymentProviderId } from "#db/tables/payments.ts";
import type { Context } from "#server/context.ts";
import { DomainError, notFound } from "#server/errors.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { isPaid, isRefunded } from "#server/orders/order.ts";
import { addJob } from "#server/outbox/jobs.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { type CheckoutReturn, paymentProviderIds, paymentProviders } from "./provider.ts";
import { type Settlement, settlePayment, unsettledPayments } from "./settle.ts";

/** How long after a failed check the payment is looked at again without the buyer doing anything. */
const retryAfterMs = 15_000;

/**
 * Takes what a checkout gave to the buyer's browser.
 * @param options.onlyFor refuses a payment for another order than this
 * @throws DomainError bad_request for a forged signature (nothing is written); not_found for an order we never made, for another
 *   order, and for what is of no checkout
 */
export async function receiveReturn(
  context: Context,
  posted: unknown,
  { onlyFor }: { onlyFor?: OrderId } = {},
): Promise<Settlement> {
  const returned = readReturn(context, posted);
  if (returned === null) throw notFound("payment");
  const intent = await findIntentByProviderOrder(context.db, returned);
  if (onlyFor !== undefined && intent?.orderId !== onlyFor) throw notFound("payment");
  if (returned.state === "paid" && !returned.isGenuine) {
    throw new DomainError(
      "bad_request",
      "We could not confirm this payment. If your card was charged, your order goes on by itself in a few minutes: please do not pay again.",
    );
  }
  // Whoever posts it need not be the provider: an order that it alone knows is not worth a question.
  if (intent === null) throw notFound("payment");
  const { provider, providerOrderId, providerPaymentId } = returned;
  const unpaid = { orderId: intent.orderId, problem: "The payment was not successful." };
  if (providerPaymentId === null) return { state: "failed", ...unpaid };
  const payment = { provider, providerOrderId, providerPaymentId };
  if (returned.state === "paid") return settleReturned(context, intent.orderId, payment);
  try {
    return await settlePayment(context, payment);
  } catch (error) {
    // The sweeper asks again; the buyer only misses the reason.
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error }, "a failed payment could not be looked at");
    return { state: "failed", ...unpaid };
  }
}

/** By the first provider whose checkout says such things; null when there is none. */
function readReturn(
  context: Context,
  posted: unknown,
): (CheckoutReturn & { provider: PaymentProviderId }) | null {
  for (const provider of paymentProviderIds) {
    const returned = paymentProviders[provider].readReturn(context, posted);
    if (returned !== null) return { provider, ...returned };
  }
  return null;
}

/** Written down before it is checked, so that a payment is never forgotten while the provider is away. */
async function settleReturned(context: Context, orderId: OrderId, payment: PaymentKey): Promise<Settlement> {
  await context.db.transaction().execute(async (trx) => {
    // The order first, as settlePayment does: a payment's row refers to it, and two who lock crosswise wait for each other.
    await lockOrder(trx, orderId);
    await savePayment(trx, {
      orderId,
      ...payment,
      amountMinor: null,
      currency: null,
      method: null,
      status: "returned",
      problem: null,
    });
  });
  try {
    return await settlePayment(context, payment);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error, orderId }, "a returned payment could not be checked yet");
    await context.db.transaction().execute((trx) =>
      addJob(trx, "settle-payment", payment, {
        jobKey: `settle:${payment.providerPaymentId}`,
        delayMs: retryAfterMs,
      }),
    );
    return { state: "pending", orderId, problem: "The payment could not be checked yet." };
  }
}

/**
 * Whether money has come for an order that is not carried out yet, checked or not: then the buyer is offered to go on
 * (docs/specification.md, section 4.6).
 */
export async function isPaymentWaiting(context: Context, order: Order): Promise<boolean> {
  if (order.fulfilmentStatus === "done") return false;
  return isPaid(order) || (await unsettledPayments(context, order.id)).length > 0;
}

/**
 * Submit on the review page's retry state: checks every payment we know of for this order again.
 * @throws DomainError provider_refused with the specification's words when it still does not hold
 */
export async function retrySettlement(context: Context, orderId: OrderId): Promise<void> {
  for (const payment of await unsettledPayments(context, orderId)) {
    try {
      const settled = await settlePayment(context, payment);
      if (settled.state === "completed" || settled.state === "refunded") return;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      context.log.warn({ err: error, orderId }, "a payment could not be checked on retry");
      throw new DomainError(
        "provider_unavailable",
        "Retry failed: the payment provider did not answer. Please try again in a minute.",
      );
    }
  }
  // The webhook may have been quicker than the button: then there is nothing left to check, and nothing wrong.
  const order = await findOrder(context.db, orderId);
  if (order !== null && (isPaid(order) || isRefunded(order))) return;
  throw new DomainError("provider_refused", "Retry failed: Backend validation failed.");
}
