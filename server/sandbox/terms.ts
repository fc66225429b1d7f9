/** What the vendors do when a term is over: by the clock alone, whether or not anybody asks them for a subscription. */
import { turnEntitlement } from "./google/entitlements.ts";
import { turnSubscription } from "./partner-center/subscriptions.ts";
import type { Sandbox } from "./sandbox.ts";

/** @returns whether any term was turned, so that there is something to save */
export function turnTerms(sandbox: Sandbox): boolean {
  const { partner, google } = sandbox.state;
  const subscriptions = Object.values(partner.subscriptions).filter((each) =>
    turnSubscription(sandbox, each),
  );
  const entitlements = Object.values(google.entitlements).filter((each) => turnEntitlement(sandbox, each));
  return subscriptions.length + entitlements.length > 0;
}
