/**
 * Arrivals with a session token in the address, `/?jwt-token=`: the token becomes this browser's session and is removed from
 * the address. A link's sender can put their own token in it, so that the visitor unknowingly shops in the sender's account
 * (session fixation). So the visitor is asked first, unless nobody is signed in and the browser confirms that the link was on
 * a page of ours.
 */
import { redirect } from "@remix-run/node";
import { ownAddress, tokenInAddress } from "#app/http/return-path.ts";
import { exchangeToken, readSession, type SessionUser } from "#server/accounts/sessions.ts";
import * as paths from "#server/foundation/paths.ts";
import { offeredSessionCookie, readText } from "./cookies.ts";
import { type RequestContext, setSession } from "./request-context.ts";

/** @throws a redirect to the same page without the token, or to the confirmation page, when the address has one */
export async function adoptTokenFromUrl(request: RequestContext): Promise<void> {
  const token = request.url.searchParams.get(tokenInAddress);
  if (token === null) return;
  const here = new URL(request.url);
  here.searchParams.delete(tokenInAddress);
  // "//" is served like "/", but as a redirect target it would name another host.
  const isHome = /^\/+$/.test(here.pathname);
  const next = ownAddress({ pathname: isHome ? paths.home() : here.pathname, search: here.search });
  if (!isHome) throw redirect(next);

  const holder = await readHolder(request, token);
  if (holder === null || holder.userId === request.session?.userId) throw redirect(next);
  if (request.session === null && request.raw.headers.get("sec-fetch-site") === "same-origin") {
    await signInWith(request, token);
    throw redirect(next);
  }
  request.responseHeaders.append(
    "Set-Cookie",
    await offeredSessionCookie(request.context.env).serialize(token),
  );
  throw redirect(paths.continueAs(next));
}

/** The user whose session a link offered to this browser. */
export async function readOfferedSession(request: RequestContext): Promise<SessionUser | null> {
  const token = await readText(offeredSessionCookie(request.context.env), request.raw);
  return token === null ? null : readHolder(request, token);
}

/** The visitor accepted. Nothing happens when the offer has expired. */
export async function acceptOfferedSession(request: RequestContext): Promise<void> {
  const { env } = request.context;
  const token = await readText(offeredSessionCookie(env), request.raw);
  if (token !== null) await signInWith(request, token);
  request.responseHeaders.append("Set-Cookie", await offeredSessionCookie(env).serialize("", { maxAge: 0 }));
}

function readHolder({ context }: RequestContext, token: string): Promise<SessionUser | null> {
  return readSession(context.db, context.env.SESSION_SECRETS, token);
}

/** Starts a new session, because the token in the address is known to browser histories and to the link's sender. */
async function signInWith(request: RequestContext, token: string): Promise<void> {
  const { db, env } = request.context;
  const session = await exchangeToken(db, env.SESSION_SECRETS, token);
  if (session !== null) await setSession(request, session);
}
