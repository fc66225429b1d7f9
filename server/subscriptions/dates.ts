/** Dates as the product shows them: "3rd March 2025", in the customer's zone (docs/decisions/dates.md). */
import type { Country } from "#db/tables/enums.ts";
import { perCountry } from "#server/countries/country.ts";
import { type LanguageId, languages, perLanguage, standardLanguage } from "#server/languages/language.ts";

// Cached: creating a format costs far more than using it, and a list shows dozens of dates.
const formatsOf = perCountry(({ timeZone }) => ({
  // The Swedish format is ISO 8601.
  iso: new Intl.DateTimeFormat("sv-SE", { timeZone }),
  month: new Intl.DateTimeFormat("en-GB", { timeZone, month: "numeric", year: "numeric" }),
}));
const spokenFormatsOf = perLanguage((language) => {
  const { locale } = languages[language];
  return perCountry(({ timeZone }) => ({
    date: new Intl.DateTimeFormat(locale, { timeZone, day: "numeric", month: "long", year: "numeric" }),
    time: new Intl.DateTimeFormat(locale, { timeZone, hour: "numeric", minute: "2-digit", hour12: true }),
  }));
});

export function formatDate(date: Date, country: Country, language: LanguageId = standardLanguage): string {
  const part = partsOf(spokenFormatsOf[language](country).date, date);
  const day = Number(part("day"));
  return `${day}${languages[language].ordinalSuffix(day)} ${part("month")} ${part("year")}`;
}

/** The displayed date with its ISO form, for a <time> element. */
export function dateView(
  date: Date,
  country: Country,
  language: LanguageId = standardLanguage,
): { iso: string; text: string } {
  return { iso: formatsOf(country).iso.format(date), text: formatDate(date, country, language) };
}

/** "4:05 pm", in the customer's zone. */
export function formatTime(date: Date, country: Country, language: LanguageId = standardLanguage): string {
  return spokenFormatsOf[language](country).time.format(date);
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
