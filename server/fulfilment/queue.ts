/** Queues a paid order's fulfilment. Idempotent: one row and one job per order. */
import { insertFulfilment } from "#db/fulfilment/fulfilments.ts";
import type { OrderId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";

/** Queues the job. @param delayMs earliest start from now in milliseconds, for a retry after a failure */
export async function queueFulfilment(trx: Trx, orderId: OrderId, delayMs = 0): Promise<void> {
  const vendor = await insertFulfilment(trx, orderId);
  await addJob(trx, "fulfil-order", { orderId }, { jobKey: `fulfil:${orderId}`, delayMs, vendor });
}
