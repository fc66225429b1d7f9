/**
 * What all of Partner Center's calls have in common: the Bearer token, its error shape, and idempotency by MS-RequestId. A write
 * repeated with the MS-RequestId of a success gets that first answer again, password and all, and changes nothing; a refusal is not
 * remembered, as nothing took place.
 */

import { HttpResponse } from "msw";
import { z } from "zod";
import { isHidden } from "../delays.ts";
import { guid, type JsonObject, originOf, readJson } from "../http-helpers.ts";
import type { Partner } from "../options.ts";
import type { Sandbox } from "../sandbox.ts";
import type { Customer } from "../state-schemas.ts";
import { type Issuer, issueToken, tokenClaims } from "../tokens.ts";
import { partnerId } from "./partners.ts";

export const base = "/partner-center/v1";
const audience = "https://api.partnercenter.microsoft.com";

export interface Call {
  readonly request: Request;
  /** A path parameter; empty when the path has none of that name. */
  param(name: string): string;
  readonly query: URLSearchParams;
  readonly body?: unknown;
  readonly origin: string;
  /** Who calls. */
  readonly partner: Partner;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** Where to ask later, of what was accepted and is not done. */
  readonly location?: string;
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

/** A call with an effect, counted under `kind` and on disk before it is answered. Whether it may be repeated is its own matter. */
export function writeOnce(sandbox: Sandbox, kind: string, act: (call: Call) => Answer) {
  return (resolved: Resolved) =>
    guarded(sandbox, resolved, async (call) => {
      const answer = act(call);
      sandbox.count(kind);
      await sandbox.save();
      return respond(answer, call);
    });
}

/** The same, repeated by MS-RequestId. */
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
        return respond(first, call);
      }
      const answer = act(call);
      sandbox.count(kind);
      // A copy: what was answered must not change with the entity it was made from.
      if (requestId !== undefined) {
        answers[key] = structuredClone(answer);
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
  try {
    return await act({
      request,
      partner: callerOf(sandbox, request),
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

const callerClaims = z.object({
  partner: z.string(),
  /** The audience it is for. */
  aud: z.string().optional(),
  /** Of a token that acts for a user; without it the application acts alone. */
  upn: z.string().optional(),
  amr: z.array(z.string()).default([]),
});

/** What the call's token says. @throws PartnerError for a token that is no partner's */
export function claimsOf(
  sandbox: Sandbox,
  request: Request,
): Omit<z.infer<typeof callerClaims>, "partner"> & { partner: Partner } {
  const token = request.headers.get("authorization")?.replace(tokenHead, "") ?? null;
  const claims = callerClaims.safeParse(tokenClaims(sandbox, issuer, token));
  const partner = sandbox.options.partners.find(({ country }) => country === claims.data?.partner);
  if (!claims.success || partner === undefined)
    throw new PartnerError(401, "unauthorized", "The access token is missing, invalid or expired.");
  return { ...claims.data, partner };
}

/** @throws PartnerError for a call that this token may not make */
function callerOf(sandbox: Sandbox, request: Request): Partner {
  const { partner, upn, amr, aud } = claimsOf(sandbox, request);
  if (aud !== undefined && aud !== audience)
    throw new PartnerError(401, 900420, "The access token is for another audience.");
  if (request.headers.get("ms-contract-version") !== "v1")
    throw new PartnerError(400, 2000, "The header MS-Contract-Version is missing or not known.");
  if (upn === undefined && isForUsersOnly(request))
    throw new PartnerError(
      403,
      900329,
      "The application alone may not make this call: a user has to consent.",
    );
  if (upn !== undefined && !(amr.includes("mfa") && sandbox.partnerMode.mfaCounts))
    throw new PartnerError(401, 900421, "MFA required: the user has not signed in with a second factor.");
  return partner;
}

/** The calls that Microsoft takes on behalf of a user only. */
function isForUsersOnly({ method, url }: Request): boolean {
  const [, path = ""] = new URL(url).pathname.split(base);
  return (
    /^\/customers\/relationshiprequests$/.test(path) ||
    /^\/customers\/[^/]+\/(users|directoryroles|subscribedskus)(\/|$)/.test(path) ||
    /^\/agreementtemplates\/[^/]+\/document$/.test(path) ||
    (method === "POST" && /^\/customers\/[^/]+\/agreements$/.test(path))
  );
}

function respond({ status, body, location }: Answer, { request }: Call): Response {
  const headers = { ...tracing(request), ...(location !== undefined && { location }) };
  return body === undefined
    ? new HttpResponse(null, { status, headers })
    : HttpResponse.json(JSON.parse(JSON.stringify(body)), { status, headers });
}

export function errorResponse({ status, code, message }: PartnerError, request: Request): Response {
  // An answer to HEAD has no body, whatever went wrong.
  if (request.method === "HEAD") return new HttpResponse(null, { status, headers: tracing(request) });
  if (status === 429)
    return HttpResponse.json(
      { statusCode: status, message },
      { status, headers: { ...tracing(request), "Retry-After": "60" } },
    );
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

/**
 * The customer that something is asked of.
 * @throws PartnerError as `knownCustomerOf`, and 403/20002 while its acceptance is new.
 */
export function customerOf(sandbox: Sandbox, call: Call): Customer {
  const customer = knownCustomerOf(sandbox, call);
  const { id, source, createdAt } = customer;
  if (source === "approved" && isHidden(sandbox, "relationship", id, createdAt)) throw unrelated(call, id);
  return customer;
}

/**
 * @throws PartnerError 404/60003 before the customer exists or has accepted the relationship, and while it is new; 403/20002 for
 * another partner's.
 */
export function knownCustomerOf(sandbox: Sandbox, call: Call): Customer {
  const customer = sandbox.state.partner.customers[call.param("customerId").toLowerCase()];
  if (customer === undefined || isTooNew(sandbox, customer))
    throw new PartnerError(404, 60003, "The customer was not found.");
  if (customer.country !== call.partner.country) throw unrelated(call, customer.id);
  return customer;
}

/** Whether a tenant that was made here is neither found nor listed yet. */
export function isTooNew(sandbox: Sandbox, { id, source, createdAt }: Customer): boolean {
  return source === "created" && isHidden(sandbox, "tenant", id, createdAt);
}

function unrelated({ partner }: Call, customer: string): PartnerError {
  const said = `The partner ID ${partnerId(partner.tenant)} has no commerce relationship with the customer ID ${customer}.`;
  return new PartnerError(403, 20002, said);
}

export const text = z.string().trim().min(1);

const issuer: Issuer = { key: "sandbox-access-tokens" };

/** It reads as a JWT, as Microsoft's does. */
export function issueAccessToken(
  sandbox: Sandbox,
  claims: JsonObject,
): { token: string; expiresInSeconds: number } {
  const { token, expiresInSeconds } = issueToken(sandbox, issuer, claims);
  return { token: `${jwtHead}.${token}`, expiresInSeconds };
}

const jwtHead = Buffer.from(JSON.stringify({ typ: "JWT", alg: "HS256" })).toString("base64url");
const tokenHead = `${jwtHead}.`;

/** How every list is answered. @param totalCount of all pages */
export function list(items: readonly object[], totalCount = items.length): JsonObject {
  return { totalCount, items, attributes: { objectType: "Collection" } };
}
