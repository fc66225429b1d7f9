/** The job queue: waiting, running and failed jobs with their last error and order, and retrying them. */

import type { OrderId } from "#db/ids.ts";
import { listCronRuns } from "#db/platform/cron-runs.ts";
import {
  countFailedJobs,
  findJob,
  findOrdersOf,
  type JobState,
  type JobSubjectKind,
  listJobs,
  rescheduleFailedJobs,
  rescheduleJob,
  type StoredJob,
} from "#db/platform/jobs.ts";
import type { Db } from "#db/tables/index.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { DomainError } from "#server/foundation/errors.ts";
import type { ListPage } from "#server/foundation/list-paging.ts";
import { redactTokens } from "#server/foundation/log-options.ts";
import { type CronJobName, cronJobs, type JobName, priorities } from "#server/foundation/outbox/jobs.ts";
import { orderNumber } from "#server/orders/number.ts";

export type AnyJobName = JobName | CronJobName;

/** Kind of id after the first colon of a job's key; null for a job without an order or a key. */
const things: Readonly<Record<AnyJobName, JobSubjectKind | null>> = {
  "fulfil-order": "order",
  "settle-payment": "payment",
  "refund-payment": "refund",
  "look-up-refunds": null,
  "open-transfer": "intent",
  "open-link": "intent",
  "close-payment": "intent",
  "renew-quote": "order",
  "handle-provider-event": null,
  "send-mail": "mail",
  "mail-reset-link": null,
  "check-invitation": "invitation",
  "sync-account": null,
  "carry-out-cancellation": "cancellation",
  "probe-vendor": null,
  "stop-renewal": "subscription",
  "refresh-subscription": "subscription",
  "register-document": "document",
  "cancel-document": "document",
  "export-data": null,
  "delete-account": null,
  "sweep-payments": null,
  "sweep-refunds": null,
  "sweep-reports": null,
  "send-reminders": null,
  "turn-terms": null,
  "remind-of-renewals": null,
  "remind-of-terms": null,
  "sync-subscriptions": null,
  "refresh-partner-consents": null,
  "check-vendor-catalogue": null,
  "chase-documents": null,
  "reconcile-money": null,
  "clean-up": null,
};

export const jobNames = Object.keys(priorities)
  .filter((name): name is AnyJobName => isJobName(name))
  .sort();

export function isJobName(text: string): text is AnyJobName {
  return Object.hasOwn(things, text);
}

function isCronJob(name: AnyJobName): name is CronJobName {
  return Object.hasOwn(cronJobs, name);
}

export interface JobLogQuery {
  state?: JobState | undefined;
  name?: AnyJobName | undefined;
  /** The `nextPage` of the previous page. */
  page?: string | undefined;
  /** 1 to 200 rows, 20 by default. */
  limit?: number | undefined;
}

/** A job as staff see it. */
export interface JobView extends Omit<StoredJob, "key"> {
  /** The first line of its last error, shortened and without what could be a token. */
  lastError: string | null;
  order: { id: OrderId; number: string } | null;
}

const maxRows = 200;
const maxErrorLength = 240;
const noSuchJob = () => new DomainError("not_found", "Job not found. It may have finished.");

/** Returns a page of the queue, newest first. @throws DomainError bad_request for an invalid page */
export async function readJobs(
  db: Db,
  { state, name, page, limit = 20 }: JobLogQuery,
): Promise<ListPage<JobView>> {
  if (page !== undefined && !isJobId(page)) throw new DomainError("bad_request", "That page doesn't exist.");
  const { rows, next } = await listJobs(db, {
    state: state ?? null,
    name: name ?? null,
    after: page ?? null,
    limit: Math.min(Math.max(1, limit), maxRows),
  });
  return { rows: await withOrders(db, rows), nextPage: next };
}

