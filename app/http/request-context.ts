/** Context that a request gives its handler: the visitor, the store's context, a log, and the response headers. */
import { type AppLoadContext, redirect } from "@remix-run/node";
import { recordDevice } from "#server/accounts/devices.ts";
import { readSession, revokeSession, type Session, type SessionUser } from "#server/accounts/sessions.ts";
import { type Impersonation, readImpersonation } from "#server/desk/impersonation.ts";
import { DomainError } from "#server/foundation/errors.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { msg, textIn } from "#server/foundation/languages/text.ts";
import type { Log } from "#server/foundation/log.ts";
import * as paths from "#server/foundation/paths.ts";
import { shortNetwork } from "#server/foundation/security/network.ts";
import { hashToken } from "#server/foundation/security/token.ts";
import { requestMetadata } from "#server/foundation/web/request-store.ts";
import type { Context } from "#server/platform/context.ts";
import { webContext } from "./context.ts";
import {
  draftCookie,
  flashCookie,
  impersonationCookie,
  type Notification,
  readText,
  sessionCookie,
} from "./cookies.ts";
import { deviceAndLocationOf } from "./device.ts";
import { isDeskPath, languageOf } from "./language.ts";
import { ownAddress, pageOfDownload } from "./return-path.ts";
import { withCleanQuery } from "./storable-text.ts";

export interface RequestContext extends Visitor {
  context: Context;
  raw: Request;
  url: URL;
  requestId: string;
  /** The client address that rate limits count by. */
  clientAddress: string;
  log: Log;
  language: LanguageId;
  /** Translates a message into the visitor's language. */
  text: Translate;
  /**
   * Shared by all loaders of one page load, as a cache key for what they read. Null in an action, which must read its own
   * changes.
   */
  load: AppLoadContext | null;
  /** Cookies set here are sent with the handler's response or redirect. */
  responseHeaders: Headers;
}

/** The visitor, according to the request's cookies or token. */
interface Visitor {
  session: SessionUser | null;
  /** The impersonation in which staff see the store as the session's user; null for everybody else. */
  view: Impersonation | null;
  /** Set-Cookie header that clears an ended impersonation, or null. */
  staleView: string | null;
  /** The Set-Cookie header that clears an expired session's token, or null when there is nothing to clear. */
  staleSession: string | null;
  /** SHA-256 of this browser's draft key, or null when it has none. */
  draftKey: string | null;
  /** The error that prevented reading the visitor, or null. With one, the request is not handled. */
  unread: unknown;
}

/**
 * A page's loaders run in parallel for the same visitor, so the visitor and their language are read once and cached by the load
 * context, which Remix shares among exactly these loaders. An action reads its own visitor, because it may sign them in or out.
 */
const visitorsOfLoaders = new WeakMap<AppLoadContext, Promise<[Visitor, LanguageId]>>();

/**
 * Reads the visitor. Forms and JSON calls both begin here.
 * @param givenToken a session token from outside the cookie, which is then ignored
 */
export async function openRequest(
  request: Request,
  givenToken: string | null = null,
): Promise<RequestContext> {
  return requestContextOf(request, await readVisitor(request, givenToken), await languageOf(request));
}

/** The same for a loader. All loaders of one page share the visitor. */
export async function openLoaderRequest(
  request: Request,
  loadContext: AppLoadContext,
): Promise<RequestContext> {
  const [visitor, language] = await visitorOfLoaders(request, loadContext);
  return requestContextOf(request, visitor, language, loadContext);
}

function visitorOfLoaders(request: Request, loadContext: AppLoadContext): Promise<[Visitor, LanguageId]> {
  const known = visitorsOfLoaders.get(loadContext);
  if (known !== undefined) return known;
  const visitor = Promise.all([readVisitor(request), languageOf(request)]);
  visitorsOfLoaders.set(loadContext, visitor);
  return visitor;
}

function readVisitor(request: Request, givenToken: string | null = null): Promise<Visitor> {
  return readKnown(request, givenToken).catch((unread: unknown) => ({ ...nobody, unread }));
}

const nobody = { session: null, view: null, staleView: null, staleSession: null, draftKey: null };

/**
 * Reads the visitor of an impersonation: the impersonated user with everything that their own browser would send except the draft
 * key, read-only. Refuses every write here, before any route runs.
 * @param token of the cookie
 */
async function readViewer(request: Request, token: string): Promise<Visitor> {
  const { db, env } = webContext();
  const allowed = env.DESK_ALLOWED_ADDRESSES;
  const isNear = allowed === null || allowed.has(requestMetadata().clientAddress);
  const view = isNear ? await readImpersonation(db, token) : null;
  // A button pressed in an ended impersonation must not act as the staff member's own visit, which the next request is.
  if (view === null) {
    const staleView = await impersonationCookie(env).serialize("", { maxAge: 0 });
    return { ...nobody, staleView, unread: new DomainError("forbidden", msg("storeView.over")) };
  }
  const reads = request.method === "GET" || request.method === "HEAD";
  const unread = reads ? null : new DomainError("forbidden", msg("storeView.readOnly"));
  return { ...nobody, session: view.visitor, view, unread };
}

