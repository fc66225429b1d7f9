/** Google's bills: the rows of Cloud Channel's report of them. One account is billed for all countries. */
import { csvRows } from "#server/csv.ts";
import type { ReportRow } from "#server/providers/google.ts";
import { BillError, type BillRules, dateIn, keyedLines, numberIn, type WrittenLine } from "../bills.ts";

/** Ids of the report's columns. None of them is confirmed (docs/providers.md, section 2.7). */
const columns = {
  invoice: "invoice_number",
  entitlement: "entitlement",
  charge: "charge_type",
  seats: "quantity",
  unit: "unit_price",
  amount: "cost",
  currency: "currency",
  start: "charge_start_date",
  end: "charge_end_date",
} as const;

/** Of seats that are added while a commitment runs. */
const added = "SEATS_ADDED";

export const bills: BillRules = {
  // The report has all of a month.
  list: async (_context, _country, month) => [month],
  begin: ({ google }, _country, { month }) => google.beginBillReport(month),
  async read({ google }, _country, operation) {
    const rows = await google.readBillReport(operation);
    return rows === null ? null : keyedLines(rows.map((row, index) => lineOf(row, index + 1)));
  },
  async parse(pieces) {
    let names: string[] | null = null;
    const lines: WrittenLine[] = [];
    for await (const cells of csvRows(pieces)) {
      if (names === null) {
        names = cells.map((cell) => cell.trim());
        const missing = Object.values(columns).filter((name) => !names?.includes(name));
        if (missing.length > 0)
          throw new BillError(`This is no such report: it has no ${missing.join(", ")}.`);
        continue;
      }
      if (cells.every((cell) => cell === "")) continue;
      const row = Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]));
      lines.push(lineOf(row, lines.length + 1));
    }
    if (names === null) throw new BillError("The report is empty.");
    return keyedLines(lines);
  },
};

function lineOf(row: ReportRow, line: number): WrittenLine {
  const cell = (name: keyof typeof columns) => row[columns[name]] ?? "";
  const amount = numberIn(cell("amount"), "cost", line);
  return {
    identity: Object.values(columns).map((name) => row[name] ?? ""),
    externalId: cell("entitlement"),
    kind: amount < 0 ? "credit" : cell("charge") === added ? "seats" : "term",
    seats: Math.abs(Math.round(numberIn(cell("seats"), "quantity", line))),
    unit: numberIn(cell("unit"), "unit price", line),
    amount,
    currency: cell("currency"),
    startsAt: dateIn(cell("start"), "start", line),
    endsAt: dateIn(cell("end"), "end", line),
  };
}
