/**
 * The one builder of JSON calls. Parsing, session, refusals and logging work as for pages, answered as JSON with a request
 * id.
 */
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { english, msg } from "#server/foundation/languages/text.ts";
import { requestMetadata } from "#server/foundation/web/request-store.ts";
import { createRequestScope } from "#server/integrations/call-attribution.ts";
import { toDomainError } from "#server/platform/to-domain-error.ts";
import { apiErrorMap } from "../../http/api-error-map.ts";
import { readBody, readJson } from "../../http/body.ts";
import { refusalPage } from "../../http/page.ts";
import { enforceRateLimit } from "../../http/rate-limits.ts";
import { logRefusal } from "../../http/refusal-log.ts";
import { openRequest, type RequestContext } from "../../http/request-context.ts";
import { requireTrustedApiClient } from "../../http/same-origin.ts";
import { applySecurityHeaders } from "../../http/security-headers.ts";
import { cleanInput } from "../../http/storable-text.ts";
import type { Described, EndpointOptions, PostOptions } from "./endpoint.ts";
import { respondOnce } from "./idempotency-key.ts";

/** The parameters of a call's path, as the router found them. */
type PathParams = LoaderFunctionArgs["params"];

/**
 * Builds a GET call.
 * @param call.query schema of the query string; anything else answers 400 and names the fields
 * @param call.reply schema of the answer: the compiler checks it here, and the contract tests check it on the wire
 */
export function apiLoader<
  Opened extends RequestContext,
  Query extends z.ZodType,
  Reply extends z.ZodType<object, object>,
>(
  call: EndpointOptions<Opened> & { query: Query; reply: Reply },
  handler: (request: Opened, query: z.output<Query>, params: PathParams) => Promise<z.input<Reply>>,
): Described<(args: LoaderFunctionArgs) => Promise<Response>> {
  const { access, ...description } = call;
  const loader = ({ request: raw, params }: LoaderFunctionArgs): Promise<Response> =>
    answer(raw, call, async (request) => {
      const opened = await admit(request, call);
      return handler(opened, parseOr400(call.query, Object.fromEntries(request.url.searchParams)), params);
    });
  return Object.assign(loader, {
    about: { ...description, method: "get" as const, needs: access.needs, input: call.query },
  });
}

/**
 * Builds a POST call that takes JSON, from our own pages or from a client that carries none of our cookies.
 * @param call.body schema of the body; anything else answers 400 and names the fields
 * @param call.reply as for a GET call
 */
export function jsonAction<
  Opened extends RequestContext,
  Body extends z.ZodType,
  Reply extends z.ZodType<object, object>,
>(
  call: PostOptions<Opened> & { body: Body; reply: Reply },
  handler: (request: Opened, body: z.output<Body>, params: PathParams) => Promise<z.input<Reply>>,
): Described<(args: ActionFunctionArgs) => Promise<Response>> {
  const { access, ...description } = call;
  const action = ({ request: raw, params }: ActionFunctionArgs): Promise<Response> =>
    answer(raw, call, async (request) => {
      if (raw.method !== "POST") throw new MethodNotAllowed(call.alsoGet ? "GET, POST" : "POST");
      requireTrustedApiClient(raw, request.context.env.PUBLIC_URL);
      const opened = await admit(request, call);
      const { text, value } = call.bodyless ? { text: "", value: {} } : await readJson(raw);
      const body = parseOr400(call.body, value);
      const run = () => handler(opened, body, params);
      return call.idempotent ? respondOnce(request, text, run) : run();
    });
  return Object.assign(action, {
    about: { ...description, method: "post" as const, needs: access.needs, input: call.body },
  });
}

/** Builds a call that reads its body raw, for signed requests: webhooks and the payment provider's return. */
export function rawAction(
  handler: (request: RequestContext, body: Buffer, params: PathParams) => Promise<object | Response>,
) {
  return ({ request: raw, params }: ActionFunctionArgs): Promise<Response> =>
    answer(raw, {}, async (request) => {
      if (raw.method !== "POST") throw new MethodNotAllowed("POST");
      return handler(request, await readBody(raw), params);
    });
}

/**
 * Builds a loader that serves a file as its own Response and refuses as a call does. It is not a call and not in the OpenAPI
 * document.
 */
export function fileLoader(handler: (request: RequestContext, params: PathParams) => Promise<Response>) {
  return ({ request, params }: LoaderFunctionArgs): Promise<Response> =>
    answer(request, {}, (request) => handler(request, params));
}

/**
 * Builds a loader as fileLoader does, for a file that people keep. A browser that opens its address, as from a mail, shows a refusal as a
 * page: the route exports RouteErrorPage as its ErrorBoundary. The file travels as a call's answer does (page-or-call.ts).
 */
export function downloadLoader(
  handler: (request: RequestContext, params: PathParams) => Promise<Response>,
): (args: LoaderFunctionArgs) => Promise<null> {
  return async ({ request, params, context }) => {
    const isBrowser = (request.headers.get("accept") ?? "").includes("text/html");
    // A refusal of data is data: the answer of a call does not fit there.
    const isPage = isBrowser || requestMetadata().isForData;
    context.callAnswer ??= await answer(request, { isPage }, (request) => handler(request, params));
    throw data(null);
  };
}

