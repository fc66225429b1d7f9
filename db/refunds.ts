/** Queries on refunds: money that goes back to a buyer. */
import type { OrderId, RefundId } from "./ids.ts";
import type { Db, Trx } from "./tables/index.ts";
import type { RefundRow } from "./tables/payments.ts";

export async function insertRefund(
  trx: Trx,
  refund: Pick<RefundRow, "id" | "order_id" | "provider_payment_id" | "amount_minor" | "currency" | "reason">,
): Promise<void> {
  await trx
    .insertInto("refunds")
    .values({ ...refund, status: "requested", provider_refund_id: null, problem: null })
    .execute();
}

export async function findRefund(db: Db, id: RefundId): Promise<RefundRow | null> {
  const row = await db.selectFrom("refunds").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

/** The newest refund of an order. */
export async function findRefundOf(db: Db, orderId: OrderId): Promise<RefundRow | null> {
  const row = await db
    .selectFrom("refunds")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function updateRefund(
  db: Db,
  id: RefundId,
  changes: Pick<RefundRow, "status"> & Partial<Pick<RefundRow, "provider_refund_id" | "problem">>,
): Promise<void> {
  await db
    .updateTable("refunds")
    .set({ ...changes, updated_at: new Date() })
    .where("id", "=", id)
    .execute();
}
