/** Subscriptions of any age and state, for tests of what is shown of them and what happens to them later. */
import type { Insertable } from "kysely";
import { isItemId } from "#db/catalogue.ts";
import { type CustomerId, newId, type SubscriptionId } from "#db/ids.ts";
import type { SubscriptionsTable } from "#db/tables/fulfilment.ts";
import type { Db } from "#db/tables/index.ts";

const dayMs = 86_400_000;

/** A year of Microsoft 365 Business Basic that ends in 100 days, unless the test says otherwise. */
export async function makeSubscription(
  db: Db,
  customerId: CustomerId,
  changes: Partial<Insertable<SubscriptionsTable>> = {},
): Promise<SubscriptionId> {
  const id = newId<SubscriptionId>();
  const itemId = "microsoft-365-business-basic";
  if (!isItemId(itemId)) throw new Error(`Not an item's id: ${itemId}`);
  await db
    .insertInto("subscriptions")
    .values({
      id,
      customer_id: customerId,
      tenant_id: null,
      order_id: null,
      item_id: itemId,
      family: "microsoft",
      external_id: id,
      domain: "acme.onmicrosoft.com",
      quantity: 5,
      term: "P1Y",
      billing_cycle: "annual",
      status: "active",
      parent_subscription_id: null,
      start_date: new Date(Date.now() - 265 * dayMs),
      end_date: new Date(Date.now() + 100 * dayMs),
      ...changes,
    })
    .execute();
  return id;
}
