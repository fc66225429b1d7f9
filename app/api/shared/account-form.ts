/**
 * The account form of the calls (docs/specification.md, section 3): the page's fields, plus the extra fields of the
 * specification.
 */
import { z } from "zod";
import { type AddressId, parseId } from "#db/ids.ts";
import type { AccountAnswers, PlaceOfBusiness } from "#db/orders/order.ts";
import type { CountryProfile } from "#server/foundation/countries/country.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { type DomainError, wrongField } from "#server/foundation/errors.ts";
import { accountShape, withAccountRules } from "../../forms/account-schema.ts";
import { flag, ignoredText } from "./fields.ts";

const { phoneCode, ...fields } = accountShape;
const profiles = Object.values(countries);
const countryList = profiles.map(({ nameInSentence }) => nameInSentence).join(" or ");
/** "India: 6 digits; USA: a ZIP code". */
const ofEach = (rule: (profile: CountryProfile) => string) =>
  profiles.map((profile) => `${profile.name}: ${rule(profile)}`).join("; ");

export const accountFields = {
  ...fields,
  phoneNumber: fields.phoneNumber.describe("10 digits; a country code in front overrides phoneCode"),
  state: fields.state.describe(`of ${countryList}, by its name or as the post writes it: Maharashtra or MH`),
  pincode: fields.pincode.describe(ofEach(({ address }) => address.postcodeRule)),
  organisationRegistrationNumber: fields.organisationRegistrationNumber.describe(
    `${ofEach(({ registration }) => registration.rule)}. May be left out where gst_code is given`,
  ),
  phoneCode: phoneCode.optional().describe(`left out: ${ofEach(({ phone }) => phone.code)}`),
  gst_code: fields.gst_code.describe("the GSTIN, when the registration number is a PAN"),
  new_address: flag.optional().describe("false: the saved address named by address_id counts"),
  address_id: z.string().max(64).optional().describe("one of the company's saved addresses"),
  keep_address: flag
    .optional()
    .describe("true: keep the address as entered, even if the vendor suggests another"),
  isCustomer: flag.optional(),
  customerId: ignoredText.describe("the company of the account; another's is not found"),
};
const accountBody = withAccountRules(z.object(accountFields));

export function answersOf(sent: z.output<typeof accountBody>): AccountAnswers {
  return {
    companyName: sent.companyName,
    email: sent.email,
    firstName: sent.firstName,
    lastName: sent.lastName,
    phoneCode: sent.phoneCode,
    phoneNumber: sent.phoneNumber,
    addressLine1: sent.addressLine1,
    addressLine2: sent.addressLine2,
    city: sent.city,
    state: sent.state,
    pincode: sent.pincode,
    country: sent.country,
    organisationRegistrationNumber: sent.organisationRegistrationNumber,
    gst_code: sent.gst_code,
  };
}

export function addressIdOf(sent: z.output<typeof accountBody>): AddressId | null {
  return sent.new_address === false ? parseId<AddressId>(sent.address_id) : null;
}

/** The refusal of an address that the vendor would write otherwise. The client sends a suggestion, or the same with keep_address. */
export function addressSuggested(suggestions: readonly PlaceOfBusiness[]): DomainError {
  const written = suggestions.map(({ addressLine1, addressLine2, city, state, pincode }) =>
    [addressLine1, addressLine2, city, state, pincode].filter((part) => part !== "").join(", "),
  );
  return wrongField(
    "addressLine1",
    `Is this the address: ${written.join("; or ")}? To keep yours, send keep_address.`,
  );
}
