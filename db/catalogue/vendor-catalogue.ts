/** Queries on vendors' ids of our items, and on the differences of the last comparison. */
import { sql } from "kysely";
import type { ItemId } from "#db/ids.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** A vendor's ids of a product and of one of its SKUs. */
export interface VendorIds {
  productId: string;
  skuId: string;
}

/** An item in a country, as sold through an account at the vendor. */
export interface VendorListingKey {
  itemId: ItemId;
  country: Country;
  account: string;
}

/** Returns the vendor's ids of an item; null while it was not found in this account's catalogue. */
export async function findVendorIds(
  db: Db,
  { itemId, country, account }: VendorListingKey,
): Promise<VendorIds | null> {
  const row = await db
    .selectFrom("vendor_items")
    .select(["product_id as productId", "sku_id as skuId"])
    .where("item_id", "=", itemId)
    .where("country", "=", country)
    .where("account", "=", account)
    .executeTakeFirst();
  return row ?? null;
}

/** Stores the vendor's ids of an item. @returns false when they are stored already */
export async function saveVendorIds(
  trx: Trx,
  { itemId, country, account }: VendorListingKey,
  { productId, skuId }: VendorIds,
): Promise<boolean> {
  const values = { account, product_id: productId, sku_id: skuId };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("vendor_items")
    .values({ item_id: itemId, country, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(["item_id", "country"])
        .doUpdateSet({ ...values, found_at: sql<Date>`now()` })
        .where(
          sql<boolean>`(vendor_items.account, vendor_items.product_id, vendor_items.sku_id) is distinct from (excluded.account, excluded.product_id, excluded.sku_id)`,
        ),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Lists a family's items on sale that have a vendor's name and were never found under it, in display order. */
export async function listNotFound(
  db: Db,
  { family, country, account }: { family: FamilyId; country: Country; account: string },
): Promise<ItemId[]> {
  const rows = await db
    .selectFrom("catalogue_items")
    .select("id")
    .where("family", "=", family)
    .where("active", "=", true)
    .where("vendor_product", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("vendor_items")
            .select("item_id")
            .whereRef("item_id", "=", "catalogue_items.id")
            .where("country", "=", country)
            .where("account", "=", account),
        ),
      ),
    )
    .orderBy("position")
    .execute();
  return rows.map(({ id }) => id);
}

/** Formats the key of a vendor's SKU among a family's: "product:sku". */
export function vendorKey({ productId, skuId }: VendorIds): string {
  return `${productId}:${skuId}`;
}

/** Returns the product in a vendorKey. */
export function productOfKey(key: string): string {
  return key.split(":", 1)[0] ?? key;
}

/** Maps each of a family's items to the vendor's products in any country. */
export async function productsOfItems(db: Db, family: FamilyId): Promise<Map<ItemId, Set<string>>> {
  const rows = await db
    .selectFrom("vendor_items")
    .innerJoin("catalogue_items", "catalogue_items.id", "vendor_items.item_id")
    .select(["item_id", "product_id"])
    .where("family", "=", family)
    .execute();
  const products = new Map<ItemId, Set<string>>();
  for (const { item_id, product_id } of rows)
    products.set(item_id, (products.get(item_id) ?? new Set()).add(product_id));
  return products;
}

/** Maps vendorKey to the product's title in the vendor's catalogue, for all items of a family that were found there. */
export async function titlesByVendorKey(db: Db, family: FamilyId): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("vendor_items")
    .innerJoin("catalogue_items", "catalogue_items.id", "vendor_items.item_id")
    .select(["product_id as productId", "sku_id as skuId", "vendor_product as title"])
    .where("family", "=", family)
    .where("vendor_product", "is not", null)
    .$narrowType<{ title: string }>()
    .execute();
  return new Map(rows.map(({ title, ...ids }) => [vendorKey(ids), title]));
}

/** Maps vendorKey to the item, for the vendor's SKUs in any country of all items that a family has on sale. */
export async function itemsByVendorKey(db: Db, family: FamilyId): Promise<Map<string, ItemId>> {
  const rows = await db
    .selectFrom("vendor_items")
    .innerJoin("catalogue_items", "catalogue_items.id", "vendor_items.item_id")
    .select(["item_id", "product_id as productId", "sku_id as skuId"])
    .where("family", "=", family)
    .where("active", "=", true)
    .execute();
  return new Map(rows.map((row) => [vendorKey(row), row.item_id]));
}

/** A difference between our item and the vendor's catalogue. */
export interface CatalogueDifference {
  itemId: ItemId;
  country: Country;
  /** A sentence for the operator. */
  what: string;
}

/**
 * Replaces the stored differences in a country for these items.
 * @returns the new ones
 */
export async function replaceCatalogueDifferences(
  trx: Trx,
  { country, itemIds }: { country: Country; itemIds: readonly ItemId[] },
  differences: readonly CatalogueDifference[],
): Promise<CatalogueDifference[]> {
  if (itemIds.length === 0) return [];
  const earlier = await trx
    .selectFrom("vendor_differences")
    .select(["item_id", "what"])
    .where("country", "=", country)
    .where("item_id", "in", itemIds)
    .forUpdate()
    .execute();
  const isIn = (all: readonly CatalogueDifference[], itemId: ItemId, what: string) =>
    all.some((one) => one.itemId === itemId && one.what === what);
  for (const { item_id, what } of earlier.filter((row) => !isIn(differences, row.item_id, row.what))) {
    await trx
      .deleteFrom("vendor_differences")
      .where("country", "=", country)
      .where("item_id", "=", item_id)
      .where("what", "=", what)
      .execute();
  }
  const fresh = differences.filter(
    ({ itemId, what }) => !earlier.some((row) => row.item_id === itemId && row.what === what),
  );
  if (fresh.length > 0) {
    await trx
      .insertInto("vendor_differences")
      .values(fresh.map(({ itemId, country: where, what }) => ({ item_id: itemId, country: where, what })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return fresh;
}

/** Lists the differences of the last comparison for items on sale. */
export async function listCatalogueDifferences(
  db: Db,
): Promise<(CatalogueDifference & { family: FamilyId })[]> {
  return db
    .selectFrom("vendor_differences")
    .innerJoin("catalogue_items", "catalogue_items.id", "vendor_differences.item_id")
    .select(["item_id as itemId", "family", "country", "what"])
    .where("active", "=", true)
    .orderBy("country")
    .orderBy("item_id")
    .orderBy("what")
    .execute();
}

/** Lists the vendor's ids of a family's items in a country. */
export async function listVendorIds(
  db: Db,
  { family, country }: { family: FamilyId; country: Country },
): Promise<VendorIds[]> {
  return db
    .selectFrom("vendor_items")
    .innerJoin("catalogue_items", "catalogue_items.id", "vendor_items.item_id")
    .select(["product_id as productId", "sku_id as skuId"])
    .where("family", "=", family)
    .where("country", "=", country)
    .execute();
}

/** Lists the vendor's ids of an add-on's base items in a country. */
export async function listBaseIds(
  db: Db,
  { itemId, country }: { itemId: ItemId; country: Country },
): Promise<VendorIds[]> {
  const { rows } = await sql<VendorIds>`
    select product_id as "productId", sku_id as "skuId"
    from vendor_items
    where country = ${country} and item_id in (
      select jsonb_array_elements_text(base_item_ids) from catalogue_items where id = ${itemId}
    )`.execute(db);
  return rows;
}
