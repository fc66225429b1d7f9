/**
 * The cookies we set: the session, one that is offered, the visitor's draft key, what a sign-in with Outlook keeps on its way,
 * and a message that survives one redirect. All HttpOnly and Lax.
 */
import { type Cookie, createCookie } from "@remix-run/node";
import { z } from "zod";
import { proofSeconds } from "#server/accounts/identity-proofs.ts";
import { sessionMaxSeconds } from "#server/accounts/sessions.ts";
import type { Env } from "#server/env.ts";

export interface Notification {
  type: "error" | "success";
  message: string;
}

const day = 86_400;

/** Holds the session token (DESIGN ruling 1): a JWT, so it needs no second signature. */
export const sessionCookie = (env: Env): Cookie => cookie(env, "session", sessionMaxSeconds);
/** Holds the random key under which a visitor's drafts are kept (DESIGN ruling 3). */
export const draftCookie = (env: Env): Cookie => cookie(env, "draft", 30 * day, [env.SESSION_SECRET]);
/** Holds a session token that came by a link from elsewhere, until its person says yes to it (DESIGN ruling 2). */
export const offeredCookie = (env: Env): Cookie => cookie(env, "offered", 600);
/** Between leaving for Outlook and coming back. */
export const outlookCookie = (env: Env): Cookie => cookie(env, "outlook", 10 * 60, [env.SESSION_SECRET]);
/** Holds the key of an Outlook sign-in that needs a proof first. */
export const outlookProofCookie = (env: Env): Cookie =>
  cookie(env, "outlook-proof", proofSeconds, [env.SESSION_SECRET]);
export const flashCookie = (env: Env): Cookie => cookie(env, "flash", 60, [env.SESSION_SECRET]);

const flashSchema = z.object({ type: z.enum(["error", "success"]), message: z.string() });

export async function readText(cookieJar: Cookie, request: Request): Promise<string | null> {
  const value: unknown = await cookieJar.parse(request.headers.get("cookie"));
  return typeof value === "string" && value.length > 0 ? value : null;
}

export async function readFlash(env: Env, request: Request): Promise<Notification | null> {
  const parsed = flashSchema.safeParse(await flashCookie(env).parse(request.headers.get("cookie")));
  return parsed.success ? parsed.data : null;
}

function cookie(env: Env, name: string, maxAge: number, secrets: string[] = []): Cookie {
  return createCookie(name, {
    httpOnly: true,
    sameSite: "lax",
    secure: env.PUBLIC_URL.startsWith("https:"),
    path: "/",
    maxAge,
    secrets,
  });
}
