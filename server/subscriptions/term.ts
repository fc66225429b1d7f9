/** How long a subscription runs: a month or a year on, on the same day, or the month's last when there is no such day. */
import type { Term } from "#db/tables/enums.ts";

/** @returns the moment the term that begins at `start` ends (UTC; 31 January + a month = 28 or 29 February) */
export function endOfTerm(start: Date, term: Term): Date {
  const months = term === "P1M" ? 1 : 12;
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return end;
}
