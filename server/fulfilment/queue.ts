/** Puts a paid order's fulfilment on the queue: one row and one job an order, however often it is asked for. */
import type { OrderId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob } from "#server/outbox/jobs.ts";

/** @param delayMs not before so long from now: for a try after a failure */
export async function queueFulfilment(trx: Trx, orderId: OrderId, delayMs = 0): Promise<void> {
  await trx
    .insertInto("fulfilments")
    .values({ order_id: orderId, status: "queued" })
    .onConflict((oc) => oc.column("order_id").doNothing())
    .execute();
  await addJob(trx, "fulfil-order", { orderId }, { jobKey: `fulfil:${orderId}`, delayMs });
}

/** Writes down how far the job is. */
export async function setStatus(
  trx: Trx,
  orderId: OrderId,
  changes: { status: "queued" | "running" | "done" | "needs_attention"; last_error?: string | null },
): Promise<void> {
  await trx
    .updateTable("fulfilments")
    .set({ ...changes, updated_at: new Date() })
    .where("order_id", "=", orderId)
    .execute();
}
