/**
 * The job queue for tests. The library's tables are private: tests use its public view and functions, and direct access for the
 * rest is here, in one place.
 */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";

export interface QueuedJob {
  task: string;
  key: string | null;
  dueAt: Date;
}

export async function queuedJobs(db: Db): Promise<QueuedJob[]> {
  const { rows } = await sql<QueuedJob>`
    select task_identifier as task, key, run_at as "dueAt" from graphile_worker.jobs order by id`.execute(db);
  return rows;
}

/** Error of the last try of the job with this key; null if it did not fail, and once it is gone. */
export async function lastErrorOf(db: Db, key: string): Promise<string | null> {
  const { rows } = await sql<{ lastError: string | null }>`
    select last_error as "lastError" from graphile_worker.jobs where key = ${key}`.execute(db);
  return rows[0]?.lastError ?? null;
}

/** Deletes the waiting jobs from the queue, or the one with this key. */
export async function deleteQueuedJobs(db: Db, key?: string): Promise<void> {
  const ids = sql`select id from graphile_worker.jobs where ${key ?? null}::text is null or key = ${key ?? null}`;
  await sql`select graphile_worker.complete_jobs(array(${ids}))`.execute(db);
}

/** Postpones every waiting job by a day. */
export async function postponeJobs(db: Db): Promise<void> {
  await sql`
    select graphile_worker.reschedule_jobs(
      array(select id from graphile_worker.jobs where locked_at is null), run_at => now() + interval '1 day')`.execute(
    db,
  );
}

/** Makes every waiting job due now. */
export async function makeJobsDue(db: Db): Promise<void> {
  await sql`
    select graphile_worker.reschedule_jobs(
      array(select id from graphile_worker.jobs where locked_at is null), run_at => now())`.execute(db);
}

/** The stored data of all jobs, including the payload, which the public view leaves out. */
export async function storedJobs(db: Db): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select to_jsonb(j)::text as text from graphile_worker._private_jobs j order by id`.execute(db);
  return rows.map(({ text }) => text);
}
