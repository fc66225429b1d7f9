/** Stores the vendor's ids of our items, found in its catalogue by name. */

import { saveVendorIds, type VendorIds } from "#db/catalogue/vendor-catalogue.ts";
import type { ItemId } from "#db/ids.ts";
import type { Context } from "#server/platform/context.ts";
import { fetchMarket, type VendorMarket } from "./fetch-market.ts";

export interface StoredVendorIds {
  itemId: ItemId;
  ids: VendorIds;
  /** Ids stored before; null for the first time. */
  before: VendorIds | null;
}

/**
 * Stores the ids; idempotent. An item that is not found, or found more than once, keeps its stored ids: `check` reports which.
 * @returns the new ids
 * @throws ProviderError
 */
export async function updateMarket(context: Context, market: VendorMarket): Promise<StoredVendorIds[]> {
  const { country, account } = market;
  const fetched = await fetchMarket(context, market);
  return context.db.transaction().execute(async (trx) => {
    const changed: StoredVendorIds[] = [];
    for (const { item, stored: before, found } of fetched) {
      const [only, ...others] = found;
      if (only === undefined || others.length > 0) continue;
      const isNew = await saveVendorIds(trx, { itemId: item.id, country, account }, only.ids);
      if (isNew) changed.push({ itemId: item.id, ids: only.ids, before });
    }
    return changed;
  });
}
