/** Reads Microsoft's price sheet: what a partner pays for a seat, and what it retails for (docs/providers.md, section 1.9). */
import type { BillingCycle, Term } from "#db/tables/enums.ts";
import { type VendorPrice, vendorKey } from "#db/vendor-catalogue.ts";
import { csvRows } from "#server/csv.ts";
import { minorUpwards, PriceFileError, type WantedPrices } from "../vendor-catalogue.ts";

const needed = [
  "productid",
  "skuid",
  "termduration",
  "billingplan",
  "market",
  "currency",
  "unitprice",
  "effectivestartdate",
  "effectiveenddate",
  "erpprice",
] as const;

const cycles: Readonly<Record<string, BillingCycle>> = { monthly: "monthly", annual: "annual" };

/**
 * The wanted rows of a sheet, for businesses and with a commitment that is sold here.
 * @throws PriceFileError for a text that is no such sheet, or has a price or date that cannot be read, with the line
 */
export async function readPriceSheet(
  pieces: AsyncIterable<string>,
  { market, currency, keys, month }: Omit<WantedPrices, "now">,
): Promise<VendorPrice[]> {
  const prices: VendorPrice[] = [];
  let places: Map<string, number> | null = null;
  let line = 0;
  for await (const row of csvRows(withPlainQuotes(pieces))) {
    line += 1;
    if (places === null) {
      places = placesOf(row);
      continue;
    }
    const at = places;
    const cell = (name: string) => row[at.get(name) ?? -1]?.trim() ?? "";
    const ids = { productId: cell("productid"), skuId: cell("skuid") };
    const term = termOf(cell("termduration"));
    const billingCycle = cycles[cell("billingplan").toLowerCase()];
    const isWanted =
      keys.has(vendorKey(ids)) &&
      cell("market") === market &&
      cell("currency") === currency &&
      // Older sheets have no segments, and prices for businesses only.
      ["", "commercial"].includes(cell("segment").toLowerCase());
    if (!isWanted || term === null || billingCycle === undefined) continue;
    const price: VendorPrice = {
      ...ids,
      term,
      billingCycle,
      currency,
      leastSeats: wholeOr(cell("pricingtierrangemin"), 1),
      mostSeats: wholeOr(cell("pricingtierrangemax"), null),
      costMinor: toMinor(cell("unitprice"), line),
      retailMinor: toMinor(cell("erpprice"), line),
      startsAt: toDate(cell("effectivestartdate"), line),
      endsAt: toDate(cell("effectiveenddate"), line),
    };
    if (month === undefined || isInMonth(price, month)) prices.push(price);
  }
  if (places === null) throw new PriceFileError("The price sheet is empty.");
  return prices;
}

/** The first line of the documentation's sample ends in a curly quote, which closes no field. */
async function* withPlainQuotes(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let isHeader = true;
  for await (const piece of pieces) {
    const end = isHeader ? piece.indexOf("\n") : 0;
    const header = end === -1 ? piece : piece.slice(0, end);
    yield header.replace(/[“”]/g, '"') + piece.slice(header.length);
    if (end !== -1) isHeader = false;
  }
}

/** Titles differ in case and spaces between sheets. */
function placesOf(header: readonly string[]): Map<string, number> {
  const places = new Map(
    header.map((title, index) => [title.toLowerCase().replace(/[^a-z0-9]/g, ""), index]),
  );
  const missing = needed.filter((name) => !places.has(name));
  if (missing.length > 0)
    throw new PriceFileError(`This is no price sheet: it has no ${missing.join(", ")}.`);
  return places;
}

function termOf(text: string): Term | null {
  return text === "P1M" || text === "P1Y" ? text : null;
}

function wholeOr<Otherwise>(text: string, otherwise: Otherwise): number | Otherwise {
  return /^\d{1,9}$/.test(text) && text !== "0" ? Number(text) : otherwise;
}

/** Upwards, so that no cost is taken for less than it is. @throws PriceFileError */
function toMinor(text: string, line: number): number {
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new PriceFileError(`Line ${line} of the price sheet has the price "${text}".`);
  return minorUpwards(Number(text));
}

const written = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d\d):(\d\d) (AM|PM)$/;

/** "2/4/2021 8:35:31 PM". Taken for UTC, which its documentation does not say. @throws PriceFileError */
function toDate(text: string, line: number): Date {
  const [, month, day, year, hour, minute, second, half] = written.exec(text) ?? [];
  const hours = (Number(hour) % 12) + (half === "PM" ? 12 : 0);
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day), hours, Number(minute), Number(second));
  if (Number.isNaN(time)) throw new PriceFileError(`Line ${line} of the price sheet has the date "${text}".`);
  return new Date(time);
}

function isInMonth({ startsAt, endsAt }: VendorPrice, month: string): boolean {
  const [year, number] = month.split("-").map(Number);
  const [from, to] = [Date.UTC(year ?? 0, (number ?? 0) - 1), Date.UTC(year ?? 0, number ?? 0)];
  return startsAt.getTime() < to && (endsAt === null || endsAt.getTime() > from);
}
