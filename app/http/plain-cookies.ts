/**
 * Over https our cookies had plain names before they had the `__Host-` prefix, and a browser that was here then brings those. Anybody
 * who holds a subdomain can plant such a cookie, so they are never believed as they are: a session is offered to its visitor by
 * name, who says yes or no, and a guest's drafts move to a new key that nobody else can know. Once a browser: after that, and from
 * the end of the longest session on for everybody, plain names mean nothing.
 */
import { redirect } from "@remix-run/node";
import { readSession } from "#server/accounts/sessions.ts";
import { moveDrafts } from "#server/orders/draft.ts";
import * as paths from "#server/paths.ts";
import { newToken } from "#server/security/token.ts";
import {
  draftCookie,
  isPrefixed,
  offeredCookie,
  plainCookies,
  plainCookiesSeen,
  readText,
} from "./cookies.ts";
import type { RequestContext } from "./request-context.ts";

/** 180 days after the version that brought the prefix. */
const lastDay = new Date("2027-06-01T00:00:00Z");

/** @throws a redirect to the same page, or to the question whose session it is, when this browser brings plain names and nothing else */
export async function adoptPlainCookies(
  { context, raw: request, url }: RequestContext,
  now = new Date(),
): Promise<void> {
  const { db, env } = context;
  if (!isPrefixed(env) || request.method !== "GET" || now > lastDay) return;
  // Nobody but us sets one with the prefix: who has any has been seen since.
  if (/(?:^|; ?)__Host-/.test(request.headers.get("cookie") ?? "")) return;
  const plain = plainCookies(env);
  const [token, draft] = [await readText(plain.session, request), await readText(plain.draft, request)];
  if (token === null && draft === null) return;

  const headers = new Headers();
  headers.append("Set-Cookie", await plainCookiesSeen(env).serialize("1"));
  for (const cookie of Object.values(plain))
    headers.append("Set-Cookie", await cookie.serialize("", { maxAge: 0 }));
  if (draft !== null) {
    const key = newToken();
    await moveDrafts(db, draft, key);
    headers.append("Set-Cookie", await draftCookie(env).serialize(key));
  }
  const here = `${url.pathname}${url.search}`;
  if (token === null || (await readSession(db, env.SESSION_SECRETS, token)) === null)
    throw redirect(here, { headers });
  headers.append("Set-Cookie", await offeredCookie(env).serialize(token));
  throw redirect(paths.continueAs(here), { headers });
}
