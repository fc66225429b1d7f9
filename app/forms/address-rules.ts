/** What a form needs to know of the country whose addresses it asks for. */
import type { Country } from "#db/tables/enums.ts";
import { countries, phoneCodesIn, phoneForms } from "#server/countries/registry.ts";
import { stateChoices } from "#server/countries/state.ts";
import type { LanguageId } from "#server/languages/language.ts";
import type { AddressRules } from "./address-fields.tsx";
import { phoneAttribute } from "./phone.ts";

export function addressRulesOf(
  country: Country,
  language: LanguageId,
): { place: AddressRules; states: readonly { value: string; label: string }[] } {
  const { address, registration, words } = countries[country];
  const { name: countryName, postcodeLabel, registrationLabel, registrationHint } = words[language];
  return {
    states: stateChoices(address.states, language, address.unsold),
    place: {
      countryName,
      postcodeLabel,
      postcodeKeys: address.postcodeKeys,
      isGst: registration.isGst,
      registrationLabel,
      registrationHint,
      phoneCodes: phoneCodesIn(language),
      phones: phoneAttribute(phoneForms),
    },
  };
}
