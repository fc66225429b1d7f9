/**
 * The contract of a country in which the store sells. No code outside this folder knows a country by its code.
 * docs/extend/country.md explains how to add one.
 */
import type { Currency } from "#db/tables/enums.ts";
import type { State } from "#server/foundation/countries/state.ts";
import type { DatedValues } from "#server/foundation/dated.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { MessageDescriptor } from "#server/foundation/languages/messages.ts";

export interface CountryProfile {
  /** Name in addresses and lists. */
  name: string;
  /** Name in sentences: "the USA". */
  nameInSentence: string;
  /** The country's two-letter code in the JSON calls. */
  console: string;
  /** The only currency charged there; prices are never converted. */
  currency: Currency;
  /** Decimals of an amount without a fraction: 0 shows ₹12, 2 shows $12.00. */
  shownFractionDigits: 0 | 2;
  /** Rates of the tax that is added to prices, in hundredths of a percent: 1800 = 18%. */
  taxRates: DatedValues<number>;
  /** Step in minor units to which totals are rounded: 100 = whole rupees, 1 = cents. */
  totalStepMinor: number;
  /** BCP 47, for formats and for the tenants that providers create. */
  locale: string;
  /** IANA name of the time zone in which dates are shown and invoices numbered. */
  timeZone: string;
  /** Appended to the prefix of a tenant's name when it is taken. */
  tenantEndings: readonly string[];
  address: AddressFormat;
  phone: PhoneFormat;
  registration: Registration;
  invoicing: Invoicing;
  /** Stored here rather than among the messages, so that a country is one record. */
  words: Readonly<Record<LanguageId, CountryTexts>>;
}

export interface CountryTexts {
  /** Name in a list. */
  name: string;
  /** Name in a sentence: "the USA". */
  inSentence: string;
  /** Label in the country switches of the prices, with the currency's sign. */
  market: string;
  /** Name of the money: "rupees". */
  money: string;
  /** Text below the catalogue's country switch; `{rate}` is replaced by the tax rate in percent. */
  catalogue: string;
  /** Name of the tax that is added to prices; null if there is none. */
  taxName: string | null;
  /** Assurances at the top of the home page. */
  assurances: readonly string[];
  /** Answer to "Who can buy here?". */
  whoMayBuy: string;
  /** The country's term for a postcode: the field's label, and the word in a sentence. */
  postcodeLabel: string;
  postcodeInSentence: string;
  /** Label and hint of the registration number, and its name in a sentence. */
  registrationLabel: string;
  registrationHint: string;
  registrationInSentence: string;
}

export type PhoneCode = `+${number}`;

/** The format of phone numbers. */
export interface PhoneFormat {
  code: PhoneCode;
  /** Digits of a number without the country code, and without the leading 0 that some countries dial. */
  digits: number;
}
/** The format of addresses. */
export interface AddressFormat {
  states: readonly State[];
  /** Places that the country's post serves and where nothing is sold. The form lists them, so that it can say so. */
  unsold?: readonly State[];
  /** Returns why nothing is sold to the place of this name; `null` for any other name. */
  unsoldProblem?(text: string): MessageDescriptor | null;
  /** Finds a state by its name or abbreviation, in any spelling. */
  findState(text: string): State | null;
  /** Returns the part after the country in ISO 3166-2, which providers require. */
  subdivisionCode(state: State): string;
  postcode: RegExp;
  /** Normalises a postcode; left out if it is stored as entered. */
  canonicalPostcode?(text: string): string;
  /** Returns why a postcode cannot be in a state; `null` when it can. Left out if postcodes do not show the state. */
  postcodeProblem?(postcode: string, state: string): MessageDescriptor | null;
  /** Format of a postcode, for the API's documentation. */
  postcodeRule: string;
  /** Keyboard that a phone shows for it. */
  postcodeKeys: "numeric" | "text";
}

/** Number under which a company is registered. */
export interface Registration {
  /** Accepted formats, for the API's documentation. */
  rule: string;
  /** Whether companies have a GSTIN or a PAN, and a register has the address of a GSTIN. */
  isGst: boolean;
  /** Returns why a text is invalid; `null` when it is valid. */
  problem(text: string): MessageDescriptor | null;
  /** Normalises a number for storing and printing, without extra characters. */
  canonical(text: string): string;
  /** Returns the kind of a number, the same in every language: a PAN, a GSTIN, an EIN. */
  nameOf(number: string): string;
  /** Returns the number that vendors require, from the two that a company may give; `null` if they accept none. */
  vendorNumber(given: CompanyNumbers): string | null;
}

/** Registration number, and the tax number if the company gave one. */
export interface CompanyNumbers {
  organisationRegistrationNumber: string;
  gst_code: string | null;
}

export interface Invoicing {
  /** Returns the series of the year that a month (1 to 12) belongs to: "IN/26-27". Numbers have no gap within a series. */
  series(at: { year: number; month: number }): string;
  /** First month of the accounting year, 1 to 12. */
  firstMonth: number;
  /** GST is split by the place of supply. Any other tax is one line under its own name. */
  tax: { kind: "gst" } | { kind: "single"; name: string } | { kind: "none" };
  /** Number by which buyers who withhold a tax pay it: its format and an example. Left out if buyers withhold none. */
  withholding?: { numberForm: RegExp; example: string };
  /** Spells out a total of minor units, from 0, in each language; null in countries whose invoices omit it. */
  inWords: Readonly<Record<LanguageId, (minor: number) => string>> | null;
}
