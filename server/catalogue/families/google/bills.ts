/** Google's bills: the rows of Cloud Channel's billing report. One account is billed for all countries. */
import { readTable, type TableHeader } from "#server/foundation/csv.ts";
import { BillError, type BillRules, dateIn, keyedLines, numberIn, type WrittenLine } from "../bills.ts";

/** Ids of the report's columns. None is confirmed (docs/providers.md, section 2.7). */
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
const titles = Object.values(columns);
type Title = (typeof titles)[number];

/** Charge for seats added during a commitment. */
const added = "SEATS_ADDED";

export const bills: BillRules = {
  // The report covers a whole month.
  list: async (_context, _country, month) => [month],
  begin: ({ google }, _country, { month }) => google.beginBillReport(month),
  async read({ google }, _country, operation) {
    const rows = await google.readBillReport(operation);
    if (rows === null) return null;
    return keyedLines(rows.map((row, index) => lineOf((title) => row[title] ?? "", index + 1)));
  },
  async parse(pieces) {
    const check = ({ missing }: TableHeader<Title>) => {
      if (missing.length > 0)
        throw new BillError(`This isn't the expected report. Missing columns: ${missing.join(", ")}.`);
    };
    const lines: WrittenLine[] = [];
    for await (const { line, cell } of readTable(pieces, { name: "report", titles, check }))
      lines.push(lineOf(cell, line));
    return keyedLines(lines);
  },
};

function lineOf(cellOf: (title: Title) => string, line: number): WrittenLine {
  const cell = (name: keyof typeof columns, what: string = name) => ({
    text: cellOf(columns[name]),
    line,
    what,
    column: columns[name],
  });
  const amount = numberIn(cell("amount", "cost"));
  const quantity = numberIn(cell("seats", "quantity"));
  return {
    line,
    identity: titles.map(cellOf),
    externalId: cell("entitlement").text,
    kind: amount < 0 ? "credit" : cell("charge").text === added ? "seats" : "term",
    seats: Math.abs(Math.round(quantity)),
    unit: numberIn(cell("unit", "unit price")),
    amount,
    currency: cell("currency").text,
    startsAt: dateIn(cell("start")),
    endsAt: dateIn(cell("end")),
    oddities: Number.isInteger(quantity) ? [] : [`usage of ${quantity}`],
  };
}
