/** Our own price list as comma-separated values: read as it is imported, and written with the prices in force (docs/operate/prices.md). */
import type { KeyedPrice, PricedItem, PriceListLine } from "#db/price-lists.ts";
import type { BillingCycle, Currency, PriceKind, Term } from "#db/tables/enums.ts";
import { currencies } from "#server/countries/country.ts";
import { csvLine, csvRows } from "#server/csv.ts";
import { type DomainError, wrongField } from "#server/errors.ts";
import { minorOf } from "#server/pricing/money.ts";

const needed = ["item", "currency", "term", "price"] as const;
const known = [...needed, "name", "kind", "list_price"] as const;
type Title = (typeof known)[number];

/** Every term is paid at once, so that the term says how it is billed. */
const billed: Readonly<Record<Term, BillingCycle>> = { P1M: "monthly", P1Y: "annual" };

const mostLines = 20_000;
/** Of the lines that cannot be read, how many are named at once. */
const mostNamed = 20;

/** A line as it is written, before its item is looked for. */
export type WrittenLine = Omit<PriceListLine, "itemId">;

/**
 * @param pieces the text, cut anywhere
 * @throws DomainError bad_request that names every line that cannot be read
 */
export async function readPriceList(pieces: AsyncIterable<string>): Promise<WrittenLine[]> {
  const lines: WrittenLine[] = [];
  const problems: string[] = [];
  let places: ReadonlyMap<Title, number> | null = null;
  let line = 0;
  for await (const row of csvRows(withoutMark(pieces))) {
    line += 1;
    if (row.every((cell) => cell.trim() === "")) continue;
    if (places === null) {
      places = placesOf(row);
      continue;
    }
    if (lines.length === mostLines) throw wrong([`A price list has at most ${mostLines} lines.`]);
    const at = places;
    const read = lineOf(line, (title) => row[at.get(title) ?? -1]?.trim() ?? "");
    if (typeof read === "string") problems.push(`Line ${line}: ${read}`);
    else lines.push(read);
  }
  if (problems.length > 0) throw wrong(problems);
  if (lines.length === 0) throw wrong(["The price list is empty."]);
  return lines;
}

/** A spreadsheet may begin the text with a byte order mark. */
async function* withoutMark(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const piece of pieces) {
    yield isFirst ? piece.replace(/^\uFEFF/, "") : piece;
    if (piece !== "") isFirst = false;
  }
}

/** A title that is not known is refused, because a price under it would be passed over without a word. */
function placesOf(titles: readonly string[]): ReadonlyMap<Title, number> {
  const places = new Map<Title, number>();
  const problems: string[] = [];
  titles.forEach((text, index) => {
    const title = text.trim().toLowerCase().replaceAll(" ", "_");
    const found = known.find((each) => each === title);
    if (found === undefined) problems.push(`The column "${text}" is not known.`);
    else if (places.has(found)) problems.push(`The column "${found}" is there twice.`);
    else places.set(found, index);
  });
  const missing = needed.filter((title) => !places.has(title));
  if (missing.length > 0) problems.push(`The first line has no ${missing.join(", ")}.`);
  if (problems.length === 0) return places;
  throw wrong([...problems, `A price list has the columns ${known.join(", ")}.`]);
}

/** @returns what is wrong with it, when it cannot be read */
function lineOf(line: number, cell: (title: Title) => string): WrittenLine | string {
  const item = cell("item");
  if (item === "") return "the item is missing.";
  const currency = currencies.find((each) => each === cell("currency").toUpperCase());
  if (currency === undefined)
    return `"${cell("currency")}" is no currency of the store: ${currencies.join(", ")}.`;
  const term = termOf(cell("term").toUpperCase());
  if (term === null) return `"${cell("term")}" is no term: P1M for a month, P1Y for a year.`;
  const kind = kindOf(cell("kind").toLowerCase());
  if (kind === null) return `"${cell("kind")}" is no kind of price: regular or signup.`;
  const amountMinor = minorOf(cell("price"));
  if (amountMinor === null || amountMinor === 0)
    return `"${cell("price")}" is no price such as 1644 or 68.40.`;
  const listMinor = cell("list_price") === "" ? null : minorOf(cell("list_price"));
  if (cell("list_price") !== "" && (listMinor === null || listMinor === 0))
    return `"${cell("list_price")}" is no list price such as 1740 or 72.00.`;
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
  const more = problems.length - mostNamed;
  const named = more > 0 ? [...problems.slice(0, mostNamed), `And ${more} more.`] : problems;
  return wrongField("file", named.join("\n"));
}

/** The list that changes nothing: to be edited and imported. @param currency of its prices; all of them when left out */
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
  return [titles, ...rows].map(csvLine).join("");
}

function major(minor: number): string {
  return (minor / 100).toFixed(2);
}
