/** Queries on a plan's seats in one place that count towards its limit: held, paid for, or at the checkout. */
import { sql } from "kysely";
import type { ItemId, OrderId, SubscriptionId, TenantId } from "#db/ids.ts";
import type { OrderKind } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** The scope in which a plan's seats count together: a tenant, or the subscription where a family has no tenants. */
export type SeatScope = { tenantId: TenantId; itemId: ItemId } | { subscriptionId: SubscriptionId };

/** The scope in which an add-on's seats count together: its base subscription. */
export type AddOnScope = { baseId: SubscriptionId; itemId: ItemId };

export interface ActiveSeats {
  id: SubscriptionId;
  quantity: number;
  /** Seats of the next term, or null until it is paid for. */
  nextQuantity: number | null;
  /** The end of the last paid term. */
  end: Date;
}

export interface OrderedSeats {
  kind: OrderKind;
  subscriptionId: SubscriptionId | null;
  quantity: number;
  /** False while it is at the checkout. */
  isPaid: boolean;
}

/** Locks the place until the transaction ends, so that concurrent orders for it are counted in turn. */
export async function lockSeatScope(trx: Trx, place: SeatScope): Promise<void> {
  if ("tenantId" in place) {
    // Not FOR UPDATE, which would also block rows with a foreign key to the tenant.
    await trx
      .selectFrom("tenants")
      .select("id")
      .where("id", "=", place.tenantId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    return;
  }
  await trx
    .selectFrom("subscriptions")
    .select("id")
    .where("id", "=", place.subscriptionId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function listActiveSeats(db: Db, place: SeatScope): Promise<ActiveSeats[]> {
  const active = db
    .selectFrom("subscriptions")
    .select(["id", "quantity", "next_term_quantity as nextQuantity", "end_date as end"])
    .where("status", "=", "active");
  return "tenantId" in place
    ? active.where("tenant_id", "=", place.tenantId).where("item_id", "=", place.itemId).execute()
    : active.where("id", "=", place.subscriptionId).execute();
}

/**
 * Other orders that add seats there: paid and not carried out, or at the checkout since `since`. Renewals add none.
 * @param except the order that asks
 */
export async function listOrderedSeats(
  db: Db,
  place: SeatScope | AddOnScope,
  { except, since }: { except: OrderId; since: Date },
): Promise<OrderedSeats[]> {
  const orderedLines = db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .select([
      "orders.kind",
      "orders.subscription_id as subscriptionId",
      "order_lines.quantity",
      sql<boolean>`orders.stage = 'stage3'`.as("isPaid"),
    ])
    .where("orders.id", "<>", except)
    .where("orders.kind", "<>", "RENEW")
    .where(({ and, eb, or }) =>
      or([
        // One that is not due any more was refunded before it was carried out.
        and([eb("orders.stage", "=", "stage3"), eb("orders.fulfilment_status", "<>", "not_due")]),
        and([
          eb("orders.payment_status", "=", "pending"),
          eb("orders.terms_accepted_at", ">", since),
          eb("orders.removed_at", "is", null),
        ]),
      ]),
    );
  if ("subscriptionId" in place) {
    return orderedLines.where("orders.subscription_id", "=", place.subscriptionId).execute();
  }
  const ofItem = orderedLines.where("orders.item_id", "=", place.itemId);
  return "tenantId" in place
    ? ofItem.where("orders.tenant_id", "=", place.tenantId).execute()
    : ofItem.where("orders.parent_subscription_id", "=", place.baseId).execute();
}
