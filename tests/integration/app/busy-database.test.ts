/**
 * A slow database: statements are cut off, waiting requests get an error page, and health checks still succeed. Runs on
 * PostgreSQL only, because the embedded database has one session and no time-outs.
 */
import { afterAll, describe, expect, inject, test } from "vitest";
import { waitingForLock } from "#tests/support/locks.ts";
import { makePerson, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const isEmbedded = inject("databaseTemplate").kind === "embedded";
const statementMs = 5_000;
const acquireMs = 500;
const { stack, context } = await startStore({
  env: {
    DATABASE_STATEMENT_TIMEOUT_MS: String(statementMs),
    DATABASE_LOCK_TIMEOUT_MS: "60000",
    DATABASE_ACQUIRE_TIMEOUT_MS: String(acquireMs),
  },
});
const locker = await context.pool.connect();
afterAll(() => locker.release());

/** A call whose statement waits for a lock and holds its connection until the time-out. */
const slowCall = "/dashboard";

describe.skipIf(isEmbedded)("ten slow requests", () => {
  test("keeps /health responding and blocks other requests only until the time-out", async () => {
    const member = await signedIn(context, stack.url, await makePerson(context.db));
    await locker.query("begin");
    await locker.query("lock table catalogue_items in access exclusive mode");
    try {
      const slow = Array.from({ length: 10 }, () => fetch(`${stack.url}${slowCall}`));
      await until("they hold every connection", async () => (await waitingForLock(context.pool)) === 10);
      expect((await fetch(`${stack.url}/health`)).status).toBe(200);
      // It responded before any of them.
      expect(await waitingForLock(context.pool)).toBe(10);

      const refused = await fetch(`${stack.url}/check/user?email=nobody@example.com`);
      expect(refused.status).toBe(503);
      expect(refused.headers.get("retry-after")).toBe("5");
      expect(await refused.json()).toMatchObject({
        error: expect.stringContaining("very busy"),
        requestId: refused.headers.get("x-request-id"),
      });
      // A page that reads the session needs a connection, too.
      const page = await member.get("/myorders");
      expect(page.status).toBe(503);
      expect(page.text).toContain("The store is very busy at the moment.");
      expect(page.text).toContain("Request");

      // The lock is still held, so it was the statements that ended.
      expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(Array(10).fill(503));
      await until("the others get a response", async () => {
        const answer = await fetch(`${stack.url}/check/user?email=nobody@example.com`);
        return answer.status === 200;
      });
    } finally {
      await locker.query("rollback");
    }
  });
});
