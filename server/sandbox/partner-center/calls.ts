/**
 * What all of Partner Center's calls have in common: the Bearer token, its error shape, and idempotency by MS-RequestId. A write
 * repeated with the MS-RequestId of a success gets that first answer again, password and all, and changes nothing; a refusal is not
 * remembered, as nothing took place.
 */
import { HttpResponse } from "msw";
import { z } from "zod";
import type { Sandbox } from "../sandbox.ts";
import type { Customer } from "../state.ts";
import { type Issuer, issueToken, tokenClaims } from "../tokens.ts";
import { guid, type JsonObject, originOf, readJson } from "../wire.ts";

export const base = "/partner-center/v1";

export interface Call {
  readonly request: Request;
  /** A path parameter; empty when the path has none of that name. */
  param(name: string): string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly origin: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** False for a 2xx by which nothing took place: it is not repeated for its MS-RequestId. */
  readonly remember?: boolean;
}

export class PartnerError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string | number, description: string) {
    super(description);
    this.status = status;
    this.code = String(code);
  }
}

interface Resolved {
  readonly request: Request;
  readonly params: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A call that changes nothing. */
export function read(sandbox: Sandbox, act: (call: Call) => Answer) {
  return (resolved: Resolved) => guarded(sandbox, resolved, async (call) => respond(act(call), call));
}

/** A call with an effect, counted under `kind`, repeated by MS-RequestId, and on disk before it is answered. */
export function write(sandbox: Sandbox, kind: string, act: (call: Call) => Answer) {
  return (resolved: Resolved) =>
    guarded(sandbox, resolved, async (call) => {
      const requestId = call.request.headers.get("ms-requestid")?.toLowerCase();
      const key = `${call.request.method} ${new URL(call.request.url).pathname} ${requestId}`;
      const { answers } = sandbox.state.partner;
      const first = requestId === undefined ? undefined : answers[key];
      if (first !== undefined) {
        sandbox.count(`${kind}.replayed`);
        await sandbox.save();
        return respond({ status: first.status, body: first.body }, call);
      }
      const answer = act(call);
      sandbox.count(kind);
      // A copy: what was answered must not change with the entity it was made from.
      if (requestId !== undefined && answer.remember !== false) {
        answers[key] = structuredClone({ status: answer.status, body: answer.body });
      }
      await sandbox.save();
      return respond(answer, call);
    });
}

async function guarded(
  sandbox: Sandbox,
  { request, params }: Resolved,
  act: (call: Call) => Promise<Response>,
) {
  if (tokenClaims(sandbox, issuer, request.headers.get("authorization")) === undefined) {
    const error = new PartnerError(401, "unauthorized", "The access token is missing, invalid or expired.");
    return errorResponse(error, request);
  }
  try {
    return await act({
      request,
      param: (name) => String(params[name] ?? ""),
      query: new URL(request.url).searchParams,
      body: request.method === "GET" || request.method === "HEAD" ? undefined : await readJson(request),
      origin: originOf(request),
    });
  } catch (error) {
    if (error instanceof PartnerError) return errorResponse(error, request);
    if (error instanceof SyntaxError)
      return errorResponse(new PartnerError(400, 2000, "The body is not JSON."), request);
    throw error;
  }
}

function respond({ status, body }: Answer, { request }: Call): Response {
  return body === undefined
    ? new HttpResponse(null, { status, headers: tracing(request) })
    : HttpResponse.json(JSON.parse(JSON.stringify(body)), { status, headers: tracing(request) });
}

function errorResponse({ status, code, message }: PartnerError, request: Request): Response {
  // An answer to HEAD has no body, whatever went wrong.
  if (request.method === "HEAD") return new HttpResponse(null, { status, headers: tracing(request) });
  return HttpResponse.json(
    { code, description: message, data: [], source: "PartnerFD" },
    { status, headers: tracing(request) },
  );
}

function tracing(request: Request): Record<string, string> {
  return {
    "MS-RequestId": request.headers.get("ms-requestid") ?? guid(),
    "MS-CorrelationId": request.headers.get("ms-correlationid") ?? guid(),
  };
}

/** @throws PartnerError 400 naming the first field that is wrong. */
export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new PartnerError(
    400,
    2000,
    `Invalid property: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
  );
}

/** @throws PartnerError 404/60003 before the customer exists or has accepted the relationship. */
export function customerOf(sandbox: Sandbox, call: Call): Customer {
  const customer = sandbox.state.partner.customers[call.param("customerId").toLowerCase()];
  if (customer === undefined) throw new PartnerError(404, 60003, "The customer was not found.");
  return customer;
}

export const text = z.string().trim().min(1);

const issuer: Issuer = { key: "sandbox-access-tokens" };

export function issueAccessToken(sandbox: Sandbox): { token: string; expiresInSeconds: number } {
  return issueToken(sandbox, issuer);
}

/** How every list is answered. @param totalCount of all pages */
export function list(items: readonly object[], totalCount = items.length): JsonObject {
  return { totalCount, items, attributes: { objectType: "Collection" } };
}
