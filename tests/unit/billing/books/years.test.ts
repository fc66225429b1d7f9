/** Years of the books cover each day exactly once, by the clock of their country. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { monthsOfYear, spanOfYear, yearName, yearOf, yearsBetween } from "#server/billing/books/years.ts";
import { countryCodes } from "#server/foundation/countries/registry.ts";

const moment = fc.date({
  min: new Date("2001-01-01"),
  max: new Date("2090-01-01"),
  noInvalidDate: true,
});

test("places each moment in one year, and divides years into months without gaps", () => {
  fc.assert(
    fc.property(moment, fc.constantFrom(...countryCodes), (at, country) => {
      const year = yearOf(at, country);
      const { from, before } = spanOfYear(year, country);
      expect(from <= at && at < before).toBe(true);
      expect(spanOfYear(year + 1, country).from).toEqual(before);
      const months = monthsOfYear(year, country);
      expect(months[0]?.span.from).toEqual(from);
      expect(months.at(-1)?.span.before).toEqual(before);
      for (const [index, { span }] of months.entries())
        expect(span.from).toEqual(months[index - 1]?.span.before ?? from);
    }),
    { numRuns: 30 },
  );
});

test("starts India's year on 1 April and that of the USA on 1 January, local time", () => {
  expect(spanOfYear(2026, "IN").from.toISOString()).toBe("2026-03-31T18:30:00.000Z");
  expect(spanOfYear(2026, "US").from.toISOString()).toBe("2026-01-01T05:00:00.000Z");
  expect([yearName(2026, "IN"), yearName(2099, "IN"), yearName(2026, "US")]).toEqual([
    "2026-27",
    "2099-00",
    "2026",
  ]);
  expect(monthsOfYear(2026, "IN").map(({ month }) => month)[9]).toBe("2027-01");
});

test("lists the years of the books, newest first", () => {
  const [first, last] = [new Date("2024-03-31T12:00:00Z"), new Date("2026-04-01T12:00:00Z")];
  expect(yearsBetween(first, last, "IN")).toEqual([2026, 2025, 2024, 2023]);
  expect(yearsBetween(last, last, "IN")).toEqual([2026]);
});
