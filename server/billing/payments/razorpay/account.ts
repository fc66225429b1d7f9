/**
 * What all providers share that take money at our accounts with Razorpay: who is asked, what a payment says, and how money goes back.
 */
import type { RazorpayPayment } from "#server/integrations/razorpay.ts";
import type { PaymentProvider, ProviderPayment } from "../provider.ts";
import { whyDeclined } from "./declines.ts";
import { toReportedRefund } from "./events.ts";

export const toProviderPayment = (payment: RazorpayPayment): ProviderPayment => ({
  ...payment,
  errorDescription: whyDeclined(payment),
});

export const razorpayCalls: Pick<
  PaymentProvider,
  "system" | "accounts" | "refund" | "listRefunds" | "refundsForMonths"
> = {
  system: "razorpay",
  accounts: ({ razorpayAccounts }) => [...razorpayAccounts.keys()],
  refund: (context, account, { paymentId, amountMinor, key }) =>
    context.razorpayOf(account).refundPayment(paymentId, amountMinor, key),
  async listRefunds(context, account, paymentId) {
    return (await context.razorpayOf(account).listRefunds(paymentId)).map(toReportedRefund);
  },
  refundsForMonths: 6,
};