/** The impersonation that a request belongs to, if any: never in Desk, nor for a call that sends its own session. */
export async function impersonationOf(request: Request): Promise<Impersonation | null> {
  const token = await viewTokenOf(request);
  return token === null ? null : (await readViewer(request, token)).view;
}

async function viewTokenOf(request: Request): Promise<string | null> {
  if (isDeskPath(new URL(request.url).pathname)) return null;
  return readText(impersonationCookie(webContext().env), request);
}

async function readKnown(request: Request, givenToken: string | null): Promise<Visitor> {
  const context = webContext();
  const viewToken = givenToken === null ? await viewTokenOf(request) : null;
  if (viewToken !== null) return readViewer(request, viewToken);
  const token = givenToken ?? (await readText(sessionCookie(context.env), request));
  const draft = await readText(draftCookie(context.env), request);
  const session = token === null ? null : await readSession(context.db, context.env.SESSION_SECRETS, token);
  return {
    ...nobody,
    session,
    staleSession: token !== null && session === null ? await sessionGone(context) : null,
    draftKey: draft === null ? null : hashToken(draft),
    unread: null,
  };
}

function requestContextOf(
  request: Request,
  visitor: Visitor,
  language: LanguageId,
  load: AppLoadContext | null = null,
): RequestContext {
  const known = webContext();
  const context = visitor.view === null ? known : { ...known, db: known.readOnlyDb };
  const facts = requestMetadata();
  const { requestId, clientAddress } = facts;
  // An impersonation is not the customer's own visit; the audit log records it.
  if (visitor.session !== null && visitor.view === null) facts.userId = visitor.session.userId;
  const responseHeaders = new Headers();
  if (visitor.staleView !== null) responseHeaders.append("Set-Cookie", visitor.staleView);
  return {
    ...visitor,
    context,
    raw: request,
    url: withCleanQuery(new URL(request.url)),
    requestId,
    clientAddress,
    log: context.log.child({ requestId }),
    language,
    text: textIn(language),
    load,
    responseHeaders,
  };
}

/**
 * Requires an account.
 * @throws a redirect to the login, which returns here; an invalid token's cookie is cleared; or to where a second factor is set
 * up, when a company of the user's requires one
 */
export function requireSession(request: RequestContext): SessionUser {
  const session = requireOwnAccount(request);
  enforceRequiredFactor(request);
  return session;
}

/** requireSession for pages about the user's own account: users who still have to set up a second factor may open them. */
export function requireOwnAccount(request: RequestContext): SessionUser {
  if (request.session === null) throw toLogin(request);
  return request.session;
}

/** @throws a redirect to the second factor's setup, for a user who must have one and has none */
export function enforceRequiredFactor({ session, url, raw }: RequestContext): void {
  if (session?.isKeptOut !== true) return;
  // A form's own page, because a POST-only address cannot be opened with GET.
  const here = ownAddress(raw.method === "GET" ? url : { pathname: url.pathname, search: "" });
  throw redirect(paths.secondFactor(here), raw.method === "GET" ? 302 : 303);
}

/** Redirects to the login, which returns here. */
export function toLogin(request: RequestContext): Response {
  if (request.staleSession !== null) request.responseHeaders.append("Set-Cookie", request.staleSession);
  return redirect(paths.login(pageOfDownload(ownAddress(request.url))));
}

/** Signs this browser in by setting the session cookie, ends the session it had, and records which browser it is. */
export async function setSession(request: RequestContext, session: Session): Promise<void> {
  const { db, env } = request.context;
  const before = request.session?.sessionId ?? null;
  if (before !== null && before !== session.sessionId) await revokeSession(db, before);
  request.responseHeaders.append("Set-Cookie", await sessionCookie(env).serialize(session.token));
  await noteSession(request, session, await deviceAndLocationOf(request));
}

/** Records the device and location of a new session: for its owner's list, and in the log. */
export async function noteSession(
  request: RequestContext,
  { sessionId, userId }: Pick<Session, "sessionId" | "userId">,
  device: Parameters<typeof recordDevice>[2],
): Promise<void> {
  requestMetadata().userId = userId;
  const network = shortNetwork(request.clientAddress);
  request.log.info({ userId, network, path: request.url.pathname }, "session started");
  await recordDevice(request.context.db, sessionId, device);
}

/** Signs this browser out. Revoking the session itself is up to the domain. */
export async function clearSession(request: RequestContext): Promise<void> {
  request.responseHeaders.append("Set-Cookie", await sessionGone(request.context));
  clearSiteData(request);
}

/**
 * Makes the browser drop what it stored of this site. Cookies are expired by name instead: "cookies" would also clear those of a
 * reseller's other sites, and the key of a visitor's drafts.
 */
export function clearSiteData({ responseHeaders }: RequestContext): void {
  responseHeaders.set("Clear-Site-Data", '"cache", "storage"');
}

function sessionGone({ env }: Context): Promise<string> {
  return sessionCookie(env).serialize("", { maxAge: 0 });
}

/** Makes the browser load another page after a number of seconds, with or without scripts. */
export function refreshTo(request: RequestContext, afterSeconds: number, to: string): void {
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
