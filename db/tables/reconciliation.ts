/** What providers paid out and vendors billed, and where that differs from what was paid and invoiced here. */
import type { ColumnType, Generated } from "kysely";
import type { OrderId, SubscriptionId } from "../ids.ts";
import type { Currency, FamilyId } from "./enums.ts";
import type { PaymentAccount, PaymentProviderId } from "./payments.ts";

/** Other: a fee, a transfer, what a dispute took, which are of no payment and no refund of ours. */
export type SettlementKind = "payment" | "refund" | "other";

/** A line of a payout. Amounts are in minor units of its currency. */
export interface SettlementLinesTable {
  provider: PaymentProviderId;
  account: PaymentAccount;
  /** The provider's id of the payment or refund. */
  entity_id: string;
  settlement_id: string;
  kind: SettlementKind;
  /** The payment it belongs to; null for one of none. */
  provider_payment_id: string | null;
  /** The dispute that took or gave it back; null for a line of none, and for those that an earlier version read. */
  provider_dispute_id: Generated<string | null>;
  currency: string;
  /** Before the fee. */
  amount_minor: number;
  credit_minor: number;
  debit_minor: number;
  /** With the tax on it. */
  fee_minor: number;
  tax_minor: number;
  /** The bank's number of the payout (UTR). */
  bank_reference: string | null;
  settled_at: Date;
  imported_at: Generated<Date>;
}

/** A day whose lines were all read after it was over. */
export interface SettlementDaysTable {
  provider: PaymentProviderId;
  account: PaymentAccount;
  /** "2026-11-24" */
  day: ColumnType<string, string, never>;
  read_at: Generated<Date>;
}

/** A vendor's bill, from when its lines are first asked for. */
export interface VendorStatementsTable {
  family: FamilyId;
  /** Our account at the vendor, as the family names it. */
  account: string;
  /** The vendor's number of the bill. */
  statement: string;
  /** "2026-11": of its charges. */
  month: string;
  /** What the vendor calls the export of its lines; null before it was asked for, and after it was read. */
  operation: string | null;
  asked_at: Date | null;
  /** When all its lines were stored; null until then. */
  imported_at: Date | null;
}

/** Credit: what the vendor gave back, with a negative amount. */
export type VendorLineKind = "term" | "seats" | "credit";

export interface VendorBillLinesTable {
  family: FamilyId;
  /** The vendor's id of the line, or a hash of what it says. */
  line_key: string;
  account: string;
  statement: string;
  /** The vendor's id of the subscription. */
  external_id: string;
  /** Ours, once it is known. It stays when the subscription is bought anew under another id. */
  subscription_id: SubscriptionId | null;
  kind: VendorLineKind;
  seats: number;
  /** Minor units of a seat for the whole term. */
  unit_minor: number;
  amount_minor: number;
  currency: Currency;
  /** The time it is charged for. */
  starts_at: Date;
  ends_at: Date;
  /** Why a person must look at it; null for a usual line, and for one that an earlier version read. */
  remark: Generated<string | null>;
  imported_at: Generated<Date>;
}

export interface MoneyDifferencesTable {
  /** Its kind and what it is about: the same difference has the same key every day. */
  key: string;
  kind: string;
  amount_minor: number;
  currency: Currency;
  /** A sentence for the operator. */
  what: string;
  /** The order it is about; null for one that is of no order known here, and for those that an earlier version found. */
  order_id: Generated<OrderId | null>;
  first_seen_at: Generated<Date>;
  /** When it was last found gone; null while it is there. */
  resolved_at: Date | null;
  /** When the operator was mailed about it. */
  told_at: Date | null;
  acknowledged_at: Date | null;
  acknowledged_because: string | null;
}
