/** Shared parts of all providers that use our Razorpay accounts: accounts, payments and refunds. */
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
