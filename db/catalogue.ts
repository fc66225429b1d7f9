/**
 * Catalogue items with their prices: rows in, domain objects out. Amounts have the shape of the server's Money, so that they
 * can be added without conversion.
 */
import { type SelectQueryBuilder, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { ItemId } from "./ids.ts";
import type { PlanFacts } from "./plan-facts.ts";
import { familyRows } from "./seed/families.ts";
import type { CatalogueItemRow, PriceRow } from "./tables/catalogue.ts";
import type { BillingCycle, Currency, FamilyId, PriceKind, Section, Term } from "./tables/enums.ts";
import type { Database, Db, Trx } from "./tables/index.ts";

/** The price of a seat for one billing period: a month when billed monthly, the whole term when billed annually. */
export interface Price {
  readonly currency: Currency;
  readonly kind: PriceKind;
  readonly term: Term;
  readonly billingCycle: BillingCycle;
  readonly amount: Amount;
  /** The vendor's list price (ERP) for the same period. Null when none is shown. */
  readonly list: Amount | null;
}

export interface Amount {
  readonly minor: number;
  readonly currency: Currency;
}

/** The titles of a product and of one of its SKUs in a vendor's catalogue, by which their ids are found. */
export interface VendorName {
  readonly product: string;
  readonly sku: string;
}

/** A plan or an add-on as it is sold. */
export interface CatalogueItem {
  readonly id: ItemId;
  /** The store's own, in addresses and calls. No vendor knows it. */
  readonly sku: string;
  /** Null for an item that has no vendor. */
  readonly vendor: VendorName | null;
  readonly family: FamilyId;
  readonly section: Section;
  readonly name: string;
  /** One line about the audience. */
  readonly audience: string;
  readonly description: string;
  readonly features: readonly string[];
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

/** The item with this id, even when it is no longer sold. */
export async function itemById(db: Db, id: ItemId): Promise<(CatalogueItem & { active: boolean }) | null> {
  const row = await withPrices(db.selectFrom("catalogue_items").where("id", "=", id)).executeTakeFirst();
  return row === undefined ? null : { ...toItem(row), active: row.active };
}

/** The item on sale with this id or SKU. Text that is neither never reaches the database. */
export async function itemOnSale(db: Db, idOrSku: string): Promise<CatalogueItem | null> {
  const onSale = db.selectFrom("catalogue_items").where("active", "=", true);
  if (isItemId(idOrSku)) return firstItem(onSale.where("id", "=", idOrSku));
  if (idOrSku.length <= 100 && skuShape.test(idOrSku)) return firstItem(onSale.where("sku", "=", idOrSku));
  return null;
}

/** A family's items on sale, in display order. */
export async function itemsOfFamily(db: Db, family: FamilyId): Promise<CatalogueItem[]> {
  const rows = await withPrices(
    db.selectFrom("catalogue_items").where("family", "=", family).where("active", "=", true),
  )
    .orderBy("position")
    .orderBy("id")
    .execute();
  return rows.map(toItem);
}

/** The items on sale with these ids, in the given order. */
export async function itemsByIds(db: Db, ids: readonly ItemId[]): Promise<CatalogueItem[]> {
  if (ids.length === 0) return [];
  const rows = await withPrices(
    db.selectFrom("catalogue_items").where("id", "in", ids).where("active", "=", true),
  ).execute();
  const found = new Map(rows.map((row) => [row.id, toItem(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Sorts families in display order. */
const familyByFamily = sql`array_position(array[${sql.join(familyRows.map(({ id }) => id))}], family)`;

/** The add-ons on sale, family by family. */
export async function addOnItems(db: Db): Promise<CatalogueItem[]> {
  const rows = await withPrices(
    db.selectFrom("catalogue_items").where("section", "=", "addon").where("active", "=", true),
  )
    .orderBy(familyByFamily)
    .orderBy("position")
    .orderBy("id")
    .execute();
  return rows.map(toItem);
}

/** The featured items of every family, family by family. */
export async function featuredIds(db: Db): Promise<ItemId[]> {
  const rows = await db
    .selectFrom("catalogue_items")
    .select("id")
    .where("section", "=", "featured")
    .where("active", "=", true)
    .orderBy(familyByFamily)
    .orderBy("position")
    .execute();
  return rows.map((row) => row.id);
}

/** The similarity threshold: "exel" is close enough to "excel", "zoom" to nothing we sell. */
const alike = 0.37;

/**
 * Ranks the catalogue against words (letters and digits only). A word matches by its stem, as a prefix or inside a longer
 * word. A word that no item has is treated as a typo and matched by similarity. Only the items that match the most words are
 * returned, so one stray word does not empty the page. A match in the name weighs most.
 */
export async function searchIds(db: Db, words: readonly string[]): Promise<ItemId[]> {
  // Quoted, a word is one operand whatever it spells. ":*" matches prefixes.
  const asked = sql.join(words.map((word) => sql`(${word}::text, to_tsquery('english', ${`'${word}':*`}))`));
  const { rows } = await sql<{ id: ItemId }>`
    with asked (word, query) as (values ${asked}),
    judged as (
      select item.*, asked.*,
        item.search @@ query or (length(word) >= 3 and item.search_text ilike '%' || word || '%') as has_it
      from catalogue_items item cross join asked
      -- A query without nodes is a stop word: every item has it and it says nothing.
      where item.active and numnode(query) > 0
    ),
    known as (select *, bool_or(has_it) over (partition by word) as known from judged),
    matched as (
      select id, section, position, count(*) as words,
        sum(
          4 * (to_tsvector('english', name) @@ query or (not known and strict_word_similarity(word, name) >= ${alike}))::int
          + case when known then ts_rank(search, query) else strict_word_similarity(word, search_text) end
        ) as score
      from known
      where has_it or (not known and length(word) >= 4 and strict_word_similarity(word, search_text) >= ${alike})
      group by id, section, position
    )
    select id from matched
    where words = (select max(words) from matched)
    order by score desc, array_position(array['featured', 'other', 'addon'], section), position, id`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

/**
 * Inserts or updates items and their prices, and removes prices that are no longer given. Unchanged rows are not rewritten.
 * @returns how many items or prices were written
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
          name: eb.ref("excluded.name"),
          audience: eb.ref("excluded.audience"),
          description: eb.ref("excluded.description"),
          features: eb.ref("excluded.features"),
          images: eb.ref("excluded.images"),
          min_seats: eb.ref("excluded.min_seats"),
          max_seats: eb.ref("excluded.max_seats"),
          base_item_ids: eb.ref("excluded.base_item_ids"),
          facts: eb.ref("excluded.facts"),
          vendor_product: eb.ref("excluded.vendor_product"),
          vendor_sku: eb.ref("excluded.vendor_sku"),
          active: eb.ref("excluded.active"),
          search_text: eb.ref("excluded.search_text"),
        }))
        .where(differs("catalogue_items", itemColumns)),
    )
    .returning("id")
    .execute();

  const prices = items.flatMap(toPriceRows);
  const staleKeys = trx
    .deleteFrom("prices")
    .where(
      "item_id",
      "in",
      prices.map((price) => price.item_id),
    )
    .where((eb) =>
      eb.not(
        eb(
          eb.refTuple("item_id", "currency", "kind", "term", "billing_cycle"),
          "in",
          prices.map((p) => eb.tuple(p.item_id, p.currency, p.kind, p.term, p.billing_cycle)),
        ),
      ),
    );
  const removed = await staleKeys.returning("item_id").execute();
  const savedPrices = await trx
    .insertInto("prices")
    .values(prices)
    .onConflict((conflict) =>
      conflict
        .columns(["item_id", "currency", "kind", "term", "billing_cycle"])
        .doUpdateSet((eb) => ({
          amount_minor: eb.ref("excluded.amount_minor"),
          list_minor: eb.ref("excluded.list_minor"),
        }))
        .where(differs("prices", ["amount_minor", "list_minor"])),
    )
    .returning("item_id")
    .execute();
  return savedItems.length + removed.length + savedPrices.length;
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
  "name",
  "audience",
  "description",
  "features",
  "images",
  "min_seats",
  "max_seats",
  "base_item_ids",
  "facts",
  "vendor_product",
  "vendor_sku",
  "active",
  "search_text",
] as const;

/** Upsert condition: the stored row differs from the new one. Avoids rewriting every row at every start. */
function differs(table: "catalogue_items" | "prices", columns: readonly string[]) {
  const ours = sql.join(columns.map((column) => sql.ref(`${table}.${column}`)));
  const offered = sql.join(columns.map((column) => sql.ref(`excluded.${column}`)));
  return sql<boolean>`(${ours}) is distinct from (${offered})`;
}

type Items = SelectQueryBuilder<Database, "catalogue_items", object>;

function withPrices(items: Items) {
  return items.selectAll("catalogue_items").select((eb) =>
    jsonArrayFrom(
      eb
        .selectFrom("prices")
        .selectAll("prices")
        .whereRef("prices.item_id", "=", "catalogue_items.id")
        // The order in which terms are offered: the shorter commitment first, then the smaller instalment.
        .orderBy("prices.currency")
        .orderBy("prices.kind")
        .orderBy("prices.term")
        .orderBy("prices.billing_cycle", "desc"),
    ).as("prices"),
  );
}

async function firstItem(items: Items): Promise<CatalogueItem | null> {
  const row = await withPrices(items).executeTakeFirst();
  return row === undefined ? null : toItem(row);
}

function toItem(row: CatalogueItemRow & { prices: PriceRow[] }): CatalogueItem {
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
  };
}

function toRow(item: ItemToSave) {
  return {
    id: checkedId(item.id),
    sku: item.sku,
    family: item.family,
    section: item.section,
    position: item.position,
    name: item.name,
    audience: item.audience,
    description: item.description,
    features: JSON.stringify(item.features),
    images: JSON.stringify(item.images),
    min_seats: item.minSeats,
    max_seats: item.maxSeats,
    base_item_ids: JSON.stringify(item.baseItemIds),
    facts: item.facts === null ? null : JSON.stringify(item.facts),
    vendor_product: item.vendor?.product ?? null,
    vendor_sku: item.vendor?.sku ?? null,
    active: true,
    search_text: [
      item.name,
      item.family,
      item.sku,
      item.audience,
      item.description,
      ...item.features,
      ...item.images,
    ].join(" "),
  };
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
