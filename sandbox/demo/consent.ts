/** Gives the consent of the sandbox's partners, through the same requests as a person's browser. */

import { beginConsent, completeConsent } from "#server/catalogue/partner-accounts/consent.ts";
import type { Context } from "#server/platform/context.ts";

/**
 * Consents for every partner account.
 * @param person id of one of the sandbox's people
 * @throws Error when the sandbox does not allow them to consent
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
