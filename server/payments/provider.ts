/**
 * How an order is paid: what a payment provider does, and the registry of those there are. Nothing outside a provider's own folders
 * knows it by name; docs/extend/payment-method.md says how one is added.
 */
import type { OrderId } from "#db/ids.ts";
import type { Money } from "#db/money.ts";
import type { PaymentProviderId, RefundStatus } from "#db/tables/payments.ts";
import type { Context } from "#server/context.ts";
import type { Env } from "#server/env.ts";
import type { PaymentMethod } from "#server/pricing/payment-methods.ts";
import type { RazorpayCheckout } from "./razorpay/checkout.ts";
import { razorpay } from "./razorpay/razorpay.ts";

/** A payment, and the order that it was made for, by their provider's names. */
export interface PaymentReference {
  providerOrderId: string;
  providerPaymentId: string;
}

/**
 * A company that takes the money. It makes an order of ours one of its own, to which payments are made: at a card company when the
 * buyer is at its checkout, at a bank whenever money comes to the account that it opened for the order.
 */
export interface PaymentProvider {
  /** By which a client of ours opens its checkout; empty for one that has none. */
  publicKey(context: Context): string;

  /**
   * Makes an order. It may be made twice when an answer was lost: before a repeat, findOrder is asked.
   * @throws ProviderError
   */
  createOrder(context: Context, order: NewProviderOrder): Promise<ProviderOrder>;
  /** The order made under a receipt of ours; null when there is none. @throws ProviderError */
  findOrder(context: Context, receipt: string): Promise<ProviderOrder | null>;
  /** The order by the provider's id; null when it has no such order. @throws ProviderError */
  getOrder(context: Context, id: string): Promise<ProviderOrder | null>;

  /** Every payment made to an order, whatever came of it. @throws ProviderError */
  listPayments(context: Context, orderId: string): Promise<ProviderPayment[]>;
  /** @throws ProviderError */
  getPayment(context: Context, id: string): Promise<ProviderPayment>;
  /** Takes an authorised payment. @throws ProviderError when it is not taken, or that cannot be known */
  capturePayment(context: Context, payment: ProviderPayment): Promise<ProviderPayment>;

  /**
   * Gives a payment back, whole or in part; once, however often it is asked for under one key.
   * @throws ProviderError; transient while an earlier request with the key is still at work
   */
  refund(context: Context, refund: NewProviderRefund): Promise<ProviderRefund>;

  /** What the buyer's browser needs to pay an order. */
  checkout(context: Context, asked: AskedPayment): CheckoutView;
  /** What its checkout handed to the buyer's browser, or posted by way of it; null when it is not of this provider. */
  readReturn(context: Context, posted: unknown): CheckoutReturn | null;

  /**
   * A webhook, proven to be the provider's by its signature over the raw body.
   * @param request.headers by their names, in any case
   * @throws DomainError unauthenticated for a forged one, bad_request for a body that is not an event
   */
  readEvent(context: Context, request: WebhookRequest): ProviderEvent;
  /** The payment that a stored event tells of; null for an event of another kind. @throws ZodError for a payload it never had */
  paymentIn(payload: unknown): PaymentReference | null;

  /** The hosts that a page must let its checkout use. */
  checkoutSources(env: Env): CheckoutSources;
}

export interface NewProviderOrder {
  orderId: OrderId;
  /** Integer minor units. */
  amountMinor: number;
  /** ISO 4217. */
  currency: string;
  /** Our name for it, at most 40 letters and digits, no two alike. */
  receipt: string;
}

export interface ProviderOrder {
  id: string;
  /** null for an order that has none, which is none of ours. */
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
  /** created and authorized may still be taken. */
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
  /** At least 10 characters, stored before it is sent. */
  key: string;
}

export interface ProviderRefund {
  id: string;
  status: Exclude<RefundStatus, "requested">;
}

/** A payment that has been asked for and is still open. */
export interface AskedPayment {
  orderId: OrderId;
  providerOrderId: string;
  amount: Money;
  description: string;
  prefill: { name: string; email: string; contact: string };
  /** Where the buyer lands who leaves the checkout without paying: a path of ours. */
  cancelPath: string;
}

/** By `provider`, which says how the page shows it. */
export type CheckoutView = RazorpayCheckout;

export type CheckoutReturn =
  /** Genuine when the provider has signed it. */
  | ({ state: "paid"; isGenuine: boolean } & PaymentReference)
  /** Signed by nobody: it only makes us look. */
  | { state: "failed"; providerOrderId: string; providerPaymentId: string | null };

export interface WebhookRequest {
  body: Buffer;
  headers: Pick<Headers, "get">;
}

export interface ProviderEvent {
  id: string;
  type: string;
  /** As it is stored, for paymentIn. */
  payload: unknown;
}

/** Origins, by what a page lets them do. */
export interface CheckoutSources {
  scripts: readonly string[];
  connections: readonly string[];
  frames: readonly string[];
  images: readonly string[];
  forms: readonly string[];
}

export const paymentProviders: Readonly<Record<PaymentProviderId, PaymentProvider>> = { razorpay };

/** The fields of a payment that a checkout in the page hands over: their names are their provider's. */
export { paidFields } from "./razorpay/return.ts";

export const paymentProviderIds = Object.keys(paymentProviders).filter(isPaymentProvider);

function isPaymentProvider(text: string): text is PaymentProviderId {
  return Object.hasOwn(paymentProviders, text);
}

/** Who takes the money of each method. */
export const providerOf: Readonly<Record<PaymentMethod, PaymentProviderId>> = { card: "razorpay" };
