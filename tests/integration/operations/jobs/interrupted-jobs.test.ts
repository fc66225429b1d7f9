/**
 * Jobs whose run is interrupted: their worker is declared dead, freezes and wakes up, loses its database session or stops for an
 * upgrade. No interruption uses up a try, and the end of an interrupted run changes nothing. Jobs have one try only, or two if
 * the clock adds them: a cron job on its last try is deleted with its worker, since the clock adds another.
 */
import type { Job, TaskList } from "graphile-worker";
import { sql } from "kysely";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { createDb, createPool } from "#db/client.ts";
import { findJob, rescheduleJob } from "#db/platform/jobs.ts";
import { mostInterruptions } from "#db/platform/workers.ts";
import { createLog } from "#server/foundation/log.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { startChild, tsxArguments } from "#server/operations/child-process.ts";
import { releaseWorkerJobs } from "#server/operations/jobs/heartbeats.ts";
import { type RunningWorker, startWorker } from "#server/operations/jobs/worker.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { deleteQueuedJobs, makeJobsDue, queuedJobs } from "#tests/support/queue.ts";
import { until } from "#tests/support/until.ts";

const { db, url } = await createTestDatabase();
beforeEach(async () => {
  await deleteQueuedJobs(db);
  await db.deleteFrom("worker_heartbeats").execute();
});

const kinds = {
  "a job with a key": sql`job_key => 'linger:1', max_attempts => 1`,
  "a job of a queue": sql`job_key => 'linger:1', max_attempts => 1, queue_name => 'sync'`,
  "a clock job": sql`max_attempts => 2, priority => 5`,
  "a job that waits for a vendor": sql`job_key => 'linger:1', max_attempts => 1, flags => array['vendor:google']`,
  "a job put off once": sql`job_key => 'linger:1', max_attempts => 1, run_at => now() - interval '1 hour'`,
};
const eachKind = test.each(Object.entries(kinds));
const add = (kind: (typeof kinds)[keyof typeof kinds]) =>
  sql`select graphile_worker.add_job('linger', ${kind})`.execute(db);

interface Go {
  job: Job;
  id: string;
  end(error?: Error): void;
}

/** A task whose runs end on request. */
function lingering() {
  const goes: Go[] = [];
  const tasks: TaskList = {
    linger: (_payload, { job }) =>
      new Promise<void>((resolve, reject) => {
        goes.push({
          job,
          id: String(job.id),
          end: (error) => (error === undefined ? resolve() : reject(error)),
        });
      }),
  };
  const go = async (count: number): Promise<Go> => {
    await until(`run ${count} has begun`, () => goes.length >= count);
    const found = goes[count - 1];
    if (found === undefined) throw new Error("Run not found");
    return found;
  };
  return { tasks, goes, go };
}

/** A worker that sends a heartbeat once an hour looks frozen to others. */
const hour = 3_600_000;
const start = (tasks: TaskList, heartbeatMs = hour): Promise<RunningWorker> =>
  startWorker({
    databaseUrl: url,
    db,
    healthDb: db,
    tasks,
    log: createLog("silent", "test"),
    concurrency: 4,
    pollMs: 50,
    heartbeatMs,
    crons: {},
  });

async function stored(id: string) {
  const job = await findJob(db, id);
  if (job === null) return null;
  const { state, attempts } = job;
  return { state, attempts };
}
const running = { state: "running", attempts: 1 };
const isGone = (id: string) => until("the job is done", async () => (await findJob(db, id)) === null);
const holderOf = async (id: string) => {
  const { rows } = await sql<{ locked_by: string }>`
    select locked_by from graphile_worker.jobs where id = ${id}::bigint and locked_by is not null`.execute(
    db,
  );
  return rows.map(({ locked_by }) => locked_by);
};

describe("a takeover", () => {
  eachKind("uses up no try of %s, which is done once more and then gone", async (_name, kind) => {
    const { tasks, goes, go } = lingering();
    const worker = await start(tasks);
    await add(kind);
    const { id } = await go(1);
    for (const taken of [2, 3]) {
      await releaseWorkerJobs(db, await holderOf(id));
      await go(taken);
      expect(await stored(id)).toEqual(running);
    }
    // The runs that were taken over end, with or without an error, while the last one continues.
    goes[0]?.end();
    goes[1]?.end(new Error("Connection terminated unexpectedly"));
    await until("the ends of the runs are processed", () =>
      goes.slice(0, 2).every(({ job }) => job.id === "0"),
    );
    expect(await stored(id)).toEqual(running);
    goes[2]?.end();
    await isGone(id);
    await worker.stop();
    expect(goes).toHaveLength(3);
  });
});

describe("a frozen worker", () => {
  eachKind("leaves %s to the other worker when it wakes up", async (_name, kind) => {
    const frozen = lingering();
    const sleeper = await start(frozen.tasks);
    await add(kind);
    const { id, end, job } = await frozen.go(1);
    const awake = lingering();
    // It takes no more jobs.
    const stopped = sleeper.stop();
    const other = await start(awake.tasks, 50);
    await awake.go(1);
    expect(await stored(id)).toEqual(running);
    end(new Error("The operation was aborted due to timeout"));
    await until("the end of the run is processed", () => job.id === "0");
    await stopped;
    expect(await stored(id)).toEqual(running);
    awake.goes[0]?.end();
    await isGone(id);
    await other.stop();
    expect(awake.goes).toHaveLength(1);
  });

  test("wakes up after the job is done, and does not touch the next job of the same key", async () => {
    const frozen = lingering();
    const sleeper = await start(frozen.tasks);
    await add(kinds["a job with a key"]);
    const { id, end, job } = await frozen.go(1);
    const stopped = sleeper.stop();
    const awake = lingering();
    const other = await start(awake.tasks, 50);
    (await awake.go(1)).end();
    await isGone(id);
    await other.stop();
    await add(kinds["a job with a key"]);
    end();
    await until("the end of the run is processed", () => job.id === "0");
    await stopped;
    expect(await queuedJobs(db)).toMatchObject([{ key: "linger:1" }]);
  });
});

