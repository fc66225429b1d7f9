/** The job queue as staff see it: waiting, running and failed jobs, and retries. */
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { type MailId, newId } from "#db/ids.ts";
import { insertMail } from "#db/mail/mails.ts";
import { readFailedKinds, readJobs, retryFailedJobs, retryJob } from "#server/desk/jobs.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { makeOrder } from "#tests/support/orders.ts";
import { deleteQueuedJobs } from "#tests/support/queue.ts";

const { db } = await createTestDatabase();
const act = { by: "meera", reason: "the portal is back" };

beforeEach(() => deleteQueuedJobs(db));

async function queued(account: string, delayMs = 0): Promise<string> {
  await db
    .transaction()
    .execute((trx) =>
      addJob(trx, "probe-vendor", { account }, { jobKey: `probe:${account}`, delayMs, maxAttempts: 3 }),
    );
  const [job] = (await readJobs(db, { limit: 1 })).rows;
  if (job === undefined) throw new Error("Expected a queued job");
  return job.id;
}

/** Fails a job permanently, as a worker does after the last try. */
async function failed(id: string): Promise<void> {
  await sql`select graphile_worker.permanently_fail_jobs(array[${id}::bigint], 'the portal is out')`.execute(
    db,
  );
}

/** Locks a job, as a worker does while it runs. */
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

test("shows the state of each job, without its payload", async () => {
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

test("lists each job on one page only", async () => {
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

describe("retrying a job", () => {
  test("makes a failed job due now, with all its tries, and records actor and reason", async () => {
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

  test("refuses a job that runs, is done or does not exist, without an audit entry", async () => {
    const running = await queued("microsoft:IN");
    await taken(running);
    await expect(retryJob(db, running, act)).rejects.toMatchObject({ code: "conflict" });
    await release(running);
    await deleteQueuedJobs(db);
    for (const id of [running, "0", "abc", "9".repeat(18)])
      await expect(retryJob(db, id, act)).rejects.toMatchObject({ code: "not_found" });
    const traces = db.selectFrom("audit_log").select("id").where("subject", "=", `job:${running}`);
    expect(await traces.execute()).toEqual([]);
  });
});

describe("retrying all failed jobs of a kind", () => {
  test("leaves other jobs unchanged, and records actor, reason and count", async () => {
    const gone = [await queued("microsoft:IN"), await queued("microsoft:US")];
    for (const id of gone) await failed(id);
    const later = await queued("google:IN", 60_000);
    expect(await readFailedKinds(db)).toEqual([{ name: "probe-vendor", count: 2 }]);
    expect(await retryFailedJobs(db, "probe-vendor", act)).toBe(2);
    expect(await Promise.all([...gone, later].map(stateOf))).toEqual(["due", "due", "later"]);
    expect(await readFailedKinds(db)).toEqual([]);
    const audit = db.selectFrom("audit_log").select("data").where("subject", "=", "jobs:probe-vendor");
    expect(await audit.execute()).toEqual([{ data: { ...act, count: 2 } }]);
  });

  test("refuses a kind without failed jobs, without an audit entry", async () => {
    await queued("microsoft:IN");
    await expect(retryFailedJobs(db, "send-mail", act)).rejects.toMatchObject({ code: "conflict" });
    const traces = db.selectFrom("audit_log").select("id").where("subject", "=", "jobs:send-mail");
    expect(await traces.execute()).toEqual([]);
  });
});

test("links a job to its order, directly or through its mail", async () => {
  const orderId = await makeOrder(db);
  const mailId = newId<MailId>();
  await db.transaction().execute(async (trx) => {
    await insertMail(trx, {
      id: mailId,
      kind: "order-delayed",
      dedupeKey: mailId,
      recipient: "asha@acme.example",
      userId: null,
      orderId,
      data: {},
    });
    await addJob(trx, "fulfil-order", { orderId }, { jobKey: `fulfil:${orderId}` });
    await addJob(trx, "send-mail", { mailId }, { jobKey: `mail:${mailId}` });
    await addJob(trx, "send-mail", { mailId: newId<MailId>() }, { jobKey: "mail:nonsense" });
  });
  const { rows } = await readJobs(db, {});
  expect(rows.map(({ name, order }) => [name, order?.id ?? null])).toEqual([
    ["send-mail", null],
    ["send-mail", orderId],
    ["fulfil-order", orderId],
  ]);
});

test("shortens an error to one line, and redacts tokens", async () => {
  const id = await queued("microsoft:IN");
  const token = "t".repeat(43);
  await sql`
    select graphile_worker.permanently_fail_jobs(
      array[${id}::bigint], ${`refused https://x.example/reset/${token} ${"and so on ".repeat(90)}\n    at Somewhere`}::text)`.execute(
    db,
  );
  const [job] = (await readJobs(db, {})).rows;
  expect(job?.lastError).toMatch(/^refused https:\/\/x\.example\/reset\/\[removed\] and so on .*…$/);
  expect(job?.lastError?.length).toBeLessThan(250);
  expect(job?.lastError).not.toContain("Somewhere");
});
