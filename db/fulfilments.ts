/** Queries on the progress of fulfilment: one row per order, beside the job that works on it. */
import type { OrderId } from "./ids.ts";
import type { FulfilmentsTable } from "./tables/fulfilment.ts";
import type { Db, Trx } from "./tables/index.ts";

/** Idempotent: one row per order. */
export async function insertFulfilment(trx: Trx, orderId: OrderId): Promise<void> {
  await trx
    .insertInto("fulfilments")
    .values({ order_id: orderId, status: "queued" })
    .onConflict((oc) => oc.column("order_id").doNothing())
    .execute();
}

export async function updateFulfilment(
  trx: Trx,
  orderId: OrderId,
  changes: { status: FulfilmentsTable["status"]; last_error?: string | null; attempts?: number },
): Promise<void> {
  await trx
    .updateTable("fulfilments")
    .set({ ...changes, updated_at: new Date() })
    .where("order_id", "=", orderId)
    .execute();
}

/** Counts a failed attempt. @returns how many there are now */
export async function countFailedTry(trx: Trx, orderId: OrderId, error: string): Promise<number> {
  const { attempts } = await trx
    .updateTable("fulfilments")
    .set((eb) => ({ attempts: eb("attempts", "+", 1), last_error: error, updated_at: new Date() }))
    .where("order_id", "=", orderId)
    .returning("attempts")
    .executeTakeFirstOrThrow();
  return attempts;
}

export async function deleteFulfilment(db: Db, orderId: OrderId): Promise<void> {
  await db.deleteFrom("fulfilments").where("order_id", "=", orderId).execute();
}
