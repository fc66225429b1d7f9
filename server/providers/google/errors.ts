/** What Google's error replies mean: the status text is the code, and decides between another try and a refusal. */
import { z } from "zod";
import { type Answer, errorOf, ProviderError, type ProviderErrorKind, readAnswer } from "../http.ts";

/** `google.rpc.Code` by number: operations carry the number, error replies the name. */
const codeNames = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
];

/** INTERNAL and UNKNOWN are "a technical issue in the backend" in Cloud Channel's reference. */
const passingCodes = new Set([
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "RESOURCE_EXHAUSTED",
  "ABORTED",
  "INTERNAL",
  "UNKNOWN",
  "CANCELLED",
]);

/** The Directory API says "too fast" with a 403. */
const passingReasons = new Set(["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"]);

/** The Directory API's word that a user just made (as by provisioning) cannot be changed yet; its code is not documented. */
const notThereYet = /creation is not complete/i;

const body = z.object({
  error: z.object({
    status: z.string().optional().catch(undefined),
    /** The older shape, the Directory API's. */
    errors: z
      .array(z.object({ reason: z.string().optional() }))
      .optional()
      .catch(undefined),
    details: z
      .array(z.object({ retryDelay: z.string().optional() }))
      .optional()
      .catch(undefined),
  }),
});

/**
 * The body of a 2xx reply in the promised shape.
 * @throws ProviderError for any other status, by Google's code; refused (`unexpected_answer`) for another shape.
 */
export function readReply<T>(answer: Answer, schema: z.ZodType<T>): T {
  assertOk(answer);
  return readAnswer(answer, schema);
}

/** For calls whose body is of no interest. @throws ProviderError for any status but 2xx, by Google's code. */
export function assertOk(answer: Answer): void {
  if (answer.status < 200 || answer.status >= 300) throw googleError(answer);
}

/** The error a reply `{error: {code, message, status, details}}` stands for; its code is `status`. */
export function googleError(answer: Answer): ProviderError {
  const plain = errorOf(answer);
  const found = body.safeParse(jsonOf(answer.text)).data?.error;
  const reasons = found?.errors?.map((one) => one.reason) ?? [];
  const passing =
    reasons.some((reason) => reason !== undefined && passingReasons.has(reason)) ||
    notThereYet.test(plain.description ?? "");
  const kind = found?.status === undefined ? plain.kind : (kindOfCode(found.status) ?? plain.kind);
  return new ProviderError("google", passing ? "transient" : kind, answer.call, {
    status: plain.status,
    code: found?.status ?? reasons[0] ?? plain.code,
    description: plain.description,
    retryAfterSeconds: plain.retryAfterSeconds ?? secondsOfRetryInfo(found?.details ?? []),
  });
}

/** The code a number stands for, as Google spells it. */
export function nameOfCode(code: number): string {
  return codeNames[code] ?? String(code);
}

/** undefined for a code that is none of `google.rpc.Code`: then the HTTP status has to do. */
export function kindOfCode(code: string): ProviderErrorKind | undefined {
  if (passingCodes.has(code)) return "transient";
  return codeNames.includes(code) ? "refused" : undefined;
}

/** `google.rpc.RetryInfo`: `{retryDelay: "30s"}`, fractions allowed. */
function secondsOfRetryInfo(details: readonly { retryDelay?: string | undefined }[]): number | undefined {
  const delay = details.find((detail) => detail.retryDelay !== undefined)?.retryDelay ?? "";
  const seconds = /^(\d{1,9}(?:\.\d+)?)s$/.exec(delay)?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
