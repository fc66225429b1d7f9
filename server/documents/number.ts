/** Invoice numbers: a series for each country and year, and at most 16 characters a number (GST Rule 46). */
import type { Country } from "#db/tables/enums.ts";
import { countries } from "#server/countries/country.ts";
import { yearAndMonth } from "#server/subscriptions/dates.ts";

const longest = 16;
/** 0-9 and A-Z. */
const letteredBase = 36;

/**
 * The series of an invoice issued at that moment: "IN/26-27" from 1 April to 31 March in India's time zone, "US/2026" by
 * the calendar year in New York.
 */
export function seriesOf(country: Country, at: Date): string {
  return countries[country].invoicing.series(yearAndMonth(at, country));
}

/**
 * "IN/26-27/000001": six digits, and more when a year needs more. When the digits that fit into 16 characters are used
 * up, the number begins with a letter and counts in base 36: after IN/26-27/9999999 comes IN/26-27/A000000. A payment
 * without a number could not be recorded, and this lasts longer than the counter does.
 * @param serial from 1
 * @throws RangeError when the serial is invalid
 */
export function invoiceNumber(series: string, serial: number): string {
  const room = longest - series.length - 1;
  const beyondDigits = serial - 10 ** room;
  const counted =
    beyondDigits < 0
      ? String(serial).padStart(6, "0")
      : (10 * letteredBase ** (room - 1) + beyondDigits).toString(letteredBase).toUpperCase();
  if (!Number.isSafeInteger(serial) || serial < 1 || counted.length > room)
    throw new RangeError(`Not the number of an invoice: ${series}/${counted}`);
  return `${series}/${counted}`;
}
