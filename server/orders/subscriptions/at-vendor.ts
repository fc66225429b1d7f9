/** Where a subscription lives at its vendor. */

import { findTenant } from "#db/accounts/tenants.ts";
import type { TenantId } from "#db/ids.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { Db } from "#db/tables/index.ts";
import type { Destination, SubscriptionAtVendor } from "#server/catalogue/families/subscription-at-vendor.ts";

/** A subscription and its tenant, as a family is asked about it. */
export async function readSubscriptionAtVendor(
  db: Db,
  subscription: Subscription,
): Promise<SubscriptionAtVendor> {
  const { tenantId } = subscription;
  return { subscription, destination: tenantId === null ? null : await findTenantDestination(db, tenantId) };
}

/** Null when there is no such tenant. */
export async function findTenantDestination(db: Db, tenantId: TenantId): Promise<Destination | null> {
  const tenant = await findTenant(db, tenantId);
  if (tenant === null) return null;
  const { externalId, domain, name, country } = tenant;
  return { externalId, domain, name, country };
}
