import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkQuantity, quantityRequired, requireQuantity } from "#server/catalogue/pricing/quantity.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { english } from "#server/foundation/languages/text.ts";

/** Limit of the catalogue's plans. */
const seatCap = 300;

const refusal = (...args: Parameters<typeof checkQuantity>) => {
  const checked = checkQuantity(...args);
  return checked.ok ? null : english(checked.message);
};

describe("checkQuantity", () => {
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
  ])("refuses %j as a quantity", (input) =>
    expect(checkQuantity(input)).toEqual({ ok: false, message: quantityRequired }),
  );

  it("accepts digits and numbers", () => {
    expect(checkQuantity(" 007 ")).toEqual({ ok: true, quantity: 7 });
    expect(checkQuantity(300, { maxSeats: seatCap })).toEqual({ ok: true, quantity: 300 });
    expect(checkQuantity(301, { maxSeats: null })).toEqual({ ok: true, quantity: 301 });
  });

  it("states the maximum", () => {
    expect(refusal("301", { maxSeats: seatCap })).toBe("You can buy up to 300 licenses in one order.");
  });

  it("counts held seats towards the maximum", () => {
    const limits = { maxSeats: seatCap, heldSeats: 290, minSeats: 5 };
    expect(checkQuantity(1, limits)).toEqual({ ok: true, quantity: 1 });
    expect(refusal(11, limits)).toBe("You have 290 licenses and can have up to 300, so you can add 10 more.");
    expect(refusal(1, { ...limits, heldSeats: 300 })).toBe(
      "You have 300 licenses and the maximum is 300, so you can't add more.",
    );
  });

  it("states the minimum of a plan", () => {
    expect(refusal(4, { minSeats: 5 })).toBe("This plan starts at 5 licenses.");
  });

  it("accepts exactly the whole numbers within the limits", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10, max: 400 }),
        fc.integer({ min: 1, max: 10 }),
        (quantity, minSeats) => {
          const { ok } = checkQuantity(quantity, { minSeats, maxSeats: seatCap });
          expect(ok).toBe(quantity >= minSeats && quantity <= seatCap);
        },
      ),
    );
  });
});

describe("requireQuantity", () => {
  it("returns the quantity, or refuses with the message on the field", () => {
    expect(requireQuantity("12")).toBe(12);
    try {
      requireQuantity("0", {}, "count");
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(DomainError);
      expect(error).toMatchObject({ code: "bad_request", status: 400, fields: { count: quantityRequired } });
    }
  });
});
