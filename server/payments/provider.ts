/**
 * The interface of a payment provider, and the registry of providers. Nothing outside a provider's own folder knows it by
 * name. docs/extend/payment-method.md says how to add one.
 */
import type { OrderId } from "#db/ids.ts";
import type { Money } from "#db/money.ts";
import type { PaymentAccount, PaymentProviderId, RefundStatus } from "#db/tables/payments.ts";
import type { Context } from "#server/context.ts";
import type { Env } from "#server/env.ts";
import type { PaymentMethod } from "#server/pricing/payment-methods.ts";
import type { RazorpayCheckout } from "./razorpay/checkout.ts";
import { razorpay } from "./razorpay/razorpay.ts";

/** A payment and its order, by the provider's ids. */
export interface PaymentReference {
  providerOrderId: string;
  providerPaymentId: string;
}

/**
 * A company that takes the money. It has its own order for each of ours, to which payments are made: at a card company in
 * its checkout, at a bank whenever money reaches the account that it opened for the order. We have an account with it for each
 * country, and each knows its own orders and payments alone (docs/decisions/payment-accounts.md).
 */
export interface PaymentProvider {
  /** As buyers know it. */
  name: string;
  /** The accounts that are set. Whatever is asked with another throws a ProviderError (refused, `no_account`). */
  accounts(env: Env): readonly PaymentAccount[];
  /** The key with which a client of ours opens the checkout; empty without one, and for an account that is not set. */
  publicKey(context: Context, account: PaymentAccount): string;

  /** Creates an order. Not idempotent: before a retry, call findOrder. @throws ProviderError */
  createOrder(context: Context, account: PaymentAccount, order: NewProviderOrder): Promise<ProviderOrder>;
  /** The order with a receipt of ours; null when there is none. @throws ProviderError */
  findOrder(context: Context, account: PaymentAccount, receipt: string): Promise<ProviderOrder | null>;
  /** The order with the provider's id; null when there is none. @throws ProviderError */
  getOrder(context: Context, account: PaymentAccount, id: string): Promise<ProviderOrder | null>;

  /** Every payment made to an order, in any status. @throws ProviderError */
  listPayments(context: Context, account: PaymentAccount, orderId: string): Promise<ProviderPayment[]>;
  /** @throws ProviderError */
  getPayment(context: Context, account: PaymentAccount, id: string): Promise<ProviderPayment>;
  /** Captures an authorised payment. @throws ProviderError when it is not captured, or the outcome is unknown */
  capturePayment(
    context: Context,
    account: PaymentAccount,
    payment: ProviderPayment,
  ): Promise<ProviderPayment>;

  /**
   * Refunds a payment, in full or in part. Idempotent by key.
   * @throws ProviderError; transient while an earlier request with the key is being processed
   */
  refund(context: Context, account: PaymentAccount, refund: NewProviderRefund): Promise<ProviderRefund>;

  /** What the buyer's browser needs to pay an order. */
  checkout(context: Context, account: PaymentAccount, asked: AskedPayment): CheckoutView;
  /** Parses what the checkout gave to the buyer's browser, or posted through it; null when it is not from this provider. */
  readReturn(posted: unknown): CheckoutReturn | null;
  /** Whether the provider signed a return as this account. @throws ProviderError */
  isGenuine(context: Context, account: PaymentAccount, returned: PaidReturn): boolean;

  /**
   * Parses a webhook and verifies its signature over the raw body. The signature tells the account.
   * @param request.headers looked up by name, in any case
   * @throws DomainError unauthenticated for a forged one, bad_request for a body that is not an event
   */
  readEvent(context: Context, request: WebhookRequest): ProviderEvent;
  /** The payment that a stored event is about; null for other events. @throws ZodError for an invalid payload */
  paymentIn(payload: unknown): PaymentReference | null;

  /** The origins that the Content Security Policy of a page must allow for the checkout. */
  checkoutSources(env: Env): CheckoutSources;
}

export interface NewProviderOrder {
  orderId: OrderId;
  /** Integer minor units. */
  amountMinor: number;
  /** ISO 4217. */
  currency: string;
  /** Our unique reference, at most 40 letters and digits. */
  receipt: string;
}

export interface ProviderOrder {
  id: string;
  /** null for an order without one, which is not ours. */
  receipt: string | null;
}

export interface ProviderPayment {
  id: string;
  /** The provider's order; null for a payment made outside one. */
  orderId: string | null;
  /** Integer minor units. */
  amountMinor: number;
  /** ISO 4217. */
  currency: string;
  /** created and authorized may still be captured. */
  status: "created" | "authorized" | "captured" | "refunded" | "failed";
  /** In the provider's words: "card". */
  method: string;
  /** Why it failed, in the provider's words for the buyer. */
  errorDescription: string | undefined;
}

export interface NewProviderRefund {
  paymentId: string;
  /** Integer minor units, from 1 to what was captured. */
  amountMinor: number;
  /** The idempotency key: at least 10 characters, stored before it is sent. */
  key: string;
}

export interface ProviderRefund {
  id: string;
  status: Exclude<RefundStatus, "requested">;
}

/** An open payment, as the checkout needs it. */
export interface AskedPayment {
  orderId: OrderId;
  providerOrderId: string;
  amount: Money;
  description: string;
  prefill: { name: string; email: string; contact: string };
  /** Where a buyer goes who leaves the checkout without paying: a path of ours. */
  cancelPath: string;
}

/** `provider` tells the page how to show it. */
export type CheckoutView = RazorpayCheckout;

/** To be verified with the account that the order was made at. */
export interface PaidReturn extends PaymentReference {
  state: "paid";
  signature: string;
}

export type CheckoutReturn =
  | PaidReturn
  /** Not signed: it only makes us check the payment. */
  | { state: "failed"; providerOrderId: string; providerPaymentId: string | null };

export interface WebhookRequest {
  body: Buffer;
  headers: Pick<Headers, "get">;
}

export interface ProviderEvent {
  id: string;
  account: PaymentAccount;
  type: string;
  /** Stored, and read by paymentIn. */
  payload: unknown;
}

/** Origins by their Content Security Policy directive. */
export interface CheckoutSources {
  scripts: readonly string[];
  connections: readonly string[];
  frames: readonly string[];
  images: readonly string[];
  forms: readonly string[];
}

export const paymentProviders: Readonly<Record<PaymentProviderId, PaymentProvider>> = { razorpay };

/** The fields that a checkout in the page hands over. Their names are the provider's. */
export { paidFields } from "./razorpay/return.ts";

export const paymentProviderIds = Object.keys(paymentProviders).filter(isPaymentProvider);

function isPaymentProvider(text: string): text is PaymentProviderId {
  return Object.hasOwn(paymentProviders, text);
}

/** The provider of each payment method. */
export const providerOf: Readonly<Record<PaymentMethod, PaymentProviderId>> = { card: "razorpay" };
