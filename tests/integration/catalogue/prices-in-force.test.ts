/** Property test: finds the prices in force among all past and future prices of an item. */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { countryRows } from "#db/seed/countries.ts";
import { seedCatalogue } from "#db/seed/index.ts";
import { findOwnedItems, getItem, listDashboard } from "#server/catalogue/items.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const database = await createTestDatabase();
const hour = 60 * 60 * 1000;

beforeAll(async () => {
  await seedCatalogue(database.db, catalogue);
});

const key = fc.record({
  currency: fc.constantFrom(...new Set(countryRows.map(({ currency }) => currency))),
  kind: fc.constantFrom("regular" as const, "signup" as const),
  term: fc.constantFrom("P1M" as const, "P1Y" as const),
  billing_cycle: fc.constantFrom("monthly" as const, "annual" as const),
});
type Key = typeof key extends fc.Arbitrary<infer Value> ? Value : never;
/** A price that begins the given number of hours from now; negative if it has begun. */
const dated = fc.record({
  key,
  hours: fc.integer({ min: -2_000, max: 48 }),
  minor: fc.integer({ min: 1, max: 900_000 }),
});
type Dated = typeof dated extends fc.Arbitrary<infer Value> ? Value : never;

const named = ({ currency, kind, term, billing_cycle }: Key) =>
  [currency, kind, term, billing_cycle].join(" ");

/** Reference implementation: the last price of each kind that has begun. */
function inForce(prices: readonly Dated[]): Record<string, number> {
  const begun = prices.filter(({ hours }) => hours <= 0).sort((a, b) => a.hours - b.hours);
  return Object.fromEntries(begun.map(({ key, minor }) => [named(key), minor]));
}

test("returns the price of each kind that began last", async () => {
  const [first, second] = (await listDashboard(database.db, "microsoft")).featured.map(({ id }) => id);
  expect.assert(first !== undefined && second !== undefined);
  const ofItem = fc.uniqueArray(dated, {
    maxLength: 40,
    selector: (each) => `${named(each.key)} ${each.hours}`,
  });
  await fc.assert(
    fc.asyncProperty(ofItem, ofItem, async (...both) => {
      const now = Date.now();
      await database.db.deleteFrom("dated_prices").execute();
      const rows = both.flatMap((prices, index) =>
        prices.map(({ key, hours, minor }) => ({
          ...key,
          item_id: index === 0 ? first : second,
          valid_from: new Date(now + hours * hour - 1),
          amount_minor: minor,
          list_minor: null,
          list_id: null,
        })),
      );
      if (rows.length > 0) await database.db.insertInto("dated_prices").values(rows).execute();
      const items = await findOwnedItems(database.db, [first, second]);
      for (const [index, id] of [first, second].entries()) {
        const prices = items.get(id)?.prices ?? [];
        const found = prices.map((price) => [
          named({ ...price, billing_cycle: price.billingCycle }),
          price.amount.minor,
        ]);
        expect(Object.fromEntries(found)).toEqual(inForce(both[index] ?? []));
        expect(found.length).toBe(new Set(found.map(([name]) => name)).size);
      }
      const alone = await getItem(database.db, first);
      expect(alone.prices).toEqual(items.get(first)?.prices);
    }),
    { numRuns: 60 },
  );
});
