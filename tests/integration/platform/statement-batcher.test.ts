/** What a request asks in one turn goes to the database together (docs/decisions/prepared-statements.md). */
import { setTimeout as sleep } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createDb, createPool } from "#db/client.ts";
import { placeholder, statement } from "#db/statement.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const { url } = await createTestDatabase();
const connections = 2;
const pool = createPool(url, connections);
const failures: Error[] = [];
let request = new AbortController();
let isPost = false;
const db = createDb(pool, {
  prepares: true,
  abandonment: {
    signal: () => (isPost ? null : request.signal),
    answerMs: 20_000,
    onFailure: (error) => failures.push(error),
  },
});

const asking = (column: RawBuilder<unknown>) =>
  statement({ given: placeholder<number>() }, (by, { given }) =>
    by
      .selectFrom("countries")
      .select([sql<number>`pg_backend_pid()`.as("session"), sql<number>`${given}::int`.as("given")])
      .select(column.as("more"))
      .limit(1),
  );
const ask = asking(sql`1`);
const askSlowly = asking(sql`pg_sleep(10)`);
const divide = statement({ by: placeholder<number>() }, (db, { by }) =>
  db.selectFrom("countries").select(sql<number>`1 / ${by}::int`.as("part")).limit(1),
);

beforeEach(() => {
  request = new AbortController();
  isPost = false;
});
afterAll(async () => {
  await db.destroy();
  expect(failures).toEqual([]);
});

async function sessionsOf(attempts: ReturnType<typeof ask>[]): Promise<number> {
  const answers = (await Promise.all(attempts)).flat();
  expect(answers.map(({ given }) => given)).toEqual(answers.map((_, index) => index));
  return new Set(answers.map(({ session }) => session)).size;
}

test("what is asked in one turn is asked of one session, and each gets its own answer", async () => {
  for (let round = 0; round < 8; round += 1)
    expect(await sessionsOf([0, 1, 2, 3, 4].map((given) => ask(db, { given })))).toBe(1);
});

test("one loader may come to its question later in the turn than another", async () => {
  const late = async (given: number) => {
    for (let each = 0; each < 30; each += 1) await Promise.resolve();
    return ask(db, { given });
  };
  for (let round = 0; round < 8; round += 1)
    expect(await sessionsOf([ask(db, { given: 0 }), late(1), late(2)])).toBe(1);
});

test("two requests have a session each, and so has each question of a post", async () => {
  const first = ask(db, { given: 0 });
  request = new AbortController();
  expect(await sessionsOf([first, ask(db, { given: 1 })])).toBe(2);
  isPost = true;
  expect(await sessionsOf([ask(db, { given: 0 }), ask(db, { given: 1 })])).toBe(2);
});

test("one that fails leaves those asked with it as they are", async () => {
  for (let round = 0; round < 8; round += 1) {
    const [before, failed, after] = await Promise.allSettled([
      ask(db, { given: 7 }),
      divide(db, { by: 0 }),
      divide(db, { by: 1 }),
    ]);
    expect(before).toMatchObject({ status: "fulfilled", value: [{ given: 7 }] });
    expect(failed).toMatchObject({ status: "rejected", reason: { message: "division by zero" } });
    expect(after).toMatchObject({ status: "fulfilled", value: [{ part: 1 }] });
  }
});

test("all are cancelled when their client has gone, and their connection answers the next", async () => {
  const attempts = Promise.allSettled([1, 2, 3].map((given) => askSlowly(db, { given })));
  await sleep(50);
  request.abort();
  const cancelled = { status: "rejected", reason: { code: "57014" } };
  expect(await attempts).toMatchObject([cancelled, cancelled, cancelled]);

  request = new AbortController();
  for (let given = 0; given < 5; given += 1) expect(await ask(db, { given })).toMatchObject([{ given }]);
  expect(pool.totalCount).toBeLessThanOrEqual(connections);
  await expect.poll(() => pool.idleCount).toBe(pool.totalCount);
});

test("all are told when their session is cut, and the next get another", async () => {
  const attempts = Promise.allSettled([1, 2].map((given) => askSlowly(db, { given })));
  await sleep(200);
  isPost = true;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()`.execute(
    db,
  );
  isPost = false;
  for (const { status } of await attempts) expect(status).toBe("rejected");
  expect(await ask(db, { given: 3 })).toMatchObject([{ given: 3 }]);
});
