/**
 * Google's terms of service, which a new customer has to accept itself. Until then Google suspends the subscription, and its term
 * still runs (docs/providers.md, section 2.3).
 */
import type { Order } from "#db/orders/order.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import type { GoogleEntitlement } from "#server/integrations/google.ts";
import type { Context } from "#server/platform/context.ts";

/**
 * Whether more licences and a renewal are sold before the terms are accepted. Google does not document that it refuses them, and
 * it charges in the meantime; a refused one needs a person, with the money (docs/decisions/tenants.md#google-terms).
 */
export const changesBeforeTerms: boolean = true;

const acceptTerms = msg("orders.acceptTerms", { family: "Google", place: "admin.google.com" });
const verifyDomain = msg("orders.verifyDomain", { family: "Google" });

/** Lists the remaining steps. A domain that moves to us is verified already; one that is with us has accepted the terms. */
export function remainingSteps({ kind, details }: Order): MessageDescriptor[] {
  const type = details.google?.customerType;
  if (kind !== "NEW" || type === undefined || type === "existing_customer") return [];
  return type === "new_signup" ? [acceptTerms, verifyDomain] : [acceptTerms];
}

export function waitsForTerms({ state, suspensionReasons }: GoogleEntitlement): boolean {
  return state === "SUSPENDED" && suspensionReasons.includes("PENDING_TOS_ACCEPTANCE");
}

/** @throws ProviderError */
export async function requestTermsAcceptance({ google }: Context, externalId: string): Promise<boolean> {
  return waitsForTerms(await google.getEntitlement(externalId));
}
