/**
 * A database that vanishes silently, like the old primary in a failover: its connections stay open without responses, and new
 * connections reach its successor.
 */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Fleet, startFleet } from "#tests/support/fleet.ts";
import { postgresPrograms } from "#tests/support/own-postgres.ts";
import { until } from "#tests/support/until.ts";

// The embedded database has one session, which its clients share.
const isEmbedded = inject("databaseTemplate").kind === "embedded" && postgresPrograms() === undefined;
const heartbeatMs = 250;

let fleet: Fleet;
beforeAll(async () => {
  if (isEmbedded) return;
  fleet = await startFleet({
    each: 1,
    env: { DATABASE_STATEMENT_TIMEOUT_MS: "1000", HEARTBEAT_MS: String(heartbeatMs) },
  });
});
afterAll(() => fleet?.stop());

const ask = async () => {
  const answer = await fetch(`${fleet.stack.url}/check/user?email=nobody@example.com`);
  await answer.body?.cancel();
  return answer.status;
};
const signs = async () => {
  const rows = await fleet.context.db
    .selectFrom("worker_heartbeats")
    .select("worker_id")
    .where("seen_at", ">", sql<Date>`now() - interval '1 second'`)
    .execute();
  return rows.length === 1;
};

test.skipIf(isEmbedded)("refuses requests for seconds, then answers again with a new worker", async () => {
  const [worker] = fleet.workers;
  if (worker === undefined) throw new Error("Expected a worker");
  // Opens connections of web, to be lost.
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([200, 200, 200]);
  fleet.wire.silence();
  const lost = await Promise.all([ask(), ask(), ask()]);
  expect(lost).toContain(503);
  await until("the store responds", async () => (await ask()) === 200);

  await until("the worker has ended", () => worker.endings.length > 0);
  expect(worker.endings).toEqual(["code 1"]);
  const said = worker.lines.filter((line) => line.includes('"level":60'));
  expect(said.map((line) => line.includes("The database does not answer"))).toEqual([true]);
  await until("the worker sends heartbeats again", signs);
});
