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
  /** "IN/26-27/000001": unique for ever. */
  number: string;
  order_id: OrderId;
  series: string;
  /** From 1, without gaps within the series. */
  serial: number;
  issued_at: Date;
  /** The language it was issued in; null for one from before there were languages, which is in English. */
  language: string | null;
  /** Everything the invoice says, validated by zod in server/billing/documents. Changed only while the portal refuses to register it. */
  facts: Json;
  /** The number of the corrected one that took its place; null for the one that holds. */
  replaced_by: Generated<string | null>;
}
export interface ProformasTable {
  /** "PF/IN/26-27/000001": unique for ever. */
  number: string;
  order_id: OrderId;
  /** What it asks for. */
  intent_id: string;
  series: string;
  /** From 1, without gaps within the series. */
  serial: number;
  issued_at: Date;
  /** Until then its price holds, whatever the catalogue says. */
  valid_until: Date;
  language: string;
  /** Everything it says but the account, validated by zod in server/billing/documents. Never changed. */
  facts: Json;
  /** The account it is paid to, validated by zod in server/billing/documents. Null until the account is open. */
  bank: NullableJson;
  /** What its buyer withheld as tax and shows a certificate for, and what was paid beyond its amount. */
  withheld_minor: Generated<number>;
  /** Whether certificates have arrived for all that was withheld. */
  certified: Generated<boolean>;
  surplus_minor: Generated<number>;
}

/** A certificate of tax that a buyer withheld, as it has arrived. One of several orders is booked for each of them. */
export interface TdsCertificatesTable {
  /** The proforma from which it was withheld. */
  proforma_number: string;
  /** The certificate's own. */
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
  /** Empty where the register has none, and for entries read before it was kept. */
  trade_name: Generated<string>;
  status: string;
  taxpayer_type: string;
  seen_at: Date;
}

/** INV = invoice, CRN = credit note, as the invoice registration portal calls them. */
export type DocumentKind = "INV" | "CRN";

/**
 * pending = to be registered; final = registered, and valid from then on; failed = refused, and a person must look; cancelled =
 * taken back at the portal or, without an acknowledgement, replaced before it was registered.
 */
export type RegistrationState = "pending" | "final" | "failed" | "cancelled";

/** A document that has to be registered, by its number. One that needs no registration has no row. */
export interface EInvoicesTable {
  number: string;
  kind: DocumentKind;
  /** The country whose account at the portal is used. */
  account: Country;
  order_id: OrderId | null;
  issued_at: Date;
  /** Content sent to the portal, made of the document's facts as it is issued or corrected. */
  body: Json;
  /** Number of corrections since the portal first refused it. */
  revision: Generated<number>;
  state: RegistrationState;
  /** The invoice reference number: it can be computed, so the document can be looked up by it. */
  irn: string;
  ack_number: string | null;
  acknowledged_at: Date | null;
  signed_qr: string | null;
  signed_invoice: string | null;
  /** Of the last try that did not succeed. */
  error_code: string | null;
  error_words: string | null;
  tries: Generated<number>;
  /** When it was first sent, or null: from then on it may be registered although no answer was heard. */
  asked_at: Date | null;
  /** Null when nothing more is tried. */
  next_try_at: Date | null;
  /** When the operator was told that it is late. */
  late_told_at: Generated<Date | null>;
  /** Why it is to be cancelled: a code and words, validated by zod in server/billing/documents. */
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
  /** "IN/C26-27/000001": unique for ever, among invoices too. */
  number: string;
  /** The refund it was issued for; null for one that a correction of its invoice made. */
  refund_id: RefundId | null;
  /** The correction it was issued for, by which alone it is known; null for one of a refund. */
  correction_id: Generated<CorrectionId | null>;
  order_id: OrderId;
  invoice_number: string;
  series: string;
  /** From 1, without gaps within the series. */
  serial: number;
  issued_at: Date;
  /** That of its invoice. */
  language: string;
  /** What is given back, with its tax. */
  total_minor: number;
  currency: Currency;
  /** Everything the credit note says, validated by zod in server/billing/documents. Changed only while the portal refuses to register it. */
  facts: Json;
  /** The number of the note that took its place before it was registered; null for the one that holds. */
  replaced_by: Generated<string | null>;
}
