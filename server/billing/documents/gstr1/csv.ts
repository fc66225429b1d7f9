/**
 * Writes the tables of GSTR-1 as the CSV files that the portal's offline tool imports, one per table; accountants read them
 * too.
 */
import { type CsvValue, csvHeader, csvLine } from "#server/foundation/csv.ts";
import { placeText } from "./documents.ts";
import { fileTitles, invoiceTypes } from "./portal-codes.ts";
import type { Gstr1, HsnRow } from "./tables.ts";

type Cell = string | number;

/** Returns the files by name. A table without rows has only its header. */
export function gstr1Files(table: Gstr1, nameOf: (gstin: string) => string): Map<string, string> {
  return new Map([
    [
      "b2b.csv",
      csv(
        fileTitles.b2b,
        table.b2b.flatMap(({ ctin, inv }) =>
          inv.flatMap(({ inum, idt, val, pos, rchrg, inv_typ, itms }) =>
            itms.map(({ itm_det }) => [
              ctin,
              nameOf(ctin),
              inum,
              date(idt),
              val,
              placeText(pos),
              rchrg,
              "",
              invoiceTypes[inv_typ],
              "",
              ...rated(itm_det),
            ]),
          ),
        ),
      ),
    ],
    [
      "b2cl.csv",
      csv(
        fileTitles.b2cl,
        table.b2cl.flatMap(({ pos, inv }) =>
          inv.flatMap(({ inum, idt, val, itms }) =>
            itms.map(({ itm_det }) => [inum, date(idt), val, placeText(pos), "", ...rated(itm_det), ""]),
          ),
        ),
      ),
    ],
    [
      "b2cs.csv",
      csv(
        fileTitles.b2cs,
        table.b2cs.map(({ typ, pos, ...amounts }) => [typ, placeText(pos), "", ...rated(amounts), ""]),
      ),
    ],
    [
      "exp.csv",
      csv(
        fileTitles.exp,
        table.exp.flatMap(({ exp_typ, inv }) =>
          inv.flatMap(({ inum, idt, val, itms }) =>
            itms.map((item) => [exp_typ, inum, date(idt), val, "", "", "", ...rated(item)]),
          ),
        ),
      ),
    ],
    [
      "cdnr.csv",
      csv(
        fileTitles.cdnr,
        table.cdnr.flatMap(({ ctin, nt }) =>
          nt.flatMap(({ nt_num, nt_dt, ntty, pos, rchrg, inv_typ, val, itms }) =>
            itms.map(({ itm_det }) => [
              ctin,
              nameOf(ctin),
              nt_num,
              date(nt_dt),
              ntty,
              placeText(pos),
              rchrg,
              invoiceTypes[inv_typ],
              val,
              "",
              ...rated(itm_det),
            ]),
          ),
        ),
      ),
    ],
    [
      "cdnur.csv",
      csv(
        fileTitles.cdnur,
        table.cdnur.flatMap(({ typ, nt_num, nt_dt, ntty, pos, val, itms }) =>
          itms.map(({ itm_det }) => [
            typ,
            nt_num,
            date(nt_dt),
            ntty,
            pos === undefined ? "" : placeText(pos),
            val,
            "",
            ...rated(itm_det),
          ]),
        ),
      ),
    ],
    ["hsn-b2b.csv", hsn(table.hsn.hsn_b2b)],
    ["hsn-b2c.csv", hsn(table.hsn.hsn_b2c)],
    [
      "docs.csv",
      csv(
        fileTitles.docs,
        table.doc_issue.doc_det.flatMap(({ doc_typ, docs }) =>
          docs.map(({ from, to, totnum, cancel }) => [doc_typ, from, to, totnum, cancel]),
        ),
      ),
    ],
  ]);
}

interface Rated {
  rt: number;
  txval: number;
  csamt: number;
}

/** Rate, taxable value and cess, the last cells of every row. */
function rated({ rt, txval, csamt }: Rated): Cell[] {
  return [rt, txval, csamt];
}

function hsn(rows: readonly HsnRow[]): string {
  return csv(
    fileTitles.hsn,
    rows.map(({ hsn_sc, desc, uqc, qty, txval, iamt, camt, samt, csamt, rt }) => [
      hsn_sc,
      desc,
      uqc,
      qty,
      (Math.round(txval * 100) + Math.round(iamt * 100) + Math.round(camt * 100) + Math.round(samt * 100)) /
        100,
      txval,
      iamt,
      camt,
      samt,
      csamt,
      rt,
    ]),
  );
}

function csv(title: string, rows: readonly (readonly Cell[])[]): string {
  return csvHeader(title.split(",")) + rows.map((row) => csvLine(row.map(cell))).join("");
}

/** Formats whole numbers without decimals, others with two. */
function cell(value: Cell): CsvValue {
  if (typeof value === "string") return value;
  const minor = Math.round(value * 100);
  return minor % 100 === 0 ? minor / 100 : { minor };
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats "24-11-2026" as "24-Nov-2026". */
function date(text: string): string {
  const [day, month, year] = text.split("-");
  return `${day}-${months[Number(month) - 1] ?? ""}-${year}`;
}
