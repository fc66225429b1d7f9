/**
 * Where the store sells: what a country decides, and the registry of the countries there are. Nothing outside this folder knows a
 * country by its code; docs/extend/country.md says how one is added.
 */
import type { Country, Currency } from "#db/tables/enums.ts";
import type { State } from "#server/countries/state.ts";
import { india } from "./india.ts";
import { usa } from "./usa.ts";

export interface CountryProfile {
  /** As it stands in an address and in lists. */
  name: string;
  /** As it stands in a sentence: "the USA". */
  nameInSentence: string;
  /** As the switch of the catalogue shows it, with the sign of its money. */
  market: string;
  /** The two letters that the JSON calls know it by. */
  console: string;
  /** The only one it is charged in: a price is never converted. */
  currency: Currency;
  /** "rupees". */
  moneyInSentence: string;
  /** Of an amount without a fraction: 0 shows ₹12, 2 shows $12.00. */
  shownFractionDigits: 0 | 2;
  /** Hundredths of a percent: 1800 = 18%. */
  taxRateBasisPoints: number;
  /** What a total is a multiple of, in minor units: 100 = whole rupees, 1 = cents. */
  totalStepMinor: number;
  /** BCP 47, for formats and for the accounts that providers make. */
  locale: string;
  /** IANA name: dates are shown, and invoices numbered, by its clock. */
  timeZone: string;
  /** Put after the prefix of a tenant's name that somebody else has. */
  tenantEndings: readonly string[];
  address: AddressForm;
  phone: PhoneForm;
  registration: Registration;
  invoicing: Invoicing;
  words: {
    /** Below the switch of the catalogue. */
    catalogue: string;
    /** After a price to which tax is added: ", before GST"; empty where there is none. */
    beforeTax: string;
    /** What its buyers are assured of at the top of the home page. */
    assurances: readonly string[];
    /** The answer to "Who can buy here?". */
    whoMayBuy: string;
  };
}

export type PhoneCode = `+${number}`;

/** How its phone numbers are written. */
export interface PhoneForm {
  code: PhoneCode;
  /** In the list of country codes: "+91 India". */
  label: string;
  /** Of a number without the country's code, and without the 0 that is dialled before it in some countries. */
  digits: number;
}
/** How its addresses are written. */
export interface AddressForm {
  states: readonly State[];
  /** By its name or abbreviation, however it is written. */
  findState(text: string): State | null;
  /** What follows the country in ISO 3166-2, which providers ask for. */
  subdivisionCode(state: State): string;
  postcode: RegExp;
  /** The same in words. */
  postcodeRule: string;
  /** The keys a phone offers for it. */
  postcodeKeys: "numeric" | "text";
}

/** The number a company is registered under. */
export interface Registration {
  /** What it may be, for readers of the API's documents. */
  rule: string;
  inSentence: string;
  /** Below the field. */
  hint: string;
  /** Companies are known by a GSTIN or a PAN, and a register can be asked for the address of a GSTIN. */
  isGst: boolean;
  /** What keeps a text from being one, as a sentence; `null` when nothing does. */
  problem(text: string): string | null;
  /** The form in which it is kept and printed, without what was typed around it. */
  canonical(text: string): string;
}

export interface Invoicing {
  /** The series of the year that a month (1 to 12) belongs to: "IN/26-27". Numbers run without a gap in each. */
  series(at: { year: number; month: number }): string;
  /** GST is divided by the place of supply; any other tax is one line under its own name. */
  tax: { kind: "gst" } | { kind: "single"; name: string } | { kind: "none" };
  /** A total of so many minor units, from 0, in words; null where invoices do without. */
  inWords: ((minor: number) => string) | null;
}

export const countries: Readonly<Record<Country, CountryProfile>> = { IN: india, US: usa };

/** In the order in which they are offered. */
export const countryCodes = Object.keys(countries).filter(isCountry);

/** Where nothing says which. */
export const standardCountry: Country = "IN";

export const currencies: readonly Currency[] = [
  ...new Set(Object.values(countries).map(({ currency }) => currency)),
];

/** The phones of a buyer may be elsewhere than where it buys: the list of docs/specification.md, section 9.1. */
const phonesElsewhere: readonly PhoneForm[] = [{ code: "+44", label: "+44 UK", digits: 10 }];

/** The phone numbers that are taken, by their countries' codes. */
export const phoneForms: readonly PhoneForm[] = [
  ...Object.values(countries).map(({ phone }) => phone),
  ...phonesElsewhere.filter(({ code }) => !Object.values(countries).some(({ phone }) => phone.code === code)),
];

export function isCountry(text: string): text is Country {
  return Object.hasOwn(countries, text);
}

/** What is made of a country's profile, made once: for formats, which are dear to make. */
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

export function currencyOf(country: Country): Currency {
  return countries[country].currency;
}

/** The country whose money it is: its format is the money's. @throws RangeError when no country is charged in it */
export function countryOfCurrency(currency: Currency): Country {
  const found = countryCodes.find((code) => countries[code].currency === currency);
  if (found === undefined) throw new RangeError(`No country is charged in ${currency}`);
  return found;
}

/** The country a console stands for; `null` when the text is not a console. */
export function countryOfConsole(text: string): Country | null {
  return countryCodes.find((code) => countries[code].console === text) ?? null;
}

/** Finds a state of that country by its name or abbreviation; `null` when there is none. */
export function findState(country: Country, text: string): State | null {
  return countries[country].address.findState(text);
}

/** The two letters of ISO 3166-2 for a state as people write it; `null` when there is no such state. */
export function subdivisionCode(country: Country, text: string): string | null {
  const state = findState(country, text);
  return state === null ? null : countries[country].address.subdivisionCode(state);
}
