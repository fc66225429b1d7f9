/** Invoices, credit notes and proformas, with where their registration stands and what the portal says. */
import { z } from "zod";
import {
  countDocuments,
  type DocumentKind,
  type DocumentState,
  documentKinds,
  type ListedDocument,
  listDocuments,
} from "#db/documents.ts";
import type { OrderId } from "#db/ids.ts";
import { parseTextCursor } from "#db/keyset.ts";
import { money } from "#db/money.ts";
import type { Db } from "#db/tables/index.ts";
import { mostInBundle } from "#server/documents/bundle.ts";
import { saidByPortal } from "#server/documents/registration.ts";
import { DomainError } from "#server/errors.ts";
import { orderNumber, readOrderNumber } from "#server/orders/number.ts";
import * as paths from "#server/paths.ts";
import { formatExact } from "#server/pricing/format.ts";
import {
  deskList,
  keysetRows,
  narrowed,
  oneOf,
  optionsOf,
  period,
  periodFields,
  timeOf,
  words,
} from "./list.ts";

export const kindWords: Readonly<Record<DocumentKind, string>> = {
  invoice: "Invoice",
  "credit-note": "Credit note",
  proforma: "Proforma",
};

export const stateWords: Readonly<Record<DocumentState, string>> = {
  issued: "Issued, without an IRN",
  pending: "IRN pending",
  final: "Final, with its IRN",
  failed: "Refused by the portal",
  cancelled: "Cancelled at the portal",
  open: "Waits for its payment",
  paid: "Paid",
  withdrawn: "Withdrawn",
  expired: "Expired",
};
const states = Object.keys(stateWords).filter((state): state is DocumentState => state in stateWords);

const filter = z.object({ search: words, kind: oneOf(documentKinds), state: oneOf(states), ...period });

const asked = (query: URLSearchParams) => askedBy(narrowed(filter, query));

/** What a filter asks of the database. */
function askedBy({ search, kind, state, ...time }: z.output<typeof filter>) {
  return {
    kind,
    state,
    ...timeOf(time),
    orderId: null,
    search,
    orderNumber: search === null ? null : readOrderNumber(search),
  };
}

export const documentsList = deskList({
  title: "Documents",
  explains: "Invoices, credit notes and proformas, the newest first.",
  empty: "No document is found.",
  fileName: "documents",
  filter,
  fields: [
    { name: "search", label: "Document or order number, company, email or GSTIN", kind: "search" },
    { name: "kind", label: "Kind", kind: "choice", options: optionsOf(kindWords) },
    { name: "state", label: "State", kind: "choice", options: optionsOf(stateWords) },
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
        small: kindWords[kind],
      }),
    },
    { label: "Issued", cell: ({ issuedAt }) => ({ at: issuedAt }) },
    {
      label: "Buyer",
      holds: "words",
      cell: ({ buyer, gstin }) => ({ text: buyer, small: gstin }),
    },
    {
      label: "Order",
      cell: (document) => ({ text: orderOf(document), path: paths.deskOrder(document.orderId) }),
    },
    { label: "Total", cell: ({ totalMinor, currency }) => formatExact(money(totalMinor, currency)) },
    {
      label: "State",
      holds: "words",
      cell: (document) => ({ text: stateOf(document), small: replacedOr(document, portalOf(document)) }),
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
  return isCancelling ? "Is being cancelled at the portal" : stateWords[state];
}

/** What took its place, where something did. */
function replacedOr({ replacedBy }: ListedDocument, otherwise: string | null): string | null {
  return replacedBy === null ? otherwise : `Replaced by ${replacedBy}`;
}

/** What the portal said against it. */
function portalOf({ portalCode, portalWords }: ListedDocument): string | null {
  return saidByPortal({ errorCode: portalCode, errorWords: portalWords });
}

/** How many a zip would hold of them, narrowed as the list is; null for more than it may. */
export async function countForBundle(db: Db, query: URLSearchParams): Promise<number | null> {
  const count = await countDocuments(db, asked(query), mostInBundle);
  return count > mostInBundle ? null : count;
}

/**
 * The documents that a zip is asked for of, narrowed as the list is.
 * @throws DomainError bad_request for more than a zip holds, for none, and as the list does
 */
export async function documentsForBundle(db: Db, query: URLSearchParams): Promise<ListedDocument[]> {
  const { rows, next } = await listDocuments(db, asked(query), { after: null, limit: mostInBundle });
  if (next !== null)
    throw new DomainError(
      "bad_request",
      `These are more than ${mostInBundle} documents, which is the most of a zip. Narrow them by their days.`,
    );
  if (rows.length === 0)
    throw new DomainError("bad_request", "No document is found, so there is no zip of them.");
  return rows;
}

/** An order has few documents: all of them are shown. */
const mostOfOrder = 100;

export interface DocumentOfOrder {
  number: string;
  kind: string;
  state: string;
  portal: string | null;
}

/** The documents of an order, the newest first. */
export async function documentsOfOrder(db: Db, orderId: OrderId): Promise<DocumentOfOrder[]> {
  const everything = { kind: null, state: null, from: null, before: null, search: null, orderNumber: null };
  const { rows } = await listDocuments(db, { ...everything, orderId }, { after: null, limit: mostOfOrder });
  return rows.map((document) => ({
    number: document.number,
    kind: kindWords[document.kind],
    state: stateOf(document),
    portal: replacedOr(document, portalOf(document)),
  }));
}
