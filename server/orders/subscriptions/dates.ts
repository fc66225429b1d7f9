/** Dates as the product shows them: "3rd March 2025", in the customer's zone (docs/decisions/languages.md#dates). */
import type { Country } from "#db/tables/enums.ts";
import { perCountry } from "#server/foundation/countries/registry.ts";
import {
  type LanguageId,
  languages,
  perLanguage,
  standardLanguage,
} from "#server/foundation/languages/language.ts";
import type { LocalisedText } from "#server/foundation/languages/messages.ts";

// Cached: creating a format costs far more than using it, and a list shows dozens of dates.
const formatsOf = perCountry(({ timeZone }) => ({
  // The Swedish format is ISO 8601.
  iso: new Intl.DateTimeFormat("sv-SE", { timeZone }),
  clock: new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }),
}));
const spokenFormatsOf = perLanguage((language) => {
  const { locale } = languages[language];
  return perCountry(({ timeZone }) => ({
    time: new Intl.DateTimeFormat(locale, { timeZone, hour: "numeric", minute: "2-digit", hourCycle: "h12" }),
    zone: new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "long" }),
  }));
});

// Parsing a formatted date is ten times slower than formatting it, so cache the month names.
const monthNames = perLanguage((language) => ({
  inDates: monthsIn(language, { day: "numeric", month: "long", year: "numeric" }),
  short: monthsIn(language, { month: "short", year: "numeric" }),
}));

/** Lists the twelve month names as a language writes them in this format. */
function monthsIn(language: LanguageId, written: Intl.DateTimeFormatOptions): string[] {
  const format = new Intl.DateTimeFormat(languages[language].locale, { timeZone: "UTC", ...written });
  return Array.from({ length: 12 }, (_, month) => partsOf(format, new Date(Date.UTC(2026, month)))("month"));
}

export function formatDate(date: Date, country: Country, language: LanguageId = standardLanguage): string {
  return inWords(formatsOf(country).iso.format(date), language);
}

/** Formats a day as text. @param day "2025-03-03" */
function inWords(day: string, language: LanguageId): string {
  const [year, month, dayOfMonth] = day.split("-");
  const number = Number(dayOfMonth);
  const name = monthNames[language].inDates[Number(month) - 1];
  return `${number}${languages[language].ordinalSuffix(number)} ${name} ${year}`;
}

/** Formats a date in every language, for a refusal whose reader's language is not known yet. */
export function localisedDate(date: Date, country: Country): LocalisedText {
  return perLanguage((language) => formatDate(date, country, language));
}

/** Formats a date with its ISO form, for a <time> element. */
export function dateView(
  date: Date,
  country: Country,
  language: LanguageId = standardLanguage,
): { iso: string; text: string } {
  const iso = formatsOf(country).iso.format(date);
  return { iso, text: inWords(iso, language) };
}

/**
 * Whether a text is a day of this century ("2026-12-01"). Requests may name only such days: the day after 9999-12-31 has no
 * such text, and PostgreSQL refuses the year 0.
 */
export function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Returns the start of a day in the country's time zone. @param day "2026-12-01" */
export function startOfDay(day: string, country: Country): Date {
  return momentOf(new Date(`${day}T00:00:00Z`), country);
}

/** Returns the milliseconds by which the country's clock is ahead of UTC at a moment; negative in the west. */
function aheadOfUtc(at: number, country: Country): number {
  // The format has no milliseconds.
  const second = Math.floor(at / 1000) * 1000;
  return Date.parse(`${formatsOf(country).clock.format(second).replace(" ", "T")}Z`) - second;
}

/** Returns the country's local time at a moment as if it were UTC: its UTC day is the local day. */
export function wallClock(date: Date, country: Country): Date {
  return new Date(date.getTime() + aheadOfUtc(date.getTime(), country));
}

/** Returns the moment at which the country's clock shows a time: the reverse of `wallClock`. */
export function momentOf(wall: Date, country: Country): Date {
  const at = wall.getTime();
  // Twice, because the zone's offset may change between the two.
  return new Date(at - aheadOfUtc(at - aheadOfUtc(at, country), country));
}

/** Formats a time of day in the country's zone: "4:05 pm". */
export function formatTime(date: Date, country: Country, language: LanguageId = standardLanguage): string {
  return spokenFormatsOf[language](country).time.format(date);
}

/** Formats a deadline in the country's zone: "3rd March 2025, 4:05 pm (India Standard Time)". */
export function formatDateTime(
  date: Date,
  country: Country,
  language: LanguageId = standardLanguage,
): string {
  const zone = partsOf(spokenFormatsOf[language](country).zone, date)("timeZoneName");
  return `${formatDate(date, country, language)}, ${formatTime(date, country, language)} (${zone})`;
}

/** Returns the month in the country's zone: "2026-11". */
export function zonedMonth(date: Date, country: Country): string {
  return formatsOf(country).iso.format(date).slice(0, 7);
}

/** Formats a month: "Nov" and "2026". @param month "2026-11" */
export function monthView(month: string, language: LanguageId): { month: string; year: string } {
  const [year = "", number] = month.split("-");
  return { month: monthNames[language].short[Number(number) - 1] ?? "", year };
}

/** Returns the year and month (1 to 12) in the country's zone. */
export function yearAndMonth(date: Date, country: Country): { year: number; month: number } {
  const [year, month] = formatsOf(country).iso.format(date).split("-");
  return { year: Number(year), month: Number(month) };
}

function partsOf(format: Intl.DateTimeFormat, date: Date): (type: string) => string {
  const parts = format.formatToParts(date);
  return (type) => parts.find((found) => found.type === type)?.value ?? "";
}
