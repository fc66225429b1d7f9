/** The payment providers, and the provider of each payment method. docs/extend/payment-method.md explains how to add one. */
import type { PaymentProviderId } from "#db/tables/payments.ts";
import type { PaymentMethod } from "#server/platform/settings/payments.ts";
import { bankTransfer } from "./bank-transfer/bank-transfer.ts";
import { paymentLink } from "./payment-link/payment-link.ts";
import type { PaymentProvider } from "./provider.ts";
import { razorpay } from "./razorpay/razorpay.ts";

export const paymentProviders: Readonly<Record<PaymentProviderId, PaymentProvider>> = {
  razorpay,
  "payment-link": paymentLink,
  "bank-transfer": bankTransfer,
};

/** The fields that a checkout on a page returns. Their names are the provider's. */
export { paidFields } from "./razorpay/return.ts";

export const paymentProviderIds = Object.keys(paymentProviders).filter(isPaymentProvider);

function isPaymentProvider(text: string): text is PaymentProviderId {
  return Object.hasOwn(paymentProviders, text);
}

/** The provider of each payment method. */
export const providerOf: Readonly<Record<PaymentMethod, PaymentProviderId>> = {
  card: "razorpay",
  upi: "razorpay",
  netbanking: "razorpay",
  wallet: "razorpay",
  link: "payment-link",
  transfer: "bank-transfer",
};
