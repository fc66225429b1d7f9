/** The schedule of retries, by the policy of an error and the time since the order first met it. */
import type { EncounteredError } from "#db/fulfilment/fulfilments.ts";
import type { RetryPolicy } from "#server/catalogue/families/error-policies.ts";

/** First wait of the tables, in seconds. */
const unitSeconds = 5;

/** Scales a wait to RETRY_BASE_MS, which stands for the first wait. Returns milliseconds. */
export function scaledMs(seconds: number, retryBaseMs: number): number {
  return (seconds * retryBaseMs) / unitSeconds;
}

/** Shortest time after a due try until the same error counts as a new one. */
const forgottenAfterSeconds = 3_600;

/**
 * Counts an error and schedules the next try. An error not met for as long as its policy lasts counts as a new one, so that two
 * separate problems in a week are not one long one, while alternating errors still come to an end.
 * @param before the record of this error on the order
 * @param options.retryAfterMs wait that the vendor requests, the minimum
 * @returns milliseconds until the next try; null when the policy is exhausted
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
  // The last try is at the deadline, not after it.
  const waitMs = Math.max(retryAfterMs, Math.min(left, wait));
  return { met: { since, due: new Date(now.getTime() + waitMs), times }, waitMs };
}
