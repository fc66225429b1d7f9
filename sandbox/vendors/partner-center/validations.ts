/**
 * Partner Center's address checks before a customer is created: a country's rules, and a verdict on one address. The first word
 * of the first line decides: `Nowhere` is unknown, `Partial` gets three suggestions, `Renamed` one, `Unchecked` is not judged;
 * any other address in the country's format is verified.
 */
import { z } from "zod";
import type { JsonObject } from "../http-helpers.ts";
import { PartnerError, text } from "./calls.ts";

export const addressToCheck = z
  .object({
    AddressLine1: text,
    AddressLine2: z.string().nullish(),
    City: text,
    State: text,
    PostalCode: text,
    Country: z.string().length(2),
  })
  .transform((given) => ({
    addressLine1: given.AddressLine1,
    addressLine2: given.AddressLine2,
    city: given.City,
    state: given.State,
    postalCode: given.PostalCode,
    country: given.Country,
  }));

interface Address {
  addressLine1: string;
  addressLine2?: string | null | undefined;
  city: string;
  state?: string | null | undefined;
  postalCode: string;
  country: string;
}

const rules: Readonly<
  Record<string, { states: string; postalCode: string; phone: string; takesNumber: boolean }>
> = {
  IN: {
    states:
      "AN AP AR AS BR CG CH DH DL GA GJ HP HR JH JK KA KL LA LD MH ML MN MP MZ NL OD PB PY RJ SK TN TR TS UK UP WB",
    postalCode: "^[1-9]\\d{5}$",
    phone: "^(\\+?91)?[1-9]\\d{9}$",
    takesNumber: true,
  },
  US: {
    states:
      "AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY",
    postalCode: "^\\d{5}(-\\d{4})?$",
    // No area code begins with 0 or 1.
    phone: "^(\\+?1)?[2-9]\\d{9}$",
    takesNumber: false,
  },
};

/** @throws PartnerError 404 for a country that is not simulated */
export function countryRules(country: string): JsonObject {
  const found = rules[country.toUpperCase()];
  if (found === undefined) throw new PartnerError(404, 1000, `The country ${country} was not found.`);
  return {
    iso2Code: country.toUpperCase(),
    isStateRequired: true,
    states: { value: found.states.split(" ") },
    isPostalCodeRequired: true,
    postalCodeRegex: found.postalCode,
    isCityRequired: true,
    phoneNumberRegex: found.phone,
    isRegistrationNumberSupported: found.takesNumber,
    attributes: { objectType: "CountryInformation" },
  };
}

/** The response to a check. */
export function validated(given: Address): JsonObject {
  return { originalAddress: given, ...validateAddress(given) };
}

export function validateAddress(given: Address): {
  status: string;
  suggestedAddresses: Address[];
  validationMessage?: string;
} {
  const wrong = wrongFields(given);
  if (wrong.length > 0) {
    const named = wrong.map((name) => `'${name}'`).join(", ");
    return {
      status: "None",
      suggestedAddresses: [],
      validationMessage: `Address field invalid for property: ${named}`,
    };
  }
  const [word = "", ...rest] = given.addressLine1.trim().split(/\s+/);
  const renamed = (number: number) => ({ ...given, addressLine1: `${number} ${rest.join(" ")}`.trim() });
  switch (word.toLowerCase()) {
    case "partial":
      return { status: "StreetPartial", suggestedAddresses: [1, 2, 3].map(renamed) };
    case "renamed":
      return { status: "InteractionRequired", suggestedAddresses: [renamed(1)] };
    case "unchecked":
      return { status: "NotValidated", suggestedAddresses: [] };
    default:
      return { status: "VerifiedShippable", suggestedAddresses: [given] };
  }
}

function wrongFields({ addressLine1, state, postalCode, country }: Address): string[] {
  const found = rules[country];
  return [
    ...(/^nowhere\b/i.test(addressLine1) ? ["AddressLine1", "PostalCode"] : []),
    // Microsoft checks the states of four countries.
    ...(country === "US" && found?.states.split(" ").includes(state ?? "") === false ? ["Region"] : []),
    ...(found !== undefined && !new RegExp(found.postalCode).test(postalCode) ? ["PostalCode"] : []),
  ];
}
