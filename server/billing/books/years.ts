/** The accounting years of a country: India's begin in April, those of the USA in January. */
import type { TimeRange } from "#db/billing/books.ts";
import type { Country } from "#db/tables/enums.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { startOfDay, yearAndMonth } from "#server/orders/subscriptions/dates.ts";

const twoDigits = (number: number) => String(number).padStart(2, "0");

/** Returns the calendar year in which the accounting year of a moment begins. */
export function yearOf(at: Date, country: Country): number {
  const { year, month } = yearAndMonth(at, country);
  return month >= countries[country].invoicing.firstMonth ? year : year - 1;
}

/** Formats an accounting year: "2026-27", or "2026" where it is the calendar year. */
export function yearName(year: number, country: Country): string {
  return countries[country].invoicing.firstMonth === 1
    ? String(year)
    : `${year}-${twoDigits((year + 1) % 100)}`;
}

/** Returns the range of an accounting year, by the country's clock. */
export function spanOfYear(year: number, country: Country): TimeRange {
  const first = twoDigits(countries[country].invoicing.firstMonth);
  const begins = (of: number) => startOfDay(`${of}-${first}-01`, country);
  return { from: begins(year), before: begins(year + 1) };
}

/** Lists the accounting years between two moments, inclusive, newest first. */
export function yearsBetween(first: Date, last: Date, country: Country): number[] {
  const [oldest, newest] = [yearOf(first, country), yearOf(last, country)];
  return Array.from({ length: Math.max(0, newest - oldest) + 1 }, (_, index) => newest - index);
}

/** Lists the months of a year as "2026-04", with their ranges. */
export function monthsOfYear(year: number, country: Country): { month: string; span: TimeRange }[] {
  const { firstMonth } = countries[country].invoicing;
  const name = (index: number) => {
    const month = firstMonth - 1 + index;
    return `${year + Math.floor(month / 12)}-${twoDigits((month % 12) + 1)}`;
  };
  return Array.from({ length: 12 }, (_, index) => ({
    month: name(index),
    span: {
      from: startOfDay(`${name(index)}-01`, country),
      before: startOfDay(`${name(index + 1)}-01`, country),
    },
  }));
}
