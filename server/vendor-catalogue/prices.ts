/** What our items cost us: imports vendors' prices, and compares them with ours. */

import type { Money } from "#db/money.ts";
import type { Db } from "#db/tables/index.ts";
import {
  findCharges,
  listVendorIds,
  saveVendorPrices,
  type VendorPrice,
  vendorKey,
} from "#db/vendor-catalogue.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { itemsWithVendor } from "#server/catalogue/items.ts";
import type { Context } from "#server/context.ts";
import { currencyOf } from "#server/countries/country.ts";
import type { Market } from "./ask.ts";
import { readPriceSheet } from "./price-sheet.ts";

/**
 * Stores the prices of a sheet for the items that were found in the market; a row that is there already is replaced.
 * @param sheet.month "2026-11": stores only what is in effect then
 * @returns how many prices were read
 * @throws PriceSheetError for a text that is no price sheet
 */
export async function importSheet({ db }: Context, market: Market, sheet: Sheet): Promise<number> {
  const prices = await readSheet(db, market, sheet);
  await db.transaction().execute((trx) => saveVendorPrices(trx, market, prices));
  return prices.length;
}

export interface Sheet {
  pieces: AsyncIterable<string>;
  month?: string | undefined;
}

/** As importSheet, without storing anything. */
export async function readSheet(
  db: Db,
  { family, country }: Pick<Market, "family" | "country">,
  { pieces, month }: Sheet,
): Promise<VendorPrice[]> {
  const keys = new Set((await listVendorIds(db, { family, country })).map(vendorKey));
  return readPriceSheet(pieces, { market: country, currency: currencyOf(country), keys, month });
}

/**
 * Stores the prices of the vendor's own sheet.
 * @param month a past one, "2026-11"; the present sheet when left out
 * @returns how many prices were read; null for a vendor without a sheet, whose prices come with its catalogue
 * @throws ProviderError; PriceSheetError for a sheet that cannot be read
 */
export async function fetchSheet(context: Context, market: Market, month?: string): Promise<number | null> {
  const { readPriceSheet: read } = market.catalogue;
  if (read === null) return null;
  return importSheet(context, market, { pieces: await read(context, market.country, month), month });
}

/** A price of ours beside what it costs us. */
export interface Margin {
  item: CatalogueItem;
  price: CatalogueItem["prices"][number];
  /** Null while no price of the vendor is known. */
  cost: Money | null;
}

/** Every price of a market's items, by what one seat costs now. */
export async function listMargins(
  { db }: Pick<Context, "db">,
  { family, country, account }: Pick<Market, "family" | "country" | "account">,
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
