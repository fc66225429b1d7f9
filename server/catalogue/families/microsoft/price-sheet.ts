/** Reads Microsoft's price sheet: a partner's cost of a seat, and its retail price (docs/providers.md, section 1.9). */

import { vendorKey } from "#db/catalogue/vendor-catalogue.ts";
import type { VendorPrice } from "#db/catalogue/vendor-prices.ts";
import type { BillingCycle, Term } from "#db/tables/enums.ts";
import { readTable, type TableHeader, type TableRow } from "#server/foundation/csv.ts";
import { dateHelp, parseFileDate } from "#server/foundation/file-dates.ts";
import { PriceFileError, roundUpToMinor, type WantedPrices } from "../vendor-catalogue.ts";

const needed = [
  "ProductId",
  "SkuId",
  "TermDuration",
  "BillingPlan",
  "Market",
  "Currency",
  "UnitPrice",
  "EffectiveStartDate",
  "EffectiveEndDate",
  "ERP Price",
] as const;
/** Columns that only some sheets have. */
const more = ["Segment", "ChangeIndicator", "PricingTierRangeMin", "PricingTierRangeMax"] as const;
const titles = [...needed, ...more] as const;
type Title = (typeof titles)[number];
type Row = TableRow<Title>;

const cycles: Readonly<Record<string, BillingCycle>> = { monthly: "monthly", annual: "annual" };

/** Change indicators of prices that are not in force. Only the first is known, from a public importer of the sheets. */
const withdrawn: readonly string[] = ["removed", "deleted"];

/** It is not documented whether such a row has the price of a month or of the whole term, and we have seen no real one. */
const unclearPlan = "P1Y billed monthly, whose price may be for a month or for the year";

/**
 * Returns the wanted rows of a sheet, for businesses and with a commitment that is sold here.
 * @throws PriceFileError for any other text, and for a price or date that cannot be read, with the line and column
 */
export async function readPriceSheet(
  pieces: AsyncIterable<string>,
  { month, tally, ...wanted }: Omit<WantedPrices, "now">,
): Promise<VendorPrice[]> {
  const prices: VendorPrice[] = [];
  for await (const row of readTable(withPlainQuotes(pieces), { name: "price sheet", titles, check })) {
    const found = priceOf(row, wanted);
    if (typeof found === "string") {
      tally?.leaveOut(found);
      continue;
    }
    const { isWithdrawn, ...price } = found;
    if (isWithdrawn) tally?.withdraw(price);
    else if (month !== undefined && !isInMonth(price, month)) tally?.leaveOut(`not in effect in ${month}`);
    else {
      prices.push(price);
      tally?.take();
    }
  }
  return prices;
}

/** Replaces a curly quote at the end of the header in the documentation's sample, which closes no field. */
async function* withPlainQuotes(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let isHeader = true;
  for await (const piece of pieces) {
    const end = isHeader ? piece.search(/[\r\n]/) : 0;
    const header = end === -1 ? piece : piece.slice(0, end);
    yield header.replace(/[“”]/g, '"') + piece.slice(header.length);
    if (end !== -1) isHeader = false;
  }
}

function check({ missing, repeated }: TableHeader<Title>): void {
  const lacking = missing.filter((title) => needed.some((each) => each === title));
  if (lacking.length > 0)
    throw new PriceFileError(`This isn't a price sheet. Missing columns: ${lacking.join(", ")}.`);
  if (repeated.length > 0)
    throw new PriceFileError(`The price sheet has these columns twice: ${repeated.join(", ")}.`);
}

/** @returns the reason why the row is left out */
function priceOf(
  row: Row,
  { market, currency, keys }: Pick<WantedPrices, "market" | "currency" | "keys">,
): (VendorPrice & { isWithdrawn: boolean }) | string {
  const { cell } = row;
  const ids = idsOf(row, keys);
  if (!keys.has(vendorKey(ids))) return "not sold here";
  if (cell("Market").toUpperCase() !== market) return `not for the market ${market}`;
  if (cell("Currency").toUpperCase() !== currency) return `not in ${currency}`;
  // Older sheets have no segments, and only prices for businesses.
  if (!["", "commercial"].includes(cell("Segment").toLowerCase())) return "not for businesses";
  const term = termOf(cell("TermDuration").toUpperCase());
  const billingCycle = cycles[cell("BillingPlan").toLowerCase()];
  if (term === null || billingCycle === undefined)
    return `not sold for ${cell("TermDuration") || "no term"} billed ${cell("BillingPlan") || "in no way"}`;
  if (term === "P1Y" && billingCycle === "monthly") return unclearPlan;
  return {
    ...ids,
    term,
    billingCycle,
    currency,
    minSeats: toSeats(row, "PricingTierRangeMin") ?? 1,
    maxSeats: toSeats(row, "PricingTierRangeMax"),
    costMinor: toMinor(row, "UnitPrice"),
    retailMinor: toMinor(row, "ERP Price"),
    startsAt: toDate(row, "EffectiveStartDate"),
    endsAt: toDate(row, "EffectiveEndDate"),
    isWithdrawn: withdrawn.includes(cell("ChangeIndicator").toLowerCase()),
  };
}

/**
 * Restores the zeros that Excel drops from a SKU's number: "1" is "0001". @throws PriceFileError for one of ours that Excel has
 * made illegible
 */
function idsOf({ line, cell }: Row, keys: ReadonlySet<string>): { productId: string; skuId: string } {
  const skuId = cell("SkuId").toUpperCase();
  const ids = {
    productId: cell("ProductId").toUpperCase(),
    skuId: skuId === "" ? skuId : skuId.padStart(4, "0"),
  };
  const isOurProduct = () => [...keys].some((key) => key.startsWith(`${ids.productId}:`));
  if (!/^[0-9A-Z]{4}$/.test(ids.skuId) && isOurProduct())
    throw new PriceFileError(
      `Line ${line} of the price sheet has the SKU "${cell("SkuId")}" in column SkuId. Import the sheet as downloaded: Excel rewrites SKU numbers.`,
    );
  return ids;
}

function termOf(text: string): Term | null {
  return text === "P1M" || text === "P1Y" ? text : null;
}

/** @returns null if the sheet has no limit @throws PriceFileError */
function toSeats({ line, cell }: Row, title: Title): number | null {
  const text = cell(title);
  if (["", "0"].includes(text)) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new PriceFileError(
    `Line ${line} of the price sheet has the number of seats "${text}" in column ${title}. Use a whole number, or leave it empty.`,
  );
}

/** Rounds up, so that no cost is underestimated. @throws PriceFileError */
function toMinor({ line, cell }: Row, title: Title): number {
  const text = cell(title);
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new PriceFileError(
      `Line ${line} of the price sheet has the price "${text}" in column ${title}. Use a number such as 115.2.`,
    );
  return roundUpToMinor(Number(text));
}

/** @throws PriceFileError */
function toDate({ line, cell }: Row, title: Title): Date {
  const date = parseFileDate(cell(title));
  if (date !== null) return date;
  throw new PriceFileError(
    `Line ${line} of the price sheet has the date "${cell(title)}" in column ${title}. ${dateHelp}`,
  );
}

function isInMonth({ startsAt, endsAt }: VendorPrice, month: string): boolean {
  const [year, number] = month.split("-").map(Number);
  const [from, to] = [Date.UTC(year ?? 0, (number ?? 0) - 1), Date.UTC(year ?? 0, number ?? 0)];
  return startsAt.getTime() < to && (endsAt === null || endsAt.getTime() > from);
}
