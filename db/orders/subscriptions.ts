/** Queries on subscriptions, mapped to `Subscription` with the plan's name. */

import { type RawBuilder, sql } from "kysely";
import { isItemId } from "#db/catalogue/catalogue.ts";
import type { CustomerId, ItemId, OrderId, SubscriptionId, TenantId } from "#db/ids.ts";
import {
  afterCursor,
  likePrefix,
  microsecondsOf,
  type PageOfRows,
  type PageQuery,
  pageOf,
} from "#db/keyset.ts";
import type {
  BillingCycle,
  Country,
  FamilyId,
  OrderKind,
  SubscriptionStatus,
  Term,
} from "#db/tables/enums.ts";
import type { SubscriptionRow } from "#db/tables/fulfilment.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** What a company holds, until when, and what is paid for afterwards. */
export interface Subscription {
  id: SubscriptionId;
  customerId: CustomerId;
  tenantId: TenantId | null;
  itemId: ItemId;
  name: string;
  family: FamilyId;
  /** The country it was bought in, where alone it can be changed. */
  country: Country;
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
  /** The day of the month on which its terms end, 1 to 31; null until it is renewed. */
  anchorDay: number | null;
  /** True while a paid order is changing it at its provider. */
  isBeingChanged: boolean;
  /** True while its vendor has suspended it, although its term runs. */
  isSuspended: boolean;
  /** True while its vendor waits for the customer to accept its terms. */
  waitsForTerms: boolean;
  /** The seats it had before its vendor reported fewer; null when it has those that were bought. */
  reducedFrom: number | null;
  /** The end of the vendor's paid extension after its term (docs/decisions/end-of-term.md); null when it has none. */
  extendedUntil: Date | null;
  /** When its vendor was last asked about it; null for never. */
  readAt: Date | null;
  /** The order that bought it here, or null when it was bought elsewhere. */
  orderId: OrderId | null;
}

/** What a new subscription must have. */
export type NewSubscription = Omit<
  Subscription,
  | "name"
  | "country"
  | "next"
  | "anchorDay"
  | "isBeingChanged"
  | "waitsForTerms"
  | "reducedFrom"
  | "extendedUntil"
>;

/** The fields of a subscription that may change. Those left out stay as they are. */
export type SubscriptionChanges = Partial<
  Pick<
    Subscription,
    | "externalId"
    | "quantity"
    | "status"
    | "start"
    | "end"
    | "next"
    | "anchorDay"
    | "isSuspended"
    | "waitsForTerms"
    | "reducedFrom"
    | "extendedUntil"
    | "readAt"
  >
>;

/** The fields that a list shows. */
export type ListedSubscription = Pick<
  Subscription,
  | "id"
  | "itemId"
  | "name"
  | "family"
  | "country"
  | "domain"
  | "quantity"
  | "term"
  | "billingCycle"
  | "status"
  | "start"
  | "end"
  | "next"
  | "anchorDay"
  | "isSuspended"
  | "waitsForTerms"
  | "reducedFrom"
  | "extendedUntil"
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
  | "anchor_day"
  | "suspended"
  | "waits_for_terms"
  | "reduced_from"
  | "extended_until"
> & { item_name: string; sold_from: Country };

function toListed(row: ListedRow): ListedSubscription {
  const { next_term_start: start, next_term_quantity: quantity } = row;
  return {
    id: row.id,
    itemId: row.item_id,
    name: row.item_name,
    family: row.family,
    country: row.sold_from,
    domain: row.domain,
    quantity: row.quantity,
    term: row.term,
    billingCycle: row.billing_cycle,
    status: row.status,
    start: row.start_date,
    end: row.end_date,
    next: start === null || quantity === null ? null : { start, quantity },
    anchorDay: row.anchor_day,
    isSuspended: row.suspended,
    waitsForTerms: row.waits_for_terms,
    reducedFrom: row.reduced_from,
    extendedUntil: row.extended_until,
  };
}

function toSubscription(row: SubscriptionRow & { item_name: string; sold_from: Country }): Subscription {
  return {
    ...toListed(row),
    customerId: row.customer_id,
    tenantId: row.tenant_id,
    externalId: row.external_id,
    parentSubscriptionId: row.parent_subscription_id,
    isBeingChanged: row.changing_order_id !== null,
    readAt: row.read_at,
    orderId: row.order_id,
  };
}

/** Matches its own id, the id of the order that created it, or its domain. */
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

/** A page of a company's active subscriptions, the first to end at the top. */
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
 * All of a company's active subscriptions that end before a moment, the first to end at the top, but for those whose renewal is paid and
 * not yet carried out.
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

/** A page of the ended ones, including those not yet marked as ended, the last ended at the top. */
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

/** A renewal is paid but not yet carried out. */
export const isBeingRenewed = sql<boolean>`exists (
  select from orders
  where orders.subscription_id = subscriptions.id and orders.kind = 'RENEW' and orders.stage = 'stage3')`;

/** For a query of subscriptions and customers: the country of the subscription's tenant, or its company's. A sub-query reads the tenant by its key alone. */
export const soldFrom = sql<Country>`coalesce(
  (select tenants.country from tenants where tenants.id = subscriptions.tenant_id), customers.country)`;

/** A subscription that an add-on can go with, and how many of its seats have the add-on or are paid to get it. */
export type AddOnBase = Pick<
  Subscription,
  "id" | "tenantId" | "name" | "domain" | "country" | "quantity" | "end"
> & {
  held: number;
};

