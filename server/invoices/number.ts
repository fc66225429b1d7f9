/** How invoices are numbered: a series for each country and year, and at most 16 characters a number (GST Rule 46). */
import type { Country } from "#db/tables/enums.ts";
import { countries } from "#server/countries/country.ts";
import { yearAndMonth } from "#server/subscriptions/dates.ts";

const longest = 16;

/**
 * The series an invoice issued at that moment belongs to: "IN/26-27" from 1 April to 31 March as they are in India, and
 * "US/2026" by the calendar year of New York.
 */
export function seriesOf(country: Country, at: Date): string {
  return countries[country].invoicing.series(yearAndMonth(at, country));
}

/**
 * "IN/26-27/000001": six digits, and more when a year has more.
 * @param serial from 1
 * @throws RangeError beyond what 16 characters hold, ten million invoices a year, or when it is no serial
 */
export function invoiceNumber(series: string, serial: number): string {
  const number = `${series}/${String(serial).padStart(6, "0")}`;
  if (!Number.isSafeInteger(serial) || serial < 1 || number.length > longest)
    throw new RangeError(`Not the number of an invoice: ${number}`);
  return number;
}
