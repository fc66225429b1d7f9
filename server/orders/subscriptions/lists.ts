/** My Subscriptions: a company's running and ended subscriptions. */

import { listSubscriptionsWithTenant, type SubscriptionWithTenant } from "#db/accounts/tenants.ts";
import type { CustomerId } from "#db/ids.ts";
import { listActive, listEnded } from "#db/orders/subscription-lists.ts";
import type { ListedSubscription } from "#db/orders/subscriptions.ts";
import type { Db } from "#db/tables/index.ts";
import { type ListPage, type ListQuery, listPage, parsePageQuery } from "#server/foundation/list-paging.ts";

/**
 * Lists the running subscriptions, first to end first.
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
 * Lists the ended subscriptions (days.ts, hasEnded), last ended first, even if the expiry job has not stored their end yet.
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

/** Lists a company's active subscriptions with their tenants, by domain. */
export function listPlacedSubscriptions(db: Db, customerId: CustomerId): Promise<SubscriptionWithTenant[]> {
  return listSubscriptionsWithTenant(db, customerId);
}
