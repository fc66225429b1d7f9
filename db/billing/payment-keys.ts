/** Keys of orders, payments and accounts at payment providers. */
import type { PaymentAccount, PaymentProviderId } from "#db/tables/payments.ts";

/** A provider's id for the order it created for us. */
export interface ProviderOrderKey {
  provider: PaymentProviderId;
  providerOrderId: string;
}

/** A provider's id for a payment. */
export interface ProviderPaymentKey {
  provider: PaymentProviderId;
  providerPaymentId: string;
}

/** One of our accounts at a provider. */
export interface ProviderAccount {
  provider: PaymentProviderId;
  account: PaymentAccount;
}

/** A provider's order with the account that it belongs to. */
export interface AccountOrderKey extends ProviderOrderKey, ProviderAccount {}

/** A payment with the provider's order that it was made for. */
export interface PaymentKey extends AccountOrderKey, ProviderPaymentKey {}
