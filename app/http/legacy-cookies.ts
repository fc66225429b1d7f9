/**
 * Over https our cookies once had names without the `__Host-` prefix, and returning browsers still send those. Anyone who
 * controls a subdomain can plant such a cookie, so they are never trusted directly. A session is offered to the visitor by name,
 * to accept or decline, and a visitor's drafts move to a new key that nobody else can know. This happens once per browser.
 * Afterwards, and for everybody once the longest session has expired, unprefixed names are ignored.
 */
import { redirect } from "@remix-run/node";
import { readSession } from "#server/accounts/sessions.ts";
import * as paths from "#server/foundation/paths.ts";
import { newToken } from "#server/foundation/security/token.ts";
import { rekeyDrafts } from "#server/orders/draft.ts";
import {
  draftCookie,
  isPrefixed,
  legacyCookies,
  offeredSessionCookie,
  plainCookiesSeen,
  readText,
} from "./cookies.ts";
import type { RequestContext } from "./request-context.ts";
import { ownAddress } from "./return-path.ts";

/** 180 days after the release that introduced the prefix. */
const lastDay = new Date("2027-06-01T00:00:00Z");

/**
 * @throws a redirect to the same page, or to the page that asks about the session, when this browser sends only unprefixed
 *   names
 */
export async function adoptLegacyCookies(
  { context, raw: request, url }: RequestContext,
  now = new Date(),
): Promise<void> {
  const { db, env } = context;
  if (!isPrefixed(env) || request.method !== "GET" || now > lastDay) return;
  // Only we can set prefixed cookies, so a browser that sends one has already been handled.
  if (/(?:^|; ?)__Host-/.test(request.headers.get("cookie") ?? "")) return;
  const plain = legacyCookies(env);
  const [token, draft] = [await readText(plain.session, request), await readText(plain.draft, request)];
  if (token === null && draft === null) return;

  const headers = new Headers();
  headers.append("Set-Cookie", await plainCookiesSeen(env).serialize("1"));
  for (const cookie of Object.values(plain))
    headers.append("Set-Cookie", await cookie.serialize("", { maxAge: 0 }));
  if (draft !== null) {
    const key = newToken();
    await rekeyDrafts(db, draft, key);
    headers.append("Set-Cookie", await draftCookie(env).serialize(key));
  }
  const here = ownAddress(url);
  if (token === null || (await readSession(db, env.SESSION_SECRETS, token)) === null)
    throw redirect(here, { headers });
  headers.append("Set-Cookie", await offeredSessionCookie(env).serialize(token));
  throw redirect(paths.continueAs(here), { headers });
}
