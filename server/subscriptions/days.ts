/** How long a subscription still runs, and when its renewal is open (docs/decisions/renewal.md). */
import type { Subscription } from "#db/subscriptions.ts";

const dayMs = 24 * 3_600_000;

/** Renewal opens this many days before the end. */
export const renewalDays = 30;

/**
 * Days of 24 hours until the end, begun ones counted whole: one second is a day left.
 * @returns 0 from the end on, never less
 */
export function daysLeft(end: Date, now: Date): number {
  return Math.max(0, Math.ceil((end.getTime() - now.getTime()) / dayMs));
}

/** The first moment at which no more than 30 days, rounded up, are left. */
export function renewalOpensAt(end: Date): Date {
  return new Date(end.getTime() - renewalDays * dayMs);
}

/**
 * Whether a subscription may be renewed: within 30 days of its end, and for as long as one likes after it. One that was
 * cancelled is over for good, and one whose next term is paid waits until that has begun.
 */
export function mayRenew(
  { status, end, next }: Pick<Subscription, "status" | "end" | "next">,
  now: Date,
): boolean {
  return status !== "cancelled" && next === null && daysLeft(end, now) <= renewalDays;
}

/** Whether its term is over, also before the job that writes so has run. */
export function hasEnded({ status, end }: Pick<Subscription, "status" | "end">, now: Date): boolean {
  return status !== "active" || end.getTime() <= now.getTime();
}
