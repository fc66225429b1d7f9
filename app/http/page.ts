/**
 * The one way a page reads and a form writes. Everything a route could forget is done here: parameters are parsed, the
 * session is read, writes are same-origin and small, expected refusals become field errors or an error page, and
 * anything else is logged with the request id.
 */

import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
  redirect,
} from "@remix-run/node";
import type { z } from "zod";
import { readSession, type SessionUser } from "#server/accounts/sessions.ts";
import { brand } from "#server/brand.ts";
import type { Context } from "#server/context.ts";
import { type DomainError, notFound } from "#server/errors.ts";
import type { Log } from "#server/log.ts";
import { hashToken } from "#server/security/token.ts";
import { requestFacts } from "#server/web/request-store.mjs";
import { paths } from "../paths.ts";
import { readForm } from "./body.ts";
import { webContext } from "./context.ts";
import { draftCookie, flashCookie, type Notification, readText, sessionCookie } from "./cookies.ts";
import { fieldNamesOf, takeFields } from "./form-fields.ts";
import { countAgainst, type Limit } from "./limits.ts";
import { refusalOf } from "./refusal.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { applySecurityHeaders } from "./security-headers.ts";

export interface Page extends Visitor {
  context: Context;
  request: Request;
  url: URL;
  requestId: string;
  /** The address rate limits count by. */
  clientAddress: string;
  log: Log;
  /** The same for all loaders of one load, which may keep with it what each of them reads; null in an action, which reads what it has changed. */
  load: AppLoadContext | null;
  /** Cookies set here go out with whatever the handler returns or redirects to. */
  headers: Headers;
}

/** Who asks, as the request's cookies or its token say. */
interface Visitor {
  session: SessionUser | null;
  /** What takes away the token of a session that is over; null when the browser has none. */
  staleSession: string | null;
  /** SHA-256 of this browser's draft key, or null when it has none. */
  draftKey: string | null;
  /** Why it could not be read who asks; null when it could. Then there is nothing to be handled. */
  unread: unknown;
}

/**
 * A page's loaders run side by side and are about the same visitor, who is read once for all of them. Remix gives them, and
 * nobody else, the same load context. An action reads for itself: it may sign its visitor in or out.
 */
const visitorsOfLoaders = new WeakMap<AppLoadContext, Promise<Visitor>>();

/** What a form's action answers when it does not redirect: conform's reply, and data of the intent, if any. */
export interface FormReply<Output> {
  result: SubmissionResult<string[]>;
  output: Output | null;
}

/**
 * Builds a loader. The handler returns plain data, or throws a redirect or a DomainError.
 * @param params what the URL's parameters must be; anything else is a 404
 * @param options.limit as in formAction
 */
export function pageLoader<Params extends z.ZodType, Result>(
  params: Params,
  handler: (page: Page, params: z.output<Params>) => Promise<Result>,
  { limit }: { limit?: Limit } = {},
) {
  return async ({ request, params: raw, context: loadContext }: LoaderFunctionArgs) => {
    const page = pageOf(request, await visitorOfLoaders(request, loadContext), loadContext);
    try {
      if (page.unread !== null) throw page.unread;
      const parsed = params.safeParse(raw);
      if (!parsed.success) throw notFound();
      if (limit !== undefined) await countAgainst(limit, page);
      return data(await handler(page, parsed.data), { headers: page.headers });
    } catch (error) {
      throw asResponse(error, page);
    }
  };
}

/**
 * Builds a form's action. Field errors and refusals answer with their status, the user's input kept (passwords never).
 * @param options.schema the form's schema, or a function that makes it for this request
 * @param options.limit how often a network may post it, counted together with what else has that limit
 * @param options.whenBroken what the form says when a fault of ours stops it, instead of giving way to the generic page; of a
 *   page with several forms, by the intent that each posts
 * @param options.handler returns a redirect Response, or data for an intent that stays on the page
 */
