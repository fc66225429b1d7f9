/** Seeding against a real database: repeatable, and following the files. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { catalogue, seedCatalogue } from "#db/seed/index.ts";
import { findItem, getItem } from "#server/catalogue/items.ts";
import { createTestDatabase } from "#tests/support/database.ts";

let test_: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.destroy());
beforeEach(() => seedCatalogue(test_.db));

test("a second run writes nothing", async () => {
  expect(await seedCatalogue(test_.db)).toEqual({ items: catalogue.length, written: 0, retired: [] });
});

test("several processes may seed at once", async () => {
  await test_.db.deleteFrom("catalogue_items").execute();
  const results = await Promise.all([1, 2, 3].map(() => seedCatalogue(test_.db)));
  expect(results.filter((result) => result.written > 0)).toHaveLength(1);
});

test("a changed row is put back, a price no longer offered goes", async () => {
  await test_.db.updateTable("prices").set({ amount_minor: 1 }).where("item_id", "like", "brio-%").execute();
  await test_.db.updateTable("catalogue_items").set({ name: "Old" }).where("sku", "=", "BRIO-DESK").execute();
  const without = catalogue.map((item) => ({
    ...item,
    prices: item.prices.filter((price) => item.id !== "brio-guard" || price.term === "P1Y"),
  }));
  expect((await seedCatalogue(test_.db, without)).written).toBe(18 - 2 + 1 + 2);

  const desk = await findItem(test_.db, "brio-desk");
  const seeded = catalogue.find((item) => item.id === "brio-desk");
  expect(desk?.name).toBe("brio Desk");
  expect(desk?.prices).toEqual(expect.arrayContaining([...(seeded?.prices ?? [])]));
  expect((await findItem(test_.db, "brio-guard"))?.prices.map((price) => price.term)).not.toContain("P1M");
});

test("an item gone from the files is not sold, but a customer who has it still sees it; it can come back", async () => {
  const desk = await findItem(test_.db, "brio-desk");
  expect.assert(desk);
  const result = await seedCatalogue(
    test_.db,
    catalogue.filter((item) => item.id !== "brio-desk"),
  );
  expect(result.retired).toEqual(["brio-desk"]);
  expect(await findItem(test_.db, "brio-desk")).toBeNull();
  expect(await findItem(test_.db, "BRIO-DESK")).toBeNull();
  await expect(getItem(test_.db, desk.id)).rejects.toMatchObject({ code: "not_found" });
  expect(await getItem(test_.db, desk.id, { includeRetired: true })).toEqual(desk);

  await seedCatalogue(test_.db);
  expect(await findItem(test_.db, "brio-desk")).toEqual(desk);
});
