/**
 * A provider that rejects our key leaves the question open: no payment, refund, subscription or line of a file counts as
 * checked, and each is found once the key is corrected.
 */
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { sweepReports } from "#server/billing/payments/report-sweep.ts";
import { sweepPayments } from "#server/billing/payments/sweep.ts";
import { handleProviderEvent } from "#server/billing/payments/webhook.ts";
import { compareTenantImport } from "#server/desk/tenant-import.ts";
import { syncAccount } from "#server/orders/subscriptions/sync.ts";
import { makeCustomer } from "#tests/support/customer.ts";
import { toCheckout } from "#tests/support/journey.ts";
import { freshPrefix } from "#tests/support/paid-order.ts";
import { deleteQueuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";
import { insertTestTenant } from "#tests/support/subscriptions.ts";
import { eventually } from "#tests/support/until.ts";
import { contextForStack } from "#tests/support/world.ts";

const { stack, context, controls } = await startStore();
const { db } = context;
const rejected = contextForStack({
  ...stack.env,
  RAZORPAY_KEY_SECRET_IN: "wrong",
  PARTNER_CLIENT_SECRET_IN: "wrong",
});
const misconfigured = { name: "ProviderError", kind: "misconfigured", status: 401 };
beforeEach(() => controls.webhooks("never"));
afterEach(() => deleteQueuedJobs(db));
afterAll(() => rejected.db.destroy());

/** Creates an order paid at the provider without the store's knowledge. */
async function paidUnseen(webhook = false) {
  const order = await toCheckout(stack.url);
  await controls.pay({ orderId: order.providerOrderId, webhook });
  const readStage = async () =>
    (await db.selectFrom("orders").select("stage").where("id", "=", order.id).executeTakeFirstOrThrow())
      .stage;
  return { order, readStage, unpaid: await readStage() };
}

test("retries a webhook until the key is corrected, then settles the order", async () => {
  await controls.webhooks("normal");
  const { order, readStage, unpaid } = await paidUnseen(true);
  const { event_id: eventId } = await eventually(() =>
    db
      .selectFrom("provider_events")
      .select("event_id")
      .where("type", "=", "payment.captured")
      .where(sql<boolean>`payload::text like ${`%${order.providerOrderId}%`}`)
      .executeTakeFirstOrThrow(),
  );
  const key = { provider: "razorpay", eventId } as const;
  for (const attempt of [1, 4, 50])
    await expect(handleProviderEvent(rejected, key, attempt)).rejects.toMatchObject(misconfigured);
  expect(await readStage()).toBe(unpaid);
  await handleProviderEvent(context, key, 51);
  expect(await readStage()).not.toBe(unpaid);
});

test("keeps an order's turn in the sweep", async () => {
  const { order, readStage, unpaid } = await paidUnseen();
  await db
    .updateTable("payment_intents")
    .set({ next_look_at: new Date(0) })
    .where("order_id", "=", order.id)
    .execute();
  const looks = () =>
    db
      .selectFrom("payment_intents")
      .select("looks")
      .where("order_id", "=", order.id)
      .executeTakeFirstOrThrow();
  const earlier = await looks();
  await sweepPayments(rejected);
  expect([await looks(), await readStage()]).toEqual([earlier, unpaid]);
});

test("fails the look-up of refunds and disputes, so the next one starts there again", async () => {
  await expect(sweepReports(rejected)).rejects.toMatchObject(misconfigured);
  await expect(sweepReports(context)).resolves.toBeGreaterThanOrEqual(0);
});

test("skips no vendor account and rejects no line of a file", async () => {
  const domain = `${freshPrefix("rejected")}.onmicrosoft.com`;
  const externalId = crypto.randomUUID();
  await controls.plant({ customers: [{ domain, id: externalId }] });
  const { customerId } = await makeCustomer(db);
  await insertTestTenant(db, customerId, { family: "microsoft", external_id: externalId, domain });
  const account = { family: "microsoft", externalId } as const;
  await expect(syncAccount(rejected, account)).rejects.toMatchObject(misconfigured);
  expect((await syncAccount(context, account)).passedOver).toBeNull();

  const file = `company,vendor,domain,tenant,evidence,reference\n${customerId},microsoft,new-${domain},,Contract,C-1\n`;
  await expect(compareTenantImport(rejected, file)).rejects.toMatchObject(misconfigured);
  expect((await compareTenantImport(context, file)).lines).toHaveLength(1);
});
