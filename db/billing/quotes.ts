/** Queries on quotes. An order's quote has one version for each state of the order that was quoted. */
import type { Selectable } from "kysely";
import type { OrderId, QuoteId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { QuotesTable } from "#db/tables/quotes.ts";

/** A version of a quote: its number, its validity, and the hash of its terms. */
export interface QuoteVersion {
  id: QuoteId;
  orderId: OrderId;
  number: string;
  version: number;
  series: string;
  serial: number;
  issuedAt: Date;
  validUntil: Date;
  /** SHA-256 of the quoted terms (server/billing/quotes/quote-fingerprint.ts). */
  hash: string;
}

/** A quote version with its language and the facts on it, as stored. */
export interface StoredQuote extends QuoteVersion {
  language: string;
  facts: unknown;
}

export async function insertQuote(trx: Trx, quote: StoredQuote): Promise<void> {
  await trx
    .insertInto("quotes")
    .values({
      id: quote.id,
      order_id: quote.orderId,
      number: quote.number,
      version: quote.version,
      series: quote.series,
      serial: quote.serial,
      issued_at: quote.issuedAt,
      valid_until: quote.validUntil,
      language: quote.language,
      facts: JSON.stringify(quote.facts),
      hash: quote.hash,
    })
    .execute();
}

export async function readQuote(db: Db, id: QuoteId): Promise<StoredQuote | null> {
  const row = await db.selectFrom("quotes").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : quoteOf(row);
}

/** Finds the newest version of an order's quote, whether or not the order has changed since. */
export async function readLatestVersion(db: Db, orderId: OrderId): Promise<QuoteVersion | null> {
  const version = await db
    .selectFrom("quotes")
    .select([
      "id",
      "order_id as orderId",
      "number",
      "version",
      "series",
      "serial",
      "issued_at as issuedAt",
      "valid_until as validUntil",
      "hash",
    ])
    .where("order_id", "=", orderId)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return version ?? null;
}

/** Lists the number and validity of the newest version of each order's quote. */
export function listLatestQuotes(
  db: Db,
  orderIds: readonly OrderId[],
): Promise<Pick<StoredQuote, "orderId" | "number" | "version" | "validUntil">[]> {
  if (orderIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("quotes")
    .distinctOn("order_id")
    .select(["order_id as orderId", "number", "version", "valid_until as validUntil"])
    .where("order_id", "in", orderIds)
    .orderBy("order_id")
    .orderBy("version", "desc")
    .execute();
}

function quoteOf(row: Selectable<QuotesTable>): StoredQuote {
  return {
    id: row.id,
    orderId: row.order_id,
    number: row.number,
    version: row.version,
    series: row.series,
    serial: row.serial,
    issuedAt: row.issued_at,
    validUntil: row.valid_until,
    language: row.language,
    facts: row.facts,
    hash: row.hash,
  };
}
