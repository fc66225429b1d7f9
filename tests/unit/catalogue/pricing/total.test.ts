import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Rates, signupSeats, totalOf } from "#server/catalogue/pricing/total.ts";

const rates = fc.record<Rates>({
  unitPrice: fc.integer({ min: 0, max: 10_000_000 }),
  signupPrice: fc.option(fc.integer({ min: 0, max: 10_000_000 })),
  taxRateBasisPoints: fc.integer({ min: 0, max: 5_000 }),
  totalStepMinor: fc.integer({ min: 1, max: 1_000 }),
});
const quantity = fc.integer({ min: 1, max: 1_000_000 });

/** Divides and rounds half up. */
const nearest = (numerator: bigint, denominator: bigint) =>
  (2n * numerator + denominator) / (2n * denominator);

describe("totalOf", () => {
  it("computes exactly for any figures", () => {
    fc.assert(
      fc.property(quantity, rates, (seats, of) => {
        const { parts, subtotal, tax, total } = totalOf(seats, of);
        const first = of.signupPrice === null ? 0 : Math.min(seats, signupSeats);
        const exact =
          BigInt(first) * BigInt(of.signupPrice ?? 0) + BigInt(seats - first) * BigInt(of.unitPrice);
        const step = BigInt(of.totalStepMinor);
        const exactTax = nearest(exact * BigInt(of.taxRateBasisPoints), 10_000n);
        expect(BigInt(subtotal)).toBe(exact);
        expect(BigInt(tax)).toBe(exactTax);
        expect(BigInt(total)).toBe(nearest(exact + exactTax, step) * step);
        expect(parts.reduce((sum, part) => sum + part.quantity, 0)).toBe(seats);
      }),
    );
  });

  it("separates the first seats of a sign-up, without empty parts", () => {
    const of = { unitPrice: 276_000, signupPrice: 193_200, taxRateBasisPoints: 1_800, totalStepMinor: 100 };
    expect(totalOf(20, of).parts).toEqual([{ quantity: 20, price: 193_200 }]);
    expect(totalOf(21, of).parts).toEqual([
      { quantity: 20, price: 193_200 },
      { quantity: 1, price: 276_000 },
    ]);
    expect(totalOf(3, { ...of, signupPrice: null }).parts).toEqual([{ quantity: 3, price: 276_000 }]);
  });
});
