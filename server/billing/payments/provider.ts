/**
 * The interface of a payment provider. Code outside a provider's own folder does not know it by name.
 * docs/extend/payment-method.md explains how to add one.
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
 * A service that takes payments. It has its own order for each of ours, to which payments are made: by card in its checkout or
 * on the page of a payment link, by bank transfer whenever money reaches the virtual account of the order. We have
 * an account with it for each country, and each knows only its own orders and payments (docs/decisions/countries.md#payment-accounts).
 */
export interface PaymentProvider {
  /** Its name for buyers. */
  name: string;
  /** The outside system that is called, as named in errors and logs. */
  system: Provider;
  /** Accounts with settings. A call with any other account throws a ProviderError (refused, `no_account`). */
  accounts(env: Env): readonly PaymentAccount[];
  /** The key with which a client opens the checkout; empty without one, and for an account without settings. */
  publicKey(context: Context, account: PaymentAccount): string;
  /**
   * Whether an order accepts several payments of any amount, which add up. Otherwise a payment of another amount does not fit.
   */
  takesParts: boolean;
  /** Number of days for which a payment may still be expected; longer than any capture takes. */
  openForDays(env: Env): number;

  /** Creates an order. Not idempotent: before a retry, call findOrder. @throws ProviderError */
  createOrder(context: Context, account: PaymentAccount, order: NewProviderOrder): Promise<ProviderOrder>;
  /** Finds the order with a receipt of ours; null when there is none. @throws ProviderError */
  findOrder(context: Context, account: PaymentAccount, receipt: string): Promise<ProviderOrder | null>;
  /** Finds the order with the provider's id; null when there is none. @throws ProviderError */
  getOrder(context: Context, account: PaymentAccount, id: string): Promise<ProviderOrder | null>;
  /**
   * Closes an order for further payments, which may be paid or closed already; null for a provider without this function. A
   * payment already begun may still arrive. Repeatable.
   * @throws ProviderError
   */
  closeOrder: ((context: Context, account: PaymentAccount, id: string) => Promise<void>) | null;

  /** Lists every payment made to an order, in any status. @throws ProviderError */
  listPayments(context: Context, account: PaymentAccount, orderId: string): Promise<ProviderPayment[]>;
  /**
   * Reads a payment. @param payment.providerOrderId the order that it claims to pay, which is checked
   * @throws ProviderError
   */
  getPayment(context: Context, account: PaymentAccount, payment: PaymentReference): Promise<ProviderPayment>;
  /**
   * Finds the order of this provider that a payment was made to.
   * @returns null for an unknown payment; `providerOrderId` is null for one made outside its orders
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
  /** Lists every refund of a payment, ours and those that a person began there. @throws ProviderError */
  listRefunds(context: Context, account: PaymentAccount, paymentId: string): Promise<ReportedRefund[]>;
  /** Months after the payment in which it accepts refunds. */
  refundsForMonths: number;

  /**
   * Lists the lines paid out to our bank on a day, from line `skip` on; null for a provider whose money comes directly to our
   * bank, or is in another provider's payouts. Repeatable. `day` is "2026-11-24"; `next` is the `skip` of the next page, null
   * on the last.
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
   * Lists every payment and refund begun in a period, in any status; null for a provider whose payments another one lists.
   * Repeatable.
   * @throws ProviderError
   */
  listBetween:
    | ((
        context: Context,
        account: PaymentAccount,
        span: { from: Date; to: Date },
      ) => Promise<{ payments: ProviderPayment[]; refunds: ReportedRefund[] }>)
    | null;

  /** Lists every refund begun in a period; null as for `listBetween`. @throws ProviderError */
  listRefundsBetween:
    | ((
        context: Context,
        account: PaymentAccount,
        span: { from: Date; to: Date },
      ) => Promise<ReportedRefund[]>)
    | null;
  /** Lists every dispute begun in a period, in its current state; null as for `listBetween`. @throws ProviderError */
  listDisputesBetween:
    | ((
        context: Context,
        account: PaymentAccount,
        span: { from: Date; to: Date },
      ) => Promise<ReportedDispute[]>)
    | null;

