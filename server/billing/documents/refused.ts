/** Finds a document that the invoice registration portal refused, with the data for its correction. */
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
  /** Content to begin a correction with: for a credit note, recomputed from its invoice's current content. */
  base: InvoiceFacts;
  /** The invoice itself, or the one that a credit note corrects. */
  invoice: Invoice;
  note: NumberedCreditNote | null;
  /** Whether the tax must not change: for a credit note, and for an invoice with a valid credit note. */
  keepsTax: boolean;
}

/** The outcome of a correction. */
export interface Corrected {
  /** The document's number after the correction. */
  number: string;
  /** Whether it waits for its registration; false for one that needs none without a GSTIN. */
  isRegistering: boolean;
}

/** Finds a refused document. @returns null for one that was not refused, or that another has replaced */
export async function findRefused(db: Db, number: string): Promise<RefusedDocument | null> {
  const eInvoice = await findEInvoice(db, number);
  return eInvoice?.state === "failed" ? readCorrectable(db, eInvoice) : null;
}

/** Reads a document that must be registered, refused or not. @returns null when another has replaced it */
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

/**
 * Whether the portal no longer accepts a document under its number: it is older than 30 days, or another document has the
 * number.
 */
export function isNumberLost({ eInvoice }: RefusedDocument, now: Date): boolean {
  return needsNewNumber(eInvoice) || now.getTime() - eInvoice.issuedAt.getTime() > maxRegistrationAgeMs;
}

/** Returns the invoice that a credit note's facts name. */
export function precedingInvoice(facts: InvoiceFacts): { number: string; issuedAt: Date } {
  const { invoice } = creditNoteFactsSchema.parse(facts);
  return { number: invoice.number, issuedAt: new Date(invoice.issuedAt) };
}
