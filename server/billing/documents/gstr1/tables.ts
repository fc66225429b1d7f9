/**
 * The tables of GSTR-1 in the portal's JSON (docs/providers.md, section 4.1). Each document is in one table once; the summary
 * by service code and the list of documents are built from the same documents. A cancelled document is only in that list.
 */
import type { ReturnDocument } from "./documents.ts";
import {
  documentNatures,
  exportTypes,
  type InvoiceType,
  largeMinor,
  maxDescriptionLength,
  type UnregisteredType,
  unitOfServices,
} from "./portal-codes.ts";

interface Amounts {
  rt: number;
  txval: number;
  iamt: number;
  camt?: number;
  samt?: number;
  csamt: number;
}
interface Item {
  num: number;
  itm_det: Amounts;
}
interface Invoice {
  inum: string;
  idt: string;
  val: number;
}
interface Note {
  ntty: "C";
  nt_num: string;
  nt_dt: string;
  val: number;
}
interface Served {
  pos: string;
  rchrg: "N";
  inv_typ: InvoiceType;
}
export interface HsnRow {
  num: number;
  hsn_sc: string;
  desc: string;
  uqc: string;
  qty: number;
  rt: number;
  txval: number;
  iamt: number;
  camt: number;
  samt: number;
  csamt: number;
}

export interface Gstr1 {
  gstin: string;
  /** Such as "112026". */
  fp: string;
  b2b: { ctin: string; inv: (Invoice & Served & { itms: Item[] })[] }[];
  b2cl: { pos: string; inv: (Invoice & { itms: Item[] })[] }[];
  b2cs: (Amounts & { sply_ty: "INTER" | "INTRA"; pos: string; typ: "OE" })[];
  exp: { exp_typ: (typeof exportTypes)[keyof typeof exportTypes]; inv: (Invoice & { itms: Amounts[] })[] }[];
  cdnr: { ctin: string; nt: (Note & Served & { itms: Item[] })[] }[];
  /** An export has no place of supply here. */
  cdnur: (Note & { typ: UnregisteredType; pos?: string; itms: Item[] })[];
  hsn: { hsn_b2b: HsnRow[]; hsn_b2c: HsnRow[] };
  doc_issue: {
    doc_det: {
      doc_num: number;
      doc_typ: string;
      docs: { num: number; from: string; to: string; totnum: number; cancel: number; net_issue: number }[];
    }[];
  };
}

/** Table of a document; a credit note belongs in the table of its invoice. */
export type Table = "b2b" | "b2cl" | "b2cs" | "exp";

export function tableOf(document: ReturnDocument): Table {
  if (exportTypeOf(document) !== null) return "exp";
  if (document.buyerGstin !== null) return "b2b";
  return isInterstate(document) && document.invoiceTotalMinor > largeMinor ? "b2cl" : "b2cs";
}

/** The registration contains the seller's state. A special economic zone always counts as outside it. */
function isInterstate({ sellerGstin, place, supplyType }: ReturnDocument): boolean {
  return supplyType.startsWith("SEZ") || sellerGstin.slice(0, 2) !== place;
}

function exportTypeOf({ supplyType }: ReturnDocument): keyof typeof exportTypes | null {
  return supplyType === "EXPWP" || supplyType === "EXPWOP" ? supplyType : null;
}

/**
 * Builds the return of one seller and month.
 * @param issued the seller's documents of the month
 * @param month "2026-11"
 */
export function gstr1(gstin: string, month: string, issued: readonly ReturnDocument[]): Gstr1 {
  const documents = issued.filter(({ isCancelled }) => !isCancelled);
  const invoices = documents.filter(({ kind }) => kind === "invoice");
  const notes = documents.filter(({ kind }) => kind === "credit note");
  const inTable = (all: readonly ReturnDocument[], table: Table) =>
    all.filter((document) => tableOf(document) === table);
  const [year, number] = month.split("-");
  return {
    gstin,
    fp: `${number}${year}`,
    b2b: grouped(inTable(invoices, "b2b"), ({ buyerGstin }) => buyerGstin ?? "").map(([ctin, all]) => ({
      ctin,
      inv: all.map((document) => ({ ...invoiceOf(document), ...served(document), itms: itemsOf(document) })),
    })),
    b2cl: grouped(inTable(invoices, "b2cl"), ({ place }) => place).map(([pos, all]) => ({
      pos,
      inv: all.map((document) => ({ ...invoiceOf(document), itms: itemsOf(document) })),
    })),
    b2cs: smallOf(inTable(documents, "b2cs")),
    exp: exportsOf(inTable(invoices, "exp")),
    cdnr: grouped(inTable(notes, "b2b"), ({ buyerGstin }) => buyerGstin ?? "").map(([ctin, all]) => ({
      ctin,
      nt: all.map((document) => ({ ...noteOf(document), ...served(document), itms: itemsOf(document) })),
    })),
    cdnur: [...inTable(notes, "b2cl"), ...inTable(notes, "exp")].map((document) => ({
      ...noteOf(document),
      ...unregistered(document),
      itms: itemsOf(document),
    })),
    hsn: {
      hsn_b2b: summaryOf(inTable(documents, "b2b")),
      hsn_b2c: summaryOf(documents.filter((document) => tableOf(document) !== "b2b")),
    },
    doc_issue: {
      doc_det: [
        { ...documentNatures.invoice, docs: rangesOf(issued, "invoice") },
        { ...documentNatures["credit note"], docs: rangesOf(issued, "credit note") },
      ].filter(({ docs }) => docs.length > 0),
    },
  };
}

