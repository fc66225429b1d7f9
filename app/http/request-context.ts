/** What a request brings to its handler: the visitor, the store's context, a log, and the headers to answer with. */
import { type AppLoadContext, redirect } from "@remix-run/node";
import { readSession, type SessionUser } from "#server/accounts/sessions.ts";
import type { Context } from "#server/context.ts";
import type { Log } from "#server/log.ts";
import * as paths from "#server/paths.ts";
import { hashToken } from "#server/security/token.ts";
import { requestFacts } from "#server/web/request-store.ts";
import { webContext } from "./context.ts";
import { draftCookie, flashCookie, type Notification, readText, sessionCookie } from "./cookies.ts";

export interface RequestContext extends Visitor {
  context: Context;
  raw: Request;
  url: URL;
  requestId: string;
  /** The address rate limits count by. */
  clientAddress: string;
  log: Log;
  /** The same for all loaders of one load, which may keep with it what each of them reads; null in an action, which reads what it has changed. */
  load: AppLoadContext | null;
  /** Cookies set here go out with whatever the handler returns or redirects to. */
  responseHeaders: Headers;
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

/**
 * Reads who is asking. Forms and JSON calls both begin here.
 * @param givenToken a session token that came in another way than the cookie, which then does not count
 */
export async function openRequest(
  request: Request,
  givenToken: string | null = null,
): Promise<RequestContext> {
  return requestContextOf(request, await readVisitor(request, givenToken));
}

/** The same for a loader: all loaders of one page share what is read. */
export async function openForLoader(request: Request, loadContext: AppLoadContext): Promise<RequestContext> {
  return requestContextOf(request, await visitorOfLoaders(request, loadContext), loadContext);
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

function requestContextOf(
  request: Request,
  visitor: Visitor,
  load: AppLoadContext | null = null,
): RequestContext {
  const context = webContext();
  const { requestId, clientAddress } = requestFacts();
  return {
    ...visitor,
    context,
    raw: request,
    url: new URL(request.url),
    requestId,
    clientAddress,
    log: context.log.child({ requestId }),
    load,
    responseHeaders: new Headers(),
  };
}

/** For pages that need an account. @throws a redirect to the login, and back here after it; a token that is no good goes */
export function requireSession(request: RequestContext): SessionUser {
  if (request.session === null) throw toLogin(request);
  return request.session;
}

/** To the login, and back here after it. */
export function toLogin(request: RequestContext): Response {
  if (request.staleSession !== null) request.responseHeaders.append("Set-Cookie", request.staleSession);
  return redirect(paths.login(`${request.url.pathname}${request.url.search}`));
}

/** Signs this browser in: the session's token goes out as the cookie. */
export async function setSession(request: RequestContext, session: { token: string }): Promise<void> {
  request.responseHeaders.append(
    "Set-Cookie",
    await sessionCookie(request.context.env).serialize(session.token),
  );
}

/** Signs this browser out; ending the session itself is the domain's. */
export async function clearSession(request: RequestContext): Promise<void> {
  request.responseHeaders.append("Set-Cookie", await sessionGone(request.context));
}

function sessionGone({ env }: Context): Promise<string> {
  return sessionCookie(env).serialize("", { maxAge: 0 });
}

/** The page goes on by itself after some seconds: the browser's own doing, with scripts and without. */
export function moveOn(request: RequestContext, afterSeconds: number, to: string): void {
  request.responseHeaders.set("Refresh", `${afterSeconds};url=${to}`);
}

/** Redirects with a notification that the next page shows once. */
export async function redirectWith(
  request: RequestContext,
  to: string,
  notification: Notification,
): Promise<Response> {
  request.responseHeaders.append(
    "Set-Cookie",
    await flashCookie(request.context.env).serialize(notification),
  );
  return redirect(to, 303);
}
