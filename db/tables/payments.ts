/** What we asked payment providers for, what they reported, and the raw events they sent. */
import type { Generated } from "kysely";
import type { OrderId, PaymentId, RefundId } from "../ids.ts";
import type { Country, Currency } from "./enums.ts";
import type { Json, NullableJson } from "./orders.ts";

/** The payment provider of a row: the ids in `payment_providers`. */
export type PaymentProviderId = "razorpay";

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
  /** How often the sweeper has looked for a payment. */
  looks: Generated<number>;
  looked_at: Generated<Date | null>;
  /**
   * When the sweeper looks again: 15 minutes after the intent's creation, then at growing intervals. Null when a payment is
   * no longer expected.
   */
  next_look_at: Generated<Date | null>;
  /** What it pays for, validated by zod in server/payments. Null for an intent begun by an earlier version. */
  paid_for: NullableJson;
  /** Since when a caller is creating the provider's order, or null while nobody is. */
  asked_at: Date | null;
  created_at: Generated<Date>;
}

/**
 * returned = signed return received, not yet checked; mismatch = checked and refused; surplus = a second capture for a paid
 * order; refunded = captured for an order that could no longer be carried out, and refunded in full.
 */
export type PaymentRowStatus = "returned" | "captured" | "mismatch" | "surplus" | "failed" | "refunded";

export interface PaymentsTable {
  id: PaymentId;
  order_id: OrderId;
  provider: PaymentProviderId;
  account: PaymentAccount;
  provider_payment_id: string;
  provider_order_id: string;
  amount_minor: number | null;
  currency: string | null;
  method: string | null;
  status: PaymentRowStatus;
  problem: string | null;
  created_at: Generated<Date>;
  settled_at: Date | null;
}

/** requested = decided here, not yet sent; pending and processed as the provider says; failed = a person must look. */
export type RefundStatus = "requested" | "pending" | "processed" | "failed";

export interface RefundsTable {
  /** Also the provider's idempotency key: a repeated request refunds only once. */
  id: RefundId;
  order_id: OrderId;
  provider: PaymentProviderId;
  provider_payment_id: string;
  amount_minor: number;
  currency: Currency;
  /** In words for the buyer. */
  reason: string;
  status: RefundStatus;
  provider_refund_id: string | null;
  /** Why it failed, in the provider's words, for the operator. */
  problem: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface ProviderEventsTable {
  provider: PaymentProviderId;
  /** Whose secret signed it. */
  account: PaymentAccount;
  event_id: string;
  type: string;
  payload: Json;
  received_at: Generated<Date>;
  processed_at: Date | null;
}
