import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { TaskList } from "graphile-worker";
import { sql } from "kysely";
import { beforeEach, expect, test, vi } from "vitest";
import { type MailId, newId } from "#db/ids.ts";
import { insertJob } from "#db/platform/jobs.ts";
import { createLog } from "#server/foundation/log.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { startChild, tsxArguments } from "#server/operations/child-process.ts";
import { startWorker } from "#server/operations/jobs/worker.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { deleteQueuedJobs, queuedJobs, storedJobs } from "#tests/support/queue.ts";
import { eventually } from "#tests/support/until.ts";

const heartbeatMs = 200;
const database = await createTestDatabase();
beforeEach(async () => {
  await deleteQueuedJobs(database.db);
  await database.db.deleteFrom("worker_heartbeats").execute();
});

const start = (tasks: TaskList, options: { databaseUrl?: string; heartbeatMs?: number } = {}) =>
  startWorker({
    databaseUrl: database.url,
    db: database.db,
    healthDb: database.db,
    tasks,
    log: createLog("silent", "test"),
    concurrency: 2,
    pollMs: 50,
    heartbeatMs,
    crons: {},
    ...options,
  });
const addLinger = () => sql`select graphile_worker.add_job('linger', '{}'::json)`.execute(database.db);
const heartbeats = () => database.db.selectFrom("worker_heartbeats").selectAll().execute();

test("runs a job once after its transaction commits, and never after a rollback", async () => {
  const ran: unknown[] = [];
  const worker = await start({ note: async (payload) => void ran.push(payload) });
  await database.db.transaction().execute(async (trx) => {
    await sql`select graphile_worker.add_job('note', '{"n":1}'::json)`.execute(trx);
  });
  await database.db
    .transaction()
    .execute(async (trx) => {
      await sql`select graphile_worker.add_job('note', '{"n":2}'::json)`.execute(trx);
      throw new Error("rolled back");
    })
    .catch(() => undefined);
  await eventually(() => expect(ran).toEqual([{ n: 1 }]));
  await worker.stop();
  expect(await queuedJobs(database.db)).toEqual([]);
  expect(ran).toEqual([{ n: 1 }]);
});

test("schedules delayed jobs by the database's clock, even if this machine's is fast", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 300_000 });
  try {
    await database.db
      .transaction()
      .execute((trx) =>
        addJob(trx, "send-mail", { mailId: newId<MailId>() }, { jobKey: "put-off", delayMs: 2_000 }),
      );
  } finally {
    vi.useRealTimers();
  }
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs`.execute(
    database.db,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.seconds).toBeGreaterThan(0);
  expect(rows[0]?.seconds).toBeLessThan(2.5);
});

test("adds a job while the job with the same key is being locked", async () => {
  const add = (account: string) =>
    database.db.transaction().execute((trx) => addJob(trx, "probe-vendor", { account }, { jobKey: "probe" }));
  await add("earlier");
  // Like a worker that locks the job and has not committed yet.
  let take = () => {};
  const isTaken = new Promise<void>((resolve) => {
    take = resolve;
  });
  let write = () => {};
  const written = new Promise<void>((resolve) => {
    write = resolve;
  });
  const taken = database.db.transaction().execute(async (trx) => {
    await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a-worker'`.execute(
      trx,
    );
    take();
    await written;
  });
  await isTaken;
  const added = add("later");
  await sleep(500);
  write();
  await Promise.all([taken, added]);
  expect(await queuedJobs(database.db)).toMatchObject([{ key: null }, { key: "probe" }]);
  expect(await storedJobs(database.db)).toEqual(
    [/earlier/, /later/].map((payload) => expect.stringMatching(payload)),
  );
  await sql`select graphile_worker.force_unlock_workers(array['a-worker'])`.execute(database.db);
});

