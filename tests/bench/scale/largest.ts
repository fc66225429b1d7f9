/** The largest company of a filled store, with one example of each of its rows. */
import { sql } from "kysely";
import type { CustomerId, OrderId, RefundId, SubscriptionId, TenantId, UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";

export interface Largest {
  customerId: CustomerId;
  userId: UserId;
  /** Its owner's email. */
  email: string;
  domain: string;
  orderNumber: number;
  /** A fulfilled order with an invoice, so old that its sign-in details are deleted. */
  orderId: OrderId;
  /** An order in its cart, before Place Order. */
  draftId: OrderId;
  /** An active Microsoft subscription. */
  subscriptionId: SubscriptionId;
  /** The subscription's tenant. */
  tenantId: TenantId;
  /** A refund with a credit note. */
  refundId: RefundId;
}

/** @param db filled by `fillStore` @throws Error for another */
export async function findLargest(db: Db): Promise<Largest> {
  const { rows } = await sql<Largest>`
    select u.id as "userId", u.email, c.id as "customerId", s.domain, s.id as "subscriptionId",
           s.tenant_id as "tenantId", o.id as "orderId",
           o.number as "orderNumber", d.id as "draftId", n.refund_id as "refundId"
    from (
      select customer_id as id from orders where customer_id is not null group by customer_id order by count(*) desc limit 1
    ) c
    join members m on m.customer_id = c.id and m.role = 'owner'
    join users u on u.id = m.user_id
    cross join lateral (
      select id, domain, tenant_id from subscriptions
      where customer_id = c.id and family = 'microsoft' and status = 'active' and parent_subscription_id is null
      order by end_date desc limit 1
    ) s
    cross join lateral (
      select id, number from orders
      where customer_id = c.id and stage = 'stage4' and payment_status = 'completed'
        and fulfilled_at < now() - interval '40 days'
      order by number desc limit 1
    ) o
    cross join lateral (
      select id from orders where customer_id = c.id and stage = 'stage2' and user_id = u.id order by number desc limit 1
    ) d
    cross join lateral (
      select n.refund_id from credit_notes n join orders o on o.id = n.order_id
      where o.customer_id = c.id order by n.issued_at desc limit 1
    ) n`.execute(db);
  const [largest] = rows;
  if (largest === undefined) throw new Error("The store is not filled");
  return largest;
}
