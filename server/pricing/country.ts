/** What a country decides: the currency it pays in, its tax rate, and the console it is called by in the JSON calls. */
import type { Country, Currency } from "#db/tables/enums.ts";

/** IP = India, UP = USA (SPEC section 9). */
export type Console = "IP" | "UP";

const byCountry: Record<Country, { currency: Currency; console: Console; taxRateBasisPoints: number }> = {
  IN: { currency: "INR", console: "IP", taxRateBasisPoints: 1_800 },
  US: { currency: "USD", console: "UP", taxRateBasisPoints: 0 },
};

/** The only currency a country is charged in (DESIGN ruling 7). */
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

/** Tax in hundredths of a percent: 1800 = 18% for India, 0 for the USA (SPEC section 9). */
export function taxRateOf(country: Country): number {
  return byCountry[country].taxRateBasisPoints;
}
