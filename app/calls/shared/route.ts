/** The one builder of JSON calls: the same parsing, session, refusals and logging as pages, answered as JSON with a request id. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { DomainError, notFound } from "#server/errors.ts";
import { readBody, readJson } from "../../http/body.ts";
import type { CallOptions, Described, PostOptions } from "./call.ts";
import { requireCleanText } from "../../http/clean-text.ts";
import { answerOnce } from "./idempotency-key.ts";
import { countAgainst } from "../../http/limits.ts";
import { openPage, type Page } from "../../http/page.ts";
import { plainWords } from "../../http/plain-words.ts";
import { refusalOf } from "../../http/refusal.ts";
import { requireOwnCaller } from "../../http/same-origin.ts";
import { applySecurityHeaders } from "../../http/security-headers.ts";

/** The parameters of a call's path, as the router found them. */
type PathParams = LoaderFunctionArgs["params"];

/**
 * Builds a GET call.
 * @param call.query what the query string must hold; anything else answers 400 with the fields named
 * @param call.reply what is answered: checked by the compiler here, and by the contract tests as it arrives
 */
export function apiLoader<
  Opened extends Page,
  Query extends z.ZodType,
  Reply extends z.ZodType<object, object>,
>(
  call: CallOptions<Opened> & { query: Query; reply: Reply },
  handler: (page: Opened, query: z.output<Query>, params: PathParams) => Promise<z.input<Reply>>,
): Described<(args: LoaderFunctionArgs) => Promise<Response>> {
  const { access, ...told } = call;
  const loader = ({ request, params }: LoaderFunctionArgs): Promise<Response> =>
    answer(request, call, async (page) => {
      const opened = await admit(page, call);
      return handler(opened, parseOr400(call.query, Object.fromEntries(page.url.searchParams)), params);
    });
  return Object.assign(loader, {
    about: { ...told, method: "get" as const, needs: access.needs, input: call.query },
  });
}

/**
 * Builds a POST call that takes JSON, from our own pages or from a client that carries no cookie of ours.
 * @param call.body what must be sent; anything else answers 400 with the fields named
 * @param call.reply as for a GET call
 */
export function jsonAction<
  Opened extends Page,
  Body extends z.ZodType,
  Reply extends z.ZodType<object, object>,
>(
  call: PostOptions<Opened> & { body: Body; reply: Reply },
  handler: (page: Opened, body: z.output<Body>, params: PathParams) => Promise<z.input<Reply>>,
): Described<(args: ActionFunctionArgs) => Promise<Response>> {
  const { access, ...told } = call;
  const action = ({ request, params }: ActionFunctionArgs): Promise<Response> =>
    answer(request, call, async (page) => {
      if (request.method !== "POST") throw new MethodNotAllowed(call.alsoGet ? "GET, POST" : "POST");
      requireOwnCaller(request, page.context.env.PUBLIC_URL);
      const opened = await admit(page, call);
      const { text, value } = call.bodyless ? { text: "", value: {} } : await readJson(request);
      const body = parseOr400(call.body, value);
      const run = () => handler(opened, body, params);
      return call.idempotent ? answerOnce(page, text, run) : run();
    });
  return Object.assign(action, {
    about: { ...told, method: "post" as const, needs: access.needs, input: call.body },
  });
}

/** Builds a call whose body is read raw, for senders that sign it: webhooks and the payment provider's return. */
export function rawAction(handler: (page: Page, body: Buffer) => Promise<object | Response>) {
  return ({ request }: ActionFunctionArgs): Promise<Response> =>
    answer(request, {}, async (page) => {
      if (request.method !== "POST") throw new MethodNotAllowed("POST");
      return handler(page, await readBody(request));
    });
}

/** Builds a loader of a file: a Response of its own, refused as a call is. It is no call, and in no document. */
export function fileLoader(handler: (page: Page, params: PathParams) => Promise<Response>) {
  return ({ request, params }: LoaderFunctionArgs): Promise<Response> =>
    answer(request, {}, (page) => handler(page, params));
}

