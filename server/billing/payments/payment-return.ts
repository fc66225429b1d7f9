/** The buyer's return from the checkout, or another Submit: the payment is checked now or soon, and never lost. */

import { findIntentByProviderOrder, type PaymentIntent } from "#db/billing/payment-intents.ts";
import type { PaymentKey } from "#db/billing/payment-keys.ts";
import { savePayment } from "#db/billing/payments.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { PaymentProviderId } from "#db/tables/payments.ts";
import { DomainError, forged, notFound } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { isPaid, isRefunded } from "#server/orders/payment-state.ts";
import type { Context } from "#server/platform/context.ts";
import type { CheckoutReturn, PaidReturn } from "./provider.ts";
import { paymentProviderIds, paymentProviders } from "./registry.ts";
import { settlePayment } from "./settle.ts";
import type { Settlement } from "./settlement.ts";
import { unsettledPayments } from "./unsettled.ts";

/** Delay of the automatic check after a failed one. */
const retryAfterMs = 15_000;

/** The outcome of a return: a settlement, or that the buyer left the checkout before a payment was made or declined. */
export type PaymentReturnResult =
  | Settlement
  | { state: "left"; orderId: OrderId; problem: MessageDescriptor };

/**
 * Handles the checkout's result from the buyer's browser.
 * @param options.onlyFor refuses a payment for any other order
 * @throws DomainError bad_request for a forged signature (nothing is written); not_found for an unknown order, for another
 * order, and for input that is not from a checkout
 */
export async function receiveReturn(
  context: Context,
  posted: unknown,
  { onlyFor }: { onlyFor?: OrderId } = {},
): Promise<PaymentReturnResult> {
  const returned = readReturn(posted);
  if (returned === null) throw notFound("payment");
  const intent = await findIntentByProviderOrder(context.db, returned);
  if (onlyFor !== undefined && intent?.orderId !== onlyFor) throw notFound("payment");
  // Anyone can post this, so an unknown order is not worth a call to the provider.
  if (intent === null) throw notFound("payment");
  const { provider, providerOrderId, providerPaymentId } = returned;
  const { account } = intent;
  if (returned.state === "paid" && !isGenuine(context, intent, { ...returned, provider })) {
    throw new DomainError("bad_request", msg("refusals.unconfirmed"), { facts: forged });
  }
  const unpaid = { orderId: intent.orderId, problem: msg("refusals.unsuccessful") };
  if (providerPaymentId === null) return { state: "left", ...unpaid };
  const payment = { provider, account, providerOrderId, providerPaymentId };
  if (returned.state === "paid") return settleReturned(context, intent.orderId, payment);
  try {
    return await settlePayment(context, payment);
  } catch (error) {
    // The sweep checks again; only the reason is missing for the buyer.
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error }, "a failed payment could not be looked at");
    return { state: "failed", ...unpaid };
  }
}

function isGenuine(
  context: Context,
  { account, receipt }: PaymentIntent,
  { provider, ...returned }: PaidReturn & { provider: PaymentProviderId },
): boolean {
  const isOurs = returned.receipt === null || returned.receipt === receipt;
  return isOurs && paymentProviders[provider].isGenuine(context, account, returned);
}

/** Parses the return with the first provider that recognises it; null when none does. */
function readReturn(posted: unknown): (CheckoutReturn & { provider: PaymentProviderId }) | null {
  for (const provider of paymentProviderIds) {
    const returned = paymentProviders[provider].readReturn(posted);
    if (returned !== null) return { provider, ...returned };
  }
  return null;
}

const longestReturn = 1_800;

/**
 * Selects the fields of a return that its provider reads, to pass them on in a URL.
 * @throws DomainError not_found for input that is not from a checkout
 */
export function fieldsOfReturn(posted: URLSearchParams): URLSearchParams {
  const returned = readReturn(Object.fromEntries(posted));
  if (returned === null) throw notFound("payment");
  const known = paymentProviders[returned.provider].returnFields;
  const kept = new URLSearchParams([...posted].filter(([name]) => known.includes(name)));
  if (kept.toString().length > longestReturn) throw notFound("payment");
  return kept;
}

/** Stores the payment before checking it, so that it is not lost while the provider is unavailable. */
async function settleReturned(context: Context, orderId: OrderId, payment: PaymentKey): Promise<Settlement> {
  await context.db.transaction().execute(async (trx) => {
    // Lock the order first, as settlePayment does. The payment's row has a foreign key to it, and the reverse order would risk
    // a deadlock.
    await lockOrder(trx, orderId);
    await savePayment(trx, {
      orderId,
      ...payment,
      amountMinor: null,
      customerFeeMinor: 0,
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
    return { state: "pending", orderId, problem: msg("refusals.unchecked") };
  }
}

/**
 * Whether a payment, checked or not, has arrived for an order that is not fulfilled yet. The buyer is then invited to continue
 * (docs/specification.md, section 4.6).
 */
export async function isPaymentWaiting(context: Context, order: Order): Promise<boolean> {
  if (order.fulfilmentStatus === "done") return false;
  return isPaid(order) || (await unsettledPayments(context, order.id)).length > 0;
}

/**
 * Checks every known payment of the order again, for Submit in the review page's retry state.
 * @throws DomainError provider_refused, with the specification's text, when none is accepted; provider_unavailable
 */
export async function retrySettlement(context: Context, orderId: OrderId): Promise<void> {
  for (const payment of await unsettledPayments(context, orderId)) {
    try {
      const settled = await settlePayment(context, payment);
      if (settled.state === "completed" || settled.state === "refunded") return;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      context.log.warn({ err: error, orderId }, "a payment could not be checked on retry");
      throw new DomainError("provider_unavailable", msg("refusals.retrySilent"));
    }
  }
  // The webhook may have settled the payment already; then there is nothing left to check.
  const order = await findOrder(context.db, orderId);
  if (order !== null && (isPaid(order) || isRefunded(order))) return;
  throw new DomainError("provider_refused", msg("refusals.retryRefused"));
}
