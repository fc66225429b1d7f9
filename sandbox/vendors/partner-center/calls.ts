/**
 * Shared by all of Partner Center's calls: the Bearer token, its error format, and idempotency by MS-RequestId. A write repeated
 * with the MS-RequestId of a success gets the first response again, including a password, and changes nothing; a refusal is not
 * remembered, because it had no effect.
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
  /** A path parameter; empty when the path does not have it. */
  param(name: string): string;
  readonly query: URLSearchParams;
  readonly body?: unknown;
  readonly origin: string;
  /** The calling partner. */
  readonly partner: Partner;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** Address for polling something that was accepted but is not done. */
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

/** A call without effects. */
export function read(sandbox: Sandbox, act: (call: Call) => Answer) {
  return (resolved: Resolved) => guarded(sandbox, resolved, async (call) => respond(act(call), call));
}

/** A call with an effect, counted under `kind` and saved to disk before the response. Repeats are handled by `act`. */
export function writeOnce(sandbox: Sandbox, kind: string, act: (call: Call) => Answer) {
  return (resolved: Resolved) =>
    guarded(sandbox, resolved, async (call) => {
      const answer = act(call);
      sandbox.count(kind);
      await sandbox.save();
      return respond(answer, call);
    });
}

/** writeOnce with repeats by MS-RequestId. */
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
      // A copy, so that changes of the entity do not change the stored response.
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
  /** Audience of the token. */
  aud: z.string().optional(),
  /** The user of a delegated token; without it the application acts for itself. */
  upn: z.string().optional(),
  amr: z.array(z.string()).default([]),
});

/** Claims of the call's token. @throws PartnerError for a token that does not belong to a partner */
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

/** @throws PartnerError for a call that this token does not permit */
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

/** The calls that Microsoft accepts only on behalf of a user. */
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
  // A response to HEAD has no body, even for errors.
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

/** @throws PartnerError 400 naming the first invalid field */
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
 * Finds the call's customer.
 * @throws PartnerError as `knownCustomerOf`, and 403/20002 while its acceptance is new
 */
export function customerOf(sandbox: Sandbox, call: Call): Customer {
  const customer = knownCustomerOf(sandbox, call);
  const { id, source, createdAt } = customer;
  if (source === "approved" && isHidden(sandbox, "relationship", id, createdAt)) throw unrelated(call, id);
  return customer;
}

/**
 * @throws PartnerError 404/60003 before the customer exists or has accepted the relationship, and while it is new; 403/20002 for
 * another partner's
 */
export function knownCustomerOf(sandbox: Sandbox, call: Call): Customer {
  const customer = sandbox.state.partner.customers[call.param("customerId").toLowerCase()];
  if (customer === undefined || isTooNew(sandbox, customer))
    throw new PartnerError(404, 60003, "The customer was not found.");
  if (customer.country !== call.partner.country) throw unrelated(call, customer.id);
  return customer;
}

/** Whether a tenant that was created here is not found or listed yet. */
export function isTooNew(sandbox: Sandbox, { id, source, createdAt }: Customer): boolean {
  return source === "created" && isHidden(sandbox, "tenant", id, createdAt);
}

function unrelated({ partner }: Call, customer: string): PartnerError {
  const said = `The partner ID ${partnerId(partner.tenant)} has no commerce relationship with the customer ID ${customer}.`;
  return new PartnerError(403, 20002, said);
}

export const text = z.string().trim().min(1);

const issuer: Issuer = { key: "sandbox-access-tokens" };

/** Looks like a JWT, as Microsoft's does. */
export function issueAccessToken(
  sandbox: Sandbox,
  claims: JsonObject,
): { token: string; expiresInSeconds: number } {
  const { token, expiresInSeconds } = issueToken(sandbox, issuer, claims);
  return { token: `${jwtHead}.${token}`, expiresInSeconds };
}

const jwtHead = Buffer.from(JSON.stringify({ typ: "JWT", alg: "HS256" })).toString("base64url");
const tokenHead = `${jwtHead}.`;

/** Format of every list. @param totalCount of all pages */
export function list(items: readonly object[], totalCount = items.length): JsonObject {
  return { totalCount, items, attributes: { objectType: "Collection" } };
}
