/** What payment providers have taken and given back since the moment of a restore, and the store has forgotten. */

import { findToldRefund } from "#db/refunds.ts";
import type { PaymentAccount, PaymentProviderId } from "#db/tables/payments.ts";
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import { findToldPayment } from "#server/payments/find.ts";
import {
  type ProviderPayment,
  paymentProviderIds,
  paymentProviders,
  type ToldRefund,
} from "#server/payments/provider.ts";
import { followRefund } from "#server/payments/refund-reports.ts";
import { settlePayment } from "#server/payments/settle.ts";

/** A payment may be begun long before it is captured. */
const beginsEarlierMs = 86_400_000;

interface Place {
  provider: PaymentProviderId;
  account: PaymentAccount;
}
export type GapPayment = ProviderPayment & Place;
export type GapRefund = ToldRefund & Place;

export interface Gap {
  /** Captured, and not known to be: those of a day before the moment too, of which the store may never have heard. */
  payments: GapPayment[];
  refunds: GapRefund[];
}

/** @throws ProviderError */
export async function readGap(context: Context, restoredTo: Date, now: Date): Promise<Gap> {
  const gap: Gap = { payments: [], refunds: [] };
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
  { provider, id, status }: Pick<GapPayment, "provider" | "id" | "status">,
): Promise<boolean> {
  if (!taken.includes(status)) return false;
  const known = await findToldPayment(db, { provider, providerPaymentId: id });
  return known === null || known.status === "returned";
}

async function isRefundForgotten(
  { db }: Context,
  { provider, ...told }: ToldRefund & Pick<Place, "provider">,
) {
  if (told.status === "failed") return false;
  const received = await findToldPayment(db, { provider, providerPaymentId: told.providerPaymentId });
  return received === null || (await findToldRefund(db, received, told)) === null;
}

/**
 * Settles what belongs to an order that is there.
 * @returns those that belong to none: their orders were begun after the moment of the restore
 * @throws ProviderError
 */
export async function settleGap(context: Context, payments: readonly GapPayment[]): Promise<GapPayment[]> {
  const lost: GapPayment[] = [];
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
    // A transfer names no order, and was found by the account that it reached.
    if (await isForgotten(context, payment)) lost.push(payment);
  }
  return lost;
}

/** Records what went back. @throws ProviderError */
export async function followGapRefunds(context: Context, refunds: readonly GapRefund[]): Promise<void> {
  for (const { provider, account: _account, ...told } of refunds)
    await followRefund(context, { provider }, told);
}
