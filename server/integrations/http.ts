/**
 * The only HTTP client for providers: with a time-out, without redirects, timed for the log, and with every failure turned into a
 * ProviderError. response.ts interprets the response.
 */
import { atMost, egressFetch } from "#server/foundation/security/egress.ts";
import { purpose } from "./call-attribution.ts";
import { type Provider, ProviderError, unexpectedAnswer } from "./errors.ts";
import { assertSuccess, errorOf, type OnCall, type ProviderResponse } from "./response.ts";
import { summariseResponse } from "./response-summary.ts";

export { type Provider, ProviderError, type ProviderErrorKind } from "./errors.ts";
export {
  assertSuccess,
  errorOf,
  type OnCall,
  type ProviderCall,
  type ProviderResponse,
  parseResponse,
  refusedInReply,
} from "./response.ts";

export type HttpMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface HttpRequest {
  provider: Provider;
  method: HttpMethod;
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent form-encoded. At most one of `json` and `form`. */
  form?: Readonly<Record<string, string>>;
  /** Milliseconds from sending to the last byte of the response. */
  timeoutMs: number;
  /** Id of the call in our log and, if the provider has a header for it, in the request. */
  requestId?: string;
  /** Credentials in this request outside its headers, redacted from any provider text that is kept. */
  secrets?: readonly string[];
  onCall?: OnCall | undefined;
}

/**
 * Sends one request and returns the response, regardless of its status.
 * @throws ProviderError (transient) without a complete response: refused connection, reset, time-out.
 */
export async function send(request: HttpRequest): Promise<ProviderResponse> {
  return (await exchange(request)).answer;
}

/** Larger than any file that we download from a provider. */
const maxFileBytes = 64 * 1024;

/** Size limit of a streamed response: a bill's lines, decompressed, are hundreds of megabytes. */
const longestStream = 2 * 1024 ** 3;

/**
 * Downloads a file unchanged.
 * @throws ProviderError for any status but 2xx, and (refused, `unexpected_answer`) for a file of more than 64 KiB
 */
export async function download(request: HttpRequest & { method: "GET" }): Promise<Buffer> {
  const { answer, bytes } = await exchange(request);
  assertSuccess(answer);
  if (bytes.length <= maxFileBytes) return bytes;
  throw new ProviderError(request.provider, "refused", answer.call, { code: unexpectedAnswer });
}

async function exchange(request: HttpRequest): Promise<{ answer: ProviderResponse; bytes: Buffer }> {
  const url = new URL(request.url);
  const call = `${request.method} ${url.pathname}`;
  const started = performance.now();
  /** @param answer returns a summary; called only if the call is for an order */
  const report = (status: number | null, answer: () => string | null) => {
    const said = purpose() === null ? null : answer();
    request.onCall?.({
      provider: request.provider,
      method: request.method,
      path: url.pathname,
      status,
      ms: Math.round(performance.now() - started),
      requestId: request.requestId ?? null,
      ...(said !== null && { answer: said }),
    });
  };
  let response: Response;
  let bytes: Buffer;
  try {
    const { method, timeoutMs } = request;
    const headers = { Accept: "application/json", ...contentType(request), ...request.headers };
    response = await egressFetch(url, { method, headers, body: bodyOf(request) }, { timeoutMs });
    bytes = Buffer.from(await response.arrayBuffer());
  } catch (error) {
    report(null, () => networkCode(error));
    // The original error is not kept as cause, because its text may contain the full address.
    throw new ProviderError(request.provider, "transient", call, { code: networkCode(error) });
  }
  const answer = {
    provider: request.provider,
    call,
    status: response.status,
    text: new TextDecoder().decode(bytes),
    retryAfter: response.headers.get("retry-after"),
    location: response.headers.get("location"),
    secrets: request.secrets ?? [],
  };
  const sent = request.json ?? request.form;
  report(response.status, () => summariseResponse({ ...answer, sent }));
  return { answer, bytes };
}

