/** Tax rate of a country on a day. Orders and documents keep the rate that they were created with. */
import type { Country } from "#db/tables/enums.ts";
import { valueOn } from "#server/foundation/dated.ts";
import { countries, perCountry } from "./registry.ts";

// The Swedish format is ISO 8601.
const daysOf = perCountry(({ timeZone }) => new Intl.DateTimeFormat("sv-SE", { timeZone }));

/** Returns hundredths of a percent, by the country's clock: 1800 = 18%. */
export function countryTaxRate(country: Country, at: Date): number {
  return valueOn(countries[country].taxRates, daysOf(country).format(at));
}
