/** Queries on invoices and on the serial counters of their series. */
import { type RawBuilder, sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** An invoice as issued, with its facts unchanged. */
export interface StoredInvoice {
  number: string;
  orderId: OrderId;
  issuedAt: Date;
  /** Null for an invoice from before languages were stored. */
  language: string | null;
  facts: unknown;
  /** Number of the corrected invoice that replaced it; null for the valid one. */
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

/** Reads an order's valid invoice. */
export async function readInvoice(db: Db, orderId: OrderId): Promise<StoredInvoice | null> {
  const row = await stored(db)
    .where("order_id", "=", orderId)
    .where("replaced_by", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** Reads an invoice by its number, valid or replaced. */
export async function readInvoiceByNumber(db: Db, number: string): Promise<StoredInvoice | null> {
  return (await stored(db).where("number", "=", number).executeTakeFirst()) ?? null;
}

/** Lists all invoices of an order in order of issue; the last one is valid. */
export function listInvoicesOf(db: Db, orderId: OrderId): Promise<StoredInvoice[]> {
  return stored(db)
    .where("order_id", "=", orderId)
    .orderBy(sql`replaced_by is null`)
    .orderBy("issued_at")
    .orderBy("serial")
    .execute();
}

/**
 * SQL condition: whether a replaced invoice names this purchase order number, which its order no longer has. Written to match
 * its index.
 * @param pattern in lower case
 */
export function namedPurchaseOrder(pattern: string): RawBuilder<boolean> {
  return sql<boolean>`invoices.replaced_by is not null
    and lower(invoices.facts -> 'references' ->> 'purchaseOrder') like ${pattern}`;
}

/** Records the invoice that replaces this one. @returns false when it was already replaced */
export async function markReplaced(trx: Trx, number: string, replacedBy: string): Promise<boolean> {
  const result = await trx
    .updateTable("invoices")
    .set({ replaced_by: replacedBy })
    .where("number", "=", number)
    .where("replaced_by", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Maps orders to the numbers of their valid invoices; orders without an invoice are left out. */
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
 * Takes the next serial of a series and locks the series until the transaction ends, so a rollback leaves no gap. Dates never
 * decrease within a series, even if a clock was ahead.
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

/** The number, series and serial of a document. */
export interface NumberedDocument {
  number: string;
  issuedAt: Date;
  series: string;
  /** Counted from 1, without gaps within the series. */
  serial: number;
  /** Whether only its number counts: its registration was cancelled, or it is a credit note that is not valid. */
  isCancelled: boolean;
}

export type NumberedInvoice = StoredInvoice & NumberedDocument;

/** SQL condition: whether the registration of the document with this number was cancelled. */
export const isRegistrationCancelled = (number: string) =>
  sql<boolean>`exists (
    select from e_invoices where e_invoices.number = ${sql.ref(number)} and e_invoices.state = 'cancelled')`;

/** Lists invoices issued from `from` (inclusive) to `to` (exclusive), in the order of their numbers. */
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
