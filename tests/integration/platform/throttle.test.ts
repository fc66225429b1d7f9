/** The rate of calls to a vendor by all processes together: never above its quota, in order of request. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { blockCalls, reserveCallSlot } from "#db/platform/provider-throttle.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { createThrottle, type Quota, type SlotStore, type Throttle } from "#server/integrations/throttle.ts";
import { createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { type ContextWithSandbox, contextWithSandbox } from "#tests/support/context-with-sandbox.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { sandboxControls } from "#tests/support/sandbox-controls.ts";

const { db, url } = await createTestDatabase();

const callsPerMinute = 60;
let world: ContextWithSandbox;
beforeAll(async () => {
  world = await contextWithSandbox(url, { GOOGLE_CALLS_PER_MINUTE: String(callsPerMinute) });
});
afterAll(() => world?.stop());

const bookings: SlotStore = {
  book: (name, spacing, mostMs) => reserveCallSlot(db, name, spacing, mostMs),
  hold: (name, ms) => blockCalls(db, name, ms),
};

function paceOf(quota: Quota): Throttle {
  const pace = createThrottle("google", quota);
  if (pace === undefined) throw new Error("Expected a throttle");
  return pace;
}

test("stays within the quota per minute across processes, first come first served", async () => {
  const quota = 120;
  const moments: number[] = [];
  const noted: SlotStore = {
    ...bookings,
    // Recorded instead of waiting.
    async book(name, spacing, mostMs) {
      const wait = await bookings.book(name, spacing, mostMs);
      if (wait !== null) moments.push(performance.now() + wait);
      return 0;
    },
  };
  const throttle = paceOf({ bookings: noted, account: "noted", callsPerMinute: quota, maxMs: 3_600_000 });
  for (let call = 0; call < 3 * quota; call += 1) await throttle.turn("GET /anything");

  expect(moments).toHaveLength(3 * quota);
  expect(moments.toSorted((one, other) => one - other)).toEqual(moments);
  const busiest = Math.max(
    ...moments.map((from) => moments.filter((at) => at >= from && at < from + 60_000 - 250).length),
  );
  expect(busiest).toBeLessThanOrEqual(quota);
  // And little of the quota is unused.
  expect((moments.at(-1) ?? 0) - (moments[0] ?? 0)).toBeLessThan(3.5 * 60_000);
});

test("gives concurrent callers different slots", async () => {
  // Far enough apart that the duration of the calls does not matter.
  const spacing = { everyMs: 60_000, burst: 1 };
  const waits = await Promise.all(
    Array.from({ length: 20 }, () => reserveCallSlot(db, "at-once", spacing, 3_600_000)),
  );
  const places = waits
    .map((wait) => Math.round((wait ?? 0) / spacing.everyMs))
    .toSorted((one, other) => one - other);
  expect(places).toEqual(Array.from({ length: 20 }, (_, place) => place));
});

test("refuses a slot too far ahead with the wait, and reserves nothing", async () => {
  const throttle = paceOf({ bookings, account: "far", callsPerMinute: 60, maxMs: 2_000 });
  await throttle.refused(90);
  const refusal = await throttle.turn("GET /anything").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ProviderError);
  expect(refusal).toMatchObject({ kind: "transient", status: 429, retryAfterSeconds: 2 });
  const { next_at: first } = await rowOf("google:far");
  await throttle.turn("GET /anything").catch(() => undefined);
  expect((await rowOf("google:far")).next_at).toEqual(first);
});

test("keeps two processes within Google's quota, so that Google refuses no call", async () => {
  await sandboxControls(world.sandbox.url).googleQuota(callsPerMinute);
  const other = createContext(readEnv(world.environment), "test");
  try {
    const startedAt = performance.now();
    // Ten are free after a pause; each further one waits 1.2 seconds.
    await Promise.all(
      [world.context, other].flatMap(({ google }) =>
        Array.from({ length: 6 }, (_, n) => google.checkDomain(`paced-${n}.example`)),
      ),
    );
    expect(performance.now() - startedAt).toBeGreaterThan(2_300);
  } finally {
    await other.db.destroy();
  }
});

test("blocks every process after Google refuses a call", async () => {
  const { google } = world.context;
  await sandboxControls(world.sandbox.url).googleQuota(1);
  const refusal = await google.checkDomain("refused.example").catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 429, code: "RESOURCE_EXHAUSTED", kind: "transient" });
  const { next_at } = await rowOf("google");
  expect(next_at.getTime() - Date.now()).toBeGreaterThan(3_000);
});

function rowOf(name: string) {
  return db.selectFrom("call_paces").selectAll().where("name", "=", name).executeTakeFirstOrThrow();
}
