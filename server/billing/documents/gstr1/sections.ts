/**
 * A return for people: the sums of each table, and its documents one by one with their problems. Derived from the downloadable
 * return (build.ts), so that the two cannot differ.
 */

import { listRegistrations } from "#db/accounts/gst-registrations.ts";
import { listEInvoicesByNumber } from "#db/billing/e-invoices.ts";
import type { Db } from "#db/tables/index.ts";
import { gstinProblem } from "#server/foundation/countries/gstin.ts";
import { english } from "#server/foundation/languages/text.ts";
import { portalMessage } from "../registration.ts";
import { eInvoiceAccountOf, type RegistrationSettings } from "../registration-queue.ts";
import type { GstReturn } from "./build.ts";
import type { ReturnDocument } from "./documents.ts";
import { type Gstr1, type Table, tableOf } from "./tables.ts";

/** Minor units of the tax's currency. */
interface Sums {
  taxableMinor: number;
  igstMinor: number;
  cgstMinor: number;
  sgstMinor: number;
}

export interface ReturnSection {
  /** The accountants' name of the table. */
  title: string;
  /** Its file in the return. */
  file: string;
  /** Number of documents, or of rows if the table contains sums. */
  entries: number;
  /** Null for the list of documents, which has no amounts. */
  sums: Sums | null;
}

interface Row {
  txval: number;
  iamt: number;
  camt?: number;
  samt?: number;
}

/** Lists every table of a return in the portal's order. Credit notes count with the amounts that they credit. */
export function returnSections(table: Gstr1): ReturnSection[] {
  const { b2b, b2cl, b2cs, exp, cdnr, cdnur, hsn, doc_issue: issued } = table;
  const lists = issued.doc_det.flatMap(({ docs }) => docs);
  return [
    sectionOf("B2B: registered buyers", "b2b.csv", detailsOf(b2b.flatMap(({ inv }) => inv))),
    sectionOf("B2CL: large, to unregistered buyers", "b2cl.csv", detailsOf(b2cl.flatMap(({ inv }) => inv))),
    sectionOf(
      "B2CS: small, to unregistered buyers",
      "b2cs.csv",
      b2cs.map((row) => [row]),
    ),
    sectionOf(
      "Exports",
      "exp.csv",
      exp.flatMap(({ inv }) => inv.map(({ itms }) => itms)),
    ),
    sectionOf("CDNR: credit notes to registered buyers", "cdnr.csv", detailsOf(cdnr.flatMap(({ nt }) => nt))),
    sectionOf("CDNUR: credit notes to others", "cdnur.csv", detailsOf(cdnur)),
    sectionOf(
      "HSN: registered buyers",
      "hsn-b2b.csv",
      hsn.hsn_b2b.map((row) => [row]),
    ),
    sectionOf(
      "HSN: others",
      "hsn-b2c.csv",
      hsn.hsn_b2c.map((row) => [row]),
    ),
    {
      title: "Documents issued, cancelled ones included",
      file: "docs.csv",
      entries: lists.reduce((sum, { totnum }) => sum + totnum, 0),
      sums: null,
    },
  ];
}

const detailsOf = (documents: readonly { itms: readonly { itm_det: Row }[] }[]): Row[][] =>
  documents.map(({ itms }) => itms.map(({ itm_det: row }) => row));

function sectionOf(title: string, file: string, entries: readonly (readonly Row[])[]): ReturnSection {
  const rows = entries.flat();
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + Math.round(of(row) * 100), 0);
  return {
    title,
    file,
    entries: entries.length,
    sums: {
      taxableMinor: sum(({ txval }) => txval),
      igstMinor: sum(({ iamt }) => iamt),
      cgstMinor: sum(({ camt = 0 }) => camt),
      sgstMinor: sum(({ samt = 0 }) => samt),
    },
  };
}

/** A document of a return's month. */
export interface DocumentInReturn {
  number: string;
  kind: ReturnDocument["kind"];
  /** "2026-11-24" */
  day: string;
  /** Short name of its table. */
  place: string;
  /** Null for a document that is in no table. */
  figures: Pick<
    ReturnDocument,
    "buyerName" | "buyerGstin" | "totalMinor" | "taxableMinor" | "igstMinor" | "cgstMinor" | "sgstMinor"
  > | null;
  /** Problem to fix before the return is filed, as a sentence; null when there is none. */
  problem: string | null;
}

const placeWords: Readonly<Record<ReturnDocument["kind"], Readonly<Record<Table, string>>>> = {
  invoice: { b2b: "B2B", b2cl: "B2CL", b2cs: "B2CS", exp: "Exports" },
  "credit note": { b2b: "CDNR", b2cl: "CDNUR", b2cs: "B2CS", exp: "CDNUR" },
};

/** The register's word for an active registration. */
const active = "Active";

/** Lists the documents of a return and those left out of it, with their problems; left-out ones first. */
export async function documentsInReturn(
  db: Db,
  settings: RegistrationSettings,
  { gstin, documents, leftOut }: Pick<GstReturn, "gstin" | "documents" | "leftOut">,
): Promise<DocumentInReturn[]> {
  const numbers = documents.map(({ number }) => number);
  const registered = new Map((await listEInvoicesByNumber(db, numbers)).map((each) => [each.number, each]));
  const buyers = [
    ...new Set(documents.flatMap(({ buyerGstin }) => (buyerGstin === null ? [] : [buyerGstin]))),
  ];
  const statuses = new Map((await listRegistrations(db, buyers)).map((each) => [each.gstin, each.status]));
  const isRegistering = eInvoiceAccountOf(settings, gstin) !== null;

  const problemOf = ({ number, supplyType, buyerGstin, isCancelled }: ReturnDocument): string | null => {
    if (isCancelled) return null;
    const eInvoice = registered.get(number);
    const said = eInvoice === undefined ? null : portalMessage(eInvoice);
    if (eInvoice?.state === "failed") return `Rejected by the portal: ${said ?? "it did not say why"}`;
    if (eInvoice?.state === "pending") return said === null ? "IRN pending." : `IRN pending: ${said}`;
    if (eInvoice === undefined && isRegistering && supplyType !== "B2C")
      return "No IRN: issued before e-invoicing was set up.";
    if (buyerGstin === null) return null;
    const wrong = gstinProblem(buyerGstin);
    if (wrong !== null) return `The buyer's GSTIN, ${buyerGstin}, is not valid: ${english(wrong)}`;
    const status = statuses.get(buyerGstin) ?? active;
    return status === active ? null : `The buyer's GSTIN, ${buyerGstin}, is ${status} in the tax register.`;
  };

  return [
    ...leftOut.map(({ why, ...document }) => ({
      ...document,
      place: "in no table",
      figures: null,
      problem: `Left out: ${why}.`,
    })),
    ...documents.map((document) => ({
      number: document.number,
      kind: document.kind,
      day: document.day,
      place: document.isCancelled
        ? "cancelled: only its number counts"
        : placeWords[document.kind][tableOf(document)],
      figures: document,
      problem: problemOf(document),
    })),
  ];
}
