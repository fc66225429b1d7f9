/** The partner consent is revoked while 60 paid orders wait. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FaultWorld, startFaultWorld } from "#tests/support/fault-world.ts";
import { until } from "#tests/support/until.ts";
import { microsoftCalls } from "./microsoft-calls.ts";
import { expectAllDone, expectInTurn, paidInTurn, untilHeld, vendorNotices } from "./paused-vendor.ts";

let world: FaultWorld;
beforeAll(async () => {
  world = await startFaultWorld({ worker: false, env: { RETRY_BASE_MS: "100", WORKER_CONCURRENCY: "1" } });
});
afterAll(() => world?.stop());

test("sends one alert, and fulfils all orders in order of payment without a person", async () => {
  const orders = await paidInTurn(world, 60);
  await world.sides.provider.faults(
    microsoftCalls.faultAt("token", "refuse", { status: 400, code: "invalid_grant" }),
  );
  await world.stack.startWorker();
  await untilHeld(world, orders);
  expect(await vendorNotices(world)).toHaveLength(1);
  await world.sides.provider.faults();
  // Mails have lower priority, so they wait until all orders are fulfilled.
  const unsent = world.context.db.selectFrom("mails").select("id").where("sent_at", "is", null);
  const carriedOut = world.context.db
    .selectFrom("orders")
    .select("id")
    .where("fulfilment_status", "=", "done");
  await until(
    "all orders are done and all mail is sent",
    async () =>
      (await carriedOut.execute()).length === orders.length && (await unsent.execute()).length === 0,
    { timeoutMs: 900_000, everyMs: 1_000 },
  );
  await expectAllDone(world, orders);
  await expectInTurn(world, orders);
  expect(await vendorNotices(world)).toHaveLength(2);
});
