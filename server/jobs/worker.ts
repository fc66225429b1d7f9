/**
 * Runs jobs: the queue's runner with our log, our clock jobs, and heartbeats through which a dead worker's jobs are
 * recovered.
 */
import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Job, Logger, run, type TaskList, type WorkerEvents } from "graphile-worker";
import type { Db } from "#db/tables/index.ts";
import { deleteHeartbeats, findHeldJob, saveHeartbeats, unlockLost } from "#db/workers.ts";
import type { Log } from "#server/log.ts";
import { type CronJobName, cronJobs, priorities } from "#server/outbox/jobs.ts";
import { giveFree, releaseDeadWorkers, silentAfterMs } from "./heartbeats.ts";
import { createLooks } from "./looks.ts";
import { createShare } from "./share.ts";

export interface WorkerOptions {
  /** The queue's runner has its own connections: one to listen, one for each job. */
  databaseUrl: string;
  /** For heartbeats. */
  db: Db;
  tasks: TaskList;
  log: Log;
  concurrency: number;
  /** How often to poll for due jobs, in milliseconds. The database announces new ones at once. */
  pollMs: number;
  heartbeatMs: number;
  /** When the clock jobs run (cron, UTC); all of them by default. */
  crons?: Readonly<Partial<Record<CronJobName, string>>>;
}

export interface RunningWorker {
  /** Takes no more jobs, waits for running ones, and removes its heartbeats. */
  stop(): Promise<void>;
  /** For a process that must end at once: unlocks its jobs now, instead of after missed heartbeats. */
  abandon(): Promise<void>;
  /** Settles when the worker has ended, on request or not; rejects if it failed. */
  ended: Promise<void>;
}

export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { db, log, heartbeatMs, crons = cronJobs } = options;
  const workerIds = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  // A job's `locked_by` holds the id of the runner's pool.
  events.on("pool:create", ({ workerPool }) => workerIds.add(workerPool.id));
  logFailures(events, log);
  const share = createShare(options.concurrency);
  const looks = createLooks((running) => unlockLost(db, [...workerIds], running));
  // Each look for a job ends in one of these.
  events.on("job:start", ({ job }) => {
    share.found(job);
    looks.found(job);
  });
  events.on("worker:getJob:empty", () => {
    share.found(null);
    looks.found(null);
  });
  events.on("worker:getJob:error", () => {
    share.found(null);
    looks.fail();
  });
  events.on("job:complete", ({ job }) => {
    share.end(job);
    looks.end(job);
  });

  const runner = await run({
    connectionString: options.databaseUrl,
    maxPoolSize: options.concurrency + 2,
    taskList: whileOurs(options.tasks, (job) => findHeldJob(db, job, [...workerIds]), log),
    concurrency: options.concurrency,
    async forbiddenFlags() {
      const full = await share.full();
      await looks.begin();
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
    await saveHeartbeats(db, [...workerIds]);
    const dead = await releaseDeadWorkers(db, heartbeatMs);
    if (dead.length > 0) log.warn({ workers: dead }, "jobs of dead workers were given free");
    if (stopping === null) looks.beat();
  }, options);

  const ran = runner.promise.finally(() => {
    running = false;
    return heart.stop();
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
        await heart.stop();
        await deleteHeartbeats(db, [...workerIds]);
      })();
      return stopping;
    },
    abandon: () => giveFree(db, [...workerIds]),
  };
}

/**
 * Tasks that fail when their job was taken away meanwhile. The queue deletes a job whose task has succeeded by its id, whoever has it
 * by then: a worker that was stopped for so long that it was taken for dead would delete it under the worker that has taken it over,
 * which may be itself, or with it the retry that it has just asked for. A failure changes nothing of a job that is another's, and one
 * that this worker has taken again is tried again.
 *
 * A failed job that is over meanwhile is not kept as failed, for the operator to try again: the one that has replaced it does its work.
 */
function whileOurs(
  tasks: TaskList,
  findHeld: (job: Job) => Promise<{ isOver: boolean } | null>,
  log: Log,
): TaskList {
  const wrapped: TaskList = {};
  for (const [name, task] of Object.entries(tasks))
    wrapped[name] = async (payload, helpers) => {
      const { job } = helpers;
      try {
        const result = await task?.(payload, helpers);
        if ((await findHeld(job)) !== null) return result;
      } catch (error) {
        // Where the database does not say, it stays failed.
        const held = await findHeld(job).catch(() => null);
        if (held === null || !held.isOver) throw error;
        log.warn(
          { job: job.id, task: name, err: error },
          "a job failed that a later one has replaced, or that was taken out of the queue",
        );
        return undefined;
      }
      throw new Error("The job was taken away: this worker was taken for dead");
    };
  return wrapped;
}

function crontabOf(crons: NonNullable<WorkerOptions["crons"]>): string {
  const of: Readonly<Record<string, number>> = priorities;
  return Object.entries(crons)
    .map(([task, when]) => `${when} ${task} ?priority=${of[task]}`)
    .join("\n");
}

/** A process that was stopped for a while reads what has come in meanwhile before it gives up. */
const readMs = 1_000;

/**
 * Runs `once` now and at every heartbeat. A failure is logged, and the next run may succeed. `unanswered` rejects when there is
 * neither answer nor failure for twice as long as it takes to be dead to the others: then the database has vanished without a word,
 * and the runner's connections to it hang as well.
 */
function startHeart(once: () => Promise<void>, { log, heartbeatMs }: WorkerOptions) {
  const abort = new AbortController();
  let giveUp: (error: Error) => void = () => undefined;
  const unanswered = new Promise<never>((_resolve, reject) => {
    giveUp = reject;
  });
  const beating = (async () => {
    while (!abort.signal.aborted) {
      let late = setTimeout(() => {
        late = setTimeout(() => giveUp(new Error("The database does not answer")), readMs);
      }, 2 * silentAfterMs(heartbeatMs));
      try {
        await once();
      } catch (error) {
        log.warn({ err: error }, "the heartbeat was not written");
      } finally {
        clearTimeout(late);
      }
      await sleep(heartbeatMs, undefined, { signal: abort.signal }).catch(() => undefined);
    }
  })();
  return {
    unanswered,
    stop() {
      abort.abort();
      return beating;
    },
  };
}

/** A failed try is a warning, because it is retried. Only the last one is an error. */
function logFailures(events: WorkerEvents, log: Log): void {
  events.on("job:error", ({ job, error }) => {
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
