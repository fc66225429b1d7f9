/** The start and end of terms: a month or a year on, on the same day, or the month's last day when there is no such day. */
import type { Term } from "#db/tables/enums.ts";

/** @returns the moment the term that begins at `start` ends (UTC; 31 January + a month = 28 or 29 February) */
export function endOfTerm(start: Date, term: Term): Date {
  return movedBy(start, monthsOf(term));
}

/** @returns the moment a term that ends at `end` began, by the same rule in reverse */
export function startOfTerm(end: Date, term: Term): Date {
  return movedBy(end, -monthsOf(term));
}

const monthsOf = (term: Term) => (term === "P1M" ? 1 : 12);

function movedBy(from: Date, months: number): Date {
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return moved;
}

/**
 * The term that a renewal pays for. It begins when the old one ends, or now when that has lapsed
 * (docs/decisions/renewal.md).
 * @param old.end the end of the last term that is paid for
 */
export function renewedTerm(old: { end: Date; term: Term }, now: Date): { start: Date; end: Date } {
  const start = old.end > now ? old.end : now;
  return { start, end: endOfTerm(start, old.term) };
}
