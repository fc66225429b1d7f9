/**
 * Finds workers that died. The queue keeps a killed worker's job locked for hours; a paid order cannot wait that long, so
 * every worker signs a heartbeat table, and what is locked by one that stopped signing is given free.
 */
import type { Db } from "#db/tables/index.ts";
import { deleteHeartbeats, deleteSilent, listDeadHolders, unlockJobsOf } from "#db/workers.ts";

/** Heartbeats missed before a worker is taken for dead: enough that a busy machine does not look like a dead one. */
const missedBeats = 6;

/** Takes workers that end in disorder off the list, and unlocks their jobs. Never in good order: an end may still be being written. */
export async function giveFree(db: Db, workerIds: readonly string[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await unlockJobsOf(trx, workerIds);
    await deleteHeartbeats(trx, workerIds);
  });
}

/**
 * Unlocks the jobs of workers not heard of for six heartbeats, so that any worker may run them again.
 * @returns the ids of the workers that held them
 */
export async function releaseDeadWorkers(db: Db, heartbeatMs: number): Promise<string[]> {
  const silentMs = missedBeats * heartbeatMs;
  return db.transaction().execute(async (trx) => {
    const dead = await listDeadHolders(trx, silentMs);
    await unlockJobsOf(trx, dead);
    await deleteSilent(trx, silentMs);
    return dead;
  });
}
