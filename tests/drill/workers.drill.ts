/**
 * Orders at a vendor with slow responses and a quota (`npm run test:drill -- workers`): twice the workers fulfil about twice as
 * many, until the quota limits them, which no call exceeds.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { reportDrillResult } from "#tests/support/drill-result.ts";
import { type FaultWorld, startFaultWorld, statusOf } from "#tests/support/fault-world.ts";
import { type PreparedOrder, prepareGoogleSignUp } from "#tests/support/prepared-order.ts";
import { until } from "#tests/support/until.ts";
import { startWorkers } from "#tests/support/workers.ts";

const workerCounts = [1, 2, 4];
const orders = 30;
/** Latency of each call to Google. */
const latencyMs = 500;
const callsPerMinute = 600;
const leastGrowth = 1.5;
const everyStatus = { timeoutMs: 300_000, everyMs: 100 };

let world: FaultWorld;
beforeAll(async () => {
  world = await startFaultWorld({
    worker: false,
    env: { GOOGLE_CALLS_PER_MINUTE: String(callsPerMinute) },
  });
  await world.sides.controls.googleQuota(callsPerMinute);
});
afterAll(() => world?.stop());

test("scales with workers up to the vendor's quota, which no call exceeds", async () => {
  const runs: { workers: number; perMinute: number; refused: number }[] = [];
  for (const workers of workerCounts) runs.push(await run(workers));

  const said = runs.map(({ workers, perMinute }) => [
    `a minute by ${workers} workers`,
    Math.round(perMinute),
  ]);
  const refused = runs.reduce((sum, each) => sum + each.refused, 0);
  reportDrillResult(
    "workers",
    { orders, ...Object.fromEntries(said), "calls beyond the quota": refused },
    null,
  );
  const [one, two, four] = runs.map(({ perMinute }) => perMinute);
  expect(refused).toBe(0);
  expect((two ?? 0) / (one ?? 1)).toBeGreaterThan(leastGrowth);
  expect((four ?? 0) / (two ?? 1)).toBeGreaterThan(0.9);
}, 1_800_000);

async function run(workers: number): Promise<{ workers: number; perMinute: number; refused: number }> {
  const { sides, stack } = world;
  await sides.provider.faults();
  const prepared: PreparedOrder[] = [];
  for (let n = 0; n < orders; n += 1) {
    const one = await prepareGoogleSignUp(world);
    await one.signIn();
    prepared.push(one);
  }
  await sides.provider.faults({ match: { path: "^/google-" }, kind: "slow", delayMs: latencyMs });
  const begun = performance.now();
  const children = startWorkers(stack, workers);
  try {
    for (const { placed } of prepared)
      await until("all orders are done", async () => (await statusOf(world, placed)) === "done", everyStatus);
  } finally {
    for (const child of children) await child.stop();
  }
  const minutes = (performance.now() - begun) / 60_000;
  const { journal } = await sides.provider.state();
  const refused = journal.filter(({ status }) => status === 429).length;
  return { workers, perMinute: orders / minutes, refused };
}
