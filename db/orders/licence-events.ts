/** Queries on the licences that a company bought and returned, with their amounts, for the annual summary. */
import { sql } from "kysely";
import type { BooksOwner, TimeRange } from "#db/billing/books.ts";
import { holds } from "#db/billing/credit-notes.ts";
import { isRegistrationCancelled } from "#db/billing/invoices.ts";
import type { CustomerId, ItemId, OrderId, SubscriptionId } from "#db/ids.ts";
import type { Currency, OrderKind, SubscriptionStatus } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { detailsSchema } from "./order.ts";

/** A paid order, with the amounts invoiced and credited for it in the given period. */
export interface SeatOrder {
  orderId: OrderId;
  kind: OrderKind;
  /** Null until the order is fulfilled. */
  subscriptionId: SubscriptionId | null;
  itemId: ItemId;
  itemName: string;
  quantity: number;
  paidAt: Date;
  /** Time of fulfilment; null until then, and for an order refunded before it. */
  doneAt: Date | null;
  /** Renewals: the end of the term that the paid one follows. */
  renewsFrom: Date | null;
  invoicedMinor: number;
  creditedMinor: number;
  currency: Currency;
}

/** Lists the owner's orders that were paid before the end of a period, in the order of payment. */
export async function listSeatOrders(
  db: Db,
  owner: BooksOwner,
  { from, before }: TimeRange,
): Promise<SeatOrder[]> {
  const isIn = (column: string) => sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${before}`;
  const theirs =
    "customerId" in owner
      ? sql<boolean>`orders.customer_id = ${owner.customerId}`
      : sql<boolean>`orders.user_id = ${owner.userId} and orders.customer_id is null`;
  const rows = await db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .select([
      "orders.id as orderId",
      "orders.kind",
      "orders.subscription_id as subscriptionId",
      "order_lines.item_id as itemId",
      "order_lines.name as itemName",
      "order_lines.quantity",
      "orders.paid_at as paidAt",
      "orders.fulfilled_at as doneAt",
      "orders.details",
      "orders.currency",
      sql<number>`(
        select coalesce(sum((facts->>'totalMinor')::bigint), 0)::bigint from invoices i
        where i.order_id = orders.id and ${isIn("i.issued_at")} and not ${isRegistrationCancelled("i.number")})`.as(
        "invoicedMinor",
      ),
      sql<number>`(
        select coalesce(sum(credit_notes.total_minor), 0)::bigint from credit_notes
        where credit_notes.order_id = orders.id and ${isIn("credit_notes.issued_at")} and ${holds}
          and not ${isRegistrationCancelled("credit_notes.number")})`.as("creditedMinor"),
    ])
    .where(theirs)
    .where("orders.paid_at", "<", before)
    .orderBy("orders.paid_at")
    .orderBy("orders.id")
    .$narrowType<{ paidAt: Date }>()
    .execute();
  return rows.map(({ details, ...row }) => {
    const { renewal } = detailsSchema.parse(details);
    return { ...row, renewsFrom: renewal === undefined ? null : new Date(renewal.after) };
  });
}

/** A cancellation or reduction that its vendor has made. */
export interface SeatReduction {
  subscriptionId: SubscriptionId;
  seatsBefore: number;
  seatsAfter: number;
  at: Date;
}

export function listSeatReductions(
  db: Db,
  customerId: CustomerId,
  { before }: Pick<TimeRange, "before">,
): Promise<SeatReduction[]> {
  return db
    .selectFrom("cancellations")
    .innerJoin("subscriptions", "subscriptions.id", "cancellations.subscription_id")
    .select([
      "cancellations.subscription_id as subscriptionId",
      "seats_before as seatsBefore",
      "seats_after as seatsAfter",
      "vendor_done_at as at",
    ])
    .where("subscriptions.customer_id", "=", customerId)
    .where("vendor_done_at", "<", before)
    .orderBy("vendor_done_at")
    .$narrowType<{ at: Date }>()
    .execute();
}

/** A subscription's fields for the annual summary. */
export interface OwnedSubscription {
  id: SubscriptionId;
  itemId: ItemId;
  itemName: string;
  domain: string;
  status: SubscriptionStatus;
  /** The end of the last paid term. */
  end: Date;
  createdAt: Date;
}

/** Lists all subscriptions of a company, including ended ones. */
export function listOwnedSubscriptions(db: Db, customerId: CustomerId): Promise<OwnedSubscription[]> {
  return db
    .selectFrom("subscriptions")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .select([
      "subscriptions.id",
      "subscriptions.item_id as itemId",
      "catalogue_items.name as itemName",
      "subscriptions.domain",
      "subscriptions.status",
      "subscriptions.end_date as end",
      "subscriptions.created_at as createdAt",
    ])
    .where("subscriptions.customer_id", "=", customerId)
    .orderBy("catalogue_items.name")
    .orderBy("subscriptions.created_at")
    .orderBy("subscriptions.id")
    .execute();
}
