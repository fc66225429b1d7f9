/** What a company bought of each subscription and gave back, with the money of it, for the summary of a year. */
import { sql } from "kysely";
import type { BooksOwner, TimeRange } from "#db/billing/books.ts";
import { holds } from "#db/billing/credit-notes.ts";
import { isRegistrationCancelled } from "#db/billing/invoices.ts";
import type { CustomerId, ItemId, OrderId, SubscriptionId } from "#db/ids.ts";
import type { Currency, OrderKind, SubscriptionStatus } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { detailsSchema } from "./order.ts";

/** A paid order, with what of it was invoiced and credited in the time that is asked for. */
export interface SeatOrder {
  orderId: OrderId;
  kind: OrderKind;
  /** Null while it is not carried out. */
  subscriptionId: SubscriptionId | null;
  itemId: ItemId;
  itemName: string;
  quantity: number;
  paidAt: Date;
  /** When it was carried out; null while it is not, and where its money went back before. */
  doneAt: Date | null;
  /** Of a renewal: the end of the term that the paid one follows. */
  renewsFrom: Date | null;
  invoicedMinor: number;
  creditedMinor: number;
  currency: Currency;
}

/** The owner's paid orders up to the end of a time, in the order of their payment. */
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

/** A cancellation or a reduction that its vendor has carried out. */
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

/** A subscription, as far as the summary of a year needs it. */
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

/** All of a company's, those that are over too. */
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
