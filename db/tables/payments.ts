/** Tables of our requests to payment providers, their reports, and the raw events they sent. */
import type { Generated } from "kysely";
import type { CancellationId, DisputeId, OrderId, PaymentId, RefundId } from "../ids.ts";
import type { Country, Currency } from "./enums.ts";
import type { Json, NullableJson } from "./orders.ts";

/** The payment provider of a row: the ids in `payment_providers`. */
export type PaymentProviderId = "razorpay" | "payment-link" | "bank-transfer";

/** Account that takes the money, by country; null for the former account of all countries. */
export type PaymentAccount = Country | null;

export interface PaymentProvidersTable {
  id: PaymentProviderId;
}

export interface PaymentIntentsTable {
  id: string;
  order_id: OrderId;
  /** Our unique reference for the provider's order, used to find it when the response was lost. */
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
  /** Time from which it must not be paid, which a job reports to the provider; null while it may be paid. */
  closed_at: Generated<Date | null>;
  /** Whether more money may reach the provider's order although it is paid. */
  takes_more: Generated<boolean>;
  /** Time of the provider's refusal to open it; null while there is none. */
  refused_at: Generated<Date | null>;
  created_at: Generated<Date>;
}

/** Links for paying intents, once their provider has created them. */
export interface PaymentLinksTable {
  intent_id: string;
  url: string;
  /** Time at which the provider stops taking payments through it. */
  expires_at: Date;
}

/**
 * returned = signed return received, not yet checked; part = captured, of an order that takes several, and completed by the
 * captured one; mismatch = checked and refused; surplus = a second capture for a paid order; refunded = captured for an order
 * that could no longer be fulfilled, and refunded in full.
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
  /** Amount for the order, without the customer's fee. */
  amount_minor: number | null;
  /** Provider's fee that the buyer paid in addition to the order, with the tax on it; never on an invoice. */
  customer_fee_minor: Generated<number>;
  currency: string | null;
  method: string | null;
  status: PaymentRowStatus;
  /**
   * Reason for its failure, for the buyer: a message as text (`serializeMessage` in server/foundation/languages/text.ts), or
   * plain text.
   */
  problem: string | null;
  created_at: Generated<Date>;
  settled_at: Date | null;
}

/** requested = decided here, not yet sent; pending and processed as the provider reports; failed = needs a person. */
export type RefundStatus = "requested" | "pending" | "processed" | "failed";

/** Provider = made in the provider's dashboard, and only recorded here. */
export type RefundDecider = "store" | "operator" | "buyer" | "provider";

export interface RefundsTable {
  /** Also the provider's idempotency key: a repeated request refunds only once. */
  id: RefundId;
  order_id: OrderId;
  provider: PaymentProviderId;
  provider_payment_id: string;
  /** Amount of the order, without the customer's fee. */
  amount_minor: number;
  /** Part of the payment's customer fee that is refunded with it. */
  customer_fee_minor: Generated<number>;
  currency: Currency;
  /** Reason, for the buyer, stored as `problem` of a payment is. */
  reason: string;
  status: RefundStatus;
  provider_refund_id: string | null;
  /** Reference by which the buyer's bank finds it: ARN, RRN or UTR. */
  bank_reference: Generated<string | null>;
  /** Reason for its failure or delay, in the provider's words, for the operator. */
  problem: string | null;
  decided_by: Generated<RefundDecider>;
  /** Part of it that refunds money paid beyond the invoice. */
  surplus_minor: Generated<number>;
  /** Cancellation that it pays for; null for any other, and for those of an earlier version, whose part refers to it. */
  cancellation_id: Generated<CancellationId | null>;
  /** Time at which the sweep last asked the provider about it. */
  looked_at: Generated<Date | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/**
 * review = the provider examines it; action = we must respond; won = we keep the money; lost = the bank withdrew it; closed = it
 * ended without a decision, and we keep the money.
 */
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
  /** Deadline for a response in the provider's dashboard. */
  respond_by: Date | null;
  /** Time at which the provider wrote the event that `status` is from. */
  told_at: Date;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/**
 * new = not handled yet; applied = used, or its effect was known already; waiting = about an unknown payment; foreign = about a
 * payment of another system at the same account; unused = of a kind that the store does not use; unreadable = of a kind that the
 * store uses, without a required field.
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
  /** Reason why it cannot be read, for staff. */
  problem: Generated<string | null>;
}
