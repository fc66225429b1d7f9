/** Interprets Google's error responses: the status text is the code, and decides between a retry and a refusal. */
import { z } from "zod";
import {
  errorOf,
  ProviderError,
  type ProviderErrorKind,
  type ProviderResponse,
  parseResponse,
} from "../http.ts";

/** `google.rpc.Code` by number: operations contain the number, error responses the name. */
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

/** The Directory API reports rate limits with a 403. */
const passingReasons = new Set(["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"]);

/**
 * The Directory API's message that a new user (for example from provisioning) cannot be changed yet. Its code is not
 * documented.
 */
const notThereYet = /creation is not complete/i;

const body = z.object({
  error: z.object({
    status: z.string().optional().catch(undefined),
    /** The older format, used by the Directory API. */
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
 * Returns the body of a 2xx response in the promised shape.
 * @throws ProviderError for any other status, by Google's code; refused (`unexpected_answer`) for another shape.
 */
export function readReply<T>(answer: ProviderResponse, schema: z.ZodType<T>): T {
  assertOk(answer);
  return parseResponse(answer, schema);
}

/** Checks the status of a call whose body is ignored. @throws ProviderError for any status but 2xx, by Google's code. */
export function assertOk(answer: ProviderResponse): void {
  if (answer.status < 200 || answer.status >= 300) throw googleError(answer);
}

/** Returns the error in a response `{error: {code, message, status, details}}`; its code is `status`. */
export function googleError(answer: ProviderResponse): ProviderError {
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

/** Returns the name of a numeric code, as Google spells it. */
export function nameOfCode(code: number): string {
  return codeNames[code] ?? String(code);
}

/** Returns undefined for a code outside `google.rpc.Code`, where the HTTP status decides. */
export function kindOfCode(code: string): ProviderErrorKind | undefined {
  if (passingCodes.has(code)) return "transient";
  if (code === "UNAUTHENTICATED") return "misconfigured";
  return codeNames.includes(code) ? "refused" : undefined;
}

/** Reads `google.rpc.RetryInfo`: `{retryDelay: "30s"}`, fractions allowed. */
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
