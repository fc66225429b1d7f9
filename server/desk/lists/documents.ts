/** Invoices, credit notes and proformas, with their registration state and the portal's messages. */
import { z } from "zod";
import {
  countDocuments,
  type DocumentKind,
  type DocumentState,
  documentKinds,
  type ListedDocument,
  listDocuments,
} from "#db/billing/documents.ts";
import type { OrderId } from "#db/ids.ts";
import { parseTextCursor } from "#db/keyset.ts";
import { money } from "#db/money.ts";
import type { Db } from "#db/tables/index.ts";
import { maxDocumentsInZip } from "#server/billing/documents/document-zip.ts";
import { portalMessage } from "#server/billing/documents/registration.ts";
import { formatExact } from "#server/catalogue/pricing/format.ts";
import { DomainError } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber, readOrderNumber } from "#server/orders/number.ts";
import type { StateTone } from "../labels.ts";
import {
  defineList,
  keysetRows,
  oneOf,
  parseListFilter,
  period,
  periodFields,
  searchTextSchema,
  toListOptions,
  toTimeRange,
} from "./list.ts";

export const documentKindLabels: Readonly<Record<DocumentKind, string>> = {
  invoice: "Invoice",
  "credit-note": "Credit note",
  proforma: "Proforma",
};

export const documentStateLabels: Readonly<Record<DocumentState, string>> = {
  issued: "Issued, without an IRN",
  pending: "IRN pending",
  final: "Registered (IRN issued)",
  failed: "Rejected by the portal",
  cancelled: "Cancelled at the portal",
  open: "Awaiting payment",
  paid: "Paid",
  withdrawn: "Withdrawn",
  expired: "Expired",
};
export const documentStateTones: Readonly<Record<DocumentState, StateTone>> = {
  issued: null,
  pending: "new",
  final: "good",
  failed: "bad",
  cancelled: null,
  open: "due",
  paid: "good",
  withdrawn: null,
  expired: null,
};
const states = Object.keys(documentStateLabels).filter(
  (state): state is DocumentState => state in documentStateLabels,
);

const filter = z.object({
  search: searchTextSchema,
  kind: oneOf(documentKinds),
  state: oneOf(states),
  ...period,
});

const queryOf = (query: URLSearchParams) => askedBy(parseListFilter(filter, query));

/** Translates the list's filter into a query. */
function askedBy({ search, kind, state, ...time }: z.output<typeof filter>) {
  return {
    kind,
    state,
    ...toTimeRange(time),
    orderId: null,
    search,
    orderNumber: search === null ? null : readOrderNumber(search),
  };
}

export const documentsList = defineList({
  title: "Documents",
  explains: "Invoices, credit notes and proformas.",
  empty: "No documents found.",
  fileName: "documents",
  filter,
  fields: [
    { name: "search", label: "Document or order number, company, email or GSTIN", kind: "search" },
    { name: "kind", label: "Kind", kind: "choice", options: toListOptions(documentKindLabels) },
    { name: "state", label: "State", kind: "choice", options: toListOptions(documentStateLabels) },
    ...periodFields,
  ],
  read: ({ db }, narrowedBy, page) =>
    keysetRows(parseTextCursor, page, (place) => listDocuments(db, askedBy(narrowedBy), place)),
  id: ({ number }) => number,
  columns: [
    {
      label: "Number",
      cell: ({ number, kind }) => ({
        text: number,
        path: paths.deskDocument(number),
        small: documentKindLabels[kind],
      }),
    },
    { label: "Issued", sort: "issued", cell: ({ issuedAt }) => ({ at: issuedAt }) },
    {
      label: "Buyer",
      holds: "words",
      cell: ({ buyer, gstin }) => ({ text: buyer, small: gstin }),
    },
    {
      label: "Order",
      cell: (document) => ({ text: orderOf(document), path: paths.deskOrder(document.orderId) }),
    },
    {
      label: "Total",
      holds: "amount",
      cell: ({ totalMinor, currency }) => formatExact(money(totalMinor, currency)),
    },
    {
      label: "State",
      holds: "words",
      cell: (document) => ({
        text: stateOf(document),
        small: replacedOr(document, portalOf(document)),
        tone: document.isCancelling ? "new" : documentStateTones[document.state],
      }),
    },
    {
      label: "PDF",
      cell: ({ number, state }) =>
        state === "pending" || state === "failed"
          ? "none yet"
          : { text: "PDF", of: number, path: paths.deskDocumentPdf(number) },
    },
  ],
  file: {
    number: ({ number }) => number,
    kind: ({ kind }) => kind,
    issued: ({ issuedAt }) => issuedAt,
    order: orderOf,
    buyer: ({ buyer }) => buyer,
    gstin: ({ gstin }) => gstin,
    "purchase order": ({ purchaseOrder }) => purchaseOrder,
    "cost centre": ({ costCentre }) => costCentre,
    total: ({ totalMinor, currency }) => money(totalMinor, currency),
    currency: ({ currency }) => currency,
    state: ({ state }) => state,
    "replaced by": ({ replacedBy }) => replacedBy,
    portal: portalOf,
  },
});

function orderOf({ orderCount, orderedAt }: ListedDocument): string {
  return orderNumber({ number: orderCount, createdAt: orderedAt });
}

function stateOf({ state, isCancelling }: ListedDocument): string {
  return isCancelling ? "Being cancelled at the portal" : documentStateLabels[state];
}

/** Names the document's replacement, if it has one. */
function replacedOr({ replacedBy }: ListedDocument, otherwise: string | null): string | null {
  return replacedBy === null ? otherwise : `Replaced by ${replacedBy}`;
}

/** Returns the portal's reason for a refusal. */
function portalOf({ portalCode, portalWords }: ListedDocument): string | null {
  return portalMessage({ errorCode: portalCode, errorWords: portalWords });
}

/** Counts the documents of the filtered list for a zip; null for more than a zip may hold. */
export async function countForZip(db: Db, query: URLSearchParams): Promise<number | null> {
  const count = await countDocuments(db, queryOf(query), maxDocumentsInZip);
  return count > maxDocumentsInZip ? null : count;
}

/**
 * Lists the documents of the filtered list for a zip.
 * @throws DomainError bad_request for more than a zip holds, for none, and as the list does
 */
export async function listForZip(db: Db, query: URLSearchParams): Promise<ListedDocument[]> {
  const { rows, next } = await listDocuments(db, queryOf(query), { after: null, limit: maxDocumentsInZip });
  if (next !== null)
    throw new DomainError(
      "bad_request",
      `A ZIP can hold up to ${maxDocumentsInZip} documents. Narrow the date range.`,
    );
  if (rows.length === 0) throw new DomainError("bad_request", "There are no documents to download.");
  return rows;
}

/** An order has few documents, so all of them are shown. */
const maxOrderDocuments = 100;

export interface DocumentOfOrder {
  number: string;
  kind: string;
  state: string;
  portal: string | null;
}

/** Lists an order's documents, newest first. */
export async function documentsOfOrder(db: Db, orderId: OrderId): Promise<DocumentOfOrder[]> {
  const everything = { kind: null, state: null, from: null, before: null, search: null, orderNumber: null };
  const { rows } = await listDocuments(
    db,
    { ...everything, orderId },
    { after: null, limit: maxOrderDocuments },
  );
  return rows.map((document) => ({
    number: document.number,
    kind: documentKindLabels[document.kind],
    state: stateOf(document),
    portal: replacedOr(document, portalOf(document)),
  }));
}
