/** The comparison of plans: a row for each property that any plan has, in both languages, with the country's prices. */
import { expect, expectTypeOf, test } from "vitest";
import { comparable, rowsOf } from "#app/pages/compare/rows.ts";
import { isItemId } from "#db/catalogue/catalogue.ts";
import type { PlanFacts } from "#db/catalogue/plan-facts.ts";
import type { SeedItem } from "#db/seed/item.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import { type LanguageId, languageIds } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";

const plansOf = (family: FamilyId) =>
  catalogue.flatMap((item) => {
    const { id } = item;
    if (item.family !== family || !isItemId(id)) return [];
    return comparable({ ...item, id, isAddon: item.section === "addon" });
  });
const rowsIn = (family: FamilyId, country: "IN" | "US", language: LanguageId = "en") =>
  rowsOf(plansOf(family), country, textIn(language)).flatMap(({ rows }) => rows);
const cell = (rows: ReturnType<typeof rowsIn>, title: string, column: number) =>
  rows.find((row) => row.title === title)?.cells[column]?.join("; ");

test("refuses to compile a plan without facts", () => {
  type Plan = Extract<SeedItem, { section: "featured" | "other" }>;
  expectTypeOf<Plan["facts"]>().toEqualTypeOf<PlanFacts>();
  expectTypeOf<Omit<Plan, "facts">>().not.toExtend<SeedItem>();
});

test("compares Microsoft's plans in India", () => {
  const rows = rowsIn("microsoft", "IN");
  expect(rows.map(({ title }) => title)).toEqual([
    "Per month, from",
    "Per year, paid upfront",
    "Per month, monthly commitment",
    "Desktop apps",
    "Web and mobile apps",
    "Mailbox on your domain",
    "Storage per user",
    "Meetings",
    "Extras",
    "Security",
    "Seats",
  ]);
  const standard = 1;
  expect(plansOf("microsoft")[standard]?.name).toBe("Microsoft 365 Business Standard");
  expect(cell(rows, "Per month, from", standard)).toBe("₹729");
  expect(cell(rows, "Per year, paid upfront", standard)).toBe("₹8,748");
  expect(cell(rows, "Per month, monthly commitment", standard)).toBe("₹875");
  expect(cell(rows, "Desktop apps", standard)).toBe("On 5 computers per user");
  expect(cell(rows, "Mailbox on your domain", standard)).toBe("50 GB");
  expect(cell(rows, "Storage per user", standard)).toBe("1 TB");
  expect(cell(rows, "Meetings", standard)).toBe("Up to 300 participants, with webinars");
  expect(cell(rows, "Security", standard)).toBe("Two-step sign-in; Spam and malware filtering");
  expect(cell(rows, "Seats", standard)).toBe("1 to 300");
  expect(cell(rows, "Desktop apps", 0)).toBe("");
});

test("shows a new customer's price of Google's plans in the USA", () => {
  const rows = rowsIn("google", "US");
  expect(cell(rows, "Per year, first 20 users of a new customer", 0)).toBe("$67.20");
  expect(cell(rows, "Per year, paid upfront", 0)).toBe("$84.00");
  expect(rows.some(({ title }) => title === "Per month, monthly commitment")).toBe(false);
  expect(cell(rows, "Mailbox on your domain", 0)).toBe("Included in storage");
});

test("omits a row that is empty for all plans", () => {
  expect(rowsIn("brio", "IN").map(({ title }) => title)).not.toContain("Desktop apps");
});

test.each(languageIds)("fills every cell in %s", (language) => {
  for (const family of ["microsoft", "google", "brio"] as const) {
    const rows = rowsIn(family, "IN", language);
    for (const { title, cells } of rows) {
      expect(title).not.toBe("");
      expect(cells).toHaveLength(plansOf(family).length);
      expect(cells.flat().filter((line) => line.trim() === "")).toEqual([]);
    }
    expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length);
  }
});

test("translates the cells into Hindi", () => {
  const rows = rowsIn("microsoft", "IN", "hi");
  expect(cell(rows, "मीटिंग", 1)).toBe("300 लोग तक, वेबिनार के साथ");
});
