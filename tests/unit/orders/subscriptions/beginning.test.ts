/** A day begins at midnight by the country's clock, including days on which the clocks change. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { countryCodes } from "#server/foundation/countries/registry.ts";
import { dateView, startOfDay } from "#server/orders/subscriptions/dates.ts";

test.each([
  ["2026-12-01", "IN", "2026-11-30T18:30:00.000Z"],
  ["2026-12-01", "US", "2026-12-01T05:00:00.000Z"],
  ["2026-07-01", "US", "2026-07-01T04:00:00.000Z"],
  // Clocks go back at 02:00.
  ["2026-11-01", "US", "2026-11-01T04:00:00.000Z"],
  ["2026-11-02", "US", "2026-11-02T05:00:00.000Z"],
] as const)("begins %s in %s at local midnight", (day, country, moment) => {
  expect(startOfDay(day, country).toISOString()).toBe(moment);
});

test("assigns the millisecond before it to the previous day", () => {
  const day = fc
    .integer({ min: 0, max: 40_000 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
  fc.assert(
    fc.property(day, fc.constantFrom(...countryCodes), (text, country) => {
      const begins = startOfDay(text, country);
      expect(dateView(begins, country).iso).toBe(text);
      expect(dateView(new Date(begins.getTime() - 1), country).iso < text).toBe(true);
    }),
  );
});
