/** Queries on subscriptions, with the names a list shows. */
import type { CustomerId } from "./ids.ts";
import type { SubscriptionRow } from "./tables/fulfilment.ts";
import type { Db } from "./tables/index.ts";

export type SubscriptionListRow = Pick<
  SubscriptionRow,
  "id" | "family" | "domain" | "quantity" | "status" | "start_date" | "end_date"
> & { item_name: string };

/** A company's subscriptions, the one that ends first at the top. */
export async function listSubscriptions(
  db: Db,
  customerId: CustomerId,
  limit = 200,
): Promise<SubscriptionListRow[]> {
  return db
    .selectFrom("subscriptions")
    .innerJoin("catalogue_items", "catalogue_items.id", "subscriptions.item_id")
    .select([
      "subscriptions.id",
      "subscriptions.family",
      "subscriptions.domain",
      "subscriptions.quantity",
      "subscriptions.status",
      "subscriptions.start_date",
      "subscriptions.end_date",
      "catalogue_items.name as item_name",
    ])
    .where("subscriptions.customer_id", "=", customerId)
    .orderBy("subscriptions.end_date")
    .orderBy("subscriptions.id")
    .limit(limit)
    .execute();
}
