/**
 * Creates a price list from a vendor's prices: its price for buyers becomes the list price, and each of our prices keeps its
 * discount ratio (docs/decisions/prices.md#price-lists).
 */

import { listPricedItems, pricesAt } from "#db/catalogue/dated-prices.ts";
import type { PriceListLine } from "#db/catalogue/price-lists.ts";
import { findCharges } from "#db/catalogue/vendor-prices.ts";
import type { Money } from "#db/money.ts";
import type { Db } from "#db/tables/index.ts";
import { scale } from "#server/catalogue/pricing/money.ts";
import type { VendorMarket } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { countries, currencyOf } from "#server/foundation/countries/registry.ts";

/**
 * Creates a line for each price of the market's items for which the vendor has a price.
 * @param from the start of the prices; the vendor's prices at that time count
 */
export async function linesFromVendor(
  db: Db,
  { family, country, account }: Pick<VendorMarket, "family" | "country" | "account">,
  from: Date,
): Promise<PriceListLine[]> {
  const currency = currencyOf(country);
  const items = new Map((await listPricedItems(db)).map((item) => [item.id, item]));
  const prices = [...(await pricesAt(db, from)).values()].filter(
    (price) => price.currency === currency && items.get(price.itemId)?.family === family,
  );
  const charges = await findCharges(
    db,
    prices.map(({ itemId, term, billingCycle }) => {
      const place = { family, country, account, itemId };
      return { ...place, term, billingCycle, currency, quantity: 1, now: from };
    }),
  );
  return prices
    .flatMap(({ amount, list, ...key }, index) => {
      const retail = charges[index]?.retail;
      if (retail === undefined || retail.minor === 0) return [];
      const price = preserveDiscountRatio(retail, { amount, list }, countries[country].totalStepMinor);
      return [{ ...key, item: key.itemId, amountMinor: price.minor, listMinor: retail.minor }];
    })
    .map((line, index) => ({ ...line, line: index + 1 }));
}

/**
 * Scales a price in proportion to the change of the list price, rounded half up to the country's step of totals. A price that had
 * no list price becomes the list price.
 * @param stepMinor in minor units, from 1
 */
export function preserveDiscountRatio(
  retail: Money,
  { amount, list }: { amount: Money; list: Money | null },
  stepMinor: number,
): Money {
  if (list === null || list.minor === 0) return retail;
  if (list.minor === retail.minor) return amount;
  const exact = scale(retail, amount.minor, list.minor * stepMinor);
  return { ...exact, minor: Math.max(exact.minor, 1) * stepMinor };
}
