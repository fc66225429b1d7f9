/**
 * Validates the answers of Create Account beyond their presence. What the tax invoice, the company register and the
 * providers demand later is checked while the buyer is at the form. Forms and calls use it too, to report every problem
 * in one answer.
 */
import type { Country } from "#db/tables/enums.ts";
import { countries, countryCodes, findState, wordsOf } from "#server/countries/country.ts";
import { gstinProblem, parseGstin } from "#server/countries/gstin.ts";
import { type Told, told } from "#server/languages/text.ts";

/** The answers that depend on each other and on the country, as typed; empty or left out when not given. */
export interface TaxAddress {
  country: Country;
  state?: string | null | undefined;
  pincode?: string | null | undefined;
  organisationRegistrationNumber?: string | null | undefined;
  gst_code?: string | null | undefined;
}

/**
 * The problems by field. Of missing answers it reports the postcode and the registration number, whose names depend on the
 * country; the GST code may replace the number.
 */
export function problemsOf(address: TaxAddress): Record<string, Told> {
  const problems: Record<string, Told> = {};
  const { country, state, pincode, gst_code } = address;
  const { address: form, registration: numbers } = countries[country];
  const found = isGiven(state) ? findState(country, state) : null;
  if (isGiven(state) && isGiven(pincode) && found === null && isElsewhere(country, state, pincode)) {
    // The address itself is valid, so the country must be wrong.
    problems.country = told("fields.otherCountry");
  } else {
    if (isGiven(state) && found === null) problems.state = told("fields.state");
    if (isGiven(pincode) && !form.postcode.test(pincode))
      problems.pincode = told("fields.postcode", { postcode: wordsOf(country, "postcodeInSentence") });
  }
  const missing = (name: "postcodeLabel" | "registrationLabel") =>
    told("fields.required", { label: wordsOf(country, name) });
  if (!isGiven(pincode)) problems.pincode = missing("postcodeLabel");
  const registration = registrationOf(address);
  if (registration === "") problems.organisationRegistrationNumber = missing("registrationLabel");
  const problem = registration === "" ? null : numbers.problem(registration);
  if (problem !== null) problems.organisationRegistrationNumber = problem;
  const gstProblem = isGiven(gst_code) ? gstinProblem(gst_code) : null;
  if (gstProblem !== null) problems.gst_code = told("fields.gstNumberProblem", { problem: gstProblem });
  // A tax invoice with the GSTIN of one state and an address in another is invalid.
  const registeredIn = gstinOf(address)?.state ?? null;
  if (registeredIn !== null && found !== null && registeredIn.name !== found.name) {
    problems.state = told("fields.gstState", { state: registeredIn.name });
  }
  return problems;
}

/** Normalises an address for storing and printing: the state by its name, the numbers without extra characters. */
export function inGoodForm<Address extends TaxAddress>(address: Address) {
  const registration = registrationOf(address);
  const given = address.state ?? "";
  return {
    ...address,
    state: findState(address.country, given)?.name ?? given,
    pincode: address.pincode ?? "",
    organisationRegistrationNumber: countries[address.country].registration.canonical(registration),
    gst_code: gstinOf(address)?.value ?? null,
  };
}

function isElsewhere(country: Country, state: string, pincode: string): boolean {
  return countryCodes.some(
    (other) =>
      other !== country &&
      findState(other, state) !== null &&
      countries[other].address.postcode.test(pincode),
  );
}

/** A GSTIN that was typed into one of the two fields counts for both. */
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
