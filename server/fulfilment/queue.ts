/** Puts a paid order's fulfilment on the queue: one row and one job an order, however often it is asked for. */
import { insertFulfilment } from "#db/fulfilments.ts";
import type { OrderId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob } from "#server/outbox/jobs.ts";

/** @param delayMs not before so long from now: for a try after a failure */
export async function queueFulfilment(trx: Trx, orderId: OrderId, delayMs = 0): Promise<void> {
  await insertFulfilment(trx, orderId);
  await addJob(trx, "fulfil-order", { orderId }, { jobKey: `fulfil:${orderId}`, delayMs });
}
