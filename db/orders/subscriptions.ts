/** Queries on subscriptions, mapped to `Subscription` with the plan's name. */

import { sql } from "kysely";
import type { CustomerId, ItemId, OrderId, SubscriptionId, TenantId } from "#db/ids.ts";
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

/** A company's subscription to a plan. */
export interface Subscription {
  id: SubscriptionId;
  customerId: CustomerId;
  tenantId: TenantId | null;
  itemId: ItemId;
  name: string;
  family: FamilyId;
  /** Country of purchase; the subscription can be changed only there. */
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
  /** The paid next term, until it begins. */
  next: { start: Date; quantity: number } | null;
  /** The day of the month on which its terms end, 1 to 31; null until it is renewed. */
  anchorDay: number | null;
  /** Whether a paid order is changing it at its provider. */
  isBeingChanged: boolean;
  /** Whether its vendor has suspended it, although its term runs. */
  isSuspended: boolean;
  /** Whether its vendor waits for the customer to accept its terms. */
  waitsForTerms: boolean;
  /** Seats before the vendor reported fewer; null when it has the seats that were bought. */
  reducedFrom: number | null;
  /** The end of the vendor's paid extension after its term (docs/decisions/renewal.md#end-of-term); null when it has none. */
  extendedUntil: Date | null;
  /** Time of the last reading from its vendor; null for never. */
  readAt: Date | null;
  /** The order that bought it; null when it was bought elsewhere. */
  orderId: OrderId | null;
}

/** The fields of a new subscription. */
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

/** The fields of a subscription that may change; undefined ones stay as they are. */
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

export type ListedRow = Pick<
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

export function toListed(row: ListedRow): ListedSubscription {
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

export function toSubscription(
  row: SubscriptionRow & { item_name: string; sold_from: Country },
): Subscription {
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

/** SQL condition: whether a renewal is paid and not fulfilled yet. */
export const isBeingRenewed = sql<boolean>`exists (
  select from orders
  where orders.subscription_id = subscriptions.id and orders.kind = 'RENEW' and orders.stage = 'stage3')`;

/**
 * SQL for queries of subscriptions and customers: the country of the subscription's tenant, else of its company. As a subquery
 * it reads the tenant by its primary key.
 */
export const soldFrom = sql<Country>`coalesce(
  (select tenants.country from tenants where tenants.id = subscriptions.tenant_id), customers.country)`;

export const named = (db: Db) =>
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

/** Reads a subscription and locks it until the transaction ends. */
export async function readSubscriptionLocked(trx: Trx, id: SubscriptionId): Promise<Subscription | null> {
  const row = await named(trx)
    .where("subscriptions.id", "=", id)
    .forUpdate("subscriptions")
    .executeTakeFirst();
  return row === undefined ? null : toSubscription(row);
}

/** Finds the newest order of a kind that acts on the subscription and was not removed from the cart. */
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

export async function insertSubscription(trx: Trx, subscription: NewSubscription): Promise<void> {
  await trx.insertInto("subscriptions").values(subscriptionRow(subscription)).execute();
}

/** Maps a new subscription to its row. */
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

/** Whether a paid, unfulfilled order acts on the subscription. */
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

/** Finds the subscription with a vendor's id, which the vendor may write in another case. */
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
