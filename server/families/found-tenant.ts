/** Whose a tenant is that was found at the provider while it was in doubt whether our own try had made it. */
import type { RawBuilder } from "kysely";
import type { Context } from "#server/context.ts";
import type { Order } from "#server/orders/order.ts";

/**
 * A tenant in doubt is taken only when no one else of ours can have made it, or a buyer would be let into another's.
 * @param asksForIt of a row of `orders`: that it asks for the same domain
 */
export async function mayBeAnothers(
  { db }: Pick<Context, "db">,
  order: Order,
  externalId: string,
  asksForIt: RawBuilder<boolean>,
): Promise<boolean> {
  const tenant = await db
    .selectFrom("tenants")
    .select("customer_id")
    .where("family", "=", order.family)
    .where("external_id", "=", externalId)
    .executeTakeFirst();
  if (tenant !== undefined && tenant.customer_id !== order.customerId) return true;
  // Not finished yet, and so without a tenant row: the step is written down before its call.
  const rival = await db
    .selectFrom("provider_requests")
    .innerJoin("orders", "orders.id", "provider_requests.order_id")
    .select("orders.id")
    .where("provider_requests.step", "=", "customer")
    .where("orders.family", "=", order.family)
    .where("orders.id", "<>", order.id)
    .where(asksForIt)
    .executeTakeFirst();
  return rival !== undefined;
}
