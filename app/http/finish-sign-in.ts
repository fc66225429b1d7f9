/**
 * Signs in a visitor who came by a link or from an identity provider: sets the session cookie, or leads to the page that asks for a code, and
 * tells them when their old password was removed.
 */
import { redirect } from "@remix-run/node";
import type { SignedIn } from "#server/accounts/identities.ts";
import * as paths from "#server/foundation/paths.ts";
import { pendingSignInCookie } from "./cookies.ts";
import { type RequestContext, redirectWith, setSession } from "./request-context.ts";

/**
 * @param to a path of this site
 * @param said the next page's message, if any
 */
export async function finishSignIn(
  request: RequestContext,
  { signIn, passwordRemoved }: SignedIn,
  to: string,
  said: string | null = null,
): Promise<Response> {
  const message = [said, passwordRemoved ? request.text("access.passwordRemoved") : null]
    .filter((sentence) => sentence !== null)
    .join(" ");
  if (signIn.outcome === "code-needed") return askForCode(request, signIn.key, to, message);
  await setSession(request, signIn.session);
  return goOn(request, to, message);
}

/**
 * Leads to the page that asks for a code, once a password or another proof was right.
 * @param key of the sign-in that waits
 * @param to a path of this site, where the sign-in leads in the end
 */
export async function askForCode(
  request: RequestContext,
  key: string,
  to: string,
  message = "",
): Promise<Response> {
  const { env } = request.context;
  request.responseHeaders.append("Set-Cookie", await pendingSignInCookie(env).serialize(key));
  return goOn(request, paths.loginCode(to === paths.home() ? undefined : to), message);
}

async function goOn(request: RequestContext, to: string, message: string): Promise<Response> {
  return message === "" ? redirect(to, 303) : redirectWith(request, to, { type: "success", message });
}
