/** Quotes: what an unpaid order costs and until when, a row for each version. */
import type { OrderId, QuoteId } from "../ids.ts";
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
  /** Everything it says, validated by zod in server/quotes. Never changed. */
  facts: Json;
  /** SHA-256 of the order's facts as quoted, hex: see server/quotes/hash.ts. */
  hash: string;
}
