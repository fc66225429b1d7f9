/** Runs jobs: the queue's runner with our log, our cron jobs, and heartbeats through which a dead worker's jobs are recovered. */
import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Job, Logger, run, type TaskList, type WorkerEvents } from "graphile-worker";
import {
  completeHeldJob,
  deleteHeartbeats,
  type EndedJob,
  findClaimedJob,
  interruptJob,
  saveHeartbeats,
  unlockAbandonedJobs,
} from "#db/platform/workers.ts";
import type { Db } from "#db/tables/index.ts";
import type { Log } from "#server/foundation/log.ts";
import { type CronJobName, cronJobs, priorities } from "#server/foundation/outbox/jobs.ts";
import { isDatabaseAway } from "#server/platform/database-failure.ts";
import { createJudge, releaseWorkerJobs, silentAfterMs } from "./heartbeats.ts";
import { createPollMonitor } from "./poll-monitor.ts";
import { createVendorConcurrency } from "./vendor-concurrency.ts";

export interface WorkerOptions {
  /** The queue's runner has its own connections: one to listen, one for each job. */
  databaseUrl: string;
  /** Connections for everything but heartbeats. */
  db: Db;
  /** Connection for heartbeats, which jobs do not use, so that a busy pool does not delay them. */
  healthDb: Db;
  tasks: TaskList;
  log: Log;
  concurrency: number;
  /** Interval between polls for due jobs, in milliseconds. The database announces new ones immediately. */
  pollMs: number;
  heartbeatMs: number;
  /** Schedules of the cron jobs to run (cron, UTC); all of them by default. */
  crons?: Readonly<Partial<Record<CronJobName, string>>>;
}

export interface RunningWorker {
  /** Takes no more jobs, waits for running ones, and removes its heartbeats. */
  stop(): Promise<void>;
  /** Unlocks its jobs now, instead of after missed heartbeats, for a process that must end immediately. */
  abandon(): Promise<void>;
  /** Settles when the worker has ended, on request or not; rejects if it failed. */
  ended: Promise<void>;
}

export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { db, healthDb, log, heartbeatMs, crons = cronJobs } = options;
  const workerIds = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  // A job's `locked_by` holds the id of the runner's pool.
  events.on("pool:create", ({ workerPool }) => workerIds.add(workerPool.id));
  logFailures(events, log);
  const share = createVendorConcurrency(options.concurrency);
  const looks = createPollMonitor(async (doing) =>
    tellEnded(await unlockAbandonedJobs(db, [...workerIds], doing), log),
  );
  // Each poll for a job ends in one of these.
  events.on("job:start", ({ job }) => {
    share.recordJob(job);
    looks.found(job);
  });
  events.on("worker:getJob:empty", () => {
    share.recordJob(null);
    looks.found(null);
  });
  events.on("worker:getJob:error", () => {
    share.recordJob(null);
    looks.fail();
  });
  events.on("job:complete", ({ job }) => {
    share.end(job);
    looks.end(job);
  });

  const runner = await run({
    connectionString: options.databaseUrl,
    maxPoolSize: options.concurrency + 2,
    taskList: whileHeld(options, workerIds),
    concurrency: options.concurrency,
    async forbiddenFlags() {
      const full = await share.busyFlags();
      await looks.startPoll();
      return full;
    },
    pollInterval: options.pollMs,
    crontab: crontabOf(crons),
    logger: bridge(log),
    events,
    noHandleSignals: true,
    // The embedded database shares one session between connections, as a connection pooler would.
    noPreparedStatements: true,
  });

  let running = true;
  let stopping: Promise<void> | null = null;
  const heart = startHeart(async () => {
    await saveHeartbeats(healthDb, [...workerIds]);
    if (stopping === null) looks.beat();
  }, options);
  const judge = createJudge(db, heartbeatMs, workerIds);
  const judging = repeat(
    heartbeatMs,
    async () => {
      const { dead, ended } = await judge();
      if (dead.length > 0) log.warn({ workers: dead }, "released jobs of dead workers");
      tellEnded(ended, log);
    },
    (error) => log.warn({ err: error }, "dead workers could not be looked for"),
  );

  const stopBeating = () => Promise.all([heart.stop(), judging.stop()]);
  const ran = runner.promise.finally(() => {
    running = false;
    return stopBeating();
  });
  const ended = Promise.race([ran, heart.unanswered, looks.vain]);
  // Prevents an unhandled rejection when nobody awaits `ended`.
  ended.catch(() => undefined);
  return {
    ended,
    stop() {
      // Heartbeats continue while jobs finish, or another worker would take the jobs.
      stopping ??= (async () => {
        if (running) await runner.stop();
        await stopBeating();
        await deleteHeartbeats(db, [...workerIds]);
      })();
      return stopping;
    },
    abandon: async () => tellEnded(await releaseWorkerJobs(db, [...workerIds]), log),
  };
}

/** Thrown when this worker no longer holds the job of a run. */
class Released extends Error {
  readonly job: string;
  constructor(job: Job, message: string, cause?: unknown) {
    super(message, { cause });
    this.job = job.id;
  }
}

/** The queue's ids begin at 1. */
const noJob = "0";

const takenAway = "The job was taken away: this worker was taken for dead";

