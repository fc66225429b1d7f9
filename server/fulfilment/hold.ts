/** One order at a time changes a subscription at its provider: the next waits until the one before it is done or given up. */
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import { hasStepInDoubt } from "#db/stored-steps.ts";
import type { Subscription } from "#db/subscriptions.ts";
import { claimSubscription, findHolder, releaseSubscription } from "#db/subscriptions.ts";
import type { Db } from "#db/tables/index.ts";
import { findSubscription } from "#server/subscriptions/subscription.ts";
import { SubscriptionBusy } from "./stops.ts";

/** Takes hold of the order's subscription, over retries and restarts. @throws SubscriptionBusy while another has it */
export async function holdSubscription(db: Db, { id, subscriptionId }: Order): Promise<Subscription> {
  if (subscriptionId === null) throw new RangeError("An order that changes a subscription names it");
  if (!(await claimSubscription(db, subscriptionId, id)))
    throw new SubscriptionBusy(await findHolder(db, subscriptionId));
  const subscription = await findSubscription(db, subscriptionId);
  if (subscription === null) throw new RangeError("An order changes a subscription that is not there");
  return subscription;
}

/**
 * Lets go of it when the order is given up, unless a call of it may have taken effect unheard: then a person has to look
 * first, or the next order would count from a total that nobody knows.
 */
export async function releaseUnlessInDoubt(db: Db, orderId: OrderId): Promise<void> {
  if (!(await hasStepInDoubt(db, orderId))) await releaseSubscription(db, orderId);
}
