/** Queries for taking in what customers have bought elsewhere: accounts at providers, and who knows what of them. */
import { type Insertable, sql } from "kysely";
import type { ItemId, SubscriptionId, TenantId } from "./ids.ts";
import type { Family } from "./tables/enums.ts";
import type { SubscriptionsTable, TenantRow } from "./tables/fulfilment.ts";
import type { Db, Trx } from "./tables/index.ts";

/** An account at a provider that can be asked what it holds; brio has none. */
export interface SyncedAccount {
  family: Exclude<Family, "brio">;
  /** The Microsoft tenant GUID, the Cloud Channel customer name. */
  externalId: string;
}

/** Each account once, whoever holds it. */
export async function listAccounts(db: Db): Promise<SyncedAccount[]> {
  const rows = await db
    .selectFrom("tenants")
    .select(["family", "external_id"])
    .distinct()
    .orderBy("family", "desc")
    .orderBy("external_id")
    .execute();
  return rows.flatMap(({ family, external_id: externalId }) =>
    family === "brio" ? [] : [{ family, externalId }],
  );
}

/** The companies' rows of an account: one, unless two companies have bought into it. */
export async function findHolders(db: Db, { family, externalId }: SyncedAccount): Promise<TenantRow[]> {
  return db
    .selectFrom("tenants")
    .selectAll()
    .where("family", "=", family)
    .where("external_id", "=", externalId)
    .execute();
}

/** Sku -> item of what a family sells today. */
export async function skusOnSale(db: Db, family: Family): Promise<Map<string, ItemId>> {
  const rows = await db
    .selectFrom("catalogue_items")
    .select(["id", "sku"])
    .where("family", "=", family)
    .where("active", "=", true)
    .execute();
  return new Map(rows.map(({ id, sku }) => [sku, id]));
}

/**
 * True while an order is being carried out in this account, or may be: it goes into the tenant, acts on a subscription there,
 * was approved by its administrator, or asks for its domain. One that waits for its buyer to sign in has bought nothing.
 */
export async function isOrderUnderWay(
  db: Db,
  { id, family, external_id, domain }: TenantRow,
): Promise<boolean> {
  const order = await db
    .selectFrom("orders")
    .select("orders.id")
    .where("orders.family", "=", family)
    .where("orders.stage", "=", "stage3")
    .where("orders.fulfilment_status", "in", ["queued", "running", "needs_attention"])
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb("orders.tenant_id", "=", id),
        exists(
          selectFrom("subscriptions")
            .select("subscriptions.id")
            .whereRef("subscriptions.id", "=", "orders.subscription_id")
            .where("subscriptions.tenant_id", "=", id),
        ),
        exists(
          selectFrom("invitations")
            .select("invitations.id")
            .whereRef("invitations.order_id", "=", "orders.id")
            .where("invitations.tenant_external_id", "=", external_id),
        ),
        sql<boolean>`orders.details -> 'google' ->> 'domain' = ${domain}`,
        sql<boolean>`${domain} = (orders.signin ->> 'prefix') || '.onmicrosoft.com'`,
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return order !== undefined;
}

export interface KnownRow {
  id: SubscriptionId;
  external_id: string;
  tenant_id: TenantId | null;
}

/** The company's subscriptions of the account's family, and those of any company that have one of these ids. */
export async function listKnown(
  db: Db,
  { family, customer_id }: TenantRow,
  externalIds: readonly string[],
): Promise<KnownRow[]> {
  return db
    .selectFrom("subscriptions")
    .select(["id", "external_id", "tenant_id"])
    .where("family", "=", family)
    .where(({ eb, or }) =>
      or([
        eb("customer_id", "=", customer_id),
        ...(externalIds.length === 0 ? [] : [eb("external_id", "in", externalIds)]),
      ]),
    )
    .execute();
}

/** @returns false when it is known meanwhile, whoever has it */
export async function insertTakenIn(trx: Trx, row: Insertable<SubscriptionsTable>): Promise<boolean> {
  const result = await trx
    .insertInto("subscriptions")
    .values(row)
    .onConflict((conflict) => conflict.columns(["family", "external_id"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}
