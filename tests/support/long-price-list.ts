/**
 * A price list of 500 lines for the first of the month: 40 changes, 3 below cost, 5 unknown, 1 duplicate; the rest is unchanged.
 */

import { isItemId } from "#db/catalogue/catalogue.ts";
import type { ItemToSave } from "#db/catalogue/save-items.ts";
import { saveVendorIds } from "#db/catalogue/vendor-catalogue.ts";
import { saveVendorPrices } from "#db/catalogue/vendor-prices.ts";
import type { ItemId } from "#db/ids.ts";
import { listVendorMarkets } from "#server/desk/vendor-catalogue/fetch-market.ts";
import type { Context } from "#server/platform/context.ts";
import { catalogue } from "./catalogue/index.ts";

/** The plan that test orders use, one of the 40 that change. */
export const basic = "microsoft-365-business-basic";

/** Enough plans for a long list. */
const numbers = Array.from({ length: 130 }, (_, index) => String(index + 1).padStart(3, "0"));

export const plans: ItemToSave[] = catalogue
  .filter((item) => item.id === basic)
  .flatMap((template) =>
    numbers.map((number) => ({
      ...template,
      id: `plan-${number}`,
      sku: `PLAN-${number}`,
      vendor: { product: `Plan ${number}`, sku: `Plan ${number}` },
      section: "other" as const,
      position: 1_000 + Number(number),
    })),
  );

/** The list's prices for these are below the costs from `insertVendorCosts`. */
export const itemsBelowCost = ["plan-001", "plan-002", "plan-003"];
export const costAboveListPrice = 100_000;
const changed = numbers.slice(3, 42).map((number) => `plan-${number}`);

export const csv = (...rows: string[]) => ["item,currency,term,kind,price,list_price", ...rows].join("\n");

/** The list: 39 plans and the one that test orders use change. */
export function longList(): string {
  const inRupees = (minor: number) => (minor / 100).toFixed(2);
  const rest = plans
    .filter(({ id: item }) => !itemsBelowCost.includes(item))
    .flatMap(({ id: item, prices }) =>
      prices
        .filter(({ currency, term }) => !(changed.includes(item) && currency === "INR" && term === "P1Y"))
        .map(({ currency, term, amount }) => `${item},${currency},${term},,${inRupees(amount.minor)},`),
    );
  const rows = [
    `${basic},INR,P1Y,regular,1700,`,
    ...changed.map((item) => `${item.toUpperCase()},INR,P1Y,,1600,1800`),
    ...itemsBelowCost.map((item) => `${item},INR,P1Y,,900,`),
    ...[1, 2, 3, 4, 5].map((number) => `not-ours-${number},INR,P1Y,,100,`),
  ];
  const unchanged = rest.slice(0, 500 - rows.length - 1);
  return csv(...rows, ...unchanged, unchanged[0] ?? "");
}

export function itemIdOf(text: string): ItemId {
  if (!isItemId(text)) throw new TypeError(`Not an item: ${text}`);
  return text;
}

/** Stores vendor costs of these plans for a year in India. */
export async function insertVendorCosts(
  context: Pick<Context, "db" | "env">,
  items: readonly string[],
  costMinor: number,
): Promise<void> {
  const market = listVendorMarkets(context, "IN").find(({ family }) => family === "microsoft");
  if (market === undefined) throw new Error("Microsoft has no account in India");
  const { family, country, account } = market;
  await context.db.transaction().execute(async (trx) => {
    for (const item of items) {
      const ids = { productId: `P-${item}`, skuId: "0001" };
      await saveVendorIds(trx, { itemId: itemIdOf(item), country, account }, ids);
      await saveVendorPrices(trx, { family, country }, [
        {
          ...ids,
          term: "P1Y",
          billingCycle: "annual",
          currency: "INR",
          minSeats: 1,
          maxSeats: null,
          costMinor,
          retailMinor: 2 * costMinor,
          startsAt: new Date(0),
          endsAt: null,
        },
      ]);
    }
  });
}
