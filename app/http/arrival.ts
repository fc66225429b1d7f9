/**
 * Arriving with a session token in the address, `/?jwt-token=` (DESIGN ruling 2): it becomes this browser's session and leaves
 * the address. A link from another site could carry its sender's token, so that the visitor unknowingly shops in the
 * sender's account: such a visitor is asked first.
 */
import { redirect } from "@remix-run/node";
import { exchangeToken, readSession, type SessionUser } from "#server/accounts/sessions.ts";
import { paths } from "../paths.ts";
import { offeredCookie, readText } from "./cookies.ts";
import { type Page, setSession } from "./page.ts";

const parameter = "jwt-token";

/** @throws a redirect to the same page without the token, or to the question, when the address has one */
export async function takeTokenFromAddress(page: Page): Promise<void> {
  const token = page.url.searchParams.get(parameter);
  if (token === null) return;
  const here = new URL(page.url);
  here.searchParams.delete(parameter);
  const next = `${here.pathname}${here.search}`;

  const holder = await readHolder(page, token);
  if (holder === null || holder.userId === page.session?.userId) throw redirect(next);
  if (page.request.headers.get("sec-fetch-site") !== "cross-site") {
    await signInWith(page, token);
    throw redirect(next);
  }
  page.headers.append("Set-Cookie", await offeredCookie(page.context.env).serialize(token));
  throw redirect(paths.continueAs(next));
}

/** Whose session was offered to this browser by a link from another site. */
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
  return readSession(context.db, context.env.SESSION_SECRET, token);
}

/** With a session of its own: the one in the address has been seen by histories and by whoever sent the link. */
async function signInWith(page: Page, token: string): Promise<void> {
  const { db, env } = page.context;
  const session = await exchangeToken(db, env.SESSION_SECRET, token, page.session?.sessionId ?? null);
  if (session !== null) await setSession(page, session);
}
