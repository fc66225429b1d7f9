/** Imported price lists, the prices in force, and an item's price history, for staff. */

import { listPricedItems, listPriceHistory, type PricedItem, pricesAt } from "#db/catalogue/dated-prices.ts";
import { type ListedPriceList, listPriceLists } from "#db/catalogue/price-lists.ts";
import { type PriceListId, parsePriceListId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { writePriceList } from "./csv.ts";
import { type PriceHistoryView, priceHistoryView } from "./view.ts";

const pageSize = 30;

/** Returns a page, newest first. @param page the `next` of the page before; anything else is the first page */
export async function readPriceLists(
  db: Db,
  page: string | null,
): Promise<{ lists: ListedPriceList[]; next: string | null }> {
  const before = page === null ? null : parsePriceListId(page);
  const rows = await listPriceLists(db, { limit: pageSize + 1, before });
  const lists = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? lists.at(-1) : undefined;
  return { lists, next: last === undefined ? null : String(last.id) };
}

/** @throws DomainError not_found */
export async function getListedPriceList(db: Db, id: PriceListId): Promise<ListedPriceList> {
  const [list] = await listPriceLists(db, { limit: 1, only: id });
  if (list === undefined) throw new DomainError("not_found", `Price list ${id} not found.`);
  return list;
}

/** Exports the prices in force as a list that changes nothing, to edit and import. */
export async function exportPrices(db: Db, now: Date): Promise<string> {
  return writePriceList(await listPricedItems(db), [...(await pricesAt(db, now)).values()]);
}

/** @param idOrSku of an item that is or was sold @throws DomainError not_found */
export async function readPriceHistory(
  db: Db,
  idOrSku: string,
  now: Date,
): Promise<{ item: PricedItem; prices: PriceHistoryView[] }> {
  const item = (await listPricedItems(db)).find(({ id, sku }) => id === idOrSku || sku === idOrSku);
  if (item === undefined) throw notFound("plan");
  return { item, prices: priceHistoryView(await listPriceHistory(db, item.id), now) };
}
