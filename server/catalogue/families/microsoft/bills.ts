/** Microsoft's bills: each line is a charge or a credit for a subscription (docs/providers.md, section 1.10). */
import type { VendorLineKind } from "#db/tables/reconciliation.ts";
import { readTable, type TableHeader } from "#server/foundation/csv.ts";
import { parseFileDate } from "#server/foundation/file-dates.ts";
import { BillError, type BillRules, dateIn, keyedLines, numberIn, type WrittenLine } from "../bills.ts";
import { jsonObjects } from "./json-objects.ts";

export const bills: BillRules = {
  async list(context, country, month) {
    const all = await context.partnerCenterOf(country).listInvoices();
    return all.filter((invoice) => invoice.month === month).map(({ id }) => id);
  },
  begin: (context, country, { statement }) => context.partnerCenterOf(country).beginExport(statement),
  async read(context, country, operation) {
    const pieces = await context.partnerCenterOf(country).readExport(operation);
    return pieces === null ? null : parse(pieces);
  },
  parse,
};

const needed = [
  "SubscriptionId",
  "ChargeType",
  "UnitPrice",
  "Quantity",
  "Subtotal",
  "Currency",
  "ChargeStartDate",
  "ChargeEndDate",
] as const;
/** Columns that older files might lack. */
const more = [
  "InvoiceNumber",
  "ReferenceId",
  "OrderId",
  "EffectiveUnitPrice",
  "BillableQuantity",
  "PCToBCExchangeRate",
] as const;
const columns = [...needed, ...more] as const;
type Column = (typeof columns)[number];
type Field = (column: Column) => string;

/**
 * Charge types that begin a term, or add seats in mid-term. Those of credits are not listed, since their amount is negative. From
 * Microsoft's samples and its list of charge types (learn.microsoft.com, partner-center/billing/recon-file-charge-types).
 */
const kinds: Readonly<Record<string, VendorLineKind>> = {
  new: "term",
  renew: "term",
  convert: "term",
  cyclecharge: "term",
  cyclefee: "term",
  purchasefee: "term",
  addquantity: "seats",
};

/**
 * Reads the lines of Graph's export (one JSON object per line, or an array), or the CSV file that Partner Center offers for
 * download.
 * @throws FileError
 */
async function parse(pieces: AsyncIterable<string>) {
  const rest = pieces[Symbol.asyncIterator]();
  let start = "";
  // The decoder of a file drops its byte order mark; one in the middle of joined files counts as a space.
  while (start.trim() === "") {
    const { done, value } = await rest.next();
    if (done === true) break;
    start += value;
  }
  async function* whole() {
    yield start;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  const lines = /^\s*[[{]/.test(start) ? linesOfJson(whole()) : linesOfTable(whole());
  const read: WrittenLine[] = [];
  for await (const line of lines) read.push(line);
  return keyedLines(read);
}

async function* linesOfJson(pieces: AsyncIterable<string>): AsyncGenerator<WrittenLine> {
  for await (const { line, fields } of jsonObjects(pieces))
    yield lineOf((column) => fields.get(column.toLowerCase()) ?? "", line);
}

async function* linesOfTable(pieces: AsyncIterable<string>): AsyncGenerator<WrittenLine> {
  const check = ({ missing, repeated }: TableHeader<Column>) => {
    const lacking = missing.filter((title) => needed.some((each) => each === title));
    if (lacking.length > 0)
      throw new BillError(
        `Line 1 of the bill isn't the header of an invoice reconciliation file. Missing columns: ${lacking.join(", ")}. Download the reconciliation file of the month from Partner Center, under Billing.`,
      );
    if (repeated.length > 0)
      throw new BillError(`Line 1 of the bill has these columns twice: ${repeated.join(", ")}.`);
  };
  for await (const { line, cell } of readTable(pieces, { name: "bill", titles: columns, check }))
    yield lineOf(cell, line);
}

function lineOf(field: Field, line: number): WrittenLine {
  const number = (column: Column, what: string) => numberIn({ text: field(column), line, what, column });
  const numberOr = (column: Column, otherwise: number) =>
    field(column) === "" ? otherwise : number(column, column);
  const amount = number("Subtotal", "subtotal");
  // `Quantity` is the subscription's; Microsoft bills `BillableQuantity`.
  const quantity = numberOr("BillableQuantity", number("Quantity", "quantity"));
  const kind = kinds[chargeTypeOf(field)];
  // The list price, even for a line with a promotion or a part of a term, unless the billed price is higher.
  const listPrice = number("UnitPrice", "unit price");
  const unit =
    Math.max(listPrice, numberOr("EffectiveUnitPrice", listPrice)) * numberOr("PCToBCExchangeRate", 1);
  return {
    line,
    identity: identityOf(field),
    externalId: field("SubscriptionId").toLowerCase(),
    kind: amount < 0 ? "credit" : (kind ?? "term"),
    seats: Math.abs(Math.round(quantity)),
    unit,
    amount,
    currency: field("Currency"),
    startsAt: dateIn({
      text: field("ChargeStartDate"),
      line,
      what: "start of the charge",
      column: "ChargeStartDate",
    }),
    endsAt: dateIn({
      text: field("ChargeEndDate"),
      line,
      what: "end of the charge",
      column: "ChargeEndDate",
    }),
    oddities: [
      ...(Number.isInteger(quantity) ? [] : [`usage of ${quantity}`]),
      ...(amount < 0 || kind !== undefined ? [] : [`charge type "${field("ChargeType")}"`]),
    ],
  };
}

/** Normalises "Cycle fee" to "cyclefee". */
const chargeTypeOf = (field: Field) =>
  field("ChargeType")
    .toLowerCase()
    .replace(/[^a-z]/g, "");

const identifying = [
  "InvoiceNumber",
  "ReferenceId",
  "OrderId",
  "SubscriptionId",
  "ChargeType",
  "ChargeStartDate",
  "ChargeEndDate",
  "Quantity",
  "UnitPrice",
  "Subtotal",
] as const;

/** Returns the same identity for CSV and JSON, which write dates and numbers differently, so that a bill is not counted twice. */
function identityOf(field: Field): string[] {
  return identifying.map((column) => {
    const text = field(column);
    const date = column.endsWith("Date") ? parseFileDate(text) : null;
    if (date !== null) return date.toISOString().replace(".000Z", "Z");
    return /^-?\d+\.\d+$/.test(text) ? String(Number(text)) : text;
  });
}
