/** Queries on invoices and on the counters of their series. */
import { type RawBuilder, sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** An invoice as issued, with its facts unchanged. */
export interface StoredInvoice {
  number: string;
  orderId: OrderId;
  issuedAt: Date;
  /** Null for one from before there were languages. */
  language: string | null;
  facts: unknown;
  /** The number of the corrected one that took its place; null for the one that holds. */
  replacedBy: string | null;
}

const stored = (db: Db) =>
  db
    .selectFrom("invoices")
    .select([
      "number",
      "order_id as orderId",
      "issued_at as issuedAt",
      "language",
      "facts",
      "replaced_by as replacedBy",
    ]);

/** The one that holds. */
export async function readInvoice(db: Db, orderId: OrderId): Promise<StoredInvoice | null> {
  const row = await stored(db)
    .where("order_id", "=", orderId)
    .where("replaced_by", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** An invoice by its number, whether or not it still holds. */
export async function readInvoiceByNumber(db: Db, number: string): Promise<StoredInvoice | null> {
  return (await stored(db).where("number", "=", number).executeTakeFirst()) ?? null;
}

/** All of an order, in the order in which they were issued: the last one holds. */
export function listInvoicesOf(db: Db, orderId: OrderId): Promise<StoredInvoice[]> {
  return stored(db)
    .where("order_id", "=", orderId)
    .orderBy(sql`replaced_by is null`)
    .orderBy("issued_at")
    .orderBy("serial")
    .execute();
}

/**
 * Whether an invoice that was replaced had this number of its buyer's purchase order, which the order has no more. Written as its index is.
 * @param pattern in lower case
 */
export function namedPurchaseOrder(pattern: string): RawBuilder<boolean> {
  return sql<boolean>`invoices.replaced_by is not null
    and lower(invoices.facts -> 'references' ->> 'purchaseOrder') like ${pattern}`;
}

/** Says that another takes an invoice's place. @returns false when one has taken it already */
export async function markReplaced(trx: Trx, number: string, replacedBy: string): Promise<boolean> {
  const result = await trx
    .updateTable("invoices")
    .set({ replaced_by: replacedBy })
    .where("number", "=", number)
    .where("replaced_by", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** The numbers of the invoices that hold, of those orders that have one. */
export async function listInvoiceNumbers(
  db: Db,
  orderIds: readonly OrderId[],
): Promise<Map<OrderId, string>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("invoices")
    .select(["order_id", "number"])
    .where("order_id", "in", orderIds)
    .where("replaced_by", "is", null)
    .execute();
  return new Map(rows.map((row) => [row.order_id, row.number]));
}

/**
 * Takes the next serial of a series and locks the series until the transaction ends. A rollback returns the serial, and
 * nobody can have taken a later one meanwhile. Dates never decrease within a series, even when a clock was ahead.
 */
export async function allocateSerial(
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
  invoice: Omit<StoredInvoice, "replacedBy"> & { series: string; serial: number },
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
  return stored(db)
    .select(["series", "serial", isRegistrationCancelled("invoices.number").as("isCancelled")])
    .where("issued_at", ">=", from)
    .where("issued_at", "<", to)
    .orderBy("series")
    .orderBy("serial")
    .execute();
}
