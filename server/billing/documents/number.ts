/**
 * Numbers of invoices and credit notes: one series per country and year, at most 16 characters per number (GST Rules 46 and
 * 53).
 */
import type { Country } from "#db/tables/enums.ts";
import { shortFinancialYear } from "#server/foundation/countries/financial-year.ts";
import { countries, gstCountry } from "#server/foundation/countries/registry.ts";
import { yearAndMonth } from "#server/orders/subscriptions/dates.ts";

const longest = 16;
/** Digits 0-9 and A-Z. */
const letteredBase = 36;

/**
 * Returns the series of an invoice issued at that moment: "IN/26-27" from 1 April to 31 March in India's time zone, "US/2026"
 * by the calendar year in New York. A seller with a GSTIN uses India's year in every country: "US/26-27".
 */
export function seriesOf(country: Country, at: Date, { isGst }: { isGst: boolean }): string {
  if (isGst && country !== gstCountry)
    return `${country}/${shortFinancialYear(yearAndMonth(at, gstCountry))}`;
  return countries[country].invoicing.series(yearAndMonth(at, country));
}

/** Returns the series of proformas, which are counted separately: "PF/IN/26-27". */
export function proformaSeriesOf(country: Country, at: Date, seller: { isGst: boolean }): string {
  return `PF/${seriesOf(country, at, seller)}`;
}

/** Formats a proforma's number: "PF/IN/26-27/000001". No rule limits its length. @param serial from 1 */
export function proformaNumber(series: string, serial: number): string {
  return `${series}/${String(serial).padStart(6, "0")}`;
}

/** Returns the series of quotes, which are counted separately too: "QT/IN/26-27". */
export function quoteSeriesOf(country: Country, at: Date, seller: { isGst: boolean }): string {
  return `QT/${seriesOf(country, at, seller)}`;
}

/** Formats a quote's number without its version: "QT/IN/26-27/000001". @param serial from 1 */
export function quoteNumber(series: string, serial: number): string {
  return proformaNumber(series, serial);
}

/**
 * Returns the series of a credit note issued at that moment: "IN/C26-27", "US/C2026". No invoice series has a C there, so
 * numbers are unique.
 */
export function creditNoteSeriesOf(country: Country, at: Date, seller: { isGst: boolean }): string {
  return seriesOf(country, at, seller).replace("/", "/C");
}

/**
 * Formats a number: "IN/26-27/000001" with six digits, and more when a year needs more. When the digits that fit into 16
 * characters are used up, the number begins with a letter and counts in base 36: after IN/26-27/9999999 comes IN/26-27/A000000.
 * A payment without a number could not be recorded, and these last longer than the counter.
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
