/** Queries on subscriptions, mapped to `Subscription` with the plan's name. */

import { type Insertable, type RawBuilder, sql, type Updateable } from "kysely";
import type { FamilyId } from "#db/tables/enums.ts";
import { isItemId } from "./catalogue.ts";
import type { CustomerId, ItemId, OrderId, SubscriptionId, TenantId } from "./ids.ts";
import { beyond, microsecondsOf, type PageAsked, type PageOfRows, pageOf, startsWith } from "./keyset.ts";
import type { BillingCycle, OrderKind, SubscriptionStatus, Term } from "./tables/enums.ts";
import type { SubscriptionRow, SubscriptionsTable } from "./tables/fulfilment.ts";
import type { Db, Trx } from "./tables/index.ts";

/** What a company holds, until when, and what is paid for afterwards. */
export interface Subscription {
  id: SubscriptionId;
  customerId: CustomerId;
  tenantId: TenantId | null;
  itemId: ItemId;
  name: string;
  family: FamilyId;
  /** The provider's id. */
  externalId: string;
  domain: string;
  /** Seats of the running term. */
  quantity: number;
  term: Term;
  billingCycle: BillingCycle;
  status: SubscriptionStatus;
  parentSubscriptionId: SubscriptionId | null;
  /** The start of the running term. */
  start: Date;
  /** The end of the last paid term, which is the running or the next one. */
  end: Date;
  /** The next term, once it is paid for and until it begins. */
  next: { start: Date; quantity: number } | null;
  /** True while a paid order is changing it at its provider. */
  isBeingChanged: boolean;
}

/** The fields that a list shows. */
export type SubscriptionListed = Pick<
  Subscription,
  | "id"
  | "itemId"
  | "name"
  | "family"
  | "domain"
  | "quantity"
  | "term"
  | "billingCycle"
  | "status"
  | "start"
  | "end"
  | "next"
>;

type ListedRow = Pick<
  SubscriptionRow,
  | "id"
  | "item_id"
  | "family"
  | "domain"
  | "quantity"
  | "term"
  | "billing_cycle"
  | "status"
  | "start_date"
  | "end_date"
  | "next_term_start"
  | "next_term_quantity"
> & { item_name: string };

function toListed(row: ListedRow): SubscriptionListed {
  const { next_term_start: start, next_term_quantity: quantity } = row;
  return {
    id: row.id,
    itemId: row.item_id,
    name: row.item_name,
    family: row.family,
    domain: row.domain,
    quantity: row.quantity,
    term: row.term,
    billingCycle: row.billing_cycle,
    status: row.status,
    start: row.start_date,
    end: row.end_date,
    next: start === null || quantity === null ? null : { start, quantity },
  };
}

function toSubscription(row: SubscriptionRow & { item_name: string }): Subscription {
  return {
    ...toListed(row),
    customerId: row.customer_id,
    tenantId: row.tenant_id,
    externalId: row.external_id,
    parentSubscriptionId: row.parent_subscription_id,
    isBeingChanged: row.changing_order_id !== null,
  };
}

/** Matches its own id, the id of the order that created it, or its domain. */
function isFoundBy(search: string): RawBuilder<boolean> {
  const pattern = startsWith(search);
  return sql<boolean>`(
    lower(subscriptions.domain) like ${pattern}
    or subscriptions.id::text like ${pattern}
    or subscriptions.order_id::text like ${pattern})`;
}

function subscriptionsOf(db: Db, customerId: CustomerId, asked: PageAsked, direction: "asc" | "desc") {
  let subscriptions = db
    .selectFrom("subscriptions")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .where("subscriptions.customer_id", "=", customerId);
  if (asked.family !== null) {
    subscriptions = subscriptions.where("subscriptions.family", "=", asked.family);
  }
  if (asked.search !== null) subscriptions = subscriptions.where(isFoundBy(asked.search));
  if (asked.after !== null) {
    const columns = { at: "subscriptions.end_date", id: "subscriptions.id" };
    subscriptions = subscriptions.where(beyond(asked.after, columns, direction));
  }
  return subscriptions
    .select([
      "subscriptions.id",
      "subscriptions.item_id",
      "subscriptions.family",
      "subscriptions.domain",
      "subscriptions.quantity",
      "subscriptions.term",
      "subscriptions.billing_cycle",
      "subscriptions.status",
      "subscriptions.start_date",
      "subscriptions.end_date",
      "subscriptions.next_term_start",
      "subscriptions.next_term_quantity",
      "catalogue_items.name as item_name",
      microsecondsOf("subscriptions.end_date").as("at"),
    ])
    .orderBy("subscriptions.end_date", direction)
    .orderBy("subscriptions.id", direction)
    .limit(asked.limit + 1);
}

