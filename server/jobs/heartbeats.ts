/**
 * Finds workers that have crashed. The queue keeps a killed worker's jobs locked for hours, and a paid order cannot wait
 * that long. So every worker writes heartbeats, and the jobs of a silent worker are unlocked.
 */
import type { Db } from "#db/tables/index.ts";
import { deleteHeartbeats, deleteSilent, listDeadHolders, unlockJobsOf } from "#db/workers.ts";

/** Heartbeats missed before a worker counts as dead: enough that a busy machine does not look dead. */
export const missedBeats = 6;

/** After how many milliseconds of silence a worker is dead to the others. */
export const silentAfterMs = (heartbeatMs: number) => missedBeats * heartbeatMs;

/**
 * Removes workers that end abnormally, and unlocks their jobs. Not for a clean shutdown, when a job's completion may not
 * be written yet.
 */
export async function giveFree(db: Db, workerIds: readonly string[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await unlockJobsOf(trx, workerIds);
    await deleteHeartbeats(trx, workerIds);
  });
}

/**
 * Unlocks the jobs of workers that have been silent for six heartbeats, so that any worker may run them again.
 * @returns the ids of the workers that held them
 */
export async function releaseDeadWorkers(db: Db, heartbeatMs: number): Promise<string[]> {
  const silentMs = silentAfterMs(heartbeatMs);
  return db.transaction().execute(async (trx) => {
    const dead = await listDeadHolders(trx, silentMs);
    await unlockJobsOf(trx, dead);
    await deleteSilent(trx, silentMs);
    return dead;
  });
}
