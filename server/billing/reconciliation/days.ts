/** Days and months in reconciliation: in UTC, as sortable text. */

const dayMs = 24 * 3_600_000;

/** Returns the day in UTC: "2026-11-24". */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Returns the month in UTC: "2026-11". */
export function utcMonth(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** Lists the days from the first to the last, inclusive; empty when the last is earlier. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += dayMs) days.push(utcDay(new Date(at)));
  return days;
}

/** Adds days. @param days may be negative */
export function daysLater(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs);
}

/** Returns the previous month: "2026-10" for "2026-11". */
export function monthBefore(month: string): string {
  return utcMonth(new Date(Date.parse(`${month}-01`) - dayMs));
}

/** Adds working days. Saturdays and Sundays do not count; bank holidays are unknown here, so the number must allow for them. */
export function workingDaysLater(at: Date, count: number): Date {
  let later = at;
  for (let left = count; left > 0; ) {
    later = daysLater(later, 1);
    const weekday = later.getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return later;
}
