/** Database features that the product needs, on PostgreSQL and on the embedded database: see sandbox/local/embedded.ts. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createPool, createReadOnlyDb, isReadOnlyViolation } from "#db/client.ts";
import { startChild, tsxArguments } from "#server/operations/child-process.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const database = await createTestDatabase();

test("runs all migrations and seeds the catalogue", async () => {
  const items = await database.db.selectFrom("catalogue_items").select("id").execute();
  expect(items.length).toBeGreaterThan(5);
});

test("returns each concurrent client its own rows, regardless of the query's size", async () => {
  const pools = [1, 2, 3].map(() => createPool(database.url, 4, () => undefined));
  const ask = async (pool: (typeof pools)[number], n: number) => {
    const values = Array.from(
      { length: 1 + (n % 3) },
      (_, i) => `${n}-${i}-${"x".repeat(n % 10 === 0 ? 200_000 : 5)}`,
    );
    const columns = values.map((_, i) => `$${i + 1}::text as c${i}`).join(", ");
    const { rows } = await pool.query<Record<string, string>>(`select ${columns}`, values);
    return Object.values(rows[0] ?? {}).join() === values.join();
  };
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => pools.flatMap((pool) => [ask(pool, n)])).flat(),
  );
  expect(answers.filter((right) => !right)).toEqual([]);
  await Promise.all(pools.map((pool) => pool.end()));
});

test("limits an error to the query that caused it", async () => {
  const requested = Array.from({ length: 60 }, (_, n) =>
    n % 3 === 0
      ? database.pool.query("select $1::int / 0", [n]).then(
          () => "no error",
          () => "error",
        )
      : database.pool.query<{ n: number }>("select $1::int as n", [n]).then(({ rows }) => rows[0]?.n),
  );
  const expected = Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? "error" : n));
  expect(await Promise.all(requested)).toEqual(expected);
});

test("makes a second transaction wait for a locked row, then shows it the new value", async () => {
  await sql`create table counters (id int primary key, n int not null)`.execute(database.db);
  await sql`insert into counters values (1, 0)`.execute(database.db);
  const increment = () =>
    database.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ n: number }>`select n from counters where id = 1 for update`.execute(trx);
      await sql`update counters set n = ${(rows[0]?.n ?? 0) + 1} where id = 1`.execute(trx);
    });
  await Promise.all(Array.from({ length: 20 }, increment));
  const { rows } = await sql<{ n: number }>`select n from counters`.execute(database.db);
  expect(rows).toEqual([{ n: 20 }]);
});

test("refuses every write through the read-only database, and resets its connections", async () => {
  const readOnly = createReadOnlyDb(database.pool);
  const writes = [
    sql`insert into worker_heartbeats (worker_id) values ('read-only')`,
    sql`update catalogue_items set name = name`,
    sql`with gone as (delete from worker_heartbeats returning 1) select * from gone`,
    sql`select graphile_worker.add_job('nothing')`,
  ];
  for (const write of writes) {
    const outside = await write.execute(readOnly).catch(isReadOnlyViolation);
    const inside = await readOnly
      .transaction()
      .execute((trx) => write.execute(trx))
      .catch(isReadOnlyViolation);
    expect([outside, inside]).toEqual([true, true]);
  }
  expect(await readOnly.selectFrom("catalogue_items").select("id").limit(1).execute()).toHaveLength(1);
  // The session after a failed transaction is usable, and its next user can write.
  await sql`create table after_reading (id int)`.execute(database.db);
  for (let n = 0; n < 20; n += 1) await sql`insert into after_reading values (${n})`.execute(database.db);
});

test("rolls back the transaction of a killed client and releases its locks", async () => {
  await sql`insert into worker_heartbeats (worker_id) values ('locked')`.execute(database.db);
  let opened: () => void = () => undefined;
  const open = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const child = startChild({
    name: "doomed",
    args: tsxArguments("tests/integration/platform/doomed-transaction.ts", database.url),
    env: process.env,
    onLine: () => undefined,
    onMessage: opened,
  });
  await open;
  await child.kill();
  const rows = await database.db.transaction().execute(async (trx) => {
    await sql`set local lock_timeout = '5s'`.execute(trx);
    return trx.selectFrom("worker_heartbeats").select("worker_id").forUpdate().execute();
  });
  expect(rows).toEqual([{ worker_id: "locked" }]);
});
