/** The calculator of the landing page: computes the query's bill as an order's total. */
import { describe, expect, it, test } from "vitest";
import { priceEstimateOf } from "#app/pages/home/price-estimate.ts";
import { type CatalogueItem, isItemId } from "#db/catalogue/catalogue.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";

const itemsOf = (family: string): CatalogueItem[] =>
  catalogue
    .filter((item) => item.family === family && item.section !== "addon")
    .map((item) => {
      expect.assert(isItemId(item.id));
      return { ...item, id: item.id, isAddon: false };
    });
const shown = {
  items: itemsOf("microsoft"),
  country: "IN",
  tax: { country: "IN", supply: { type: "B2C", letter: null }, rateBasisPoints: 1_800 },
  language: "en",
  isCustomer: false,
  mayBuy: true,
} as const;
const ask = (query: string, changes: Partial<Parameters<typeof priceEstimateOf>[0]> = {}) =>
  priceEstimateOf({ ...shown, ...changes }, new URLSearchParams(query));
const standard = "plan=microsoft-365-business-standard&people=17";

describe("the bill for 17 people with Business Standard", () => {
  it("equals an order's total with GST", () => {
    const cost = ask(`${standard}&term=P1Y`);
    expect(cost?.bill?.lines).toEqual([
      { label: "17 users × ₹8,748", value: "₹1,48,716.00" },
      { label: "GST 18%", value: "₹26,768.88" },
      { label: "Rounding", value: "₹0.12" },
    ]);
    expect(cost?.bill?.total).toEqual({ label: "Total for one year, including GST", value: "₹1,75,485" });
    expect(cost?.bill?.buy).toMatch(
      /^\/order\/microsoft\/microsoft-365-business-standard\/IN\?quantity=\d+&term=P1Y$/,
    );
  });

  it("adds no tax in the USA, and shows one month for a monthly term", () => {
    const cost = ask(`${standard}&term=P1M`, {
      country: "US",
      tax: { country: "US", supply: null, rateBasisPoints: 0 },
    });
    expect(cost?.bill?.lines).toHaveLength(1);
    expect(cost?.bill?.total.label).toBe("Total for one month");
  });

  it("accepts a number in Devanagari digits", () => {
    expect(ask(standard.replace("17", "१७"))).toEqual(ask(standard));
  });

  it("translates the bill into Hindi", () => {
    expect(ask(standard, { language: "hi" })?.bill?.total.label).toBe("GST सहित एक साल की कुल राशि");
  });
});

test("calculates ten people with the first plan for a year by default", () => {
  expect(ask("")).toMatchObject({ plan: shown.items[0]?.id, people: "10", term: "P1Y", problem: null });
  expect(ask("plan=no-such-plan&term=P9Y")).toMatchObject({ plan: shown.items[0]?.id, term: "P1Y" });
});

test.each(["0", "", "abc", "-3", "1.5", "301", "99999999999"])(
  "shows no bill and a reason for %j people",
  (people) => {
    const cost = ask(`plan=microsoft-365-business-standard&people=${people}`);
    expect(cost?.bill).toBeNull();
    expect(cost?.problem).toMatch(/\w/);
  },
);

test("charges the sign-up price for a new domain's first users, then the regular one", () => {
  const cost = ask("people=25", { items: itemsOf("google") });
  expect(cost?.bill?.lines.map(({ label }) => label).slice(0, 2)).toEqual([
    "20 users × ₹1,932",
    expect.stringMatching(/^5 users × ₹/),
  ]);
});

test("links customers to a contract, viewers to nothing, and needs an item", () => {
  expect(ask("", { isCustomer: true })?.bill?.buy).toMatch(/^\/contract\//);
  expect(ask("", { mayBuy: false })?.bill?.buy).toBeNull();
  expect(ask("", { items: [] })).toBeNull();
});
