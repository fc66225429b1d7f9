/** Quotes: what an unpaid order costs and until when, a row for each version; and what approvers and payers are asked about them. */
import type { Generated } from "kysely";
import type { OrderId, QuoteId, QuoteRequestId, UserId } from "../ids.ts";
import type { Json } from "./orders.ts";

export interface QuotesTable {
  id: QuoteId;
  order_id: OrderId;
  /** "QT/IN/26-27/000001": the same for every version of an order's quote. */
  number: string;
  /** From 1. */
  version: number;
  series: string;
  /** From 1, without gaps within the series. */
  serial: number;
  issued_at: Date;
  /** Until then the order keeps its price. */
  valid_until: Date;
  language: string;
  /** Everything it says, validated by zod in server/billing/quotes. Never changed. */
  facts: Json;
  /** SHA-256 of the order's facts as quoted, hex: see server/billing/quotes/quote-fingerprint.ts. */
  hash: string;
}

/** Whom a request asks: an approver for a yes or a no, or whoever pays for the money. */
export type QuoteRequestKind = "approve" | "pay";
/** Transferred: the payer says so, which moves no money. */
export type QuoteAnswer = "approved" | "refused" | "transferred";

/** What somebody was asked by link about a version of a quote. */
export interface QuoteRequestsTable {
  id: QuoteRequestId;
  quote_id: QuoteId;
  kind: QuoteRequestKind;
  email: string;
  /** In the buyer's words; empty without any. */
  why: string;
  /** Null when that account is gone. */
  asked_by: UserId | null;
  /** Of a payment: the version of the vendor's agreement that the buyer accepted; null where there is none. */
  agreement: string | null;
  created_at: Date;
  /** When it was asked again, which ends this one. */
  replaced_at: Generated<Date | null>;
  answer: Generated<QuoteAnswer | null>;
  answer_words: Generated<string | null>;
  answered_at: Generated<Date | null>;
  /** The member whose yes it is: one who may approve for the company. Null for anybody else, and where that account is gone. */
  approver_id: Generated<UserId | null>;
}

export interface QuoteRequestTokensTable {
  /** SHA-256 of the token, hex. Only the mail contains the token itself. */
  hash: string;
  request_id: QuoteRequestId;
  created_at: Generated<Date>;
}
