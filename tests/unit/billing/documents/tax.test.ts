/** Place of supply and its taxes; a split neither creates nor loses a paisa (docs/providers.md, section 4). */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { money } from "#db/money.ts";
import { placeOfSupply } from "#server/billing/documents/place-of-supply.ts";
import { splitTax } from "#server/billing/documents/tax-split.ts";
import { scale } from "#server/catalogue/pricing/money.ts";
import { gstinCheckDigit } from "#server/foundation/countries/gstin.ts";
import { findIndianState, indianStates } from "#server/foundation/countries/indian-states.ts";

const stateNamed = (name: string) => {
  const state = findIndianState(name);
  if (state === null) throw new Error(`Expected a state, got ${name}`);
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
    ["with an unknown state", null, "Atlantis", "29", "Karnataka"],
    ["with an invalid GSTIN", "27AAPFU0939F1ZZ", "Kerala", "32", "Kerala"],
    ["registered abroad", foreign + gstinCheckDigit(foreign), "Karnataka", "96", "Foreign country"],
    ["of another territory", other + gstinCheckDigit(other), "Karnataka", "97", "Other territory"],
  ])("finds the place of a recipient %s", (_what, gstin, state, code, name) => {
    expect(placeOfSupply(karnataka, { gstin, state }, "en")).toEqual({ code, name });
  });

  it("returns its name in the invoice's language", () => {
    const of = (gstin: string | null) => placeOfSupply(karnataka, { gstin, state: "Tamil Nadu" }, "hi").name;
    expect(of(null)).toBe("तमिलनाडु");
    expect(of(foreign + gstinCheckDigit(foreign))).toBe("विदेश");
    for (const { names } of indianStates) expect(names.hi).toMatch(/^[\u0900-\u097f ]+$/);
    expect(new Set(indianStates.map(({ names }) => names.hi)).size).toBe(indianStates.length);
  });
});

describe("the tax", () => {
  const taxable = fc.integer({ min: 0, max: 1e13 }).map((minor) => money(minor, "INR"));
  const code = fc.constantFrom(...indianStates.map(({ gstCode }) => gstCode), "96", "97");
  const supplier = fc.constantFrom(...indianStates.map(({ gstCode }) => gstCode));

  it("splits into equal halves that differ from the whole by a paisa at most", () => {
    fc.assert(
      fc.property(taxable, supplier, code, (value, from, to) => {
        const parts = splitTax(value, 1_800, from, place(to));
        const whole = scale(value, 1_800, 10_000).minor;
        const all = parts.reduce((sum, { amount }) => sum + amount.minor, 0);
        expect(Math.abs(all - whole)).toBeLessThanOrEqual(from === to ? 1 : 0);
        expect(parts.reduce((sum, { rateBasisPoints }) => sum + rateBasisPoints, 0)).toBe(1_800);
        expect(parts).toHaveLength(from === to ? 2 : 1);
        const [first, second = first] = parts;
        expect(first?.amount).toEqual(second?.amount);
      }),
    );
  });

  const brief = (minor: number, from: string, to: string) =>
    splitTax(money(minor, "INR"), 1_800, from, place(to)).map(
      ({ name, rateBasisPoints, amount }) => `${name} ${rateBasisPoints} ${amount.minor}`,
    );
  test.each([
    ["in the state", 3_864_000, "29", "29", ["CGST 900 347760", "SGST 900 347760"]],
    ["with an odd paisa", 239_670, "29", "29", ["CGST 900 21570", "SGST 900 21570"]],
    ["between states", 239_670, "29", "27", ["IGST 1800 43141"]],
    ["abroad", 1_000, "29", "96", ["IGST 1800 180"]],
    ["of nothing", 0, "29", "29", ["CGST 900 0", "SGST 900 0"]],
  ])("splits the tax %s", (_what, minor, from, to, parts) => {
    expect(brief(minor, from, to)).toEqual(parts);
  });

  test.each(["04", "26", "31", "35", "38"])(
    "charges UTGST within %s, a territory without a legislature",
    (territory) => {
      expect(brief(1_000, territory, territory)).toEqual(["CGST 900 90", "UTGST 900 90"]);
    },
  );

  test.each(["01", "07", "34"])("charges SGST within %s, a territory with a legislature", (territory) => {
    expect(brief(1_000, territory, territory)).toEqual(["CGST 900 90", "SGST 900 90"]);
  });
});
