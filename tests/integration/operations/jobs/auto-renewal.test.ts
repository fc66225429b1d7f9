/** Auto-renewal at the vendor: switched off once a term has begun, but not when the next term is paid for. */
import { sql } from "kysely";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { SubscriptionId } from "#db/ids.ts";
import { fulfilOrder } from "#server/fulfilment/fulfil.ts";
import { chooseRenewal } from "#server/orders/renewal-choice.ts";
import { advanceTerms } from "#server/orders/subscriptions/advance-terms.ts";
import { stopRenewal } from "#server/orders/subscriptions/auto-renewal.ts";
import { sendRenewalReminders } from "#server/orders/subscriptions/renewal-reminders.ts";
import { syncAccount } from "#server/orders/subscriptions/sync.ts";
import {
  type CustomerSubscription,
  createSubscriptionFor,
  makeCustomer,
  type SubscriptionSpec,
  seedProviders,
} from "#tests/support/customer.ts";
import { anonymousRequester, makeOrder, readOrder } from "#tests/support/orders.ts";
import { type ProviderStateReader, providerState } from "#tests/support/provider-state.ts";
import { readSubscription } from "#tests/support/subscriptions.ts";
import { startWorld } from "#tests/support/world.ts";

let provider: ProviderStateReader;
const world = await startWorld();
beforeAll(async () => {
  provider = providerState(world.sandbox.url);
});

const families = ["microsoft", "google"] as const;

/** Creates a subscription that the vendor renews automatically. */
async function renewingByItself(
  family: "microsoft" | "google",
  what: SubscriptionSpec = {},
): Promise<CustomerSubscription> {
  const { context } = world;
  const customer = await makeCustomer(context.db);
  const held = await createSubscriptionFor(context.db, customer, { family, ...what });
  await seedProviders(context.db, world.sandbox.url, customer);
  if (family === "microsoft") {
    const partnerCenter = context.partnerCenterOf("IN");
    const resource = await partnerCenter.getSubscription(held.tenantExternalId, held.externalId);
    await partnerCenter.updateSubscription(
      held.tenantExternalId,
      { ...resource, autoRenewEnabled: true, scheduledActions: null },
      {},
      crypto.randomUUID(),
    );
  } else {
    const settings = {
      enableRenewal: true,
      resizeUnitCount: false,
      paymentCycle: { duration: 1, periodType: "YEAR" as const },
    };
    await context.google.changeRenewalSettings(held.externalId, settings, crypto.randomUUID());
  }
  return held;
}

async function renewsByItself(
  family: "microsoft" | "google",
  { externalId, tenantExternalId }: CustomerSubscription,
) {
  const { google } = world.context;
  const partnerCenter = world.context.partnerCenterOf("IN");
  return family === "microsoft"
    ? (await partnerCenter.getSubscription(tenantExternalId, externalId)).autoRenewEnabled
    : (await google.getEntitlement(externalId)).renewal?.enableRenewal;
}

const set = (
  id: SubscriptionId,
  changes: { next_term_start: Date; next_term_quantity: number; end_date?: Date },
) => world.context.db.updateTable("subscriptions").set(changes).where("id", "=", id).execute();

test.each(families)("%s: switches auto-renewal off, and writes nothing once it is off", async (family) => {
  const held = await renewingByItself(family);
  expect(await renewsByItself(family, held)).toBe(true);
  await stopRenewal(world.context, held.id);
  expect(await renewsByItself(family, held)).toBe(false);
  const writes = async () => (await provider.calls(({ method }) => method !== "GET")).length;
  const before = await writes();
  await stopRenewal(world.context, held.id);
  expect(await writes()).toBe(before);
});

test.each(families)("%s: keeps auto-renewal for a next term that is paid for", async (family) => {
  const held = await renewingByItself(family);
  await set(held.id, { next_term_start: new Date(Date.now() + 86_400_000), next_term_quantity: 10 });
  await stopRenewal(world.context, held.id);
  expect(await renewsByItself(family, held)).toBe(true);
});

test.each(families)(
  "%s: does not renew for the choice to keep all licences; the subscription ends",
  async (family) => {
    const { context } = world;
    const { db } = context;
    const held = await renewingByItself(family, { endsInDays: 20 });
    const { customer_id: customerId, end_date: end } = await readSubscription(db, held.id);
    const member = await db
      .selectFrom("members")
      .select("user_id as userId")
      .where("customer_id", "=", customerId)
      .executeTakeFirstOrThrow();
    const by = { userId: member.userId, byLink: true };
    await db
      .transaction()
      .execute((trx) => chooseRenewal(trx, held.id, { decision: "keep" }, by, new Date()));
    await stopRenewal(context, held.id);
    expect(await renewsByItself(family, held)).toBe(false);
    const ofCompany = () =>
      db.selectFrom("orders").select("id").where("customer_id", "=", customerId).execute();
    expect(await ofCompany()).toEqual([]);

    // An unpaid order that was begun with the choice is not fulfilled either.
    const order = await makeOrder(
      db,
      { requester: { ...anonymousRequester, userId: member.userId } },
      { kind: "RENEW", family, subscription_id: held.id, customer_id: customerId, stage: "stage2" },
    );
    const writes = async () => (await provider.calls(({ method }) => method !== "GET")).length;
    const before = await writes();
    await fulfilOrder(context, order);
    await sendRenewalReminders(context);
    await advanceTerms(context, new Date(end.getTime() + 1));
    expect(await writes()).toBe(before);
    expect(await renewsByItself(family, held)).toBe(false);
    expect(await readSubscription(db, held.id)).toMatchObject({ status: "expired", end_date: end });
    expect(await readOrder(db, order)).toMatchObject({ stage: "stage2", payment_status: "none" });
    expect(await ofCompany()).toHaveLength(1);
  },
);

