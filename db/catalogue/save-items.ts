/** Writes the catalogue's items and prices, and keeps what staff have edited. */
import { type Selectable, sql } from "kysely";
import type { ItemId } from "#db/ids.ts";
import type { DatedPricesTable } from "#db/tables/catalogue.ts";
import type { Trx } from "#db/tables/index.ts";
import { type CatalogueItem, isItemId, itemColumns, toTextColumns } from "./catalogue.ts";

/** An item before it is saved: its id is still plain text, and its position in the family is known. */
export type ItemToSave = Omit<CatalogueItem, "id" | "isAddon"> & {
  readonly id: string;
  readonly position: number;
};

/**
 * Inserts or updates items, adds missing prices, and removes those that are no longer given. Changes by staff stay: the texts of
 * an item, and every price that a price list has set. An existing price is never changed. Unchanged rows are not rewritten.
 * @returns the number of items and prices written
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

/** Start of prices without a start date. */
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

const textColumns = ["name", "audience", "description", "features", "words", "search_text"] as const;

/** Returns the upsert condition that the stored row differs from the new one, which avoids rewriting every row at every start. */
function differs(columns: readonly string[]) {
  const ours = sql.join(columns.map((column) => sql.ref(`catalogue_items.${column}`)));
  const offered = sql.join(columns.map((column) => sql.ref(`excluded.${column}`)));
  return sql<boolean>`(${ours}) is distinct from (${offered})`;
}

function unlessEdited(column: (typeof textColumns)[number]) {
  const ours = sql.ref(`catalogue_items.${column}`);
  return sql<string>`case when catalogue_items.texts_edited_at is null then ${sql.ref(`excluded.${column}`)} else ${ours} end`;
}

/** Suffix of every add-on's SKU, and of no other (docs/specification.md, section 9.2). */
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
