/**
 * Refunds that a provider reports in webhooks and lists: each refund is one row, whatever the order and number of reports. One
 * that a person began in the provider's dashboard is recorded too.
 */

import type { ProviderAccount, ProviderPaymentKey } from "#db/billing/payment-keys.ts";
import { findReportedRefund } from "#db/billing/refunds.ts";
import { money } from "#db/money.ts";
import { currencies } from "#server/foundation/countries/registry.ts";
import { msg as say } from "#server/foundation/languages/text.ts";
import { lockOrder } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";
import type { ReportedRefund } from "./provider.ts";
import { requestRefund } from "./refund.ts";
import { applyRefundStatus } from "./refund-outcome.ts";
import { paymentProviders } from "./registry.ts";
import { findOrSettleReported, type ReportOutcome } from "./reported-payment.ts";

/**
 * Records a reported refund, after settling its payment if the store does not know it yet. Idempotent.
 * @throws ProviderError when the provider cannot be reached; nothing changes then
 */
export async function applyRefundReport(
  context: Context,
  at: ProviderAccount,
  report: ReportedRefund,
): Promise<ReportOutcome> {
  const { db, env, log } = context;
  const received = await findOrSettleReported(context, at, report.providerPaymentId);
  if (typeof received === "string") {
    log.warn({ providerRefundId: report.id, received }, "a refund without a payment of ours");
    return received;
  }
  const payment = { provider: received.provider, providerPaymentId: received.providerPaymentId };
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, received.orderId);
    const known = await findReportedRefund(trx, payment, report);
    if (known !== null) return applyRefundStatus(trx, known, report);
    // It changed nothing, and nobody here waits for it.
    if (report.status === "failed") return;
    const currency = currencies.find((each) => each === received.currency) ?? order.total.currency;
    const amount = money(report.amountMinor, currency);
    const reason = say("refusals.refundedByUs");
    await requestRefund(trx, env, { order, payment, amount, reason, by: "provider", made: report });
  });
  return "applied";
}

/**
 * Runs the job for a payment that was partly refunded before it was settled: records its refunds.
 * @throws ProviderError when the provider cannot be reached
 */
export async function lookUpRefunds(
  context: Context,
  { providerPaymentId, ...at }: ProviderPaymentKey & ProviderAccount,
): Promise<void> {
  const { listRefunds } = paymentProviders[at.provider];
  for (const report of await listRefunds(context, at.account, providerPaymentId))
    await applyRefundReport(context, at, report);
}
