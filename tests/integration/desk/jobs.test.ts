/** The queue as staff see it: what waits, runs and has failed, and a job that is tried again. */
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { readJobs, retryJob } from "#server/desk/jobs.ts";
import { addJob } from "#server/outbox/jobs.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { forgetJobs } from "#tests/support/queue.ts";

const { db } = await createTestDatabase();
const act = { by: "meera", reason: "the portal is back" };

beforeEach(() => forgetJobs(db));

async function queued(account: string, delayMs = 0): Promise<string> {
  await db
    .transaction()
    .execute((trx) => addJob(trx, "probe-vendor", { account }, { delayMs, maxAttempts: 3 }));
  const [job] = (await readJobs(db, { limit: 1 })).rows;
  if (job === undefined) throw new Error("Nothing was queued");
  return job.id;
}

/** As a worker leaves a job that has failed for the last time. */
async function failed(id: string): Promise<void> {
  await sql`select graphile_worker.permanently_fail_jobs(array[${id}::bigint], 'the portal is out')`.execute(
    db,
  );
}

/** As while a worker has it. */
async function taken(id: string): Promise<void> {
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a-worker' where id = ${id}::bigint`.execute(
    db,
  );
}

async function release(id: string): Promise<void> {
  await sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null where id = ${id}::bigint`.execute(
    db,
  );
}

const stateOf = async (id: string) => (await readJobs(db, {})).rows.find((job) => job.id === id)?.state;

test("each job has the state it is in, and the payload is left out", async () => {
  const due = await queued("microsoft:IN");
  const later = await queued("microsoft:US", 60_000);
  const gone = await queued("google:IN");
  await failed(gone);
  const running = await queued("google:US");
  await taken(running);
  expect(await Promise.all([due, later, gone, running].map(stateOf))).toEqual([
    "due",
    "later",
    "failed",
    "running",
  ]);
  const { rows } = await readJobs(db, { state: "failed" });
  expect(rows).toMatchObject([
    { id: gone, name: "probe-vendor", attempts: 3, maxAttempts: 3, lastError: "the portal is out" },
  ]);
  expect(JSON.stringify(rows)).not.toContain("google:IN");
  await release(running);
});

test("pages hold each job once", async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.push(await queued(`account:${count}`));
  const seen: string[] = [];
  let page: string | undefined;
  do {
    const read = await readJobs(db, { limit: 2, page });
    seen.push(...read.rows.map(({ id }) => id));
    page = read.nextPage ?? undefined;
  } while (page !== undefined);
  expect(seen).toEqual(ids.toReversed());
  await expect(readJobs(db, { page: "1; drop table orders" })).rejects.toMatchObject({ code: "bad_request" });
});

describe("trying again", () => {
  test("makes a job that has failed due now, with all its tries, and keeps who and why", async () => {
    const id = await queued("microsoft:IN");
    await failed(id);
    await retryJob(db, id, act);
    const [job] = (await readJobs(db, {})).rows;
    expect(job).toMatchObject({ id, state: "due", attempts: 0 });
    const audit = await db
      .selectFrom("audit_log")
      .select(["action", "data"])
      .where("subject", "=", `job:${id}`)
      .execute();
    expect(audit).toEqual([
      {
        action: "job.retried",
        data: { ...act, name: "probe-vendor", attempts: 3, lastError: "the portal is out" },
      },
    ]);
  });

  test("is refused of one that runs, is done, or is none, and then leaves no trace", async () => {
    const running = await queued("microsoft:IN");
    await taken(running);
    await expect(retryJob(db, running, act)).rejects.toMatchObject({ code: "conflict" });
    await release(running);
    await forgetJobs(db);
    for (const id of [running, "0", "abc", "9".repeat(18)])
      await expect(retryJob(db, id, act)).rejects.toMatchObject({ code: "not_found" });
    const traces = db.selectFrom("audit_log").select("id").where("subject", "=", `job:${running}`);
    expect(await traces.execute()).toEqual([]);
  });
});
