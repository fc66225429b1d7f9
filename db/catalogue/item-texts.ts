/** Queries on the texts of items, which staff edit in each language. */
import type { ItemId } from "#db/ids.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { type CatalogueItem, familyByFamily, type ItemTexts, toTextColumns } from "./catalogue.ts";
import type { ItemCopy, StoredItemCopy } from "./item-copy.ts";

/** Returns the texts of an item's page, without its prices; also of an item that is no longer sold. */
export async function itemTexts(
  db: Db,
  id: ItemId,
): Promise<(ItemCopy & Pick<CatalogueItem, "name" | "words">) | null> {
  const row = await db
    .selectFrom("catalogue_items")
    .select(["name", "words", "audience", "description", "features"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, words: row.words ?? {} };
}

/** An item whose texts can be edited. */
export interface ItemWithTexts {
  readonly id: ItemId;
  readonly name: string;
  readonly family: FamilyId;
  readonly active: boolean;
  /** Time of the last change by staff; null while the texts are the seed's. */
  readonly editedAt: Date | null;
}

/** Lists all items, those on sale first, in display order. */
export async function listItemsWithTexts(db: Db): Promise<ItemWithTexts[]> {
  return db
    .selectFrom("catalogue_items")
    .select(["id", "name", "family", "active", "texts_edited_at as editedAt"])
    .orderBy("active", "desc")
    .orderBy(familyByFamily)
    .orderBy("position")
    .orderBy("id")
    .execute();
}

/** Returns an item's present texts; null when there is no such item. */
export async function findTexts(db: Db, id: ItemId): Promise<ItemTexts | null> {
  const row = await selectTexts(db, id).executeTakeFirst();
  return row === undefined ? null : toTexts(row);
}

/** Returns an item's texts, and locks the item until the transaction ends. */
export async function lockTexts(trx: Trx, id: ItemId): Promise<ItemTexts | null> {
  const row = await selectTexts(trx, id).forUpdate().executeTakeFirst();
  return row === undefined ? null : toTexts(row);
}

function selectTexts(db: Db, id: ItemId) {
  return db
    .selectFrom("catalogue_items")
    .select(["name", "audience", "description", "features", "words"])
    .where("id", "=", id);
}

function toTexts({
  words,
  ...texts
}: Omit<ItemTexts, "words"> & { words: StoredItemCopy | null }): ItemTexts {
  return { ...texts, words: words ?? {} };
}

/** Stores texts that staff have edited for an existing item. */
export async function saveTexts(trx: Trx, id: ItemId, texts: ItemTexts, now: Date): Promise<void> {
  const item = await trx
    .selectFrom("catalogue_items")
    .select(["family", "sku", "images"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("catalogue_items")
    .set({ ...toTextColumns({ ...item, ...texts }), texts_edited_at: now })
    .where("id", "=", id)
    .execute();
}
