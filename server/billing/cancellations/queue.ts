/** Adds the job that carries out a cancellation, at most once for each. */
import type { CancellationId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";

/** The key of its job. */
export const cancellationJob = (id: CancellationId) => `cancellation:${id}`;

/** @param delayMs the earliest start from now, in milliseconds: for another try */
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
