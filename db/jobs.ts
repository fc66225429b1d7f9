/** Adds jobs to the queue. All its other tables are private to graphile-worker. */
import { sql } from "kysely";
import type { Trx } from "./tables/index.ts";

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
