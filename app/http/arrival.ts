/**
 * Arriving with a session token in the address, `/?jwt-token=`: it becomes this browser's session and leaves the address. Whoever
 * sends a link can put their own token in it, so that the visitor unknowingly shops in the sender's account. So a visitor is asked
 * first, unless nobody is signed in and the browser says that the link stood on a page of ours.
 */
import { redirect } from "@remix-run/node";
import { exchangeToken, readSession, type SessionUser } from "#server/accounts/sessions.ts";
import { paths, tokenInAddress } from "../paths.ts";
import { offeredCookie, readText } from "./cookies.ts";
import { type Page, setSession } from "./page.ts";

/** @throws a redirect to the same page without the token, or to the question, when the address has one */
export async function takeTokenFromAddress(page: Page): Promise<void> {
  const token = page.url.searchParams.get(tokenInAddress);
  if (token === null) return;
  const here = new URL(page.url);
  here.searchParams.delete(tokenInAddress);
  // "//" is served as "/" is, and as a redirect it would name another host.
  const isHome = /^\/+$/.test(here.pathname);
  const next = `${isHome ? paths.home() : here.pathname}${here.search}`;
  if (!isHome) throw redirect(next);

  const holder = await readHolder(page, token);
  if (holder === null || holder.userId === page.session?.userId) throw redirect(next);
  if (page.session === null && page.request.headers.get("sec-fetch-site") === "same-origin") {
    await signInWith(page, token);
    throw redirect(next);
  }
  page.headers.append("Set-Cookie", await offeredCookie(page.context.env).serialize(token));
  throw redirect(paths.continueAs(next));
}

/** Whose session was offered to this browser by a link. */
export async function readOffer(page: Page): Promise<SessionUser | null> {
  const token = await readText(offeredCookie(page.context.env), page.request);
  return token === null ? null : readHolder(page, token);
}

/** The visitor said yes. Nothing happens when the offer is over. */
export async function acceptOffer(page: Page): Promise<void> {
  const { env } = page.context;
  const token = await readText(offeredCookie(env), page.request);
  if (token !== null) await signInWith(page, token);
  page.headers.append("Set-Cookie", await offeredCookie(env).serialize("", { maxAge: 0 }));
}

function readHolder({ context }: Page, token: string): Promise<SessionUser | null> {
  return readSession(context.db, context.env.SESSION_SECRETS, token);
}

/** With a session of its own: the one in the address has been seen by histories and by whoever sent the link. */
async function signInWith(page: Page, token: string): Promise<void> {
  const { db, env } = page.context;
  const session = await exchangeToken(db, env.SESSION_SECRETS, token, page.session?.sessionId ?? null);
  if (session !== null) await setSession(page, session);
}