/**
 * Returns the time of an address's server, in whole seconds, from the Date header of any response; null without the header.
 * @throws ProviderError (transient) when it does not respond
 */
export async function readServerTime(
  request: Pick<HttpRequest, "provider" | "url" | "timeoutMs">,
): Promise<Date | null> {
  const url = new URL(request.url);
  try {
    const { headers } = await egressFetch(url, { method: "HEAD" }, { timeoutMs: request.timeoutMs });
    const at = Date.parse(headers.get("date") ?? "");
    return Number.isNaN(at) ? null : new Date(at);
  } catch (error) {
    throw new ProviderError(request.provider, "transient", `HEAD ${url.pathname}`, {
      code: networkCode(error),
    });
  }
}

/**
 * Sends one request and streams its response, which is too long for memory.
 * @param options.isCompressed whether the file itself is gzip, regardless of its headers
 * @throws ProviderError for any status but 2xx, and (transient) without a response; from the pieces too, when it breaks off
 */
export async function streamText(
  request: HttpRequest,
  { isCompressed = false }: { isCompressed?: boolean } = {},
): Promise<AsyncIterable<string>> {
  const url = new URL(request.url);
  const call = `${request.method} ${url.pathname}`;
  const lost = (error: unknown) =>
    new ProviderError(request.provider, "transient", call, { code: networkCode(error) });
  const response = await egressFetch(
    url,
    { method: request.method, headers: request.headers ?? {} },
    { timeoutMs: request.timeoutMs, mostBytes: longestStream },
  ).catch((error: unknown) => {
    throw lost(error);
  });
  const { provider, method, secrets = [], requestId = null } = request;
  request.onCall?.({ provider, method, path: url.pathname, status: response.status, ms: 0, requestId });
  if (!response.ok || response.body === null) {
    const text = await response.text().catch(() => "");
    const { status, headers } = response;
    throw errorOf({
      provider,
      call,
      status,
      text,
      retryAfter: headers.get("retry-after"),
      location: null,
      secrets,
    });
  }
  const bytes = isCompressed
    ? response.body.pipeThrough(new DecompressionStream("gzip")).pipeThrough(atMost(longestStream))
    : response.body;
  return pieces(bytes.pipeThrough(new TextDecoderStream()), lost);
}

async function* pieces(
  body: ReadableStream<string>,
  lost: (error: unknown) => ProviderError,
): AsyncGenerator<string> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw lost(error);
      });
      if (done) return;
      yield value;
    }
  } finally {
    // A reader that stops early needs no more of it.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Builds a path whose every value is one encoded segment: pathOf`/v1/customers/${id}`.
 * @throws RangeError for a value that is empty or only dots, which would address another resource.
 */
export function pathOf(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((path, part, index) => {
    const value = values[index - 1] ?? "";
    if (/^\.*$/.test(value)) throw new RangeError(`Not a path segment: "${value}"`);
    return path + encodeURIComponent(value) + part;
  });
}

/** Returns a base address without its trailing slash, so that a path can be appended. */
export function baseOf(url: string): string {
  return url.replace(/\/+$/, "");
}

function contentType(request: HttpRequest): Record<string, string> {
  if (request.json !== undefined) return { "Content-Type": "application/json" };
  if (request.form !== undefined) return { "Content-Type": "application/x-www-form-urlencoded" };
  return {};
}

function bodyOf(request: HttpRequest): string | null {
  if (request.json !== undefined) return JSON.stringify(request.json);
  if (request.form !== undefined) return new URLSearchParams(request.form).toString();
  return null;
}

/** Returns "timeout", or the system's error code ("ECONNREFUSED"), which fetch hides in the error's cause. */
function networkCode(error: unknown): string {
  if (!(error instanceof Error)) return "network";
  if (error.name === "TimeoutError") return "timeout";
  return systemCode(error.cause) ?? systemCode(error) ?? "network";
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
