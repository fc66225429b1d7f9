/** Simulates the end of terms at the vendors: it depends only on the clock, not on whether anybody reads a subscription. */
import { advanceEntitlement } from "./google/entitlements.ts";
import { advanceSubscription } from "./partner-center/subscriptions.ts";
import type { Sandbox } from "./sandbox.ts";

/** @returns whether any term ended, so that there is something to save */
export function advanceVendorTerms(sandbox: Sandbox): boolean {
  const { partner, google } = sandbox.state;
  const subscriptions = Object.values(partner.subscriptions).filter((each) =>
    advanceSubscription(sandbox, each),
  );
  const entitlements = Object.values(google.entitlements).filter((each) => advanceEntitlement(sandbox, each));
  return subscriptions.length + entitlements.length > 0;
}
