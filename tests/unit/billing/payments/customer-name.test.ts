/** Customer names in the characters and lengths that Razorpay accepts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fitContact, fitCustomerName } from "#server/integrations/razorpay/customer-name.ts";

test.each([
  ["O K", "O K"],
  ["Æ -", "Acme Tools"],
  ["Ann Æther", "Ann AEther"],
  ["Priya, Rao", "Priya Rao"],
  ["प्रिया राव", "Acme Tools"],
  ["Şahin-Østby", "Sahin Ostby"],
  ["D’Souza", "D'Souza"],
  ["Łukasz Müller", "Lukasz Muller"],
  ["😀 😀 😀", "Acme Tools"],
  ["Li", "Acme Tools"],
  ["123", "Acme Tools"],
  [`${"A".repeat(60)} B`, "A".repeat(50)],
  [`${"A".repeat(49)} B`, "A".repeat(49)],
])("converts %j to %j", (name, expected) => {
  expect(fitCustomerName(name, "Acme Tools")).toBe(expected);
});

test.each([
  ["प्रिया राव", "हिमालय"],
  ["", ""],
  ["-", "."],
])('replaces %j of %j with "Customer"', (name, company) => {
  expect(fitCustomerName(name, company)).toBe("Customer");
});

test("keeps within the limits for any name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (name, company) => {
      expect(fitCustomerName(name, company)).toMatch(
        /^[A-Za-z0-9.'/@()][A-Za-z0-9 .'/@()]{1,48}[A-Za-z0-9.'/@()]$/,
      );
    }),
  );
});

test.each([
  ["+919876543210", "+919876543210"],
  ["+1234567", "+1234567"],
  ["+123456", undefined],
  ["+91987654321012", undefined],
  ["", undefined],
])("sends the telephone number %j as %j", (given, sent) => {
  expect(fitContact(given)).toBe(sent);
});
