/** Dates as the product shows them: "3rd March 2025", in the customer's zone (SPEC section 2, DESIGN ruling 17). */
import type { Country } from "#db/tables/enums.ts";

const zones: Record<Country, string> = { IN: "Asia/Kolkata", US: "America/New_York" };

export function formatDate(date: Date, country: Country): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zones[country],
    day: "numeric",
    month: "long",
    year: "numeric",
  }).formatToParts(date);
  const part = (type: string) => parts.find((found) => found.type === type)?.value ?? "";
  const day = Number(part("day"));
  return `${day}${ordinalSuffix(day)} ${part("month")} ${part("year")}`;
}

/** The same beside the day as programs read it, for a <time>. */
export function dateView(date: Date, country: Country): { iso: string; text: string } {
  // Sweden writes dates as ISO 8601 does.
  const iso = new Intl.DateTimeFormat("sv-SE", { timeZone: zones[country] }).format(date);
  return { iso, text: formatDate(date, country) };
}

/** "4:05 pm", in the same zone. */
export function formatTime(date: Date, country: Country): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone: zones[country],
    hour: "numeric",
    minute: "2-digit",
    hour12: true,
  }).format(date);
}

/** Which year and month (1 to 12) it is there. */
export function yearAndMonth(date: Date, country: Country): { year: number; month: number } {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zones[country],
    month: "numeric",
    year: "numeric",
  }).formatToParts(date);
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value);
  return { year: part("year"), month: part("month") };
}

function ordinalSuffix(day: number): string {
  if (day >= 11 && day <= 13) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}
