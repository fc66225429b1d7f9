/**
 * Shared by all of Google's calls: the Bearer token with the right scope, and the error format of google.rpc. Idempotency is not
 * here: only the calls that begin an operation have it (operations.ts).
 */
import { HttpResponse } from "msw";
import { z } from "zod";
import { readJson } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import { type Issuer, tokenClaims } from "../tokens.ts";

export const channelScope = "https://www.googleapis.com/auth/apps.order";
export const directoryScope = "https://www.googleapis.com/auth/admin.directory.user";
export const googleIssuer: Issuer = { key: "sandbox-google-tokens" };

/** Supported google.rpc statuses, with their HTTP codes. */
const httpCodes = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  RESOURCE_EXHAUSTED: 429,
} as const;
export type Status = keyof typeof httpCodes;

export class GoogleError extends Error {
  readonly status: Status;
  constructor(status: Status, message: string) {
    super(message);
    this.status = status;
  }

  get code(): number {
    return httpCodes[this.status];
  }
}

/** One of Google's APIs: its scope and its error format. */
export interface Api {
  readonly scopes: readonly string[];
  errorBody(error: GoogleError): object;
}

export const channel: Api = {
  scopes: [channelScope],
  errorBody: ({ code, message, status }) => ({ error: { code, message, status, details: [] } }),
};

export interface Call {
  readonly request: Request;
  /** A path parameter; empty when the path does not have it. */
  param(name: string): string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface Answer {
  readonly body: object | undefined;
  /** Name under which the effect is counted; left out for a call without one. */
  readonly kind?: string;
}

interface Resolved {
  readonly request: Request;
  readonly params: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A call without effects. */
export function read(sandbox: Sandbox, api: Api, act: (call: Call) => object) {
  return (resolved: Resolved) => guarded(sandbox, api, resolved, async (call) => respond(act(call)));
}

/** A call that may have an effect: counted under its kind, and saved to disk before the response. */
export function write(sandbox: Sandbox, api: Api, act: (call: Call) => Answer) {
  return (resolved: Resolved) =>
    guarded(sandbox, api, resolved, async (call) => {
      const { body, kind } = act(call);
      if (kind !== undefined) sandbox.count(kind);
      await sandbox.save();
      return respond(body);
    });
}

async function guarded(
  sandbox: Sandbox,
  api: Api,
  { request, params }: Resolved,
  act: (call: Call) => Promise<Response>,
): Promise<Response> {
  try {
    authorize(sandbox, api, request);
    if (api === channel) countCall(sandbox, request);
    return await act({
      request,
      param: (name) => String(params[name] ?? ""),
      query: new URL(request.url).searchParams,
      body: request.method === "GET" ? undefined : ((await readJson(request)) ?? {}),
    });
  } catch (error) {
    if (error instanceof GoogleError) return refuse(api, error);
    if (error instanceof SyntaxError)
      return refuse(api, new GoogleError("INVALID_ARGUMENT", "Invalid JSON payload received."));
    throw error;
  }
}

function authorize(sandbox: Sandbox, api: Api, request: Request): void {
  const claims = tokenClaims(sandbox, googleIssuer, request.headers.get("authorization"));
  if (claims === undefined) {
    throw new GoogleError(
      "UNAUTHENTICATED",
      "Request had invalid authentication credentials. Expected OAuth 2 access token.",
    );
  }
  const granted = String(claims.scope ?? "").split(" ");
  if (!api.scopes.some((scope) => granted.includes(scope))) {
    throw new GoogleError("PERMISSION_DENIED", "Request had insufficient authentication scopes.");
  }
}

const minuteMs = 60_000;

/** @throws GoogleError RESOURCE_EXHAUSTED beyond the quota of the last minute; operations have a separate one */
function countCall(sandbox: Sandbox, { url }: Request): void {
  const { callsPerMinute } = sandbox.google;
  if (callsPerMinute === 0 || new URL(url).pathname.includes("/v1/operations/")) return;
  const calls = sandbox.googleCalls;
  const now = Date.now();
  while ((calls[0] ?? now) <= now - minuteMs) calls.shift();
  if (calls.length >= callsPerMinute)
    throw new GoogleError(
      "RESOURCE_EXHAUSTED",
      "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute' of service 'cloudchannel.googleapis.com'.",
    );
  calls.push(now);
}

function respond(body: object | undefined): Response {
  return body === undefined ? new HttpResponse(null, { status: 204 }) : HttpResponse.json({ ...body });
}

function refuse(api: Api, error: GoogleError): Response {
  return HttpResponse.json({ ...api.errorBody(error) }, { status: error.code });
}

/** @throws GoogleError INVALID_ARGUMENT naming the first invalid field */
export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new GoogleError(
    "INVALID_ARGUMENT",
    `Invalid value at '${issue?.path.join(".") ?? ""}': ${issue?.message ?? ""}`,
  );
}

/** One page of a list, by `pageSize` and `pageToken`. */
export function pageOf<T>(
  all: readonly T[],
  query: URLSearchParams,
  sizes: { readonly usual: number; readonly most: number },
): { items: T[]; nextPageToken?: string } {
  const requestedSize = Number(query.get("pageSize") ?? 0);
  if (!Number.isInteger(requestedSize) || requestedSize < 0)
    throw new GoogleError("INVALID_ARGUMENT", "Invalid page size.");
  const size = requestedSize === 0 ? sizes.usual : Math.min(requestedSize, sizes.most);
  const token = query.get("pageToken") ?? "";
  const from = token === "" ? 0 : Number(Buffer.from(token, "base64url").toString());
  if (!Number.isInteger(from) || from < 0) throw new GoogleError("INVALID_ARGUMENT", "Invalid page token.");
  const items = all.slice(from, from + size);
  const next = from + size;
  return next < all.length
    ? { items, nextPageToken: Buffer.from(String(next)).toString("base64url") }
    : { items };
}

export const text = z.string().trim().min(1);

export const domainName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/i, "must be a full domain such as example.com")
  .transform((name) => name.toLowerCase());
