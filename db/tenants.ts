/** Queries on tenants: the accounts at a provider that a company's subscriptions live in. */
import type { CustomerId, ItemId, SubscriptionId, TenantId } from "./ids.ts";
import type { FamilyId } from "./tables/enums.ts";
import type { TenantRow } from "./tables/fulfilment.ts";
import type { Db } from "./tables/index.ts";

export async function findTenantRow(db: Db, id: TenantId): Promise<TenantRow | null> {
  const row = await db.selectFrom("tenants").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

/** A company's tenants of a family, by domain. */
export async function listTenantRows(db: Db, customerId: CustomerId, family: FamilyId): Promise<TenantRow[]> {
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

export interface PlacedSubscriptionRow {
  id: SubscriptionId;
  item_id: ItemId;
  item_name: string;
  domain: string;
  /** The provider's id of the account it is in; null for what has none. */
  tenant_external_id: string | null;
}

/** A company's active subscriptions with the account each is in, by domain. */
export async function listPlacedRows(
  db: Db,
  customerId: CustomerId,
  limit = 500,
): Promise<PlacedSubscriptionRow[]> {
  return db
    .selectFrom("subscriptions")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .leftJoin("tenants", "tenants.id", "subscriptions.tenant_id")
    .select([
      "subscriptions.id",
      "subscriptions.item_id",
      "catalogue_items.name as item_name",
      "subscriptions.domain",
      "tenants.external_id as tenant_external_id",
    ])
    .where("subscriptions.customer_id", "=", customerId)
    .where("subscriptions.status", "=", "active")
    .orderBy("subscriptions.domain")
    .orderBy("subscriptions.id")
    .limit(limit)
    .execute();
}
