/** Part of a term to pay for when seats are added while it runs (docs/decisions/prices.md#proration). */

import type { Subscription } from "#db/orders/subscriptions.ts";
import { daysLeft } from "./days.ts";
import { anchorDayOf, endOfTerm, startOfTerm } from "./term.ts";

const dayMs = 86_400_000;

export interface Proration {
  /** Whole days, rounded up, to the end of the last paid term; at least 1 while it runs. */
  daysLeft: number;
  /** Whole days of that term: 28 to 31, or 365 or 366. */
  daysInTerm: number;
}

/**
 * Computes the proration. After an early renewal daysLeft exceeds daysInTerm, because new seats are paid for to the end of the
 * next term.
 */
export function prorationOf(
  {
    start,
    end,
    next,
    anchorDay: stored,
    term,
    country,
  }: Pick<Subscription, "start" | "end" | "next" | "anchorDay" | "term" | "country">,
  now: Date,
): Proration {
  const known = next?.start ?? start;
  // A synced subscription may have begun several terms ago.
  const anchorDay = anchorDayOf({ start, end, next, anchorDay: stored }, country);
  const isLastTerm = endOfTerm(known, term, country, anchorDay).getTime() === end.getTime();
  const begun = isLastTerm ? known : startOfTerm(end, term, country, anchorDay);
  return {
    daysLeft: daysLeft(end, now),
    daysInTerm: Math.max(1, Math.round((end.getTime() - begun.getTime()) / dayMs)),
  };
}
