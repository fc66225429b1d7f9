/** Tax rates and ceilings change on a date: a change can be prepared as data, and orders priced earlier keep their rate. */
import { afterEach, describe, expect, test } from "vitest";
import { india } from "#server/foundation/countries/india.ts";
import { countryTaxRate } from "#server/foundation/countries/tax-rates.ts";
import { type DatedValues, valueOn } from "#server/foundation/dated.ts";
import { taxRateOf } from "#server/orders/supply.ts";

const before = india.taxRates;
afterEach(() => {
  india.taxRates = before;
});

describe("valueOn", () => {
  const values: DatedValues<string> = [
    { from: "2017-07-01", value: "first", source: "a notification" },
    { from: "2027-04-01", value: "second", source: "another" },
    { from: "2027-04-02", value: "third", source: "a third" },
  ];
  test.each([
    ["2016-01-01", "first"],
    ["2017-07-01", "first"],
    ["2027-03-31", "first"],
    ["2027-04-01", "second"],
    ["2027-04-02", "third"],
    ["2099-12-31", "third"],
  ])("returns for %s the %s value", (day, value) => {
    expect(valueOn(values, day)).toBe(value);
  });
});

describe("a prepared tax rate", () => {
  const change = () => {
    india.taxRates = [...before, { from: "2027-04-01", value: 1_200, source: "a notification" }];
  };
  const lastMoment = new Date("2027-03-31T18:29:59Z");
  const midnight = new Date("2027-03-31T18:30:00Z");

  test("applies from midnight in India", () => {
    change();
    expect(countryTaxRate("IN", lastMoment)).toBe(1_800);
    expect(countryTaxRate("IN", midnight)).toBe(1_200);
    expect(countryTaxRate("US", midnight)).toBe(0);
  });

  test.each([
    ["B2B", 1_800, 1_200],
    ["B2C", 1_800, 1_200],
    ["SEZWP", 1_800, 1_200],
    ["SEZWOP", 0, 0],
    ["EXPWP", 1_800, 1_200],
    ["EXPWOP", 0, 0],
  ] as const)("changes the rate of %s from %i to %i", (type, old, changed) => {
    change();
    const supply = { type, letter: null };
    const country = type.startsWith("EXP") ? "US" : "IN";
    expect(taxRateOf(country, supply, lastMoment)).toBe(old);
    expect(taxRateOf(country, supply, midnight)).toBe(changed);
  });
});

test("names the source of every rate, oldest first", () => {
  const days = before.map(({ from }) => from);
  expect(days).toEqual(days.toSorted());
  for (const { source } of before) expect(source).not.toBe("");
});
