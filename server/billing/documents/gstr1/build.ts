/** Builds the GSTR-1 returns of a month: one for each registration under which documents were issued in it. */
import { setImmediate as othersTurn } from "node:timers/promises";
import { listCreditNotesIssued } from "#db/billing/credit-notes.ts";
import { listInvoicesIssued, type NumberedDocument } from "#db/billing/invoices.ts";
import type { Db } from "#db/tables/index.ts";
import { gstCountry } from "#server/foundation/countries/registry.ts";
import { dateView, zonedMonth } from "#server/orders/subscriptions/dates.ts";
import { creditNoteFactsSchema } from "../credit-note-facts.ts";
import { type InvoiceFacts, invoiceFactsSchema } from "../facts.ts";
import { gstr1Files } from "./csv.ts";
import { type IssuedDocument, isPlaced, type ReturnDocument, returnDocument } from "./documents.ts";
import { type Gstr1, gstr1 } from "./tables.ts";

/** Name of the file for the portal. */
export const jsonFile = "gstr1.json";

export interface GstReturn {
  gstin: string;
  table: Gstr1;
  /** The return as the portal's JSON and its tables as CSV, by file name. */
  files: Map<string, string>;
  /** The included documents, by series and serial of each kind. */
  documents: ReturnDocument[];
  /** The excluded documents with reasons. */
  leftOut: ExcludedDocument[];
}

export interface ExcludedDocument extends Pick<IssuedDocument, "kind" | "number" | "day"> {
  /** Reason for an accountant. */
  why: string;
}

/**
 * Builds the returns.
 * @param month "2026-11", by the clock of the GST country
 * @returns the returns, and the numbers of documents without GST, which belong in none
 */
export async function buildReturns(
  db: Db,
  month: string,
): Promise<{ returns: GstReturn[]; withoutGst: string[] }> {
  const issued = (await issuedAround(db, month)).filter(({ at }) => zonedMonth(at, gstCountry) === month);
  const byGstin = new Map<string, { documents: ReturnDocument[]; leftOut: ExcludedDocument[] }>();
  const withoutGst: string[] = [];
  for (const { at, ...document } of issued) {
    const day = dateView(at, gstCountry).iso;
    const made = returnDocument({ ...document, day });
    const { sellerGstin } = made;
    if (sellerGstin === null) {
      withoutGst.push(document.number);
      continue;
    }
    const entry = byGstin.get(sellerGstin) ?? { documents: [], leftOut: [] };
    byGstin.set(sellerGstin, entry);
    if (isPlaced(made)) entry.documents.push(made);
    else entry.leftOut.push({ kind: document.kind, number: document.number, day, why: made.why });
  }
  const returns = [...byGstin].map(([gstin, { documents, leftOut }]) => {
    const table = gstr1(gstin, month, documents);
    const names = new Map(documents.map(({ buyerGstin, buyerName }) => [buyerGstin, buyerName]));
    const tables = gstr1Files(table, (buyer) => names.get(buyer) ?? "");
    const files = new Map([[jsonFile, `${JSON.stringify(table, null, 2)}\n`], ...tables]);
    return { gstin, table, files, documents, leftOut };
  });
  return { returns, withoutGst };
}

const dayMs = 24 * 3_600_000;

type Issued = Omit<IssuedDocument, "day"> & { at: Date };

/** Reads the documents of the month and a day before and after it, because time zones differ. */
async function issuedAround(db: Db, month: string): Promise<Issued[]> {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const from = new Date(Date.UTC(year, number - 1) - dayMs);
  const to = new Date(Date.UTC(year, number) + dayMs);
  const invoices = await each(await listInvoicesIssued(db, { from, to }), (stored) =>
    issuedAs("invoice", stored, invoiceFactsSchema.parse(stored.facts)),
  );
  const notes = await each(await listCreditNotesIssued(db, { from, to }), (stored) => {
    const facts = creditNoteFactsSchema.parse(stored.facts);
    return { ...issuedAs("credit note", stored, facts), invoiceTotalMinor: facts.invoice.totalMinor };
  });
  return [...invoices, ...notes];
}

/** A month may have thousands, so yield to other requests of the process from time to time. */
const atATime = 100;

async function each<From, To>(all: readonly From[], make: (one: From) => To): Promise<To[]> {
  const made: To[] = [];
  for (const one of all) {
    made.push(make(one));
    if (made.length % atATime === 0) await othersTurn();
  }
  return made;
}

function issuedAs(
  kind: Issued["kind"],
  { number, series, serial, issuedAt, isCancelled }: NumberedDocument,
  facts: InvoiceFacts,
): Issued {
  return { kind, number, series, serial, at: issuedAt, isCancelled, facts };
}
