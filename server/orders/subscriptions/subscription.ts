/** Finds and locks subscriptions, and decides whether their terms still run. */
import { type CustomerId, parseId, type SubscriptionId } from "#db/ids.ts";
import { readSubscription, readSubscriptionLocked, type Subscription } from "#db/orders/subscriptions.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { notFound } from "#server/foundation/errors.ts";
import { hasEnded } from "./days.ts";

export async function findSubscription(db: Db, id: SubscriptionId): Promise<Subscription | null> {
  return readSubscription(db, id);
}

/**
 * A company's own subscription. Anything else is a 404, whether it exists or not (docs/decisions/security.md#every-route).
 * @throws DomainError not_found
 */
export async function getSubscriptionOf(
  db: Db,
  customerId: CustomerId | null,
  id: string,
): Promise<Subscription> {
  const parsed = parseId<SubscriptionId>(id);
  const found = parsed === null ? null : await findSubscription(db, parsed);
  if (found === null || customerId === null || found.customerId !== customerId)
    throw notFound("subscription");
  return found;
}

/** Reads and locks a subscription. @throws DomainError not_found */
export async function lockSubscription(trx: Trx, id: SubscriptionId): Promise<Subscription> {
  const subscription = await readSubscriptionLocked(trx, id);
  if (subscription === null) throw notFound("subscription");
  return subscription;
}

/** False once its last term is over, even if the expiry job has not stored that yet. */
export function isRunning(subscription: Pick<Subscription, "status" | "end">, now: Date): boolean {
  return !hasEnded(subscription, now);
}