/** A loader for a path that only takes POST. */
export function postOnly({ request }: LoaderFunctionArgs): Promise<Response> {
  return answer(request, {}, async () => {
    throw new MethodNotAllowed("POST");
  });
}

/** An action for a path that is only read. */
export function getOnly({ request }: ActionFunctionArgs): Promise<Response> {
  return answer(request, {}, async () => {
    throw new MethodNotAllowed("GET");
  });
}

/** A loader and an action for addresses under which there are calls, and here none. */
export function noSuchCall({ request }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
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

/** How often, then who. @throws DomainError rate_limited; unauthenticated */
async function admit<Opened extends Page>(
  page: Page,
  { limit, access }: CallOptions<Opened>,
): Promise<Opened> {
  if (limit !== undefined) await countAgainst(limit, page);
  return access.open(page);
}

type Refusing = Pick<CallOptions, "refusedAs" | "fieldNames">;

async function answer(
  request: Request,
  call: Refusing,
  run: (page: Page) => Promise<object | Response>,
): Promise<Response> {
  const page = await openPage(request, authorizationOf(request));
  const response = await (page.unread === null ? run(page) : Promise.reject(page.unread)).then(
    (result) => (result instanceof Response ? result : Response.json(result)),
    (error: unknown) => refuse(page, call, error),
  );
  for (const [name, value] of page.headers) response.headers.append(name, value);
  applySecurityHeaders(response.headers, page.context.env, null);
  response.headers.set("Cache-Control", "no-store");
  return response;
}

function refuse(page: Page, { refusedAs, fieldNames = {} }: Refusing, error: unknown): Response {
  const { requestId } = page;
  if (error instanceof Response) return error;
  const say = (status: number, message: string, more: object = {}, headers = new Headers()) =>
    Response.json({ ...refusedAs?.(message), ...more, error: message, requestId }, { status, headers });
  if (error instanceof MethodNotAllowed) {
    return say(405, error.message, {}, new Headers({ Allow: error.allow }));
  }
  const refusal = refusalOf(error, page.log);
  if (refusal !== null) {
    page.log.info({ code: refusal.code, path: page.url.pathname }, "call refused");
    const headers = new Headers();
    if (refusal.retryAfterSeconds !== undefined)
      headers.set("Retry-After", String(refusal.retryAfterSeconds));
    const fields =
      refusal.fields &&
      Object.fromEntries(
        Object.entries(refusal.fields).map(([name, message]) => [fieldNames[name] ?? name, message]),
      );
    const changed = refusal.code === "price_changed" ? priceChanged : {};
    return say(refusal.status, refusal.message, { ...changed, fields }, headers);
  }
  page.log.error({ err: error }, "call failed");
  return say(500, "Unexpected Application Error!");
}

/** Said beside every refusal of a figure, whichever call it is (docs/decisions/server-prices.md). */
const priceChanged = { status: "fail", Error: "Price has changed" };

/** `Authorization: Bearer <token>`, or the token alone (docs/decisions/sessions.md). */
function authorizationOf(request: Request): string | null {
  return (
    request.headers
      .get("authorization")
      ?.replace(/^Bearer +/i, "")
      .trim() ?? null
  );
}

/** @throws DomainError bad_request with the fields named */
export function parseOr400<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  requireCleanText(input);
  const parsed = schema.safeParse(input, { error: plainWords });
  if (!parsed.success) throw malformed(parsed.error);
  return parsed.data;
}

function malformed(error: z.ZodError): DomainError {
  // Of several problems of one field the first is told, as in a form.
  const issues = [...error.issues].reverse();
  const fields = Object.fromEntries(issues.map((issue) => [issue.path.join("."), issue.message]));
  return new DomainError("bad_request", "The request is not well formed.", { fields });
}

export { anybody, optionallySignedIn, orderOwner, signedIn } from "./call.ts";
export { notFound, type Page, z };
