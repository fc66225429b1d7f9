/**
 * The sandbox's Microsoft subscriptions over time: which settings a change resets, which seats can be returned, and how a term
 * ends.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningSandbox } from "#sandbox/vendors/start.ts";
import { partnerCenterAt } from "./partner-center-support.ts";
import { bearer, post, start } from "./support.ts";

const dayMs = 86_400_000;
let running: RunningSandbox;
let authorization: string;
beforeAll(async () => {
  running = await start();
});
beforeEach(async () => {
  await running.reset();
  authorization = await bearer(running.url);
});
afterAll(() => running.stop());

const { get, patch, customerWithAgreement, bought } = partnerCenterAt(() => ({
  url: running.url,
  authorization,
}));

/** Buys five seats for a year. @returns functions that read the subscription, and change its current state */
async function subscription() {
  const customer = await customerWithAgreement();
  const path = `/customers/${customer}/subscriptions/${await bought(customer)}`;
  const read = async () => (await get(path)).json();
  const change = async (changes: object) => {
    const answer = await patch(path, { ...(await read()), ...changes });
    return { status: answer.status, body: await answer.json() };
  };
  return { read, change };
}

async function daysLater(days: number): Promise<void> {
  await post(`${running.url}/control/clock`, { offsetMs: days * dayMs });
  authorization = await bearer(running.url);
}

const ends = [{ scheduleType: "TermEnd", actionType: "Cancel" }];
const renewed = (quantity: number) => ({
  product: { productId: "CFQ7TTC0LDPB", skuId: "0001", billingCycle: "annual", termDuration: "P1Y" },
  quantity,
});

test("a change of seats drops what is scheduled", async () => {
  const { read, change } = await subscription();
  await change({ autoRenewEnabled: false, scheduledActions: ends });
  expect(await read()).toMatchObject({ scheduledActions: ends });
  await change({ quantity: 6 });
  expect(await read()).toMatchObject({ quantity: 6, scheduledActions: null });
});

test("with scheduled actions the instructions for the next term do not count", async () => {
  const { read, change } = await subscription();
  await change({ scheduledActions: ends, scheduledNextTermInstructions: renewed(8) });
  expect(await read()).toMatchObject({ scheduledActions: ends, scheduledNextTermInstructions: null });
});

test("starts another term with auto-renew, with the seats of its instructions", async () => {
  const { read, change } = await subscription();
  await change({ autoRenewEnabled: true, scheduledNextTermInstructions: renewed(8) });
  const { commitmentEndDate } = await read();
  await daysLater(366);
  const after = await read();
  expect(after).toMatchObject({ status: "active", quantity: 8, termDuration: "P1Y" });
  expect(Date.parse(after.commitmentEndDate)).toBeGreaterThan(Date.parse(commitmentEndDate));
});

test("a term with a scheduled cancellation ends", async () => {
  const { read, change } = await subscription();
  await change({ autoRenewEnabled: false, scheduledActions: ends });
  await daysLater(366);
  expect(await read()).toMatchObject({ status: "expired" });
  expect(await change({ status: "active" })).toMatchObject({ status: 400 });
});

test("a term with auto-renew merely off is followed by a paid extended one", async () => {
  const { read, change } = await subscription();
  const { offerId } = (await change({ autoRenewEnabled: false })).body;
  await daysLater(366);
  expect(await read()).toMatchObject({
    status: "active",
    offerId: `${offerId}:EST`,
    friendlyName: expect.stringContaining("Extended Service Term"),
    termDuration: "P1M",
    billingCycle: "monthly",
  });
});

test("returns seats for 7 days from their own purchase, newest first", async () => {
  const { read, change } = await subscription();
  await daysLater(5);
  await change({ quantity: 8 });
  expect((await read()).refundableQuantity).toMatchObject({
    totalQuantity: 8,
    details: [{ quantity: 5 }, { quantity: 3 }],
  });
  await daysLater(8);
  expect((await read()).refundableQuantity).toMatchObject({ totalQuantity: 3, details: [{ quantity: 3 }] });
  expect(await change({ quantity: 4 })).toMatchObject({ status: 400, body: { code: "800090" } });
  expect(await change({ quantity: 6 })).toMatchObject({ status: 200, body: { quantity: 6 } });
  expect((await read()).refundableQuantity).toMatchObject({ totalQuantity: 1 });
  await daysLater(13);
  expect((await read()).refundableQuantity).toEqual({ totalQuantity: 0, details: [] });
  expect(await change({ quantity: 5 })).toMatchObject({ status: 400, body: { code: "900214" } });
});

test("accepts a cancellation until the date it names, which a renewal moves", async () => {
  const { read, change } = await subscription();
  const first = Date.parse((await read()).cancellationAllowedUntilDate);
  await daysLater(7.1);
  expect(await change({ status: "deleted" })).toMatchObject({ status: 400, body: { code: "900117" } });
  await change({ autoRenewEnabled: true });
  await daysLater(366);
  const second = Date.parse((await read()).cancellationAllowedUntilDate);
  expect(Math.round((second - first) / dayMs)).toBe(365);
  expect(await change({ status: "deleted" })).toMatchObject({ status: 200, body: { status: "deleted" } });
  expect(await change({ status: "active" })).toMatchObject({ status: 400 });
});

test("keeps the seats of a suspended one, returns none, and reactivates it", async () => {
  const { read, change } = await subscription();
  expect((await change({ status: "suspended" })).status).toBe(200);
  expect(await read()).toMatchObject({ status: "suspended", refundableQuantity: null });
  expect(await change({ quantity: 6 })).toMatchObject({ status: 400, body: { code: "800091" } });
  expect(await change({ status: "active" })).toMatchObject({ status: 200, body: { status: "active" } });
});

test("restores its state after a restart, including its responses to changes", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "hubs-sandbox-"));
  const said: string[] = [];
  const open = () => start({ dataFile: path.join(folder, "sandbox.json"), log: (line) => said.push(line) });
  const before = await open();
  const partnerCenter = partnerCenterAt(() => ({ url: before.url, authorization: token }));
  const token = await bearer(before.url);
  const customer = await partnerCenter.customerWithAgreement();
  const address = `/customers/${customer}/subscriptions/${await partnerCenter.bought(customer)}`;
  // A delayed change gets a response without a body.
  await post(`${before.url}/control/delays`, { scale: 0.001 });
  await expect.poll(async () => (await partnerCenter.get(address)).status).toBe(200);
  const held = await (await partnerCenter.get(address)).json();
  expect((await partnerCenter.patch(address, { ...held, quantity: held.quantity + 1 })).status).toBe(202);
  const known = JSON.parse(JSON.stringify(before.sandbox.state));
  await before.stop();
  const after = await open();
  expect(after.sandbox.state.partner).toEqual(known.partner);
  expect(said.filter((line) => line.includes("could not read"))).toEqual([]);
  await after.stop();
  await rm(folder, { recursive: true });
});