/** A page of a company's active subscriptions, the first to end at the top. */
export async function listActive(
  db: Db,
  customerId: CustomerId,
  asked: PageAsked,
  now: Date,
): Promise<PageOfRows<SubscriptionListed>> {
  const rows = await subscriptionsOf(db, customerId, asked, "asc")
    .where(isActive)
    .where("subscriptions.end_date", ">", now)
    .execute();
  return listedPage(rows, asked.limit);
}

/** The same for ended ones, including those not yet marked as ended, the last ended at the top. */
export async function listEnded(
  db: Db,
  customerId: CustomerId,
  asked: PageAsked,
  now: Date,
): Promise<PageOfRows<SubscriptionListed>> {
  const ended = subscriptionsOf(db, customerId, asked, "desc");
  const rows = await db
    .selectFrom(ended.where(isOver).as("written"))
    .selectAll()
    .unionAll(
      db
        .selectFrom(ended.where(isActive).where("subscriptions.end_date", "<=", now).as("unwritten"))
        .selectAll(),
    )
    .orderBy("end_date", "desc")
    .orderBy("id", "desc")
    .limit(asked.limit + 1)
    .execute();
  return listedPage(rows, asked.limit);
}

function listedPage(
  found: readonly (ListedRow & { at: number })[],
  limit: number,
): PageOfRows<SubscriptionListed> {
  const { rows, next } = pageOf(found, limit);
  return { rows: rows.map(toListed), next };
}

/** Must match the predicates of the partial indexes in migration 08 literally, or PostgreSQL does not use them. */
const isActive = sql<boolean>`subscriptions.status = 'active'`;
const isOver = sql<boolean>`subscriptions.status <> 'active'`;

/** A subscription that an add-on can go with, and how many of its seats have the add-on or are paid to get it. */
export type Base = Pick<Subscription, "id" | "tenantId" | "name" | "domain" | "quantity" | "end"> & {
  held: number;
};

const bases = (db: Db, addOnId: ItemId) =>
  db
    .selectFrom("subscriptions")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .select((eb) => [
      "subscriptions.id",
      "subscriptions.tenant_id as tenantId",
      "catalogue_items.name",
      "subscriptions.domain",
      "subscriptions.quantity",
      "subscriptions.end_date as end",
      eb
        .selectFrom("subscriptions as add_ons")
        .select(({ fn }) => fn.coalesce(fn.sum<string>("add_ons.quantity"), sql.lit("0")).as("seats"))
        .whereRef("add_ons.parent_subscription_id", "=", "subscriptions.id")
        .where("add_ons.item_id", "=", addOnId)
        .where("add_ons.status", "=", "active")
        .as("in_use"),
      eb
        .selectFrom("orders")
        .innerJoin("order_lines", "order_lines.order_id", "orders.id")
        .select(({ fn }) => fn.coalesce(fn.sum<string>("order_lines.quantity"), sql.lit("0")).as("seats"))
        .whereRef("orders.parent_subscription_id", "=", "subscriptions.id")
        .where("orders.item_id", "=", addOnId)
        .where("orders.stage", "=", "stage3")
        .as("paid_for"),
    ])
    .where("subscriptions.status", "=", "active");

const toBase = ({
  in_use,
  paid_for,
  ...row
}: Omit<Base, "held"> & { in_use: string | null; paid_for: string | null }): Base => ({
  ...row,
  held: Number(in_use) + Number(paid_for),
});

/** A company's active subscriptions to one of these items, the last to end at the top. */
export async function listBasesOf(
  db: Db,
  customerId: CustomerId,
  { addOnId, baseItemIds }: { addOnId: ItemId; baseItemIds: readonly string[] },
): Promise<Base[]> {
  const rows = await bases(db, addOnId)
    .where("subscriptions.customer_id", "=", customerId)
    .where("subscriptions.item_id", "in", baseItemIds.filter(isItemId))
    .orderBy("subscriptions.end_date", "desc")
    .orderBy("subscriptions.id")
    .execute();
  return rows.map(toBase);
}

