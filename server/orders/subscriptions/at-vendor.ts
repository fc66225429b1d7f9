/** A subscription with its tenant at the vendor. */

import { findTenant } from "#db/accounts/tenants.ts";
import type { TenantId } from "#db/ids.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { Db } from "#db/tables/index.ts";
import type { Destination, SubscriptionAtVendor } from "#server/catalogue/families/subscription-at-vendor.ts";

/** Reads a subscription's tenant, for the calls to its vendor. */
export async function readSubscriptionAtVendor(
  db: Db,
  subscription: Subscription,
): Promise<SubscriptionAtVendor> {
  const { tenantId } = subscription;
  return { subscription, destination: tenantId === null ? null : await findTenantDestination(db, tenantId) };
}

/** Finds a tenant as a destination; null when there is no such tenant. */
export async function findTenantDestination(db: Db, tenantId: TenantId): Promise<Destination | null> {
  const tenant = await findTenant(db, tenantId);
  if (tenant === null) return null;
  const { externalId, domain, name, country } = tenant;
  return { externalId, domain, name, country };
}
