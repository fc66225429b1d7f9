/** When an order that was refused is tried again: by the refusal's own patience, and by how long the order has met it. */
import type { EncounteredError } from "#db/fulfilment/fulfilments.ts";
import type { RetryPolicy } from "#server/catalogue/families/error-policies.ts";

/** The unit in which the tables count: the first wait of all, in seconds. */
const unitSeconds = 5;

/** Milliseconds, with RETRY_BASE_MS for the first wait of all and every other wait in proportion. */
export function scaledMs(seconds: number, retryBaseMs: number): number {
  return (seconds * retryBaseMs) / unitSeconds;
}

/** At the earliest so long after a try was due, a refusal counts anew. */
const forgottenAfterSeconds = 3_600;

/**
 * Counts a refusal and says when to try again. A refusal that has not been met for as long as its patience lasts counts
 * from the beginning, so that two different troubles in a week are not one long one, and two that alternate do not go on
 * forever.
 * @param before how the order has met it so far
 * @param options.askedMs what the vendor asks for; never undercut
 * @returns milliseconds until the next try; null when the patience is over
 */
export function nextAttempt(
  { waits, lasts }: RetryPolicy,
  before: EncounteredError | undefined,
  now: Date,
  { retryBaseMs, retryAfterMs }: { retryBaseMs: number; retryAfterMs: number },
): { met: EncounteredError; waitMs: number | null } {
  const forgottenMs = scaledMs(Math.max(lasts, forgottenAfterSeconds), retryBaseMs);
  const isNew = before === undefined || now.getTime() - before.due.getTime() > forgottenMs;
  const since = isNew ? now : before.since;
  const times = isNew ? 1 : before.times + 1;
  const left = scaledMs(lasts, retryBaseMs) - (now.getTime() - since.getTime());
  if (left <= 0) return { met: { since, due: now, times }, waitMs: null };
  const wait = scaledMs(waits[Math.min(times, waits.length) - 1] ?? waits[0], retryBaseMs);
  // The last try is at the very end, not after it.
  const waitMs = Math.max(retryAfterMs, Math.min(left, wait));
  return { met: { since, due: new Date(now.getTime() + waitMs), times }, waitMs };
}
