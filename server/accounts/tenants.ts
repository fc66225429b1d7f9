/** Finds the tenants that contain a company's subscriptions. */

import { findTenant, type Tenant } from "#db/accounts/tenants.ts";
import type { TenantId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";

/** Returns the tenant of an order or a subscription; null when it has none, or none yet. */
export async function findTenantOf(
  db: Db,
  { tenantId }: { tenantId: TenantId | null },
): Promise<Tenant | null> {
  return tenantId === null ? null : findTenant(db, tenantId);
}
