/** Queries on price lists as imported, and on the prices they set by date. */
import { sql } from "kysely";
import type { ItemId, PriceListId } from "#db/ids.ts";
import type { BillingCycle, Currency, PriceKind, PriceListState, Term } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** Identifies one of an item's prices. */
export interface PriceKey {
  readonly itemId: ItemId;
  readonly currency: Currency;
  readonly kind: PriceKind;
  readonly term: Term;
  readonly billingCycle: BillingCycle;
}

export function priceKeyText({ itemId, currency, kind, term, billingCycle }: PriceKey): string {
  return [itemId, currency, kind, term, billingCycle].join(" ");
}

export interface PriceList {
  readonly id: PriceListId;
  /** Name of the file, or the vendor whose prices were read. */
  readonly source: string;
  /** SHA-256 of the file; null without one. */
  readonly digest: string | null;
  /** "2026-12-01"; null for the moment in which it is applied. */
  readonly fromDay: string | null;
  readonly importedBy: string;
  readonly importedAt: Date;
  readonly state: PriceListState;
  readonly stateBy: string;
  readonly stateAt: Date;
}

/** A line of a list. */
export interface PriceListLine extends Omit<PriceKey, "itemId"> {
  /** Line number in the file, from 1. */
  readonly line: number;
  /** Item as named in the file. */
  readonly item: string;
  /** Null for an item that the store does not have. */
  readonly itemId: ItemId | null;
  /** Minor units, as in Price. */
  readonly amountMinor: number;
  /** Null when the list price does not change. */
  readonly listMinor: number | null;
}

/** Lines per insert: PostgreSQL accepts 65,535 parameters. */
const linesAtOnce = 1_000;

export async function insertPriceList(
  trx: Trx,
  list: Pick<PriceList, "source" | "digest" | "fromDay">,
  lines: readonly PriceListLine[],
  { by, now }: { by: string; now: Date },
): Promise<PriceListId> {
  const { id } = await trx
    .insertInto("price_lists")
    .values({
      source: list.source,
      digest: list.digest,
      from_day: list.fromDay,
      imported_by: by,
      imported_at: now,
      state: "waiting",
      state_by: by,
      state_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (let start = 0; start < lines.length; start += linesAtOnce) {
    await trx
      .insertInto("price_list_rows")
      .values(
        lines.slice(start, start + linesAtOnce).map((one) => ({
          list_id: id,
          line: one.line,
          item: one.item,
          item_id: one.itemId,
          currency: one.currency,
          kind: one.kind,
          term: one.term,
          billing_cycle: one.billingCycle,
          amount_minor: one.amountMinor,
          list_minor: one.listMinor,
        })),
      )
      .execute();
  }
  return id;
}

const selectLists = (db: Db) =>
  db
    .selectFrom("price_lists")
    .select([
      "id",
      "source",
      "digest",
      "from_day as fromDay",
      "imported_by as importedBy",
      "imported_at as importedAt",
      "state",
      "state_by as stateBy",
      "state_at as stateAt",
    ]);

export async function findPriceList(db: Db, id: PriceListId): Promise<PriceList | null> {
  return (await selectLists(db).where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Locks the list until the transaction ends. */
export async function lockPriceList(trx: Trx, id: PriceListId): Promise<PriceList | null> {
  return (await selectLists(trx).where("id", "=", id).forUpdate().executeTakeFirst()) ?? null;
}

/** A price list with its number of lines and its start. */
export interface ListedPriceList extends PriceList {
  /** Number of lines. */
  readonly lines: number;
  /** Start of the first of its prices; null while it sets none. */
  readonly begins: Date | null;
}

/**
 * Returns a page, newest first. @param page.before the last id of the page before this one; null for the first @param page.only a
 * single list
 */
export async function listPriceLists(
  db: Db,
  {
    limit,
    before = null,
    only = null,
  }: { limit: number; before?: PriceListId | null; only?: PriceListId | null },
): Promise<ListedPriceList[]> {
  return selectLists(db)
    .select([
      sql<number>`(select count(*) from price_list_rows where list_id = price_lists.id)`.as("lines"),
      sql<Date | null>`(select min(valid_from) from dated_prices where list_id = price_lists.id)`.as(
        "begins",
      ),
    ])
    .$if(before !== null, (query) => query.where(sql<boolean>`id < ${before}`))
    .$if(only !== null, (query) => query.where(sql<boolean>`id = ${only}`))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function listLines(db: Db, id: PriceListId): Promise<PriceListLine[]> {
  return db
    .selectFrom("price_list_rows")
    .select([
      "line",
      "item",
      "item_id as itemId",
      "currency",
      "kind",
      "term",
      "billing_cycle as billingCycle",
    ])
    .select(["amount_minor as amountMinor", "list_minor as listMinor"])
    .where("list_id", "=", id)
    .orderBy("line")
    .execute();
}

/** @param fromDay as in PriceList */
export async function setPriceListDay(trx: Trx, id: PriceListId, fromDay: string | null): Promise<void> {
  await trx.updateTable("price_lists").set({ from_day: fromDay }).where("id", "=", id).execute();
}

export async function setPriceListState(
  trx: Trx,
  id: PriceListId,
  { state, by, now }: { state: PriceListState; by: string; now: Date },
): Promise<void> {
  await trx
    .updateTable("price_lists")
    .set({ state, state_by: by, state_at: now })
    .where("id", "=", id)
    .execute();
}
