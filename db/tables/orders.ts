/** Orders and their lines. The three JSON columns are validated by zod in db/orders/order.ts and never used unchecked. */
import type { ColumnType, Generated, Selectable } from "kysely";
import type { CustomerId, ItemId, OrderId, SubscriptionId, TenantId, UserId } from "../ids.ts";
import type {
  BillingCycle,
  Country,
  Currency,
  FamilyId,
  FulfilmentStatus,
  OrderKind,
  PaymentStatus,
  Stage,
  Term,
} from "./enums.ts";

/** jsonb, read as unknown and written as a JSON string. */
export type Json = ColumnType<unknown, string, string>;
export type NullableJson = ColumnType<unknown, string | null | undefined, string | null>;

export interface OrdersTable {
  id: OrderId;
  /** Sequence number over all orders. */
  number: Generated<number>;
  kind: OrderKind;
  family: FamilyId;
  item_id: ItemId;
  country: Country;
  currency: Currency;
  stage: Generated<Stage>;
  payment_status: Generated<PaymentStatus>;
  fulfilment_status: Generated<FulfilmentStatus>;
  version: Generated<number>;
  user_id: UserId | null;
  customer_id: CustomerId | null;
  tenant_id: TenantId | null;
  /** Subscription that ADD and RENEW change. */
  subscription_id: SubscriptionId | null;
  parent_subscription_id: SubscriptionId | null;
  /** SHA-256 of the visitor's draft key, until an account takes over the order. */
  draft_key: string | null;
  /** Language of the mails to its buyer; null if unknown. */
  language: Generated<string | null>;
  details: Json;
  account: NullableJson;
  signin: NullableJson;
  /** References of the buyer's own books. */
  po_number: Generated<string | null>;
  cost_centre: Generated<string | null>;
  buyer_note: Generated<string | null>;
  tax_rate_basis_points: number;
  subtotal_minor: number;
  tax_minor: number;
  rounding_minor: number;
  total_minor: number;
  priced_at: Date;
  /** Whether it has a quote. */
  quoted: Generated<boolean>;
  /** End of its quote, until which it keeps its price. */
  price_held_until: Generated<Date | null>;
  terms_accepted_at: Date | null;
  paid_at: Date | null;
  fulfilled_at: Date | null;
  reminders_sent: Generated<number>;
  resume_mailed_at: Date | null;
  /** Time at which it was removed from the cart. A payment that still arrives for it counts. */
  removed_at: Generated<Date | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}
export type OrderRow = Selectable<OrdersTable>;

export interface OrderLinesTable {
  order_id: OrderId;
  position: number;
  item_id: ItemId;
  name: string;
  sku: string;
  term: Term;
  billing_cycle: BillingCycle;
  quantity: number;
  unit_price_minor: number;
  /** Google's new-signup price for the first 20 users. */
  signup_price_minor: number | null;
  subtotal_minor: number;
}
export type OrderLineRow = Selectable<OrderLinesTable>;
