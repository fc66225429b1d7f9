/** Costs of our items: imports the vendors' prices, and compares them with ours. */

import { listVendorIds, vendorKey } from "#db/catalogue/vendor-catalogue.ts";
import {
  endVendorPrices,
  findCharges,
  saveVendorPrices,
  type VendorPrice,
} from "#db/catalogue/vendor-prices.ts";
import type { ItemId } from "#db/ids.ts";
import type { Money } from "#db/money.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { FileTally, PriceFileError } from "#server/catalogue/families/vendor-catalogue.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { itemsWithVendor } from "#server/catalogue/items.ts";
import { currencyOf } from "#server/foundation/countries/registry.ts";
import type { Context } from "#server/platform/context.ts";
import { listVendorMarkets, type VendorMarket } from "./fetch-market.ts";

/**
 * Stores the prices of a vendor's file for the items that were found in the market; replaces existing rows.
 * @param sheet.month "2026-11": stores only the prices in effect then
 * @returns the numbers of imported and skipped rows, and why
 * @throws PriceFileError for a text that isn't a price sheet, and for a sheet that has none of the items
 */
export async function importPriceSheet(
  { db }: Context,
  market: VendorMarket,
  sheet: PriceSheet,
): Promise<FileTally> {
  const read = await parsePriceSheet(db, market, sheet);
  await db.transaction().execute((trx) => storePriceSheet(trx, market, read));
  return read.tally;
}

/** Prices of a vendor's file. */
export interface ReadPrices {
  prices: VendorPrice[];
  tally: FileTally;
}

export async function storePriceSheet(
  trx: Trx,
  market: Pick<VendorMarket, "family" | "country">,
  { prices, tally }: ReadPrices,
): Promise<void> {
  await endVendorPrices(trx, market, tally.withdrawn, new Date());
  await saveVendorPrices(trx, market, prices);
}

export interface PriceSheet {
  pieces: AsyncIterable<string>;
  month?: string | undefined;
}

/** Parses a price sheet as importPriceSheet does, without storing anything. */
export async function parsePriceSheet(
  db: Db,
  { family, country, catalogue }: Pick<VendorMarket, "family" | "country" | "catalogue">,
  { pieces, month }: PriceSheet,
): Promise<ReadPrices> {
  const keys = new Set((await listVendorIds(db, { family, country })).map(vendorKey));
  const wanted = { market: country, currency: currencyOf(country), keys, month, now: new Date() };
  const tally = new FileTally();
  const prices = await catalogue.priceFile.read(pieces, { ...wanted, tally });
  // Before the first comparison of the catalogue, no item is known to be sold.
  if (prices.length === 0 && keys.size > 0)
    throw new PriceFileError(`No price in this file is for an item sold here. ${tally.text}`);
  return { prices, tally };
}

/**
 * Stores the prices of the vendor's own sheet.
 * @param month a past one, "2026-11"; the present sheet when left out
 * @returns the numbers of imported and skipped rows; null for a vendor without a sheet, whose prices come with its catalogue
 * @throws ProviderError; PriceFileError for a sheet that cannot be read
 */
export async function fetchPriceSheet(
  context: Context,
  market: VendorMarket,
  month?: string,
): Promise<FileTally | null> {
  const { readPriceSheet: read } = market.catalogue;
  if (read === null) return null;
  return importPriceSheet(context, market, { pieces: await read(context, market.country, month), month });
}

/** One of our prices with its cost. */
export interface Margin {
  item: CatalogueItem;
  price: CatalogueItem["prices"][number];
  /** Null while no vendor price is known. */
  cost: Money | null;
}

/** Lists every price of a market's items with the present cost of one seat. */
export async function listMargins(
  { db }: Pick<Context, "db">,
  { family, country, account }: Pick<VendorMarket, "family" | "country" | "account">,
  now = new Date(),
): Promise<Margin[]> {
  const currency = currencyOf(country);
  const items = await itemsWithVendor(db, family);
  const priced = items.flatMap((item) =>
    item.prices.filter((price) => price.currency === currency).map((price) => ({ item, price })),
  );
  const charges = await findCharges(
    db,
    priced.map(({ item, price: { term, billingCycle } }) => ({
      family,
      country,
      account,
      itemId: item.id,
      term,
      billingCycle,
      currency,
      quantity: 1,
      now,
    })),
  );
  return priced.map((one, index) => ({ ...one, cost: charges[index]?.cost ?? null }));
}

/** Counts the items with a price in force whose margin is below PRICE_MARGIN_FLOOR, without items whose cost is unknown. */
export async function countBelowFloor(
  { db, env }: Pick<Context, "db" | "env">,
  now = new Date(),
): Promise<number> {
  const below = new Set<ItemId>();
  // In sequence, since the store's monitoring has one connection.
  for (const market of listVendorMarkets({ env }))
    for (const { item, price, cost } of await listMargins({ db }, market, now))
      if (cost !== null && isBelow(price.amount, cost, env.PRICE_MARGIN_FLOOR)) below.add(item.id);
  return below.size;
}

/** @param floor percent of the price */
function isBelow(price: Money, cost: Money, floor: number): boolean {
  return 100 * (price.minor - cost.minor) < floor * price.minor;
}
