/** Dates as text, in the customer's zone (docs/decisions/languages.md#dates). */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { countryCodes } from "#server/foundation/countries/registry.ts";
import { languageIds } from "#server/foundation/languages/language.ts";
import { formatDate, formatDateTime, formatTime } from "#server/orders/subscriptions/dates.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

describe("formatDate", () => {
  it.each([
    [1, "1st"],
    [2, "2nd"],
    [3, "3rd"],
    [4, "4th"],
    [10, "10th"],
    [11, "11th"],
    [12, "12th"],
    [13, "13th"],
    [14, "14th"],
    [20, "20th"],
    [21, "21st"],
    [22, "22nd"],
    [23, "23rd"],
    [24, "24th"],
    [30, "30th"],
    [31, "31st"],
  ])("formats day %i as %s", (day, words) => {
    expect(formatDate(new Date(Date.UTC(2025, 2, day, 6)), "IN")).toBe(`${words} March 2025`);
  });

  it.each([
    ["2025-03-02T18:29:59.999Z", "2nd March 2025"],
    ["2025-03-02T18:30:00.000Z", "3rd March 2025"],
    ["2025-12-31T18:30:00.000Z", "1st January 2026"],
    ["2028-02-28T18:30:00.000Z", "29th February 2028"],
  ])("formats %s as %s in India, where days begin at 18:30 UTC", (moment, words) => {
    expect(formatDate(new Date(moment), "IN")).toBe(words);
  });

  it.each([
    ["2025-01-02T04:59:59.999Z", "1st January 2025"],
    ["2025-01-02T05:00:00.000Z", "2nd January 2025"],
    // Daylight saving time: the day begins an hour earlier.
    ["2025-07-02T03:59:59.999Z", "1st July 2025"],
    ["2025-07-02T04:00:00.000Z", "2nd July 2025"],
  ])("formats %s as %s in the USA", (moment, words) => {
    expect(formatDate(new Date(moment), "US")).toBe(words);
  });
});

test.each([
  ["2025-03-02T18:30:00Z", "12:00 am"],
  ["2025-03-02T19:19:00Z", "12:49 am"],
  ["2025-03-02T06:30:00Z", "12:00 pm"],
  ["2025-03-02T10:35:00Z", "4:05 pm"],
])("formats %s as %s in India", (moment, words) => {
  expect(formatTime(new Date(moment), "IN")).toBe(words);
});

describe("an ambiguous date such as 3/4/2025", () => {
  it("appears in no country: the month is a word, and the year has four digits", () => {
    const dates = fc.date({ min: new Date("2020-01-02"), max: new Date("2099-12-30"), noInvalidDate: true });
    fc.assert(
      fc.property(
        dates,
        fc.constantFrom(...countryCodes),
        fc.constantFrom(...languageIds),
        (date, country, language) => {
          expect(formatDate(date, country, language)).toMatch(/^\d{1,2}\p{L}* [\p{L}\p{M}]+ 20\d\d$/u);
        },
      ),
    );
  });

  test("appears in no other code, because only one module formats dates", () => {
    const files = ["app", "server", "db"].flatMap((folder) => filesUnder(folder, /\.tsx?$/));
    const writing = files.filter((file) =>
      /DateTimeFormat|toLocale(Date|Time)?String|toDateString/.test(textOf(file)),
    );
    expect(writing).toEqual([
      // For the tax office's form, which buyers do not read.
      "server/billing/documents/e-invoice-body.ts",
      // The day to look up a rate, which no page shows.
      "server/foundation/countries/tax-rates.ts",
      "server/orders/subscriptions/dates.ts",
    ]);
  });
});

test("formats a time with its date and its zone, summer time included", () => {
  const [winter, summer] = [new Date("2026-12-01T10:35:00Z"), new Date("2027-07-01T10:35:00Z")];
  expect(formatDateTime(winter, "IN")).toBe("1st December 2026, 4:05 pm (India Standard Time)");
  expect(formatDateTime(winter, "US")).toBe("1st December 2026, 5:35 am (Eastern Standard Time)");
  expect(formatDateTime(summer, "US")).toBe("1st July 2027, 6:35 am (Eastern Daylight Time)");
  expect(formatDateTime(winter, "IN", "hi")).toBe("1 दिसंबर 2026, 4:05 pm (भारतीय मानक समय)");
});
