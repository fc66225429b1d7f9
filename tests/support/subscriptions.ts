/** Inserts a company's subscriptions as they are after its orders, for tests of later events. */
import type { Insertable } from "kysely";
import { isItemId } from "#db/catalogue/catalogue.ts";
import { insertControlProof, type TenantClaim } from "#db/fulfilment/control-proofs.ts";
import { type CustomerId, newId, type SubscriptionId, type TenantId } from "#db/ids.ts";
import type { SubscriptionsTable, TenantsTable } from "#db/tables/fulfilment.ts";
import type { Db } from "#db/tables/index.ts";

/** A year of Business Standard from 1 March 2027 by default. */
export async function insertTestSubscription(
  db: Db,
  customerId: CustomerId,
  {
    item = "microsoft-365-business-standard",
    ...changes
  }: Partial<Insertable<SubscriptionsTable>> & {
    item?: string;
  } = {},
): Promise<SubscriptionId> {
  if (!isItemId(item)) throw new Error(`Not an item's id: ${item}`);
  const { id = newId<SubscriptionId>() } = changes;
  await db
    .insertInto("subscriptions")
    .values({
      id,
      customer_id: customerId,
      tenant_id: null,
      order_id: null,
      item_id: item,
      family: "microsoft",
      external_id: newId(),
      domain: "acme.onmicrosoft.com",
      quantity: 12,
      term: "P1Y",
      billing_cycle: "annual",
      status: "active",
      parent_subscription_id: null,
      start_date: new Date("2027-03-01T09:00:00Z"),
      end_date: new Date("2028-03-01T09:00:00Z"),
      ...changes,
    })
    .execute();
  return id;
}

export async function insertTestTenant(
  db: Db,
  customerId: CustomerId,
  {
    id = newId<TenantId>(),
    proven = true,
    ...tenant
  }: Pick<Insertable<TenantsTable>, "family" | "external_id" | "domain"> & {
    id?: TenantId;
    /** False for one without proof that it is the company's. */
    proven?: boolean;
  },
): Promise<TenantId> {
  await db
    .insertInto("tenants")
    .values({ id, customer_id: customerId, name: "Acme Tools", ...tenant })
    .execute();
  const { family, external_id: tenantExternalId } = tenant;
  if (proven) await insertMadeProof(db, { customerId, family, tenantExternalId });
  return id;
}

/** Inserts the control proof of a tenant that this store created for the company. */
export async function insertMadeProof(db: Db, claim: TenantClaim): Promise<void> {
  const authenticatedAt = new Date();
  const proof = { orderId: null, subject: null, role: null, authenticatedAt, expiresAt: null };
  await db.transaction().execute((trx) => insertControlProof(trx, claim, { method: "made", ...proof }));
}

export function readSubscription(db: Db, id: SubscriptionId) {
  return db.selectFrom("subscriptions").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}
