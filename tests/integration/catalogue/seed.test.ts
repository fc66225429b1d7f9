/** Seeding a real database: repeatable, follows the catalogue files. */
import { beforeEach, expect, test } from "vitest";
import { isItemId } from "#db/catalogue/catalogue.ts";
import { seedCatalogue } from "#db/seed/index.ts";
import { findItem, getItem } from "#server/catalogue/items.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const database = await createTestDatabase();
beforeEach(() => seedCatalogue(database.db, catalogue));

test("writes nothing on a second run", async () => {
  expect(await seedCatalogue(database.db, catalogue)).toEqual({
    items: catalogue.length,
    written: 0,
    retired: [],
  });
});

test("allows several processes to seed at once", async () => {
  await database.db.deleteFrom("catalogue_items").execute();
  const results = await Promise.all([1, 2, 3].map(() => seedCatalogue(database.db, catalogue)));
  expect(results.filter((result) => result.written > 0)).toHaveLength(1);
});

test("restores changed texts but keeps prices, and removes prices no longer offered", async () => {
  const brioIds = catalogue
    .filter((item) => item.family === "brio")
    .map((item) => item.id)
    .filter(isItemId);
  await database.db
    .updateTable("dated_prices")
    .set({ amount_minor: 1 })
    .where("item_id", "in", brioIds)
    .execute();
  await database.db
    .updateTable("catalogue_items")
    .set({ name: "Old" })
    .where("sku", "=", "BRIO-DESK")
    .execute();
  const without = catalogue.map((item) => ({
    ...item,
    prices: item.prices.filter((price) => item.id !== "brio-guard" || price.term === "P1Y"),
  }));
  expect((await seedCatalogue(database.db, without)).written).toBe(1 + 2);

  const desk = await findItem(database.db, "brio-desk");
  expect(desk?.name).toBe("brio Desk");
  expect(desk?.prices.map(({ amount }) => amount.minor)).toEqual([1, 1, 1, 1]);
  expect((await findItem(database.db, "brio-guard"))?.prices.map((price) => price.term)).not.toContain("P1M");
});

test("retires an item that left the files: existing customers see it, it can return", async () => {
  const desk = await findItem(database.db, "brio-desk");
  expect.assert(desk);
  const result = await seedCatalogue(
    database.db,
    catalogue.filter((item) => item.id !== "brio-desk"),
  );
  expect(result.retired).toEqual(["brio-desk"]);
  expect(await findItem(database.db, "brio-desk")).toBeNull();
  expect(await findItem(database.db, "BRIO-DESK")).toBeNull();
  await expect(getItem(database.db, desk.id)).rejects.toMatchObject({ code: "not_found" });
  expect(await getItem(database.db, desk.id, { includeRetired: true })).toEqual(desk);

  await seedCatalogue(database.db, catalogue);
  expect(await findItem(database.db, "brio-desk")).toEqual(desk);
});

test.each([
  [
    "copilot-for-microsoft-365",
    { sku: "MS-COPILOT" },
    'MS-COPILOT is an add-on, so its SKU must end in ":0002".',
  ],
  [
    "copilot-for-microsoft-365",
    { section: "other" as const },
    'MS-COPILOT:0002 is not an add-on, so its SKU can\'t end in ":0002".',
  ],
  ["brio-desk", { section: "addon" as const }, 'BRIO-DESK is an add-on, so its SKU must end in ":0002".'],
  [
    "brio-desk",
    { sku: "BRIO-DESK:0002" },
    'BRIO-DESK:0002 is not an add-on, so its SKU can\'t end in ":0002".',
  ],
])("refuses %s as %j, and changes nothing", async (id, change, message) => {
  const before = await findItem(database.db, id);
  expect.assert(before);
  const items = catalogue.map((item) => (item.id === id ? { ...item, ...change } : item));
  await expect(seedCatalogue(database.db, items)).rejects.toThrow(message);
  expect(await findItem(database.db, id)).toEqual(before);
});
