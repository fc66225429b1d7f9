/** Reads every vendor's ids of our items, in each country in which the store has an account with it. */

import { findVendorIds, type VendorIds } from "#db/catalogue/vendor-catalogue.ts";
import { deletePricesInForce, saveVendorPrices } from "#db/catalogue/vendor-prices.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import { families, familyIds } from "#server/catalogue/families/registry.ts";
import {
  type FoundItem,
  roundUpToMinor,
  type VendorCatalogue,
} from "#server/catalogue/families/vendor-catalogue.ts";
import { itemsWithVendor, type VendorItem } from "#server/catalogue/items.ts";
import { countryCodes, currencyOf } from "#server/foundation/countries/registry.ts";
import type { Context } from "#server/platform/context.ts";

/** A vendor's catalogue in a country. */
export interface VendorMarket {
  family: FamilyId;
  country: Country;
  /** The store's account with the vendor there. */
  account: string;
  catalogue: VendorCatalogue;
}

/** An item on sale, with the vendor's items of the same names. */
export interface FetchedItem {
  item: VendorItem;
  stored: VendorIds | null;
  found: FoundItem[];
}

/** @param only a country; all when left out */
export function listVendorMarkets({ env }: Pick<Context, "env">, only?: Country): VendorMarket[] {
  return countryCodes
    .filter((country) => only === undefined || country === only)
    .flatMap((country) =>
      familyIds.flatMap((family) => {
        const catalogue = families[family].vendor?.catalogue;
        const account = catalogue?.accountIn(env, country) ?? null;
        return catalogue === undefined || account === null ? [] : [{ family, country, account, catalogue }];
      }),
    );
}

/**
 * Reads every item of the market's family that has a vendor's name. Also stores the prices that are found. @throws ProviderError
 */
export async function fetchMarket(
  context: Context,
  { family, country, account, catalogue }: VendorMarket,
): Promise<FetchedItem[]> {
  const items = await itemsWithVendor(context.db, family);
  const names = items.map(({ vendor }) => vendor);
  const found = items.length === 0 ? [] : await catalogue.find(context, country, names);
  await storePrices(context, { family, country }, found);
  return Promise.all(
    items.map(async (item) => ({
      item,
      stored: await findVendorIds(context.db, { itemId: item.id, country, account }),
      found: found.filter(({ name }) => name.product === item.vendor.product && name.sku === item.vendor.sku),
    })),
  );
}

/** A catalogue's own prices have no start date: the newest counts. */
const always = new Date(0);

async function storePrices(
  { db }: Context,
  market: Pick<VendorMarket, "family" | "country">,
  found: readonly FoundItem[],
): Promise<void> {
  const ours = currencyOf(market.country);
  const prices = found.flatMap(({ ids, prices: all }) =>
    all
      .filter(({ currency }) => currency === ours)
      .map(({ term, billingCycle, cost, retail }) => ({
        ...ids,
        term,
        billingCycle,
        currency: ours,
        minSeats: 1,
        maxSeats: null,
        costMinor: roundUpToMinor(cost),
        retailMinor: roundUpToMinor(retail),
        startsAt: always,
        endsAt: null,
      })),
  );
  await db.transaction().execute(async (trx) => {
    // A price that a file announced has begun, so the catalogue itself contains it.
    await deletePricesInForce(trx, market, prices, new Date());
    await saveVendorPrices(trx, market, prices);
  });
}
