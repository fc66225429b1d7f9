/** The catalogue for buyers: one item, or a family divided into sections. */
import {
  type AddOn,
  addOnsOnSale,
  type CatalogueItem,
  itemById,
  itemOnSale,
  itemsOfFamilies,
  listItemsIncludingRetired,
  type Price,
  type VendorTitles,
} from "#db/catalogue/catalogue.ts";
import type { ItemCopy } from "#db/catalogue/item-copy.ts";
import { itemTexts } from "#db/catalogue/item-texts.ts";
import type { ItemId } from "#db/ids.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { notFound } from "#server/foundation/errors.ts";

export type { AddOn, CatalogueItem, Price };

export interface Dashboard {
  readonly featured: CatalogueItem[];
  readonly other: CatalogueItem[];
  readonly addOns: CatalogueItem[];
}

/** Finds the item on sale with this id or SKU. Accepts any string, such as one from a URL. */
export async function findItem(db: Db, idOrSku: string): Promise<CatalogueItem | null> {
  return itemOnSale(db, idOrSku);
}

/**
 * @param options.includeRetired also finds an item that is no longer sold, for customers who have it
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

/** Returns an item's texts, even if it is no longer sold. @throws DomainError not_found */
export async function getItemTexts(
  db: Db,
  id: ItemId,
): Promise<ItemCopy & Pick<CatalogueItem, "name" | "words">> {
  const found = await itemTexts(db, id);
  if (found === null) throw notFound("plan");
  return found;
}

/** Maps ids to the items that a customer has, even if they are no longer sold. */
export async function findOwnedItems(
  db: Db,
  ids: Iterable<ItemId>,
): Promise<ReadonlyMap<ItemId, CatalogueItem>> {
  const items = await listItemsIncludingRetired(db, [...new Set(ids)]);
  return new Map(items.map((item) => [item.id, item]));
}

/** Lists a family's items by section, each in display order. */
export async function listDashboard(db: Db, family: FamilyId): Promise<Dashboard> {
  return dashboardOf(await itemsOfFamilies(db, [family]));
}

/** Lists the dashboards of several families with one query. */
export async function listDashboards<Family extends FamilyId>(
  db: Db,
  families: readonly Family[],
): Promise<({ family: Family } & Dashboard)[]> {
  const items = await itemsOfFamilies(db, families);
  return families.map((family) => ({
    family,
    ...dashboardOf(items.filter((item) => item.family === family)),
  }));
}

function dashboardOf(items: readonly CatalogueItem[]): Dashboard {
  return {
    featured: items.filter((item) => item.section === "featured"),
    other: items.filter((item) => item.section === "other"),
    addOns: items.filter((item) => item.section === "addon"),
  };
}

/** Lists the add-ons of all families, grouped by family. */
export function listAddOns(db: Db): Promise<AddOn[]> {
  return addOnsOnSale(db);
}

/** An item that we buy from a vendor. */
export type VendorItem = CatalogueItem & { readonly vendor: VendorTitles };

/** Lists a family's items on sale that have a vendor, in display order. */
export async function itemsWithVendor(db: Db, family: FamilyId): Promise<VendorItem[]> {
  const items = await itemsOfFamilies(db, [family]);
  return items.flatMap((item) => (item.vendor === null ? [] : [{ ...item, vendor: item.vendor }]));
}
