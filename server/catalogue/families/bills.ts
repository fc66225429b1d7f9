/**
 * The vendor's bills of a family: finds them and reads their lines. Their amounts are our costs, without tax
 * (docs/decisions/books.md#reconciliation).
 */
import { createHash } from "node:crypto";
import type { VendorBillLine } from "#db/billing/vendor-bills.ts";
import type { Country, Currency } from "#db/tables/enums.ts";
import type { VendorLineKind } from "#db/tables/reconciliation.ts";
import { currencies } from "#server/foundation/countries/registry.ts";
import { dateHelp, isNoDate, parseFileDate } from "#server/foundation/file-dates.ts";
import { FileError } from "#server/foundation/file-text.ts";
import type { Context } from "#server/platform/context.ts";

export interface BillRules {
  /**
   * Lists the vendor's numbers of a month's bills, for the account that sells in a country.
   * @param month "2026-11": of the charges
   * @throws ProviderError
   */
  list(context: Context, country: Country, month: string): Promise<string[]>;
  /**
   * Requests a bill's lines. May be repeated, as it changes nothing.
   * @returns the vendor's name of the export, for `read`
   * @throws ProviderError
   */
  begin(context: Context, country: Country, bill: { statement: string; month: string }): Promise<string>;
  /** Returns the lines; null while the vendor prepares them. @throws ProviderError; FileError */
  read(context: Context, country: Country, operation: string): Promise<VendorBillLine[] | null>;
  /** Parses the lines of a file that was downloaded manually. @throws FileError for any other file */
  parse(pieces: AsyncIterable<string>): Promise<VendorBillLine[]>;
}

/** Thrown for an invalid bill. Its message names the line and column. */
export class BillError extends FileError {}

/** A line as a vendor writes it. */
export interface WrittenLine {
  /** Line number, from 1. */
  line: number;
  /** Fields that distinguish the line from all others of the bill, as far as the vendor gives them. */
  identity: readonly string[];
  externalId: string;
  kind: VendorLineKind;
  seats: number;
  /** Price of a seat for the whole term, in units of the currency. */
  unit: number;
  amount: number;
  /** ISO 4217. */
  currency: string;
  /** Null if the vendor does not give it. */
  startsAt: Date | null;
  endsAt: Date | null;
  /** Reasons for a review by a person, other than dates and currency. */
  oddities: readonly string[];
}

/**
 * Gives each line its key. Identical lines are numbered, so that none is lost or stored twice. A line that needs a review has a
 * remark. A line in a currency that the store does not sell in has no amount; its remark contains it.
 * @throws BillError when no line is in a currency of the store, or none has a date
 */
export function keyedLines(lines: readonly WrittenLine[]): VendorBillLine[] {
  if (lines.length === 0) return [];
  const billCurrency = lines.map(({ currency }) => ourCurrency(currency)).find((each) => each !== null);
  if (billCurrency == null) throw new BillError(noCurrency(lines));
  const dates = [...lines.map(({ startsAt }) => startsAt), ...lines.map(({ endsAt }) => endsAt)];
  const someDate = dates.find((date) => date !== null);
  if (someDate == null) throw new BillError("No line of the bill has a date. Download the bill again.");
  const keyOf = keyMaker();
  const toMinor = exactMinor();
  return lines.map((line) => {
    const currency = ourCurrency(line.currency);
    const counted = currency === null ? 0 : line.amount;
    return {
      externalId: line.externalId,
      kind: line.kind,
      seats: line.seats,
      lineKey: keyOf(line.identity),
      unitMinor: currency === null ? 0 : Math.round(line.unit * 100),
      amountMinor: toMinor(counted, currency ?? billCurrency),
      currency: currency ?? billCurrency,
      startsAt: line.startsAt ?? someDate,
      endsAt: line.endsAt ?? line.startsAt ?? someDate,
      remark: remarkOf(line),
    };
  });
}

/** Returns the remark; null also for a line of zero, such as a trial. */
function remarkOf({ line, amount, currency, startsAt, endsAt, oddities }: WrittenLine): string | null {
  const remarks = [
    ...(ourCurrency(currency) === null ? [`${amount} ${currency || "without a currency"}`] : []),
    ...oddities,
    ...(startsAt === null ? ["no start date"] : []),
    ...(endsAt === null ? ["no end date"] : []),
  ];
  return amount === 0 || remarks.length === 0 ? null : `line ${line}: ${remarks.join(", ")}`;
}

const ourCurrency = (text: string): Currency | null =>
  currencies.find((currency) => currency === text.toUpperCase()) ?? null;

function noCurrency(lines: readonly WrittenLine[]): string {
  const [first] = lines;
  return `Line ${first?.line ?? 1} of the bill is in the currency "${first?.currency ?? ""}", and so is the rest: none is one of the store's currencies (${currencies.join(", ")}). Import it for the account that it bills.`;
}

function keyMaker(): (identity: readonly string[]) => string {
  const seen = new Map<string, number>();
  return (identity) => {
    const hash = createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 32);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return `${hash}-${count}`;
  };
}

/**
 * Creates a function that rounds amounts so that their sum is the rounded sum: later amounts get the fractions of a cent that
 * earlier ones lose. An amount of whole cents stays unchanged.
 */
function exactMinor(): (amount: number, currency: Currency) => number {
  const rests = new Map<Currency, number>();
  return (amount, currency) => {
    const exact = (rests.get(currency) ?? 0) + roundToFraction(amount * 100);
    const minor = Math.round(exact);
    rests.set(currency, roundToFraction(exact - minor));
    return minor === 0 ? 0 : minor;
  };
}

/** Rounds to a ten-thousandth of a cent, below which there is only floating-point error. */
const roundToFraction = (cents: number) => Math.round(cents * 1e4) / 1e4;

/** A cell of a bill, for messages. */
export interface BillCell {
  text: string;
  line: number;
  /** Field name: "quantity". */
  what: string;
  /** The vendor's name for the column. */
  column: string;
}

/** @throws BillError */
export function numberIn(cell: BillCell): number {
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell.text)) return Number(cell.text);
  throw new BillError(`${placeOf(cell)} Use a number such as 1305.60, without other signs.`);
}

/** @returns null if the vendor leaves it open @throws BillError */
export function dateIn(cell: BillCell): Date | null {
  if (isNoDate(cell.text)) return null;
  const date = parseFileDate(cell.text);
  if (date !== null) return date;
  throw new BillError(`${placeOf(cell)} ${dateHelp}`);
}

const placeOf = ({ text, line, what, column }: BillCell) =>
  `Line ${line} of the bill has the ${what} "${text}" in column ${column}.`;
