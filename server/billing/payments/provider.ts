/**
 * The interface of a payment provider. Nothing outside a provider's own folder knows it by
 * name. docs/extend/payment-method.md says how to add one.
 */

import type { SettlementLine } from "#db/billing/settlements.ts";
import type { OrderId, RefundId } from "#db/ids.ts";
import type { Money } from "#db/money.ts";
import type { DisputeStatus, PaymentAccount, RefundStatus } from "#db/tables/payments.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";
import type { Provider } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import type { Env } from "#server/platform/env.ts";
import type { PaymentMethod } from "#server/platform/settings/payments.ts";
import type { RazorpayCheckout } from "./razorpay/checkout-view.ts";

/** A payment and its order, by the provider's ids. */
export interface PaymentReference {
  providerOrderId: string;
  providerPaymentId: string;
}

/**
 * A company that takes the money. It has its own order for each of ours, to which payments are made: at a card company in
 * its checkout, or on the page that a link leads to, at a bank whenever money reaches the account that it opened for the order. We have
 * an account with it for each country, and each knows its own orders and payments alone (docs/decisions/payment-accounts.md).
 */
export interface PaymentProvider {
  /** As buyers know it. */
  name: string;
  /** The outside system that is called, as errors and logs name it. */
  system: Provider;
  /** The accounts that are set. Whatever is asked with another throws a ProviderError (refused, `no_account`). */
  accounts(env: Env): readonly PaymentAccount[];
  /** The key with which a client of ours opens the checkout; empty without one, and for an account that is not set. */
  publicKey(context: Context, account: PaymentAccount): string;
  /**
   * Whether several payments of any amount may be made to an order, which then add up. Otherwise a payment of another amount
   * does not fit.
   */
  takesParts: boolean;
  /** For how many days a payment may still be expected, which is longer than any capture takes. */
  openForDays(env: Env): number;

  /** Creates an order. Not idempotent: before a retry, call findOrder. @throws ProviderError */
  createOrder(context: Context, account: PaymentAccount, order: NewProviderOrder): Promise<ProviderOrder>;
  /** The order with a receipt of ours; null when there is none. @throws ProviderError */
  findOrder(context: Context, account: PaymentAccount, receipt: string): Promise<ProviderOrder | null>;
  /** The order with the provider's id; null when there is none. @throws ProviderError */
  getOrder(context: Context, account: PaymentAccount, id: string): Promise<ProviderOrder | null>;
  /**
   * Has the provider take no more payments for an order, which may be paid or closed already; null for one that cannot be told so. What
   * was begun before may still come. Repeatable. @throws ProviderError
   */
  closeOrder: ((context: Context, account: PaymentAccount, id: string) => Promise<void>) | null;

  /** Every payment made to an order, in any status. @throws ProviderError */
  listPayments(context: Context, account: PaymentAccount, orderId: string): Promise<ProviderPayment[]>;
  /** @param payment.providerOrderId the order that it is said to be made to, which the provider is asked about. @throws ProviderError */
  getPayment(context: Context, account: PaymentAccount, payment: PaymentReference): Promise<ProviderPayment>;
  /**
   * Finds the order of this provider that a payment was made to.
   * @returns null for a payment that it does not know; `providerOrderId` is null for one made outside its orders
   * @throws ProviderError
   */
  findOrderOfPayment(
    context: Context,
    account: PaymentAccount,
    paymentId: string,
  ): Promise<{ providerOrderId: string | null } | null>;
  /** Captures an authorised payment. @throws ProviderError when it is not captured, or the outcome is unknown */
  capturePayment(
    context: Context,
    account: PaymentAccount,
    payment: ProviderPayment,
  ): Promise<ProviderPayment>;

  /**
   * Refunds a payment, in full or in part. Idempotent by key.
   * @throws ProviderError; transient while an earlier request with the key is being processed, and transient with the code
   *   `noFunds` while our account there does not hold the amount
   */
  refund(context: Context, account: PaymentAccount, refund: NewProviderRefund): Promise<ProviderRefund>;
  /** Every refund of a payment, ours and those that a person began there. @throws ProviderError */
  listRefunds(context: Context, account: PaymentAccount, paymentId: string): Promise<ReportedRefund[]>;
  /** Months after the payment for which it takes refunds. */
  refundsForMonths: number;

  /**
   * What was paid out to our bank on a day, from line `skip` on; null for a provider whose money comes straight to our bank, or is in another provider's payouts.
   * Repeatable. `day` is "2026-11-24"; `next` is where the rest begins, null when there is no more.
   * @throws ProviderError
   */
  listSettled:
    | ((
        context: Context,
        account: PaymentAccount,
        day: string,
        skip: number,
      ) => Promise<{ lines: SettlementLine[]; next: number | null }>)
    | null;

