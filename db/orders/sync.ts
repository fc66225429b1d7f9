/** Queries for the sync of subscriptions bought elsewhere: tenants at vendors, and the companies that hold them. */
import { sql } from "kysely";
import { type Tenant, tenantRows, toTenant } from "#db/accounts/tenants.ts";
import type { SubscriptionId, TenantId } from "#db/ids.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { requestsDomain } from "./requested-domain.ts";
import { type NewSubscription, subscriptionRow } from "./subscriptions.ts";

/** A tenant whose subscriptions the vendor lets us read. */
export interface SyncedAccount {
  family: FamilyId;
  /** Microsoft: the tenant GUID. Google: the Cloud Channel customer name. */
  externalId: string;
}

/** Lists each tenant of these families once, however many companies hold it. */
export async function listAccounts(db: Db, families: readonly FamilyId[]): Promise<SyncedAccount[]> {
  const rows = await db
    .selectFrom("tenants")
    .select(["family", "external_id"])
    .distinct()
    .where("family", "in", families)
    .orderBy("family", "desc")
    .orderBy("external_id")
    .execute();
  return rows.map(({ family, external_id: externalId }) => ({ family, externalId }));
}

/** Reads the database's time, because the clocks of several machines differ. */
export async function clockOf(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
  return rows[0]?.now ?? new Date();
}

/**
 * Claims tenants for a sync, least recently claimed first, each once however many companies hold it. A failed sync also counts,
 * so that no tenant blocks the others.
 * @param before claims only tenants not claimed since this time
 * @param limit number of companies' rows, so at most that many tenants
 */
export async function claimAccountsForSync(
  trx: Trx,
  { families, before, limit }: { families: readonly FamilyId[]; before: Date; limit: number },
): Promise<SyncedAccount[]> {
  // Must match the expression of its index literally.
  const askedAt = sql`coalesce(sync_asked_at, '-infinity'::timestamptz)`;
  const { rows } = await sql<{ family: SyncedAccount["family"]; external_id: string }>`
    with due as materialized (
      select family, external_id, ${askedAt} as asked_at from tenants
      where family in (${sql.join(families)}) and ${askedAt} < ${before}
      order by ${askedAt}, family desc, external_id
      limit ${limit}
    ), taken as (
      select family, external_id, min(asked_at) as asked_at from due group by family, external_id
    ), marked as (
      update tenants set sync_asked_at = now()
      where id = any(array(
        select held.id from taken
        cross join lateral (
          select id from tenants
          where tenants.family = taken.family and tenants.external_id = taken.external_id
          offset 0
        ) held))
    )
    select family, external_id from taken order by asked_at, family desc, external_id`.execute(trx);
  return rows.map(({ family, external_id: externalId }) => ({ family, externalId }));
}

/** Finds the rows of companies with a valid control proof for the tenant. Usually one, but two may have proved control. */
export async function findProvenOwners(
  db: Db,
  { family, externalId }: SyncedAccount,
  at: Date,
): Promise<Tenant[]> {
  const rows = await tenantRows(db)
    .where("tenants.family", "=", family)
    .where("tenants.external_id", "=", externalId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("control_proofs")
          .select("control_proofs.id")
          .whereRef("control_proofs.customer_id", "=", "tenants.customer_id")
          .whereRef("control_proofs.family", "=", "tenants.family")
          .whereRef("control_proofs.tenant_external_id", "=", "tenants.external_id")
          .where(({ eb, or }) =>
            or([eb("control_proofs.expires_at", "is", null), eb("control_proofs.expires_at", ">", at)]),
          ),
      ),
    )
    .execute();
  return rows.map(toTenant);
}

/** Finds the tenant row of the oldest company with subscriptions in it; null when there is none. */
export async function findTenantWithSubscriptions(
  db: Db,
  { family, externalId }: SyncedAccount,
): Promise<Tenant | null> {
  const row = await tenantRows(db)
    .where("tenants.family", "=", family)
    .where("tenants.external_id", "=", externalId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("subscriptions")
          .select("subscriptions.id")
          .whereRef("subscriptions.tenant_id", "=", "tenants.id"),
      ),
    )
    .orderBy("tenants.created_at")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toTenant(row);
}

/**
 * Whether an order is, or might be, under fulfilment in this tenant: it goes into the tenant, acts on a subscription there, was
 * approved by its administrator, or requests its domain. An order that waits for its buyer's sign-in has bought nothing yet.
 * Each condition is a separate query with its own index, because a combined "or" would scan every order.
 */
export async function isOrderUnderWay(db: Db, { id, family, externalId, domain }: Tenant): Promise<boolean> {
  const inWork = db
    .selectFrom("orders")
    .select("orders.id")
    .where("orders.family", "=", family)
    // Must match the predicate of the partial indexes literally.
    .where(
      sql<boolean>`orders.stage = 'stage3' and orders.fulfilment_status in ('queued', 'running', 'needs_attention')`,
    );
  const order = await inWork
    .where("orders.tenant_id", "=", id)
    .unionAll(
      inWork
        .innerJoin("subscriptions", "subscriptions.id", "orders.subscription_id")
        .where("subscriptions.tenant_id", "=", id),
    )
    .unionAll(
      inWork
        .innerJoin("invitations", "invitations.order_id", "orders.id")
        .where("invitations.tenant_external_id", "=", externalId),
    )
    .unionAll(inWork.where(requestsDomain(domain)))
    .limit(1)
    .executeTakeFirst();
  return order !== undefined;
}

export interface KnownSubscription {
  id: SubscriptionId;
  /** The vendor's id. */
  externalId: string;
  tenantId: TenantId | null;
}

/** Lists the company's subscriptions of the tenant's family, and any company's subscriptions with one of these ids. */
export async function listKnownSubscriptions(
  db: Db,
  { family, customerId }: Tenant,
  externalIds: readonly string[],
): Promise<KnownSubscription[]> {
  return db
    .selectFrom("subscriptions")
    .select(["id", "external_id as externalId", "tenant_id as tenantId"])
    .where("family", "=", family)
    .where(({ eb, or }) =>
      or([
        eb("customer_id", "=", customerId),
        ...(externalIds.length === 0 ? [] : [eb("external_id", "in", externalIds)]),
      ]),
    )
    .execute();
}

/** Inserts a subscription that was bought elsewhere. @returns false when one with its id exists, of any company */
export async function insertImportedSubscription(trx: Trx, subscription: NewSubscription): Promise<boolean> {
  const result = await trx
    .insertInto("subscriptions")
    .values(subscriptionRow(subscription))
    .onConflict((conflict) => conflict.columns(["family", "external_id"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}
