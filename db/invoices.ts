/** Queries on invoices and on the counters of their series. */
import { sql } from "kysely";
import type { OrderId } from "./ids.ts";
import type { Db, Trx } from "./tables/index.ts";

/** An invoice as issued, with its facts unchanged. */
export interface StoredInvoice {
  number: string;
  orderId: OrderId;
  issuedAt: Date;
  /** Null for one from before there were languages. */
  language: string | null;
  facts: unknown;
}

export async function readInvoice(db: Db, orderId: OrderId): Promise<StoredInvoice | null> {
  const row = await db
    .selectFrom("invoices")
    .select(["number", "order_id as orderId", "issued_at as issuedAt", "language", "facts"])
    .where("order_id", "=", orderId)
    .executeTakeFirst();
  return row ?? null;
}

/** The invoice numbers of those orders that have one. */
export async function listInvoiceNumbers(
  db: Db,
  orderIds: readonly OrderId[],
): Promise<Map<OrderId, string>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("invoices")
    .select(["order_id", "number"])
    .where("order_id", "in", orderIds)
    .execute();
  return new Map(rows.map((row) => [row.order_id, row.number]));
}

/**
 * Takes the next serial of a series and locks the series until the transaction ends. A rollback returns the serial, and
 * nobody can have taken a later one meanwhile. Dates never decrease within a series, even when a clock was ahead.
 */
export async function takeSerial(
  trx: Trx,
  series: string,
  at: Date,
): Promise<{ serial: number; issuedAt: Date }> {
  const row = await trx
    .insertInto("invoice_series")
    .values({ series, last_serial: 1, last_issued_at: at })
    .onConflict((oc) =>
      oc.column("series").doUpdateSet({
        last_serial: sql<number>`invoice_series.last_serial + 1`,
        last_issued_at: sql<Date>`greatest(invoice_series.last_issued_at, excluded.last_issued_at)`,
      }),
    )
    .returning(["last_serial", "last_issued_at"])
    .executeTakeFirstOrThrow();
  return { serial: row.last_serial, issuedAt: row.last_issued_at };
}

export async function insertInvoice(
  trx: Trx,
  invoice: StoredInvoice & { series: string; serial: number },
): Promise<void> {
  await trx
    .insertInto("invoices")
    .values({
      number: invoice.number,
      order_id: invoice.orderId,
      series: invoice.series,
      serial: invoice.serial,
      issued_at: invoice.issuedAt,
      language: invoice.language,
      facts: JSON.stringify(invoice.facts),
    })
    .execute();
}

/** What a document has by which it is counted. */
export interface NumberedDocument {
  number: string;
  issuedAt: Date;
  series: string;
  /** From 1, without gaps within the series. */
  serial: number;
  /** It has its number and nothing else: its registration was cancelled, or it is a credit note whose refund failed. */
  isCancelled: boolean;
}

export type NumberedInvoice = StoredInvoice & NumberedDocument;

/** Whether the registration of the document with this number was cancelled. */
export const isRegistrationCancelled = (number: string) =>
  sql<boolean>`exists (
    select from e_invoices where e_invoices.number = ${sql.ref(number)} and e_invoices.state = 'cancelled')`;

/** Invoices issued from a moment on and before another, in the order of their numbers. */
export async function listInvoicesIssued(
  db: Db,
  { from, to }: { from: Date; to: Date },
): Promise<NumberedInvoice[]> {
  return db
    .selectFrom("invoices")
    .select([
      "number",
      "order_id as orderId",
      "issued_at as issuedAt",
      "language",
      "facts",
      "series",
      "serial",
      isRegistrationCancelled("invoices.number").as("isCancelled"),
    ])
    .where("issued_at", ">=", from)
    .where("issued_at", "<", to)
    .orderBy("series")
    .orderBy("serial")
    .execute();
}
