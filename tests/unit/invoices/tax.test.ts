/** Whose tax a service bears, and that dividing it neither makes nor loses a paisa (PROVIDERS section 4). */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { placeOfSupply } from "#server/invoices/place-of-supply.ts";
import { splitTax } from "#server/invoices/tax-split.ts";
import { money } from "#server/pricing/money.ts";
import { gstinCheckDigit } from "#server/tax/gstin.ts";
import { findIndianState, indianStates } from "#server/tax/states.ts";

const stateNamed = (name: string) => {
  const state = findIndianState(name);
  if (state === null) throw new Error(`No ${name}`);
  return state;
};
const karnataka = stateNamed("Karnataka");
const place = (code: string) => ({ code, name: "x" });

describe("the place of supply", () => {
  const foreign = "96AABCB1234C1Z";
  const other = "97AABCB1234C1Z";
  test.each([
    ["registered elsewhere", "27AAPFU0939F1ZV", "Maharashtra", "27", "Maharashtra"],
    ["registered elsewhere than its address", "27AAPFU0939F1ZV", "Karnataka", "27", "Maharashtra"],
    ["registered here", "29AABCB1234C1ZA", "Karnataka", "29", "Karnataka"],
    ["not registered, elsewhere", null, "Tamil Nadu", "33", "Tamil Nadu"],
    ["not registered, by a former name", null, "Orissa", "21", "Odisha"],
    ["not registered, here", null, "Karnataka", "29", "Karnataka"],
    ["without an address", null, null, "29", "Karnataka"],
    ["with an address of no state", null, "Atlantis", "29", "Karnataka"],
    ["with a number that is none", "27AAPFU0939F1ZZ", "Kerala", "32", "Kerala"],
    ["registered abroad", foreign + gstinCheckDigit(foreign), "Karnataka", "96", "Foreign country"],
    ["of another territory", other + gstinCheckDigit(other), "Karnataka", "97", "Other territory"],
  ])("of a recipient %s", (_what, gstin, state, code, name) => {
    expect(placeOfSupply(karnataka, { gstin, state })).toEqual({ code, name });
  });
});

describe("the tax", () => {
  const tax = fc.integer({ min: 0, max: 1e13 }).map((minor) => money(minor, "INR"));
  const code = fc.constantFrom(...indianStates.map(({ gstCode }) => gstCode), "96", "97");
  const supplier = fc.constantFrom(...indianStates.map(({ gstCode }) => gstCode));

  it("is neither more nor less when divided, and the halves differ by a paisa at most", () => {
    fc.assert(
      fc.property(tax, supplier, code, (whole, from, to) => {
        const parts = splitTax(whole, 1_800, from, place(to));
        expect(parts.reduce((sum, { amount }) => sum + amount.minor, 0)).toBe(whole.minor);
        expect(parts.reduce((sum, { rateBasisPoints }) => sum + rateBasisPoints, 0)).toBe(1_800);
        expect(parts).toHaveLength(from === to ? 2 : 1);
        const [first, second = first] = parts;
        expect((first?.amount.minor ?? 0) - (second?.amount.minor ?? 0)).toBeOneOf([0, 1]);
      }),
    );
  });

  const brief = (minor: number, from: string, to: string) =>
    splitTax(money(minor, "INR"), 1_800, from, place(to)).map(
      ({ name, rateBasisPoints, amount }) => `${name} ${rateBasisPoints} ${amount.minor}`,
    );
  test.each([
    ["in the state", 695_520, "29", "29", ["CGST 900 347760", "SGST 900 347760"]],
    ["with an odd paisa, which is the centre's", 101, "29", "29", ["CGST 900 51", "SGST 900 50"]],
    ["between states", 101, "29", "27", ["IGST 1800 101"]],
    ["within a territory without a legislature", 100, "04", "04", ["CGST 900 50", "UTGST 900 50"]],
    ["within Delhi, which has one", 100, "07", "07", ["CGST 900 50", "SGST 900 50"]],
    ["abroad", 100, "29", "96", ["IGST 1800 100"]],
    ["of nothing", 0, "29", "29", ["CGST 900 0", "SGST 900 0"]],
  ])("%s", (_what, minor, from, to, parts) => {
    expect(brief(minor, from, to)).toEqual(parts);
  });
});