/** @throws DomainError not_found for a completed job */
export async function readJob(db: Db, id: string): Promise<JobView> {
  const job = isJobId(id) ? await findJob(db, id) : null;
  const [view] = job === null ? [] : await withOrders(db, [job]);
  if (view === undefined) throw noSuchJob();
  return view;
}

/** Counts failed jobs by kind, most frequent first. */
export async function readFailedKinds(db: Db): Promise<{ name: AnyJobName; count: number }[]> {
  const counts = await countFailedJobs(db);
  return counts.flatMap(({ name, count }) => (isJobName(name) ? [{ name, count }] : []));
}

/** Lists every cron job with the time of its last success; null for one that never succeeded. */
export async function readCronRuns(db: Db): Promise<{ name: CronJobName; succeededAt: Date | null }[]> {
  const ended = new Map((await listCronRuns(db)).map(({ name, succeededAt }) => [name, succeededAt]));
  return jobNames
    .filter((name) => isCronJob(name))
    .map((name) => ({ name, succeededAt: ended.get(name) ?? null }));
}

/**
 * Retries a job now and resets its attempts.
 * @throws DomainError not_found for a completed job; conflict for a running one
 */
export async function retryJob(db: Db, id: string, { by, reason, staffId }: AuditContext): Promise<void> {
  if (!isJobId(id)) throw noSuchJob();
  await db.transaction().execute(async (trx) => {
    const job = await findJob(trx, id);
    if (job === null) throw noSuchJob();
    if (!(await rescheduleJob(trx, id))) throw new DomainError("conflict", jobRunningMessage);
    const { name, attempts, lastError } = job;
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "job.retried",
      subject: `job:${id}`,
      data: { by, reason, name, attempts, lastError: shortened(lastError) },
    });
  });
}

export const jobRunningMessage = "This job is already running.";

/**
 * Retries every failed job of a kind now and resets their attempts.
 * @returns the number of jobs
 * @throws DomainError conflict when none has failed
 */
export async function retryFailedJobs(
  db: Db,
  name: AnyJobName,
  { by, reason, staffId }: AuditContext,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const count = await rescheduleFailedJobs(trx, name);
    if (count === 0) throw new DomainError("conflict", noFailedJobsMessage);
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "jobs.retried",
      subject: `jobs:${name}`,
      data: { by, reason, count },
    });
    return count;
  });
}

export const noFailedJobsMessage = "No failed jobs of this type.";

async function withOrders(db: Db, jobs: readonly StoredJob[]): Promise<JobView[]> {
  const named = jobs.map((job) => ({ job, thing: thingOf(job) }));
  const kinds = [...new Set(named.flatMap(({ thing }) => thing?.kind ?? []))];
  const orders = new Map(
    await Promise.all(
      kinds.map(async (kind) => {
        const ids = named.flatMap(({ thing }) => (thing?.kind === kind ? [thing.id] : []));
        const found = await findOrdersOf(db, kind, ids);
        return [kind, new Map(found.map((order) => [order.of, order]))] as const;
      }),
    ),
  );
  return named.map(({ job: { key: _key, lastError, ...job }, thing }) => {
    const order = thing === null ? undefined : orders.get(thing.kind)?.get(thing.id);
    return {
      ...job,
      lastError: shortened(lastError),
      order: order === undefined ? null : { id: order.id, number: orderNumber(order) },
    };
  });
}

function thingOf({ name, key }: StoredJob): { kind: JobSubjectKind; id: string } | null {
  const kind = isJobName(name) ? things[name] : null;
  const [, id] = /^[^:]+:(.+)$/s.exec(key ?? "") ?? [];
  return kind === null || id === undefined ? null : { kind, id };
}

function shortened(error: string | null): string | null {
  if (error === null) return null;
  const [line = ""] = error.trim().split("\n", 1);
  const safe = redactTokens(line);
  return safe.length > maxErrorLength ? `${safe.slice(0, maxErrorLength)}…` : safe;
}

function isJobId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text);
}
