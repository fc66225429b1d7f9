/** Whose a tenant is that was found at the provider while it was in doubt whether our own try had made it. */
import type { Order } from "#db/order.ts";
import { findTenantOwner, isMakingTenant } from "#db/tenants.ts";
import type { Context } from "#server/context.ts";

/** A tenant in doubt is taken only when no one else of ours can have made it, or a buyer would be let into another's. */
export async function mayBeAnothers(
  { db }: Pick<Context, "db">,
  { id, family, customerId }: Order,
  found: { externalId: string; domain: string },
): Promise<boolean> {
  const owner = await findTenantOwner(db, family, found.externalId);
  if (owner !== null && owner !== customerId) return true;
  return isMakingTenant(db, { family, domain: found.domain, except: id });
}
