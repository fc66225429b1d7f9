/**
 * Signs in a visitor who arrives by a link or from an identity provider: sets the session cookie, or redirects to the page that
 * asks for a code, and shows a notice when their old password was removed.
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
 * Redirects to the page that asks for a code, after a correct password or another proof.
 * @param key of the pending sign-in
 * @param to a path of this site, where the sign-in ends
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
