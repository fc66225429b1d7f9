/**
 * The subscription lock: only one order or cancellation at a time changes a subscription at its provider. A cancellation takes
 * the lock with the id of one of the subscription's orders. The next one waits until the holder is done or stopped.
 */
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import {
  acquireSubscriptionLock,
  findLockHolder,
  releaseSubscriptionLock,
} from "#db/orders/subscription-lock.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import { hasStepInDoubt } from "#db/platform/stored-steps.ts";
import type { Db } from "#db/tables/index.ts";
import { findSubscription } from "#server/orders/subscriptions/subscription.ts";
import { requireRun } from "#server/platform/stored-steps/run.ts";
import { SubscriptionBusyError } from "./stop-reasons.ts";

/**
 * Takes the lock on the order's subscription, in a run of the order. It survives retries and restarts.
 * @throws SubscriptionBusyError while another order holds it; RunSupersededError, because a superseded run would take it after
 * its release
 */
export async function lockForOrder(db: Db, { id, subscriptionId }: Order): Promise<Subscription> {
  if (subscriptionId === null) throw new RangeError("An order that changes a subscription names it");
  const isClaimed = await db.transaction().execute(async (trx) => {
    await requireRun(trx, id);
    return acquireSubscriptionLock(trx, subscriptionId, id);
  });
  if (!isClaimed) throw new SubscriptionBusyError(await findLockHolder(db, subscriptionId));
  const subscription = await findSubscription(db, subscriptionId);
  if (subscription === null) throw new RangeError("An order changes a subscription that is not there");
  return subscription;
}

/**
 * Releases the lock of a stopped order, unless one of its steps is in doubt: a person has to check that first, or the next
 * order would count from an unknown total.
 */
export async function releaseUnlessInDoubt(db: Db, orderId: OrderId): Promise<void> {
  if (!(await hasStepInDoubt(db, orderId))) await releaseSubscriptionLock(db, orderId);
}
