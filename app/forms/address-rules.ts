/** Address rules of a country that a form needs. */
import type { Country } from "#db/tables/enums.ts";
import { countries, phoneCodesIn, phoneForms } from "#server/foundation/countries/registry.ts";
import { stateChoices } from "#server/foundation/countries/state.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { AddressRules } from "./address-fields.tsx";
import { phoneAttribute } from "./phone.ts";

export function addressRulesOf(
  country: Country,
  language: LanguageId,
): { place: AddressRules; states: readonly { value: string; label: string }[] } {
  const { address, registration, words } = countries[country];
  const {
    name: countryName,
    postcodeLabel,
    registrationLabel,
    registrationHint,
    registrationInSentence,
  } = words[language];
  return {
    states: stateChoices(address.states, language, address.unsold),
    place: {
      countryName,
      postcodeLabel,
      postcodeKeys: address.postcodeKeys,
      isGst: registration.isGst,
      registrationLabel,
      registrationHint,
      registrationInSentence,
      phoneCodes: phoneCodesIn(language),
      phones: phoneAttribute(phoneForms),
    },
  };
}

/** Answers with the fields that a checkbox can leave empty. */
interface Stored {
  addressLine1?: string | undefined;
  addressLine2?: string | undefined;
  organisationRegistrationNumber?: string | undefined;
  gst_code?: string | null | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
}

/** The checkbox states of stored answers: ticked for each empty field. None for answers that were never given. */
export function ticksOf(
  answers: Stored,
): Partial<Record<"noAddressLine2" | "noRegistration" | "noLastName", "on">> {
  const { addressLine1 = "", addressLine2, organisationRegistrationNumber, gst_code, lastName } = answers;
  return {
    ...(addressLine1 !== "" && addressLine2 === "" && { noAddressLine2: "on" }),
    ...(addressLine1 !== "" &&
      organisationRegistrationNumber === "" &&
      (gst_code ?? "") === "" && { noRegistration: "on" }),
    ...((answers.firstName ?? "") !== "" && lastName === "" && { noLastName: "on" }),
  };
}