test("takes over the job of a killed worker within about seven heartbeats", async () => {
  await addLinger();
  let begun: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const doomed = startChild({
    name: "doomed",
    args: tsxArguments("tests/integration/platform/doomed-worker.ts", database.url, String(heartbeatMs)),
    env: process.env,
    onLine: () => undefined,
    onMessage: begun,
  });
  await running;
  await eventually(async () => expect(await heartbeats()).toHaveLength(1));
  await doomed.kill();

  const killedAt = performance.now();
  let tookOverAt = 0;
  const worker = await start({
    linger: async () => {
      tookOverAt = performance.now();
    },
  });
  await eventually(() => expect(tookOverAt).toBeGreaterThan(0));
  // Seven heartbeats, plus time for a machine that is busy with other tests.
  expect(tookOverAt - killedAt).toBeLessThan(7 * heartbeatMs + 1_500);
  await worker.stop();
});

test("leaves a job with a living worker, however long it takes", { tags: ["full"] }, async () => {
  const begun: string[] = [];
  // Six of these heartbeats are longer than a busy disk delays one.
  const patient = { heartbeatMs: 3 * heartbeatMs };
  const tasks = (name: string): TaskList => ({
    linger: async () => {
      begun.push(name);
      await new Promise((resolve) => setTimeout(resolve, 9 * patient.heartbeatMs));
    },
  });
  const first = await start(tasks("first"), patient);
  await addLinger();
  await eventually(() => expect(begun).toEqual(["first"]));
  const second = await start(tasks("second"), patient);
  // Stopping waits for the job, and heartbeats continue.
  await first.stop();
  await second.stop();
  expect(begun).toEqual(["first"]);
});

test("keeps the retry that a job schedules after its worker was declared dead", async () => {
  let runs = 0;
  const worker = await start({
    linger: async (_payload, { job }) => {
      // Another test may have left a job.
      if (job.key !== "one") return;
      runs += 1;
      if (runs > 1) return;
      // Released by another worker, and rescheduled by the task, like an order that is retried: it is one row.
      await database.db.transaction().execute(async (trx) => {
        const ours = sql`array(select locked_by from graphile_worker.jobs where id = ${job.id})`;
        await sql`select graphile_worker.force_unlock_workers(${ours})`.execute(trx);
        await sql`select graphile_worker.add_job('linger', '{}'::json, job_key => 'one',
          run_at => now() + interval '2 seconds')`.execute(trx);
      });
    },
  });
  await sql`select graphile_worker.add_job('linger', '{}'::json, job_key => 'one')`.execute(database.db);
  await eventually(() => expect(runs).toBe(2));
  await eventually(async () => expect(await queuedJobs(database.db)).toEqual([]));
  await worker.stop();
});

test("keeps a job that its worker took again when the first run of it ends", async () => {
  const ends: (() => void)[] = [];
  const worker = await start({
    linger: (_payload, { job }) =>
      // Another test may have left a job.
      job.key === "again" ? new Promise<void>((resolve) => ends.push(resolve)) : Promise.resolve(),
  });
  await sql`select graphile_worker.add_job('linger', '{}'::json, job_key => 'again')`.execute(database.db);
  await eventually(() => expect(ends).toHaveLength(1));
  await sql`
    select graphile_worker.force_unlock_workers(array(select locked_by from graphile_worker.jobs where key = 'again'))`.execute(
    database.db,
  );
  await eventually(() => expect(ends).toHaveLength(2));

  ends[0]?.();
  // If the process were killed now, the job must still exist for others.
  await sleep(500);
  expect(await queuedJobs(database.db)).toHaveLength(1);

  ends[1]?.();
  await eventually(async () => expect(await queuedJobs(database.db)).toEqual([]));
  await worker.stop();
});

/** Starts a job with this key that ends on request, and a later one with the same key. */
async function replacedWhileItRuns(key: string) {
  const ends: ((error?: Error) => void)[] = [];
  let mayEnd = false;
  const worker = await start({
    linger: (_payload, { job }) =>
      // Another test may have left a job.
      job.key !== key || mayEnd
        ? Promise.resolve()
        : new Promise<void>((resolve, reject) => {
            ends.push((error) => (error === undefined ? resolve() : reject(error)));
          }),
  });
  const add = () =>
    sql`select graphile_worker.add_job('linger', '{}'::json, job_key => ${key}::text)`.execute(database.db);
  await add();
  await eventually(() => expect(ends).toHaveLength(1));
  await add();
  await eventually(() => expect(ends).toHaveLength(2));
  return {
    worker,
    ends,
    async endAll() {
      mayEnd = true;
      for (const end of ends) end();
      await eventually(async () => expect(await queuedJobs(database.db)).toEqual([]));
      await worker.stop();
    },
  };
}

