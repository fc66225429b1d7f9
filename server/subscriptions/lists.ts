/** My Subscriptions: what a company has running, and what is over. */
import type { CustomerId } from "#db/ids.ts";
import { listActive, listEnded, type SubscriptionListed } from "#db/subscriptions.ts";
import type { Db } from "#db/tables/index.ts";
import { listPlaced, type PlacedSubscription } from "#db/tenants.ts";
import { type ListPage, type ListQuery, listPage, pageAsked } from "#server/lists.ts";

/**
 * The subscriptions whose term is running, the one that ends first at the top.
 * @throws DomainError bad_request for a search or a page that can be none
 */
export async function listActiveSubscriptions(
  db: Db,
  customerId: CustomerId,
  query: ListQuery,
  now: Date,
): Promise<ListPage<SubscriptionListed>> {
  return listPage(await listActive(db, customerId, pageAsked(query), now));
}

/**
 * Those that are over (days.ts, hasEnded), also before the job that writes so has run; the one that ended last at the top.
 * @throws DomainError bad_request for a search or a page that can be none
 */
export async function listEndedSubscriptions(
  db: Db,
  customerId: CustomerId,
  query: ListQuery,
  now: Date,
): Promise<ListPage<SubscriptionListed>> {
  return listPage(await listEnded(db, customerId, pageAsked(query), now));
}

/** A company's active subscriptions with the tenant each is in, by domain. */
export function listPlacedSubscriptions(db: Db, customerId: CustomerId): Promise<PlacedSubscription[]> {
  return listPlaced(db, customerId);
}
