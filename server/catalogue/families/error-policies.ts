/**
 * Maps a vendor's refusal to its effect on the order. Each family has a table of its vendor's codes; the engine knows the four
 * actions and no code.
 */
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";
import { type ProviderError, unexpectedAnswer } from "#server/integrations/errors.ts";

/** Retry schedule for a temporary refusal. Unit: seconds. */
export interface RetryPolicy {
  /** Wait before each retry. The last one repeats. */
  waits: readonly [number, ...number[]];
  /** Time from the order's first such refusal until it needs attention. */
  lasts: number;
}

export type ErrorVerdict =
  | {
      action: "retry";
      retry: RetryPolicy;
      /** Stored steps that the next try repeats, because their results are out of date. */
      redoSteps?: readonly string[];
      /** Message for the buyer, mailed once and shown while the order waits, for a wait of days. */
      buyerNote?: MessageDescriptor;
    }
  | {
      action: "ask-buyer";
      /** Message for the buyer that names the problem. */
      problem: MessageDescriptor;
      /** Whether another answer at the sign-in step can fix it. */
      fixableAtSignIn?: true;
    }
  /** Needs a person. */
  | { action: "needs-attention" }
  /** The vendor accepts nothing from us: every order of the account waits. */
  | { action: "pause-vendor" };

export interface ErrorRule<At> {
  /** Name under which an order's tries are counted. */
  name: string;
  /** Documented statuses. They decide only in a row without codes, since vendors also report codes inside a success. */
  status: readonly number[];
  codes?: readonly string[];
  when?: (at: At) => boolean;
  /** Explanation for the operator. */
  meaning: string;
  verdict: ErrorVerdict;
}

/** Policy for one refusal. */
export type ErrorPolicy = ErrorVerdict & {
  /** Name of the row. */
  met: string;
  /** Explanation for the operator; null for an unknown code. */
  meaning: string | null;
};

const minute = 60;
const hour = 60 * minute;

/**
 * Schedule for a failure that usually passes in seconds, while a buyer watches, or in minutes: no response, or a server error.
 */
export const transientRetry: RetryPolicy = {
  waits: [5, 10, 20, 40, minute, 2 * minute, 5 * minute, 10 * minute],
  lasts: 2 * hour,
};

/** Rate limited: waits for the vendor's Retry-After, else backs off like a transient error, for up to 6 hours. */
export const throttledRetry: RetryPolicy = { waits: transientRetry.waits, lasts: 6 * hour };

/** Schedule for an accepted request that the vendor is still processing. */
export const inProgressRetry: RetryPolicy = { waits: [...transientRetry.waits, hour], lasts: 26 * hour };

/** Schedule for a new tenant or domain that is not known everywhere at the vendor yet. */
export const newResourceRetry: RetryPolicy = {
  waits: [15, 30, minute, 2 * minute, 5 * minute],
  lasts: 2 * hour,
};

/** A single retry. */
export const singleRetry: RetryPolicy = { waits: [5], lasts: 5 };

/**
 * Returns the policy of the first matching row. Without one, the kind of the error decides between a retry and a person. A
 * failure that the client marks as temporary, by more than its code, never needs a person immediately.
 */
export function policyByRules<At>(rows: readonly ErrorRule<At>[], error: ProviderError, at: At): ErrorPolicy {
  const row = rows.find(
    ({ status, codes, when, verdict }) =>
      (codes === undefined
        ? error.status !== undefined && status.includes(error.status)
        : codes.includes(error.code ?? "")) &&
      (when === undefined || when(at)) &&
      (verdict.action !== "needs-attention" || error.kind !== "transient"),
  );
  return row === undefined ? policyByKind(error) : { ...row.verdict, met: row.name, meaning: row.meaning };
}

/** Returns the meaning of the first row with one of the codes, for any stage of the order. */
export function meaningByCodes<At>(rows: readonly ErrorRule<At>[], codes: readonly string[]): string | null {
  const row = rows.find((each) => each.codes?.some((code) => codes.includes(code)) === true);
  return row?.meaning ?? null;
}

/** @param error of a vendor without a table, or with a code that its table does not have */
export function policyByKind(error: ProviderError): ErrorPolicy {
  if (error.kind === "transient")
    return {
      action: "retry",
      retry: transientRetry,
      met: "hiccup",
      meaning: "It didn't respond, or had an error.",
    };
  const meaning = error.code === unexpectedAnswer ? "Its response doesn't match its documentation." : null;
  return { action: "needs-attention", met: "refused", meaning };
}
