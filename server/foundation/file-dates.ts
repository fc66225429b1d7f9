/** Parses dates of vendors' files. All are read as UTC, which Microsoft's documentation does not specify (docs/providers.md). */

const iso =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d{1,7}))?(?<zone>Z|[+-]\d\d:\d\d)?)?$/;
/** Month first. A time without AM or PM is refused: Excel rewrites dates in that form, in many countries with the day first. */
const american =
  /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})(?: (?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))? ?(?<half>AM|PM))?$/i;

/** Hint after a message about a date that cannot be read. */
export const dateHelp =
  "Use a date such as 2026-12-31 or 12/31/2026. If Excel has changed the dates, import the file as downloaded.";

/**
 * Parses "2026-11-03", "2026-11-03T00:00:00.0000000Z", "11/3/2026" or "11/3/2026 8:35:31 PM".
 * @returns null for any other text, and for an invalid date such as 13/2/2027
 */
export function parseFileDate(text: string): Date | null {
  const parts = (iso.exec(text) ?? american.exec(text))?.groups;
  if (parts === undefined) return null;
  const part = (name: string) => Number(parts[name] ?? 0);
  const [year, month, day] = [part("year"), part("month"), part("day")];
  const hour = hourOf(part("hour"), parts.half?.toUpperCase(), parts.hour !== undefined);
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isReal =
    year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= lastDay && hour >= 0 && hour <= 23;
  const offset = offsetMinutes(parts.zone);
  if (!isReal || part("minute") > 59 || part("second") > 59 || offset === null) return null;
  const milliseconds = Number((parts.fraction ?? "").padEnd(3, "0").slice(0, 3));
  const local = Date.UTC(year, month - 1, day, hour, part("minute"), part("second"), milliseconds);
  return new Date(local - offset * 60_000);
}

/** Whether a date is missing: empty, or .NET's minimum date, which means none. */
export function isNoDate(text: string): boolean {
  return text === "" || /^0001-01-01(T|$)/.test(text) || /^0?1\/0?1\/0001( |$)/.test(text);
}

/** @returns -1 for an invalid hour */
function hourOf(hour: number, half: string | undefined, isGiven: boolean): number {
  if (half === undefined || !isGiven) return hour;
  if (hour < 1 || hour > 12) return -1;
  return (hour % 12) + (half === "PM" ? 12 : 0);
}

/** @returns null for an offset that no place has */
function offsetMinutes(zone: string | undefined): number | null {
  if (zone === undefined || zone === "Z") return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(":").map(Number);
  if (hours > 14 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
