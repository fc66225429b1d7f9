/** Queries on tenants: the accounts at a provider that a company's subscriptions live in. */
import type { CustomerId, ItemId, SubscriptionId, TenantId } from "./ids.ts";
import type { Family } from "./tables/enums.ts";
import type { TenantRow } from "./tables/fulfilment.ts";
import type { Db } from "./tables/index.ts";

/** A customer's account at a vendor. */
export interface Tenant {
  id: TenantId;
  customerId: CustomerId;
  family: Family;
  /** The vendor's own id: the Microsoft tenant GUID, the Cloud Channel customer name. */
  externalId: string;
  domain: string;
  name: string;
}

export async function findTenant(db: Db, id: TenantId): Promise<Tenant | null> {
  const row = await findTenantRow(db, id);
  if (row === null) return null;
  const { customer_id: customerId, family, external_id: externalId, domain, name } = row;
  return { id, customerId, family, externalId, domain, name };
}

export async function findTenantRow(db: Db, id: TenantId): Promise<TenantRow | null> {
  const row = await db.selectFrom("tenants").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

/** A company's tenants of a family, by domain. */
export async function listTenantRows(db: Db, customerId: CustomerId, family: Family): Promise<TenantRow[]> {
  return db
    .selectFrom("tenants")
    .selectAll()
    .where("customer_id", "=", customerId)
    .where("family", "=", family)
    .orderBy("domain")
    .orderBy("id")
    .execute();
}

/** True when the item runs in this tenant, or is paid to. */
export async function isHeldIn(db: Db, tenantId: TenantId, itemId: ItemId): Promise<boolean> {
  const subscription = await db
    .selectFrom("subscriptions")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("item_id", "=", itemId)
    .where("status", "=", "active")
    .limit(1)
    .executeTakeFirst();
  if (subscription !== undefined) return true;
  const order = await db
    .selectFrom("orders")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("item_id", "=", itemId)
    .where("stage", "=", "stage3")
    .limit(1)
    .executeTakeFirst();
  return order !== undefined;
}

export interface PlacedSubscription {
  id: SubscriptionId;
  itemId: ItemId;
  /** Of the plan. */
  name: string;
  domain: string;
  /** The vendor's id of the tenant it is in; null for what has none. */
  tenantExternalId: string | null;
}

/** A company's active subscriptions with the account each is in, by domain. */
export async function listPlaced(db: Db, customerId: CustomerId, limit = 500): Promise<PlacedSubscription[]> {
  return db
    .selectFrom("subscriptions")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .leftJoin("tenants", "tenants.id", "subscriptions.tenant_id")
    .select([
      "subscriptions.id",
      "subscriptions.item_id as itemId",
      "catalogue_items.name",
      "subscriptions.domain",
      "tenants.external_id as tenantExternalId",
    ])
    .where("subscriptions.customer_id", "=", customerId)
    .where("subscriptions.status", "=", "active")
    .orderBy("subscriptions.domain")
    .orderBy("subscriptions.id")
    .limit(limit)
    .execute();
}
