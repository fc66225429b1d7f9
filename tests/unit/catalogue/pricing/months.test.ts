/** Sums by month: complete months, separate currencies, across a year's end. */
import { describe, expect, test } from "vitest";
import { monthsAround, sumByMonth } from "#server/catalogue/pricing/months.ts";

const rupees = (month: string, minor: number) => ({ month, amount: { minor, currency: "INR" as const } });
const dollars = (month: string, minor: number) => ({ month, amount: { minor, currency: "USD" as const } });

describe("monthsAround", () => {
  test.each([
    ["2026-11", { before: 2 }, ["2026-09", "2026-10", "2026-11"]],
    ["2026-11", { after: 2 }, ["2026-11", "2026-12", "2027-01"]],
    ["2027-01", { before: 1, after: 1 }, ["2026-12", "2027-01", "2027-02"]],
    ["2028-02", {}, ["2028-02"]],
  ])("lists the months around %s with %o", (of, around, months) => {
    expect(monthsAround(of, around)).toEqual(months);
  });
});

describe("sumByMonth", () => {
  const months = ["2026-11", "2026-12"];

  test("returns nothing without an amount", () => {
    expect(sumByMonth(months, [])).toEqual([]);
  });

  test("adds up the amounts of a month, with zero for an empty month", () => {
    expect(sumByMonth(months, [rupees("2026-12", 100), rupees("2026-12", 23)])).toEqual([
      {
        total: { minor: 123, currency: "INR" },
        months: [rupees("2026-11", 0), rupees("2026-12", 123)],
      },
    ]);
  });

  test("separates currencies", () => {
    const sums = sumByMonth(months, [dollars("2026-11", 5), rupees("2026-11", 7)]);
    expect(sums.map(({ total }) => total)).toEqual([
      { minor: 7, currency: "INR" },
      { minor: 5, currency: "USD" },
    ]);
  });

  test("ignores other months", () => {
    expect(sumByMonth(months, [rupees("2026-10", 1), rupees("2027-01", 1)])).toEqual([]);
  });
});