test("does not keep a failed job that a later one replaced while it ran", async () => {
  const { ends, endAll } = await replacedWhileItRuns("failing");
  expect(await queuedJobs(database.db)).toMatchObject([{ key: null }, { key: "failing" }]);
  ends[0]?.(new Error("The vendor is out"));
  await eventually(async () => expect(await queuedJobs(database.db)).toMatchObject([{ key: "failing" }]));

  // Nothing has replaced the later one, so it is retried.
  ends[1]?.(new Error("The vendor is out"));
  await eventually(() => expect(ends).toHaveLength(3));
  await endAll();
});

test("deletes replaced jobs and releases later ones when its worker ends abnormally", async () => {
  const { worker, ends, endAll } = await replacedWhileItRuns("abandoned");
  await worker.abandon();
  expect(await queuedJobs(database.db)).toMatchObject([{ key: "abandoned" }]);

  // In this test the process does not exit, and takes the job again.
  ends[0]?.();
  await eventually(() => expect(ends).toHaveLength(3));
  await endAll();
});

test("deletes its heartbeat after a normal stop", async () => {
  const worker = await start({ linger: async () => undefined });
  await eventually(async () => expect(await heartbeats()).toHaveLength(1));
  await worker.stop();
  await worker.ended;
  expect(await heartbeats()).toEqual([]);
});

/**
 * A proxy to the database that cuts the connection once, when one side sends the given text; the other side does not receive it.
 */
async function cutAt(saying: { client?: string; database?: string }) {
  const target = new URL(database.url);
  const pairs = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    const pass = (from: Socket, to: Socket, words: string | undefined) => {
      pairs.add(from);
      from.on("error", () => undefined);
      from.on("close", () => to.destroy());
      from.on("data", (part) => {
        if (isCut || words === undefined || !part.includes(words)) return to.write(part);
        isCut = true;
        return client.resetAndDestroy();
      });
    };
    pass(client, far, saying.client);
    pass(far, client, saying.database);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Expected the proxy to have a port");
  const url = new URL(database.url);
  url.host = `127.0.0.1:${address.port}`;
  return {
    url: url.href,
    isCut: () => isCut,
    async stop() {
      for (const socket of pairs) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("runs a job soon after if the response that locked it was lost", async () => {
  const line = await cutAt({ database: "lost on the way" });
  const ran: unknown[] = [];
  const worker = await start({ note: async (payload) => void ran.push(payload) }, { databaseUrl: line.url });
  await sql`select graphile_worker.add_job('note', '{"mark":"lost on the way"}'::json, queue_name := 'notes')`.execute(
    database.db,
  );
  await eventually(() => expect(ran).toEqual([{ mark: "lost on the way" }]));
  expect(line.isCut()).toBe(true);
  await worker.stop();
  await line.stop();
});

test("leaves nothing behind if such a job was also replaced", async () => {
  const line = await cutAt({ database: "the earlier of two" });
  const ran: unknown[] = [];
  const worker = await start({ note: async (payload) => void ran.push(payload) }, { databaseUrl: line.url });
  const add = (mark: string) =>
    database.db.transaction().execute((trx) =>
      insertJob(trx, {
        name: "note",
        payload: { mark },
        queueName: null,
        jobKey: "two",
        delayMs: 0,
        maxAttempts: 25,
        priority: 0,
        flags: [],
      }),
    );
  await add("the earlier of two");
  await eventually(() => expect(line.isCut()).toBe(true));
  await add("the later");
  await eventually(() => expect(ran.at(-1)).toEqual({ mark: "the later" }));
  await eventually(async () => expect(await queuedJobs(database.db)).toEqual([]));
  await worker.stop();
  await line.stop();
});

test("ends after its first poll is cut and none succeeds, though the database answers", async () => {
  const line = await cutAt({ client: "_private_tasks as tasks (identifier)" });
  const worker = await start({ note: async () => undefined }, { databaseUrl: line.url });
  await expect(worker.ended).rejects.toThrow("no look for a job ends well");
  expect(line.isCut()).toBe(true);
  await worker.stop();
  await line.stop();
});
