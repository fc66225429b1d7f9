/** The consent of the sandbox's partners, by the same way as a person's in a browser. */

import { beginConsent, completeConsent } from "#server/catalogue/partner-accounts/consent.ts";
import type { Context } from "#server/platform/context.ts";

/**
 * Consents for every account.
 * @param person who of the sandbox's people
 * @throws Error when the sandbox does not let them
 */
export async function consentInSandbox(context: Context, person = "agent"): Promise<void> {
  const redirectUri = context.env.PARTNER_CONSENT_URL;
  for (const country of context.env.partnerAccounts.keys()) {
    const { url, flow } = await beginConsent(context, country, redirectUri);
    const accepted = await fetch(url, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ person, action: "sign-in" }),
      signal: AbortSignal.timeout(10_000),
    });
    const back = accepted.headers.get("location");
    if (back === null) throw new Error(`The sandbox did not take the consent: ${accepted.status}`);
    const answer = new URL(back).searchParams;
    await completeConsent(context, country, { redirectUri, answer, flow });
  }
}
