/** Whether a payment has the amount and currency that its order expects. */
import type { PaymentIntent } from "#db/billing/payment-intents.ts";
import type { Order } from "#db/orders/order.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import type { ProviderPayment } from "./provider.ts";

export type Expected = Pick<ProviderPayment, "amountMinor" | "currency">;

/**
 * Returns the amount that a payment must have. Superseded intents from before `paidFor` was stored are compared with the order.
 */
export function expectedOf(intent: PaymentIntent, { total }: Order): Expected {
  if (intent.status !== "superseded" || intent.paidFor !== null) return intent;
  return { amountMinor: total.minor, currency: total.currency };
}

/**
 * Returns the provider's fee that the buyer paid on top of the order, in minor units; 0 when the amount is anything else than
 * both together. Some accounts have their customers bear the fee (docs/decisions/settlement.md#customer-fees).
 */
export function customerFeeOf({ amountMinor, feeMinor }: ProviderPayment, expected: Expected): number {
  return feeMinor !== null && amountMinor === expected.amountMinor + feeMinor ? feeMinor : 0;
}

/**
 * Returns the reason why a payment does not fit the expected order or amount; null when it fits.
 * @param takesParts whether any amount fits
 */
export function problemWith(
  payment: ProviderPayment,
  providerOrderId: string,
  expected: Expected,
  takesParts: boolean,
): MessageDescriptor | null {
  if (payment.orderId !== providerOrderId) return msg("refusals.otherOrder");
  if (payment.currency !== expected.currency)
    return msg("refusals.otherCurrency", { paid: payment.currency, asked: expected.currency });
  if (!takesParts && payment.amountMinor - customerFeeOf(payment, expected) !== expected.amountMinor) {
    return msg("refusals.otherAmount", {
      paid: payment.amountMinor / 100,
      asked: expected.amountMinor / 100,
      currency: expected.currency,
    });
  }
  return null;
}
