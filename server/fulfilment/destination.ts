/** The existing tenant that a paid order goes into: chosen with the order, or approved at sign-in. */

import { findAcceptedTenant } from "#db/fulfilment/partner-invitations.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db } from "#db/tables/index.ts";
import type { Destination } from "#server/catalogue/families/subscription-at-vendor.ts";
import { findTenantDestination } from "#server/orders/subscriptions/at-vendor.ts";

/** Finds the order's destination; null when the order creates the tenant, or its family has none. */
export async function destinationOf(db: Db, order: Order): Promise<Destination | null> {
  if (order.tenantId !== null) {
    const destination = await findTenantDestination(db, order.tenantId);
    if (destination === null) throw new RangeError("An order goes into a tenant that is not there");
    return destination;
  }
  if (order.signIn?.mode !== "existing") return null;
  const externalId = await findAcceptedTenant(db, order.id);
  if (externalId === null) throw new RangeError("An existing tenant is fulfilled after its approval only");
  return {
    externalId,
    domain: order.signIn.username.split("@")[1] ?? "",
    name: order.account?.companyName ?? "",
    country: order.country,
  };
}
