/** Ends a subscription with its term at Microsoft, so that it is neither renewed nor extended (docs/decisions/renewal.md#end-of-term). */
import { randomUUID } from "node:crypto";
import { ProviderError } from "#server/integrations/errors.ts";
import { endsWithTerm } from "#server/integrations/partner-center/subscriptions.ts";
import type { Context } from "#server/platform/context.ts";
import { requireTenant } from "../require-tenant.ts";
import type { SubscriptionAtVendor } from "../subscription-at-vendor.ts";
import type { VendorSubscription } from "../vendor-subscription.ts";
import { toVendorSubscription } from "./subscriptions.ts";

/**
 * Does nothing if it will end already. Reads back what Microsoft has stored, since it drops a field in an unexpected spelling
 * without an error.
 * @throws ProviderError; transient while Microsoft does not show the change
 */
export async function endWithTerm(context: Context, held: SubscriptionAtVendor): Promise<VendorSubscription> {
  const { externalId: tenant, country } = requireTenant(held);
  const partnerCenter = context.partnerCenterOf(country);
  const { externalId } = held.subscription;
  const resource = await partnerCenter.getSubscription(tenant, externalId);
  if (endsWithTerm(resource)) return toVendorSubscription(resource);
  const changes = { endOfTerm: { is: "cancelled" } } as const;
  await partnerCenter.updateSubscription(tenant, resource, changes, randomUUID());
  const stored = await partnerCenter.getSubscription(tenant, externalId);
  if (endsWithTerm(stored)) return toVendorSubscription(stored);
  throw new ProviderError("microsoft", "transient", "PATCH subscription", { code: "not_ending" });
}
