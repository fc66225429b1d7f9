/** Quotes: an unpaid order's price and its end date, one row per version; and the requests to approvers and payers. */
import type { Generated } from "kysely";
import type { OrderId, QuoteId, QuoteRequestId, UserId } from "../ids.ts";
import type { Json } from "./orders.ts";

export interface QuotesTable {
  id: QuoteId;
  order_id: OrderId;
  /** "QT/IN/26-27/000001": the same for every version of an order's quote. */
  number: string;
  /** Version number, from 1. */
  version: number;
  series: string;
  /** Serial from 1, without gaps within the series. */
  serial: number;
  issued_at: Date;
  /** End of the order's price hold. */
  valid_until: Date;
  language: string;
  /** Content of the quote, validated by zod in server/billing/quotes. Never changed. */
  facts: Json;
  /** SHA-256 of the order's facts as quoted, hex: see server/billing/quotes/quote-fingerprint.ts. */
  hash: string;
}

/** Kind of request: an approver's decision, or a payment. */
export type QuoteRequestKind = "approve" | "pay";
/** Transferred: reported by the payer, which moves no money. */
export type QuoteAnswer = "approved" | "refused" | "transferred";

/** A request by link about a version of a quote. */
export interface QuoteRequestsTable {
  id: QuoteRequestId;
  quote_id: QuoteId;
  kind: QuoteRequestKind;
  email: string;
  /** The buyer's own words; empty without any. */
  why: string;
  /** Null when that account was deleted. */
  asked_by: UserId | null;
  /** Version of the vendor's agreement that the buyer accepted, for a payment; null if there is none. */
  agreement: string | null;
  created_at: Date;
  /** Time at which a new request replaced it. */
  replaced_at: Generated<Date | null>;
  answer: Generated<QuoteAnswer | null>;
  answer_words: Generated<string | null>;
  answered_at: Generated<Date | null>;
  /** Member who approved it and may approve for the company. Null for anyone else, and when that account was deleted. */
  approver_id: Generated<UserId | null>;
}

export interface QuoteRequestTokensTable {
  /** SHA-256 of the token, hex. Only the mail contains the token itself. */
  hash: string;
  request_id: QuoteRequestId;
  created_at: Generated<Date>;
}
