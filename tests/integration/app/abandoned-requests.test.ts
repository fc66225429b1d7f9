/**
 * Clients that disconnect before the response: their database statements end at the time-out, and their posts are completed.
 * The embedded database has one session and no time-outs.
 */
import { afterAll, afterEach, describe, expect, inject, test } from "vitest";
import { plan } from "#tests/support/journey.ts";
import { waitingForLock } from "#tests/support/locks.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const isEmbedded = inject("databaseTemplate").kind === "embedded";
const connections = 4;
const { stack, context } = await startStore({
  env: { DATABASE_STATEMENT_TIMEOUT_MS: "5000", DATABASE_POOL_SIZE: String(connections) },
});
const locker = await context.pool.connect();
afterEach(() => locker.query("rollback"));
afterAll(() => locker.release());

async function lock(): Promise<void> {
  await locker.query("begin");
  await locker.query("lock table catalogue_items in access exclusive mode");
}

/** Sends requests, waits until that many statements wait for the lock, then disconnects. */
async function askAndLeave(
  count: number,
  path: string,
  init: RequestInit,
  statements: number,
): Promise<void> {
  const leaving = new AbortController();
  const ask = () => fetch(`${stack.url}${path}`, { ...init, signal: leaving.signal }).catch(() => "gone");
  const answers = Promise.all(Array.from({ length: count }, ask));
  await until("statements wait", async () => (await waitingForLock(context.pool)) >= statements);
  leaving.abort();
  expect(new Set(await answers)).toEqual(new Set(["gone"]));
}

describe.skipIf(isEmbedded)("a client that disconnects", () => {
  test("keeps a connection until the statement's time-out, then releases it", {
    tags: ["full"],
  }, async () => {
    await lock();
    await askAndLeave(2 * connections, "/dashboard", {}, connections);
    await until(
      "others get a response",
      async () => (await fetch(`${stack.url}/check/user?email=nobody@example.com`)).status === 200,
    );
    // The table is still locked, so it was the time-outs that released the connections.
    await until("no statement waits", async () => (await waitingForLock(context.pool)) === 0);
  });

  test("completes the post it sent", async () => {
    const orders = async () => (await context.db.selectFrom("orders").select("id").execute()).length;
    const before = await orders();
    await lock();
    const body = new URLSearchParams({ term: "P1Y", quantity: "2" });
    const headers = { "Sec-Fetch-Site": "same-origin" };
    const path = `/order/${plan.family}/${plan.item}/${plan.country}`;
    await askAndLeave(1, path, { method: "POST", headers, body }, 1);
    await locker.query("rollback");
    await until("the order is there", async () => (await orders()) === before + 1);
  });
});
