/** Queues the job of a cancellation, at most one per cancellation. */
import type { CancellationId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";

/** Returns the key of its job. */
export const cancellationJob = (id: CancellationId) => `cancellation:${id}`;

/** Queues the job. @param delayMs earliest start from now in milliseconds, for a retry */
export async function queueCancellation(
  trx: Trx,
  cancellationId: CancellationId,
  delayMs = 0,
): Promise<void> {
  await addJob(
    trx,
    "carry-out-cancellation",
    { cancellationId },
    { jobKey: cancellationJob(cancellationId), delayMs },
  );
}
