/**
 * Finds workers that died. The queue keeps a killed worker's job locked for hours; a paid order cannot wait that long, so
 * every worker signs a heartbeat table, and what is locked by one that stopped signing is given free.
 */
import { sql } from "kysely";
import type { Db, Trx } from "#db/tables/index.ts";

/** Heartbeats missed before a worker is taken for dead: enough that a busy machine does not look like a dead one. */
const missedBeats = 6;

/** Signs that the workers with these ids live. */
export async function beat(db: Db, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return;
  await db
    .insertInto("worker_heartbeats")
    .values(workerIds.map((worker_id) => ({ worker_id, seen_at: sql<Date>`now()` })))
    .onConflict((conflict) => conflict.column("worker_id").doUpdateSet({ seen_at: sql<Date>`now()` }))
    .execute();
}

/** Takes workers that stopped in good order off the list. */
export async function forget(db: Db, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return;
  await db.deleteFrom("worker_heartbeats").where("worker_id", "in", workerIds).execute();
}

/** The same of workers that end in disorder, whose jobs are unlocked as well. Never in good order: an end may still be being written. */
export async function giveFree(db: Db, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return;
  await db.transaction().execute(async (trx) => {
    await unlock(trx, workerIds);
    await forget(trx, workerIds);
  });
}

/**
 * Unlocks the jobs of workers not heard of for six heartbeats, so that any worker may run them again.
 * @returns the ids of the workers that held them
 */
export async function releaseDeadWorkers(db: Db, heartbeatMs: number): Promise<string[]> {
  const deadBefore = sql<Date>`now() - make_interval(secs => ${(missedBeats * heartbeatMs) / 1000}::float8)`;
  return db.transaction().execute(async (trx) => {
    // The only place that reads the queue's private tables: it has no public view of who holds a lock. A young lock is
    // left alone whoever holds it: a worker may take its first job before its first heartbeat is written.
    const { rows } = await sql<{ locked_by: string }>`
      select distinct locked.locked_by
      from (
        select locked_by, locked_at from graphile_worker._private_jobs
        union all
        select locked_by, locked_at from graphile_worker._private_job_queues
      ) locked
      where locked.locked_by is not null
        and locked.locked_at < ${deadBefore}
        and not exists (
          select from worker_heartbeats beat
          where beat.worker_id = locked.locked_by and beat.seen_at >= ${deadBefore}
        )`.execute(trx);
    const dead = rows.map((row) => row.locked_by);
    if (dead.length > 0) await unlock(trx, dead);
    await trx.deleteFrom("worker_heartbeats").where("seen_at", "<", deadBefore).execute();
    return dead;
  });
}

async function unlock(trx: Trx, workerIds: readonly string[]): Promise<void> {
  await sql`select graphile_worker.force_unlock_workers(${workerIds}::text[])`.execute(trx);
}
