/** When a term ends: same day, or the last of a shorter month. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endOfTerm } from "#server/subscriptions/term.ts";

const end = (start: string, term: "P1M" | "P1Y") => endOfTerm(new Date(start), term).toISOString();

describe("endOfTerm", () => {
  it.each([
    ["2027-01-15T10:30:00.000Z", "2027-02-15T10:30:00.000Z"],
    ["2027-01-31T00:00:00.000Z", "2027-02-28T00:00:00.000Z"],
    ["2028-01-31T23:59:59.999Z", "2028-02-29T23:59:59.999Z"],
    ["2028-01-29T12:00:00.000Z", "2028-02-29T12:00:00.000Z"],
    ["2027-03-31T12:00:00.000Z", "2027-04-30T12:00:00.000Z"],
    ["2027-12-31T12:00:00.000Z", "2028-01-31T12:00:00.000Z"],
    ["2027-02-28T12:00:00.000Z", "2027-03-28T12:00:00.000Z"],
  ])("a month from %s is %s", (start, expected) => {
    expect(end(start, "P1M")).toBe(expected);
  });

  it.each([
    ["2027-06-01T08:00:00.000Z", "2028-06-01T08:00:00.000Z"],
    ["2028-02-29T08:00:00.000Z", "2029-02-28T08:00:00.000Z"],
    ["2027-02-28T08:00:00.000Z", "2028-02-28T08:00:00.000Z"],
    ["2099-02-28T08:00:00.000Z", "2100-02-28T08:00:00.000Z"],
    ["2027-12-31T23:59:59.999Z", "2028-12-31T23:59:59.999Z"],
  ])("a year from %s is %s", (start, expected) => {
    expect(end(start, "P1Y")).toBe(expected);
  });

  it("leaves its start as it was, keeps the time of day, and never passes into a month too many", () => {
    const starts = fc.date({ min: new Date("2000-01-01"), max: new Date("2200-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(starts, fc.constantFrom("P1M" as const, "P1Y" as const), (start, term) => {
        const before = start.getTime();
        const ends = endOfTerm(start, term);
        expect(start.getTime()).toBe(before);
        expect(ends.getTime()).toBeGreaterThan(before);
        expect(ends.getTime() % 86_400_000).toBe(before % 86_400_000);
        const months =
          12 * (ends.getUTCFullYear() - start.getUTCFullYear()) + ends.getUTCMonth() - start.getUTCMonth();
        expect(months).toBe(term === "P1M" ? 1 : 12);
        const tomorrow = new Date(ends.getTime() + 86_400_000);
        const isLastOfMonth = tomorrow.getUTCDate() === 1;
        expect(ends.getUTCDate() === start.getUTCDate() || isLastOfMonth).toBe(true);
      }),
    );
  });
});
