/** Dollar documents in rupees: they add up there too, and only the taxable value may differ by a paisa, because of the tax. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type DocumentAmounts,
  divideProportionally,
  taxCurrencyAmounts,
  toTaxCurrency,
} from "#server/billing/documents/tax-currency.ts";

const figures = fc
  .record({
    subtotalMinor: fc.integer({ min: 1, max: 1_000_000_000 }),
    rateBasisPoints: fc.constantFrom(null, 500, 1_800),
    roundingMinor: fc.integer({ min: 0, max: 50 }),
  })
  .map(({ subtotalMinor, rateBasisPoints, roundingMinor }): DocumentAmounts => {
    const tax = Math.round((subtotalMinor * (rateBasisPoints ?? 0)) / 10_000);
    return {
      subtotalMinor,
      taxes: rateBasisPoints === null ? [] : [{ name: "IGST", rateBasisPoints, amountMinor: tax }],
      roundingMinor,
      totalMinor: subtotalMinor + tax + roundingMinor,
    };
  });
const rate = fc.record({
  currency: fc.constant("INR" as const),
  rateTenThousandths: fc.integer({ min: 1, max: 2_000_000 }),
});
const taxOf = ({ taxes }: DocumentAmounts) => taxes.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

test("converts total and tax to the nearest paisa, and still adds up", () => {
  fc.assert(
    fc.property(figures, rate, (document, at) => {
      const stated = taxCurrencyAmounts({ ...document, inTaxCurrency: toTaxCurrency(document, at) });
      const off = (one: number, other: number) => Math.abs(one - (other * at.rateTenThousandths) / 10_000);
      expect(stated.subtotalMinor + taxOf(stated) + stated.roundingMinor).toBe(stated.totalMinor);
      expect(off(stated.totalMinor, document.totalMinor)).toBeLessThanOrEqual(0.5);
      expect(off(taxOf(stated), taxOf(document))).toBeLessThanOrEqual(0.5);
      expect(off(stated.subtotalMinor, document.subtotalMinor)).toBeLessThanOrEqual(1);
      expect(stated.subtotalMinor).toBeGreaterThanOrEqual(0);
      if (document.roundingMinor === 0) expect(stated.roundingMinor).toBe(0);
      expect(stated.taxes.map(({ name }) => name)).toEqual(document.taxes.map(({ name }) => name));
    }),
    { numRuns: 2_000 },
  );
});

test("converts $10.03 plus $1.81 tax at 83.5 to ₹837.50 and ₹151.14, ₹988.64 in all", () => {
  const document = {
    subtotalMinor: 1_003,
    taxes: [{ name: "IGST", rateBasisPoints: 1_800, amountMinor: 181 }],
    roundingMinor: 0,
    totalMinor: 1_184,
  };
  const stated = toTaxCurrency(document, { currency: "INR", rateTenThousandths: 835_000 });
  expect(stated).toMatchObject({
    totalMinor: 98_864,
    parts: { taxesMinor: [15_114], subtotalMinor: 83_750 },
  });
});

test("converts each amount of an old document separately, as it was filed", () => {
  const document = {
    subtotalMinor: 1,
    taxes: [{ name: "IGST", rateBasisPoints: 1_800, amountMinor: 1 }],
    roundingMinor: 0,
    totalMinor: 2,
  };
  const inTaxCurrency = { currency: "INR" as const, rateTenThousandths: 835_000, totalMinor: 167 };
  expect(taxCurrencyAmounts({ ...document, inTaxCurrency })).toMatchObject({
    subtotalMinor: 84,
    taxes: [{ amountMinor: 84 }],
    roundingMinor: -1,
    totalMinor: 167,
  });
});

test("leaves a document in rupees unchanged", () => {
  fc.assert(
    fc.property(figures, (document) => {
      expect(taxCurrencyAmounts(document)).toEqual(document);
    }),
  );
});

test("divides an amount without a remainder, at most a paisa off each share", () => {
  const values = fc.array(fc.integer({ min: 0, max: 1_000_000_000 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), values, (amount, all) => {
      fc.pre(all.some((value) => value > 0));
      const whole = all.reduce((sum, value) => sum + value, 0);
      const parts = divideProportionally(amount, all);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount);
      for (const [index, part] of parts.entries())
        expect(Math.abs(part - (amount * (all[index] ?? 0)) / whole)).toBeLessThan(1.001);
      expect(divideProportionally(whole, all)).toEqual(all);
    }),
  );
});
