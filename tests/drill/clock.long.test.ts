/** One file moves the clock of every process: the store's, the sandbox's and the database's, whether embedded or PostgreSQL. */
import { sql } from "kysely";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { postgresPrograms, startOwnPostgres } from "#tests/support/own-postgres.ts";
import { startTestClock } from "#tests/support/test-clock.ts";
import { startTimeTravelWorld } from "#tests/support/time-travel-world.ts";

const dayMs = 86_400_000;
const start = new Date("2027-01-31T09:00:00Z");
const later = new Date(start.getTime() + 400 * dayMs);

const world = await startTimeTravelWorld(start);
afterAll(() => world.stop());

/** Current time in web, sandbox, database and worker. */
async function clocks(): Promise<Record<string, Date>> {
  const { stack, context, controls } = world;
  const page = await fetch(`${stack.url}/health`);
  const { rows } = await sql<{ now: Date }>`select now()`.execute(context.db);
  const said = stack.logs("worker").findLast((line) => line.includes("the worker is ready"));
  const { time } = z
    .object({ time: z.union([z.number(), z.string()]) })
    .parse(JSON.parse(said?.replace(/^worker: /, "") ?? "{}"));
  return {
    web: new Date(page.headers.get("date") ?? ""),
    sandbox: await controls.now(),
    database: rows[0]?.now ?? new Date(Number.NaN),
    worker: new Date(time),
  };
}

const nearMs = 60_000;
function expectNear(all: Record<string, Date>, moment: Date): void {
  for (const [name, time] of Object.entries(all))
    expect(Math.abs(time.getTime() - moment.getTime()), `${name}: ${time}`).toBeLessThan(nearMs);
}

test("moves web, worker, sandbox and database, and runs a job that becomes due", async () => {
  expectNear(await clocks(), start);
  const { db } = world.context;
  await sql`select graphile_worker.add_job('clean-up', run_at => now() + interval '399 days')`.execute(db);
  const waiting = async () => {
    const { rows } = await sql`select 1 from graphile_worker.jobs where task_identifier = 'clean-up'`.execute(
      db,
    );
    return rows.length;
  };
  expect(await waiting()).toBe(1);
  await world.passTo(later, []);
  expectNear(await clocks(), later);
  expect(await waiting()).toBe(0);
  expect(await world.troubles()).toEqual([]);
});

test.skipIf(postgresPrograms() === undefined)("moves a PostgreSQL too", async () => {
  const clock = startTestClock(start);
  const server = await startOwnPostgres(clock.env);
  const client = new pg.Client({ connectionString: server.url });
  const now = async () => {
    const { rows } = await client.query<{ now: Date }>("select clock_timestamp() as now");
    return { postgres: rows[0]?.now ?? new Date(Number.NaN) };
  };
  try {
    await client.connect();
    expectNear(await now(), start);
    clock.moveTo(later);
    expectNear(await now(), later);
  } finally {
    await client.end();
    await server.stop();
    clock.stop();
  }
});
