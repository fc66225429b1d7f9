/** The breakdown of a total adds up to it for any purchase, and contains only charged amounts. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { money } from "#db/money.ts";
import { splitTax } from "#server/billing/documents/tax-split.ts";
import { type BreakdownStep, computationOf } from "#server/catalogue/pricing/breakdown-steps.ts";
import { prorate, quote } from "#server/catalogue/pricing/quote.ts";
import { countryCodes, currencyOf } from "#server/foundation/countries/registry.ts";

const inr = (minor: number) => money(minor, "INR");

/** Sums the lines, taxes and rounding, in minor units. */
function sumOfSteps(steps: readonly BreakdownStep[]): number {
  return steps.reduce((sum, step) => {
    const adds = step.kind === "line" || step.kind === "tax" || step.kind === "rounding";
    return adds ? sum + step.amount.minor : sum;
  }, 0);
}

const bought = fc.record({
  country: fc.constantFrom(...countryCodes),
  quantity: fc.integer({ min: 1, max: 3_000 }),
  fullMinor: fc.integer({ min: 1, max: 5_000_000 }),
  signupMinor: fc.option(fc.integer({ min: 1, max: 5_000_000 })),
  proration: fc.option(
    fc.record({ daysLeft: fc.integer({ min: 1, max: 700 }), daysInTerm: fc.integer({ min: 28, max: 366 }) }),
  ),
  taxRateBasisPoints: fc.constantFrom(0, 1_800, 500, 825),
  place: fc.constantFrom("29", "27", "07"),
});

test("adds up to the total, and derives the charged price from the shown one", () => {
  fc.assert(
    fc.property(
      bought,
      ({ country, quantity, fullMinor, signupMinor, proration, taxRateBasisPoints, place }) => {
        const currency = currencyOf(country);
        const full = money(fullMinor, currency);
        const unitPrice = proration === null ? full : prorate(full, proration.daysLeft, proration.daysInTerm);
        const priced = quote({
          quantity,
          unitPrice,
          signupPrice: signupMinor === null ? null : money(signupMinor, currency),
          customerType: signupMinor === null ? "standard" : "new_signup",
          country,
          taxRateBasisPoints,
        });
        const taxes =
          taxRateBasisPoints === 0
            ? []
            : splitTax(priced.subtotal, taxRateBasisPoints, "29", { code: place, name: place });
        const steps = computationOf({ lines: priced.lines, full, proration, taxes, total: priced.total });
        expect(sumOfSteps(steps)).toBe(priced.total.minor);
        expect(steps.at(-1)).toEqual({ kind: "total", total: priced.total });
        for (const step of steps)
          if (step.kind === "days") {
            expect(prorate(step.full, step.daysLeft, step.daysInTerm)).toEqual(step.unitPrice);
            expect(step.isRounded).toBe((step.full.minor * step.daysLeft) % step.daysInTerm !== 0);
          }
      },
    ),
  );
});

describe("a breakdown with missing data", () => {
  const line = { quantity: 2, unitPrice: inr(847_07), amount: inr(1_694_14) };
  const proration = { daysLeft: 112, daysInTerm: 365 };

  test("omits the list price of an order of an earlier version", () => {
    const of = { lines: [line], taxes: [], total: inr(1_694_00) };
    expect(computationOf({ ...of, full: null, proration: null }).map(({ kind }) => kind)).toEqual([
      "line",
      "rounding",
      "total",
    ]);
    expect(computationOf({ ...of, full: null, proration })[0]).toEqual({
      kind: "days-alone",
      ...proration,
      unitPrice: line.unitPrice,
    });
  });

  test("omits a list price that contradicts the charged price", () => {
    const of = { lines: [line], taxes: [], total: inr(1_694_00), proration };
    expect(computationOf({ ...of, full: inr(2_760_00) }).map(({ kind }) => kind)).toContain("days-alone");
  });
});