export function formAction<Params extends z.ZodType, Schema extends z.ZodType, Output = never>(options: {
  params: Params;
  schema: Schema | ((page: Page, params: z.output<Params>) => Promise<Schema>);
  limit?: Limit;
  whenBroken?: string | ReadonlyMap<string, string>;
  handler: (
    page: Page,
    params: z.output<Params>,
    value: z.output<Schema>,
  ) => Promise<Response | { output: Output }>;
}) {
  return async ({ request, params: raw }: ActionFunctionArgs) => {
    const page = await openPage(request);
    if (request.method !== "POST") throw methodNotAllowed(page);
    try {
      if (page.unread !== null) throw page.unread;
      requireSameOrigin(request, page.context.env.PUBLIC_URL);
      const params = options.params.safeParse(raw);
      if (!params.success) throw notFound();
      const form = await readForm(request);
      const schema =
        typeof options.schema === "function" ? await options.schema(page, params.data) : options.schema;
      const { fields, refusal: malformed } = takeFields(form, schema);
      const submission = parseWithZod(fields, { schema });
      const hideFields = [...fields.keys()].filter((name) => /password|token/i.test(name));
      const reply = (
        status: number,
        errors: { formErrors?: string[]; fieldErrors?: Record<string, string[]> } = {},
      ) =>
        data<FormReply<Output>>(
          { result: submission.reply({ hideFields, ...errors }), output: null },
          { status, headers: page.headers },
        );
      try {
        if (options.limit !== undefined) await countAgainst(options.limit, page);
        if (malformed !== null) throw malformed;
        if (submission.status !== "success") return reply(400);
        const answer = await options.handler(page, params.data, submission.value);
        if (answer instanceof Response) return withHeaders(answer, page);
        return data<FormReply<Output>>(
          { result: submission.reply({ hideFields }), output: answer.output },
          { headers: page.headers },
        );
      } catch (error) {
        const refusal = refusalOf(error, page.log);
        const { whenBroken } = options;
        const broken =
          typeof whenBroken === "object" ? whenBroken.get(fields.get("intent") ?? "") : whenBroken;
        if (refusal === null && broken !== undefined && !(error instanceof Response)) {
          page.log.error({ err: error }, "form failed");
          return reply(500, { formErrors: [broken] });
        }
        if (refusal === null || !staysOnTheForm(refusal, schema)) throw error;
        page.log.info({ code: refusal.code, path: page.url.pathname }, "form refused");
        if (refusal.retryAfterSeconds !== undefined) {
          page.headers.set("Retry-After", String(refusal.retryAfterSeconds));
        }
        const fieldErrors = Object.fromEntries(
          Object.entries(refusal.fields ?? {}).map(([name, message]) => [name, [message]]),
        );
        return refusal.fields === undefined
          ? reply(refusal.status, { formErrors: [refusal.message] })
          : reply(refusal.status, { fieldErrors });
      }
    } catch (error) {
      throw asResponse(error, page);
    }
  };
}

/**
 * Builds the action of a form that another site posts, as it is meant to: the payment page's result. It comes without our
 * cookies, so what it says has to prove itself; a refusal is told on the error page.
 */
export function foreignFormAction(options: {
  limit: Limit;
  handler: (page: Page, posted: URLSearchParams) => Promise<Response>;
}) {
  return async ({ request }: ActionFunctionArgs) => {
    const page = await openPage(request);
    if (request.method !== "POST") throw methodNotAllowed(page);
    try {
      await countAgainst(options.limit, page);
      return withHeaders(await options.handler(page, await readForm(request)), page);
    } catch (error) {
      throw asResponse(error, page);
    }
  };
}

/** The loader of a page that is only posted to. @throws the error page, with status 405 */
export async function postOnlyPage({ request }: LoaderFunctionArgs): Promise<never> {
  throw methodNotAllowed(await openPage(request));
}

/**
 * Reads who is asking. Forms and JSON calls both begin here.
 * @param givenToken a session token that came in another way than the cookie, which then does not count
 */
export async function openPage(request: Request, givenToken: string | null = null): Promise<Page> {
  return pageOf(request, await readVisitor(request, givenToken));
}

function visitorOfLoaders(request: Request, loadContext: AppLoadContext): Promise<Visitor> {
  const known = visitorsOfLoaders.get(loadContext);
  if (known !== undefined) return known;
  const visitor = readVisitor(request);
  visitorsOfLoaders.set(loadContext, visitor);
  return visitor;
}

