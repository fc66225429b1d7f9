/** The queue: what waits, runs or has failed, with its last error, and trying one again. */
import { findJob, type JobState, listJobs, rescheduleJob, type StoredJob } from "#db/jobs.ts";
import type { Db } from "#db/tables/index.ts";
import { type Ordered, record } from "#server/accounts/audit.ts";
import { DomainError } from "#server/errors.ts";
import type { ListPage } from "#server/lists.ts";
import type { CronJobName, JobName } from "#server/outbox/jobs.ts";

export interface JobLogAsked {
  state?: JobState | undefined;
  name?: JobName | CronJobName | undefined;
  /** The `nextPage` of the previous page. */
  page?: string | undefined;
  /** 1 to 200 rows, 20 by default. */
  limit?: number | undefined;
}

const mostRows = 200;
const noSuchJob = () => new DomainError("not_found", "There is no such job: it may be done.");

/** A page of the queue, newest first. @throws DomainError bad_request for an invalid page */
export async function readJobs(
  db: Db,
  { state, name, page, limit = 20 }: JobLogAsked,
): Promise<ListPage<StoredJob>> {
  if (page !== undefined && !isJobId(page)) throw new DomainError("bad_request", "There is no such page.");
  const { rows, next } = await listJobs(db, {
    state: state ?? null,
    name: name ?? null,
    after: page ?? null,
    limit: Math.min(Math.max(1, limit), mostRows),
  });
  return { rows, nextPage: next };
}

/**
 * Lets a job be tried now, with all its tries anew.
 * @throws DomainError not_found for a job that is done; conflict for one that runs
 */
export async function retryJob(db: Db, id: string, { by, reason, staffId }: Ordered): Promise<void> {
  if (!isJobId(id)) throw noSuchJob();
  await db.transaction().execute(async (trx) => {
    const job = await findJob(trx, id);
    if (job === null) throw noSuchJob();
    if (!(await rescheduleJob(trx, id))) throw new DomainError("conflict", "This job is running.");
    const { name, attempts, lastError } = job;
    await record(trx, {
      userId: null,
      staffId,
      action: "job.retried",
      subject: `job:${id}`,
      data: { by, reason, name, attempts, lastError },
    });
  });
}

function isJobId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text);
}
