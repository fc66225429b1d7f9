/** Catalogue reads: by id or SKU, grouped for the home page, and by search. */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { seedCatalogue } from "#db/seed/index.ts";
import { toServiceCard } from "#server/catalogue/card.ts";
import { findItem, getItem, listDashboard } from "#server/catalogue/items.ts";
import { searchItems } from "#server/catalogue/search.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const database = await createTestDatabase();
beforeAll(async () => {
  await seedCatalogue(database.db, catalogue);
});

const idsFor = async (query: string) =>
  (await searchItems(database.db, query, { pageSize: 100 })).items.map((item) => String(item.id));

test("finds every item by id and by SKU, as seeded", async () => {
  for (const { position: _, ...seeded } of catalogue) {
    const item = await findItem(database.db, seeded.id);
    expect.assert(item);
    const prices = seeded.prices.map((price) => expect.objectContaining(price));
    expect(item).toMatchObject({ ...seeded, prices: expect.arrayContaining(prices) });
    expect(item.isAddon).toBe(seeded.sku.endsWith(":0002"));
    expect(await findItem(database.db, seeded.sku)).toEqual(item);
    expect(await getItem(database.db, item.id)).toEqual(item);
  }
});

test.each(["", "no-such-plan", "NO-SUCH-SKU", "brio\0desk", "Brio-Desk", "' or 1=1 --", "a".repeat(10_000)])(
  "returns null for %j",
  async (text) => {
    expect(await findItem(database.db, text)).toBeNull();
  },
);

test("lists a family's sections for the dashboard, in order", async () => {
  const { featured, other, addOns } = await listDashboard(database.db, "microsoft");
  expect(featured.map((item) => item.id)).toEqual([
    "microsoft-365-business-basic",
    "microsoft-365-business-standard",
    "microsoft-365-business-premium",
    "microsoft-teams-essentials",
  ]);
  expect(other.length).toBeGreaterThan(0);
  expect(addOns.map((item) => item.id)).toEqual(["copilot-for-microsoft-365"]);
  expect((await listDashboard(database.db, "google")).addOns).toEqual([]);
});

test("gives service cards the keys of their product", async () => {
  const google = await findItem(database.db, "google-workspace-business-starter");
  expect.assert(google);
  expect(toServiceCard(google)).toMatchObject({
    item_family: "google",
    price: { INR: 230, USD: 7, "signup-INR": 161, "signup-USD": 5.6 },
    ERP_INR: 270,
  });
  const teams = await findItem(database.db, "microsoft-teams-essentials");
  expect.assert(teams);
  expect(toServiceCard(teams)).toMatchObject({ price: { INR: 79, USD: 3.5 }, ERP_INR: 100 });
});

test.each([
  ["premium", "microsoft-365-business-premium"],
  ["PREM", "microsoft-365-business-premium"],
  ["meeting chats", "microsoft-teams-essentials"],
  ["copilot", "copilot-for-microsoft-365"],
  ["BRIO-DESK", "brio-desk"],
  ["MS-BUSINESS-BASIC", "microsoft-365-business-basic"],
  ["google workspace standard", "google-workspace-business-standard"],
])("%s finds %s first", async (query, id) => {
  expect((await idsFor(query))[0]).toBe(id);
});

test.each([
  ["exchnge", "exchange-online-plan-1"],
  ["micorsoft", "microsoft-365-business-basic"],
  ["gogle wrkspace", "google-workspace-business-starter"],
  ["defnder", "microsoft-defender-for-business"],
  ["exel", "microsoft-365-apps-for-business"],
])("corrects the typo %s and finds %s", async (query, id) => {
  expect(await idsFor(query)).toContain(id);
});

test("finds mail inside email, and adds no lookalikes to a correctly spelled word", async () => {
  expect(await idsFor("mail")).toContain("microsoft-365-business-basic");
  expect((await idsFor("gmail")).every((id) => id.startsWith("google-"))).toBe(true);
});

test("ignores a word without matches unless the query has nothing else", async () => {
  expect(await idsFor("cheapest backup")).toEqual(["brio-guard"]);
  expect(await idsFor("backup with the")).toEqual(["brio-guard"]);
  expect(await idsFor("zzzzqq")).toEqual([]);
  expect(await searchItems(database.db, "with the")).toEqual({ items: [], total: 0, page: 1, pages: 1 });
});

test("lists featured items for an empty query, three a page, each once", async () => {
  const featured = catalogue.filter((item) => item.section === "featured").map((item) => item.id);
  const first = await searchItems(database.db, " !? ");
  expect(first).toMatchObject({ total: featured.length, page: 1, pages: Math.ceil(featured.length / 3) });
  const all = [];
  for (let page = 1; page <= first.pages; page += 1) {
    const { items } = await searchItems(database.db, "", { page });
    expect(items.length).toBeLessThanOrEqual(3);
    all.push(...items.map((item) => item.id));
  }
  expect(all).toEqual(featured);
});

test.each([
  [-1, 1],
  [0, 1],
  [Number.NaN, 1],
  [1.9, 1],
  [1e99, 3],
  [Number.POSITIVE_INFINITY, 3],
])("clamps page %s to page %s", async (count, shown) => {
  expect((await searchItems(database.db, "", { page: count })).page).toBe(shown);
});

test("accepts any query and page number", async () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.string({
      unit: fc.constantFrom(
        "a",
        "1",
        "'",
        "\\",
        ":",
        "*",
        "&",
        "|",
        "!",
        "(",
        ")",
        "<",
        "-",
        " ",
        "\0",
        "%",
        "_",
      ),
    }),
    fc
      .array(fc.constantFrom("the", "email", "x", "ß", "İ", "१", "´", "\ud800", "ﷺ"), { maxLength: 200 })
      .map((w) => w.join(" ")),
  );
  await fc.assert(
    fc.asyncProperty(anything, fc.double(), async (query, page) => {
      const result = await searchItems(database.db, query, { page });
      expect(result.items.length).toBeLessThanOrEqual(3);
    }),
    { numRuns: 300 },
  );
});
