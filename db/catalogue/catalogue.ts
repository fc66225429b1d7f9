/**
 * Catalogue items with their prices: rows in, domain objects out. Amounts have the shape of the server's Money, so that they
 * can be added without conversion.
 */
import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { ItemId } from "#db/ids.ts";
import { familyRows } from "#db/seed/families.ts";
import type { CatalogueItemRow, DatedPricesTable } from "#db/tables/catalogue.ts";
import type { BillingCycle, Currency, FamilyId, PriceKind, Section, Term } from "#db/tables/enums.ts";
import type { Database, Db, Trx } from "#db/tables/index.ts";
import type { ItemCopy, StoredItemCopy } from "./item-copy.ts";
import type { PlanFacts } from "./plan-facts.ts";

/** The price of a seat for one billing period: a month when billed monthly, the whole term when billed annually. */
export interface Price {
  readonly currency: Currency;
  readonly kind: PriceKind;
  readonly term: Term;
  readonly billingCycle: BillingCycle;
  readonly amount: Amount;
  /** The vendor's list price (ERP) for the same period. Null when none is shown. */
  readonly list: Amount | null;
  /** Where it comes from. Left out of prices that are not read from those in force, as the seed's. */
  readonly source?: PriceSource;
}

/** Since when a price holds, and the price list that set it. */
export interface PriceSource {
  /** ISO 8601; 1970 for what was on sale from the beginning. */
  readonly since: string;
  /** Null for a price that no list has set. */
  readonly list: number | null;
}

export interface Amount {
  readonly minor: number;
  readonly currency: Currency;
}

/** The titles of a product and of one of its SKUs in a vendor's catalogue, by which their ids are found. */
export interface VendorTitles {
  readonly product: string;
  readonly sku: string;
}

/** A plan or an add-on as it is sold. */
export interface CatalogueItem extends ItemCopy {
  readonly id: ItemId;
  /** The store's own, in addresses and calls. No vendor knows it. */
  readonly sku: string;
  /** Null for an item that has no vendor. */
  readonly vendor: VendorTitles | null;
  readonly family: FamilyId;
  readonly section: Section;
  readonly name: string;
  /** The same sentences in other languages (server/catalogue/item-copy.ts). */
  readonly words: StoredItemCopy;
  /** App names, used to pick icons. */
  readonly images: readonly string[];
  readonly minSeats: number;
  /** Null when there is no limit that we must show. */
  readonly maxSeats: number | null;
  /** For an add-on: the customer must already have one of these items. */
  readonly baseItemIds: readonly string[];
  readonly isAddon: boolean;
  /** Null for an add-on, and for a plan not seeded since its facts were added. */
  readonly facts: PlanFacts | null;
  readonly prices: readonly Price[];
}

/** What a customer may add to the items they have. */
export type AddOn = Pick<CatalogueItem, "name" | "sku" | "baseItemIds">;

/** An item before it is saved: its id is still plain text, and its position in the family is known. */
export type ItemToSave = Omit<CatalogueItem, "id" | "isAddon"> & {
  readonly id: string;
  readonly position: number;
};

const slug = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const skuShape = /^[A-Z0-9]+([:-][A-Z0-9]+)*$/;

/** True for text that can be an item's id. A SKU never can, because SKUs are upper case. */
export function isItemId(text: string): text is ItemId {
  return text.length <= 100 && slug.test(text);
}

const onSale = (db: Db) => db.selectFrom("catalogue_items").where("active", "=", true);

const itemsWithIds = (db: Db, ids: readonly ItemId[]) =>
  withPrices(db.selectFrom("catalogue_items").where("id", "in", ids)).execute();

/** The item with this id, even when it is no longer sold. */
export async function itemById(db: Db, id: ItemId): Promise<(CatalogueItem & { active: boolean }) | null> {
  const [row] = await itemsWithIds(db, [id]);
  return row === undefined ? null : { ...toItem(row), active: row.active };
}

/** What an item's page says of it, without its prices; also of one that is no longer sold. */
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

/** The item on sale with this id or SKU. Text that is neither never reaches the database. */
export async function itemOnSale(db: Db, idOrSku: string): Promise<CatalogueItem | null> {
  if (isItemId(idOrSku)) {
    const [item = null] = await itemsByIds(db, [idOrSku]);
    return item;
  }
  if (idOrSku.length > 100 || !skuShape.test(idOrSku)) return null;
  const row = await withPrices(onSale(db).where("sku", "=", idOrSku)).executeTakeFirst();
  return row === undefined ? null : toItem(row);
}

