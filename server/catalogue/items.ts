/** The catalogue as buyers meet it: one item, or a family laid out in its sections. */
import {
  addOnItems,
  type CatalogueItem,
  itemById,
  itemOnSale,
  itemsOfFamily,
  type Price,
} from "#db/catalogue.ts";
import type { ItemId } from "#db/ids.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { notFound } from "#server/errors.ts";

export type { CatalogueItem, Price };

export interface Dashboard {
  readonly featured: CatalogueItem[];
  readonly other: CatalogueItem[];
  readonly addOns: CatalogueItem[];
}

/** The item on sale with this id or sku. Takes any text, such as a URL's. */
export async function findItem(db: Db, idOrSku: string): Promise<CatalogueItem | null> {
  return itemOnSale(db, idOrSku);
}

/**
 * The item with this id.
 * @param options.includeRetired also one no longer sold: for what a customer already has
 * @throws DomainError not_found
 */
export async function getItem(
  db: Db,
  id: ItemId,
  options: { includeRetired?: boolean } = {},
): Promise<CatalogueItem> {
  const found = await itemById(db, id);
  if (found === null || !(found.active || options.includeRetired)) throw notFound("plan");
  const { active: _, ...item } = found;
  return item;
}

/** What a family sells, section by section, each in the order it is shown. */
export async function listDashboard(db: Db, family: FamilyId): Promise<Dashboard> {
  const items = await itemsOfFamily(db, family);
  return {
    featured: items.filter((item) => item.section === "featured"),
    other: items.filter((item) => item.section === "other"),
    addOns: items.filter((item) => item.section === "addon"),
  };
}

/** The add-ons of every family, family by family. */
export function listAddOns(db: Db): Promise<CatalogueItem[]> {
  return addOnItems(db);
}
