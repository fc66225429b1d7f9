/**
 * What all providers share that take money at our accounts with Razorpay: who is asked, what a payment says, and how money goes back.
 */
import { nullIfUnknown } from "#server/providers/razorpay/null-if-unknown.ts";
import type { RazorpayPayment } from "#server/providers/razorpay.ts";
import type { PaymentProvider, ProviderPayment } from "../provider.ts";
import { whyDeclined } from "./declines.ts";
import { toReportedRefund } from "./events.ts";

export const toProviderPayment = (payment: RazorpayPayment): ProviderPayment => ({
  ...payment,
  errorDescription: whyDeclined(payment),
});

export const razorpayCalls: Pick<
  PaymentProvider,
  "system" | "accounts" | "findOrderOfPayment" | "refund" | "listRefunds" | "refundsForMonths"
> = {
  system: "razorpay",
  accounts: ({ razorpayAccounts }) => [...razorpayAccounts.keys()],
  async findOrderOfPayment(context, account, paymentId) {
    const razorpay = context.razorpayOf(account);
    const payment = await nullIfUnknown(razorpay.getPayment(paymentId));
    if (payment === null) return null;
    if (payment.orderId !== null)
      return { order: { provider: "razorpay", providerOrderId: payment.orderId } };
    if (payment.method !== "bank_transfer") return { order: null };
    const transfer = await nullIfUnknown(razorpay.getBankTransfer(paymentId));
    return {
      order:
        transfer === null ? null : { provider: "bank-transfer", providerOrderId: transfer.virtualAccountId },
    };
  },
  refund: (context, account, { paymentId, amountMinor, key }) =>
    context.razorpayOf(account).refundPayment(paymentId, amountMinor, key),
  async listRefunds(context, account, paymentId) {
    return (await context.razorpayOf(account).listRefunds(paymentId)).map(toReportedRefund);
  },
  refundsForMonths: 6,
};
