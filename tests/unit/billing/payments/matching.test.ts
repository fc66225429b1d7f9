/** Received transfers compared with the requested amount: parts, withheld tax, and surplus. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { matchCredits } from "#server/billing/payments/matching.ts";

const rates = [200, 1000];
/** A bill in paise: whole rupees, of a value before GST with 18 % on top. */
const bill = fc.integer({ min: 10_000, max: 700_000_000 }).map((taxableMinor) => ({
  taxableMinor,
  requestedMinor: Math.round((taxableMinor * 1.18) / 100) * 100,
}));
const match = (input: { taxableMinor: number; requestedMinor: number }, receivedMinor: number, of = rates) =>
  matchCredits({ ...input, receivedMinor, ratesBasisPoints: of });

describe("the sum of credits", () => {
  it("counts as full exactly at the total", () => {
    fc.assert(
      fc.property(bill, fc.integer({ min: -50_000, max: 50_000 }), (input, off) => {
        const { state } = match(input, input.requestedMinor + off);
        expect(state === "full").toBe(off === 0);
        expect(state === "over").toBe(off > 0);
      }),
    );
  });

  it("depends only on the sum of the parts", () => {
    fc.assert(
      fc.property(bill, fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1 }), (input, weights) => {
        const all = weights.reduce((a, b) => a + b, 0);
        let sum = 0;
        for (const weight of weights.slice(1)) sum += Math.floor((input.requestedMinor * weight) / all);
        // The last part makes up the total.
        expect(match(input, sum + (input.requestedMinor - sum))).toEqual({ state: "full" });
      }),
    );
  });

  it("states the missing or surplus amount to the paisa", () => {
    fc.assert(
      fc.property(bill, fc.integer({ min: 1, max: 1_000_000_000 }), (input, receivedMinor) => {
        const found = match(input, receivedMinor, []);
        if (found.state === "part") expect(found.missingMinor).toBe(input.requestedMinor - receivedMinor);
        else if (found.state === "over")
          expect(found.surplusMinor).toBe(receivedMinor - input.requestedMinor);
        else expect(receivedMinor).toBe(input.requestedMinor);
      }),
    );
  });
});

describe("withheld tax", () => {
  it("accepts the rate's share of the value before GST, rounded to rupees either way", () => {
    fc.assert(
      fc.property(
        bill,
        fc.constantFrom(...rates),
        fc.constantFrom(Math.floor, Math.ceil),
        (input, rate, round) => {
          fc.pre(input.taxableMinor * rate > 200 * 10_000);
          const withheld = round((input.taxableMinor * rate) / 10_000 / 100) * 100;
          expect(match(input, input.requestedMinor - withheld)).toEqual({
            state: "withheld",
            withheldMinor: withheld,
            rateBasisPoints: rate,
          });
        },
      ),
    );
  });

  it("accepts no amount a rupee outside the window, and no rate that is not set", () => {
    const input = { taxableMinor: 1_000_000_00, requestedMinor: 1_180_000_00 };
    expect(match(input, input.requestedMinor - 20_000_00).state).toBe("withheld");
    expect(match(input, input.requestedMinor - 20_001_01).state).toBe("part");
    expect(match(input, input.requestedMinor - 19_998_99).state).toBe("part");
    expect(match(input, input.requestedMinor - 20_000_00, [1000]).state).toBe("part");
  });

  test("treats an amount too small to deduct from as a part", () => {
    expect(match({ taxableMinor: 4_000, requestedMinor: 4_700 }, 4_620).state).toBe("part");
  });
});
