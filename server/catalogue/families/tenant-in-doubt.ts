/** Decides who owns a tenant that was found at the provider while its creation by us was in doubt. */

import { findTenantOwner, isMakingTenant } from "#db/accounts/tenants.ts";
import type { Order } from "#db/orders/order.ts";
import type { Context } from "#server/platform/context.ts";

/**
 * Whether another order may have created the tenant. Only if not is a tenant in doubt ours; otherwise a buyer would get into
 * another customer's tenant.
 */
export async function mayBelongToAnotherOrder(
  { db }: Pick<Context, "db">,
  { id, family, customerId }: Order,
  found: { externalId: string; domain: string },
): Promise<boolean> {
  const owner = await findTenantOwner(db, family, found.externalId);
  if (owner !== null && owner !== customerId) return true;
  return isMakingTenant(db, { family, domain: found.domain, except: id });
}
