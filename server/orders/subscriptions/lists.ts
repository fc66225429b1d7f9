/** My Subscriptions: a company's running and ended subscriptions. */

import { listSubscriptionsWithTenant, type SubscriptionWithTenant } from "#db/accounts/tenants.ts";
import type { CustomerId } from "#db/ids.ts";
import { listActive, listEnded } from "#db/orders/subscription-lists.ts";
import type { ListedSubscription } from "#db/orders/subscriptions.ts";
import type { Db } from "#db/tables/index.ts";
import { type ListPage, type ListQuery, listPage, parsePageQuery } from "#server/foundation/list-paging.ts";

/**
 * The running subscriptions, the one that ends first at the top.
 * @throws DomainError bad_request for an invalid search or page
 */
export async function listActiveSubscriptions(
  db: Db,
  customerId: CustomerId,
  query: ListQuery,
  now: Date,
): Promise<ListPage<ListedSubscription>> {
  return listPage(await listActive(db, customerId, parsePageQuery(query), now));
}

/**
 * The ended subscriptions (days.ts, hasEnded), even if the expiry job has not stored that yet; the one that ended last at
 * the top.
 * @throws DomainError bad_request for an invalid search or page
 */
export async function listEndedSubscriptions(
  db: Db,
  customerId: CustomerId,
  query: ListQuery,
  now: Date,
): Promise<ListPage<ListedSubscription>> {
  return listPage(await listEnded(db, customerId, parsePageQuery(query), now));
}

/** A company's active subscriptions with their tenants, by domain. */
export function listPlacedSubscriptions(db: Db, customerId: CustomerId): Promise<SubscriptionWithTenant[]> {
  return listSubscriptionsWithTenant(db, customerId);
}
