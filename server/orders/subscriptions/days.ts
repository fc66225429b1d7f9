/** Days that a subscription has left, and the day when its renewal opens (docs/decisions/renewal.md#renewal). */
import type { Subscription } from "#db/orders/subscriptions.ts";

const dayMs = 24 * 3_600_000;

/** Renewal opens this many days before the end. */
export const renewalDays = 30;

/** Renewal choices open this many days before the end. */
export const choiceDays = 60;

/** Counts days of 24 hours until the end, rounded up: one second left is one day. 0 from the end on. */
export function daysLeft(end: Date, now: Date): number {
  return Math.max(0, Math.ceil((end.getTime() - now.getTime()) / dayMs));
}

/** Returns the first moment when daysLeft is 30. */
export function renewalOpensAt(end: Date): Date {
  return new Date(end.getTime() - renewalDays * dayMs);
}

/**
 * Whether a subscription may be renewed: from 30 days before its end, without a limit after it. Not if it is cancelled,
 * suspended or transferred, or its paid next term has not begun yet.
 */
export function mayRenew(
  { status, end, next, isSuspended }: Pick<Subscription, "status" | "end" | "next" | "isSuspended">,
  now: Date,
): boolean {
  const isHere = status !== "cancelled" && status !== "transferred" && !isSuspended;
  return isHere && next === null && daysLeft(end, now) <= renewalDays;
}

/** Returns the first moment when daysLeft is 60. */
export function choiceOpensAt(end: Date): Date {
  return new Date(end.getTime() - choiceDays * dayMs);
}

/** Whether its term is over, even if the expiry job has not stored that yet. */
export function hasEnded({ status, end }: Pick<Subscription, "status" | "end">, now: Date): boolean {
  return status !== "active" || end.getTime() <= now.getTime();
}