describe("a cut session", () => {
  const said = [
    Object.assign(new Error("terminating connection due to administrator command"), { code: "57P01" }),
    new Error("Connection terminated unexpectedly"),
    Object.assign(new Error("write EPIPE"), { code: "EPIPE" }),
    Object.assign(new Error("terminating connection due to idle-in-transaction timeout"), { code: "25P03" }),
  ];

  eachKind("uses up no try of %s, whichever error reports it", async (_name, kind) => {
    const { tasks, goes, go } = lingering();
    const worker = await start(tasks);
    await add(kind);
    for (const [index, error] of said.entries()) {
      const { id, end } = await go(index + 1);
      end(error);
      await until("the job is waiting", async () => (await stored(id))?.state === "later");
      expect(await findJob(db, id)).toMatchObject({ attempts: 0, lastError: error.message });
      await makeJobsDue(db);
      await sql`notify "jobs:insert"`.execute(db);
    }
    const { id, end } = await go(said.length + 1);
    end();
    await isGone(id);
    await worker.stop();
    expect(goes).toHaveLength(said.length + 1);
  });

  test("uses up a try when the vendor cuts the connection", async () => {
    const worker = await start({
      linger: () => Promise.reject(new ProviderError("google", "transient", "buy", { code: "ECONNRESET" })),
    });
    await add(kinds["a job with a key"]);
    await until("the job has failed", async () => {
      const { rows } = await sql`
        select from graphile_worker.jobs where attempts = 1 and locked_at is null`.execute(db);
      return rows.length === 1;
    });
    await worker.stop();
  });
});

describe("a stop for an upgrade", () => {
  eachKind("waits for %s", async (_name, kind) => {
    const { tasks, goes, go } = lingering();
    const worker = await start(tasks);
    await add(kind);
    const { id, end } = await go(1);
    const stopped = worker.stop();
    expect(await stored(id)).toEqual(running);
    end();
    await stopped;
    expect(await findJob(db, id)).toBeNull();
    expect(goes).toHaveLength(1);
  });

  eachKind("uses up no try of %s when it cannot wait for it", async (_name, kind) => {
    await add(kind);
    let begun = "";
    const child = startChild({
      name: "stopped",
      args: tsxArguments("tests/integration/platform/doomed-worker.ts", url, "50"),
      env: process.env,
      onLine: () => undefined,
      onMessage: (message) => {
        begun = String(message);
      },
    });
    await until("the job has begun", () => begun !== "");
    await child.stop();
    const { tasks, goes, go } = lingering();
    const worker = await start(tasks, 50);
    const { id } = await go(1);
    expect(await stored(id)).toEqual(running);
    goes[0]?.end();
    await isGone(id);
    await worker.stop();
    expect(goes).toHaveLength(1);
  });
});

describe("a job that kills its worker every time", () => {
  test("fails after the limit, names the cause, and can be retried", async () => {
    const { tasks, goes, go } = lingering();
    const worker = await start(tasks);
    await sql`select graphile_worker.add_job('linger', job_key => 'poison')`.execute(db);
    const { id } = await go(1);
    for (let taken = 1; taken < mostInterruptions; taken += 1) {
      expect(await releaseWorkerJobs(db, await holderOf(id))).toEqual([]);
      await go(taken + 1);
      goes[taken - 1]?.end();
    }
    expect(await stored(id)).toEqual(running);
    expect(await releaseWorkerJobs(db, await holderOf(id))).toEqual([{ job: id, task: "linger" }]);
    expect(await findJob(db, id)).toMatchObject({
      state: "failed",
      lastError: expect.stringMatching(/worker/),
    });

    await db.transaction().execute((trx) => rescheduleJob(trx, id));
    await sql`notify "jobs:insert"`.execute(db);
    await go(mostInterruptions + 1);
    expect(await releaseWorkerJobs(db, await holderOf(id))).toEqual([]);
    await go(mostInterruptions + 2);
    for (const { end } of goes) end();
    await isGone(id);
    await worker.stop();
  });
});

// The embedded database has one session.
test.skipIf(inject("databaseTemplate").kind === "embedded")(
  "a heartbeat does not wait behind jobs for a connection",
  async () => {
    const busy = createDb(createPool(url, 1));
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = busy.transaction().execute(() => released);
    const worker = await startWorker({
      databaseUrl: url,
      db: busy,
      healthDb: db,
      tasks: {},
      log: createLog("silent", "test"),
      concurrency: 1,
      pollMs: 20,
      heartbeatMs: 20,
      crons: {},
    });
    const seen = new Set<string>();
    await until("three heartbeats are written", async () => {
      for (const { seen_at } of await db.selectFrom("worker_heartbeats").selectAll().execute())
        seen.add(seen_at.toISOString());
      return seen.size >= 3;
    });
    release();
    await holding;
    await worker.stop();
    await busy.destroy();
  },
);
