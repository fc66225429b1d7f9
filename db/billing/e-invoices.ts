/** Queries on documents that must be registered at the invoice registration portal. */
import { type Insertable, type Selectable, sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { DocumentKind, EInvoicesTable, RegistrationState } from "#db/tables/invoices.ts";
import { creditedOf, refundedOf } from "./credit-notes.ts";

/** The portal's acknowledgement of a registered document. */
export interface Acknowledgement {
  irn: string;
  ackNumber: string;
  acknowledgedAt: Date;
  signedQr: string;
}

export interface EInvoice {
  number: string;
  kind: DocumentKind;
  account: Country;
  orderId: OrderId | null;
  issuedAt: Date;
  /** Not validated: sent as stored. */
  body: unknown;
  /** Number of corrections since the portal first refused it. */
  revision: number;
  state: RegistrationState;
  irn: string;
  /** Null until it is registered. */
  acknowledgement: Acknowledgement | null;
  errorCode: string | null;
  errorWords: string | null;
  tries: number;
  askedAt: Date | null;
  nextTryAt: Date | null;
  /** Validated by zod in server/billing/documents; null unless a cancellation was requested. */
  cancelReason: unknown;
  cancelledAt: Date | null;
}

type NewEInvoice = Pick<EInvoice, "number" | "kind" | "account" | "orderId" | "issuedAt" | "body" | "irn">;

/** Inserts a pending document. @returns false when the number exists already */
export async function insertEInvoice(trx: Trx, document: NewEInvoice, nextTryAt: Date): Promise<boolean> {
  const row: Insertable<EInvoicesTable> = {
    number: document.number,
    kind: document.kind,
    account: document.account,
    order_id: document.orderId,
    issued_at: document.issuedAt,
    body: JSON.stringify(document.body),
    irn: document.irn,
    state: "pending",
    next_try_at: nextTryAt,
  };
  const result = await trx
    .insertInto("e_invoices")
    .values(row)
    .onConflict((oc) => oc.column("number").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

const documents = (db: Db) => db.selectFrom("e_invoices").selectAll("e_invoices");

export async function findEInvoice(db: Db, number: string): Promise<EInvoice | null> {
  const row = await documents(db).where("number", "=", number).executeTakeFirst();
  return row === undefined ? null : eInvoiceOf(row);
}

/** Lists those of these documents that must be registered. */
export async function listEInvoicesByNumber(db: Db, numbers: readonly string[]): Promise<EInvoice[]> {
  const rows = await documents(db)
    .where(sql<boolean>`number = any(${[...numbers]}::text[])`)
    .execute();
  return rows.map(eInvoiceOf);
}

/** Lists all documents of an order that must be registered, oldest first. */
export async function listEInvoicesOf(db: Db, orderId: OrderId): Promise<EInvoice[]> {
  const rows = await documents(db).where("order_id", "=", orderId).orderBy("issued_at").execute();
  return rows.map(eInvoiceOf);
}

/** Lists unregistered documents, oldest first. */
export async function listUnregistered(db: Db, most: number): Promise<EInvoice[]> {
  const rows = await documents(db)
    .where("state", "in", ["pending", "failed"])
    .orderBy("issued_at")
    .limit(most)
    .execute();
  return rows.map(eInvoiceOf);
}

/** Version of a document as a job read it; a correction increases `revision`. */
export type ReadEInvoice = Pick<EInvoice, "number" | "revision">;

/** Records that a document is about to be submitted. @returns false when it is no longer pending, or was corrected since */
export async function markSubmitted(db: Db, { number, revision }: ReadEInvoice, at: Date): Promise<boolean> {
  const result = await db
    .updateTable("e_invoices")
    .set((eb) => ({
      asked_at: eb.fn.coalesce("asked_at", eb.val(at)),
      tries: eb("tries", "+", 1),
      updated_at: at,
    }))
    .where("number", "=", number)
    .where("revision", "=", revision)
    .where("state", "=", "pending")
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/**
 * Records the registration of a pending document.
 * @param said `signedInvoice` is empty when staff entered the registration without it
 * @returns false when another caller has finished it, or it was corrected since
 */
export async function markRegistered(
  trx: Trx,
  { number, revision }: ReadEInvoice,
  said: Acknowledgement & { signedInvoice: string },
  at: Date,
): Promise<boolean> {
  const result = await trx
    .updateTable("e_invoices")
    .set({
      state: "final",
      irn: said.irn,
      ack_number: said.ackNumber,
      acknowledged_at: said.acknowledgedAt,
      signed_qr: said.signedQr,
      signed_invoice: said.signedInvoice === "" ? null : said.signedInvoice,
      error_code: null,
      error_words: null,
      next_try_at: null,
      updated_at: at,
    })
    .where("number", "=", number)
    .where("revision", "=", revision)
    .where("state", "=", "pending")
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Error of a failed try, and the time of the next one; null when there is none and a person must act. */
export interface NotRegistered {
  code: string;
  words: string;
  nextTryAt: Date | null;
}

/** Records a failed try. @returns false when the document is no longer pending, or was corrected since */
export async function markNotRegistered(
  trx: Trx,
  { number, revision }: ReadEInvoice,
  { code, words, nextTryAt }: NotRegistered,
  at: Date,
): Promise<boolean> {
  const result = await trx
    .updateTable("e_invoices")
    .set({
      ...(nextTryAt === null && { state: "failed" as const }),
      error_code: code,
      error_words: words,
      next_try_at: nextTryAt,
      updated_at: at,
    })
    .where("number", "=", number)
    .where("revision", "=", revision)
    .where("state", "=", "pending")
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Makes a failed document pending again. @returns false when it was not in state "failed" */
export async function markPendingAgain(trx: Trx, number: string, at: Date): Promise<boolean> {
  const result = await trx
    .updateTable("e_invoices")
    .set({ state: "pending", next_try_at: at, updated_at: at })
    .where("number", "=", number)
    .where("state", "=", "failed")
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Requests the cancellation of a registration. @returns false when the document is not registered */
export async function markToCancel(trx: Trx, number: string, reason: object, at: Date): Promise<boolean> {
  const result = await trx
    .updateTable("e_invoices")
    .set({ cancel_reason: JSON.stringify(reason), error_code: null, error_words: null, updated_at: at })
    .where("number", "=", number)
    .where("state", "=", "final")
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Records the cancellation of a registration. @returns false when the document is not registered, or no longer */
export async function markCancelled(trx: Trx, number: string, at: Date): Promise<boolean> {
  const result = await trx
    .updateTable("e_invoices")
    .set({ state: "cancelled", cancelled_at: at, updated_at: at })
    .where("number", "=", number)
    .where("state", "=", "final")
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Withdraws a requested cancellation that the portal refused, and records the error. */
export async function markNotCancelled(
  trx: Trx,
  number: string,
  { code, words }: Pick<NotRegistered, "code" | "words">,
  at: Date,
): Promise<void> {
  await trx
    .updateTable("e_invoices")
    .set({ cancel_reason: null, error_code: code, error_words: words, updated_at: at })
    .where("number", "=", number)
    .where("state", "=", "final")
    .execute();
}

/**
 * Lists registered credit notes of failed refunds that no other refund is covered by. Leaves out notes whose cancellation is
 * pending or was refused. A note is registered within 30 days or never.
 */
export async function listCreditNotesOfFailedRefunds(db: Db, acknowledgedSince: Date): Promise<EInvoice[]> {
  const rows = await documents(db)
    .innerJoin("credit_notes", "credit_notes.number", "e_invoices.number")
    .innerJoin("refunds", "refunds.id", "credit_notes.refund_id")
    .where("e_invoices.state", "=", "final")
    .where("e_invoices.cancel_reason", "is", null)
    .where("e_invoices.error_code", "is", null)
    .where("e_invoices.acknowledged_at", ">", acknowledgedSince)
    .where("refunds.status", "=", "failed")
    // Few refunds fail, while registered documents are as many as sales.
    .where("refunds.updated_at", ">", sql<Date>`${acknowledgedSince}::timestamptz - interval '31 days'`)
    .where(({ ref }) => {
      const order = sql.ref("credit_notes.order_id");
      return sql<boolean>`${creditedOf(order)} - ${refundedOf(order)} >= ${ref("credit_notes.total_minor")}`;
    })
    .orderBy("e_invoices.issued_at")
    .execute();
  return rows.map(eInvoiceOf);
}

/**
 * Lists documents due for the cron job, oldest first: those to cancel; pending ones whose try was lost or that are too old for
 * the portal; and late ones that the operator was not alerted about.
 */
export async function listUnregisteredDue(
  db: Db,
  moments: { triedBefore: Date; tooOldBefore: Date; lateBefore: Date },
  most: number,
): Promise<EInvoice[]> {
  const { triedBefore, tooOldBefore, lateBefore } = moments;
  const rows = await documents(db)
    // Must match the condition of its index literally.
    .where(
      sql<boolean>`(state = 'pending' or (state = 'failed' and late_told_at is null) or (state = 'final' and cancel_reason is not null))`,
    )
    .where((eb) =>
      eb.or([
        eb("state", "=", "final"),
        eb.and([
          eb("state", "=", "pending"),
          eb.or([
            eb("next_try_at", "is", null),
            eb("next_try_at", "<", triedBefore),
            eb("issued_at", "<", tooOldBefore),
          ]),
        ]),
        eb.and([eb("issued_at", "<", lateBefore), eb("late_told_at", "is", null)]),
      ]),
    )
    .orderBy("issued_at")
    .limit(most)
    .execute();
  return rows.map(eInvoiceOf);
}

/** Records that the operator was alerted about a late document. */
export async function markLateNotified(trx: Trx, number: string, at: Date): Promise<void> {
  await trx.updateTable("e_invoices").set({ late_told_at: at }).where("number", "=", number).execute();
}

function eInvoiceOf(row: Selectable<EInvoicesTable>): EInvoice {
  const { irn, ack_number: ackNumber, acknowledged_at: acknowledgedAt, signed_qr: signedQr } = row;
  return {
    number: row.number,
    kind: row.kind,
    account: row.account,
    orderId: row.order_id,
    issuedAt: row.issued_at,
    body: row.body,
    revision: row.revision,
    state: row.state,
    irn,
    acknowledgement:
      ackNumber === null || acknowledgedAt === null || signedQr === null
        ? null
        : { irn, ackNumber, acknowledgedAt, signedQr },
    errorCode: row.error_code,
    errorWords: row.error_words,
    tries: row.tries,
    askedAt: row.asked_at,
    nextTryAt: row.next_try_at,
    cancelReason: row.cancel_reason,
    cancelledAt: row.cancelled_at,
  };
}