test("waits while an order is changing the subscription", async () => {
  const held = await renewingByItself("microsoft");
  const { db } = world.context;
  const orderId = await makeOrder(db);
  await db
    .updateTable("subscriptions")
    .set({ changing_order_id: orderId })
    .where("id", "=", held.id)
    .execute();
  await expect(stopRenewal(world.context, held.id)).rejects.toThrow("being_changed");
  expect(await renewsByItself("microsoft", held)).toBe(true);
});

test("adds a job when a term begins", async () => {
  const held = await renewingByItself("google");
  const start = new Date(Date.now() - 1_000);
  await set(held.id, {
    next_term_start: start,
    next_term_quantity: 10,
    end_date: new Date(Date.now() + 9e9),
  });
  await advanceTerms(world.context);
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker.jobs where task_identifier = 'stop-renewal'`.execute(world.context.db);
  expect(rows).toContainEqual({ key: `stop-renewal:${held.id}` });
});

describe("at the end of a Microsoft term that nobody renews", () => {
  /** Only Microsoft's clock advances: the store's rows do not change. */
  const endsInDays = 20;
  const afterTheEnd = 30 * 86_400_000;
  const atMicrosoft = ({ externalId, tenantExternalId }: CustomerSubscription) =>
    world.context.partnerCenterOf("IN").getSubscription(tenantExternalId, externalId);
  const stopJobs = async ({ id }: CustomerSubscription) => {
    const { rows } = await sql`
      select key from graphile_worker.jobs where key = ${`stop-renewal:${id}`}`.execute(world.context.db);
    return rows.length;
  };
  async function soldHere({ id }: CustomerSubscription): Promise<void> {
    const { db } = world.context;
    const orderId = await makeOrder(db);
    await db.updateTable("subscriptions").set({ order_id: orderId }).where("id", "=", id).execute();
  }
  afterEach(() => provider.clock(0));

  test("ends a subscription that was set to renew automatically", async () => {
    const held = await renewingByItself("microsoft", { endsInDays });
    await stopRenewal(world.context, held.id);
    await provider.clock(afterTheEnd);
    expect(await atMicrosoft(held)).toMatchObject({ status: "expired" });
  });

  test("schedules a cancellation; otherwise Microsoft starts a paid extended term", async () => {
    const held = await renewingByItself("microsoft", { endsInDays });
    const resource = await atMicrosoft(held);
    const { tenantExternalId } = held;
    await world.context
      .partnerCenterOf("IN")
      .updateSubscription(
        tenantExternalId,
        { ...resource, autoRenewEnabled: false },
        {},
        crypto.randomUUID(),
      );
    await stopRenewal(world.context, held.id);
    expect(await atMicrosoft(held)).toMatchObject({
      autoRenewEnabled: false,
      scheduledActions: [{ scheduleType: "TermEnd", actionType: "Cancel" }],
    });
    await provider.clock(afterTheEnd);
    expect(await atMicrosoft(held)).toMatchObject({ status: "expired" });
  });

  test("schedules the cancellation again at night after a change of seats dropped it", async () => {
    const held = await renewingByItself("microsoft");
    await stopRenewal(world.context, held.id);
    await world.context
      .partnerCenterOf("IN")
      .updateSubscription(
        held.tenantExternalId,
        await atMicrosoft(held),
        { quantity: 12 },
        crypto.randomUUID(),
      );
    expect(await atMicrosoft(held)).toMatchObject({ scheduledActions: null });

    await soldHere(held);
    await syncAccount(world.context, { family: "microsoft", externalId: held.tenantExternalId });
    expect(await stopJobs(held)).toBe(1);
    await stopRenewal(world.context, held.id);
    expect(await atMicrosoft(held)).toMatchObject({ scheduledActions: [{ actionType: "Cancel" }] });
  });

  test("does not touch at night what ends already or is paid for", async () => {
    const ending = await renewingByItself("microsoft");
    await stopRenewal(world.context, ending.id);
    const renewed = await renewingByItself("microsoft");
    await set(renewed.id, { next_term_start: new Date(Date.now() + 86_400_000), next_term_quantity: 10 });
    for (const held of [ending, renewed]) {
      await soldHere(held);
      await syncAccount(world.context, { family: "microsoft", externalId: held.tenantExternalId });
      expect(await stopJobs(held)).toBe(0);
    }
  });
});
