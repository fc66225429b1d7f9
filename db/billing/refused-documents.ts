/** Queries that correct a document which the invoice registration portal refused, and keep its earlier versions. */

import type { Db, Trx } from "#db/tables/index.ts";
import type { EInvoice } from "./e-invoices.ts";

/** Version of a refused document as it was read; a retry or another correction changes it. */
export type RefusedAsRead = Pick<EInvoice, "number" | "revision" | "tries">;

const refusedAsRead = (trx: Trx, { number, revision, tries }: RefusedAsRead) =>
  trx
    .updateTable("e_invoices")
    .where("number", "=", number)
    .where("revision", "=", revision)
    .where("tries", "=", tries)
    .where("state", "=", "failed");

/** Replaces the body of a refused document and makes it pending again. @returns false when it has changed since it was read */
export async function markCorrected(
  trx: Trx,
  document: RefusedAsRead,
  body: unknown,
  at: Date,
): Promise<boolean> {
  const result = await refusedAsRead(trx, document)
    .set({
      body: JSON.stringify(body),
      revision: document.revision + 1,
      state: "pending",
      error_code: null,
      error_words: null,
      next_try_at: at,
      updated_at: at,
    })
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Withdraws a refused document that another number replaces. @returns false when it has changed since it was read */
export async function markWithdrawn(trx: Trx, document: RefusedAsRead, at: Date): Promise<boolean> {
  const result = await refusedAsRead(trx, document)
    .set({ state: "cancelled", cancelled_at: at, next_try_at: null, updated_at: at })
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Deletes the registration of a document that no longer needs one. @returns false when it has changed since it was read */
export async function deleteRefused(trx: Trx, { number, revision, tries }: RefusedAsRead): Promise<boolean> {
  const result = await trx
    .deleteFrom("e_invoices")
    .where("number", "=", number)
    .where("revision", "=", revision)
    .where("tries", "=", tries)
    .where("state", "=", "failed")
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** A version of a document before a correction: its facts, and the body sent to the portal. */
export interface DocumentRevision {
  revision: number;
  facts: unknown;
  body: unknown;
}

/** Stores a refused document as it was before its correction. */
export async function insertRevision(trx: Trx, document: EInvoice, facts: unknown): Promise<void> {
  const { number, revision, orderId, body, errorCode, errorWords } = document;
  await trx
    .insertInto("document_revisions")
    .values({
      number,
      revision,
      order_id: orderId,
      facts: JSON.stringify(facts),
      body: JSON.stringify(body),
      error_code: errorCode,
      error_words: errorWords,
    })
    .execute();
}

/** Lists the earlier versions of a document, newest first. */
export async function listRevisions(db: Db, number: string): Promise<DocumentRevision[]> {
  return db
    .selectFrom("document_revisions")
    .select(["revision", "facts", "body"])
    .where("number", "=", number)
    .orderBy("revision", "desc")
    .execute();
}

/** Replaces a document's facts. Allowed only while it is not registered. */
export async function updateDocumentFacts(
  trx: Trx,
  { number, kind }: Pick<EInvoice, "number" | "kind">,
  facts: unknown,
): Promise<void> {
  const table = kind === "INV" ? "invoices" : "credit_notes";
  await trx
    .updateTable(table)
    .set({ facts: JSON.stringify(facts) })
    .where("number", "=", number)
    .execute();
}

/** Replaces the stored body that is sent to the portal for a document. */
export async function updateSentBody(trx: Trx, number: string, body: unknown): Promise<void> {
  await trx
    .updateTable("e_invoices")
    .set({ body: JSON.stringify(body) })
    .where("number", "=", number)
    .execute();
}

/** Moves an invoice's credit notes to the one that replaced it. */
export async function moveCreditNotes(trx: Trx, from: string, to: string): Promise<void> {
  await trx
    .updateTable("credit_notes")
    .set({ invoice_number: to })
    .where("invoice_number", "=", from)
    .execute();
}

/** Records the credit note that replaces this one. */
export async function markNoteReplaced(trx: Trx, number: string, replacedBy: string): Promise<void> {
  await trx
    .updateTable("credit_notes")
    .set({ replaced_by: replacedBy })
    .where("number", "=", number)
    .execute();
}

/** Whether an invoice has a credit note that is not refused or cancelled at the portal, or needs no registration. */
export async function hasValidCreditNote(db: Db, invoiceNumber: string): Promise<boolean> {
  const note = await db
    .selectFrom("credit_notes as c")
    .leftJoin("e_invoices as e", "e.number", "c.number")
    .select("c.number")
    .where("c.invoice_number", "=", invoiceNumber)
    .where("c.replaced_by", "is", null)
    .where((eb) => eb.or([eb("e.number", "is", null), eb("e.state", "not in", ["failed", "cancelled"])]))
    .limit(1)
    .executeTakeFirst();
  return note !== undefined;
}
