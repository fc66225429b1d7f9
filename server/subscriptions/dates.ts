/** Dates as the product shows them: "3rd March 2025", in the customer's zone (docs/decisions/dates.md). */
import type { Country } from "#db/tables/enums.ts";
import { perCountry } from "#server/countries/country.ts";

// Cached: creating a format costs far more than using it, and a list shows dozens of dates.
const formatsOf = perCountry(({ timeZone }) => ({
  date: new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", month: "long", year: "numeric" }),
  // The Swedish format is ISO 8601.
  iso: new Intl.DateTimeFormat("sv-SE", { timeZone }),
  time: new Intl.DateTimeFormat("en-GB", { timeZone, hour: "numeric", minute: "2-digit", hour12: true }),
  month: new Intl.DateTimeFormat("en-GB", { timeZone, month: "numeric", year: "numeric" }),
}));

export function formatDate(date: Date, country: Country): string {
  const part = partsOf(formatsOf(country).date, date);
  const day = Number(part("day"));
  return `${day}${ordinalSuffix(day)} ${part("month")} ${part("year")}`;
}

/** The displayed date with its ISO form, for a <time> element. */
export function dateView(date: Date, country: Country): { iso: string; text: string } {
  return { iso: formatsOf(country).iso.format(date), text: formatDate(date, country) };
}

/** "4:05 pm", in the customer's zone. */
export function formatTime(date: Date, country: Country): string {
  return formatsOf(country).time.format(date);
}

/** The year and month (1 to 12) in the country's zone. */
export function yearAndMonth(date: Date, country: Country): { year: number; month: number } {
  const part = partsOf(formatsOf(country).month, date);
  return { year: Number(part("year")), month: Number(part("month")) };
}

function partsOf(format: Intl.DateTimeFormat, date: Date): (type: string) => string {
  const parts = format.formatToParts(date);
  return (type) => parts.find((found) => found.type === type)?.value ?? "";
}

function ordinalSuffix(day: number): string {
  if (day >= 11 && day <= 13) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}
