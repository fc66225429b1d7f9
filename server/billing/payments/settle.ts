/**
 * The one place where money becomes a paid order. The buyer's return, the webhook, the sweep and the Submit retry all
 * call settlePayment, in any order, from any process, any number of times (docs/decisions/settlement.md#paid-orders).
 */

import type { PaymentKey } from "#db/billing/payment-keys.ts";
import { findPayment } from "#db/billing/payments.ts";
import { notFound } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import type { Context } from "#server/platform/context.ts";
import { queueEarlierReports } from "./earlier-reports.ts";
import { intentOf } from "./intents.ts";
import { problemWith } from "./payment-match.ts";
import type { ProviderPayment } from "./provider.ts";
import { paymentProviders } from "./registry.ts";
import { decidedBefore, type ReportedPayment, type Settlement, settleUnderLock } from "./settlement.ts";

/**
 * Checks a payment at the provider and, when it is captured and fits, completes the order as it was when this payment began:
 * payment row, order, fulfilment job and invoice in one transaction. An order that can no longer be fulfilled is refunded and
 * never bought. Idempotent by provider payment id.
 * @param reported.account account to query about a provider's order that is not stored; a stored one has its own account
 * @throws DomainError not_found for a provider order that is not ours
 * @throws ProviderError when the provider cannot be reached; calling again is safe
 */
export async function settlePayment(context: Context, reported: PaymentKey): Promise<Settlement> {
  const found = await intentOf(context, reported);
  if (found === null) throw notFound("payment");
  const { intent, ...stored } = found;
  const key = { ...reported, ...stored };
  const known = decidedBefore(await findPayment(context.db, key));
  if (known !== null) return known;

  const { takesParts } = paymentProviders[key.provider];
  const payment = await capturedAtProvider(context, { key, intent, takesParts });
  if (payment.status === "created" || payment.status === "authorized")
    return { state: "pending", orderId: intent.orderId, problem: msg("refusals.uncaptured") };
  return context.db.transaction().execute(async (trx) => {
    // Before the invoice series is locked, for which all payments of a country wait.
    if (payment.status === "captured" || payment.status === "refunded")
      await queueEarlierReports(trx, { ...key, account: intent.account }, payment);
    return settleUnderLock(context, trx, { key, intent, payment, takesParts });
  });
}

/** Reads the payment at the provider, and captures it if it fits and is only authorized. */
async function capturedAtProvider(
  context: Context,
  { key, intent, takesParts }: Omit<ReportedPayment, "payment">,
): Promise<ProviderPayment> {
  const provider = paymentProviders[key.provider];
  const { orderId, account } = intent;
  const payment = await forOrder(orderId, () => provider.getPayment(context, account, key));
  const fits = problemWith(payment, key.providerOrderId, intent, takesParts) === null;
  if (payment.status !== "authorized" || !fits) return payment;
  return forOrder(orderId, () => provider.capturePayment(context, account, payment));
}
