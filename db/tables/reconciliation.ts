/** Providers' payouts and vendors' bills, and their differences from our payments and invoices. */
import type { ColumnType, Generated } from "kysely";
import type { OrderId, SubscriptionId } from "../ids.ts";
import type { Currency, FamilyId } from "./enums.ts";
import type { PaymentAccount, PaymentProviderId } from "./payments.ts";

/** Other: a fee, a transfer, a dispute's deduction, which belong to none of our payments and refunds. */
export type SettlementKind = "payment" | "refund" | "other";

/** A line of a payout. Amounts are in minor units of its currency. */
export interface SettlementLinesTable {
  provider: PaymentProviderId;
  account: PaymentAccount;
  /** The provider's id of the payment or refund. */
  entity_id: string;
  settlement_id: string;
  kind: SettlementKind;
  /** Payment that it belongs to; null for none. */
  provider_payment_id: string | null;
  /** Dispute that deducted or returned it; null for none, and for lines that an earlier version read. */
  provider_dispute_id: Generated<string | null>;
  currency: string;
  /** Amount before the fee. */
  amount_minor: number;
  credit_minor: number;
  debit_minor: number;
  /** Fee including tax. */
  fee_minor: number;
  tax_minor: number;
  /** Bank reference of the payout (UTR). */
  bank_reference: string | null;
  settled_at: Date;
  imported_at: Generated<Date>;
}

/** A day whose lines were all read after it ended. */
export interface SettlementDaysTable {
  provider: PaymentProviderId;
  account: PaymentAccount;
  /** "2026-11-24" */
  day: ColumnType<string, string, never>;
  read_at: Generated<Date>;
}

/** A vendor's bill, stored when its lines are first requested. */
export interface VendorStatementsTable {
  family: FamilyId;
  /** Our account at the vendor, as the family names it. */
  account: string;
  /** The vendor's number of the bill. */
  statement: string;
  /** Month of its charges, "2026-11". */
  month: string;
  /** The vendor's name for the export of its lines; null before the request, and after it was read. */
  operation: string | null;
  asked_at: Date | null;
  /** Time at which all its lines were stored; null until then. */
  imported_at: Date | null;
}

/** Credit: the vendor's refund, with a negative amount. */
export type VendorLineKind = "term" | "seats" | "credit";

export interface VendorBillLinesTable {
  family: FamilyId;
  /** The vendor's id of the line, or a hash of its content. */
  line_key: string;
  account: string;
  statement: string;
  /** The vendor's id of the subscription. */
  external_id: string;
  /** Our subscription, once it is known. It stays when the subscription is bought again under another id. */
  subscription_id: SubscriptionId | null;
  kind: VendorLineKind;
  seats: number;
  /** Minor units of a seat for the whole term. */
  unit_minor: number;
  amount_minor: number;
  currency: Currency;
  /** Charged period. */
  starts_at: Date;
  ends_at: Date;
  /** Reason why a person must review it; null for a usual line, and for one that an earlier version read. */
  remark: Generated<string | null>;
  imported_at: Generated<Date>;
}

export interface MoneyDifferencesTable {
  /** Kind and subject: the same difference has the same key every day. */
  key: string;
  kind: string;
  amount_minor: number;
  currency: Currency;
  /** A sentence for the operator. */
  what: string;
  /** Order that it concerns; null if it is of no known order, and for differences that an earlier version found. */
  order_id: Generated<OrderId | null>;
  first_seen_at: Generated<Date>;
  /** Time at which it was last found resolved; null while it exists. */
  resolved_at: Date | null;
  /** Time at which the operator was mailed about it. */
  told_at: Date | null;
  acknowledged_at: Date | null;
  acknowledged_because: string | null;
}
