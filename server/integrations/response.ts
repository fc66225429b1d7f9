/** Interprets a provider's response, however it was fetched: as a value of the promised shape, or a ProviderError. */
import { z } from "zod";
import { kindOfStatus, type Provider, ProviderError, unexpectedAnswer } from "./errors.ts";

/** A response as received, whatever its status, with the body still text. */
export interface ProviderResponse {
  readonly provider: Provider;
  /** Names the call in errors and logs, without its query string: "POST /v1/customers". */
  readonly call: string;
  readonly status: number;
  readonly text: string;
  /** Raw Retry-After header. */
  readonly retryAfter: string | null;
  readonly location: string | null;
  /** Credentials of the request, redacted if the provider echoes them. */
  readonly secrets: readonly string[];
}

/** One finished call, for the log: no query string, no body, no credential. */
export interface ProviderCall {
  provider: Provider;
  method: string;
  path: string;
  /** Null without a response. */
  status: number | null;
  ms: number;
  requestId: string | null;
  /** Summary for an order's history: left out for calls that belong to no order, and if there is nothing to report. */
  answer?: string | undefined;
}

export type OnCall = (call: ProviderCall) => void;

/** Marks a body that is not JSON: no schema accepts a symbol, so it fails like any other wrong shape. */
const notJson = Symbol("not JSON");

/**
 * Returns the body of a 2xx response in the promised shape.
 * @throws ProviderError for any other status, and (refused, `unexpected_answer`) for a body of another shape.
 */
export function parseResponse<T>(answer: ProviderResponse, schema: z.ZodType<T>): T {
  assertSuccess(answer);
  const parsed = schema.safeParse(jsonOf(answer.text));
  if (parsed.success) return parsed.data;
  // Only the field names, because values may be personal data.
  const fields = parsed.error.issues.map((issue) => issue.path.join(".") || "(body)").join(", ");
  throw new ProviderError(answer.provider, "refused", answer.call, {
    status: answer.status,
    code: unexpectedAnswer,
    description: `Unexpected fields: ${fields.slice(0, 200)}`,
  });
}

/** Checks the status of a call whose body is ignored. @throws ProviderError for any status but 2xx. */
export function assertSuccess(answer: ProviderResponse): void {
  if (answer.status < 200 || answer.status >= 300) throw errorOf(answer);
}

/** Creates the error for a refusal inside a successful response. @param description the provider's text, or ours */
export function refusedInReply(
  answer: ProviderResponse,
  code: string,
  description: string | null | undefined,
): ProviderError {
  return new ProviderError(answer.provider, "refused", answer.call, {
    status: answer.status,
    code,
    description: redactDescription(description ?? undefined, answer.secrets),
  });
}

/** Creates the error for a response. A redirect is a refusal, because no provider call is documented to redirect. */
export function errorOf(answer: ProviderResponse): ProviderError {
  const body = errorBody(answer.text);
  return new ProviderError(answer.provider, kindOfStatus(answer.provider, answer.status), answer.call, {
    status: answer.status,
    code: body.code ?? (answer.status < 400 ? unexpectedAnswer : undefined),
    description: redactDescription(body.description, answer.secrets),
    retryAfterSeconds: secondsOfRetryAfter(answer.retryAfter, Date.now()),
  });
}

/**
 * Parses Retry-After to whole seconds from `nowMs`. The header has a number of seconds or an HTTP date. Undefined for anything
 * else.
 */
export function secondsOfRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const trimmed = value.trim();
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed);
  // An HTTP date starts with a weekday. Date.parse by itself would also read "-5" as a year.
  if (!/^[A-Za-z]/.test(trimmed)) return undefined;
  const at = Date.parse(trimmed);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000));
}

const text = z.string().min(1);
const code = z.union([text, z.number().transform(String)]);

/**
 * All known error shapes, read leniently: Microsoft `{code, description}` (code may be a number) or `{statusCode, message}`,
 * Razorpay and Google `{error: {code, description | message, status}}`, OAuth `{error: "invalid_grant", error_description}`,
 * Cashfree `{code, message}`.
 */
const flatError = z.object({
  code: code.optional().catch(undefined),
  status: text.optional().catch(undefined),
  error: text.optional().catch(undefined),
  description: text.optional().catch(undefined),
  message: text.optional().catch(undefined),
  error_description: text.optional().catch(undefined),
});
const nestedError = z.object({ error: z.record(z.string(), z.unknown()) }).transform((body) => body.error);

function errorBody(body: string): { code: string | undefined; description: string | undefined } {
  const json = jsonOf(body);
  const nested = nestedError.safeParse(json);
  const parsed = flatError.safeParse(nested.success ? nested.data : json);
  if (!parsed.success) return { code: undefined, description: undefined };
  const found = parsed.data;
  return {
    // Google repeats the HTTP status in `code`. Its `status` ("INVALID_ARGUMENT") is the specific one.
    code: found.status ?? found.code ?? found.error,
    description: found.description ?? found.message ?? found.error_description,
  };
}

/** Returns provider text that is safe to log: shortened, and with the call's credentials redacted. */
export function redactDescription(
  description: string | undefined,
  secrets: readonly string[],
): string | undefined {
  if (description === undefined) return undefined;
  const clean = secrets
    // Shorter values are hardly secrets, and redacting them would black out ordinary words.
    .filter((secret) => secret.length >= 4)
    .reduce((so, secret) => so.replaceAll(secret, "***"), description);
  return clean.length > 300 ? `${clean.slice(0, 300)}...` : clean;
}

function jsonOf(body: string): unknown {
  if (body.trim() === "") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return notJson;
  }
}
