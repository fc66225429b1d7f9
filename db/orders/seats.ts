/** Queries on the seats that count towards a plan's limit in one scope: held, paid for, or at the checkout. */
import { sql } from "kysely";
import type { ItemId, OrderId, SubscriptionId, TenantId } from "#db/ids.ts";
import type { OrderKind } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** Scope in which a plan's seats are counted together: a tenant, or the subscription for a family without tenants. */
export type SeatScope = { tenantId: TenantId; itemId: ItemId } | { subscriptionId: SubscriptionId };

/** Scope in which an add-on's seats are counted together: its base subscription. */
export type AddOnScope = { baseId: SubscriptionId; itemId: ItemId };

export interface ActiveSeats {
  id: SubscriptionId;
  quantity: number;
  /** Seats of the next term; null until it is paid for. */
  nextQuantity: number | null;
  /** End of the last paid term. */
  end: Date;
}

export interface OrderedSeats {
  kind: OrderKind;
  subscriptionId: SubscriptionId | null;
  quantity: number;
  /** False while the order is at the checkout. */
  isPaid: boolean;
}

/** Locks the scope until the transaction ends, so that concurrent orders for it are counted in turn. */
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
 * Lists other orders that add seats in the scope: paid and unfulfilled, or at the checkout since `since`. Renewals add no
 * seats.
 * @param except the current order
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
        // An order that is no longer due was refunded before fulfilment.
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
