/** The shop may change its prices without a test failing: tests sell from a catalogue of their own (tests/support/catalogue). */
import { expect, test } from "vitest";
import { filesUnder, textOf } from "#tests/support/tree.ts";

/** Tests of the shop's own list, which say what it must have, and no price. */
const ofTheShop = [
  "tests/support/catalogue/index.ts",
  "tests/unit/app/ui/head.test.ts",
  "tests/unit/catalogue/seed.test.ts",
  "tests/unit/sandbox/partner-center.test.ts",
];
const takesTheShops = /import \{[^}]*\b(catalogue|microsoft|google|brio)\b[^}]*\} from "#db\/seed\//;

test("only tests of the shop's list read it", () => {
  const readers = filesUnder("tests", /\.ts$/).filter((file) => takesTheShops.test(textOf(file)));
  expect(readers).toEqual(ofTheShop.filter((file) => readers.includes(file)));
});

test("those name no price", () => {
  const priced = ofTheShop.filter((file) => /₹|\$\d|\b\d{1,3}(_\d{3})*_00\b/.test(textOf(file)));
  expect(priced).toEqual([]);
});
