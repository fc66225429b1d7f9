/** The job queue, through graphile-worker's own functions and its public view. All its other tables are private. */
import { type RawBuilder, sql } from "kysely";
import { type OrderId, parseId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface JobToAdd {
  name: string;
  payload: unknown;
  /** Jobs of one queue run one at a time. Null for a job that need not wait. */
  queueName: string | null;
  /** Replaces a job with this key that has not started; runs after one that has. */
  jobKey: string;
  /** Milliseconds from now, by the database's clock. */
  delayMs: number;
  maxAttempts: number;
  priority: number;
  /** Flags of the job. A worker skips a flag while it runs enough jobs that have it. */
  flags: readonly string[];
}

const maxAttempts = 10;

/**
 * Adds a job, or replaces the one with its key that has not started (docs/decisions/settlement.md#paid-orders).
 * @throws Error when workers took the one to be replaced ten times in a row
 */
export async function insertJob(trx: Trx, job: JobToAdd): Promise<void> {
  // The queue adds no job when a worker takes the one to be replaced at that moment; the retry adds it next to that one.
  for (let tries = 0; tries < maxAttempts; tries += 1) if (await addOnce(trx, job)) return;
  throw new Error(`The job ${job.jobKey} was taken each time it was to be replaced`);
}

/** @returns whether the queue has added or replaced it */
async function addOnce(trx: Trx, job: JobToAdd): Promise<boolean> {
  const { rows } = await sql<{ id: string | null }>`
    select id::text as id from graphile_worker.add_job(
      ${job.name}::text,
      payload => ${JSON.stringify(job.payload)}::json,
      queue_name => ${job.queueName}::text,
      job_key => ${job.jobKey}::text,
      run_at => now() + make_interval(secs => ${job.delayMs / 1000}::float8),
      max_attempts => ${job.maxAttempts}::int,
      priority => ${job.priority}::int,
      flags => ${job.flags.length === 0 ? null : job.flags}::text[]
    )`.execute(trx);
  return rows.some(({ id }) => id !== null);
}

/** Removes a job that has not started from the queue. */
export async function removeJob(trx: Trx, jobKey: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${jobKey}::text)`.execute(trx);
}

/** due: waits for a worker; later: not due yet, or waits for its retry; failed: has used up its tries. */
export type JobState = "due" | "later" | "running" | "failed";

/** SQL expression for a job's state, by the columns of the queue's view. */
export const jobState: RawBuilder<JobState> = sql<JobState>`
  case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
    when run_at > now() then 'later' else 'due' end`;

/** A job of the queue, without its payload, which may name a person. */
export interface StoredJob {
  id: string;
  name: string;
  /** Deduplication key; null for a cron job, and for one that was replaced or removed while it runs. */
  key: string | null;
  state: JobState;
  attempts: number;
  maxAttempts: number;
  /** Time at which it is, or was, due. */
  dueAt: Date;
  createdAt: Date;
  /** Time at which a worker took it; null while none has it. */
  runningSince: Date | null;
  /** Error message of the last failed try; null when none has failed. */
  lastError: string | null;
}

export interface JobQuery {
  state: JobState | null;
  name: string | null;
  /** The last id of the previous page, or null for the first page. */
  after: string | null;
  /** Rows per page. */
  limit: number;
}

const stored = sql`
  select id::text as id, task_identifier as name, key, ${jobState} as state, attempts, max_attempts as "maxAttempts",
    run_at as "dueAt", created_at as "createdAt", locked_at as "runningSince", last_error as "lastError"
  from graphile_worker.jobs`;

/** Lists jobs, newest first. Finished jobs are no longer in the queue. */
export async function listJobs(
  db: Db,
  { state, name, after, limit }: JobQuery,
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

/** Makes a job due now, and resets its tries. @returns false when a worker runs it, or it is complete */
export async function rescheduleJob(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id
    from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0)`.execute(trx);
  return rows.length === 1;
}

/** Counts the failed jobs of each kind, the highest count first. */
export async function countFailedJobs(db: Db): Promise<{ name: string; count: number }[]> {
  const { rows } = await sql<{ name: string; count: number }>`
    select task_identifier as name, count(*) as count from graphile_worker.jobs
    where ${jobState} = 'failed' group by 1 order by 2 desc, 1`.execute(db);
  return rows;
}

/** Makes every failed job of a kind due now, and resets their tries. @returns the number of jobs */
export async function rescheduleFailedJobs(trx: Trx, name: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id::text as id
    from graphile_worker.reschedule_jobs(
      array(select id from graphile_worker.jobs where task_identifier = ${name} and ${jobState} = 'failed'),
      run_at => now(), attempts => 0)`.execute(trx);
  return rows.length;
}

interface Thing {
  /** Whether its ids are uuids, as most are; others have another format. */
  hasUuid: boolean;
  /** Selects its id and its order's. */
  orders: (ids: readonly string[]) => RawBuilder<unknown>;
}

/** Subjects of jobs, and the query that finds the order of each. */
const jobThings = {
  order: {
    hasUuid: true,
    orders: (ids) => sql`select id::text, id from orders where id = any(${ids}::uuid[])`,
  },
  mail: {
    hasUuid: true,
    orders: (ids) => sql`select id::text, order_id from mails where id = any(${ids}::uuid[])`,
  },
  refund: {
    hasUuid: true,
    orders: (ids) => sql`select id::text, order_id from refunds where id = any(${ids}::uuid[])`,
  },
  cancellation: {
    hasUuid: true,
    orders: (ids) => sql`select id::text, order_id from cancellations where id = any(${ids}::uuid[])`,
  },
  subscription: {
    hasUuid: true,
    orders: (ids) => sql`select id::text, order_id from subscriptions where id = any(${ids}::uuid[])`,
  },
  invitation: {
    hasUuid: true,
    orders: (ids) => sql`select id::text, order_id from invitations where id = any(${ids}::uuid[])`,
  },
  intent: {
    hasUuid: false,
    orders: (ids) => sql`select id, order_id from payment_intents where id = any(${ids})`,
  },
  payment: {
    hasUuid: false,
    orders: (ids) => sql`
      select provider_payment_id, order_id from payments
      where provider in (select id from payment_providers) and provider_payment_id = any(${ids})`,
  },
  document: {
    hasUuid: false,
    orders: (ids) => sql`select number, order_id from e_invoices where number = any(${ids})`,
  },
} as const satisfies Record<string, Thing>;

export type JobSubjectKind = keyof typeof jobThings;

export interface OrderOfSubject {
  /** Id of the subject, as requested. */
  of: string;
  id: OrderId;
  number: number;
  createdAt: Date;
}

/** Finds the orders of subjects of a kind, without unknown subjects and those without an order. */
export async function findOrdersOf(
  db: Db,
  kind: JobSubjectKind,
  ids: readonly string[],
): Promise<OrderOfSubject[]> {
  const { hasUuid, orders } = jobThings[kind];
  const known = hasUuid ? ids.filter((id) => parseId(id) !== null) : [...ids];
  if (known.length === 0) return [];
  const { rows } = await sql<OrderOfSubject>`
    with things (thing, order_id) as (${orders(known)})
    select things.thing as of, orders.id, orders.number, orders.created_at as "createdAt"
    from things join orders on orders.id = things.order_id`.execute(db);
  return rows;
}
