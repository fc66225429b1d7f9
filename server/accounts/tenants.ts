/** The accounts at vendors that a company's subscriptions live in. */
import type { TenantId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { findTenant, type Tenant } from "#db/tenants.ts";

/** The tenant that an order or a subscription is in; null where it has none, or not yet. */
export async function findTenantOf(
  db: Db,
  { tenantId }: { tenantId: TenantId | null },
): Promise<Tenant | null> {
  return tenantId === null ? null : findTenant(db, tenantId);
}
