/**
 * A vendor pause: one alert, no order needs a person, and all are fulfilled in order of payment when the vendor recovers.
 */
import { afterAll, beforeEach, expect, test } from "vitest";
import { builtCommandArguments } from "#server/operations/built-commands.mjs";
import { startChild } from "#server/operations/child-process.ts";
import { type FaultWorld, startFaultWorld, statusOf } from "#tests/support/fault-world.ts";
import { until } from "#tests/support/until.ts";
import { microsoftCalls } from "./microsoft-calls.ts";
import { expectAllDone, expectInTurn, paidInTurn, untilHeld, vendorNotices } from "./paused-vendor.ts";

const { faultAt, nameOf } = microsoftCalls;
const out = "Microsoft (India) isn't accepting our orders: orders are on hold";
const well = "Microsoft (India) is accepting orders again";

let world: FaultWorld;
beforeEach(async () => {
  if (world === undefined) {
    // One job at a time, so that calls happen in the order of the orders.
    world = await startFaultWorld({ worker: false, env: { RETRY_BASE_MS: "25", WORKER_CONCURRENCY: "1" } });
  } else await world.stack.renew();
});
afterAll(() => world?.stop());

async function list(): Promise<string> {
  const lines: string[] = [];
  const child = startChild({
    name: "order",
    args: builtCommandArguments("order", "list"),
    env: world.stack.env,
    onLine: (line) => lines.push(line),
  });
  expect(await child.ended).toBe("code 0");
  return lines.join("\n");
}

test("sends one alert for a revoked token, then fulfils waiting orders in turn", async () => {
  const { provider } = world.sides;
  const orders = await paidInTurn(world, 10);
  await provider.faults(
    faultAt("token", "refuse", {
      status: 400,
      code: "invalid_grant",
      description: "AADSTS50173: The provided grant has expired due to it being revoked.",
    }),
  );
  await world.stack.startWorker();
  await untilHeld(world, orders);

  const [first] = orders;
  if (first === undefined) throw new Error("Expected an order");
  const page = await first.order.browser.get(`${first.order.path}/sign-in`);
  expect(page.text).toContain(
    "Microsoft isn't accepting orders from us right now. Your payment is safe, and your order will continue automatically as soon as it does. We'll email you when it's done.",
  );
  expect(page.text).not.toContain("AADSTS");
  const said = await list();
  expect(said).toContain("microsoft:IN is paused since");
  expect(said).toContain("orders waiting: 10");
  expect(said).toContain("AADSTS50173");
  expect(said).toContain("No order needs attention.");
  const health = await fetch(`${world.stack.url}/health`);
  expect([health.status, await health.json()]).toEqual([200, { ok: true }]);

  // The vendor is probed several times before it recovers.
  const count = (await provider.calls((call) => nameOf(call) === "token")).length;
  await until(
    "the vendor is probed again",
    async () => (await provider.calls((call) => nameOf(call) === "token")).length >= count + 2,
  );
  expect(await vendorNotices(world)).toEqual([out]);
  for (const { placed } of orders) expect(await statusOf(world, placed)).toBe("queued");

  await provider.faults();
  await expectAllDone(world, orders);
  await expectInTurn(world, orders);
  expect(await vendorNotices(world)).toEqual([out, well]);
});

test("probes with one order at a time when only purchases fail, and alerts once", async () => {
  const { provider } = world.sides;
  const orders = await paidInTurn(world, 3);
  await provider.faults(faultAt("check out", "refuse", { status: 403, code: "800023" }));
  await world.stack.startWorker();
  const checkouts = async () =>
    new Set((await provider.calls((call) => nameOf(call) === "check out")).map(({ path }) => path)).size;
  await until("each order was the probe order once", async () => (await checkouts()) === orders.length);
  await untilHeld(world, orders);
  expect(await vendorNotices(world)).toEqual([out]);

  await provider.faults();
  await expectAllDone(world, orders);
  expect(await vendorNotices(world)).toEqual([out, well]);
});

test("recovers from a kill of the worker while the probe order goes ahead", async () => {
  const { provider } = world.sides;
  const orders = await paidInTurn(world, 3);
  await provider.faults(faultAt("token", "refuse", { status: 400, code: "invalid_grant" }));
  await world.stack.startWorker();
  await untilHeld(world, orders);
  await provider.faults(faultAt("make cart", "hang-before", { times: 1 }));
  await until("the probe order is buying", async () => (await provider.state()).faults.length === 0);
  await world.stack.killWorker();
  await world.stack.startWorker();
  await expectAllDone(world, orders);
  expect(await vendorNotices(world)).toEqual([out, well]);
});

test("does not block the other orders when the probe order needs attention", async () => {
  const { provider } = world.sides;
  const orders = await paidInTurn(world, 3);
  const [first, ...others] = orders;
  if (first === undefined) throw new Error("Expected an order");
  await provider.faults(faultAt("token", "refuse", { status: 400, code: "invalid_grant" }));
  await world.stack.startWorker();
  await untilHeld(world, orders);
  await provider.faults(faultAt("check out", "refuse", { status: 403, code: "800069", times: 1 }));
  await world.finished(orders);
  expect(await statusOf(world, first.placed)).toBe("needs_attention");
  for (const order of others) expect(await order.outcome()).toEqual(order.expected);
});
