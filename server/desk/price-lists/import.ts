/** Imports a price list, from a file or from a vendor's prices, for review before it is applied. */
import { createHash, type Hash } from "node:crypto";
import { listPricedItems } from "#db/catalogue/dated-prices.ts";
import { findPriceList, insertPriceList, type PriceListLine } from "#db/catalogue/price-lists.ts";
import type { PriceListId } from "#db/ids.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { marketText } from "#server/desk/vendor-catalogue/check.ts";
import {
  fetchMarket,
  listVendorMarkets,
  type VendorMarket,
} from "#server/desk/vendor-catalogue/fetch-market.ts";
import {
  fetchPriceSheet,
  parsePriceSheet,
  type ReadPrices,
  storePriceSheet,
} from "#server/desk/vendor-catalogue/prices.ts";
import { type AuditActor, recordAudit } from "#server/foundation/audit.ts";
import { countries, countryCodes } from "#server/foundation/countries/registry.ts";
import { DomainError, wrongField } from "#server/foundation/errors.ts";
import { FileError } from "#server/foundation/file-text.ts";
import { dateView, isDay } from "#server/orders/subscriptions/dates.ts";
import type { Context } from "#server/platform/context.ts";
import { type ParsedLine, parsePriceList } from "./csv.ts";
import { diffOf, type PriceListDiff, startTimeIn } from "./diff.ts";
import { linesFromVendor } from "./from-vendor.ts";

/** Source of a list. */
export type PriceListSource =
  /** Our own file. */
  | { kind: "file"; name: string; pieces: AsyncIterable<string> }
  /** A downloaded file of a vendor's prices: Microsoft's price sheet, Google's offers. */
  | { kind: "vendor file"; name: string; pieces: AsyncIterable<string>; market: VendorMarket }
  /** A vendor's present prices, fetched from it. */
  | { kind: "vendor"; market: VendorMarket };

export interface PriceListImport extends AuditActor {
  source: PriceListSource;
  /** "2026-12-01", which begins in each country by its own clock; null for the moment in which it is applied. */
  fromDay: string | null;
  /** Reason, in the words of the person who imports it. */
  reason?: string | undefined;
  now: Date;
  /** Whether to store nothing, except for the costs of a vendor that is asked, as every night. */
  dryRun: boolean;
}

export interface ImportedPriceList extends PriceListDiff {
  /** Reports the numbers of imported and skipped rows, and why; null for prices without a file. */
  rows: string | null;
}

/**
 * Stores a list that waits to be applied, and our costs from a vendor's file.
 * @returns the changes that it would make
 * @throws DomainError bad_request for a file that cannot be read, with the lines, and for a past or invalid day; ProviderError
 */
export async function importPriceList(
  context: Context,
  request: PriceListImport,
): Promise<ImportedPriceList> {
  const { source, fromDay, by, staffId, reason, now, dryRun } = request;
  requireFutureDay(fromDay, now);
  const read = await readSource(context, source);
  try {
    return await context.db.transaction().execute(async (trx) => {
      if (read.costs !== undefined) await storePriceSheet(trx, read.market, read.costs);
      const lines =
        read.lines === undefined
          ? await linesFromVendor(trx, read.market, startTimeIn(read.market.country, fromDay, now))
          : await withItems(trx, read.lines);
      if (lines.length === 0) throw wrongField("file", "It has no prices for items sold here.");
      const { name, digest } = read;
      const id = await insertPriceList(trx, { source: name, digest, fromDay }, lines, { by, now });
      await recordAudit(trx, {
        userId: null,
        staffId,
        action: "price-list.import",
        subject: `price-list:${id}`,
        data: {
          by,
          ...(reason !== undefined && { reason }),
          source: name,
          digest,
          from: fromDay,
          lines: lines.length,
        },
      });
      const compared = await diffOf({ ...context, db: trx }, await priceListOf(trx, id), now);
      const diff = { ...compared, rows: read.rows };
      if (dryRun) throw new Undone(diff);
      return diff;
    });
  } catch (error) {
    if (error instanceof Undone) return error.diff;
    throw error;
  }
}

/** Thrown to roll a dry run back, so that it reports the diff and stores nothing. */
class Undone extends Error {
  constructor(readonly diff: ImportedPriceList) {
    super("A dry run was rolled back");
  }
}

/** @throws DomainError not_found */
export async function priceListOf(db: Db, id: PriceListId) {
  const list = await findPriceList(db, id);
  if (list === null) throw new DomainError("not_found", `Price list ${id} not found.`);
  return list;
}

/** @throws DomainError bad_request for a text that is not a day, or a day that is over everywhere */
export function requireFutureDay(day: string | null, now: Date): void {
  if (day === null) return;
  if (!isDay(day)) throw wrongField("from", `"${day}" isn't a valid date. Use the format 2026-12-01.`);
  if (hasDayPassedEverywhere(day, now))
    throw wrongField("from", `${day} has passed. Prices can't start in the past.`);
}

/** Whether a day has ended in every country of the store. */
export function hasDayPassedEverywhere(day: string, now: Date): boolean {
  return countryCodes.every((country) => day < dateView(now, country).iso);
}

type Read = { name: string; digest: string | null; rows: string | null } & (
  | { lines: ParsedLine[]; market?: undefined; costs?: undefined }
  | { lines?: undefined; market: VendorMarket; costs?: ReadPrices }
);

async function readSource(context: Context, source: PriceListSource): Promise<Read> {
  switch (source.kind) {
    case "file": {
      const hash = createHash("sha256");
      const lines = await parsePriceList(hashed(source.pieces, hash));
      const rows = `${lines.length} ${lines.length === 1 ? "row" : "rows"} taken.`;
      return { name: source.name, digest: hash.digest("hex"), rows, lines };
    }
    case "vendor file": {
      const hash = createHash("sha256");
      const { market } = source;
      const costs = await readOrRefuse(
        parsePriceSheet(context.db, market, { pieces: hashed(source.pieces, hash) }),
      );
      return { name: source.name, digest: hash.digest("hex"), rows: costs.tally.text, market, costs };
    }
    case "vendor": {
      const { market } = source;
      const sheet = await readOrRefuse(fetchPriceSheet(context, market));
      if (sheet === null) await fetchMarket(context, market);
      return { name: marketText(market), digest: null, rows: sheet?.text ?? null, market };
    }
  }
}

async function readOrRefuse<Read>(reading: Promise<Read>): Promise<Read> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FileError)
      throw new DomainError("bad_request", error.message, { fields: { file: error.message }, cause: error });
    throw error;
  }
}

/** Returns the market of the only vendor that has sheets. @throws DomainError bad_request */
export function requireMarketWithPriceSheets({ env }: Pick<Context, "env">, country: Country): VendorMarket {
  const market = listVendorMarkets({ env }, country).find(
    ({ catalogue }) => catalogue.readPriceSheet !== null,
  );
  if (market !== undefined) return market;
  throw new DomainError(
    "bad_request",
    `No vendor with price sheets has an account in ${countries[country].nameInSentence}.`,
  );
}

async function* hashed(pieces: AsyncIterable<string>, hash: Hash): AsyncGenerator<string> {
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

/** Finds each line's item by id or SKU. */
async function withItems(trx: Trx, lines: readonly ParsedLine[]): Promise<PriceListLine[]> {
  const ids = new Map(
    (await listPricedItems(trx)).flatMap(
      ({ id, sku }) =>
        [
          [id.toString(), id],
          [sku, id],
        ] as const,
    ),
  );
  return lines.map((line) => ({ ...line, itemId: ids.get(line.item) ?? null }));
}
