/**
 * What a country in which the store sells decides. Nothing outside this folder knows a country by its code.
 * docs/extend/country.md says how to add one.
 */
import type { Currency } from "#db/tables/enums.ts";
import type { State } from "#server/foundation/countries/state.ts";
import type { DatedValues } from "#server/foundation/dated.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { MessageDescriptor } from "#server/foundation/languages/messages.ts";

export interface CountryProfile {
  /** For addresses and lists. */
  name: string;
  /** For sentences: "the USA". */
  nameInSentence: string;
  /** The country's two-letter code in the JSON calls. */
  console: string;
  /** The only currency charged there: prices are never converted. */
  currency: Currency;
  /** The decimals of an amount without a fraction: 0 shows ₹12, 2 shows $12.00. */
  shownFractionDigits: 0 | 2;
  /** Rates of the tax that is added to prices, in hundredths of a percent: 1800 = 18%. */
  taxRates: DatedValues<number>;
  /** Totals are rounded to a multiple of this, in minor units: 100 = whole rupees, 1 = cents. */
  totalStepMinor: number;
  /** BCP 47, for formats and for the tenants that providers create. */
  locale: string;
  /** IANA name. Its clock decides how dates are shown and invoices numbered. */
  timeZone: string;
  /** Appended to the prefix of a tenant's name when it is taken. */
  tenantEndings: readonly string[];
  address: AddressFormat;
  phone: PhoneFormat;
  registration: Registration;
  invoicing: Invoicing;
  /** Here rather than among the messages, so that a country is one record. */
  words: Readonly<Record<LanguageId, CountryTexts>>;
}

export interface CountryTexts {
  /** In a list. */
  name: string;
  /** In a sentence: "the USA". */
  inSentence: string;
  /** In the switches of the country of the prices, with the currency's sign. */
  market: string;
  /** "rupees". */
  money: string;
  /** Below the catalogue's country switch; `{rate}` stands for the tax rate in percent. */
  catalogue: string;
  /** What the country calls the tax that is added to prices; null where none is. */
  taxName: string | null;
  /** The assurances at the top of the home page. */
  assurances: readonly string[];
  /** The answer to "Who can buy here?". */
  whoMayBuy: string;
  /** What the country calls a postcode: the field's label, and the word in a sentence. */
  postcodeLabel: string;
  postcodeInSentence: string;
  /** The registration number's label, its hint, and the words for it in a sentence. */
  registrationLabel: string;
  registrationHint: string;
  registrationInSentence: string;
}

export type PhoneCode = `+${number}`;

/** The format of phone numbers. */
export interface PhoneFormat {
  code: PhoneCode;
  /** The digits of a number without the country code, and without the leading 0 that some countries dial. */
  digits: number;
}
/** The format of addresses. */
export interface AddressFormat {
  states: readonly State[];
  /** Places that the country's post serves and where nothing is sold. The form lists them, so that the answer says so. */
  unsold?: readonly State[];
  /** Why nothing is sold to the place of this name, as a sentence; `null` for any other name. */
  unsoldProblem?(text: string): MessageDescriptor | null;
  /** Finds a state by its name or abbreviation, in any spelling. */
  findState(text: string): State | null;
  /** The part after the country in ISO 3166-2, which providers require. */
  subdivisionCode(state: State): string;
  postcode: RegExp;
  /** Normalises a postcode as people type it; left out where it is taken as typed. */
  canonicalPostcode?(text: string): string;
  /** Why a postcode cannot be in a state, as a sentence; `null` when it can. Left out where postcodes do not show the state. */
  postcodeProblem?(postcode: string, state: string): MessageDescriptor | null;
  /** The postcode's format, for the API's documentation. */
  postcodeRule: string;
  /** The keyboard a phone shows for it. */
  postcodeKeys: "numeric" | "text";
}

/** The number a company is registered under. */
export interface Registration {
  /** What is accepted, for the API's documentation. */
  rule: string;
  /** True where companies have a GSTIN or a PAN, and a register has the address of a GSTIN. */
  isGst: boolean;
  /** Why a text is invalid; `null` when it is valid. */
  problem(text: string): MessageDescriptor | null;
  /** Normalises a number for storing and printing, without extra characters. */
  canonical(text: string): string;
  /** What such a number is called, the same in every language: a PAN, a GSTIN, an EIN. */
  nameOf(number: string): string;
  /** The number vendors ask for, from the two that a company may give; `null` where they accept none. */
  vendorNumber(given: CompanyNumbers): string | null;
}

/** The registration number, and the tax number where the company gave one. */
export interface CompanyNumbers {
  organisationRegistrationNumber: string;
  gst_code: string | null;
}

export interface Invoicing {
  /** The series of the year that a month (1 to 12) belongs to: "IN/26-27". Numbers have no gap within a series. */
  series(at: { year: number; month: number }): string;
  /** The month, 1 to 12, in which the year begins that books are kept by. */
  firstMonth: number;
  /** GST is split by the place of supply. Any other tax is one line under its own name. */
  tax: { kind: "gst" } | { kind: "single"; name: string } | { kind: "none" };
  /** Where buyers withhold a tax from what they pay: the form of the number by which they pay it, and an example. Left out elsewhere. */
  withholding?: { numberForm: RegExp; example: string };
  /** A total of minor units, from 0, in words of each language; null in countries whose invoices omit it. */
  inWords: Readonly<Record<LanguageId, (minor: number) => string>> | null;
}
