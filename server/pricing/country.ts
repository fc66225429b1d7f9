/**
 * What a country decides: the currency it pays in, its tax rate, how its totals are rounded, the least that can be paid, the
 * console it is called by in the JSON calls, and how its addresses are written.
 */
import type { Country, Currency } from "#db/tables/enums.ts";

/** IP = India, UP = USA. */
export type Console = "IP" | "UP";

/** How a country's addresses and phone numbers are written. */
export interface AddressForm {
  /** As a buyer reads it. */
  countryName: string;
  postcode: RegExp;
  /** The keys a phone offers for a postcode. */
  postcodeKeys: "numeric" | "text";
  /** Companies are known by a GSTIN or a PAN, and a register can be asked for the one. */
  hasGst: boolean;
  phoneCode: "+91" | "+1";
}

interface Market extends AddressForm {
  currency: Currency;
  console: Console;
  /** Hundredths of a percent. */
  taxRateBasisPoints: number;
  /** Totals are multiples of so many minor units: 100 = whole rupees, 1 = cents. */
  totalStepMinor: number;
  /** The least the payment provider takes in this currency, in minor units. */
  leastTotalMinor: number;
}

const byCountry: Record<Country, Market> = {
  IN: {
    currency: "INR",
    console: "IP",
    taxRateBasisPoints: 1_800,
    totalStepMinor: 100,
    leastTotalMinor: 100,
    countryName: "India",
    postcode: /^[1-9]\d{5}$/,
    postcodeKeys: "numeric",
    hasGst: true,
    phoneCode: "+91",
  },
  US: {
    currency: "USD",
    console: "UP",
    taxRateBasisPoints: 0,
    totalStepMinor: 1,
    leastTotalMinor: 50,
    countryName: "USA",
    postcode: /^\d{5}(-\d{4})?$/,
    // Nine digits have a hyphen among them.
    postcodeKeys: "text",
    hasGst: false,
    phoneCode: "+1",
  },
};

export const countries = ["IN", "US"] as const satisfies readonly Country[];

/** The only currency a country is charged in: a price is never converted. */
export function currencyOf(country: Country): Currency {
  return byCountry[country].currency;
}

export function consoleOf(country: Country): Console {
  return byCountry[country].console;
}

/** The country a console stands for; `null` when the text is not a console. */
export function countryOfConsole(text: string): Country | null {
  if (text === "IP") return "IN";
  if (text === "UP") return "US";
  return null;
}

/** Tax in hundredths of a percent: 1800 = 18% for India, 0 for the USA. */
export function taxRateOf(country: Country): number {
  return byCountry[country].taxRateBasisPoints;
}

/** What a total is a multiple of, in minor units: a rupee is 100, a cent 1. */
export function totalStepOf(country: Country): number {
  return byCountry[country].totalStepMinor;
}

/** The least that can be paid at once, in minor units: ₹1 or $0.50. */
export function leastTotalOf(country: Country): number {
  return byCountry[country].leastTotalMinor;
}

export function addressFormOf(country: Country): AddressForm {
  return byCountry[country];
}
