/** The tenant a paid order goes into when the buyer has one already: chosen with the order, or approved at sign-in. */
import type { SubscriptionId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import type { Db } from "#db/tables/index.ts";
import { findTenantRow } from "#db/tenants.ts";
import { acceptedTenant } from "./invitations.ts";

export interface Destination {
  /** The provider's own id of the tenant. */
  externalId: string;
  domain: string;
  name: string;
  /** For an add-on: the provider's own id of the subscription it belongs to. */
  baseSubscription: string | null;
}

/** Null for a tenant still to be made, and for a family that has none. */
export async function destinationOf(db: Db, order: Order): Promise<Destination | null> {
  const baseSubscription =
    order.parentSubscriptionId === null ? null : await externalIdOf(db, order.parentSubscriptionId);
  if (order.tenantId !== null) {
    const tenant = await findTenantRow(db, order.tenantId);
    if (tenant === null) throw new RangeError("An order goes into a tenant that is not there");
    const { external_id: externalId, domain, name } = tenant;
    return { externalId, domain, name, baseSubscription };
  }
  if (order.signIn?.mode !== "existing") return null;
  const externalId = await acceptedTenant(db, order.id);
  if (externalId === null) throw new RangeError("An existing tenant is fulfilled after its approval only");
  return {
    externalId,
    domain: order.signIn.username.split("@")[1] ?? "",
    name: order.account?.companyName ?? "",
    baseSubscription,
  };
}

/** The tenant of an order for a subscription that is there already. @throws RangeError without one: a fault of ours */
export async function requireTenant(db: Db, order: Order): Promise<Destination> {
  const destination = await destinationOf(db, order);
  if (destination === null) throw new RangeError("An order that changes a subscription goes into its tenant");
  return destination;
}

async function externalIdOf(db: Db, id: SubscriptionId): Promise<string> {
  const { external_id } = await db
    .selectFrom("subscriptions")
    .select("external_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return external_id;
}
