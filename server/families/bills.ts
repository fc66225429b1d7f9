/**
 * What a family's vendor bills us for: how its bills are found, and what their lines say. Their amounts are our costs, without tax
 * (docs/decisions/reconciliation.md).
 */
import { createHash } from "node:crypto";
import type { Country, Currency } from "#db/tables/enums.ts";
import type { VendorLineKind } from "#db/tables/reconciliation.ts";
import type { VendorBillLine } from "#db/vendor-bills.ts";
import type { Context } from "#server/context.ts";
import { currencies } from "#server/countries/country.ts";

export interface BillRules {
  /**
   * The vendor's numbers of the bills of a month, to the account that sells in a country.
   * @param month "2026-11": of the charges
   * @throws ProviderError
   */
  list(context: Context, country: Country, month: string): Promise<string[]>;
  /**
   * Asks for a bill's lines. May be repeated, as it changes nothing.
   * @returns what the vendor calls the export, for `read`
   * @throws ProviderError
   */
  begin(context: Context, country: Country, bill: { statement: string; month: string }): Promise<string>;
  /** The lines; null while the vendor prepares them. @throws ProviderError; BillError */
  read(context: Context, country: Country, operation: string): Promise<VendorBillLine[] | null>;
  /** The lines of a file that was downloaded by hand. @throws BillError for what is no such file */
  parse(pieces: AsyncIterable<string>): Promise<VendorBillLine[]>;
}

/** A bill that cannot be understood. Its message names the line. */
export class BillError extends Error {}

/** A line as a vendor writes it. */
export interface WrittenLine {
  /** What tells the line from every other one of the bill, as far as the vendor says it. */
  identity: readonly string[];
  externalId: string;
  kind: VendorLineKind;
  seats: number;
  /** Units of the currency, of a seat for the whole term. */
  unit: number;
  amount: number;
  /** ISO 4217. */
  currency: string;
  startsAt: Date;
  endsAt: Date;
}

/** Gives each line its key: lines that say the same are counted, so that none of them is lost and none is stored twice. */
export function keyedLines(lines: readonly WrittenLine[]): VendorBillLine[] {
  const seen = new Map<string, number>();
  return lines.map(({ identity, unit, amount, currency, ...line }, index) => {
    const hash = createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 32);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return {
      ...line,
      lineKey: `${hash}-${count}`,
      unitMinor: toMinor(unit),
      amountMinor: toMinor(amount),
      currency: currencyIn(currency, index + 1),
    };
  });
}

function toMinor(amount: number): number {
  return Math.round(amount * 100);
}

/** @throws BillError for a currency in which nothing is sold here */
function currencyIn(text: string, line: number): Currency {
  const found = currencies.find((currency) => currency === text);
  if (found === undefined) throw new BillError(`Line ${line} of the bill is in the currency "${text}".`);
  return found;
}

/** @throws BillError */
export function numberIn(text: string, what: string, line: number): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number)) return number;
  throw new BillError(`Line ${line} of the bill has the ${what} "${text}".`);
}

/** @throws BillError */
export function dateIn(text: string, what: string, line: number): Date {
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw new BillError(`Line ${line} of the bill has the ${what} "${text}".`);
}