  /** Builds the data with which the buyer's browser pays an order; null when the order is not paid in a checkout on our pages. */
  checkout(context: Context, account: PaymentAccount, request: CheckoutRequest): CheckoutView | null;
  /** Parses the checkout's result from the buyer's browser; null when it is not from this provider. */
  readReturn(posted: unknown): CheckoutReturn | null;
  /** The fields that `readReturn` reads. */
  returnFields: readonly string[];
  /** Whether the provider signed a return for this account. @throws ProviderError */
  isGenuine(context: Context, account: PaymentAccount, returned: PaidReturn): boolean;

  /**
   * Parses a webhook and verifies its signature over the raw body. The signature identifies the account.
   * @param request.headers looked up by name, case-insensitively
   * @throws DomainError unauthenticated for a forged one, bad_request for a body that is not an event
   */
  readEvent(context: Context, request: WebhookRequest): ProviderEvent;
  /** Reads the payment that a stored event is about; null for other events. @throws ZodError for an invalid payload */
  paymentIn(payload: unknown): PaymentReference | null;
  /** Reads the refund that a stored event reports, with its status; null for other events. @throws ZodError */
  refundIn(payload: unknown): ReportedRefund | null;
  /** Reads the dispute that a stored event is about; null for other events. @throws ZodError */
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
  /** Null for an order without one, which is not ours. */
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
  /** The provider's fee with its tax, in minor units, paid by the buyer or by us; null before the capture. */
  feeMinor: number | null;
  /** Refunds that did not fail, in minor units. */
  amountRefundedMinor: number;
  /** "created" and "authorized" payments may still be captured. */
  status: "created" | "authorized" | "captured" | "refunded" | "failed";
  /** The provider's term, such as "card". */
  method: string;
  /** Reason of a failure for the buyer: a message of ours for known reasons, else the provider's text. */
  errorDescription: MessageDescriptor | string | undefined;
}

export interface NewProviderRefund {
  paymentId: string;
  /** Integer minor units, from 1 to the captured amount. */
  amountMinor: number;
  /** Idempotency key, stored before it is sent. The provider stores it with the refund. */
  key: RefundId;
}

export interface ProviderRefund {
  id: string;
  status: Exclude<RefundStatus, "requested">;
  /** Reference with which the buyer's bank finds the refund; null until there is one. */
  bankReference: string | null;
}

/** A refund as reported by a provider. */
export interface ReportedRefund extends ProviderRefund {
  providerPaymentId: string;
  /** Integer minor units. */
  amountMinor: number;
  /** Our id, if the refund was requested with one of our keys. */
  key: RefundId | null;
}

/** A dispute as reported by a provider. */
export interface ReportedDispute {
  id: string;
  providerPaymentId: string;
  /** Integer minor units. */
  amountMinor: number;
  /** Amount taken permanently; 0 unless it is lost. */
  deductedMinor: number;
  /** ISO 4217. */
  currency: string;
  status: DisputeStatus;
  /** The provider's code for the reason. */
  reason: string | null;
  /** The provider's term. */
  phase: string | null;
  respondBy: Date | null;
  /** Time of the provider's event, which identifies a late arrival as old; null for a state read from its list. */
  at: Date | null;
  begunAt: Date;
}

/** An open payment, for the checkout. */
export interface CheckoutRequest {
  orderId: OrderId;
  providerOrderId: string;
  amount: Money;
  description: string;
  prefill: { name: string; email: string; contact: string };
  /** The buttons that lead to it, by the methods that each offers; at least one button, each with at least one method. */
  choices: readonly (readonly PaymentMethod[])[];
  /** Path of ours for a buyer who leaves the checkout without paying. */
  cancelPath: string;
  /** Path of ours to which the checkout posts its result. */
  returnPath: string;
  /** The buyer's language. */
  language: LanguageId;
}

/** `provider` tells the page how to show it. */
export type CheckoutView = RazorpayCheckout;

/** A successful return, to be verified with the account of the order. */
export interface PaidReturn extends PaymentReference {
  state: "paid";
  /** Our reference of the order, if the provider returns it; a return with a different one is not genuine. */
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
  /** Whether it contains anything usable. */
  isUsed: boolean;
  /** Reason, for staff, why an event of a used kind cannot be read; null for a readable one. */
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
