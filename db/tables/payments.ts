/** Tables of our requests to payment providers, their reports, and the raw events they sent. */
import type { Generated } from "kysely";
import type { CancellationId, DisputeId, OrderId, PaymentId, RefundId } from "../ids.ts";
import type { Country, Currency } from "./enums.ts";
import type { Json, NullableJson } from "./orders.ts";

/** The payment provider of a row: the ids in `payment_providers`. */
export type PaymentProviderId = "razorpay" | "payment-link" | "bank-transfer";

/**
 * The account that takes the money: that of a country; null for the one account of all countries, where payments were begun
 * before each country had its own.
 */
export type PaymentAccount = Country | null;

export interface PaymentProvidersTable {
  id: PaymentProviderId;
}

export interface PaymentIntentsTable {
  id: string;
  order_id: OrderId;
  /** Our unique reference for the provider's order, used to find it when the answer was lost. */
  receipt: string;
  provider: PaymentProviderId;
  account: PaymentAccount;
  provider_order_id: string | null;
  amount_minor: number;
  currency: Currency;
  status: "open" | "superseded" | "paid";
  /** Number of times that the sweeper has looked for a payment. */
  looks: Generated<number>;
  looked_at: Generated<Date | null>;
  /**
   * Time at which the sweeper looks again: 15 minutes after the intent's creation, then at growing intervals. Null when a payment is
   * no longer expected.
   */
  next_look_at: Generated<Date | null>;
  /** The purchase that it pays for, validated by zod in server/billing/payments. Null for an intent begun by an earlier version. */
  paid_for: NullableJson;
  /** Time at which a caller began to create the provider's order; null while nobody does. */
  asked_at: Date | null;
  /** Time from which nobody must pay it, which a job reports to the provider; null while it may be paid. */
  closed_at: Generated<Date | null>;
  /** Whether more money may reach the provider's order although it is paid. */
  takes_more: Generated<boolean>;
  /** Time of the provider's refusal to open it; null while there is none. */
  refused_at: Generated<Date | null>;
  created_at: Generated<Date>;
}

/** The links by which intents are paid, once their provider has made them. */
export interface PaymentLinksTable {
  intent_id: string;
  url: string;
  /** Time at which the provider stops taking payments through it. */
  expires_at: Date;
}

/**
 * returned = signed return received, not yet checked; part = captured, and of an order that takes
 * several, completed by the one that is captured; mismatch = checked and refused; surplus = a second capture for a paid
 * order; refunded = captured for an order that could no longer be carried out, and refunded in full.
 */
export type PaymentRowStatus =
  | "returned"
  | "part"
  | "captured"
  | "mismatch"
  | "surplus"
  | "failed"
  | "refunded";

export interface PaymentsTable {
  id: PaymentId;
  order_id: OrderId;
  provider: PaymentProviderId;
  account: PaymentAccount;
  provider_payment_id: string;
  provider_order_id: string;
  /** The order's money, without the customer's fee. */
  amount_minor: number | null;
  /** The provider's fee that the buyer paid on top of the order, with the tax on it; never on an invoice. */
  customer_fee_minor: Generated<number>;
  currency: string | null;
  method: string | null;
  status: PaymentRowStatus;
  /** Why it failed, for the buyer: a message as text (`serializeMessage` in server/foundation/languages/text.ts), or plain text. */
  problem: string | null;
  created_at: Generated<Date>;
  settled_at: Date | null;
}

/** requested = decided here, not yet sent; pending and processed as the provider says; failed = a person must look. */
export type RefundStatus = "requested" | "pending" | "processed" | "failed";

/** Provider = begun at the provider by a person, and only recorded here. */
export type RefundDecider = "store" | "operator" | "buyer" | "provider";

export interface RefundsTable {
  /** Also the provider's idempotency key: a repeated request refunds only once. */
  id: RefundId;
  order_id: OrderId;
  provider: PaymentProviderId;
  provider_payment_id: string;
  /** The order's money, without the customer's fee. */
  amount_minor: number;
  /** The part of the payment's customer fee that goes back with it. */
  customer_fee_minor: Generated<number>;
  currency: Currency;
  /** Reason, for the buyer, stored as `problem` of a payment is. */
  reason: string;
  status: RefundStatus;
  provider_refund_id: string | null;
  /** Reference by which the buyer's bank finds it: ARN, RRN or UTR. */
  bank_reference: Generated<string | null>;
  /** Why it failed or waits, in the provider's words, for the operator. */
  problem: string | null;
  decided_by: Generated<RefundDecider>;
  /** Part of it that refunds money paid beyond the invoice. */
  surplus_minor: Generated<number>;
  /** The cancellation that it pays for; null for any other, and for those of an earlier version, which its part names. */
  cancellation_id: Generated<CancellationId | null>;
  /** Time at which the sweep last asked the provider about it. */
  looked_at: Generated<Date | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** review = the provider looks at it; action = something is asked of us; won = the money stays ours; lost = the bank took it; closed = it ended without a decision, and the money stays ours. */
export type DisputeStatus = "open" | "review" | "action" | "won" | "lost" | "closed";

export interface DisputesTable {
  id: DisputeId;
  order_id: OrderId;
  provider: PaymentProviderId;
  provider_payment_id: string;
  provider_dispute_id: string;
  /** Amount that the cardholder disputes. */
  amount_minor: number;
  /** Amount that was taken from us permanently, once it is lost. */
  deducted_minor: Generated<number>;
  currency: string;
  /** The provider's code. */
  reason: string | null;
  /** The provider's term: "chargeback". */
  phase: string | null;
  status: DisputeStatus;
  /** Deadline for an answer in the provider's dashboard. */
  respond_by: Date | null;
  /** Time at which the provider wrote the event that `status` is from. */
  told_at: Date;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/**
 * new = not handled yet; applied = used, or its effect was known already; waiting = about a payment that is not known yet;
 * foreign = about a payment of another system at the same account; unused = of a kind that the store does not use;
 * unreadable = of a kind that the store uses, without a field that it needs.
 */
export type ProviderEventState = "new" | "applied" | "waiting" | "foreign" | "unused" | "unreadable";

export interface ProviderEventsTable {
  provider: PaymentProviderId;
  /** Account whose secret signed it. */
  account: PaymentAccount;
  event_id: string;
  type: string;
  payload: Json;
  received_at: Generated<Date>;
  /** Null while it is new or waiting. */
  processed_at: Date | null;
  state: Generated<ProviderEventState>;
  /** The provider's id of the payment that a waiting event is about. */
  payment_id: Generated<string | null>;
  /** Why it cannot be read, for staff. */
  problem: Generated<string | null>;
}
