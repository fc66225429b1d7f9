/** What the vendors do when a term is over: by the clock alone, whether or not anybody asks them for a subscription. */
import { advanceEntitlement } from "./google/entitlements.ts";
import { advanceSubscription } from "./partner-center/subscriptions.ts";
import type { Sandbox } from "./sandbox.ts";

/** @returns whether any term was turned, so that there is something to save */
export function advanceVendorTerms(sandbox: Sandbox): boolean {
  const { partner, google } = sandbox.state;
  const subscriptions = Object.values(partner.subscriptions).filter((each) =>
    advanceSubscription(sandbox, each),
  );
  const entitlements = Object.values(google.entitlements).filter((each) => advanceEntitlement(sandbox, each));
  return subscriptions.length + entitlements.length > 0;
}
