/** Queries on workers: their heartbeats, and the jobs that dead workers have locked. */
import { type RawBuilder, sql } from "kysely";
import type { Db, Trx } from "#db/tables/index.ts";

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
export async function deleteStaleHeartbeats(db: Db, silentMs: number): Promise<void> {
  await db.deleteFrom("worker_heartbeats").where("seen_at", "<", ago(silentMs)).execute();
}

/** Whether a worker has shown a heartbeat in the given number of milliseconds, by the database's clock. */
export async function hasLiveWorker(db: Db, silentMs: number): Promise<boolean> {
  const row = await db
    .selectFrom("worker_heartbeats")
    .select("worker_id")
    .where("seen_at", ">=", ago(silentMs))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A worker that holds the lock of a job or a queue. */
export interface LockHolder {
  workerId: string;
  /** Last heartbeat, as text; null when none is stored. */
  seenAt: string | null;
  /** Whether neither a heartbeat nor a lock is recent. A worker may take its first job before its first heartbeat is written. */
  isSilent: boolean;
}

/**
 * Lists lock holders in the queue. Only this file knows the queue's private tables: no public view shows who holds the lock of a
 * queue, and no function changes or deletes a locked job.
 * @param silentMs milliseconds without a heartbeat, by the database's clock
 */
export async function listLockHolders(trx: Trx, silentMs: number): Promise<LockHolder[]> {
  const { rows } = await sql<LockHolder>`
    select locked.locked_by as "workerId", beat.seen_at::text as "seenAt",
      max(locked.locked_at) < ${ago(silentMs)} and (beat.seen_at >= ${ago(silentMs)}) is not true as "isSilent"
    from (
      select locked_by, locked_at from graphile_worker._private_jobs
      union all
      select locked_by, locked_at from graphile_worker._private_job_queues
    ) locked
    left join worker_heartbeats beat on beat.worker_id = locked.locked_by
    where locked.locked_by is not null
    group by locked.locked_by, beat.seen_at`.execute(trx);
  return rows;
}

/** A job as claimed by a worker; claiming it again makes another one. */
export interface ClaimedJob {
  id: string;
  key: string | null;
  locked_at: Date | null;
}

/**
 * Returns the state of a job that one of these workers has claimed; null when it has been claimed again since, or no longer
 * exists. Over: a later job has replaced it, or it was removed from the queue, which removes its key and its further tries.
 */
export async function findClaimedJob(
  db: Db,
  job: ClaimedJob,
  workerIds: readonly string[],
): Promise<{ isOver: boolean } | null> {
  const { rows } = await sql<{ key: string | null }>`
    select key from graphile_worker.jobs
    where id = ${job.id} and ${isHeld(job, workerIds)}`.execute(db);
  const [held] = rows;
  return held === undefined ? null : { isOver: job.key !== null && held.key === null };
}

/** Condition: the lock is the one with which a worker claimed the job. The database counts microseconds, a Date does not. */
const isHeld = ({ locked_at }: ClaimedJob, workerIds: readonly string[]) => sql`
  locked_by = any(${workerIds}::text[]) and abs(extract(epoch from locked_at - ${locked_at}::timestamptz)) < 0.002`;

/** Deletes a finished job and unlocks its queue. @returns false for a job that was claimed again since, or no longer exists */
export async function completeHeldJob(
  db: Db,
  job: ClaimedJob,
  workerIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    with done as (
      delete from graphile_worker._private_jobs where id = ${job.id} and ${isHeld(job, workerIds)}
      returning job_queue_id
    ), queues as (
      ${unlockQueuesOf("done", workerIds)}
    )
    select from done`.execute(db);
  return rows.length === 1;
}

/** Unlocks the queues of the jobs of a common table expression. */
const unlockQueuesOf = (jobs: "done" | "freed", workerIds: readonly string[]) => sql`
  update graphile_worker._private_job_queues as queue set locked_at = null, locked_by = null
  from ${sql.table(jobs)} where queue.id = ${sql.table(jobs)}.job_queue_id and queue.locked_by = any(${workerIds}::text[])`;

/**
 * Condition for a job that was replaced or removed while it ran. The queue keeps its row for the worker that runs it, and
 * permanently when that process dies. Only cron jobs have no key from the beginning, and the clock adds those again.
 */
const isOver = sql`key is null and attempts >= max_attempts`;

/** Locks the workers' jobs, so that none is replaced while the others are read. */
async function lockJobsOf(trx: Trx, workerIds: readonly string[]): Promise<void> {
  await sql`
    select from graphile_worker._private_jobs
    where locked_by = any(${workerIds}::text[]) order by id for update`.execute(trx);
}

/** Flag of a job that counts its interruptions. It is kept until the job is done or replaced. */
export const interruptionsFlag = "interruptions";

/**
 * Number of interruptions after which a job is ended as failed, and again after as many once it is rescheduled: such a job may be what
 * ends its workers. They are counted apart from its tries.
 */
export const mostInterruptions = 25;

const interruptions = sql`coalesce((flags ->> ${sql.lit(interruptionsFlag)})::int, 0) + 1`;

/**
 * Unlocks interrupted jobs: their worker ended or was presumed dead, or their database session was lost. The queue counts a try
 * when a job is claimed; this undoes it.
 */
const interrupted = (reason: string) => sql`
  locked_at = null,
  locked_by = null,
  attempts = case when (${interruptions}) % ${sql.lit(mostInterruptions)} = 0 then max_attempts
    else greatest(attempts - 1, 0) end,
  last_error = ${reason}::text,
  flags = coalesce(flags, '{}') || jsonb_build_object(${sql.lit(interruptionsFlag)}::text, ${interruptions})`;

const workerGone = "The worker ended, or was taken for dead, while it did this job";
const neverBegun = "The worker lost its database session when it took this job";

/** An interrupted job that was ended as failed. */
export interface EndedJob {
  job: string;
  task: string;
}

/** @returns the jobs that were ended as failed */
async function interruptJobs(trx: Trx, reason: string, which: RawBuilder<unknown>): Promise<EndedJob[]> {
  const { rows } = await sql<EndedJob & { hasEnded: boolean }>`
    with freed as (
      update graphile_worker._private_jobs set ${interrupted(reason)} where ${which}
      returning id, task_id, attempts >= max_attempts as has_ended
    )
    select freed.id::text as job, tasks.identifier as task, freed.has_ended as "hasEnded"
    from freed join graphile_worker._private_tasks tasks on tasks.id = freed.task_id`.execute(trx);
  return rows.filter(({ hasEnded }) => hasEnded).map(({ job, task }) => ({ job, task }));
}

/**
 * Makes the jobs of these workers available to others, except replaced ones: those are deleted.
 * @returns the jobs that were ended as failed after too many interruptions
 */
export async function unlockJobsOf(trx: Trx, workerIds: readonly string[]): Promise<EndedJob[]> {
  if (workerIds.length === 0) return [];
  await lockJobsOf(trx, workerIds);
  await sql`
    delete from graphile_worker._private_jobs
    where locked_by = any(${workerIds}::text[]) and ${isOver}`.execute(trx);
  const ended = await interruptJobs(trx, workerGone, sql`locked_by = any(${workerIds}::text[])`);
  await sql`select graphile_worker.force_unlock_workers(${workerIds}::text[])`.execute(trx);
  return ended;
}

/**
 * Makes the jobs that these workers have locked available again, with their queues, except those that are running. Replaced ones
 * are deleted.
 * @returns the jobs that were ended as failed after too many interruptions
 */
export async function unlockAbandonedJobs(
  db: Db,
  workerIds: readonly string[],
  doing: readonly string[],
): Promise<EndedJob[]> {
  return db.transaction().execute(async (trx) => {
    await lockJobsOf(trx, workerIds);
    await sql`
      update graphile_worker._private_job_queues as queue set locked_at = null, locked_by = null
      where locked_by = any(${workerIds}::text[]) and not exists (
        select from graphile_worker._private_jobs job
        where job.job_queue_id = queue.id and job.id = any(${doing}::bigint[])
      )`.execute(trx);
    const lost = sql`locked_by = any(${workerIds}::text[]) and id <> all(${doing}::bigint[])`;
    await sql`delete from graphile_worker._private_jobs where ${lost} and ${isOver}`.execute(trx);
    return interruptJobs(trx, neverBegun, lost);
  });
}

/**
 * Makes a job that one of these workers holds available again after a growing delay, with its queue.
 * @returns whether it was ended as failed after too many interruptions; null for a job that was replaced or claimed again
 */
export async function interruptJob(
  db: Db,
  job: ClaimedJob,
  workerIds: readonly string[],
  reason: string,
): Promise<{ hasEnded: boolean } | null> {
  const { rows } = await sql<{ hasEnded: boolean }>`
    with freed as (
      update graphile_worker._private_jobs set ${interrupted(reason)},
        run_at = greatest(now(), run_at) + exp(least(${interruptions}, 10)) * interval '1 second'
      where id = ${job.id} and ${isHeld(job, workerIds)} and key is not distinct from ${job.key}
      returning job_queue_id, attempts >= max_attempts as has_ended
    ), queues as (
      ${unlockQueuesOf("freed", workerIds)}
    )
    select has_ended as "hasEnded" from freed`.execute(db);
  return rows[0] ?? null;
}

function ago(ms: number) {
  return sql<Date>`now() - make_interval(secs => ${ms / 1000}::float8)`;
}
