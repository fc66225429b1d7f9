/**
 * What a provider tells of refunds by itself, in webhooks and lists: each refund is one row, in whichever order and however often it
 * is told of. One that a person began in the provider's dashboard is recorded.
 */
import { money } from "#db/money.ts";
import type { ProviderAccount } from "#db/payments.ts";
import { findReportedRefund } from "#db/refunds.ts";
import type { Context } from "#server/context.ts";
import { currencies } from "#server/countries/country.ts";
import { msg as say } from "#server/languages/text.ts";
import { lockOrder } from "#server/orders/find.ts";
import { findReportedPayment } from "./find.ts";
import type { ReportedRefund } from "./provider.ts";
import { hasReceivedMoney, requestRefund } from "./refund.ts";
import { applyRefundStatus } from "./refund-outcome.ts";

/** Follows a refund that the provider tells of. Idempotent; a refund of money that is not ours is logged. */
export async function applyRefundReport(
  context: Context,
  { provider }: Pick<ProviderAccount, "provider">,
  report: ReportedRefund,
): Promise<void> {
  const { db, env, log } = context;
  const received = await findReportedPayment(db, { provider, providerPaymentId: report.providerPaymentId });
  if (received === null || !hasReceivedMoney(received)) {
    log.warn({ providerRefundId: report.id }, "a refund of a payment that is not ours");
    return;
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
}
