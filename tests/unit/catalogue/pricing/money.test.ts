import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { money } from "#db/money.ts";
import { add, parseMinor, scale, times, toMajor } from "#server/catalogue/pricing/money.ts";

const minor = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });

describe("money", () => {
  it("refuses amounts that are not a safe integer of minor units", () => {
    expect(() => money(0.1, "INR")).toThrow(RangeError);
    expect(() => money(Number.MAX_SAFE_INTEGER + 1, "INR")).toThrow(RangeError);
    expect(() => times(money(Number.MAX_SAFE_INTEGER, "INR"), 2)).toThrow(RangeError);
  });

  it("refuses to mix currencies", () => {
    expect(() => add(money(1, "INR"), money(1, "USD"))).toThrow(TypeError);
  });

  it("scales exactly, half up", () => {
    expect(scale(money(1, "INR"), 1, 2).minor).toBe(1);
    expect(scale(money(333, "INR"), 1, 3).minor).toBe(111);
    expect(scale(money(3_864_000, "INR"), 1_800, 10_000).minor).toBe(695_520);
    expect(() => scale(money(1, "INR"), 0.18, 1)).toThrow(RangeError);
  });

  it("converts to rupees and paise", () => {
    fc.assert(
      fc.property(minor, (amount) => {
        expect(Math.round(toMajor(money(amount, "INR")) * 100)).toBe(amount);
      }),
    );
  });

  it("parses typed amounts to the paisa, and refuses other texts", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (amount) => {
        expect(parseMinor((amount / 100).toFixed(2))).toBe(amount);
      }),
    );
    expect(["12", "12.5"].map(parseMinor)).toEqual([1_200, 1_250]);
    for (const text of ["", "1,644", "1.005", "-1", "1e3", " 1", ".5", "₹1"])
      expect(parseMinor(text)).toBeNull();
  });
});