const bases = (db: Db, addOnId: ItemId) =>
  db
    .selectFrom("subscriptions")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .innerJoin("customers", "customers.id", "subscriptions.customer_id")
    .select((eb) => [
      "subscriptions.id",
      "subscriptions.tenant_id as tenantId",
      soldFrom.as("country"),
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
    .where("subscriptions.status", "=", "active")
    .where("subscriptions.suspended", "=", false);

const toBase = ({
  in_use,
  paid_for,
  ...row
}: Omit<AddOnBase, "held"> & { in_use: string | null; paid_for: string | null }): AddOnBase => ({
  ...row,
  held: Number(in_use) + Number(paid_for),
});

/** A company's active subscriptions to one of these items, the last to end at the top. */
export async function listAddOnBases(
  db: Db,
  customerId: CustomerId,
  { addOnId, baseItemIds }: { addOnId: ItemId; baseItemIds: readonly string[] },
): Promise<AddOnBase[]> {
  const rows = await bases(db, addOnId)
    .where("subscriptions.customer_id", "=", customerId)
    .where("subscriptions.item_id", "in", baseItemIds.filter(isItemId))
    .orderBy("subscriptions.end_date", "desc")
    .orderBy("subscriptions.id")
    .execute();
  return rows.map(toBase);
}

/** The same for one subscription, locked until the transaction ends, so that concurrent add-on orders are counted in turn. */
export async function lockAddOnBase(
  trx: Trx,
  id: SubscriptionId,
  addOnId: ItemId,
): Promise<AddOnBase | null> {
  await trx.selectFrom("subscriptions").select("id").where("id", "=", id).forUpdate().executeTakeFirst();
  const row = await bases(trx, addOnId).where("subscriptions.id", "=", id).executeTakeFirst();
  return row === undefined ? null : toBase(row);
}

const named = (db: Db) =>
  db
    .selectFrom("subscriptions")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .innerJoin("customers", "customers.id", "subscriptions.customer_id")
    .selectAll("subscriptions")
    .select(["catalogue_items.name as item_name", soldFrom.as("sold_from")]);

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
    .$if(paidOnly, (query) =>
      query.where("payment_status", "in", ["completed", "partly_refunded", "disputed"]),
    )
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
export async function acquireSubscriptionLock(
  db: Db,
  id: SubscriptionId,
  orderId: OrderId,
): Promise<boolean> {
  const result = await db
    .updateTable("subscriptions")
    .set({ changing_order_id: orderId })
    .where("id", "=", id)
    .where(({ eb, or }) => or([eb("changing_order_id", "is", null), eb("changing_order_id", "=", orderId)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** The order that has the hold, and whether that order waits for a person. Null when there is none. */
export async function findLockHolder(
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

export async function releaseSubscriptionLock(db: Db, orderId: OrderId): Promise<void> {
  await db
    .updateTable("subscriptions")
    .set({ changing_order_id: null })
    .where("changing_order_id", "=", orderId)
    .execute();
}

export async function insertSubscription(trx: Trx, subscription: NewSubscription): Promise<void> {
  await trx.insertInto("subscriptions").values(subscriptionRow(subscription)).execute();
}

/** A new subscription's fields under the database's column names. */
export function subscriptionRow(subscription: NewSubscription) {
  return {
    id: subscription.id,
    customer_id: subscription.customerId,
    tenant_id: subscription.tenantId,
    order_id: subscription.orderId,
    item_id: subscription.itemId,
    family: subscription.family,
    external_id: subscription.externalId,
    domain: subscription.domain,
    quantity: subscription.quantity,
    term: subscription.term,
    billing_cycle: subscription.billingCycle,
    status: subscription.status,
    parent_subscription_id: subscription.parentSubscriptionId,
    start_date: subscription.start,
    end_date: subscription.end,
    suspended: subscription.isSuspended,
    read_at: subscription.readAt,
  };
}

export async function updateSubscription(
  trx: Trx,
  id: SubscriptionId,
  changes: SubscriptionChanges,
): Promise<void> {
  const {
    externalId,
    quantity,
    status,
    start,
    end,
    next,
    anchorDay,
    isSuspended,
    waitsForTerms,
    reducedFrom,
    extendedUntil,
    readAt,
  } = changes;
  await trx
    .updateTable("subscriptions")
    // Kysely leaves out a column that is undefined.
    .set({
      external_id: externalId,
      quantity,
      status,
      start_date: start,
      end_date: end,
      anchor_day: anchorDay,
      suspended: isSuspended,
      waits_for_terms: waitsForTerms,
      reduced_from: reducedFrom,
      extended_until: extendedUntil,
      read_at: readAt,
      ...(next !== undefined && {
        next_term_start: next?.start ?? null,
        next_term_quantity: next?.quantity ?? null,
      }),
    })
    .where("id", "=", id)
    .execute();
}

/** Whether a paid order that is not carried out yet acts on the subscription. */
export async function hasOpenOrder(db: Db, id: SubscriptionId): Promise<boolean> {
  const order = await db
    .selectFrom("orders")
    .select("id")
    .where("subscription_id", "=", id)
    .where("stage", "=", "stage3")
    .limit(1)
    .executeTakeFirst();
  return order !== undefined;
}

/** The subscription with a vendor's id, which the vendor may write in another case. */
export async function findByExternalId(
  db: Db,
  family: FamilyId,
  externalId: string,
): Promise<Subscription | null> {
  const row = await named(db)
    .where("subscriptions.family", "=", family)
    .where("subscriptions.external_id", "in", [
      externalId,
      externalId.toLowerCase(),
      externalId.toUpperCase(),
    ])
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toSubscription(row);
}

/** The subscriptions in an account at a vendor, whichever company here has them. */
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
