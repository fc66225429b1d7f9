/** Finds a document that the invoice registration portal refused, with what its correction needs to know. */
import { type EInvoice, findEInvoice } from "#db/billing/e-invoices.ts";
import { hasValidCreditNote } from "#db/billing/refused-documents.ts";
import type { OrderId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { needsNewNumber } from "#server/foundation/countries/portal-refusals.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { findCreditNoteByNumber, listEarlierNotes, type NumberedCreditNote } from "./credit-note.ts";
import { creditNoteFacts, creditNoteFactsSchema } from "./credit-note-facts.ts";
import type { InvoiceFacts } from "./facts.ts";
import { findInvoiceByNumber, type Invoice } from "./issue.ts";
import { maxRegistrationAgeMs } from "./registration-queue.ts";

/** A refused invoice, or a refused credit note with its invoice. */
export interface RefusedDocument {
  eInvoice: EInvoice;
  orderId: OrderId;
  language: LanguageId;
  /** Content of the document as it was refused. */
  facts: InvoiceFacts;
  /** Its content to begin a correction from: for a credit note, computed again from what its invoice says now. */
  base: InvoiceFacts;
  /** The invoice itself, or the one that a credit note corrects. */
  invoice: Invoice;
  note: NumberedCreditNote | null;
  /** Whether the tax must stay as it is: that of a credit note's invoice, and that of an invoice with a valid credit note. */
  keepsTax: boolean;
}

/** The outcome of a correction. */
export interface Corrected {
  /** The document's number from now on. */
  number: string;
  /** Whether it waits for its registration; false for one that needs none without a GSTIN. */
  isRegistering: boolean;
}

/** @returns null for a document that was not refused, or that another has replaced */
export async function findRefused(db: Db, number: string): Promise<RefusedDocument | null> {
  const eInvoice = await findEInvoice(db, number);
  return eInvoice?.state === "failed" ? readCorrectable(db, eInvoice) : null;
}

/** Reads a document that is to be registered, refused or not. @returns null when another has replaced it */
export async function readCorrectable(db: Db, eInvoice: EInvoice): Promise<RefusedDocument | null> {
  const { number, kind } = eInvoice;
  if (kind === "INV") {
    const invoice = await findInvoiceByNumber(db, number);
    if (invoice === null) return null;
    const { orderId, language, facts } = invoice;
    const keepsTax = await hasValidCreditNote(db, number);
    return { eInvoice, orderId, language, facts, base: facts, invoice, note: null, keepsTax };
  }
  const note = await findCreditNoteByNumber(db, number);
  const invoice = note === null ? null : await findInvoiceByNumber(db, note.invoiceNumber);
  if (note === null || invoice === null || note.replacedBy !== null) return null;
  const { orderId, language, facts } = note;
  const { totalMinor: amountMinor, reason, licences } = facts;
  const earlier = await listEarlierNotes(db, note);
  const base = creditNoteFacts(invoice, earlier, { amountMinor, reason, licences });
  return { eInvoice, orderId, language, facts, base, invoice, note, keepsTax: true };
}

/** Whether the portal takes a document under its number no more: it is older than 30 days, or the number is another document's. */
export function isNumberLost({ eInvoice }: RefusedDocument, now: Date): boolean {
  return needsNewNumber(eInvoice) || now.getTime() - eInvoice.issuedAt.getTime() > maxRegistrationAgeMs;
}

/** The invoice that a credit note's facts name. */
export function precedingInvoice(facts: InvoiceFacts): { number: string; issuedAt: Date } {
  const { invoice } = creditNoteFactsSchema.parse(facts);
  return { number: invoice.number, issuedAt: new Date(invoice.issuedAt) };
}
