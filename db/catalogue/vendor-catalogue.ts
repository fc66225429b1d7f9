/** Queries on what vendors call our items, and on what differed when they were last asked. */
import { sql } from "kysely";
import type { ItemId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import type { BillingCycle, Country, Currency, FamilyId, Term } from "#db/tables/enums.ts";
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

/** What the vendor calls an item; null while it was not found in this account's catalogue. */
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

/** Stores what an item was found as. @returns false when it is stored already */
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

/** A family's items on sale that have a vendor's name and were never found under it, in display order. */
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

/** The key of a vendor's SKU among a family's: "product:sku". */
export function vendorKey({ productId, skuId }: VendorIds): string {
  return `${productId}:${skuId}`;
}

/** The product in a vendorKey. */
export function productOfKey(key: string): string {
  return key.split(":", 1)[0] ?? key;
}

/** The vendor's products, in any country, of each of a family's items. */
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

/** The titles of products in the vendor's catalogue, for everything of a family that was found in it; the key is vendorKey. */
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

/** The vendor's SKUs, in any country, of everything that a family has on sale; the key is vendorKey. */
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

/** Something about an item that the vendor's catalogue says otherwise. */
export interface CatalogueDifference {
  itemId: ItemId;
  country: Country;
  /** A sentence for the operator. */
  what: string;
}

/**
 * Stores what differs in a country among these items, in place of what did.
 * @returns those that were not known before
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

/** What differed when the vendors were last asked, of items that are on sale. */
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

/** What the vendor calls a family's items in a country. */
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

/** What the vendor calls the items in a country that an add-on can be added to. */
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

/** What a vendor charges us for a seat of a SKU for one billing period. */
export interface VendorPrice extends VendorIds {
  term: Term;
  billingCycle: BillingCycle;
  currency: Currency;
  /** The numbers of seats that it is for; no upper limit when null. */
  minSeats: number;
  maxSeats: number | null;
  costMinor: number;
  /** The vendor's price for the buyer. */
  retailMinor: number;
  startsAt: Date;
  endsAt: Date | null;
}

/** Stores prices, each in place of one that begins at the same time. */
export async function saveVendorPrices(
  trx: Trx,
  { family, country }: { family: FamilyId; country: Country },
  prices: readonly VendorPrice[],
): Promise<void> {
  for (const price of prices) {
    const values = {
      most_seats: price.maxSeats,
      cost_minor: price.costMinor,
      retail_minor: price.retailMinor,
      ends_at: price.endsAt,
    };
    await trx
      .insertInto("vendor_prices")
      .values({
        family,
        country,
        product_id: price.productId,
        sku_id: price.skuId,
        term: price.term,
        billing_cycle: price.billingCycle,
        currency: price.currency,
        least_seats: price.minSeats,
        starts_at: price.startsAt,
        ...values,
      })
      .onConflict((conflict) =>
        conflict
          .columns([
            "country",
            "product_id",
            "sku_id",
            "term",
            "billing_cycle",
            "currency",
            "least_seats",
            "starts_at",
            "family",
          ])
          .doUpdateSet({ ...values, imported_at: sql<Date>`now()` }),
      )
      .execute();
  }
}

/** Ends prices that the vendor has taken back. What they were until now stays, for the bills of that time. */
export async function endVendorPrices(
  trx: Trx,
  { family, country }: { family: FamilyId; country: Country },
  prices: readonly VendorPrice[],
  now: Date,
): Promise<void> {
  for (const price of prices)
    await trx
      .updateTable("vendor_prices")
      .set({ ends_at: now })
      .where("family", "=", family)
      .where("country", "=", country)
      .where("product_id", "=", price.productId)
      .where("sku_id", "=", price.skuId)
      .where("term", "=", price.term)
      .where("billing_cycle", "=", price.billingCycle)
      .where("currency", "=", price.currency)
      .where("least_seats", "=", price.minSeats)
      .where("starts_at", "=", price.startsAt)
      .where(({ eb, or }) => or([eb("ends_at", "is", null), eb("ends_at", ">", now)]))
      .execute();
}

/** Forgets the prices of these SKUs that have begun, but for those without a beginning. */
export async function deletePricesInForce(
  trx: Trx,
  { family, country }: { family: FamilyId; country: Country },
  prices: readonly VendorIds[],
  now: Date,
): Promise<void> {
  if (prices.length === 0) return;
  await trx
    .deleteFrom("vendor_prices")
    .where("family", "=", family)
    .where("country", "=", country)
    .where("starts_at", ">", new Date(0))
    .where("starts_at", "<=", now)
    .where(({ eb, or, and }) =>
      or(
        prices.map(({ productId, skuId }) =>
          and([eb("product_id", "=", productId), eb("sku_id", "=", skuId)]),
        ),
      ),
    )
    .execute();
}

/** What is asked for the cost of: seats of an item, sold in one way. */
export interface CostQuery extends VendorListingKey {
  family: FamilyId;
  term: Term;
  billingCycle: BillingCycle;
  currency: Currency;
  /** Seats. */
  quantity: number;
  now: Date;
  /** Prices that were last read before then do not count; every price does when left out. */
  readSince?: Date | undefined;
}

/** What a vendor charges for a seat for one billing period. */
export interface Charge {
  cost: Money;
  /** The vendor's price for the buyer. */
  retail: Money;
}

/** In the order asked; null where no price is known. Of prices that overlap the latest counts. */
export async function findCharges(db: Db, queries: readonly CostQuery[]): Promise<(Charge | null)[]> {
  if (queries.length === 0) return [];
  const { rows } = await sql<{ place: number; cost_minor: number; retail_minor: number }>`
    select asked.place, found.cost_minor, found.retail_minor
    from json_to_recordset(${JSON.stringify(queries.map((one, place) => ({ ...one, place })))}::json) as asked (
      place integer, "itemId" text, country text, account text, family text, term text, "billingCycle" text,
      currency text, quantity integer, now timestamptz, "readSince" timestamptz)
    cross join lateral (
      select cost_minor, retail_minor
      from vendor_prices
      join vendor_items using (product_id, sku_id, country)
      where vendor_items.item_id = asked."itemId"
        and vendor_items.account = asked.account
        and country = asked.country
        and vendor_prices.family = asked.family
        and vendor_prices.term = asked.term
        and vendor_prices.billing_cycle = asked."billingCycle"
        and vendor_prices.currency = asked.currency
        and least_seats <= asked.quantity
        and (most_seats is null or most_seats >= asked.quantity)
        and starts_at <= asked.now
        and (ends_at is null or ends_at > asked.now)
        and (asked."readSince" is null or imported_at > asked."readSince")
      order by starts_at desc, least_seats desc
      limit 1
    ) as found`.execute(db);
  const found = new Map(rows.map((row) => [row.place, row]));
  return queries.map(({ currency }, place) => {
    const row = found.get(place);
    return row === undefined
      ? null
      : { cost: money(row.cost_minor, currency), retail: money(row.retail_minor, currency) };
  });
}

/** What a seat costs us for one billing period; null while no price is known. */
export async function findCost(db: Db, query: CostQuery): Promise<Money | null> {
  const [charge] = await findCharges(db, [query]);
  return charge?.cost ?? null;
}
