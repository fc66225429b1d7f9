/**
 * Signs in a visitor who came by a link or from Outlook: sets the session cookie, and tells them when their old password was
 * removed.
 */
import { redirect } from "@remix-run/node";
import type { SignedIn } from "#server/accounts/identities.ts";
import { type RequestContext, redirectWith, setSession } from "./request-context.ts";

/**
 * @param to a path of this site
 * @param said the next page's message, if any
 */
export async function enter(
  request: RequestContext,
  { session, passwordRemoved }: SignedIn,
  to: string,
  said: string | null = null,
): Promise<Response> {
  await setSession(request, session);
  const message = [said, passwordRemoved ? request.text("access.passwordRemoved") : null]
    .filter((sentence) => sentence !== null)
    .join(" ");
  return message === "" ? redirect(to, 303) : redirectWith(request, to, { type: "success", message });
}
