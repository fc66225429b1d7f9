/** The buyer comes back from the checkout, or presses Submit again: the payment is checked now, or soon, but never lost. */
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import { findOrder } from "#server/orders/find.ts";
import { isPaid, isRefunded } from "#server/orders/order.ts";
import { addJob } from "#server/outbox/jobs.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { recordReturn, type Settlement, settlePayment, unsettledPayments } from "./settle.ts";

/** How long after a failed check the payment is looked at again without the buyer doing anything. */
const retryAfterMs = 15_000;

/**
 * Takes the signed result of a checkout.
 * @throws DomainError bad_request for a forged signature (nothing is written), not_found for an order we never made
 */
export async function receiveReturn(
  context: Context,
  input: { providerOrderId: string; providerPaymentId: string; signature: string },
): Promise<Settlement> {
  const { providerOrderId, providerPaymentId, signature } = input;
  if (
    !context.razorpay.isReturnSignatureValid({ providerOrderId, paymentId: providerPaymentId, signature })
  ) {
    throw new DomainError(
      "bad_request",
      "We could not confirm this payment. If your card was charged, your order goes on by itself in a few minutes: please do not pay again.",
    );
  }
  const orderId = await recordReturn(context, { providerOrderId, providerPaymentId });
  try {
    return await settlePayment(context, { providerOrderId, providerPaymentId });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error, orderId }, "a returned payment could not be checked yet");
    await context.db
      .transaction()
      .execute((trx) =>
        addJob(
          trx,
          "settle-payment",
          { providerOrderId, providerPaymentId },
          { jobKey: `settle:${providerPaymentId}`, delayMs: retryAfterMs },
        ),
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
      const settled = await settlePayment(context, {
        providerOrderId: payment.provider_order_id,
        providerPaymentId: payment.provider_payment_id,
      });
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
