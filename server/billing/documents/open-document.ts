/** Any document by its number, for the store's own people: what it says, and where its registration stands. */
import { findByDocumentNumber } from "#db/billing/documents.ts";
import { type EInvoice, findEInvoice } from "#db/billing/e-invoices.ts";
import type { OrderId } from "#db/ids.ts";
import type { OrderReferences } from "#db/orders/order.ts";
import type { Db } from "#db/tables/index.ts";
import { noReferences } from "#server/orders/references.ts";
import { findCreditNoteByNumber } from "./credit-note.ts";
import { findInvoiceByNumber, type Invoice } from "./issue.ts";
import { findProformaByNumber } from "./proforma.ts";
import { proformaView } from "./proforma-view.ts";
import { mayBeHandedOut, registrationOf } from "./registration.ts";
import { creditNoteView, documentDay, type InvoiceView, invoiceView } from "./view.ts";

export interface OpenedDocument {
  orderId: OrderId;
  issuedAt: Date;
  /** The day that it has on it: "2026-04-01". */
  day: string;
  /** By what the buyer's own books know the order, as it says. */
  references: OrderReferences;
  /** The invoice that a credit note takes back or lessens, by its number; null for another document. */
  corrects: string | null;
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
  const numbered = await findByDocumentNumber(db, number);
  if (numbered === null) return null;
  if (numbered.kind === "proforma") {
    const proforma = await findProformaByNumber(db, number);
    if (proforma === null) return null;
    const { bank } = proforma;
    const view = bank === null ? null : proformaView(proforma, bank);
    return {
      ...saidBy(proforma),
      view,
      notHandedOut: view === null ? "The account it is paid to is not open yet." : null,
      eInvoice: null,
      replacedBy: null,
    };
  }
  const registration = await registrationOf(db, number);
  const eInvoice = await findEInvoice(db, number);
  const notHandedOut = mayBeHandedOut(registration) ? null : "It is not registered: it has no IRN.";
  if (numbered.kind === "credit-note") {
    const note = await findCreditNoteByNumber(db, number);
    if (note === null) return null;
    const view = creditNoteView(note, registration);
    const { number: corrects } = note.facts.invoice;
    return { ...saidBy(note), corrects, view, notHandedOut, eInvoice, replacedBy: note.replacedBy };
  }
  const invoice = await findInvoiceByNumber(db, number);
  if (invoice === null) return null;
  const view = invoiceView(invoice, registration);
  return { ...saidBy(invoice), view, notHandedOut, eInvoice, replacedBy: invoice.replacedBy };
}

/** What documents of every kind say. */
function saidBy(
  document: Pick<Invoice, "orderId" | "issuedAt" | "facts">,
): Pick<OpenedDocument, "orderId" | "issuedAt" | "day" | "references" | "corrects"> {
  const { orderId, issuedAt, facts } = document;
  return {
    orderId,
    issuedAt,
    day: documentDay(document),
    references: facts.references ?? noReferences,
    corrects: null,
  };
}
