/**
 * The countries in which the store sells, and values derived from all of them. docs/extend/country.md explains how to add
 * another.
 */
import type { Country, Currency } from "#db/tables/enums.ts";
import type { State } from "#server/foundation/countries/state.ts";
import { type LanguageId, perLanguage } from "#server/foundation/languages/language.ts";
import type { LocalisedText } from "#server/foundation/languages/messages.ts";
import type { CountryProfile, CountryTexts, PhoneCode, PhoneFormat } from "./country.ts";
import { india } from "./india.ts";
import { usa } from "./usa.ts";

export const countries: Readonly<Record<Country, CountryProfile>> = { IN: india, US: usa };

/** Codes in display order. */
export const countryCodes = Object.keys(countries).filter(isCountry);

/** The default country. */
export const standardCountry: Country = "IN";

export const currencies: readonly Currency[] = [
  ...new Set(Object.values(countries).map(({ currency }) => currency)),
];

interface ListedPhone extends PhoneFormat {
  country: LocalisedText;
}

/** Countries of buyers' phones where the store does not sell: the list of docs/specification.md, section 9.1. */
const phonesElsewhere: readonly ListedPhone[] = [
  { code: "+44", digits: 10, country: { en: "UK", hi: "ब्रिटेन" } },
];

/** Accepted phone numbers, by country code. */
export const phoneForms: readonly ListedPhone[] = [
  ...countryCodes.map((code) => ({ ...countries[code].phone, country: localisedCountryText(code, "name") })),
  ...phonesElsewhere.filter(({ code }) => !Object.values(countries).some(({ phone }) => phone.code === code)),
];

/** Lists the country codes of phone numbers to choose from: "+91 India". */
export function phoneCodesIn(language: LanguageId): { value: PhoneCode; label: string }[] {
  return phoneForms.map(({ code, country }) => ({ value: code, label: `${code} ${country[language]}` }));
}

export function isCountry(text: string): text is Country {
  return Object.hasOwn(countries, text);
}

type WordsOfAll = {
  [Name in keyof CountryTexts]: CountryTexts[Name] extends string ? Name : never;
}[keyof CountryTexts];

/** Returns a text of a country in every language, for a message. */
export function localisedCountryText(country: Country, name: WordsOfAll): LocalisedText {
  return perLanguage((language) => countries[country].words[language][name]);
}

/** Caches a value derived from a country's profile, such as formats, which are expensive to create. */
export function perCountry<Made>(make: (profile: CountryProfile) => Made): (country: Country) => Made {
  const made = new Map<Country, Made>();
  return (country) => {
    const known = made.get(country);
    if (known !== undefined) return known;
    const fresh = make(countries[country]);
    made.set(country, fresh);
    return fresh;
  };
}

/**
 * Country whose tax is GST. Its rate, its year and its currency apply to every document of a seller registered there, wherever
 * the buyer is.
 */
export const gstCountry: Country =
  countryCodes.find((code) => countries[code].invoicing.tax.kind === "gst") ?? standardCountry;

export function currencyOf(country: Country): Currency {
  return countries[country].currency;
}

/** Returns the country that uses a currency and decides its format. @throws RangeError when no country is charged in it */
export function countryOfCurrency(currency: Currency): Country {
  const found = countryCodes.find((code) => countries[code].currency === currency);
  if (found === undefined) throw new RangeError(`No country is charged in ${currency}`);
  return found;
}

/** Returns the country of a console code; `null` for any other text. */
export function countryOfConsoleCode(text: string): Country | null {
  return countryCodes.find((code) => countries[code].console === text) ?? null;
}

/** Finds a state of that country by its name or abbreviation; `null` when there is none. */
export function findState(country: Country, text: string): State | null {
  return countries[country].address.findState(text);
}

/** Finds a state by a vendor's name for it: its ISO 3166-2 subdivision code, or as `findState` does. */
export function stateOfVendor(country: Country, text: string): State | null {
  const { states, subdivisionCode: codeOf } = countries[country].address;
  return states.find((state) => codeOf(state) === text.toUpperCase()) ?? findState(country, text);
}

/** Returns a state's ISO 3166-2 subdivision code, by its name or abbreviation; `null` when there is no such state. */
export function subdivisionCode(country: Country, text: string): string | null {
  const state = findState(country, text);
  return state === null ? null : countries[country].address.subdivisionCode(state);
}
