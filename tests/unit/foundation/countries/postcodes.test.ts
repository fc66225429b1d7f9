/** Postcodes as people type them, and the possible states of Indian pincodes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pincodeProblem, statesOfPincode } from "#server/foundation/countries/indian-pincodes.ts";
import { findIndianState, indianStates } from "#server/foundation/countries/indian-states.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { english, translate } from "#server/foundation/languages/text.ts";

const { IN, US } = countries;
const canonical = (country: "IN" | "US", text: string) =>
  countries[country].address.canonicalPostcode?.(text) ?? text;

describe("a postcode as typed", () => {
  it.each([
    "560 038",
    "560-038",
    "560\u00a0038",
    "५६००३८",
    "५६० ०३८",
    "560\u200b038",
    // Others.
    "5 6 0 0 3 8",
    "560\u2009038",
    "560\u2013038",
    "\ufeff560038",
    "５６０ ０３８",
    "५६०\u200d०३८",
    "560.038",
  ])("becomes 560038: %j", (text) => expect(canonical("IN", text)).toBe("560038"));

  it.each([
    ["10001 1234", "10001-1234"],
    ["100011234", "10001-1234"],
    ["10001\u20131234", "10001-1234"],
    ["10001-1234", "10001-1234"],
    ["02134", "02134"],
    // Others.
    ["94105\u00a01804", "94105-1804"],
    ["94105\u20141804", "94105-1804"],
    ["94105\u22121804", "94105-1804"],
    ["9 4 1 0 5", "94105"],
    ["006011804", "00601-1804"],
    ["94105\u200b", "94105"],
  ])("becomes a ZIP code: %j is %s", (text, zip) => expect(canonical("US", text)).toBe(zip));

  it.each([
    ["IN", "56003"],
    ["IN", "560 0381"],
    ["IN", "56003A"],
    ["US", "1000"],
    ["US", "10001-12"],
    ["US", "SW1A 1AA"],
  ] as const)("stays unchanged in another format, for correction: %s %j", (country, text) => {
    expect(canonical(country, text)).toBe(text);
    expect(countries[country].address.postcode.test(canonical(country, text))).toBe(false);
  });

  const gap = fc.constantFrom("", " ", "-", "\u00a0", "\u200b", "\u2013", "\u2060", ".");
  const withGaps = (digits: string) =>
    fc
      .array(gap, { minLength: digits.length, maxLength: digits.length })
      .map((gaps) => [...digits].map((digit, index) => digit + gaps[index]).join(""));

  it("ignores any gaps, and stays the same once normalised", () => {
    const pincode = fc.integer({ min: 110_000, max: 999_998 }).map(String);
    fc.assert(
      fc.property(
        pincode.chain((digits) => fc.tuple(fc.constant(digits), withGaps(digits))),
        ([digits, typed]) => {
          expect(canonical("IN", typed)).toBe(digits);
          expect(canonical("IN", digits)).toBe(digits);
          expect(IN.address.postcode.test(digits)).toBe(true);
        },
      ),
    );
    const nine = fc.integer({ min: 100_000_000, max: 999_999_999 }).map(String);
    fc.assert(
      fc.property(
        nine.chain((digits) => fc.tuple(fc.constant(digits), withGaps(digits))),
        ([digits, typed]) => {
          const zip = `${digits.slice(0, 5)}-${digits.slice(5)}`;
          expect(canonical("US", typed)).toBe(zip);
          expect(US.address.postcode.test(zip)).toBe(true);
        },
      ),
    );
  });
});

describe("a pincode of a state", () => {
  it.each(["100000", "100001", "105555", "109999", "999999", "060038"])(
    "fails if no state has it: %s",
    (pincode) => expect(IN.address.postcode.test(pincode)).toBe(false),
  );

  it.each([
    ["500081", "Telangana"],
    ["501401", "Telangana"],
    ["673310", "Puducherry"],
    ["533464", "Puducherry"],
    ["609602", "Puducherry"],
    ["140119", "Chandigarh"],
    ["160017", "Chandigarh"],
    ["396230", "Dadra and Nagar Haveli and Daman and Diu"],
    ["396210", "Dadra and Nagar Haveli and Daman and Diu"],
    ["362520", "Dadra and Nagar Haveli and Daman and Diu"],
    // Others.
    ["160055", "Punjab"],
    ["403001", "Goa"],
    ["682555", "Lakshadweep"],
    ["737101", "Sikkim"],
    ["744101", "Andaman and Nicobar Islands"],
    ["194101", "Ladakh"],
    ["190001", "Jammu and Kashmir"],
    ["507128", "Andhra Pradesh"],
    ["110001", "Delhi"],
    ["244713", "Uttarakhand"],
    ["834001", "Jharkhand"],
    ["799001", "Tripura"],
    // Army pincodes, whose first digits do not indicate a state.
    ["900056", "Ladakh"],
  ])("passes: %s in %s", (pincode, name) => {
    const state = findIndianState(name);
    expect(state).not.toBeNull();
    if (state !== null) expect(pincodeProblem(pincode, state)).toBeNull();
    expect(IN.address.postcode.test(pincode)).toBe(true);
  });

  it.each([
    [
      "400001",
      "Karnataka",
      "Pincode 400001 is in Maharashtra, not Karnataka. Correct the pincode or the state.",
    ],
    [
      "560038",
      "Maharashtra",
      "Pincode 560038 is in Karnataka, not Maharashtra. Correct the pincode or the state.",
    ],
    ["110001", "Haryana", "Pincode 110001 is in Delhi, not Haryana. Correct the pincode or the state."],
    [
      "695001",
      "Tamil Nadu",
      "Pincode 695001 is in Kerala, not Tamil Nadu. Correct the pincode or the state.",
    ],
    ["781007", "Meghalaya", "Pincode 781007 is in Assam, not Meghalaya. Correct the pincode or the state."],
    ["500081", "Karnataka", "Pincode 500081 isn't in Karnataka. Correct the pincode or the state."],
    ["396210", "Maharashtra", "Pincode 396210 isn't in Maharashtra. Correct the pincode or the state."],
  ])("fails: %s in %s", (pincode, name, words) => {
    const state = findIndianState(name);
    const problem = state === null ? null : pincodeProblem(pincode, state);
    expect(problem === null ? null : english(problem)).toBe(words);
    expect(problem === null ? null : translate("hi", problem)).toContain(state?.names.hi);
  });

  it("passes in each possible state, or in all if none is known", () => {
    for (const { gstCode } of indianStates)
      expect(
        Array.from({ length: 900 }, (_, index) => `${index + 100}001`).some((pincode) =>
          statesOfPincode(pincode).some((state) => state.gstCode === gstCode),
        ),
      ).toBe(true);
    fc.assert(
      fc.property(
        fc.integer({ min: 110_000, max: 999_998 }).map(String),
        fc.constantFrom(...indianStates),
        (pincode, state) => {
          const possible = statesOfPincode(pincode);
          const passes = pincodeProblem(pincode, state) === null;
          expect(passes).toBe(possible.length === 0 || possible.includes(state));
        },
      ),
    );
  });
});

describe("a state as the register and people spell it", () => {
  it.each([
    ["Chattisgarh", "22"],
    ["Tamilnadu", "33"],
    ["Telengana", "36"],
    ["Pondicherry", "34"],
    ["J & K", "01"],
    ["Ladakh (UT)", "38"],
    ["DADRA & NAGAR HAVELI AND DAMAN & DIU", "26"],
    ["Daman and Diu", "26"],
    ["The Dadra And Nagar Haveli And Daman And Diu", "26"],
    // Others.
    ["Delhi (NCT)", "07"],
    ["NCT of Delhi", "07"],
    ["ANDHRAPRADESH", "37"],
    ["West-Bengal", "19"],
    ["State of Goa", "30"],
    ["Union Territory of Ladakh", "38"],
    ["Andaman & Nicobar", "35"],
    ["कर्नाटक", "29"],
  ])("matches %s to the code %s", (text, code) => expect(findIndianState(text)?.gstCode).toBe(code));

  it.each(["", " ", "(UT)", "Narnia", "Texas", "The"])("refuses %j", (text) =>
    expect(findIndianState(text)).toBeNull(),
  );
});
