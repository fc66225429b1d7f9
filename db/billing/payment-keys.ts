/** What identifies an order, a payment and an account at a payment provider. */
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

/** An account of ours at a provider. */
export interface ProviderAccount {
  provider: PaymentProviderId;
  account: PaymentAccount;
}

/** A provider's order, and the account at the provider that knows it. */
export interface AccountOrderKey extends ProviderOrderKey, ProviderAccount {}

/** A payment, and the provider's order it was made for. */
export interface PaymentKey extends AccountOrderKey, ProviderPaymentKey {}
