/** `npm run after-restore`: recovers what a restored database has lost from the payment provider and the vendors, once. */
import { expect, test } from "vitest";
import type { OrderId } from "#db/ids.ts";
import { deleteHeartbeats, saveHeartbeats } from "#db/platform/workers.ts";
import { fulfilOrder } from "#server/fulfilment/fulfil.ts";
import { runCommand } from "#tests/support/command.ts";
import { toCheckout } from "#tests/support/journey.ts";
import { readOrder } from "#tests/support/orders.ts";
import { exactlyOnce, outcomeOf, type Placed } from "#tests/support/outcome.ts";
import { answerSignInNewTenant, freshPrefix, paidOrder } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls, provider } = await startStore();
const { db } = context;
const sides = { context, controls, provider };
const moment = new Date(Date.now() - 1_000).toISOString();

const restored = () => runCommand(stack, "after-restore", "--to", moment);

/** Creates a Microsoft order with its tenant name, which no worker has taken yet. */
async function underWay(): Promise<Placed> {
  const order = await paidOrder(stack);
  const prefix = freshPrefix("restored");
  await answerSignInNewTenant(order, { prefix });
  const domain = `${prefix}.onmicrosoft.com`;
  return { id: order.id, email: order.email, domain, user: `owner@${domain}` };
}

/** Resets the store to the state before the order was fulfilled. */
async function forget(id: OrderId): Promise<void> {
  for (const statement of [
    "delete from provider_requests where order_id = $1",
    "delete from control_proofs where order_id = $1",
    "delete from credentials where order_id = $1",
    "delete from mails where order_id = $1 and kind = 'order-confirmation'",
    "delete from subscriptions where order_id = $1",
    "update fulfilments set status = 'queued', attempts = 0, met = '{}', last_error = null where order_id = $1",
    `update orders set stage = 'stage3', fulfilment_status = 'queued', tenant_id = null, subscription_id = null,
       fulfilled_at = null where id = $1`,
  ])
    await context.pool.query(statement, [id]);
}

test("refuses to run while a worker is running, or without a valid time", async () => {
  await saveHeartbeats(db, ["a-worker"]);
  expect(await restored()).toEqual({
    how: "code 1",
    said: expect.stringContaining("A worker is still running"),
  });
  await deleteHeartbeats(db, ["a-worker"]);
  for (const to of ["yesterday", "2026-11-25", "2036-11-25T10:00:00Z"])
    expect((await runCommand(stack, "after-restore", "--to", to)).how).toBe("code 1");
});

test("marks fulfilled orders as done, restarts others, and reuses a tenant", async () => {
  const [carriedOut, untouched, begun] = [await underWay(), await underWay(), await underWay()];
  await fulfilOrder(context, carriedOut.id);
  await controls.faults({ match: { path: "/agreements" }, kind: "500" });
  await fulfilOrder(context, begun.id);
  await controls.faults();
  for (const { id } of [carriedOut, begun]) await forget(id);

  const { how, said } = await restored();
  expect(how, said).toBe("code 0");
  expect(said.match(/was fulfilled: marked as done/g)).toHaveLength(1);
  expect(said.match(/wasn't fulfilled: restarted/g)).toHaveLength(2);
  expect(await readOrder(db, carriedOut.id)).toMatchObject({ fulfilment_status: "done", stage: "stage4" });
  for (const { id } of [untouched, begun]) await fulfilOrder(context, id);
  for (const order of [untouched, begun])
    expect(await outcomeOf(sides, order)).toMatchObject({ ...exactlyOnce(order), confirmations: 0 });
  expect(await outcomeOf(sides, carriedOut)).toMatchObject({
    customers: 1,
    orders: 1,
    providerSubscriptions: 1,
    sameSubscription: true,
    subscriptions: [2],
  });
});

test("settles an unreported payment, and reports one of a lost order, once", async () => {
  const order = await toCheckout(stack.url, { wanted: { family: "brio", item: "brio-desk" } });
  await controls.pay({ orderId: order.providerOrderId, webhook: false });
  const forgotten = await context
    .razorpayOf("IN")
    .createOrder({ amountMinor: 118_000, currency: "INR", receipt: "forgotten", notes: {} });
  const { paymentId } = await controls.pay({ orderId: forgotten.id, webhook: false });
  const before = await lastSerial();

  const { how, said } = await restored();
  expect(how).toBe("code 2");
  expect(said).toContain("1 payments were found again");
  expect(said).toContain(
    `payment ${paymentId} of 1180 INR is for an order that isn't in the restored database.`,
  );
  expect(await readOrder(db, order.id)).toMatchObject({
    payment_status: "completed",
    fulfilment_status: "queued",
  });
  // Skips one serial per payment, unless an earlier run for this time did; the settled payment has the next.
  expect(await lastSerial()).toBeGreaterThan(before);
  const alerts = () =>
    db.selectFrom("mails").select("id").where("dedupe_key", "=", `forgotten-payment:${paymentId}`).execute();
  expect(await alerts()).toHaveLength(1);

  const after = await lastSerial();
  const again = await restored();
  expect(again.said).toContain("0 payments were found again");
  expect(again.said).not.toContain("may have been issued since");
  expect(await lastSerial()).toBe(after);
  expect(await alerts()).toHaveLength(1);
});

test("skips document numbers that may have been issued since, once per time", async () => {
  const receipt = "left-out";
  const { id } = await context
    .razorpayOf("IN")
    .createOrder({ amountMinor: 118_000, currency: "INR", receipt, notes: {} });
  await controls.pay({ orderId: id, webhook: false });
  const before = await lastSerial();
  const later = new Date(Date.now() - 500).toISOString();
  const { said } = await runCommand(stack, "after-restore", "--to", later);
  // This payment and the one of the previous test.
  expect(await lastSerial()).toBe(before + 2);
  expect(said).toMatch(/^IN\/\d\d-\d\d\/\d+ to IN\/\d\d-\d\d\/\d+ may have been issued since/m);
  await runCommand(stack, "after-restore", "--to", later);
  expect(await lastSerial()).toBe(before + 2);
});

async function lastSerial(): Promise<number> {
  const row = await db
    .selectFrom("invoice_series")
    .select("last_serial")
    .where("series", "like", "IN/__-__")
    .executeTakeFirst();
  return row?.last_serial ?? 0;
}
