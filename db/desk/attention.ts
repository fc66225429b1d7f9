/** Queries on orders that need attention, with the data that staff need. */
import type { OrderId } from "#db/ids.ts";
import { type OrderSummary, orderSummaries } from "#db/orders/order-summary.ts";
import type { Db } from "#db/tables/index.ts";

const ordersUnderWay = (db: Db) =>
  orderSummaries(db)
    .leftJoin("fulfilments", "fulfilments.order_id", "orders.id")
    .select(["orders.paid_at as paidAt", "fulfilments.attempts", "fulfilments.last_error as lastError"]);

/** An order with its fulfilment. */
export interface OrderWithFulfilment extends OrderSummary {
  paidAt: Date | null;
  /** Null until it was queued for the first time. */
  attempts: number | null;
  lastError: string | null;
}

/** Lists orders that need attention and are not fully refunded, the longest waiting first. */
export function listOrdersNeedingAttention(db: Db, limit: number): Promise<OrderWithFulfilment[]> {
  return ordersUnderWay(db)
    .where("orders.stage", "=", "stage3")
    .where("orders.fulfilment_status", "=", "needs_attention")
    .where("orders.payment_status", "not in", ["refunded", "lost"])
    .orderBy("orders.updated_at")
    .limit(limit)
    .execute();
}

export interface OrderInvestigation {
  order: OrderWithFulfilment;
  /** Requests made to the provider, oldest first. */
  steps: {
    step: string;
    status: "sent" | "succeeded";
    requestId: string;
    inDoubt: boolean;
    createdAt: Date;
  }[];
  payments: { providerPaymentId: string; status: string; problem: string | null }[];
  audit: { at: Date; action: string; data: unknown }[];
}

export async function readOrderInvestigation(db: Db, id: OrderId): Promise<OrderInvestigation | null> {
  const order = await ordersUnderWay(db).where("orders.id", "=", id).executeTakeFirst();
  if (order === undefined) return null;
  const [steps, payments, audit] = await Promise.all([
    db
      .selectFrom("provider_requests")
      .select(({ eb, and, or }) => [
        "step",
        "status",
        "request_id as requestId",
        "created_at as createdAt",
        and([eb("status", "=", "sent"), or([eb("unanswered", "=", true), eb("doubtful", "=", true)])])
          .$castTo<boolean>()
          .as("inDoubt"),
      ])
      .where("order_id", "=", id)
      .orderBy("created_at")
      .execute(),
    db
      .selectFrom("payments")
      .select(["provider_payment_id as providerPaymentId", "status", "problem"])
      .where("order_id", "=", id)
      .orderBy("created_at")
      .execute(),
    db
      .selectFrom("audit_log")
      .select(["at", "action", "data"])
      .where("subject", "=", `order:${id}`)
      .orderBy("id")
      .execute(),
  ]);
  return { order, steps, payments, audit };
}

export async function findOrderByNumber(db: Db, number: number): Promise<OrderId | null> {
  const found = await db.selectFrom("orders").select("id").where("number", "=", number).executeTakeFirst();
  return found?.id ?? null;
}
