/** Invoices, proformas and credit notes as issued, and the counters that number them. */
import type { ColumnType, Generated, Selectable } from "kysely";
import type { CorrectionId, OrderId, RefundId } from "../ids.ts";
import type { Country, Currency } from "./enums.ts";
import type { Json, NullableJson } from "./orders.ts";

export interface InvoiceSeriesTable {
  /** "IN/26-27", "IN/C26-27": the prefix of every number in the series. */
  series: string;
  last_serial: number;
  last_issued_at: Date;
}

export interface InvoicesTable {
  /** "IN/26-27/000001": never reused. */
  number: string;
  order_id: OrderId;
  series: string;
  /** Serial from 1, without gaps within the series. */
  serial: number;
  issued_at: Date;
  /** Language of the document; null for one issued before there were languages, which is in English. */
  language: string | null;
  /**
   * Content of the invoice, validated by zod in server/billing/documents. Changed only while the portal refuses to register it.
   */
  facts: Json;
  /** Number of the corrected invoice that replaced it; null for the valid one. */
  replaced_by: Generated<string | null>;
}
export interface ProformasTable {
  /** "PF/IN/26-27/000001": never reused. */
  number: string;
  order_id: OrderId;
  /** Payment intent that it asks for. */
  intent_id: string;
  series: string;
  /** Serial from 1, without gaps within the series. */
  serial: number;
  issued_at: Date;
  /** End of its price hold. */
  valid_until: Date;
  language: string;
  /** Its content without the account, validated by zod in server/billing/documents. Never changed. */
  facts: Json;
  /** Bank account to pay into, validated by zod in server/billing/documents. Null until the account is open. */
  bank: NullableJson;
  /** Tax that its buyer withheld and owes a certificate for, and money paid beyond its amount. */
  withheld_minor: Generated<number>;
  /** Whether certificates have arrived for all withheld tax. */
  certified: Generated<boolean>;
  surplus_minor: Generated<number>;
}

/** A certificate of tax that a buyer withheld. One for several orders is booked for each of them. */
export interface TdsCertificatesTable {
  /** Proforma from which it was withheld. */
  proforma_number: string;
  /** Number of the certificate. */
  number: string;
  /** "2026-11-24" */
  dated: ColumnType<string, string, never>;
  amount_minor: number;
  booked_by: string;
  booked_at: Generated<Date>;
}
export type InvoiceRow = Selectable<InvoicesTable>;

export interface GstRegistrationsTable {
  gstin: string;
  legal_name: string;
  /** Empty if the register has none, and for entries read before it was stored. */
  trade_name: Generated<string>;
  status: string;
  taxpayer_type: string;
  seen_at: Date;
}

/** Kinds in the invoice registration portal's terms: INV = invoice, CRN = credit note. */
export type DocumentKind = "INV" | "CRN";

/**
 * pending = waiting for registration; final = registered, and valid from then on; failed = refused, and needs a person; cancelled
 * = withdrawn at the portal or, without an acknowledgement, replaced before it was registered.
 */
export type RegistrationState = "pending" | "final" | "failed" | "cancelled";

/** A document that has to be registered, by its number. One that needs no registration has no row. */
export interface EInvoicesTable {
  number: string;
  kind: DocumentKind;
  /** Country whose account at the portal is used. */
  account: Country;
  order_id: OrderId | null;
  issued_at: Date;
  /** Content sent to the portal, built from the document's facts when it is issued or corrected. */
  body: Json;
  /** Number of corrections since the portal first refused it. */
  revision: Generated<number>;
  state: RegistrationState;
  /** Invoice reference number. It can be computed, so the document can be looked up by it. */
  irn: string;
  ack_number: string | null;
  acknowledged_at: Date | null;
  signed_qr: string | null;
  signed_invoice: string | null;
  /** Error of the last failed try. */
  error_code: string | null;
  error_words: string | null;
  tries: Generated<number>;
  /** Time at which it was first sent, or null. After that it may be registered although no response arrived. */
  asked_at: Date | null;
  /** Null when no further try is planned. */
  next_try_at: Date | null;
  /** Time at which the operator was alerted that it is late. */
  late_told_at: Generated<Date | null>;
  /** Reason for its cancellation: a code and text, validated by zod in server/billing/documents. */
  cancel_reason: NullableJson;
  cancelled_at: Date | null;
  updated_at: Generated<Date>;
}

/** A version of a document that the portal refused, as it was before a correction. */
export interface DocumentRevisionsTable {
  number: string;
  /** Number of corrections before this version. */
  revision: number;
  order_id: OrderId | null;
  facts: Json;
  /** Content that was sent to the portal. */
  body: Json;
  error_code: string | null;
  error_words: string | null;
  replaced_at: Generated<Date>;
}

export interface CreditNotesTable {
  /** "IN/C26-27/000001": never reused, not even among invoices. */
  number: string;
  /** Refund it was issued for; null for one that a correction of its invoice created. */
  refund_id: RefundId | null;
  /** Correction it was issued for, its only identifier; null for a refund's credit note. */
  correction_id: Generated<CorrectionId | null>;
  order_id: OrderId;
  invoice_number: string;
  series: string;
  /** Serial from 1, without gaps within the series. */
  serial: number;
  issued_at: Date;
  /** Language of its invoice. */
  language: string;
  /** Refunded amount, including tax. */
  total_minor: number;
  currency: Currency;
  /**
   * Content of the credit note, validated by zod in server/billing/documents. Changed only while the portal refuses to register
   * it.
   */
  facts: Json;
  /** Number of the note that replaced it before it was registered; null for the valid one. */
  replaced_by: Generated<string | null>;
}
