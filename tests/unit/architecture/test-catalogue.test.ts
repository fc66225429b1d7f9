/**
 * Tests sell from their own catalogue (tests/support/catalogue), so that the store can change its prices without failing tests.
 */
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

/** Tests of the store's own catalogue. They check its contents, but no price. */
const ofTheShop = [
  "tests/support/catalogue/index.ts",
  "tests/unit/app/ui/head.test.ts",
  "tests/unit/catalogue/seed.test.ts",
  "tests/unit/sandbox/partner-center.test.ts",
];
const takesTheShops = /import \{[^}]*\b(catalogue|microsoft|google|brio)\b[^}]*\} from "#db\/seed\//;

test("reads the store's catalogue only in its own tests", () => {
  const readers = filesUnder("tests", /\.ts$/).filter((file) => takesTheShops.test(textOf(file)));
  expect(readers).toEqual(ofTheShop.filter((file) => readers.includes(file)));
});

test("names no price of the store's catalogue", () => {
  const priced = ofTheShop.filter((file) => /₹|\$\d|\b\d{1,3}(_\d{3})*_00\b/.test(textOf(file)));
  expect(priced).toEqual([]);
});
