/**
 * Lock on a subscription: only one order or cancellation at a time changes it at its provider. A cancellation takes the lock with the id
 * of an order of the subscription. The next one waits until the holder is done or given up.
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
 * Takes the hold on the order's subscription, in a run of the order. It survives retries and restarts.
 * @throws SubscriptionBusyError while another order has it; TakenOver, or a run that has been taken over would take it after its release
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
 * Releases the hold of an order that was given up, unless one of its steps is in doubt. A person has to look at that
 * first, or the next order would count from an unknown total.
 */
export async function releaseUnlessInDoubt(db: Db, orderId: OrderId): Promise<void> {
  if (!(await hasStepInDoubt(db, orderId))) await releaseSubscriptionLock(db, orderId);
}
