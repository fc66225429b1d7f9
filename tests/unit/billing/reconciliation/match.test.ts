/** Pairs charges with the lines of bills, each once, and reports the unpaired ones. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { daysBetween, monthBefore, workingDaysLater } from "#server/billing/reconciliation/days.ts";
import { type Charge, pairCharges } from "#server/billing/reconciliation/match.ts";

const at = (day: number) => new Date(Date.UTC(2026, 10, 1) + day * 86_400_000);
const charge = fc.record({
  subscriptionId: fc.constantFrom("a", "b"),
  kind: fc.constantFrom("term", "seats"),
  seats: fc.integer({ min: 1, max: 3 }),
  day: fc.integer({ min: 3, max: 27 }),
});
const charges = fc
  .array(charge, { maxLength: 12 })
  .map((all) => all.map(({ day, ...rest }): Charge => ({ ...rest, from: at(day - 3), to: at(day + 3) })));
const billOf = ({ from, to: _to, ...rest }: Charge) => ({
  ...rest,
  startsAt: new Date(from.getTime() + 3 * 86_400_000),
});

test("pairs every charge with a line of the same bill, in any order of its lines", () => {
  fc.assert(
    fc.property(
      charges.chain((paid) =>
        fc.tuple(
          fc.constant(paid),
          fc.shuffledSubarray(paid, { minLength: paid.length, maxLength: paid.length }),
        ),
      ),
      ([paid, shuffled]) => {
        // Charges of one subscription on neighbouring days may swap lines only when both still have one.
        const { pairs, unbilled, unpaid } = pairCharges(paid, shuffled.map(billOf));
        expect(new Set(pairs.map(({ line }) => line)).size).toBe(pairs.length);
        expect(pairs.length + unbilled.length).toBe(paid.length);
        expect(unpaid).toHaveLength(unbilled.length);
      },
    ),
    { numRuns: 500 },
  );
});

describe("a line", () => {
  const paid: Charge = { subscriptionId: "a", kind: "term", seats: 2, from: at(0), to: at(6) };
  const line = { subscriptionId: "a", kind: "term", seats: 2, startsAt: at(3) };

  test.each([
    ["of another subscription", { subscriptionId: "b" }],
    ["of an unknown subscription", { subscriptionId: null }],
    ["of another kind", { kind: "seats" }],
    ["of another time", { startsAt: at(7) }],
  ])("stays unpaid: %s", (_what, changes) => {
    const other = { ...line, ...changes };
    expect(pairCharges([paid], [other])).toEqual({ pairs: [], unbilled: [paid], unpaid: [other] });
  });

  test("pairs with a charge of other seats, unless a line with equal seats exists", () => {
    const other = { ...line, seats: 3 };
    expect(pairCharges([paid], [other]).pairs).toEqual([{ charge: paid, line: other }]);
    expect(pairCharges([paid], [other, line])).toEqual({
      pairs: [{ charge: paid, line }],
      unbilled: [],
      unpaid: [other],
    });
  });
});

describe("days", () => {
  test("skips weekends in working days", () => {
    // A Friday.
    expect(workingDaysLater(new Date("2026-11-27T10:00:00Z"), 2)).toEqual(new Date("2026-12-01T10:00:00Z"));
    expect(workingDaysLater(new Date("2026-11-25T10:00:00Z"), 8)).toEqual(new Date("2026-12-07T10:00:00Z"));
  });

  test("includes both ends of a range, across a year's end too", () => {
    expect(daysBetween("2026-12-30", "2027-01-02")).toEqual([
      "2026-12-30",
      "2026-12-31",
      "2027-01-01",
      "2027-01-02",
    ]);
    expect(daysBetween("2026-12-30", "2026-12-29")).toEqual([]);
    expect(monthBefore("2027-01")).toBe("2026-12");
  });
});
