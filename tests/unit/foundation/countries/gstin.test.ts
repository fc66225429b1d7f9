import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  gstinCheckDigit,
  gstinProblem,
  parseGstin,
  parsePan,
  registrationProblem,
} from "#server/foundation/countries/gstin.ts";
import { indianStates } from "#server/foundation/countries/indian-states.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { english, type MessageDescriptor } from "#server/foundation/languages/text.ts";

const said = (problem: MessageDescriptor | null) => (problem === null ? null : english(problem));

const alphabet = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const letter = fc.constantFrom(...alphabet.slice(10));
const letters = (count: number) =>
  fc.array(letter, { minLength: count, maxLength: count }).map((a) => a.join(""));
const pan = fc
  .tuple(letters(5), fc.integer({ min: 0, max: 9_999 }), letter)
  .map(([a, digits, z]) => `${a}${String(digits).padStart(4, "0")}${z}`);
const state = fc.constantFrom(...indianStates);
const entity = fc.constantFrom(...alphabet.slice(1));

const gstin = fc.tuple(state, pan, entity).map(([ofState, holder, nth]) => {
  const first14 = `${ofState.gstCode}${holder}${nth}Z`;
  return { kind: "taxpayer", value: first14 + gstinCheckDigit(first14), state: ofState, pan: holder };
});

describe("parseGstin", () => {
  it.each([
    ["27AAPFU0939F1ZV", "Maharashtra", "AAPFU0939F"],
    ["29AABCB1234C1ZA", "Karnataka", "AABCB1234C"],
    ["33AAACS4321K1ZM", "Tamil Nadu", "AAACS4321K"],
  ])("reads %s", (value, name, holder) => {
    expect(parseGstin(value)).toMatchObject({ value, pan: holder, state: { name } });
  });

  it.each([
    " 27aapfu 0939f1zv\n",
    "27 AAPFU 0939 F 1 Z V",
    "27-AAPFU0939F-1ZV",
    "27.aapfu\u00a00939f\u20111zv\u200b",
  ])("accepts %j as people type and copy it", (text) => {
    expect(parseGstin(text)?.value).toBe("27AAPFU0939F1ZV");
  });

  it.each([
    ["27AAPFU0939F1Z", "A GST number has 15 characters; this one has 14."],
    ["27AAPFU0939F0ZV", "A GST number looks like 29AABCB1234C1ZA."],
    ["28AAPFU0939F1ZV", "28 isn't a valid state code."],
    ["27AAPFU0939F1ZW", "One of the characters is mistyped: the last one doesn't match the rest."],
    ["27AAPFU0939F1ZV", null],
  ])("explains the problem of %s: %s", (text, problem) => {
    expect(said(gstinProblem(text))).toBe(problem);
    expect(said(registrationProblem(text))).toBe(problem);
  });

  it("explains the format of a PAN for a short number", () => {
    expect(said(registrationProblem("AAPFU0939"))).toMatch(/^A PAN is 5 letters, 4 digits and a letter/);
    expect(registrationProblem("aapfu 0939 f")).toBeNull();
  });

  it.each(["", "27AAPFU0939F1ZW", "27AAPFU0939F1Z", "27AAPFU0939F1ZVV", "27AAPFU0939F0ZV", "AAPFU0939F"])(
    "refuses %j",
    (text) => expect(parseGstin(text)).toBeNull(),
  );

  it("refuses an unknown state code, and accepts the two that are not a state", () => {
    const withCode = (code: string) => `${code}AAPFU0939F1Z${gstinCheckDigit(`${code}AAPFU0939F1Z`)}`;
    expect(parseGstin(withCode("28"))).toBeNull();
    expect(parseGstin(withCode("00"))).toBeNull();
    expect(parseGstin(withCode("97"))).toMatchObject({ state: null, pan: "AAPFU0939F" });
  });

  it("parses every well-formed number", () => {
    fc.assert(
      fc.property(gstin, (made) => {
        expect(parseGstin(made.value)).toEqual(made);
      }),
    );
  });

  it("detects any single wrong character", () => {
    fc.assert(
      fc.property(gstin, fc.nat(14), fc.constantFrom(...alphabet), ({ value }, index, wrong) => {
        fc.pre(value.charAt(index) !== wrong);
        expect(parseGstin(value.slice(0, index) + wrong + value.slice(index + 1))).toBeNull();
      }),
    );
  });

  it("accepts no random input", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => parseGstin(text) === null));
  });
});

describe("the vendor's registration number", () => {
  const numberOf = (organisationRegistrationNumber: string, gst_code: string | null = null) =>
    countries.IN.registration.vendorNumber({ organisationRegistrationNumber, gst_code });

  it("contains the PAN of a GSTIN, or the PAN itself", () => {
    fc.assert(
      fc.property(gstin, (made) => {
        expect(numberOf(made.value)).toBe(made.pan);
        expect(numberOf(made.pan)).toBe(made.pan);
        expect(numberOf("", made.value)).toBe(made.pan);
      }),
    );
  });

  it("prefers the given PAN over the GSTIN's", () => {
    expect(numberOf("AABCB1234C", "27AAPFU0939F1ZV")).toBe("AABCB1234C");
  });

  it("names a number as GSTIN, PAN or EIN", () => {
    const { IN, US } = countries;
    fc.assert(
      fc.property(gstin, (made) => {
        expect([made.value, made.pan].map(IN.registration.nameOf)).toEqual(["GSTIN", "PAN"]);
      }),
    );
    expect(US.registration.nameOf("12-3456789")).toBe("EIN");
  });

  it("stays empty in the USA", () => {
    const given = { organisationRegistrationNumber: "12-3456789", gst_code: null };
    expect(countries.US.registration.vendorNumber(given)).toBeNull();
  });
});

describe("parsePan", () => {
  it("reads every PAN and nothing else", () => {
    fc.assert(
      fc.property(pan, (value) => {
        expect(parsePan(value.toLowerCase())).toBe(value);
      }),
    );
    expect(parsePan("AAPFU0939")).toBeNull();
    expect(parsePan("27AAPFU0939F1ZV")).toBeNull();
  });
});
