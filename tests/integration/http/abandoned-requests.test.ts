/**
 * Clients that go before they are answered: what the database still does for them is cancelled, and their connections are free. On
 * PostgreSQL alone: the embedded database has one session, and cannot cancel.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, inject, test } from "vitest";
import { plan } from "#tests/support/journey.ts";
import { waitingForLock } from "#tests/support/locks.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const isEmbedded = inject("databaseTemplate").kind === "embedded";
const longMs = "60000";
// None of these limits ends a statement while the tests run.
const { stack, context } = await startStore({
  env: { DATABASE_STATEMENT_TIMEOUT_MS: longMs, DATABASE_LOCK_TIMEOUT_MS: longMs },
});
const locker = await context.pool.connect();
afterEach(() => locker.query("rollback"));
afterAll(() => locker.release());

async function lock(): Promise<void> {
  await locker.query("begin");
  await locker.query("lock table catalogue_items in access exclusive mode");
}

/** Asks, waits until the statement waits, and leaves. */
async function askAndLeave(path: string, init: RequestInit, statements: number): Promise<void> {
  const leaving = new AbortController();
  const response = fetch(`${stack.url}${path}`, { ...init, signal: leaving.signal }).catch(() => "gone");
  await until("the statement waits", async () => (await waitingForLock(context.pool)) === statements);
  leaving.abort();
  expect(await response).toBe("gone");
}

describe.skipIf(isEmbedded)("a client that has gone", () => {
  test("leaves nothing running: more slow requests than there are connections keep nobody waiting", {
    tags: ["full"],
  }, async () => {
    await lock();
    for (let n = 0; n < 12; n += 1) {
      await askAndLeave("/dashboard", {}, 1);
      await until("it is cancelled", async () => (await waitingForLock(context.pool)) === 0);
    }
    const answer = await fetch(`${stack.url}/check/user?email=nobody@example.com`);
    expect(answer.status).toBe(200);
  });

  test("gets what it posted all the same", async () => {
    const orders = async () => (await context.db.selectFrom("orders").select("id").execute()).length;
    const before = await orders();
    await lock();
    const body = new URLSearchParams({ term: "P1Y", quantity: "2" });
    const headers = { "Sec-Fetch-Site": "same-origin" };
    const path = `/order/${plan.family}/${plan.item}/${plan.country}`;
    await askAndLeave(path, { method: "POST", headers, body }, 1);
    // Twice as long as a statement of a GET would be left alone.
    await sleep(1_000);
    expect(await waitingForLock(context.pool)).toBe(1);
    await locker.query("rollback");
    await until("the order is there", async () => (await orders()) === before + 1);
  });
});