  /**
   * Every payment and refund that was begun in a time, in any status; null for a provider whose are among another's. Repeatable.
   * @throws ProviderError
   */
  listBetween:
    | ((
        context: Context,
        account: PaymentAccount,
        span: { from: Date; to: Date },
      ) => Promise<{ payments: ProviderPayment[]; refunds: ReportedRefund[] }>)
    | null;

  /** Every refund that was begun in a time; null as for `listBetween`. @throws ProviderError */
  listRefundsBetween:
    | ((
        context: Context,
        account: PaymentAccount,
        span: { from: Date; to: Date },
      ) => Promise<ReportedRefund[]>)
    | null;
  /** Every dispute that was begun in a time, as it is now; null as for `listBetween`. @throws ProviderError */
  listDisputesBetween:
    | ((
        context: Context,
        account: PaymentAccount,
        span: { from: Date; to: Date },
      ) => Promise<ReportedDispute[]>)
    | null;

  /** What the buyer's browser needs to pay an order; null where the order is not paid in a checkout of the store's pages. */
  checkout(context: Context, account: PaymentAccount, request: CheckoutRequest): CheckoutView | null;
  /** Parses what the checkout gave to the buyer's browser, or sent through it; null when it is not from this provider. */
  readReturn(posted: unknown): CheckoutReturn | null;
  /** The fields that `readReturn` reads. */
  returnFields: readonly string[];
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
  /** The refund that a stored event is about, and what became of it; null for other events. @throws ZodError */
  refundIn(payload: unknown): ReportedRefund | null;
  /** The dispute that a stored event is about; null for other events. @throws ZodError */
  disputeIn(payload: unknown): ReportedDispute | null;

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
  /** The provider's fee with the tax on it, in minor units, taken from the buyer or from us; null before the capture. */
  feeMinor: number | null;
  /** Refunds that did not fail, in minor units. */
  amountRefundedMinor: number;
  /** created and authorized may still be captured. */
  status: "created" | "authorized" | "captured" | "refunded" | "failed";
  /** In the provider's words: "card". */
  method: string;
  /** Why it failed, for the buyer: in our words for what is known, else in the provider's. */
  errorDescription: MessageDescriptor | string | undefined;
}

export interface NewProviderRefund {
  paymentId: string;
  /** Integer minor units, from 1 to what was captured. */
  amountMinor: number;
  /** The idempotency key, stored before it is sent. The provider keeps it with the refund. */
  key: RefundId;
}

export interface ProviderRefund {
  id: string;
  status: Exclude<RefundStatus, "requested">;
  /** By which the buyer's bank finds it; null while there is none. */
  bankReference: string | null;
}

/** A refund as a provider tells of it. */
export interface ReportedRefund extends ProviderRefund {
  providerPaymentId: string;
  /** Integer minor units. */
  amountMinor: number;
  /** Ours, when it was asked for with a key of ours. */
  key: RefundId | null;
}

/** A dispute as a provider tells of it. */
export interface ReportedDispute {
  id: string;
  providerPaymentId: string;
  /** Integer minor units. */
  amountMinor: number;
  /** What was taken for good; 0 unless it is lost. */
  deductedMinor: number;
  /** ISO 4217. */
  currency: string;
  status: DisputeStatus;
  /** The provider's code for why. */
  reason: string | null;
  /** In the provider's words. */
  phase: string | null;
  respondBy: Date | null;
  /** The time of the provider's event, which shows that a late arrival is old; null for a state read from its list. */
  at: Date | null;
  begunAt: Date;
}

/** An open payment, as the checkout needs it. */
export interface CheckoutRequest {
  orderId: OrderId;
  providerOrderId: string;
  amount: Money;
  description: string;
  prefill: { name: string; email: string; contact: string };
  /** The buttons that lead to it, by the methods that each offers; at least one, and each of at least one. */
  choices: readonly (readonly PaymentMethod[])[];
  /** Where a buyer goes who leaves the checkout without paying: a path of ours. */
  cancelPath: string;
  /** Where the checkout posts its result: a path of ours. */
  returnPath: string;
  /** The buyer's. */
  language: LanguageId;
}

/** `provider` tells the page how to show it. */
export type CheckoutView = RazorpayCheckout;

/** To be verified with the account that the order was made at. */
export interface PaidReturn extends PaymentReference {
  state: "paid";
  /** Our reference of the order, where the provider names it; a return with another than ours is not genuine. */
  receipt: string | null;
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
  /** Stored, and read by paymentIn, refundIn and disputeIn. */
  payload: unknown;
  /** Whether anything in it can be used. */
  isUsed: boolean;
  /** Why an event of a kind that the store uses cannot be read, for staff; null for one that can. */
  problem: string | null;
}

/** Origins by their Content Security Policy directive. */
export interface CheckoutSources {
  scripts: readonly string[];
  connections: readonly string[];
  frames: readonly string[];
  images: readonly string[];
  forms: readonly string[];
}
