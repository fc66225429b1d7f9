/**
 * Catalogue items with their prices: rows in, domain objects out. Amounts have the shape of the server's Money, so that they
 * can be added without conversion.
 */
import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { ItemId } from "#db/ids.ts";
import { familyRows } from "#db/seed/families.ts";
import type { CatalogueItemRow, DatedPricesTable } from "#db/tables/catalogue.ts";
import type { BillingCycle, Currency, FamilyId, PriceKind, Section, Term } from "#db/tables/enums.ts";
import type { Database, Db } from "#db/tables/index.ts";
import type { ItemCopy, StoredItemCopy } from "./item-copy.ts";
import type { PlanFacts } from "./plan-facts.ts";

/** Price of a seat for one billing period: a month when billed monthly, the whole term when billed annually. */
export interface Price {
  readonly currency: Currency;
  readonly kind: PriceKind;
  readonly term: Term;
  readonly billingCycle: BillingCycle;
  readonly amount: Amount;
  /** The vendor's list price (ERP) for the same period. Null when none is shown. */
  readonly list: Amount | null;
  /** Source of the price. Left out of prices that are not read from those in force, such as the seed's. */
  readonly source?: PriceSource;
}

/** Start of a price, and the price list that set it. */
export interface PriceSource {
  /** ISO 8601; 1970 for items on sale from the beginning. */
  readonly since: string;
  /** Null for a price that no list has set. */
  readonly list: number | null;
}

export interface Amount {
  readonly minor: number;
  readonly currency: Currency;
}

/** Titles of a product and of one of its SKUs in a vendor's catalogue, by which their ids are found. */
export interface VendorTitles {
  readonly product: string;
  readonly sku: string;
}

/** A plan or an add-on as it is sold. */
export interface CatalogueItem extends ItemCopy {
  readonly id: ItemId;
  /** The store's own SKU, used in addresses and calls. Vendors do not know it. */
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
  /** Null when there is no limit to show. */
  readonly maxSeats: number | null;
  /** Base items of an add-on, one of which the customer must already have. */
  readonly baseItemIds: readonly string[];
  readonly isAddon: boolean;
  /** Null for an add-on, and for a plan not seeded since its facts were added. */
  readonly facts: PlanFacts | null;
  readonly prices: readonly Price[];
}

/** An add-on to items that a customer has. */
export type AddOn = Pick<CatalogueItem, "name" | "sku" | "baseItemIds">;

const slug = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const skuShape = /^[A-Z0-9]+([:-][A-Z0-9]+)*$/;

/** Whether the text can be an item's id. A SKU never can, because SKUs are upper case. */
export function isItemId(text: string): text is ItemId {
  return text.length <= 100 && slug.test(text);
}

const onSale = (db: Db) => db.selectFrom("catalogue_items").where("active", "=", true);

const itemsWithIds = (db: Db, ids: readonly ItemId[]) =>
  withPrices(db.selectFrom("catalogue_items").where("id", "in", ids)).execute();

/** Returns the item with this id, even if it is no longer sold. */
export async function itemById(db: Db, id: ItemId): Promise<(CatalogueItem & { active: boolean }) | null> {
  const [row] = await itemsWithIds(db, [id]);
  return row === undefined ? null : { ...toItem(row), active: row.active };
}

/** Returns the item on sale with this id or SKU. Text that is neither never reaches the database. */
export async function itemOnSale(db: Db, idOrSku: string): Promise<CatalogueItem | null> {
  if (isItemId(idOrSku)) {
    const [item = null] = await itemsByIds(db, [idOrSku]);
    return item;
  }
  if (idOrSku.length > 100 || !skuShape.test(idOrSku)) return null;
  const row = await withPrices(onSale(db).where("sku", "=", idOrSku)).executeTakeFirst();
  return row === undefined ? null : toItem(row);
}

/** Lists the items of these families on sale, each family in display order. */
export async function itemsOfFamilies(db: Db, requested: readonly FamilyId[]): Promise<CatalogueItem[]> {
  if (requested.length === 0) return [];
  const rows = await withPrices(onSale(db).where("family", "in", requested))
    .orderBy("position")
    .orderBy("id")
    .execute();
  return rows.map(toItem);
}

/** Lists the items on sale with these ids, in the given order. */
export async function itemsByIds(db: Db, ids: readonly ItemId[]): Promise<CatalogueItem[]> {
  if (ids.length === 0) return [];
  const rows = await itemsWithIds(db, ids);
  const found = new Map(rows.filter(({ active }) => active).map((row) => [row.id, toItem(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Lists the items with these ids, including those that are no longer sold. */
export async function listItemsIncludingRetired(db: Db, ids: readonly ItemId[]): Promise<CatalogueItem[]> {
  if (ids.length === 0) return [];
  const rows = await itemsWithIds(db, ids);
  return rows.map(toItem);
}

/** Sorts families in display order. */
export const familyByFamily = sql`array_position(array[${sql.join(familyRows.map(({ id }) => id))}], family)`;

/** Lists the add-ons on sale without their prices, family by family. */
export function addOnsOnSale(db: Db): Promise<AddOn[]> {
  return onSale(db)
    .select(["name", "sku", "base_item_ids as baseItemIds"])
    .where("section", "=", "addon")
    .orderBy(familyByFamily)
    .orderBy("position")
    .orderBy("id")
    .execute();
}

/** Lists the featured items of every family, family by family. */
export async function featuredIds(db: Db): Promise<ItemId[]> {
  const rows = await onSale(db)
    .select("id")
    .where("section", "=", "featured")
    .orderBy(familyByFamily)
    .orderBy("position")
    .execute();
  return rows.map((row) => row.id);
}

export const itemColumns = [
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

type Items = SelectQueryBuilder<Database, "catalogue_items", object>;

/** All displayed columns, without the ones for search. */
const shownColumns = ["id", ...itemColumns, "name", "audience", "description", "features", "words"] as const;

const priceColumns = sql.raw(
  "currency, kind, term, billing_cycle, amount_minor, list_minor, valid_from, list_id",
);

const lastInForce = sql.raw(
  "order by currency desc, kind desc, term desc, billing_cycle desc, valid_from desc limit 1",
);

/**
 * Adds the prices in force at a moment. The index leads from each price to the previous one, past those of earlier lists, so that
 * neither old prices nor missing price keys are read.
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

/** A price in force, as JSON, with its moment as text. */
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

/** Texts of an item in every language. */
export type ItemTexts = ItemCopy & Pick<CatalogueItem, "name" | "words">;

export function toTextColumns(item: ItemTexts & Pick<CatalogueItem, "family" | "sku" | "images">) {
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