function exportsOf(documents: readonly ReturnDocument[]): Gstr1["exp"] {
  return (["EXPWP", "EXPWOP"] as const)
    .map((type) => ({
      exp_typ: exportTypes[type],
      inv: documents
        .filter(({ supplyType }) => supplyType === type)
        .map((document) => ({ ...invoiceOf(document), itms: [amountsOf([document])] })),
    }))
    .filter(({ inv }) => inv.length > 0);
}

/** Groups documents by key, in order of first appearance. */
function grouped<Key extends string>(
  documents: readonly ReturnDocument[],
  keyOf: (document: ReturnDocument) => Key,
): [Key, ReturnDocument[]][] {
  const groups = new Map<Key, ReturnDocument[]>();
  for (const document of documents) {
    const group = groups.get(keyOf(document));
    if (group === undefined) groups.set(keyOf(document), [document]);
    else group.push(document);
  }
  return [...groups];
}

const invoiceOf = ({ number, day, totalMinor }: ReturnDocument): Invoice => ({
  inum: number,
  idt: portalDate(day),
  val: major(totalMinor),
});

const noteOf = ({ number, day, totalMinor }: ReturnDocument): Note => ({
  ntty: "C",
  nt_num: number,
  nt_dt: portalDate(day),
  val: major(totalMinor),
});

const served = ({ place, supplyType }: ReturnDocument): Served => ({
  pos: place,
  rchrg: "N",
  inv_typ: supplyType === "SEZWP" ? "SEWP" : supplyType === "SEZWOP" ? "SEWOP" : "R",
});

function unregistered(document: ReturnDocument): { typ: UnregisteredType; pos?: string } {
  const exported = exportTypeOf(document);
  return exported === null ? { typ: "B2CL", pos: document.place } : { typ: exported };
}

const itemsOf = (document: ReturnDocument): Item[] => [{ num: 1, itm_det: amountsOf([document]) }];

/** Sums documents of one rate and one place. */
function amountsOf(documents: readonly ReturnDocument[]): Amounts {
  const [first] = documents;
  const sum = (of: (document: ReturnDocument) => number) =>
    major(documents.reduce((total, document) => total + of(document), 0));
  const isWithin = first !== undefined && !isInterstate(first);
  return {
    rt: (first?.rateBasisPoints ?? 0) / 100,
    txval: sum(({ taxableMinor }) => taxableMinor),
    iamt: sum(({ igstMinor }) => igstMinor),
    ...(isWithin && { camt: sum(({ cgstMinor }) => cgstMinor), samt: sum(({ sgstMinor }) => sgstMinor) }),
    csamt: 0,
  };
}

const signed = ({ kind }: ReturnDocument, minor: number) => (kind === "invoice" ? minor : -minor);

/** Sums small supplies to unregistered buyers by place and rate, less credits. */
function smallOf(documents: readonly ReturnDocument[]): Gstr1["b2cs"] {
  return grouped(documents, ({ place, rateBasisPoints }) => `${place} ${rateBasisPoints}`).flatMap(
    ([, all]) => {
      const [first] = all;
      if (first === undefined) return [];
      return [
        {
          ...netOf(all),
          sply_ty: isInterstate(first) ? ("INTER" as const) : ("INTRA" as const),
          pos: first.place,
          typ: "OE" as const,
        },
      ];
    },
  );
}

/** Sums invoices less credit notes. */
function netOf(documents: readonly ReturnDocument[]): Amounts {
  return amountsOf(
    documents.map((document) => ({
      ...document,
      taxableMinor: signed(document, document.taxableMinor),
      igstMinor: signed(document, document.igstMinor),
      cgstMinor: signed(document, document.cgstMinor),
      sgstMinor: signed(document, document.sgstMinor),
    })),
  );
}

/** Sums by service code and rate, less credits. Services have neither unit nor quantity. */
function summaryOf(documents: readonly ReturnDocument[]): HsnRow[] {
  return grouped(documents, ({ sac, rateBasisPoints }) => `${sac} ${rateBasisPoints}`).map(
    ([, all], index) => {
      const { rt, txval, iamt } = netOf(all);
      const sum = (of: (document: ReturnDocument) => number) =>
        major(all.reduce((total, document) => total + signed(document, of(document)), 0));
      return {
        num: index + 1,
        hsn_sc: all[0]?.sac ?? "",
        desc: (all[0]?.description ?? "").slice(0, maxDescriptionLength),
        uqc: unitOfServices,
        qty: 0,
        rt,
        txval,
        iamt,
        camt: sum(({ cgstMinor }) => cgstMinor),
        samt: sum(({ sgstMinor }) => sgstMinor),
        csamt: 0,
      };
    },
  );
}

/** Lists the number ranges. A cancelled document keeps its number, so that the series has no gap. */
function rangesOf(issued: readonly ReturnDocument[], kind: ReturnDocument["kind"]) {
  const documents = issued.filter((document) => document.kind === kind);
  return grouped(documents, ({ series }) => series).flatMap(([, all], index) => {
    const sorted = all.toSorted((one, other) => one.serial - other.serial);
    const [first] = sorted;
    const last = sorted.at(-1);
    if (first === undefined || last === undefined) return [];
    const totnum = sorted.length;
    const cancel = sorted.filter(({ isCancelled }) => isCancelled).length;
    return [
      { num: index + 1, from: first.number, to: last.number, totnum, cancel, net_issue: totnum - cancel },
    ];
  });
}

/** Formats a day for the portal: "24-11-2026". */
function portalDate(day: string): string {
  return day.split("-").toReversed().join("-");
}

/** Exact, because amounts have two decimals. */
function major(minor: number): number {
  return minor / 100;
}
