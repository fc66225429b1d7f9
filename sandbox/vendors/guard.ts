/**
 * Why this process must not run: it simulates providers, and with real credentials or addresses it would be mistaken for them.
 */

import { isLoopback } from "#server/foundation/security/network.ts";
import { identityProviderIds, identityProviders } from "#server/integrations/identity-providers/registry.ts";

/** @returns the reason to refuse, or undefined when the sandbox may run */
export function reasonToRefuse(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env.NODE_ENV !== "production") return undefined;
  const [live] =
    Object.entries(env).find(
      ([name, value]) => name.startsWith("RAZORPAY_KEY_ID") && value?.startsWith("rzp_live_"),
    ) ?? [];
  if (live !== undefined) return `${live} is a live key`;
  for (const name of [
    "PARTNER_CENTER_URL",
    "PARTNER_PRICES_URL",
    "RAZORPAY_API_URL",
    "GOOGLE_CHANNEL_URL",
    "GOOGLE_DIRECTORY_URL",
    ...identityProviderIds.map((id) => identityProviders[id].settings.issuer),
    ...Object.keys(env).filter((name) => name.startsWith("EINVOICE_URL_")),
  ]) {
    const url = env[name];
    if (url !== undefined && url !== "" && !isLoopback(url)) return `${name} points at another machine`;
  }
  return undefined;
}
