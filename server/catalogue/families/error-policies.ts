/**
 * What a vendor's refusal means for the order that met it. Each family keeps a table of its vendor's codes; the engine
 * knows the four classes and no code.
 */
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";
import { type ProviderError, unexpectedAnswer } from "#server/integrations/errors.ts";

/** How long a refusal that passes by itself is waited out. In seconds. */
export interface RetryPolicy {
  /** Before each retry. The last one repeats. */
  waits: readonly [number, ...number[]];
  /** From the first time the order meets it. Then the order needs attention. */
  lasts: number;
}

export type ErrorVerdict =
  | {
      action: "retry";
      retry: RetryPolicy;
      /** Stored steps that the next try does anew, because what they made is out of date. */
      redoSteps?: readonly string[];
      /** A sentence for the buyer, mailed once and shown while the order waits, for a wait of days. */
      buyerNote?: MessageDescriptor;
    }
  | {
      action: "ask-buyer";
      /** A sentence for the buyer: what is wrong. */
      problem: MessageDescriptor;
      /** True when another answer at the sign-in step mends it. */
      fixableAtSignIn?: true;
    }
  /** Somebody has to look at it. */
  | { action: "needs-attention" }
  /** The vendor takes nothing from us at all: every order of the account waits. */
  | { action: "pause-vendor" };

export interface ErrorRule<At> {
  /** The name by which an order's tries are counted. */
  name: string;
  /** As documented. It decides only in a row without codes, since vendors also report codes inside a success. */
  status: readonly number[];
  codes?: readonly string[];
  when?: (at: At) => boolean;
  /** For the operator. */
  meaning: string;
  verdict: ErrorVerdict;
}

/** The verdict on one refusal. */
export type ErrorPolicy = ErrorVerdict & {
  /** The row's name. */
  met: string;
  /** For the operator; null for a code of which nothing is known. */
  meaning: string | null;
};

const minute = 60;
const hour = 60 * minute;

/**
 * For a failure that passes in seconds most of the time, while a buyer watches, and else in minutes: no answer, or a
 * server's own fault.
 */
export const transientRetry: RetryPolicy = {
  waits: [5, 10, 20, 40, minute, 2 * minute, 5 * minute, 10 * minute],
  lasts: 2 * hour,
};

/** For a limit on calls: as told by the vendor, else as a hiccup, for longer. */
export const throttledRetry: RetryPolicy = { waits: transientRetry.waits, lasts: 6 * hour };

/** For what the vendor has accepted and is still doing. */
export const inProgressRetry: RetryPolicy = { waits: [...transientRetry.waits, hour], lasts: 26 * hour };

/** For a tenant or a domain that was just made and is not known everywhere at the vendor. */
export const newResourceRetry: RetryPolicy = {
  waits: [15, 30, minute, 2 * minute, 5 * minute],
  lasts: 2 * hour,
};

/** One retry. */
export const singleRetry: RetryPolicy = { waits: [5], lasts: 5 };

/**
 * The first row that fits. What fits none passes or needs a person by the kind of the error. A failure that the client
 * knows to pass, by more than its code, never needs a person at once.
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

/** The meaning of the first row with one of the codes, whatever the order was doing. */
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
