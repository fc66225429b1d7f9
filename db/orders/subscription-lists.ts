/** Lists of a company's subscriptions: active, ended, under change, or in one tenant. */
import { type RawBuilder, sql } from "kysely";
import type { CustomerId, OrderId, SubscriptionId } from "#db/ids.ts";
import {
  afterCursor,
  likePrefix,
  microsecondsOf,
  type PageOfRows,
  type PageQuery,
  pageOf,
} from "#db/keyset.ts";
import type { FamilyId, OrderKind } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import {
  isBeingRenewed,
  type ListedRow,
  type ListedSubscription,
  named,
  type Subscription,
  soldFrom,
  toListed,
  toSubscription,
} from "./subscriptions.ts";

/** Matches a subscription's id, the id of the order that created it, or its domain. */
function isFoundBy(search: string): RawBuilder<boolean> {
  const pattern = likePrefix(search);
  return sql<boolean>`(
    lower(subscriptions.domain) like ${pattern}
    or subscriptions.id::text like ${pattern}
    or subscriptions.order_id::text like ${pattern})`;
}

type Direction = "asc" | "desc";

function subscriptionsOf(db: Db, customerId: CustomerId, query: PageQuery, direction: Direction) {
  let subscriptions = db
    .selectFrom("subscriptions")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .innerJoin("customers", "customers.id", "subscriptions.customer_id")
    .where("subscriptions.customer_id", "=", customerId);
  if (query.family !== null) {
    subscriptions = subscriptions.where("subscriptions.family", "=", query.family);
  }
  if (query.search !== null) subscriptions = subscriptions.where(isFoundBy(query.search));
  if (query.after !== null) {
    const columns = { at: "subscriptions.end_date", id: "subscriptions.id" };
    subscriptions = subscriptions.where(afterCursor(query.after, columns, direction));
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
      "subscriptions.anchor_day",
      "subscriptions.suspended",
      "subscriptions.waits_for_terms",
      "subscriptions.reduced_from",
      "subscriptions.extended_until",
      "catalogue_items.name as item_name",
      soldFrom.as("sold_from"),
      microsecondsOf("subscriptions.end_date").as("at"),
    ])
    .orderBy("subscriptions.end_date", direction)
    .orderBy("subscriptions.id", direction)
    .limit(query.limit);
}

const active = (db: Db, customerId: CustomerId, query: PageQuery, now: Date) =>
  subscriptionsOf(db, customerId, query, "asc").where(isActive).where("subscriptions.end_date", ">", now);

const ended = (db: Db, customerId: CustomerId, query: PageQuery, now: Date) => {
  const over = subscriptionsOf(db, customerId, query, "desc");
  return db
    .selectFrom(over.where(isOver).as("written"))
    .selectAll()
    .unionAll(
      db
        .selectFrom(over.where(isActive).where("subscriptions.end_date", "<=", now).as("unwritten"))
        .selectAll(),
    )
    .orderBy("end_date", "desc")
    .orderBy("id", "desc")
    .limit(query.limit);
};

/** Lists a page of a company's active subscriptions, first to end first. */
export async function listActive(
  db: Db,
  customerId: CustomerId,
  query: PageQuery,
  now: Date,
): Promise<PageOfRows<ListedSubscription>> {
  const limit = query.limit + 1;
  const rows = await active(db, customerId, { ...query, limit }, now).execute();
  return listedPage(rows, query.limit);
}

/**
 * Lists all active subscriptions of a company that end before `until`, first to end first, except those with a paid,
 * unfulfilled renewal.
 */
export async function listEndingBefore(
  db: Db,
  customerId: CustomerId,
  { family, now, until }: { family: FamilyId | null; now: Date; until: Date },
): Promise<ListedSubscription[]> {
  const rows = await active(db, customerId, { family, search: null, after: null, limit: 1 }, now)
    .where("subscriptions.end_date", "<", until)
    .where(({ not }) => not(isBeingRenewed))
    .clearLimit()
    .execute();
  return rows.map(toListed);
}

/** Lists a page of ended subscriptions, last ended first, including those whose row is not marked as ended yet. */
export async function listEnded(
  db: Db,
  customerId: CustomerId,
  query: PageQuery,
  now: Date,
): Promise<PageOfRows<ListedSubscription>> {
  const limit = query.limit + 1;
  const rows = await ended(db, customerId, { ...query, limit }, now).execute();
  return listedPage(rows, query.limit);
}

function listedPage(
  found: readonly (ListedRow & { at: number })[],
  limit: number,
): PageOfRows<ListedSubscription> {
  const { rows, next } = pageOf(found, limit);
  return { rows: rows.map(toListed), next };
}

/** Must match the predicates of the partial indexes in migration 08 literally, or PostgreSQL does not use them. */
const isActive = sql<boolean>`subscriptions.status = 'active'`;

const isOver = sql<boolean>`subscriptions.status <> 'active'`;

/** Lists paid, unfulfilled orders of a kind that act on a subscription. */
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

/** Lists the subscriptions in a tenant, of any company here. */
export async function listInAccount(
  db: Db,
  { family, externalId }: { family: FamilyId; externalId: string },
): Promise<Subscription[]> {
  const rows = await named(db)
    .innerJoin("tenants", "tenants.id", "subscriptions.tenant_id")
    .where("tenants.family", "=", family)
    .where("tenants.external_id", "=", externalId)
    .orderBy("subscriptions.id")
    .execute();
  return rows.map(toSubscription);
}
