/** Lets in whoever a link, or Outlook, has signed in: the session's cookie, and a word when their old password is gone. */
import { redirect } from "@remix-run/node";
import type { SignedIn } from "#server/accounts/identities.ts";
import { type RequestContext, redirectWith, setSession } from "./request-context.ts";

/**
 * @param to a path of ours
 * @param said what the next page says, if anything
 */
export async function enter(
  request: RequestContext,
  { session, passwordRemoved }: SignedIn,
  to: string,
  said: string | null = null,
): Promise<Response> {
  await setSession(request, session);
  const message = [
    said,
    passwordRemoved
      ? "The password of this account was set before its email was confirmed, so it no longer works."
      : null,
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
  return message === "" ? redirect(to, 303) : redirectWith(request, to, { type: "success", message });
}
