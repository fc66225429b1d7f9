/** Invoices as issued, and the counters that number them. */
import type { Selectable } from "kysely";
import type { OrderId } from "../ids.ts";
import type { Json } from "./orders.ts";

export interface InvoiceSeriesTable {
  /** "IN/26-27": the prefix of every number in the series. */
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
  /** Everything the invoice says, validated by zod in server/documents. Never changed. */
  facts: Json;
}
export type InvoiceRow = Selectable<InvoicesTable>;
