/**
 * The cookies we set: the session, the Desk session, an impersonation, an offered session, the visitor's draft key, the state of
 * a sign-in at an identity provider or of an administrator, a sign-in that waits for a code, the browser's own key, the chosen
 * language and country, the link by which somebody pays for another, and a flash message that survives one redirect. All are
 * HttpOnly and SameSite=Lax.
 */
import { type Cookie, createCookie } from "@remix-run/node";
import { z } from "zod";
import type { IdentityProviderId } from "#db/tables/enums.ts";
import { pendingSignInSeconds } from "#server/accounts/complete-sign-in.ts";
import { deviceDays } from "#server/accounts/devices.ts";
import { proofSeconds } from "#server/accounts/identity-proofs.ts";
import { sessionMaxSeconds } from "#server/accounts/sessions.ts";
import { impersonationMaxSeconds } from "#server/desk/impersonation.ts";
import { staffSessionMaxSeconds } from "#server/desk/sessions.ts";
import type { Env } from "#server/platform/env.ts";

export interface Notification {
  type: "error" | "success";
  message: string;
}

const day = 86_400;

/** Holds the session token, a JWT, which needs no second signature. */
export const sessionCookie = (env: Env): Cookie => cookie(env, "session", sessionMaxSeconds);
/** Holds the random token of a Desk session, which is read only under /desk. */
export const staffSessionCookie = (env: Env): Cookie => cookie(env, "desk", staffSessionMaxSeconds);
/** Holds the random token of an impersonation, which is read everywhere except under /desk. */
export const impersonationCookie = (env: Env): Cookie => cookie(env, "view", impersonationMaxSeconds);
/** Holds the random key of a visitor's drafts. */
export const draftCookie = (env: Env): Cookie => cookie(env, "draft", 30 * day, env.SESSION_SECRETS);
/** Holds a session token that came in a link from another site, until the visitor accepts it. */
export const offeredSessionCookie = (env: Env): Cookie => cookie(env, "offered", 600);
/** Set between leaving for an identity provider and coming back. */
export const identityFlowCookie = (env: Env, provider: IdentityProviderId): Cookie =>
  cookie(env, provider, 10 * 60, env.SESSION_SECRETS);
/** Set between leaving for an administrator's sign-in at Microsoft and coming back. */
export const administratorCookie = (env: Env): Cookie =>
  cookie(env, "administrator", 10 * 60, env.SESSION_SECRETS);
/** Holds the key of a sign-in at an identity provider that still needs a proof. */
export const identityProofCookie = (env: Env, provider: IdentityProviderId): Cookie =>
  cookie(env, `${provider}-proof`, proofSeconds, env.SESSION_SECRETS);
/** Holds a person who signed in at an identity provider, until the user confirms the connection. */
export const pendingIdentityLinkSeconds = 10 * 60;
export const pendingIdentityLinkCookie = (env: Env): Cookie =>
  cookie(env, "connect", pendingIdentityLinkSeconds, env.SESSION_SECRETS);
/** Holds the key of a sign-in that waits for a code. */
export const pendingSignInCookie = (env: Env): Cookie =>
  cookie(env, "sign-in", pendingSignInSeconds, env.SESSION_SECRETS);
/** Holds the random key by which we recognise a browser that somebody has signed in with. */
export const deviceCookie = (env: Env): Cookie =>
  cookie(env, "device", deviceDays * day, env.SESSION_SECRETS);
/** Marks that this browser's cookies with unprefixed names have been handled, which happens once. */
export const plainCookiesSeen = (env: Env): Cookie => cookie(env, "plain-seen", sessionMaxSeconds);
/** Holds the language that the visitor chose. */
export const languageCookie = (env: Env): Cookie => cookie(env, "language", 365 * day);
/** Holds the country whose prices the visitor chose. */
export const countryCookie = (env: Env): Cookie => cookie(env, "country", 365 * day);
/** Holds the token of a payer's link, so that the checkout can lead back to it. */
export const payerCookie = (env: Env): Cookie => cookie(env, "payer", 30 * 60, env.SESSION_SECRETS);
export const flashCookie = (env: Env): Cookie => cookie(env, "flash", 60, env.SESSION_SECRETS);

const flashSchema = z.object({ type: z.enum(["error", "success"]), message: z.string() });

export async function readText(cookieJar: Cookie, request: Request): Promise<string | null> {
  const value = await readSent(cookieJar, request);
  return typeof value === "string" && value.length > 0 ? value : null;
}

export async function readFlash(env: Env, request: Request): Promise<Notification | null> {
  const parsed = flashSchema.safeParse(await readSent(flashCookie(env), request));
  return parsed.success ? parsed.data : null;
}

/** Reads a cookie only if the header contains its name: a page looks for half a dozen, and most are absent. */
async function readSent(cookieJar: Cookie, request: Request): Promise<unknown> {
  const header = request.headers.get("cookie");
  return header?.includes(`${cookieJar.name}=`) ? cookieJar.parse(header) : null;
}

/**
 * Over https, only this very host can set a `__Host-` cookie, so neither a subdomain nor an attacker on an unencrypted
 * connection can plant a session or a draft here. Over http, browsers refuse the prefix.
 */
export const isPrefixed = (env: Env): boolean => env.PUBLIC_URL.startsWith("https:");

const cookies = new WeakMap<Env, Map<string, Cookie>>();

/** Creates each cookie once, because a page reads half a dozen. */
function cookie(env: Env, name: string, maxAge: number, secrets: readonly string[] = []): Cookie {
  const ofEnv = cookies.get(env) ?? new Map<string, Cookie>();
  cookies.set(env, ofEnv);
  const known = ofEnv.get(name);
  if (known !== undefined) return known;
  const made = createCookie(isPrefixed(env) ? `__Host-${name}` : name, {
    ...attributes(env),
    maxAge,
    secrets: [...secrets],
  });
  ofEnv.set(name, made);
  return made;
}

/** Former unprefixed names of the session and draft cookies over https (legacy-cookies.ts). */
export function legacyCookies(env: Env): { session: Cookie; draft: Cookie } {
  return {
    session: createCookie("session", attributes(env)),
    draft: createCookie("draft", { ...attributes(env), secrets: [...env.SESSION_SECRETS] }),
  };
}

function attributes(env: Env) {
  return { httpOnly: true, sameSite: "lax", secure: isPrefixed(env), path: "/" } as const;
}
