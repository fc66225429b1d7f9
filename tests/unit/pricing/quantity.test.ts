import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DomainError } from "#server/errors.ts";
import { checkQuantity, parseQuantity, quantityRequired, seatCap } from "#server/pricing/quantity.ts";

describe("parseQuantity", () => {
  it.each([
    "",
    " ",
    "0",
    0,
    -3,
    "-3",
    "1.5",
    1.5,
    "1e3",
    "ten",
    null,
    undefined,
    {},
    Number.NaN,
    "9999999999",
  ])("does not take %j for a quantity", (input) =>
    expect(parseQuantity(input)).toEqual({ ok: false, message: quantityRequired }),
  );

  it("takes digits as typed, and numbers", () => {
    expect(parseQuantity(" 007 ")).toEqual({ ok: true, quantity: 7 });
    expect(parseQuantity(300, { max: seatCap })).toEqual({ ok: true, quantity: 300 });
    expect(parseQuantity(301, { max: null })).toEqual({ ok: true, quantity: 301 });
  });

  it("says how many may be bought", () => {
    expect(parseQuantity("301", { max: seatCap })).toEqual({
      ok: false,
      message: "You can buy up to 300 licences in one order.",
    });
  });

  it("counts seats already held against the most", () => {
    const limits = { max: seatCap, held: 290, min: 5 };
    expect(parseQuantity(1, limits)).toEqual({ ok: true, quantity: 1 });
    expect(parseQuantity(11, limits)).toEqual({
      ok: false,
      message: "You have 290 licences and can have up to 300, so you can add 10 more.",
    });
    expect(parseQuantity(1, { ...limits, held: 300 })).toEqual({
      ok: false,
      message: "You have 300 licences and can have up to 300.",
    });
  });

  it("says with how many a plan starts", () => {
    expect(parseQuantity(4, { min: 5 })).toEqual({
      ok: false,
      message: "This plan starts at 5 licences.",
    });
  });

  it("accepts exactly the whole numbers within the limits", () => {
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 400 }), fc.integer({ min: 1, max: 10 }), (quantity, min) => {
        const { ok } = parseQuantity(quantity, { min, max: seatCap });
        expect(ok).toBe(quantity >= min && quantity <= seatCap);
      }),
    );
  });
});

describe("checkQuantity", () => {
  it("returns the quantity, or refuses with the message on the field", () => {
    expect(checkQuantity("12")).toBe(12);
    try {
      checkQuantity("0", {}, "count");
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(DomainError);
      expect(error).toMatchObject({ code: "bad_request", status: 400, fields: { count: quantityRequired } });
    }
  });
});
