/**
 * The one way to call a provider over HTTP: with a time-out, without redirects, timed for the log, and with every failure
 * turned into a ProviderError. answer.ts interprets the reply.
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
  /** Milliseconds from sending to the last byte of the reply. */
  timeoutMs: number;
  /** The call's id in our log and, if the provider has a header for it, on the wire. */
  requestId?: string;
  /** Credentials in this request outside its headers, redacted from any provider text that is kept. */
  secrets?: readonly string[];
  onCall?: OnCall | undefined;
}

/**
 * Sends one request and returns the reply, whatever its status.
 * @throws ProviderError (transient) when no complete reply arrives: refused connection, reset, time-out.
 */
export async function send(request: HttpRequest): Promise<ProviderResponse> {
  return (await exchange(request)).answer;
}

/** A file that is larger is not what a provider is asked for here. */
const maxFileBytes = 64 * 1024;

/** The most of a reply that is handed on in pieces: a bill's lines, decompressed, are hundreds of megabytes. */
const longestStream = 2 * 1024 ** 3;

/**
 * Reads a file as it is.
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
  /** @param answer in short; asked for only where the call is for an order */
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
 * What time it is at an address, in whole seconds, as its server says with whatever it answers; null where it does not say.
 * @throws ProviderError (transient) when it does not answer
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
 * Sends one request whose reply is too long to be held, and hands it on in pieces.
 * @param options.isCompressed true of a file that is itself gzip, whatever its headers say
 * @throws ProviderError for any status but 2xx, and (transient) when the reply does not come; from the pieces too, when it breaks off
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
    // Whoever reads no further needs no more of it.
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

/** A base address without its trailing slash, so that a path can be appended. */
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

/** "timeout", or the system's error code ("ECONNREFUSED"), which fetch hides in the error's cause. */
function networkCode(error: unknown): string {
  if (!(error instanceof Error)) return "network";
  if (error.name === "TimeoutError") return "timeout";
  return systemCode(error.cause) ?? systemCode(error) ?? "network";
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
