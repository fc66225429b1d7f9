/** Differences between the catalogue and the vendor's. */
import { expect, test } from "vitest";
import type { FoundItem } from "#server/catalogue/families/vendor-catalogue.ts";
import { type ComparedItem, differencesOf } from "#server/desk/vendor-catalogue/compare.ts";

const ids = { productId: "CFQ7TTC0LH18", skuId: "0001" };
const name = { product: "Business", sku: "Business Basic" };
const yearly = { term: "P1Y", billingCycle: "annual" } as const;
const monthly = { term: "P1M", billingCycle: "monthly" } as const;
const found: FoundItem = { name, ids, minSeats: 1, maxSeats: 300, plans: [yearly, monthly], prices: [] };
const same: ComparedItem = {
  item: { vendor: name, minSeats: 1, maxSeats: 300 },
  plans: [yearly, monthly],
  stored: ids,
  found: [found],
};

test("finds no difference in equal items, nor in tighter limits of the store", () => {
  expect(differencesOf(same)).toEqual([]);
  // The store may sell less than the vendor allows.
  expect(differencesOf({ ...same, item: { ...same.item, minSeats: 5, maxSeats: 100 } })).toEqual([]);
  expect(differencesOf({ ...same, plans: [yearly] })).toEqual([]);
  const any = { ...found, maxSeats: 10_000_000 };
  expect(differencesOf({ ...same, item: { ...same.item, maxSeats: null }, found: [any] })).toEqual([]);
});

test.each<[string, Partial<ComparedItem>, string[]]>([
  [
    "an item that is missing",
    { found: [] },
    [`The vendor's catalogue has no "Business Basic" in the product "Business".`],
  ],
  [
    "two items of one name",
    { found: [found, { ...found, ids: { ...ids, skuId: "0002" } }] },
    [
      `The vendor's catalogue has several of "Business Basic" in the product "Business": CFQ7TTC0LH18:0001, CFQ7TTC0LH18:0002. Only one can match.`,
    ],
  ],
  [
    "an id that is not stored",
    { stored: null },
    ["The vendor's ID is CFQ7TTC0LH18:0001, which isn't stored."],
  ],
  [
    "a new id",
    { stored: { ...ids, skuId: "0009" } },
    ["It is CFQ7TTC0LH18:0001 at the vendor now, and CFQ7TTC0LH18:0009 is stored."],
  ],
  [
    "more seats needed",
    { found: [{ ...found, minSeats: 5 }] },
    ["We sell it from 1 license; the vendor's minimum is 5."],
  ],
  [
    "fewer seats allowed",
    { found: [{ ...found, maxSeats: 50 }] },
    ["It is sold here up to 300 licenses, and by the vendor up to 50."],
  ],
  [
    "fewer seats allowed for an item without a limit here",
    { item: { ...same.item, maxSeats: null } },
    ["It is sold here up to any number of licenses, and by the vendor up to 300."],
  ],
  [
    "a term that is not offered",
    { found: [{ ...found, plans: [yearly] }] },
    ["The vendor doesn't sell it for P1M (monthly)."],
  ],
])("reports %s", (_what, changed, said) => {
  expect(differencesOf({ ...same, ...changed })).toEqual(said);
});
