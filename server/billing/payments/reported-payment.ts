/**
 * Finds the payment that a provider reports something about. Events arrive in any order, so an unknown payment is looked up at
 * the provider and settled first: the result is the same for every order of arrival.
 */
import type { PaymentKey, ProviderAccount } from "#db/billing/payment-keys.ts";
import type { ReceivedPayment } from "#db/billing/received-payments.ts";
import { DomainError } from "#server/foundation/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { findReportedPayment } from "./find.ts";
import { hasReceivedMoney } from "./refund.ts";
import { paymentProviderIds, paymentProviders } from "./registry.ts";
import { settlePayment } from "./settle.ts";

/**
 * applied: recorded now or before. foreign: about a payment of another system at the same account. unknown: about a payment
 * that the provider does not find, or that has brought no money yet; to be retried.
 */
export type ReportOutcome = "applied" | "foreign" | "unknown";

/**
 * Finds the payment of a report, and settles it if the store does not know yet that it brought money.
 * @throws ProviderError when the provider cannot be reached
 */
export async function findOrSettleReported(
  context: Context,
  at: ProviderAccount,
  providerPaymentId: string,
): Promise<ReceivedPayment | Exclude<ReportOutcome, "applied">> {
  const key = { provider: at.provider, providerPaymentId };
  const known = await findReportedPayment(context.db, key);
  if (known !== null && hasReceivedMoney(known)) return known;
  const { system } = paymentProviders[at.provider];
  let isKnown = false;
  for (const provider of paymentProviderIds.filter((id) => paymentProviders[id].system === system)) {
    const found = await paymentProviders[provider].findOrderOfPayment(context, at.account, providerPaymentId);
    isKnown ||= found !== null;
    if (found === null || found.providerOrderId === null) continue;
    const { providerOrderId } = found;
    const payment = { provider, account: at.account, providerOrderId, providerPaymentId };
    if ((await settleQuietly(context, payment)) === "foreign") return "foreign";
    const settled = await findReportedPayment(context.db, key);
    return settled !== null && hasReceivedMoney(settled) ? settled : "unknown";
  }
  return isKnown ? "foreign" : "unknown";
}

/** Settles a payment. One for another system at the same account is logged, without an error. @throws ProviderError */
export async function settleQuietly(
  context: Context,
  payment: PaymentKey,
): Promise<Exclude<ReportOutcome, "unknown">> {
  try {
    await settlePayment(context, payment);
    return "applied";
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "not_found")) throw error;
    context.log.warn({ providerOrderId: payment.providerOrderId }, "a payment for an order that is not ours");
    return "foreign";
  }
}
