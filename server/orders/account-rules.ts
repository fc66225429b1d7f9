/**
 * Validates the answers of Create Account beyond their presence, so that the requirements of the tax invoice, the company
 * register and the providers are checked while the buyer is at the form. Forms and API requests use it too, to report all
 * problems at once.
 */
import type { Country } from "#db/tables/enums.ts";
import { gstinProblem, parseGstin } from "#server/foundation/countries/gstin.ts";
import { isTooShort, leastLength } from "#server/foundation/countries/portal-texts.ts";
import {
  countries,
  countryCodes,
  findState,
  localisedCountryText,
} from "#server/foundation/countries/registry.ts";
import type { State } from "#server/foundation/countries/state.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";

/** The answers that depend on each other and on the country, as typed; empty or left out when not given. */
export interface TaxAddress {
  country: Country;
  state?: string | null | undefined;
  pincode?: string | null | undefined;
  organisationRegistrationNumber?: string | null | undefined;
  gst_code?: string | null | undefined;
  companyName?: string | null | undefined;
  city?: string | null | undefined;
}

/**
 * Returns the problems by field. Of the missing answers it reports only the postcode, whose name depends on the country. A
 * missing registration number is checked by the form (`isWithoutRegistration`), because a company may have none.
 */
export function problemsOf(address: TaxAddress): Record<string, MessageDescriptor> {
  const problems: Record<string, MessageDescriptor> = {};
  const { country, state, gst_code } = address;
  const { registration: numbers } = countries[country];
  const pincode = canonicalPostcode(country, address.pincode);
  const registeredIn = gstinOf(address)?.state ?? null;
  const found = isGiven(state) ? findState(country, state) : null;
  const place = found ?? stateByNumber(address);
  if (isGiven(state) && isGiven(pincode) && found === null && isElsewhere(country, state, pincode)) {
    // The address is valid in another country, so the country must be wrong.
    problems.country = msg("fields.otherCountry");
  } else {
    const unsold = isGiven(state) ? (countries[country].address.unsoldProblem?.(state) ?? null) : null;
    if (unsold !== null) problems.state = unsold;
    else if (isGiven(state) && place === null) problems.state = msg("fields.state");
    // Report only one problem of the place.
    const problem = isGiven(pincode) && unsold === null ? postcodeProblem(country, pincode, place) : null;
    if (problem !== null) problems.pincode = problem;
  }
  if (!isGiven(pincode))
    problems.pincode = msg("fields.required", { label: localisedCountryText(country, "postcodeLabel") });
  const registration = registrationOf(address);
  const problem = registration === "" ? null : numbers.problem(registration);
  if (problem !== null) problems.organisationRegistrationNumber = problem;
  const gstProblem = isGiven(gst_code) ? gstinProblem(gst_code) : null;
  if (gstProblem !== null) problems.gst_code = msg("fields.gstNumberProblem", { problem: gstProblem });
  // A tax invoice with a GSTIN of one state and an address in another is invalid.
  if (registeredIn !== null && found !== null && registeredIn.name !== found.name) {
    problems.state = msg("fields.gstState", { state: registeredIn.names });
  }
  return { ...problems, ...lengthProblems(address) };
}

/** Checks the lengths for a buyer with a GSTIN: the invoice registration portal refuses short names. */
function lengthProblems(address: TaxAddress): Record<string, MessageDescriptor> {
  const { country, companyName, city } = address;
  if (!countries[country].registration.isGst || gstinOf(address) === null) return {};
  return {
    ...(isGiven(companyName) &&
      isTooShort("name", companyName) && {
        companyName: msg("fields.shortCompanyName", { count: leastLength("name") }),
      }),
    ...(isGiven(city) &&
      isTooShort("locality", city) && { city: msg("fields.shortCity", { count: leastLength("locality") }) }),
  };
}

function postcodeProblem(country: Country, postcode: string, state: State | null): MessageDescriptor | null {
  const { address: form } = countries[country];
  if (!form.postcode.test(postcode))
    return msg("fields.postcode", { postcode: localisedCountryText(country, "postcodeInSentence") });
  return state === null ? null : (form.postcodeProblem?.(postcode, state.name) ?? null);
}

/** Normalises an address for storing and printing: the state's official name, and numbers without extra characters. */
export function normaliseTaxAddress<Address extends TaxAddress>(address: Address) {
  const registration = registrationOf(address);
  const given = address.state ?? "";
  return {
    ...address,
    state: (findState(address.country, given) ?? stateByNumber(address))?.name ?? given,
    pincode: canonicalPostcode(address.country, address.pincode),
    organisationRegistrationNumber: countries[address.country].registration.canonical(registration),
    gst_code: gstinOf(address)?.value ?? null,
  };
}

/** Finds the state of a GSTIN, used when the spelling of the state is unknown. */
function stateByNumber(address: TaxAddress): State | null {
  const name = gstinOf(address)?.state?.name;
  return name === undefined ? null : findState(address.country, name);
}

/** Normalises a postcode to its country's format; empty when none was given. */
function canonicalPostcode(country: Country, text: string | null | undefined): string {
  const given = text ?? "";
  return countries[country].address.canonicalPostcode?.(given) ?? given;
}

function isElsewhere(country: Country, state: string, pincode: string): boolean {
  return countryCodes.some(
    (other) =>
      other !== country &&
      findState(other, state) !== null &&
      countries[other].address.postcode.test(canonicalPostcode(other, pincode)),
  );
}

/** Whether both the GST code and the registration number are missing: either may replace the other. */
export function isWithoutRegistration(address: TaxAddress): boolean {
  return registrationOf(address) === "";
}

/** Returns the registration number; a GSTIN typed into either field counts for both. */
function registrationOf({ organisationRegistrationNumber, gst_code }: TaxAddress): string {
  return isGiven(organisationRegistrationNumber) ? organisationRegistrationNumber : (gst_code ?? "");
}

function gstinOf(address: TaxAddress) {
  const { gst_code } = address;
  return parseGstin(isGiven(gst_code) ? gst_code : registrationOf(address));
}

function isGiven(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== "";
}
