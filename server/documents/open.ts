/** Any document by its number, for the store's own people: what it says, and where its registration stands. */
import { findNumbered } from "#db/documents.ts";
import { type EInvoice, findEInvoice } from "#db/e-invoices.ts";
import type { OrderId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { findCreditNote } from "./credit-note.ts";
import { findInvoiceNumbered } from "./issue.ts";
import { findProformaNumbered } from "./proforma.ts";
import { proformaView } from "./proforma-view.ts";
import { isReady, registrationOf } from "./registration.ts";
import { creditNoteView, type InvoiceView, invoiceView } from "./view.ts";

export interface OpenedDocument {
  orderId: OrderId;
  issuedAt: Date;
  /** Null for a proforma whose account is not open yet, so that there is nothing to pay to. */
  view: InvoiceView | null;
  /** Why there is no PDF of it yet, for the store's own people; null when there is. */
  notHandedOut: string | null;
  /** Null for a document that needs no registration. */
  eInvoice: EInvoice | null;
  /** The number of the corrected invoice that took an invoice's place. */
  replacedBy: string | null;
}

/** @returns null when no document has the number */
export async function openDocument(db: Db, number: string): Promise<OpenedDocument | null> {
  const numbered = await findNumbered(db, number);
  if (numbered === null) return null;
  const { orderId } = numbered;
  if (numbered.kind === "proforma") {
    const proforma = await findProformaNumbered(db, number);
    if (proforma === null) return null;
    const { issuedAt, bank } = proforma;
    const view = bank === null ? null : proformaView(proforma, bank);
    return {
      orderId,
      issuedAt,
      view,
      notHandedOut: view === null ? "The account it is paid to is not open yet." : null,
      eInvoice: null,
      replacedBy: null,
    };
  }
  const registration = await registrationOf(db, number);
  const eInvoice = await findEInvoice(db, number);
  const notHandedOut = isReady(registration) ? null : "It is not registered: it has no IRN.";
  if (numbered.kind === "credit-note") {
    const note = await findCreditNote(db, numbered.id);
    if (note === null) return null;
    const view = creditNoteView(note, registration);
    return { orderId, issuedAt: note.issuedAt, view, notHandedOut, eInvoice, replacedBy: null };
  }
  const invoice = await findInvoiceNumbered(db, number);
  if (invoice === null) return null;
  const view = invoiceView(invoice, registration);
  const { issuedAt, replacedBy } = invoice;
  return { orderId, issuedAt, view, notHandedOut, eInvoice, replacedBy };
}