/**
 * Wraps tasks so that the end of a run changes its job only while this worker holds the job. The queue itself deletes a finished
 * job by its id, even if another worker has it by then, and fails any that this process has: a worker that froze and was presumed
 * dead would delete a job under the worker that has taken it over, or fail one that it has taken again itself, and use up its
 * tries. So a job that was taken away is hidden from the queue.
 *
 * A run that lost its database session does not count as a try.
 *
 * A failed job that was replaced in the meantime is not kept as failed for the operator to retry: its replacement does its work.
 */
function whileHeld({ db, tasks, pollMs, log }: WorkerOptions, workerIds: ReadonlySet<string>): TaskList {
  const release = (job: Job, message: string, cause?: unknown) => {
    const released = new Released(job, message, cause);
    job.id = noJob;
    return released;
  };
  const endFailed = async (job: Job, error: unknown): Promise<void> => {
    const held = await onceAnswered(pollMs, () => findClaimedJob(db, job, [...workerIds]));
    if (held === null) throw release(job, takenAway, error);
    if (held.isOver) {
      const facts = { job: job.id, task: job.task_identifier, err: error };
      log.warn(facts, "a job failed that a later one has replaced, or that was taken out of the queue");
      return;
    }
    if (!isDatabaseAway(error)) throw error;
    const { message } = error;
    const interrupted = await onceAnswered(pollMs, () => interruptJob(db, job, [...workerIds], message));
    if (interrupted === null) return endFailed(job, error);
    if (interrupted.hasEnded) tellEnded([{ job: job.id, task: job.task_identifier }], log);
    throw release(job, `The job was interrupted: ${message}`, error);
  };
  const wrapped: TaskList = {};
  for (const [name, task] of Object.entries(tasks))
    wrapped[name] = async (payload, helpers) => {
      const { job } = helpers;
      let result: Awaited<ReturnType<NonNullable<typeof task>>>;
      try {
        result = await task?.(payload, helpers);
      } catch (error) {
        return endFailed(job, error);
      }
      // Stopping waits for a completion written here, and a lost session does not cause a second run.
      if (!(await onceAnswered(pollMs, () => completeHeldJob(db, job, [...workerIds]))))
        throw release(job, takenAway);
      return result;
    };
  return wrapped;
}

/** Retries until the database responds. A worker whose database has vanished ends by its heartbeats. */
async function onceAnswered<Answer>(pollMs: number, ask: () => Promise<Answer>): Promise<Answer> {
  while (true) {
    try {
      return await ask();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      await sleep(pollMs);
    }
  }
}

function crontabOf(crons: NonNullable<WorkerOptions["crons"]>): string {
  const of: Readonly<Record<string, number>> = priorities;
  return Object.entries(crons)
    .map(([task, when]) => `${when} ${task} ?priority=${of[task]}`)
    .join("\n");
}

/** A process that was suspended reads the responses that have arrived in the meantime before it gives up. */
const readMs = 1_000;

/**
 * Runs `once` now and at every heartbeat. A failure is logged, and the next run may succeed. `unanswered` rejects when there is
 * neither a response nor a failure for twice as long as other workers wait before presuming it dead: then the database has
 * vanished silently, and the runner's connections to it hang as well.
 */
function startHeart(once: () => Promise<void>, { log, heartbeatMs }: WorkerOptions) {
  let giveUp: (error: Error) => void = () => undefined;
  const unanswered = new Promise<never>((_resolve, reject) => {
    giveUp = reject;
  });
  const beating = repeat(
    heartbeatMs,
    async () => {
      let late = setTimeout(() => {
        late = setTimeout(() => giveUp(new Error("The database does not answer")), readMs);
      }, 2 * silentAfterMs(heartbeatMs));
      try {
        await once();
      } finally {
        clearTimeout(late);
      }
    },
    (error) => log.warn({ err: error }, "the heartbeat was not written"),
  );
  return { unanswered, stop: beating.stop };
}

/** Runs `once` now and at intervals, one run at a time, until stopped. */
function repeat(
  intervalMs: number,
  once: () => Promise<void>,
  onFailure: (error: unknown) => void,
): { stop(): Promise<void> } {
  const abort = new AbortController();
  const repeating = (async () => {
    while (!abort.signal.aborted) {
      await once().catch(onFailure);
      await sleep(intervalMs, undefined, { signal: abort.signal }).catch(() => undefined);
    }
  })();
  return {
    stop() {
      abort.abort();
      return repeating;
    },
  };
}

/** Logs jobs that are not retried because they were interrupted too often. */
function tellEnded(ended: readonly EndedJob[], log: Log): void {
  for (const facts of ended) log.error(facts, "a job failed for the last time");
}

/** Logs a failed try as a warning, because it is retried, and the last one as an error. */
function logFailures(events: WorkerEvents, log: Log): void {
  events.on("job:error", ({ job, error }) => {
    if (error instanceof Released) {
      log.warn({ job: error.job, task: job.task_identifier, err: error }, "a job was interrupted");
      return;
    }
    const facts = { job: job.id, task: job.task_identifier, attempt: job.attempts, of: job.max_attempts };
    if (job.attempts < job.max_attempts)
      log.warn({ ...facts, err: error }, "a job failed and will be tried again");
    else log.error({ ...facts, err: error }, "a job failed for the last time");
  });
}

/** Forwards the runner's log lines to our log, without the attached payloads and workers. */
function bridge(log: Log): Logger {
  const levels = { error: "error", warning: "warn", info: "info", debug: "debug" } as const;
  return new Logger((scope) => (level, message, meta) => {
    // Job failures are logged from their events, at the right level.
    if (meta?.failure === true) return;
    log[levels[level]]({ scope: scope.label }, message);
  });
}
