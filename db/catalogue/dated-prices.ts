/** Queries on prices by their start date. */
import { sql } from "kysely";
import type { ItemId, PriceListId } from "#db/ids.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { Price } from "./catalogue.ts";
import { type PriceKey, type PriceList, priceKeyText } from "./price-lists.ts";

/** The fields of an item that its prices depend on. */
export interface PricedItem {
  readonly id: ItemId;
  readonly sku: string;
  readonly name: string;
  readonly family: FamilyId;
}

/** Lists every item, including retired ones, in display order. */
export async function listPricedItems(db: Db): Promise<PricedItem[]> {
  return db
    .selectFrom("catalogue_items")
    .select(["id", "sku", "name", "family"])
    .orderBy("family")
    .orderBy("position")
    .orderBy("id")
    .execute();
}

export type KeyedPrice = PriceKey & Pick<Price, "amount" | "list">;

/**
 * Returns every price in force at a moment, by priceKeyText.
 * @param without a list whose prices are left out
 */
export async function pricesAt(
  db: Db,
  at: Date,
  without: PriceListId | null = null,
): Promise<Map<string, KeyedPrice>> {
  const rows = await db
    .selectFrom("dated_prices")
    .distinctOn(["item_id", "currency", "kind", "term", "billing_cycle"])
    .select(["item_id as itemId", "currency", "kind", "term", "billing_cycle as billingCycle"])
    .select(["amount_minor", "list_minor"])
    .where("valid_from", "<=", at)
    .$if(without !== null, (query) => query.where(sql<boolean>`list_id is distinct from ${without}`))
    .orderBy("item_id")
    .orderBy("currency")
    .orderBy("kind")
    .orderBy("term")
    .orderBy("billing_cycle")
    .orderBy("valid_from", "desc")
    .execute();
  return new Map(
    rows.map(({ amount_minor, list_minor, ...key }) => {
      const { currency } = key;
      const list = list_minor === null ? null : { minor: list_minor, currency };
      return [priceKeyText(key), { ...key, amount: { minor: amount_minor, currency }, list }];
    }),
  );
}

/** A price with its start. */
export interface DatedPrice extends PriceKey {
  readonly from: Date;
  /** Minor units. */
  readonly amountMinor: number;
  readonly listMinor: number | null;
}

/** @returns the prices that were not set, because another list sets the same price from the same moment on */
export async function insertDatedPrices(
  trx: Trx,
  listId: PriceListId,
  prices: readonly DatedPrice[],
): Promise<DatedPrice[]> {
  const taken: DatedPrice[] = [];
  for (const price of prices) {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("dated_prices")
      .values({
        item_id: price.itemId,
        currency: price.currency,
        kind: price.kind,
        term: price.term,
        billing_cycle: price.billingCycle,
        valid_from: price.from,
        amount_minor: price.amountMinor,
        list_minor: price.listMinor,
        list_id: listId,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) taken.push(price);
  }
  return taken;
}

/** Returns the start of the first of a list's prices; null while it sets none. */
export async function findFirstPriceDate(db: Db, listId: PriceListId): Promise<Date | null> {
  const row = await db
    .selectFrom("dated_prices")
    .select(({ fn }) => fn.min("valid_from").as("first"))
    .where("list_id", "=", listId)
    .executeTakeFirst();
  return row?.first ?? null;
}

/** @returns the number of deleted prices */
export async function deleteDatedPrices(trx: Trx, listId: PriceListId): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom("dated_prices")
    .where("list_id", "=", listId)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** A past, present or future price. */
export interface PriceHistoryEntry extends DatedPrice {
  /** List that set it; null for the seed. */
  readonly setBy: Pick<PriceList, "id" | "source" | "stateBy" | "stateAt"> | null;
}

/** Lists every price that an item ever had, by price key, newest first. */
export async function listPriceHistory(db: Db, itemId: ItemId): Promise<PriceHistoryEntry[]> {
  const rows = await db
    .selectFrom("dated_prices")
    .leftJoin("price_lists", "price_lists.id", "dated_prices.list_id")
    .select(["item_id as itemId", "currency", "kind", "term", "billing_cycle as billingCycle"])
    .select(["valid_from as from", "amount_minor as amountMinor", "list_minor as listMinor"])
    .select(["price_lists.id", "source", "state_by as stateBy", "state_at as stateAt"])
    .where("item_id", "=", itemId)
    .orderBy("currency")
    .orderBy("kind")
    .orderBy("term")
    .orderBy("billing_cycle")
    .orderBy("valid_from", "desc")
    .execute();
  return rows.map(({ id, source, stateBy, stateAt, ...price }) => ({
    ...price,
    setBy:
      id === null || source === null || stateBy === null || stateAt === null
        ? null
        : { id, source, stateBy, stateAt },
  }));
}
