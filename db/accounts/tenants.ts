/** Queries on tenants: the accounts at a vendor that contain a company's subscriptions. */
import { sql } from "kysely";
import {
  type CustomerId,
  type ItemId,
  newId,
  type OrderId,
  type SubscriptionId,
  type TenantId,
} from "#db/ids.ts";
import { requestsDomain } from "#db/orders/requested-domain.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { TenantRow } from "#db/tables/fulfilment.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** A customer's account at a vendor. */
export interface Tenant {
  id: TenantId;
  customerId: CustomerId;
  family: FamilyId;
  /** The vendor's id: the Microsoft tenant GUID, the Cloud Channel customer name. */
  externalId: string;
  domain: string;
  name: string;
  /** Country of the store's account that sells to it. */
  country: Country;
}

export const tenantRows = (db: Db) =>
  db
    .selectFrom("tenants")
    .innerJoin("customers", "customers.id", "tenants.customer_id")
    .selectAll("tenants")
    .select(sql<Country>`coalesce(tenants.country, customers.country)`.as("sold_from"));

export function toTenant(row: TenantRow & { sold_from: Country }): Tenant {
  const {
    id,
    customer_id: customerId,
    family,
    external_id: externalId,
    domain,
    name,
    sold_from: country,
  } = row;
  return { id, customerId, family, externalId, domain, name, country };
}

/**
 * Returns the milliseconds since an order created its tenant, or its tenant accepted us as partner for it; null when neither
 * happened.
 * @param step the stored step that creates the tenant
 */
export async function tenantAgeMs(db: Db, orderId: OrderId, step: string): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from now() - greatest(
      (select finished_at from provider_requests where order_id = ${orderId} and step = ${step}),
      (select max(accepted_at) from invitations where order_id = ${orderId} and status = 'accepted')
    )) * 1000)::float8 as ms`.execute(db);
  return rows[0]?.ms ?? null;
}

export async function findTenant(db: Db, id: TenantId): Promise<Tenant | null> {
  const row = await tenantRows(db).where("tenants.id", "=", id).executeTakeFirst();
  return row === undefined ? null : toTenant(row);
}

/** Lists a company's tenants of a family, sorted by domain. */
export async function listTenantsOf(db: Db, customerId: CustomerId, family: FamilyId): Promise<Tenant[]> {
  const rows = await tenantRows(db)
    .where("tenants.customer_id", "=", customerId)
    .where("tenants.family", "=", family)
    .orderBy("tenants.domain")
    .orderBy("tenants.id")
    .execute();
  return rows.map(toTenant);
}

/** Whether the tenant has the item, or a paid order will add it. */
export async function hasTenantItem(db: Db, tenantId: TenantId, itemId: ItemId): Promise<boolean> {
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

export interface SubscriptionWithTenant {
  id: SubscriptionId;
  itemId: ItemId;
  /** Name of the plan. */
  name: string;
  domain: string;
  /** The vendor's id of the subscription's tenant, or null for a subscription without one. */
  tenantExternalId: string | null;
}

/** Lists a company's active subscriptions, each with its tenant, sorted by domain. */
export async function listSubscriptionsWithTenant(
  db: Db,
  customerId: CustomerId,
  limit = 500,
): Promise<SubscriptionWithTenant[]> {
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

/** Returns the company in the store that has a tenant. Null when none does, and any of them when several do. */
export async function findTenantOwner(
  db: Db,
  family: FamilyId,
  externalId: string,
): Promise<CustomerId | null> {
  const tenant = await db
    .selectFrom("tenants")
    .select("customer_id")
    .where("family", "=", family)
    .where("external_id", "=", externalId)
    .executeTakeFirst();
  return tenant?.customer_id ?? null;
}

/** Whether another order has begun to create a tenant with this domain: its step is stored before the call. */
export async function isMakingTenant(
  db: Db,
  { family, domain, except }: { family: FamilyId; domain: string; except: OrderId },
): Promise<boolean> {
  const rival = await db
    .selectFrom("provider_requests")
    .innerJoin("orders", "orders.id", "provider_requests.order_id")
    .select("orders.id")
    .where("provider_requests.step", "=", "customer")
    .where("orders.family", "=", family)
    .where("orders.id", "<>", except)
    .where(requestsDomain(domain))
    .limit(1)
    .executeTakeFirst();
  return rival !== undefined;
}

/** Returns the company's row for a tenant, and creates it if missing. */
export async function saveTenant(trx: Trx, tenant: Omit<Tenant, "id">): Promise<TenantId> {
  const { customerId, family, externalId, domain, name, country } = tenant;
  await trx
    .insertInto("tenants")
    .values({
      id: newId<TenantId>(),
      customer_id: customerId,
      family,
      external_id: externalId,
      domain,
      name,
      country,
    })
    .onConflict((oc) => oc.columns(["customer_id", "family", "external_id"]).doNothing())
    .execute();
  const saved = await trx
    .selectFrom("tenants")
    .select("id")
    .where("customer_id", "=", customerId)
    .where("family", "=", family)
    .where("external_id", "=", externalId)
    .executeTakeFirstOrThrow();
  return saved.id;
}
