/** Payments and refunds at the payment providers since the moment of a restore, which the database has lost. */

import { findReportedRefund } from "#db/billing/refunds.ts";
import type { PaymentAccount, PaymentProviderId } from "#db/tables/payments.ts";
import { findReportedPayment } from "#server/billing/payments/find.ts";
import type { ProviderPayment, ReportedRefund } from "#server/billing/payments/provider.ts";
import { applyRefundReport } from "#server/billing/payments/refund-reports.ts";
import { paymentProviderIds, paymentProviders } from "#server/billing/payments/registry.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { DomainError } from "#server/foundation/errors.ts";
import type { Context } from "#server/platform/context.ts";

/** A payment may be begun long before it is captured. */
const beginsEarlierMs = 86_400_000;

interface Place {
  provider: PaymentProviderId;
  account: PaymentAccount;
}
export type UnrecordedPayment = ProviderPayment & Place;
export type UnrecordedRefund = ReportedRefund & Place;

export interface UnrecordedMoney {
  /**
   * Captured payments that the database does not know. Includes the day before the moment, since their webhooks may never have
   * arrived.
   */
  payments: UnrecordedPayment[];
  refunds: UnrecordedRefund[];
}

/** @throws ProviderError */
export async function fetchUnrecordedMoney(
  context: Context,
  restoredTo: Date,
  now: Date,
): Promise<UnrecordedMoney> {
  const gap: UnrecordedMoney = { payments: [], refunds: [] };
  const span = { from: new Date(restoredTo.getTime() - beginsEarlierMs), to: now };
  for (const provider of paymentProviderIds) {
    const { listBetween, accounts } = paymentProviders[provider];
    if (listBetween === null) continue;
    for (const account of accounts(context.env)) {
      const read = await listBetween(context, account, span);
      for (const payment of read.payments)
        if (await isForgotten(context, { ...payment, provider }))
          gap.payments.push({ ...payment, provider, account });
      for (const refund of read.refunds)
        if (await isRefundForgotten(context, { ...refund, provider }))
          gap.refunds.push({ ...refund, provider, account });
    }
  }
  return gap;
}

const taken: readonly ProviderPayment["status"][] = ["captured", "refunded"];

async function isForgotten(
  { db }: Context,
  { provider, id, status }: Pick<UnrecordedPayment, "provider" | "id" | "status">,
): Promise<boolean> {
  if (!taken.includes(status)) return false;
  const known = await findReportedPayment(db, { provider, providerPaymentId: id });
  return known === null || known.status === "returned";
}

async function isRefundForgotten(
  { db }: Context,
  { provider, ...report }: ReportedRefund & Pick<Place, "provider">,
) {
  if (report.status === "failed") return false;
  const received = await findReportedPayment(db, { provider, providerPaymentId: report.providerPaymentId });
  return received === null || (await findReportedRefund(db, received, report)) === null;
}

/**
 * Settles the payments whose orders are in the database.
 * @returns the other payments: their orders were begun after the moment of the restore
 * @throws ProviderError
 */
export async function settleUnrecordedPayments(
  context: Context,
  payments: readonly UnrecordedPayment[],
): Promise<UnrecordedPayment[]> {
  const lost: UnrecordedPayment[] = [];
  for (const payment of payments) {
    const { provider, account, id, orderId } = payment;
    if (orderId !== null) {
      try {
        await settlePayment(context, { provider, account, providerOrderId: orderId, providerPaymentId: id });
        continue;
      } catch (error) {
        if (!(error instanceof DomainError && error.code === "not_found")) throw error;
      }
    }
    // A transfer names no order. It was found by the account that it reached.
    if (await isForgotten(context, payment)) lost.push(payment);
  }
  return lost;
}

/** Records the refunds. @throws ProviderError */
export async function recordUnrecordedRefunds(
  context: Context,
  refunds: readonly UnrecordedRefund[],
): Promise<void> {
  for (const { provider, account, ...report } of refunds)
    await applyRefundReport(context, { provider, account }, report);
}
