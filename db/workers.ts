/** Queries on workers: their heartbeats, and the jobs that dead workers have locked. */
import { sql } from "kysely";
import type { Db, Trx } from "./tables/index.ts";

/** Records that workers are alive, by the database's clock. */
export async function saveHeartbeats(db: Db, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return;
  await db
    .insertInto("worker_heartbeats")
    .values(workerIds.map((worker_id) => ({ worker_id, seen_at: sql<Date>`now()` })))
    .onConflict((conflict) => conflict.column("worker_id").doUpdateSet({ seen_at: sql<Date>`now()` }))
    .execute();
}

export async function deleteHeartbeats(db: Db, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return;
  await db.deleteFrom("worker_heartbeats").where("worker_id", "in", workerIds).execute();
}

/** Deletes heartbeats older than this many milliseconds. */
export async function deleteSilent(db: Db, silentMs: number): Promise<void> {
  await db.deleteFrom("worker_heartbeats").where("seen_at", "<", ago(silentMs)).execute();
}

/** Whether a worker has shown a heartbeat in so many milliseconds, by the database's clock. */
export async function hasLiveWorker(db: Db, silentMs: number): Promise<boolean> {
  const row = await db
    .selectFrom("worker_heartbeats")
    .select("worker_id")
    .where("seen_at", ">=", ago(silentMs))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Lock holders in the queue without a heartbeat for this many milliseconds. This, unlockJobsOf and unlockLost alone know the queue's
 * private tables, because no public view shows who holds the lock of a queue, and no function deletes a locked job. A recent lock is
 * ignored whoever holds it, because a worker may take its first job before its first heartbeat is written.
 */
export async function listDeadHolders(trx: Trx, silentMs: number): Promise<string[]> {
  const { rows } = await sql<{ locked_by: string }>`
    select distinct locked.locked_by
    from (
      select locked_by, locked_at from graphile_worker._private_jobs
      union all
      select locked_by, locked_at from graphile_worker._private_job_queues
    ) locked
    where locked.locked_by is not null
      and locked.locked_at < ${ago(silentMs)}
      and not exists (
        select from worker_heartbeats beat
        where beat.worker_id = locked.locked_by and beat.seen_at >= ${ago(silentMs)}
      )`.execute(trx);
  return rows.map((row) => row.locked_by);
}

/** A job as a worker has taken it; it is another when it is taken again. */
export interface TakenJob {
  id: string;
  key: string | null;
  locked_at: Date | null;
}

/**
 * How the job stands that one of these workers has taken; null when it has been taken again since, or is gone. Over: a later job has
 * replaced it, or it has been taken out of the queue, which takes its key and its further tries. The database counts microseconds, a
 * Date does not.
 */
export async function findHeldJob(
  db: Db,
  job: TakenJob,
  workerIds: readonly string[],
): Promise<{ isOver: boolean } | null> {
  const { rows } = await sql<{ key: string | null }>`
    select key from graphile_worker.jobs
    where id = ${job.id} and locked_by = any(${workerIds}::text[])
      and abs(extract(epoch from locked_at - ${job.locked_at}::timestamptz)) < 0.002`.execute(db);
  const [held] = rows;
  return held === undefined ? null : { isOver: job.key !== null && held.key === null };
}

/**
 * Of a job that is over the queue keeps the row for whoever does it, and for ever when that process dies. Without keys from the
 * beginning are clock jobs alone, which are added again by the clock.
 */
const isOver = sql`key is null and attempts >= max_attempts`;

/** So that none is replaced while others are looked through. */
async function lockJobsOf(trx: Trx, workerIds: readonly string[]): Promise<void> {
  await sql`
    select from graphile_worker._private_jobs
    where locked_by = any(${workerIds}::text[]) order by id for update`.execute(trx);
}

/** Makes the jobs of these workers available to others, but for those that are over: they are deleted. */
export async function unlockJobsOf(trx: Trx, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return;
  await lockJobsOf(trx, workerIds);
  await sql`
    delete from graphile_worker._private_jobs
    where locked_by = any(${workerIds}::text[]) and ${isOver}`.execute(trx);
  await sql`select graphile_worker.force_unlock_workers(${workerIds}::text[])`.execute(trx);
}

/**
 * Makes the jobs that these workers have locked available again, with the queues they stand in, but for those that they are doing.
 * Those that are over are deleted.
 */
export async function unlockLost(
  db: Db,
  workerIds: readonly string[],
  doing: readonly string[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockJobsOf(trx, workerIds);
    await sql`
      update graphile_worker._private_job_queues as queue set locked_at = null, locked_by = null
      where locked_by = any(${workerIds}::text[]) and not exists (
        select from graphile_worker._private_jobs job
        where job.job_queue_id = queue.id and job.id = any(${doing}::bigint[])
      )`.execute(trx);
    await sql`
      delete from graphile_worker._private_jobs
      where locked_by = any(${workerIds}::text[]) and id <> all(${doing}::bigint[]) and ${isOver}`.execute(
      trx,
    );
    await sql`
      update graphile_worker._private_jobs set locked_at = null, locked_by = null
      where locked_by = any(${workerIds}::text[]) and id <> all(${doing}::bigint[])`.execute(trx);
  });
}

function ago(ms: number) {
  return sql<Date>`now() - make_interval(secs => ${ms / 1000}::float8)`;
}