/** The same for one subscription, locked until the transaction ends, so that concurrent add-on orders are counted in turn. */
export async function lockBase(trx: Trx, id: SubscriptionId, addOnId: ItemId): Promise<Base | null> {
  await trx.selectFrom("subscriptions").select("id").where("id", "=", id).forUpdate().executeTakeFirst();
  const row = await bases(trx, addOnId).where("subscriptions.id", "=", id).executeTakeFirst();
  return row === undefined ? null : toBase(row);
}

const named = (db: Db) =>
  db
    .selectFrom("subscriptions")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .selectAll("subscriptions")
    .select("catalogue_items.name as item_name");

export async function readSubscription(db: Db, id: SubscriptionId): Promise<Subscription | null> {
  const row = await named(db).where("subscriptions.id", "=", id).executeTakeFirst();
  return row === undefined ? null : toSubscription(row);
}

/** The same, locked until the transaction ends. */
export async function readSubscriptionLocked(trx: Trx, id: SubscriptionId): Promise<Subscription | null> {
  const row = await named(trx)
    .where("subscriptions.id", "=", id)
    .forUpdate("subscriptions")
    .executeTakeFirst();
  return row === undefined ? null : toSubscription(row);
}

/** Orders of a kind that act on a subscription and are paid, but not carried out yet. */
export async function listChangesUnderWay(
  db: Db,
  id: SubscriptionId,
  kind: OrderKind,
): Promise<{ id: OrderId; quantity: number }[]> {
  return db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .select(["orders.id", "order_lines.quantity"])
    .where("orders.subscription_id", "=", id)
    .where("orders.kind", "=", kind)
    .where("orders.stage", "=", "stage3")
    .execute();
}

/** The newest order of a kind that acts on the subscription. */
export async function findLatestChange(
  db: Db,
  id: SubscriptionId,
  kind: OrderKind,
  { paidOnly = false }: { paidOnly?: boolean } = {},
): Promise<OrderId | null> {
  const row = await db
    .selectFrom("orders")
    .select("id")
    .where("subscription_id", "=", id)
    .where("kind", "=", kind)
    .where("removed_at", "is", null)
    .$if(paidOnly, (query) => query.where("payment_status", "=", "completed"))
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/**
 * Takes the hold on a subscription: only this order may change it at its provider, until it releases it.
 * @returns false while another order has the hold
 */
export async function claimSubscription(db: Db, id: SubscriptionId, orderId: OrderId): Promise<boolean> {
  const result = await db
    .updateTable("subscriptions")
    .set({ changing_order_id: orderId })
    .where("id", "=", id)
    .where(({ eb, or }) => or([eb("changing_order_id", "is", null), eb("changing_order_id", "=", orderId)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** The order that has the hold, and whether that order waits for a person. Null when there is none. */
export async function findHolder(
  db: Db,
  id: SubscriptionId,
): Promise<{ id: OrderId; needsPerson: boolean } | null> {
  const row = await db
    .selectFrom("subscriptions")
    .innerJoin("orders", "orders.id", "subscriptions.changing_order_id")
    .select(["orders.id", "orders.fulfilment_status"])
    .where("subscriptions.id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : { id: row.id, needsPerson: row.fulfilment_status === "needs_attention" };
}

export async function releaseSubscription(db: Db, orderId: OrderId): Promise<void> {
  await db
    .updateTable("subscriptions")
    .set({ changing_order_id: null })
    .where("changing_order_id", "=", orderId)
    .execute();
}

export async function getExternalId(db: Db, id: SubscriptionId): Promise<string> {
  const { external_id } = await db
    .selectFrom("subscriptions")
    .select("external_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return external_id;
}

export async function insertSubscription(trx: Trx, row: Insertable<SubscriptionsTable>): Promise<void> {
  await trx.insertInto("subscriptions").values(row).execute();
}

export async function updateSubscription(
  trx: Trx,
  id: SubscriptionId,
  changes: Updateable<SubscriptionsTable>,
): Promise<void> {
  await trx.updateTable("subscriptions").set(changes).where("id", "=", id).execute();
}
