/**
 * The start and end of terms: a month or a year later at the same time of day, by the clock of the subscription's country, on the day of the
 * month on which the first term began, or on the month's last day when it has no such day (docs/decisions/renewal.md#renewal). A vendor's own
 * end takes precedence (apply-vendor-state.ts).
 */
import type { Country, Term } from "#db/tables/enums.ts";
import { momentOf, wallClock } from "./dates.ts";

/** The dates of a paid term, from which the subscription's anchor day can be derived. */
export interface TermDates {
  start: Date;
  end: Date;
  /** The paid next term; `end` is then the end of that one. */
  next?: { start: Date } | null;
  /** The day stored at the last renewal; null before the first. */
  anchorDay: number | null;
}

/**
 * Returns the end of the term that begins at `start`: a month from 31 January ends on 28 or 29 February.
 * @param anchorDay day of the month, 1 to 31, on which the first term began; left out for a first term
 */
export function endOfTerm(start: Date, term: Term, country: Country, anchorDay?: number): Date {
  return movedBy(start, monthsOf(term), country, anchorDay);
}

/** Returns the start of the term that ends at `end`, by the same rule in reverse. */
export function startOfTerm(end: Date, term: Term, country: Country, anchorDay?: number): Date {
  return movedBy(end, -monthsOf(term), country, anchorDay);
}

const monthsOf = (term: Term) => (term === "P1M" ? 1 : 12);

function movedBy(from: Date, months: number, country: Country, anchorDay?: number): Date {
  const moved = wallClock(from, country);
  const day = anchorDay ?? moved.getUTCDate();
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  moved.setUTCDate(Math.min(day, lastDayOf(moved)));
  return momentOf(moved, country);
}

function lastDayOf(wall: Date): number {
  return new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate();
}

/**
 * Returns the day of the month on which terms end, 1 to 31: the stored day, else the day on which the last paid term began. A
 * year from 28 February to 28 February does not show whether the first one began on a 29th, so each renewal stores the day. If
 * the vendor has set another end, its day counts from then on.
 */
export function anchorDayOf({ start, end, next, anchorDay }: TermDates, country: Country): number {
  const ends = wallClock(end, country);
  const endsOnIt = (day: number) => ends.getUTCDate() === Math.min(day, lastDayOf(ends));
  const began = wallClock(next?.start ?? start, country).getUTCDate();
  return [anchorDay ?? began, began].find(endsOnIt) ?? ends.getUTCDate();
}

/**
 * Returns the term that a renewal pays for. It begins when the old one ends, or now when that has lapsed
 * (docs/decisions/renewal.md#renewal).
 * @param old.end the end of the last term that is paid for
 * @param old.anchorDay as for `endOfTerm`; a lapsed subscription begins again on today's day
 */
export function renewedTerm(
  old: { end: Date; term: Term; anchorDay?: number | undefined },
  now: Date,
  country: Country,
): { start: Date; end: Date } {
  if (old.end <= now) return { start: now, end: endOfTerm(now, old.term, country) };
  return { start: old.end, end: endOfTerm(old.end, old.term, country, old.anchorDay) };
}
