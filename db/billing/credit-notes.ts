/** Queries on credit notes. They share the invoices' serial counters (`allocateSerial`). */
import { type RawBuilder, sql } from "kysely";
import type { CancellationId, CorrectionId, CreditNoteId, OrderId, RefundId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { isRegistrationCancelled, type NumberedDocument } from "./invoices.ts";
import type { NumberedOrder } from "./reconciliation.ts";

/** A credit note as issued, with its facts unchanged. */
export interface StoredCreditNote {
  number: string;
  id: CreditNoteId;
  /** Null for a credit note of an invoice correction. */
  refundId: RefundId | null;
  orderId: OrderId;
  issuedAt: Date;
  language: string;
  facts: unknown;
}

/**
 * SQL condition: whether a credit note is valid. The note of a failed refund is not, unless it is registered: then it stays
 * valid until its registration is cancelled, and covers the refund that replaces the failed one. A note that was replaced under
 * a new number is not valid.
 */
export const holds = sql<boolean>`(credit_notes.replaced_by is null and (
  not exists (select from refunds where refunds.id = credit_notes.refund_id and refunds.status = 'failed')
  or exists (select from e_invoices where e_invoices.number = credit_notes.number
    and e_invoices.state = 'final' and e_invoices.cancel_reason is null)))`;

/**
 * SQL: the amount of an order credited for refunds by valid notes, in minor units. Notes of corrections do not count, because
 * they refund nothing.
 */
export const creditedOf = (orderId: RawBuilder<unknown>) => sql<number>`(
  select coalesce(sum(credit_notes.total_minor), 0)::bigint from credit_notes
  where credit_notes.order_id = ${orderId} and credit_notes.refund_id is not null and ${holds})`;

/**
 * SQL: the refunded amount of an order's invoice in minor units, without failed refunds and without payments beyond the
 * invoice.
 */
export const refundedOf = (orderId: RawBuilder<unknown>) => sql<number>`(
  select coalesce(sum(refunds.amount_minor - refunds.surplus_minor), 0)::bigint
  from refunds
  join payments on payments.provider = refunds.provider
    and payments.provider_payment_id = refunds.provider_payment_id
  where refunds.order_id = ${orderId} and refunds.status <> 'failed'
    and payments.status in ('captured', 'part'))`;

/** SQL: the id under which a credit note is opened. */
const idOf = sql<CreditNoteId>`coalesce(credit_notes.refund_id, credit_notes.correction_id)`;

const stored = (db: Db) =>
  db
    .selectFrom("credit_notes")
    .select([
      "number",
      idOf.as("id"),
      "refund_id as refundId",
      "order_id as orderId",
      "issued_at as issuedAt",
      "language",
      "facts",
    ]);

export async function readCreditNote(db: Db, id: CreditNoteId): Promise<StoredCreditNote | null> {
  const row = await stored(db)
    .where(sql<boolean>`(refund_id = ${id} or correction_id = ${id})`)
    .orderBy(sql`replaced_by is not null`)
    .executeTakeFirst();
  return row ?? null;
}

/** Reads a credit note by its number, with the invoice that it is booked to. */
export async function readCreditNoteByNumber(
  db: Db,
  number: string,
): Promise<
  | (StoredCreditNote & {
      invoiceNumber: string;
      correctionId: CorrectionId | null;
      /** Number of the note that replaced it; null for the valid one. */
      replacedBy: string | null;
    })
  | null
> {
  const row = await stored(db)
    .select(["invoice_number as invoiceNumber", "correction_id as correctionId", "replaced_by as replacedBy"])
    .where("number", "=", number)
    .executeTakeFirst();
  return row ?? null;
}

export type IssuedCreditNote = Pick<StoredCreditNote, "number" | "id">;

/** Lists the valid credit notes for a cancellation's refunds, in order of issue. */
export function listCreditNotesFor(db: Db, cancellationId: CancellationId): Promise<IssuedCreditNote[]> {
  return db
    .selectFrom("credit_notes")
    .innerJoin("refunds", "refunds.id", "credit_notes.refund_id")
    .select(["credit_notes.number", idOf.as("id")])
    .where("refunds.cancellation_id", "=", cancellationId)
    .where(holds)
    .orderBy("credit_notes.issued_at")
    .orderBy("credit_notes.serial")
    .execute();
}

/** Whether an order has a credit note for a refund, even for a failed one. */
export async function hasRefundNote(db: Db, orderId: OrderId): Promise<boolean> {
  const note = await db
    .selectFrom("credit_notes")
    .select("number")
    .where("order_id", "=", orderId)
    .where("refund_id", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return note !== undefined;
}

/** Whether a document belongs to a correction: a replaced invoice, or the credit note that cancels it. */
export async function belongsToCorrection(db: Db, number: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from invoices where number = ${number} and replaced_by is not null)
      or exists (select from credit_notes where number = ${number} and correction_id is not null) as is`.execute(
    db,
  );
  return rows[0]?.is ?? false;
}

/** Lists the valid credit notes of an invoice, in order of issue. */
export function listCreditNotesOfInvoice(db: Db, invoiceNumber: string): Promise<StoredCreditNote[]> {
  return stored(db)
    .where("invoice_number", "=", invoiceNumber)
    .where(holds)
    .orderBy("issued_at")
    .orderBy("serial")
    .execute();
}

/** Lists the credit notes issued from `from` (inclusive) to `to` (exclusive), by series and serial. */
export function listCreditNotesIssued(
  db: Db,
  { from, to }: { from: Date; to: Date },
): Promise<(StoredCreditNote & NumberedDocument)[]> {
  return stored(db)
    .select(["series", "serial"])
    .select(sql<boolean>`not ${holds} or ${isRegistrationCancelled("credit_notes.number")}`.as("isCancelled"))
    .where("issued_at", ">=", from)
    .where("issued_at", "<", to)
    .orderBy("series")
    .orderBy("serial")
    .execute();
}

/** A refund without a credit note, or a credit note without a refund. */
export interface UncreditedRefund extends NumberedOrder {
  refundId: RefundId;
  amountMinor: number;
  currency: Currency;
  /** Null when the refund has no credit note. */
  creditNote: string | null;
}

/**
 * Lists refunds of invoiced payments that are not credited, and credit notes of failed refunds, unless another refund is
 * credited by the note or its registration was cancelled.
 */
export async function listUncreditedRefunds(db: Db): Promise<UncreditedRefund[]> {
  const { rows } = await sql<UncreditedRefund>`
    select o.id as "orderId", o.number, o.created_at as "createdAt", r.id as "refundId",
           r.amount_minor - r.surplus_minor as "amountMinor", r.currency, credit_notes.number as "creditNote"
    from refunds r
    join orders o on o.id = r.order_id
    join payments p on p.provider = r.provider and p.provider_payment_id = r.provider_payment_id
    left join credit_notes on credit_notes.refund_id = r.id and credit_notes.replaced_by is null
    where (r.status = 'failed' and credit_notes.number is not null
        and not ${isRegistrationCancelled("credit_notes.number")}
        and (not ${holds} or ${creditedOf(sql.ref("r.order_id"))} > ${refundedOf(sql.ref("r.order_id"))}))
      or (r.status <> 'failed' and credit_notes.number is null and p.status in ('captured', 'part')
        and r.amount_minor > r.surplus_minor
        and ${creditedOf(sql.ref("r.order_id"))} < ${refundedOf(sql.ref("r.order_id"))}
        and exists (select from invoices i where i.order_id = r.order_id))
    order by r.created_at`.execute(db);
  return rows;
}

/** A credit note in a list. */
export interface ListedCreditNote {
  number: string;
  id: CreditNoteId;
  /** Whether it cancels a corrected invoice; no money moves with it. */
  isCorrection: boolean;
  orderId: OrderId;
  issuedAt: Date;
  amount: Money;
}

/** Lists the valid credit notes of these orders, oldest first. */
export async function listCreditNotes(db: Db, orderIds: readonly OrderId[]): Promise<ListedCreditNote[]> {
  if (orderIds.length === 0) return [];
  const rows = await db
    .selectFrom("credit_notes")
    .select(["number", idOf.as("id"), "refund_id", "order_id", "issued_at", "total_minor", "currency"])
    .where("order_id", "in", orderIds)
    .where(holds)
    .orderBy("issued_at")
    .orderBy("serial")
    .execute();
  return rows.map((row) => ({
    number: row.number,
    id: row.id,
    isCorrection: row.refund_id === null,
    orderId: row.order_id,
    issuedAt: row.issued_at,
    amount: money(row.total_minor, row.currency),
  }));
}

export async function insertCreditNote(
  trx: Trx,
  note: Omit<StoredCreditNote, "id"> & {
    correctionId: CorrectionId | null;
    invoiceNumber: string;
    series: string;
    serial: number;
    total: Money;
  },
): Promise<void> {
  await trx
    .insertInto("credit_notes")
    .values({
      number: note.number,
      refund_id: note.refundId,
      correction_id: note.correctionId,
      order_id: note.orderId,
      invoice_number: note.invoiceNumber,
      series: note.series,
      serial: note.serial,
      issued_at: note.issuedAt,
      language: note.language,
      total_minor: note.total.minor,
      currency: note.total.currency,
      facts: JSON.stringify(note.facts),
    })
    .execute();
}
