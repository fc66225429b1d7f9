/** A document for staff: its registration with the portal's own messages, and its order. */
import type { EInvoice } from "#db/billing/e-invoices.ts";
import type { OrderId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import type { RegistrationState } from "#db/tables/invoices.ts";
import { type OpenedDocument, openDocument } from "#server/billing/documents/open-document.ts";
import { portalMessage } from "#server/billing/documents/registration.ts";
import { explainRefusal } from "#server/foundation/countries/portal-refusals.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { english } from "#server/foundation/languages/text.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import { documentStateLabels } from "./lists/documents.ts";

/** A labelled fact: a text or a moment. */
export interface DocumentFact {
  name: string;
  value: string | Date;
}

export interface StaffDocument extends Pick<OpenedDocument, "view" | "notHandedOut" | "issuedAt"> {
  order: { id: OrderId; number: string };
  /** The document's replacement and its registration; empty for a document that needs none. */
  facts: DocumentFact[];
}

/** @throws DomainError not_found */
export async function readDocument(db: Db, number: string): Promise<StaffDocument> {
  // PostgreSQL rejects NUL characters, and no number has one.
  const opened = number.includes("\0") ? null : await openDocument(db, number);
  const order = opened === null ? null : await findOrder(db, opened.orderId);
  if (opened === null || order === null) throw new DomainError("not_found", "No document has this number.");
  const { view, notHandedOut, issuedAt, eInvoice, replacedBy } = opened;
  return {
    view,
    notHandedOut,
    issuedAt,
    order: { id: order.id, number: orderNumber(order) },
    facts: [
      ...(replacedBy === null ? [] : [{ name: "Replaced by", value: replacedBy }]),
      ...(eInvoice === null ? [] : factsOf(eInvoice)),
    ],
  };
}

function factsOf(document: EInvoice): DocumentFact[] {
  const { state, irn, acknowledgement, tries, askedAt, nextTryAt, cancelledAt, revision } = document;
  const fact = (name: string, value: string | Date | null) => (value === null ? [] : [{ name, value }]);
  return [
    {
      name: "E-invoice",
      value:
        state === "cancelled" && acknowledgement === null
          ? "Never registered, replaced"
          : registrationWords(state, document.cancelReason !== null),
    },
    ...(state === "failed" ? fact("What is wrong", english(explainRefusal(document))) : []),
    ...fact("Portal message", portalMessage(document)),
    { name: "IRN", value: acknowledgement === null ? `${irn}, expected` : irn },
    ...fact("Acknowledged as", acknowledgement?.ackNumber ?? null),
    ...fact("Acknowledged", acknowledgement?.acknowledgedAt ?? null),
    { name: "Attempts", value: String(tries) },
    ...fact("First sent", askedAt),
    ...fact("Corrections", revision === 0 ? null : String(revision)),
    ...fact("Next attempt", nextTryAt),
    ...fact("Cancelled", cancelledAt),
  ];
}

function registrationWords(state: RegistrationState, isToBeCancelled: boolean): string {
  return state === "final" && isToBeCancelled ? "Being cancelled at the portal" : documentStateLabels[state];
}
