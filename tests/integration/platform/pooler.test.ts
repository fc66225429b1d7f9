/**
 * Connections through a pooler that lends a session for one transaction: timeouts apply to each statement and transaction, and
 * none remains in the session. The behaviour of PgBouncer itself is tested in reference-deployment.long.test.ts.
 */
import { sql } from "kysely";
import { afterAll, describe, expect, inject, test } from "vitest";
import { createDb, createPool, createReadOnlyDb, isReadOnlyViolation } from "#db/client.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const isEmbedded = inject("databaseTemplate").kind === "embedded";
const { url, db: direct } = await createTestDatabase();
const limits = { statementMs: 1_500, lockMs: 700, idleInTransactionMs: 60_000 };
/** One connection, so that leftovers would affect the next statement. */
const pool = createPool(url, 1, () => undefined, limits, "transaction");
const db = createDb(pool);
afterAll(() => pool.end());

const settings = sql<{ name: string; setting: string }>`
  select name, setting from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`;
const limited = [
  { name: "idle_in_transaction_session_timeout", setting: "60000" },
  { name: "lock_timeout", setting: "700" },
  { name: "statement_timeout", setting: "1500" },
];

test("applies the timeouts to each statement and transaction, and leaves none behind", async () => {
  const own = async () => (await pool.query("show statement_timeout")).rows;
  const before = await own();
  expect((await settings.execute(db)).rows).toEqual(limited);
  expect(await own()).toEqual(before);
  const inside = await db
    .transaction()
    .execute(async (trx) => [(await settings.execute(trx)).rows, (await settings.execute(trx)).rows]);
  expect(inside).toEqual([limited, limited]);
  expect(await own()).toEqual(before);
  expect((await settings.execute(createReadOnlyDb(pool))).rows).toEqual(limited);
  expect(await own()).toEqual(before);
});

test("commits successful writes, and rolls back failed ones", async () => {
  await sql`create table kept (id int primary key)`.execute(db);
  await sql`insert into kept values (1)`.execute(db);
  await expect(sql`insert into kept values (2), (1)`.execute(db)).rejects.toMatchObject({ code: "23505" });
  await expect(
    db.transaction().execute(async (trx) => {
      await sql`insert into kept values (3)`.execute(trx);
      throw new Error("undone");
    }),
  ).rejects.toThrow("undone");
  const written = await db.transaction().execute((trx) => sql`insert into kept values (4)`.execute(trx));
  expect(written.numAffectedRows).toBe(1n);
  expect((await sql`select id from kept order by id`.execute(direct)).rows).toEqual([{ id: 1 }, { id: 4 }]);
});

test("reports a deferred constraint as a failure of its statement", async () => {
  await sql`create table later (id int, constraint once unique (id) deferrable initially deferred)`.execute(
    db,
  );
  await expect(sql`insert into later values (1), (1)`.execute(db)).rejects.toMatchObject({ code: "23505" });
  expect((await sql`select id from later`.execute(db)).rows).toEqual([]);
});

test("returns many concurrent clients their own rows over few connections", async () => {
  const few = createDb(createPool(url, 3, () => undefined, limits, "transaction"));
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      if (n % 5 === 0)
        return sql`select ${n}::int / 0`.execute(few).then(
          () => "none",
          () => "error",
        );
      const { rows } = await sql<{ n: number }>`select ${n}::int as n`.execute(few);
      return rows[0]?.n;
    }),
  );
  expect(answers).toEqual(Array.from({ length: 60 }, (_, n) => (n % 5 === 0 ? "error" : n)));
  await few.destroy();
});

test("refuses writes through the read-only database", async () => {
  const readOnly = createReadOnlyDb(pool);
  const write = sql`insert into worker_heartbeats (worker_id) values ('read-only')`;
  expect(await write.execute(readOnly).catch(isReadOnlyViolation)).toBe(true);
  expect(
    await readOnly
      .transaction()
      .execute((trx) => write.execute(trx))
      .catch(isReadOnlyViolation),
  ).toBe(true);
  await sql`insert into worker_heartbeats (worker_id) values ('written')`.execute(db);
});

// The embedded database cannot cancel statements.
describe.skipIf(isEmbedded)("on PostgreSQL", () => {
  test("cancels a slow statement inside and outside a transaction", async () => {
    const slow = sql`select pg_sleep(20)`;
    await expect(slow.execute(db)).rejects.toMatchObject({ code: "57014" });
    await expect(db.transaction().execute((trx) => slow.execute(trx))).rejects.toMatchObject({
      code: "57014",
    });
    expect((await settings.execute(db)).rows).toEqual(limited);
  });

  test("stops waiting for a lock after the timeout", async () => {
    await direct.transaction().execute(async (trx) => {
      await sql`lock table catalogue_items in access exclusive mode`.execute(trx);
      await expect(db.selectFrom("catalogue_items").select("id").execute()).rejects.toMatchObject({
        code: "55P03",
      });
    });
  });
});
