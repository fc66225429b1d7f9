/** Numbers typed on a Hindi or a full-width keyboard become ASCII digits; nothing else changes. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { loginSchema } from "#app/forms/account-schemas.ts";
import { readPhone } from "#app/forms/phone.ts";
import * as schemas from "#app/forms/schemas.ts";
import { takeFields } from "#app/http/form-fields.ts";
import { phoneForms } from "#server/foundation/countries/registry.ts";
import { plainDigits } from "#server/foundation/digits.ts";
import { inDevanagari, inFullWidth } from "#tests/support/digits.ts";

test("converts every digit of a number", () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(inDevanagari, inFullWidth), (number, written) => {
      expect(written(number)).not.toBe(String(number));
      expect(plainDigits(written(number))).toBe(String(number));
    }),
  );
});

test("leaves other characters unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(plainDigits(text).replace(/\d/g, "")).toBe(text.replace(/[\d०-९０-９]/g, ""));
    }),
  );
});

test("reads a phone number with its country's code", () => {
  expect(readPhone(`+${inDevanagari(91)} ९८२२० १२३४५`, "+1", phoneForms)).toEqual({
    code: "+91",
    number: "9822012345",
  });
});

test("converts a form's numbers, and keeps its texts as they were typed", () => {
  const posted = new URLSearchParams({ term: "P1Y", quantity: "१७", domain: "दुकान१.com" });
  const { fields } = takeFields(posted, schemas.domainDetailsSchema);
  expect(Object.fromEntries(fields)).toEqual({ term: "P1Y", quantity: "17", domain: "दुकान१.com" });
});

test("leaves a password unchanged", () => {
  const { fields } = takeFields(new URLSearchParams({ password: "राज़१२३" }), loginSchema);
  expect(fields.get("password")).toBe("राज़१२३");
});
