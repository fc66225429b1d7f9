import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPhone } from "#app/forms/phone.ts";
import { phoneForms } from "#server/foundation/countries/registry.ts";

describe("a phone number as people type it", () => {
  test.each([
    ["98220 12345", "+91", "+91", "9822012345"],
    ["+91 98220 12345", "+91", "+91", "9822012345"],
    ["+91-98220-12345", "+1", "+91", "9822012345"],
    ["+91 (0)98220 12345", "+91", "+91", "9822012345"],
    ["0091 98220 12345", "+91", "+91", "9822012345"],
    ["919822012345", "+91", "+91", "9822012345"],
    ["09822012345", "+91", "+91", "9822012345"],
    ["(98220) 12345", "+91", "+91", "9822012345"],
    ["\u202a+91 98220\u00a012345\u202c", "+91", "+91", "9822012345"],
    ["98220\u201112345", "+91", "+91", "9822012345"],
    ["+1 (212) 555-0101", "+91", "+1", "2125550101"],
    ["1-212-555-0101", "+1", "+1", "2125550101"],
    ["212.555.0101", "+1", "+1", "2125550101"],
    ["+44 (0)20 7946 0958", "+91", "+44", "2079460958"],
    ["020 7946 0958", "+44", "+44", "2079460958"],
  ] as const)("reads %j next to %s as %s %s", (text, chosen, code, number) => {
    expect(readPhone(text, chosen, phoneForms)).toEqual({ code, number });
  });

  test.each([
    ["", "+91"],
    ["12345", "+91"],
    // A form cut 09822012345 to these ten characters.
    ["0982201234", "+91"],
    ["98220123456", "+91"],
    ["+91 9822012", "+91"],
    ["+971 50 123 4567", "+91"],
    ["919822012345", "+1"],
    ["98220 12345 ext. 6", "+91"],
    ["98220+12345", "+91"],
  ] as const)("refuses %j next to %s instead of cutting it", (text, chosen) => {
    expect(readPhone(text, chosen, phoneForms)).toBeNull();
  });

  test("reads its own output as the same number", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...phoneForms.map(({ code }) => code)),
        fc.stringMatching(/^[1-9]\d{9}$/),
        (code, number) => {
          expect(readPhone(number, code, phoneForms)).toEqual({ code, number });
          expect(readPhone(`${code} ${number}`, "+91", phoneForms)).toEqual({ code, number });
        },
      ),
    );
  });
});
