/** Days and months as reconciliation counts them: in UTC, as texts that sort. */

const dayMs = 24 * 3_600_000;

/** "2026-11-24" */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** "2026-11" */
export function utcMonth(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** Every day from the first to the last, both included; none when the last is earlier. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += dayMs) days.push(utcDay(new Date(at)));
  return days;
}

/** @param days may be negative */
export function daysLater(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs);
}

/** "2026-10" for the month before "2026-11". */
export function monthBefore(month: string): string {
  return utcMonth(new Date(Date.parse(`${month}-01`) - dayMs));
}

/**
 * The moment so many working days later. Saturdays and Sundays do not count; banks' holidays are not known here, so that the number
 * has to leave room for them.
 */
export function workingDaysLater(at: Date, count: number): Date {
  let later = at;
  for (let left = count; left > 0; ) {
    later = daysLater(later, 1);
    const weekday = later.getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return later;
}
