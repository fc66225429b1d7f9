/** The milestones of a paid order that its buyer sees. */
import type { OrderId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";

export interface OrderMilestones {
  paidAt: Date | null;
  /** Whether the order creates an account at the vendor. */
  makesAccount: boolean;
  /** Time at which the vendor had created the account. */
  accountAt: Date | null;
  /** Time at which the licences were ready. */
  fulfilledAt: Date | null;
  /** Time at which the confirmation mail was sent. */
  mailedAt: Date | null;
}

/** Reads an order's milestones; null when there is no such order. */
export async function readOrderMilestones(db: Db, orderId: OrderId): Promise<OrderMilestones | null> {
  const found = await db
    .selectFrom("orders")
    .leftJoin("provider_requests", (join) =>
      join
        .onRef("provider_requests.order_id", "=", "orders.id")
        .on("provider_requests.step", "=", "customer"),
    )
    .leftJoin("mails", (join) =>
      join
        .onRef("mails.order_id", "=", "orders.id")
        .on("mails.dedupe_key", "=", `order-confirmation:${orderId}`),
    )
    .select([
      "orders.paid_at",
      "provider_requests.step",
      "provider_requests.finished_at",
      "orders.fulfilled_at",
      "mails.sent_at",
    ])
    .where("orders.id", "=", orderId)
    .executeTakeFirst();
  if (found === undefined) return null;
  return {
    paidAt: found.paid_at,
    makesAccount: found.step !== null,
    accountAt: found.finished_at,
    fulfilledAt: found.fulfilled_at,
    mailedAt: found.sent_at,
  };
}