function readVisitor(request: Request, givenToken: string | null = null): Promise<Visitor> {
  return readKnown(request, givenToken).catch((unread: unknown) => ({
    session: null,
    staleSession: null,
    draftKey: null,
    unread,
  }));
}

async function readKnown(request: Request, givenToken: string | null): Promise<Visitor> {
  const context = webContext();
  const token = givenToken ?? (await readText(sessionCookie(context.env), request));
  const draft = await readText(draftCookie(context.env), request);
  const session = token === null ? null : await readSession(context.db, context.env.SESSION_SECRETS, token);
  return {
    session,
    staleSession: token !== null && session === null ? await sessionGone(context) : null,
    draftKey: draft === null ? null : hashToken(draft),
    unread: null,
  };
}

function pageOf(request: Request, visitor: Visitor, load: AppLoadContext | null = null): Page {
  const context = webContext();
  const { requestId, clientAddress } = requestFacts();
  return {
    ...visitor,
    context,
    request,
    url: new URL(request.url),
    requestId,
    clientAddress,
    log: context.log.child({ requestId }),
    load,
    headers: new Headers(),
  };
}

/** For pages that need an account. @throws a redirect to the login, and back here after it; a token that is no good goes */
export function requireSession(page: Page): SessionUser {
  if (page.session === null) throw toLogin(page);
  return page.session;
}

/** To the login, and back here after it. */
export function toLogin(page: Page): Response {
  if (page.staleSession !== null) page.headers.append("Set-Cookie", page.staleSession);
  return redirect(paths.login(`${page.url.pathname}${page.url.search}`));
}

/** Signs this browser in: the session's token goes out as the cookie. */
export async function setSession(page: Page, session: { token: string }): Promise<void> {
  page.headers.append("Set-Cookie", await sessionCookie(page.context.env).serialize(session.token));
}

/** Signs this browser out; ending the session itself is the domain's. */
export async function clearSession(page: Page): Promise<void> {
  page.headers.append("Set-Cookie", await sessionGone(page.context));
}

function sessionGone({ env }: Context): Promise<string> {
  return sessionCookie(env).serialize("", { maxAge: 0 });
}

/** The page goes on by itself after some seconds: the browser's own doing, with scripts and without. */
export function moveOn(page: Page, afterSeconds: number, to: string): void {
  page.headers.set("Refresh", `${afterSeconds};url=${to}`);
}

/** Redirects with a notification that the next page shows once. */
export async function redirectWith(page: Page, to: string, notification: Notification): Promise<Response> {
  page.headers.append("Set-Cookie", await flashCookie(page.context.env).serialize(notification));
  return redirect(to, 303);
}

/** What ui/error-page.tsx shows. */
function told(message: string, requestId: string) {
  return { message, requestId, supportUrl: brand.supportUrl };
}

function methodNotAllowed({ requestId }: Page): unknown {
  return data(told("Method not allowed", requestId), { status: 405, headers: { Allow: "POST" } });
}

/** A form that is only a button has no place for words, and nothing typed to keep. */
function staysOnTheForm(error: DomainError, schema: z.ZodType): boolean {
  return error.code !== "not_found" && fieldNamesOf(schema).size > 0;
}

/** A redirect is not rendered, so what entry.server.tsx gives to documents is given here. */
function withHeaders(response: Response, page: Page): Response {
  for (const [name, value] of page.headers) response.headers.append(name, value);
  applySecurityHeaders(response.headers, page.context.env, null);
  response.headers.set("Cache-Control", "no-store");
  return response;
}

/** Turns what a handler threw into what Remix shows: a redirect, an error page with its status, or the generic page. */
function asResponse(error: unknown, page: Page): unknown {
  if (error instanceof Response) return withHeaders(error, page);
  const refusal = refusalOf(error, page.log);
  if (refusal !== null) {
    page.log.info({ code: refusal.code, path: page.url.pathname }, "request refused");
    const headers = new Headers(page.headers);
    if (refusal.retryAfterSeconds !== undefined)
      headers.set("Retry-After", String(refusal.retryAfterSeconds));
    return data(told(refusal.message, page.requestId), { status: refusal.status, headers });
  }
  page.log.error({ err: error }, "request failed");
  return data(told("Unexpected Application Error!", page.requestId), { status: 500 });
}
