/** Selection of a price from an item's list. */
import { expect, test } from "vitest";
import type { Price } from "#db/catalogue/catalogue.ts";
import { findLowestPrice, priceOf, startingPrice } from "#server/catalogue/prices.ts";

const price = (given: Partial<Price> & { minor: number; listMinor?: number }): Price => {
  const { minor, listMinor, currency = "INR", ...rest } = given;
  return {
    currency,
    kind: "regular",
    term: "P1Y",
    billingCycle: "annual",
    amount: { minor, currency },
    list: listMinor === undefined ? null : { minor: listMinor, currency },
    ...rest,
  };
};

test("finds exact offers only", () => {
  const item = { prices: [price({ minor: 1200_00 })] };
  const offer = { currency: "INR", kind: "regular", term: "P1Y", billingCycle: "annual" } as const;
  expect(priceOf(item, offer)?.amount.minor).toBe(1200_00);
  expect(priceOf(item, { ...offer, currency: "USD" })).toBeNull();
  expect(priceOf(item, { ...offer, kind: "signup" })).toBeNull();
  expect(priceOf(item, { ...offer, term: "P1M" })).toBeNull();
  expect(priceOf(item, { ...offer, billingCycle: "monthly" })).toBeNull();
});

test("starts at the lowest monthly price over all terms, with that offer's list price", () => {
  const item = {
    prices: [
      price({ minor: 95_00, listMinor: 120_00, term: "P1M", billingCycle: "monthly" }),
      price({ minor: 948_00, listMinor: 1200_00 }),
      price({ minor: 1_00, currency: "USD" }),
    ],
  };
  expect(startingPrice(item, "INR")).toEqual({
    perMonth: { minor: 79_00, currency: "INR" },
    billingCycle: "annual",
    list: { minor: 100_00, currency: "INR" },
  });
  expect(startingPrice(item, "USD").list).toBeNull();
});

test("includes sign-up prices unless a kind is requested", () => {
  const item = { prices: [price({ minor: 2760_00 }), price({ minor: 1932_00, kind: "signup" })] };
  expect(startingPrice(item, "INR").perMonth.minor).toBe(161_00);
  expect(findLowestPrice(item, "INR", "regular")?.perMonth.minor).toBe(230_00);
  expect(findLowestPrice(item, "USD", "signup")).toBeNull();
});

test("rounds a twelfth of a year's price half up to a minor unit", () => {
  expect(startingPrice({ prices: [price({ minor: 1000 })] }, "INR").perMonth.minor).toBe(83);
  expect(startingPrice({ prices: [price({ minor: 1002 })] }, "INR").perMonth.minor).toBe(84);
});

test("throws for an item without a price in the currency", () => {
  expect(() => startingPrice({ prices: [] }, "USD")).toThrow("USD");
});
