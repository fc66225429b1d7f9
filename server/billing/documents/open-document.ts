/** Opens any document by its number, for staff: its content and its registration state. */
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
  /** The printed day: "2026-04-01". */
  day: string;
  /** The buyer's own references as printed on the document. */
  references: OrderReferences;
  /** Number of the invoice that a credit note corrects; null for other documents. */
  corrects: string | null;
  /** Null for a proforma whose virtual account is not open yet. */
  view: InvoiceView | null;
  /** Reason, for staff, why there is no PDF yet; null when there is one. */
  notHandedOut: string | null;
  /** Null for a document that needs no registration. */
  eInvoice: EInvoice | null;
  /** Number of the corrected invoice that replaced this one; null when none did. */
  replacedBy: string | null;
}

/** Finds a document by its number; null when there is none. */
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

/** Selects the fields that documents of every kind have. */
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
