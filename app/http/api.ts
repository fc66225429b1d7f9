/** The one builder of JSON calls: the same parsing, session, refusals and logging as pages, answered as JSON with a request id. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { DomainError, notFound } from "#server/errors.ts";
import { readBody, readJson } from "./body.ts";
import { openPage, type Page } from "./page.ts";
import { refusalOf } from "./refusal.ts";
import { requireOwnCaller } from "./same-origin.ts";
import { applySecurityHeaders } from "./security-headers.ts";

/** The parameters of a call's path, as the router found them. */
type PathParams = LoaderFunctionArgs["params"];

/**
 * Builds a GET call.
 * @param query what the query string must hold; anything else answers 400 with the fields named
 */
export function apiLoader<Query extends z.ZodType>(
  query: Query,
  handler: (page: Page, query: z.output<Query>, params: PathParams) => Promise<object>,
) {
  return ({ request, params }: LoaderFunctionArgs): Promise<Response> =>
    answer(request, async (page) =>
      handler(page, parseOr400(query, Object.fromEntries(page.url.searchParams)), params),
    );
}

/**
 * Builds a POST call that takes JSON, from our own pages or from a client that carries no cookie of ours.
 * @param body what must be sent; anything else answers 400 with the fields named
 */
export function jsonAction<Body extends z.ZodType>(
  body: Body,
  handler: (page: Page, body: z.output<Body>, params: PathParams) => Promise<object>,
) {
  return ({ request, params }: ActionFunctionArgs): Promise<Response> =>
    answer(request, async (page) => {
      if (request.method !== "POST") throw methodNotAllowed("POST");
      requireOwnCaller(request, page.context.env.PUBLIC_URL);
      return handler(page, parseOr400(body, await readJson(request)), params);
    });
}

/** Builds a call whose body is read raw, for senders that sign it: webhooks and the payment provider's return. */
export function rawAction(handler: (page: Page, body: Buffer) => Promise<object | Response>) {
  return ({ request }: ActionFunctionArgs): Promise<Response> =>
    answer(request, async (page) => {
      if (request.method !== "POST") throw methodNotAllowed("POST");
      return handler(page, await readBody(request));
    });
}

/** A loader for a path that only takes POST. */
export function postOnly({ request }: LoaderFunctionArgs): Promise<Response> {
  return answer(request, async () => {
    throw methodNotAllowed("POST");
  });
}

/** An action for a path that is only read. */
export function getOnly({ request }: ActionFunctionArgs): Promise<Response> {
  return answer(request, async () => {
    throw methodNotAllowed("GET");
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

function methodNotAllowed(allow: string): MethodNotAllowed {
  return new MethodNotAllowed(allow);
}

async function answer(request: Request, run: (page: Page) => Promise<object | Response>): Promise<Response> {
  const page = await openPage(request, authorizationOf(request));
  const response = await run(page).then(
    (result) => (result instanceof Response ? result : Response.json(result)),
    (error: unknown) => refuse(page, error),
  );
  for (const [name, value] of page.headers) response.headers.append(name, value);
  applySecurityHeaders(response.headers, page.context.env, null);
  response.headers.set("Cache-Control", "no-store");
  return response;
}

function refuse(page: Page, error: unknown): Response {
  const { requestId } = page;
  if (error instanceof Response) return error;
  if (error instanceof MethodNotAllowed) {
    return Response.json(
      { error: error.message, requestId },
      { status: 405, headers: { Allow: error.allow } },
    );
  }
  const refusal = refusalOf(error, page.log);
  if (refusal !== null) {
    page.log.info({ code: refusal.code, path: page.url.pathname }, "call refused");
    const headers = new Headers();
    if (refusal.retryAfterSeconds !== undefined)
      headers.set("Retry-After", String(refusal.retryAfterSeconds));
    return Response.json(
      { error: refusal.message, fields: refusal.fields, requestId },
      { status: refusal.status, headers },
    );
  }
  page.log.error({ err: error }, "call failed");
  return Response.json({ error: "Unexpected Application Error!", requestId }, { status: 500 });
}

/** `Authorization: Bearer <token>`, or the token alone (DESIGN ruling 1). */
function authorizationOf(request: Request): string | null {
  return (
    request.headers
      .get("authorization")
      ?.replace(/^Bearer +/i, "")
      .trim() ?? null
  );
}

function parseOr400<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw malformed(parsed.error);
  return parsed.data;
}

function malformed(error: z.ZodError): DomainError {
  // Of several problems of one field the first is told, as in a form.
  const issues = [...error.issues].reverse();
  const fields = Object.fromEntries(issues.map((issue) => [issue.path.join("."), issue.message]));
  return new DomainError("bad_request", "The request is not well formed.", { fields });
}

export { notFound, z };
