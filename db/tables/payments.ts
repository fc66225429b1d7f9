/** What the payment provider was asked for, what it reported, and the raw events it sent. */
import type { Generated, Selectable } from "kysely";
import type { OrderId, PaymentId } from "../ids.ts";
import type { Currency } from "./enums.ts";
import type { Json } from "./orders.ts";

export interface PaymentIntentsTable {
  id: string;
  order_id: OrderId;
  /** Our unique name for the provider's order, by which a lost answer is recovered. */
  receipt: string;
  provider_order_id: string | null;
  amount_minor: number;
  currency: Currency;
  status: "open" | "superseded" | "paid";
  created_at: Generated<Date>;
}
export type PaymentIntentRow = Selectable<PaymentIntentsTable>;

/** returned = signed return received, not yet checked; mismatch = checked and refused; surplus = a second capture for a paid order. */
export type PaymentRowStatus = "returned" | "captured" | "mismatch" | "surplus" | "failed";

export interface PaymentsTable {
  id: PaymentId;
  order_id: OrderId;
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
export type PaymentRow = Selectable<PaymentsTable>;

export interface ProviderEventsTable {
  provider: string;
  event_id: string;
  type: string;
  payload: Json;
  received_at: Generated<Date>;
  processed_at: Date | null;
}
