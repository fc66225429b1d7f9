/** Placeholders of people with one name, and of companies whose address has one line. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  accountFormSchema,
  accountShape,
  billingAddressFormSchema,
  withAccountRules,
} from "#app/forms/account-schema.ts";
import { signUpSchema } from "#app/forms/sign-up-schema.ts";
import { addressLinesOf } from "#server/billing/documents/facts.ts";
import { recipientParty } from "#server/billing/documents/parties.ts";
import { fullName, isPlaceholder, typedLastName, vendorLastName } from "#server/foundation/placeholders.ts";

const placeholders = [
  "-",
  ".",
  "..",
  "--",
  "–",
  "NA",
  "na",
  "N/A",
  "n/a",
  "N.A.",
  "none",
  "None",
  "nil",
  "NIL",
  "nil.",
  "*",
];
const names = [
  "O",
  "K.",
  "X",
  "Na",
  "D'Souza",
  "Şahin-Østby",
  "Ng",
  "राव",
  "O.",
  "Nilsson",
  "Nonesuch",
  "M.S.",
];

const account = {
  intent: "account",
  companyName: "Sahyadri Traders",
  email: "suresh@example.com",
  firstName: "Suresh",
  lastName: "Rao",
  phoneCode: "+91",
  phoneNumber: "9876543210",
  addressLine1: "4 Main Road",
  addressLine2: "Indiranagar",
  city: "Bengaluru",
  state: "Karnataka",
  pincode: "560038",
  country: "IN",
  organisationRegistrationNumber: "AABCB1234C",
  gst_code: "",
};
interface Given extends Partial<typeof account> {
  noAddressLine2?: "on";
  noLastName?: "on";
  noRegistration?: "on";
}
const stored = (given: Given) => accountFormSchema.parse({ ...account, ...given });
const errorsOf = (given: Given) => [
  ...new Set(accountFormSchema.safeParse({ ...account, ...given }).error?.issues.map(({ path }) => path[0])),
];

describe("a placeholder", () => {
  test.each(placeholders)("stores an empty last name and second line for %j", (typed) => {
    expect(isPlaceholder(typed)).toBe(true);
    expect(stored({ lastName: typed, addressLine2: typed })).toMatchObject({
      firstName: "Suresh",
      lastName: "",
      addressLine2: "",
    });
    expect(
      billingAddressFormSchema.parse({ ...account, lastName: typed, addressLine2: typed }),
    ).toMatchObject({
      lastName: "",
      addressLine2: "",
    });
    const signUp = signUpSchema.shape.lastName.parse(typed);
    expect(signUp).toBe("");
  });

  test.each(placeholders)("refuses %j where a document needs a text", (typed) => {
    for (const field of ["companyName", "firstName", "addressLine1", "city"] as const)
      expect(errorsOf({ [field]: typed }), field).toEqual([field]);
  });

  test.each(placeholders)("omits a stored %j from documents", (line) => {
    const place = { ...account, addressLine2: line, gst_code: null } as const;
    expect(addressLinesOf(place)).toEqual(["4 Main Road", "Bengaluru, Karnataka 560038"]);
    const party = recipientParty(place, { type: "B2B", letter: null }, { code: "29" });
    expect(party.street).toBe("4 Main Road");
    const person = { firstName: "Suresh", lastName: line };
    expect(fullName(person)).toBe("Suresh");
    expect(vendorLastName(person)).toBe("Suresh");
  });
});

describe("a name", () => {
  test.each(names)("accepts %j in every form", (name) => {
    expect(isPlaceholder(name)).toBe(false);
    expect(stored({ firstName: name, lastName: name })).toMatchObject({ firstName: name, lastName: name });
    expect(signUpSchema.shape.lastName.parse(name)).toBe(name);
    expect(fullName({ firstName: name, lastName: name })).toBe(`${name} ${name}`);
    expect(vendorLastName({ firstName: "Suresh", lastName: name })).toBe(name);
  });

  test("shows a dash in a form when it has one word", () => {
    expect(typedLastName({ firstName: "Suresh", lastName: "" })).toBe("-");
    expect(typedLastName({ firstName: "", lastName: "" })).toBe("");
    expect(typedLastName({ firstName: "Suresh", lastName: "Rao" })).toBe("Rao");
  });

  test("needs a last part, and an address a second line, as before", () => {
    expect(errorsOf({ lastName: "", addressLine2: "" })).toEqual(["addressLine2", "lastName"]);
  });
});

describe("a none tick", () => {
  const ticks = { noAddressLine2: "on", noLastName: "on", noRegistration: "on" } as const;
  const empty = { addressLine2: "", lastName: "", organisationRegistrationNumber: "" };

  test("lets its field be empty", () => {
    expect(stored({ ...empty, ...ticks })).toMatchObject({ ...empty, gst_code: null });
    expect(billingAddressFormSchema.parse({ ...account, ...empty, ...ticks })).toMatchObject(empty);
    expect(errorsOf(empty)).toEqual(["addressLine2", "lastName", "organisationRegistrationNumber"]);
  });

  test("stores its field empty even when text was typed, and is not stored itself", () => {
    const { noAddressLine2, noLastName, noRegistration, ...fields } = stored(ticks);
    expect([noAddressLine2, noLastName, noRegistration]).toEqual([undefined, undefined, undefined]);
    expect(fields).toMatchObject(empty);
  });

  test("does not exist in the calls' form", () => {
    const calls = withAccountRules(z.object(accountShape));
    const { issues } = calls.safeParse({ ...account, ...empty, ...ticks }).error ?? { issues: [] };
    expect(issues.map(({ path: [field] }) => field)).toEqual(
      expect.arrayContaining(["addressLine2", "lastName", "organisationRegistrationNumber"]),
    );
  });
});
