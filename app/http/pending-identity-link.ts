/**
 * A person who signed in at an identity provider for a signed-in user, until the user confirms the connection. Kept in a signed
 * cookie, valid only for the session that began it.
 */
import { z } from "zod";
import type { IdentityPerson } from "#server/integrations/identity-providers/client.ts";
import { isIdentityProvider } from "#server/integrations/identity-providers/registry.ts";
import { pendingIdentityLinkCookie, pendingIdentityLinkSeconds } from "./cookies.ts";
import type { RequestContext } from "./request-context.ts";

const offerSchema = z.object({
  provider: z.string().refine(isIdentityProvider),
  issuer: z.string(),
  subject: z.string(),
  email: z.string().nullable(),
  emailIsVerified: z.boolean(),
  firstName: z.string(),
  lastName: z.string(),
  sessionId: z.string(),
  /** The server checks the age itself, because only the browser enforces a cookie's Max-Age. */
  until: z.number(),
});

/** @param sessionId the session that began the connection */
export async function savePendingLink(
  request: RequestContext,
  person: IdentityPerson,
  sessionId: string,
): Promise<void> {
  const until = Date.now() + pendingIdentityLinkSeconds * 1_000;
  const kept: z.input<typeof offerSchema> = { ...person, sessionId, until };
  const cookie = pendingIdentityLinkCookie(request.context.env);
  request.responseHeaders.append("Set-Cookie", await cookie.serialize(kept));
}

/** Null when there is none, or it has expired, or belongs to another session. */
export async function readPendingLink(request: RequestContext): Promise<IdentityPerson | null> {
  const cookie = pendingIdentityLinkCookie(request.context.env);
  const kept = offerSchema.safeParse(await cookie.parse(request.raw.headers.get("cookie")));
  if (!kept.success || kept.data.until < Date.now()) return null;
  const { sessionId, until: _, ...person } = kept.data;
  return sessionId === request.session?.sessionId ? person : null;
}

export async function clearPendingLink(request: RequestContext): Promise<void> {
  const cookie = pendingIdentityLinkCookie(request.context.env);
  request.responseHeaders.append("Set-Cookie", await cookie.serialize("", { maxAge: 0 }));
}
