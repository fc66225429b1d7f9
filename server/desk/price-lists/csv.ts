/**
 * Our own price list as comma-separated values: the parser for imports, and the writer of the prices in force
 * (docs/operate/prices.md).
 */
import type { KeyedPrice, PricedItem } from "#db/catalogue/dated-prices.ts";
import type { PriceListLine } from "#db/catalogue/price-lists.ts";
import type { BillingCycle, Currency, PriceKind, Term } from "#db/tables/enums.ts";
import { parseMinor } from "#server/catalogue/pricing/money.ts";
import { currencies } from "#server/foundation/countries/registry.ts";
import { csvHeader, csvLine, readTable, type TableHeader } from "#server/foundation/csv.ts";
import { type DomainError, wrongField } from "#server/foundation/errors.ts";
import { FileError } from "#server/foundation/file-text.ts";

const needed = ["item", "currency", "term", "price"] as const;
const known = [...needed, "name", "kind", "list_price"] as const;
type Title = (typeof known)[number];

/** Every term is paid in advance, so the term determines the billing cycle. */
const billed: Readonly<Record<Term, BillingCycle>> = { P1M: "monthly", P1Y: "annual" };

const maxLines = 20_000;
/** Largest number of unreadable lines that an error names. */
const maxNamedErrors = 20;

/** A parsed line before its item is looked up. */
export type ParsedLine = Omit<PriceListLine, "itemId">;

/**
 * @param pieces the text, cut anywhere
 * @throws DomainError bad_request that names every unreadable line
 */
export async function parsePriceList(pieces: AsyncIterable<string>): Promise<ParsedLine[]> {
  const lines: ParsedLine[] = [];
  const problems: string[] = [];
  try {
    for await (const { line, cell } of readTable(pieces, { name: "price list", titles: known, check })) {
      if (lines.length === maxLines) throw wrong([`A price list can have up to ${maxLines} lines.`]);
      const read = lineOf(line, cell);
      if (typeof read === "string") problems.push(`Line ${line}: ${read}`);
      else lines.push(read);
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw wrong([...problems, error.message]);
  }
  if (problems.length > 0) throw wrong(problems);
  if (lines.length === 0) throw wrong(["The price list is empty."]);
  return lines;
}

/** Rejects unknown column titles, because prices under them would be ignored silently. */
function check({ missing, repeated, unknown }: TableHeader<Title>): void {
  const lacking = missing.filter((title) => needed.some((each) => each === title));
  const problems = [
    ...unknown.map((title) => `Unknown column "${title}".`),
    ...repeated.map((title) => `Column "${title}" appears twice.`),
    ...(lacking.length > 0 ? [`The header row is missing ${lacking.join(", ")}.`] : []),
  ];
  if (problems.length > 0) throw wrong([...problems, `Expected columns: ${known.join(", ")}.`]);
}

/** @returns the problem, when it cannot be read */
function lineOf(line: number, cell: (title: Title) => string): ParsedLine | string {
  const item = cell("item");
  if (item === "") return "the item is missing.";
  const currency = currencies.find((each) => each === cell("currency").toUpperCase());
  if (currency === undefined)
    return `"${cell("currency")}" isn't one of the store's currencies: ${currencies.join(", ")}.`;
  const term = termOf(cell("term").toUpperCase());
  if (term === null) return `"${cell("term")}" isn't a term. Use P1M (month) or P1Y (year).`;
  const kind = kindOf(cell("kind").toLowerCase());
  if (kind === null) return `"${cell("kind")}" isn't a price type. Use regular or signup.`;
  const amountMinor = parseMinor(cell("price"));
  if (amountMinor === null || amountMinor === 0)
    return `"${cell("price")}" isn't a price. Use a number such as 1644 or 68.40.`;
  const listMinor = cell("list_price") === "" ? null : parseMinor(cell("list_price"));
  if (cell("list_price") !== "" && (listMinor === null || listMinor === 0))
    return `"${cell("list_price")}" isn't a list price. Use a number such as 1740 or 72.00.`;
  return { line, item, currency, kind, term, billingCycle: billed[term], amountMinor, listMinor };
}

function termOf(text: string): Term | null {
  return text === "P1M" || text === "P1Y" ? text : null;
}

function kindOf(text: string): PriceKind | null {
  if (text === "") return "regular";
  return text === "regular" || text === "signup" ? text : null;
}

function wrong(problems: readonly string[]): DomainError {
  const more = problems.length - maxNamedErrors;
  const named = more > 0 ? [...problems.slice(0, maxNamedErrors), `And ${more} more.`] : problems;
  return wrongField("file", named.join("\n"));
}

/** Writes a list that changes nothing, to edit and import. @param currency of its prices; all when left out */
export function writePriceList(
  items: readonly PricedItem[],
  prices: readonly KeyedPrice[],
  currency?: Currency,
): string {
  const wanted = prices.filter((price) => currency === undefined || price.currency === currency);
  const rows = items.flatMap(({ id, name }) =>
    wanted
      .filter(({ itemId }) => itemId === id)
      .map((price) => [
        id,
        name,
        price.currency,
        price.kind,
        price.term,
        major(price.amount.minor),
        price.list === null ? "" : major(price.list.minor),
      ]),
  );
  const titles: Title[] = ["item", "name", "currency", "kind", "term", "price", "list_price"];
  return csvHeader(titles) + rows.map(csvLine).join("");
}

function major(minor: number): string {
  return (minor / 100).toFixed(2);
}