/** The loader of a path that takes only POST. */
export function postOnly({ request }: LoaderFunctionArgs): Promise<Response> {
  return answer(request, {}, async () => {
    throw new MethodNotAllowed("POST");
  });
}

/** The action of a path that takes only GET. */
export function getOnly({ request }: ActionFunctionArgs): Promise<Response> {
  return answer(request, {}, async () => {
    throw new MethodNotAllowed("GET");
  });
}

/** The loader and action for unknown addresses below the calls' paths. */
export function unknownEndpoint({ request }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
  return answer(request, {}, async () => {
    throw notFound("call");
  });
}

/**
 * Reads the parameters of a call's path.
 * @throws DomainError not_found, as a page with such an address would answer
 */
export function requireParams<Params extends z.ZodType>(params: Params, raw: PathParams): z.output<Params> {
  const parsed = params.safeParse(raw);
  if (!parsed.success) throw notFound();
  return parsed.data;
}

class MethodNotAllowed extends Error {
  readonly allow: string;
  constructor(allow: string) {
    super("Method not allowed");
    this.allow = allow;
  }
}

/**
 * Applies the rate limit first, then the access check.
 * @throws DomainError rate_limited; unauthenticated; forbidden for a user who still has to set up a second factor
 */
async function admit<Opened extends RequestContext>(
  request: RequestContext,
  { limit, access }: EndpointOptions<Opened>,
): Promise<Opened> {
  if (limit !== undefined) await enforceRateLimit(limit, request);
  if (access.needs !== "nobody" && request.session?.isKeptOut === true)
    throw new DomainError("forbidden", msg("twoStep.requiredHere"));
  return access.open(request);
}

interface Refusing extends Pick<EndpointOptions, "refusedAs" | "fieldNames"> {
  /** A refusal is thrown as the error page. */
  isPage?: boolean;
}

async function answer(
  raw: Request,
  call: Refusing,
  run: (request: RequestContext) => Promise<object | Response>,
): Promise<Response> {
  const request = await openRequest(raw, authorizationOf(raw));
  const begun = async () => {
    // Neither a call nor a file has a page whose data could be requested, and a handler's response could not be encoded as such.
    if (requestMetadata().isForData) throw notFound("page");
    return createRequestScope()(() => run(request));
  };
  const response = await (request.unread === null ? begun() : Promise.reject(request.unread)).then(
    (result) => (result instanceof Response ? result : Response.json(result)),
    (error: unknown) => {
      if (call.isPage) throw refusalPage(error, request);
      return refuse(request, call, error);
    },
  );
  for (const [name, value] of request.responseHeaders) response.headers.append(name, value);
  applySecurityHeaders(response.headers, request.context.env, null);
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  return response;
}

function refuse(request: RequestContext, { refusedAs, fieldNames = {} }: Refusing, error: unknown): Response {
  const { requestId } = request;
  if (error instanceof Response) return error;
  const say = (status: number, message: string, more: object = {}, headers = new Headers()) =>
    Response.json({ ...refusedAs?.(message), ...more, error: message, requestId }, { status, headers });
  if (error instanceof MethodNotAllowed) {
    return say(405, error.message, {}, new Headers({ Allow: error.allow }));
  }
  const refusal = toDomainError(error, request.log);
  if (refusal !== null) {
    logRefusal(request, refusal, "call refused");
    const headers = new Headers();
    if (refusal.retryAfterSeconds !== undefined)
      headers.set("Retry-After", String(refusal.retryAfterSeconds));
    const fields =
      refusal.fields &&
      Object.fromEntries(
        Object.entries(refusal.fields).map(([name, message]) => [fieldNames[name] ?? name, english(message)]),
      );
    const changed = refusal.code === "price_changed" ? priceChanged : {};
    return say(refusal.status, refusal.message, { ...changed, fields }, headers);
  }
  request.log.error({ err: error }, "call failed");
  return say(500, "Unexpected Application Error!");
}

/** Sent beside every refusal of a figure, by every call (docs/decisions/prices.md#price-holds). */
const priceChanged = { status: "fail", Error: "Price has changed" };

/** `Authorization: Bearer <token>`, or only the token (docs/decisions/security.md#sessions). */
function authorizationOf(request: Request): string | null {
  return (
    request.headers
      .get("authorization")
      ?.replace(/^Bearer +/i, "")
      .trim() ?? null
  );
}

/** @throws DomainError bad_request, naming the fields */
export function parseOr400<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  cleanInput(input);
  const parsed = schema.safeParse(input, { error: apiErrorMap });
  if (!parsed.success) throw malformed(parsed.error);
  return parsed.data;
}

function malformed(error: z.ZodError): DomainError {
  // When a field has several problems, report the first, as the forms do.
  const issues = [...error.issues].reverse();
  const fields = Object.fromEntries(issues.map((issue) => [issue.path.join("."), english(issue.message)]));
  return new DomainError("bad_request", "The request is malformed.", { fields });
}

export { optionalSessionAccess, orderOwnerAccess, publicAccess, sessionAccess } from "./endpoint.ts";
export { notFound, type RequestContext, z };
