/**
 * Finds workers that have crashed. The queue keeps a killed worker's jobs locked for hours, and a paid order cannot wait
 * that long. So every worker writes heartbeats, and the jobs of a silent worker are unlocked.
 */

import {
  deleteHeartbeats,
  deleteStaleHeartbeats,
  type EndedJob,
  type LockHolder,
  listLockHolders,
  unlockJobsOf,
} from "#db/platform/workers.ts";
import type { Db } from "#db/tables/index.ts";

/** Missed heartbeats after which a worker counts as dead: enough that a busy machine does not look dead. */
export const missedBeats = 6;

/** Returns the milliseconds of silence after which other workers presume a worker dead. */
export const silentAfterMs = (heartbeatMs: number) => missedBeats * heartbeatMs;

/**
 * Removes workers that end abnormally, and unlocks their jobs. Not for a clean shutdown, when a job's completion might not
 * be written yet.
 * @returns the jobs that were ended as failed after too many interruptions
 */
export async function releaseWorkerJobs(db: Db, workerIds: readonly string[]): Promise<EndedJob[]> {
  return db.transaction().execute(async (trx) => {
    const ended = await unlockJobsOf(trx, workerIds);
    await deleteHeartbeats(trx, workerIds);
    return ended;
  });
}

/** Workers that a check found dead, and those of their jobs that were ended as failed after too many interruptions. */
export interface Released {
  dead: string[];
  ended: EndedJob[];
}

/**
 * Creates a function to be called once per heartbeat, which unlocks the jobs of dead workers so that any worker may run them
 * again. A worker is dead after six heartbeats of silence, by the database's clock and by the judge's own count of checks: a
 * judge that was stalled, with the whole machine or on its own, gives the others as many heartbeats as before.
 * @param own ids of the judge's own workers, which it never judges
 */
export function createJudge(db: Db, heartbeatMs: number, own: ReadonlySet<string>): () => Promise<Released> {
  const isDead = createSilence(own);
  const silentMs = silentAfterMs(heartbeatMs);
  return () =>
    db.transaction().execute(async (trx) => {
      const dead = isDead(await listLockHolders(trx, silentMs));
      const ended = await unlockJobsOf(trx, dead);
      await deleteStaleHeartbeats(trx, silentMs);
      return { dead, ended };
    });
}

/** Creates a function that takes the lock holders at each check, and returns the ids of the dead ones. */
export function createSilence(own: ReadonlySet<string>): (holders: readonly LockHolder[]) => string[] {
  let silences = new Map<string, { seenAt: string | null; looks: number }>();
  return (holders) => {
    const before = silences;
    silences = new Map();
    const dead: string[] = [];
    for (const { workerId, seenAt, isSilent } of holders) {
      if (own.has(workerId)) continue;
      const known = before.get(workerId);
      // Another judge may have deleted the heartbeat of a silent worker, which does not prove that it is alive.
      const isUnchanged = known !== undefined && (seenAt === null || seenAt === known.seenAt);
      const looks = isUnchanged ? known.looks + 1 : 0;
      silences.set(workerId, { seenAt, looks });
      if (isSilent && looks >= missedBeats) dead.push(workerId);
    }
    return dead;
  };
}