/** The items of these families on sale, each family's in display order. */
export async function itemsOfFamilies(db: Db, requested: readonly FamilyId[]): Promise<CatalogueItem[]> {
  if (requested.length === 0) return [];
  const rows = await withPrices(onSale(db).where("family", "in", requested))
    .orderBy("position")
    .orderBy("id")
    .execute();
  return rows.map(toItem);
}

/** The items on sale with these ids, in the given order. */
export async function itemsByIds(db: Db, ids: readonly ItemId[]): Promise<CatalogueItem[]> {
  if (ids.length === 0) return [];
  const rows = await itemsWithIds(db, ids);
  const found = new Map(rows.filter(({ active }) => active).map((row) => [row.id, toItem(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** The items with these ids, also those that are no longer sold. */
export async function listItemsIncludingRetired(db: Db, ids: readonly ItemId[]): Promise<CatalogueItem[]> {
  if (ids.length === 0) return [];
  const rows = await itemsWithIds(db, ids);
  return rows.map(toItem);
}

/** Sorts families in display order. */
const familyByFamily = sql`array_position(array[${sql.join(familyRows.map(({ id }) => id))}], family)`;

/** The add-ons on sale, family by family, without their prices. */
export function addOnsOnSale(db: Db): Promise<AddOn[]> {
  return onSale(db)
    .select(["name", "sku", "base_item_ids as baseItemIds"])
    .where("section", "=", "addon")
    .orderBy(familyByFamily)
    .orderBy("position")
    .orderBy("id")
    .execute();
}

/** The featured items of every family, family by family. */
export async function featuredIds(db: Db): Promise<ItemId[]> {
  const rows = await onSale(db)
    .select("id")
    .where("section", "=", "featured")
    .orderBy(familyByFamily)
    .orderBy("position")
    .execute();
  return rows.map((row) => row.id);
}

/**
 * Inserts or updates items, adds prices that are not there, and removes those that are no longer given. What a person has edited stays:
 * the texts of an item, and every price that a price list has set. A price that is there is never changed. Unchanged rows are not
 * rewritten.
 * @returns how many items or prices were written
 * @throws RangeError when an item's SKU and section disagree whether it is an add-on
 */
export async function saveItems(trx: Trx, items: readonly ItemToSave[]): Promise<number> {
  if (items.length === 0) return 0;
  const savedItems = await trx
    .insertInto("catalogue_items")
    .values(items.map(toRow))
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet((eb) => ({
          sku: eb.ref("excluded.sku"),
          family: eb.ref("excluded.family"),
          section: eb.ref("excluded.section"),
          position: eb.ref("excluded.position"),
          name: unlessEdited("name"),
          audience: unlessEdited("audience"),
          description: unlessEdited("description"),
          features: unlessEdited("features"),
          images: eb.ref("excluded.images"),
          min_seats: eb.ref("excluded.min_seats"),
          max_seats: eb.ref("excluded.max_seats"),
          base_item_ids: eb.ref("excluded.base_item_ids"),
          facts: eb.ref("excluded.facts"),
          words: unlessEdited("words"),
          vendor_product: eb.ref("excluded.vendor_product"),
          vendor_sku: eb.ref("excluded.vendor_sku"),
          active: eb.ref("excluded.active"),
          search_text: unlessEdited("search_text"),
        }))
        .where(({ or, and, eb }) =>
          or([
            differs(itemColumns),
            and([eb("catalogue_items.texts_edited_at", "is", null), differs(textColumns)]),
          ]),
        ),
    )
    .returning("id")
    .execute();
  return savedItems.length + (await savePrices(trx, items));
}

/** The beginning of prices that have always been there. */
const always = new Date(0);

async function savePrices(trx: Trx, items: readonly ItemToSave[]): Promise<number> {
  const given = items.flatMap(toPriceRows);
  const stored = await trx
    .selectFrom("dated_prices")
    .select(["item_id", "currency", "kind", "term", "billing_cycle", "list_id"])
    .where(
      "item_id",
      "in",
      items.map(({ id }) => checkedId(id)),
    )
    .execute();
  const [givenKeys, storedKeys] = [new Set(given.map(keyOf)), new Set(stored.map(keyOf))];
  const ofLists = new Set(stored.filter(({ list_id }) => list_id !== null).map(keyOf));
  const gone = stored.filter((row) => !givenKeys.has(keyOf(row)) && !ofLists.has(keyOf(row)));
  for (const row of gone) await trx.deleteFrom("dated_prices").where(samePrice(row)).execute();
  const fresh = given.filter((row) => !storedKeys.has(keyOf(row)));
  if (fresh.length > 0) {
    await trx
      .insertInto("dated_prices")
      .values(fresh.map((row) => ({ ...row, valid_from: always, list_id: null })))
      .execute();
  }
  return gone.length + fresh.length;
}

type PriceColumns = Pick<
  Selectable<DatedPricesTable>,
  "item_id" | "currency" | "kind" | "term" | "billing_cycle"
>;

function keyOf({ item_id, currency, kind, term, billing_cycle }: PriceColumns): string {
  return [item_id, currency, kind, term, billing_cycle].join(" ");
}

function samePrice({ item_id, currency, kind, term, billing_cycle }: PriceColumns) {
  return sql<boolean>`(item_id, currency, kind, term, billing_cycle) = (${item_id}, ${currency}, ${kind}, ${term}, ${billing_cycle})`;
}

/** An item among those whose texts can be edited. */
export interface ItemWithTexts {
  readonly id: ItemId;
  readonly name: string;
  readonly family: FamilyId;
  readonly active: boolean;
  /** When a person last changed them; null while the seed does. */
  readonly editedAt: Date | null;
}

/** All items, those on sale first, in display order. */
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

/** What is said of an item now; null when there is no such item. */
export async function findTexts(db: Db, id: ItemId): Promise<ItemTexts | null> {
  const row = await selectTexts(db, id).executeTakeFirst();
  return row === undefined ? null : toTexts(row);
}

/** The same, and locks the item until the transaction ends. */
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

/** What a person says of an item that is there. */
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

/** Takes every item not named off sale. Orders and subscriptions may still refer to it, so it is never deleted. */
export async function retireItemsExcept(trx: Trx, ids: readonly ItemId[]): Promise<ItemId[]> {
  const rows = await trx
    .updateTable("catalogue_items")
    .set({ active: false })
    .where("active", "=", true)
    .where("id", "<>", sql<ItemId>`all(${ids}::text[])`)
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

const itemColumns = [
  "sku",
  "family",
  "section",
  "position",
  "images",
  "min_seats",
  "max_seats",
  "base_item_ids",
  "facts",
  "vendor_product",
  "vendor_sku",
  "active",
] as const;
const textColumns = ["name", "audience", "description", "features", "words", "search_text"] as const;

/** Upsert condition: the stored row differs from the new one. Avoids rewriting every row at every start. */
function differs(columns: readonly string[]) {
  const ours = sql.join(columns.map((column) => sql.ref(`catalogue_items.${column}`)));
  const offered = sql.join(columns.map((column) => sql.ref(`excluded.${column}`)));
  return sql<boolean>`(${ours}) is distinct from (${offered})`;
}

function unlessEdited(column: (typeof textColumns)[number]) {
  const ours = sql.ref(`catalogue_items.${column}`);
  return sql<string>`case when catalogue_items.texts_edited_at is null then ${sql.ref(`excluded.${column}`)} else ${ours} end`;
}

type Items = SelectQueryBuilder<Database, "catalogue_items", object>;

/** All but what search looks through. */
const shownColumns = ["id", ...itemColumns, "name", "audience", "description", "features", "words"] as const;

const priceColumns = sql.raw(
  "currency, kind, term, billing_cycle, amount_minor, list_minor, valid_from, list_id",
);
const lastInForce = sql.raw(
  "order by currency desc, kind desc, term desc, billing_cycle desc, valid_from desc limit 1",
);

/**
 * With the prices in force at a moment. From each the index leads to the one before it, past those of earlier lists: what an item has ever
 * cost is not read, nor is looked for what it has no price for.
 */
function withPrices(items: Items) {
  const at = new Date();
  // In the order in which terms are offered: the shorter commitment first, then the smaller instalment.
  return items.select(shownColumns).select(
    sql<PriceRow[]>`(
      with recursive in_force as (
        (select ${priceColumns} from dated_prices
          where item_id = catalogue_items.id and valid_from <= ${at} ${lastInForce})
        union all
        select before.* from in_force cross join lateral (
          select ${priceColumns} from dated_prices as dated
          where dated.item_id = catalogue_items.id and dated.valid_from <= ${at}
            and (dated.currency, dated.kind, dated.term, dated.billing_cycle)
              < (in_force.currency, in_force.kind, in_force.term, in_force.billing_cycle) ${lastInForce}
        ) as before
      )
      select coalesce(json_agg(in_force order by currency, kind, term, billing_cycle desc), '[]') from in_force)`.as(
      "prices",
    ),
  );
}

/** A price in force, as JSON: its moment is a text. */
type PriceRow = Omit<Selectable<DatedPricesTable>, "item_id" | "valid_from" | "set_at"> & {
  valid_from: string;
};

function toItem(
  row: Pick<CatalogueItemRow, (typeof shownColumns)[number]> & { prices: PriceRow[] },
): CatalogueItem {
  return {
    id: row.id,
    sku: row.sku,
    vendor:
      row.vendor_product === null || row.vendor_sku === null
        ? null
        : { product: row.vendor_product, sku: row.vendor_sku },
    family: row.family,
    section: row.section,
    name: row.name,
    audience: row.audience,
    description: row.description,
    features: row.features,
    images: row.images,
    minSeats: row.min_seats,
    maxSeats: row.max_seats,
    baseItemIds: row.base_item_ids,
    isAddon: row.section === "addon",
    facts: row.facts,
    words: row.words ?? {},
    prices: row.prices.map(toPrice),
  };
}

function toPrice(row: PriceRow): Price {
  const { currency } = row;
  return {
    currency,
    kind: row.kind,
    term: row.term,
    billingCycle: row.billing_cycle,
    amount: { minor: row.amount_minor, currency },
    list: row.list_minor === null ? null : { minor: row.list_minor, currency },
    source: { since: new Date(row.valid_from).toISOString(), list: row.list_id },
  };
}

/** The end of an add-on's SKU, and of no other (docs/specification.md, section 9.2). */
const addOnSku = /:0002$/;

/** @throws RangeError when SKU and section disagree whether an item is an add-on */
function requireOneAnswer({ sku, section }: ItemToSave): void {
  if (addOnSku.test(sku) === (section === "addon")) return;
  const problem =
    section === "addon"
      ? "is an add-on, so its SKU must end in"
      : "is not an add-on, so its SKU can't end in";
  throw new RangeError(`${sku} ${problem} ":0002".`);
}

function toRow(item: ItemToSave) {
  requireOneAnswer(item);
  return {
    id: checkedId(item.id),
    sku: item.sku,
    family: item.family,
    section: item.section,
    position: item.position,
    ...toTextColumns(item),
    images: JSON.stringify(item.images),
    min_seats: item.minSeats,
    max_seats: item.maxSeats,
    base_item_ids: JSON.stringify(item.baseItemIds),
    facts: item.facts === null ? null : JSON.stringify(item.facts),
    vendor_product: item.vendor?.product ?? null,
    vendor_sku: item.vendor?.sku ?? null,
    active: true,
  };
}

/** What the catalogue says of an item, in every language. */
export type ItemTexts = ItemCopy & Pick<CatalogueItem, "name" | "words">;

function toTextColumns(item: ItemTexts & Pick<CatalogueItem, "family" | "sku" | "images">) {
  const { name, audience, description, features, words } = item;
  return {
    name,
    audience,
    description,
    features: JSON.stringify(features),
    words: JSON.stringify(words),
    search_text: [
      name,
      item.family,
      item.sku,
      ...sentencesOf(item),
      ...Object.values(words).flatMap(sentencesOf),
      ...item.images,
    ].join(" "),
  };
}

function sentencesOf({ audience = "", description = "", features = [] }: Partial<ItemCopy>): string[] {
  return [audience, description, ...features];
}

function toPriceRows(item: ItemToSave) {
  const item_id = checkedId(item.id);
  return item.prices.map((price) => ({
    item_id,
    currency: price.currency,
    kind: price.kind,
    term: price.term,
    billing_cycle: price.billingCycle,
    amount_minor: price.amount.minor,
    list_minor: price.list?.minor ?? null,
  }));
}

function checkedId(text: string): ItemId {
  if (!isItemId(text)) throw new TypeError(`Not an item id: ${text}`);
  return text;
}
