/** The queue, by graphile-worker's own functions and its one public view. All its other tables are private to it. */
import { type RawBuilder, sql } from "kysely";
import type { Db, Trx } from "./tables/index.ts";

export interface JobToAdd {
  name: string;
  payload: unknown;
  /** Jobs of one queue run one after the other. Null for a job that need not wait. */
  queueName: string | null;
  /** Replaces a job with this key that has not started. Null for none. */
  jobKey: string | null;
  /** From now, by the database's clock. */
  delayMs: number;
  maxAttempts: number;
  priority: number;
}

export async function insertJob(trx: Trx, job: JobToAdd): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      ${job.name}::text,
      payload => ${JSON.stringify(job.payload)}::json,
      queue_name => ${job.queueName}::text,
      job_key => ${job.jobKey}::text,
      run_at => now() + make_interval(secs => ${job.delayMs / 1000}::float8),
      max_attempts => ${job.maxAttempts}::int,
      priority => ${job.priority}::int
    )`.execute(trx);
}

/** Due = waits for a worker; later = not due yet, or to be tried again then; failed = it has used up its tries. */
export type JobState = "due" | "later" | "running" | "failed";

/** In the terms of the queue's view. */
export const jobState: RawBuilder<JobState> = sql<JobState>`
  case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
    when run_at > now() then 'later' else 'due' end`;

/** A job as the queue has it, without its payload, which may name a person. */
export interface StoredJob {
  id: string;
  name: string;
  state: JobState;
  attempts: number;
  maxAttempts: number;
  /** When it is, or was, due. */
  dueAt: Date;
  createdAt: Date;
  /** Since when a worker has it; null while none has. */
  runningSince: Date | null;
  /** What the last try failed with. */
  lastError: string | null;
}

export interface JobsAsked {
  state: JobState | null;
  name: string | null;
  /** The last id of the previous page, or null for the first page. */
  after: string | null;
  /** Rows per page. */
  limit: number;
}

const stored = sql`
  select id::text as id, task_identifier as name, ${jobState} as state, attempts, max_attempts as "maxAttempts",
    run_at as "dueAt", created_at as "createdAt", locked_at as "runningSince", last_error as "lastError"
  from graphile_worker.jobs`;

/** The newest first. A finished job is none any more. */
export async function listJobs(
  db: Db,
  { state, name, after, limit }: JobsAsked,
): Promise<{ rows: StoredJob[]; next: string | null }> {
  const { rows } = await sql<StoredJob>`
    ${stored}
    where (${state}::text is null or ${jobState} = ${state})
      and (${name}::text is null or task_identifier = ${name})
      and (${after}::bigint is null or id < ${after}::bigint)
    order by graphile_worker.jobs.id desc limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

export async function findJob(db: Db, id: string): Promise<StoredJob | null> {
  const { rows } = await sql<StoredJob>`${stored} where id = ${id}::bigint`.execute(db);
  return rows[0] ?? null;
}

/** Lets a job be tried now, with all its tries anew. @returns false when a worker has it, or it is done */
export async function rescheduleJob(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id
    from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0)`.execute(trx);
  return rows.length === 1;
}
