/** The subscription lock: only one order or cancellation at a time changes a subscription. */
import type { OrderId, SubscriptionId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";

/** Takes a subscription's lock for an order, until it is released. Idempotent. @returns false while another order holds it */
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

/** Finds the order that holds the lock and whether it waits for a person; null when there is none. */
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
