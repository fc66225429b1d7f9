/** Changes in a vendor's console: found by the nightly sync and by the refresh of one subscription, then stored and reported. */
import { afterEach, describe, expect, test } from "vitest";
import { findTenant } from "#db/accounts/tenants.ts";
import { newId, type SubscriptionId } from "#db/ids.ts";
import { microsoft } from "#server/catalogue/families/microsoft/index.ts";
import { english } from "#server/foundation/languages/text.ts";
import { builtCommandArguments } from "#server/operations/built-commands.mjs";
import { startChild } from "#server/operations/child-process.ts";
import { createTasks } from "#server/operations/jobs/tasks.ts";
import { startWorker } from "#server/operations/jobs/worker.ts";
import { whyNotChangeable } from "#server/orders/subscription-change.ts";
import { advanceTerms } from "#server/orders/subscriptions/advance-terms.ts";
import { stopRenewal } from "#server/orders/subscriptions/auto-renewal.ts";
import { queueRefresh } from "#server/orders/subscriptions/queue.ts";
import { refreshAccount, refreshSubscription } from "#server/orders/subscriptions/refresh.ts";
import { findSubscription } from "#server/orders/subscriptions/subscription.ts";
import { syncAccount } from "#server/orders/subscriptions/sync.ts";
import {
  type Customer,
  type CustomerSubscription,
  createSubscriptionFor,
  makeCustomer,
  type SubscriptionSpec,
  seedProviders,
} from "#tests/support/customer.ts";
import { makeOrder } from "#tests/support/orders.ts";
import { providerState } from "#tests/support/provider-state.ts";
import { deleteQueuedJobs, queuedJobs } from "#tests/support/queue.ts";
import { readSubscription } from "#tests/support/subscriptions.ts";
import { eventually } from "#tests/support/until.ts";
import { startWorld } from "#tests/support/world.ts";

const world = await startWorld();
const { context, controls } = world;
const { db } = context;
const provider = providerState(world.sandbox.url);
afterEach(async () => {
  await controls.faults();
  await deleteQueuedJobs(db);
});

function never(): never {
  throw new Error("Expected Microsoft to list a subscription");
}

const families = ["microsoft", "google"] as const;
type Family = (typeof families)[number];

/** Creates a subscription with the same data in the store and at the vendor. */
async function agreed(
  family: Family,
  what: SubscriptionSpec = {},
  customer?: Customer,
): Promise<CustomerSubscription> {
  const of = customer ?? (await makeCustomer(db));
  const held = await createSubscriptionFor(db, of, { family, ...what });
  await seedProviders(db, world.sandbox.url, of);
  return held;
}
const soldHere = async ({ id }: CustomerSubscription) =>
  db
    .updateTable("subscriptions")
    .set({ order_id: await makeOrder(db) })
    .where("id", "=", id)
    .execute();
const nightly = (family: Family, { tenantExternalId }: CustomerSubscription) =>
  syncAccount(context, { family, externalId: tenantExternalId }, { secondsBetweenLists: 0.001 });
const row = (held: CustomerSubscription) => readSubscription(db, held.id);
const notices = async ({ id }: CustomerSubscription) => {
  const mails = await db
    .selectFrom("mails")
    .select("data")
    .where("kind", "=", "vendor-notice")
    .where("dedupe_key", "like", `vendor-differs:${id}:%`)
    .execute();
  return mails.map(({ data }) => JSON.stringify(data));
};

describe.each(families)("at %s", (family) => {
  test("stores fewer licences, then more again", async () => {
    const held = await agreed(family);
    await controls.console({ id: held.externalId, quantity: 7 });
    expect((await nightly(family, held)).refreshed).toEqual([
      { subscriptionId: held.id, changes: { quantity: 7, reducedFrom: 10 } },
    ]);
    expect(await row(held)).toMatchObject({ quantity: 7, reduced_from: 10 });
    await controls.console({ id: held.externalId, quantity: 10 });
    await refreshSubscription(context, held.id);
    expect(await row(held)).toMatchObject({ quantity: 10, reduced_from: null });
  });

  test("stores an end that the vendor reports early, and mails the owner once", async () => {
    const customer = await makeCustomer(db);
    const held = await agreed(family, { endsInDays: 1 }, customer);
    await stopRenewal(context, held.id);
    // The vendors' clock runs ahead.
    await provider.clock(2 * 86_400_000);
    await refreshSubscription(context, held.id);
    await provider.clock(0);
    expect(await row(held)).toMatchObject({ status: "expired" });
    await advanceTerms(context, new Date(Date.now() + 2 * 86_400_000));
    const mails = await db
      .selectFrom("mails")
      .select("recipient")
      .where("kind", "=", "subscription-ended")
      .where("dedupe_key", "like", `subscription-ended:${held.id}:%`)
      .execute();
    expect(mails).toEqual([{ recipient: customer.owner.email }]);
  });

  test("blocks changes while the subscription is suspended", async () => {
    const held = await agreed(family);
    const closed = async () => {
      const subscription = await findSubscription(db, held.id);
      if (subscription === null) throw new Error("Subscription not found");
      const closed = whyNotChangeable("ADD", subscription, "IN", new Date());
      return closed === null ? null : english(closed);
    };
    await controls.console({ id: held.externalId, state: "suspended" });
    await refreshSubscription(context, held.id);
    expect(await row(held)).toMatchObject({ status: "active", suspended: true });
    expect(await closed()).toContain("has suspended this subscription");
    await controls.console({ id: held.externalId, state: "active" });
    await refreshSubscription(context, held.id);
    expect(await row(held)).toMatchObject({ suspended: false });
    expect(await closed()).toBeNull();
  });

  test("stores that it moved to another partner", async () => {
    const held = await agreed(family);
    await controls.console({ id: held.externalId, moved: true });
    await nightly(family, held);
    expect(await row(held)).toMatchObject({ status: "transferred" });
  });

  test("stores a different end", async () => {
    const held = await agreed(family);
    const endsAt = new Date(Date.now() + 50 * 86_400_000).toISOString();
    await controls.console({ id: held.externalId, endsAt });
    await nightly(family, held);
    expect((await row(held)).end_date.toISOString()).toBe(endsAt);
  });

  test("alerts the operator once to more licences than are paid for", async () => {
    const held = await agreed(family);
    await soldHere(held);
    await controls.console({ id: held.externalId, quantity: 14 });
    await nightly(family, held);
    await refreshSubscription(context, held.id);
    expect(await row(held)).toMatchObject({ quantity: 14 });
    const said = await notices(held);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("14 licenses, but only 10 are paid for");
  });

  test("alerts the operator to a paid next term that the vendor will not begin", async () => {
    const held = await agreed(family, { endsInDays: 20 });
    await soldHere(held);
    const { end_date: next_term_start } = await row(held);
    const end_date = new Date(next_term_start.getTime() + 365 * 86_400_000);
    await db
      .updateTable("subscriptions")
      .set({ next_term_start, next_term_quantity: 10, end_date })
      .where("id", "=", held.id)
      .execute();
    await nightly(family, held);
    expect(await notices(held)).toEqual([expect.stringContaining("won't renew it")]);
  });

  test("does not overwrite a subscription that a paid order is to change", async () => {
    const held = await agreed(family);
    await controls.console({ id: held.externalId, quantity: 7 });
    const paid = { kind: "ADD", stage: "stage3", payment_status: "completed" } as const;
    await makeOrder(db, {}, { ...paid, fulfilment_status: "queued", subscription_id: held.id });
    expect(await refreshSubscription(context, held.id)).toEqual({});
    expect((await nightly(family, held)).refreshed).toEqual([]);
    expect(await row(held)).toMatchObject({ quantity: 10 });
  });

  test("ignores an answer that is older than the row's last one", async () => {
    const held = await agreed(family);
    await controls.console({ id: held.externalId, quantity: 7 });
    await db
      .updateTable("subscriptions")
      .set({ read_at: new Date(Date.now() + 60_000) })
      .where("id", "=", held.id)
      .execute();
    expect(await refreshSubscription(context, held.id)).toEqual({});
    expect(await row(held)).toMatchObject({ quantity: 10 });
  });

  test("refreshes an account whose proof has expired, and imports nothing", async () => {
    const held = await agreed(family);
    await db.deleteFrom("control_proofs").where("tenant_external_id", "=", held.tenantExternalId).execute();
    await controls.console({ id: held.externalId, quantity: 7 });
    expect(await nightly(family, held)).toMatchObject({
      refreshed: [{ subscriptionId: held.id }],
      passedOver: "nobody's by proof",
    });
  });
});

test("cancels a subscription that was cancelled at Microsoft", async () => {
  const held = await agreed("microsoft");
  await controls.console({ id: held.externalId, state: "cancelled" });
  await nightly("microsoft", held);
  expect(await row(held)).toMatchObject({ status: "cancelled" });
});

test("alerts the operator if Microsoft renews fewer licences than are paid for", async () => {
  const held = await agreed("microsoft", { endsInDays: 20 });
  await soldHere(held);
  const { end_date: next_term_start } = await row(held);
  const end_date = new Date(next_term_start.getTime() + 365 * 86_400_000);
  await db
    .updateTable("subscriptions")
    .set({ next_term_start, next_term_quantity: 10, end_date })
    .where("id", "=", held.id)
    .execute();
  await controls.console({ id: held.externalId, quantity: 7, autoRenew: true });
  await nightly("microsoft", held);
  expect(await notices(held)).toEqual([expect.stringMatching(/paid for with 10 licenses, and .+ renews 7/)]);
  expect(await row(held)).toMatchObject({ quantity: 7, next_term_quantity: 10 });
});

describe("a paid extended term", () => {
  /** Creates a subscription that has ended here and was extended at Microsoft. */
  async function extended(): Promise<CustomerSubscription> {
    const held = await agreed("microsoft", { endsInDays: -3 });
    await soldHere(held);
    await controls.console({ id: held.externalId, state: "active", autoRenew: false });
    return held;
  }
  const readMails = async ({ id }: CustomerSubscription) =>
    db
      .selectFrom("mails")
      .select("recipient")
      .where("kind", "=", "subscription-extended")
      .where("dedupe_key", "like", `subscription-extended:${id}:%`)
      .execute();
  const days = (from: Date, to: Date) => Math.round((to.getTime() - from.getTime()) / 86_400_000);

  test("keeps the paid end, and offers the owners a renewal once", async () => {
    const held = await extended();
    const { end_date } = await row(held);
    await nightly("microsoft", held);
    const { extended_until } = await row(held);
    expect(await row(held)).toMatchObject({ end_date, status: "expired" });
    expect(days(end_date, extended_until ?? end_date)).toBeGreaterThan(27);
    expect(await readMails(held)).toHaveLength(1);
    expect(await notices(held)).toEqual([expect.stringContaining("extended it past its term")]);
    await nightly("microsoft", held);
    expect(await readMails(held)).toHaveLength(1);
  });

  test("clears the extension when it ends at Microsoft; a renewal is possible again", async () => {
    const held = await extended();
    await nightly("microsoft", held);
    await controls.console({ id: held.externalId, state: "cancelled" });
    await nightly("microsoft", held);
    expect(await row(held)).toMatchObject({ status: "expired", extended_until: null });
    const subscription = await findSubscription(db, held.id);
    if (subscription === null) throw new Error("Subscription not found");
    expect(whyNotChangeable("RENEW", subscription, "IN", new Date())).toBeNull();
  });

  test("matches an extension with a new id by product, unless two have that product", async () => {
    const held = await extended();
    const tenant = held.tenantId === null ? null : await findTenant(db, held.tenantId);
    if (tenant === null) throw new Error("Expected the subscription to have a tenant");
    const listed = await microsoft.tenants?.listHeld(context, tenant, { now: new Date() });
    const [{ says, reading } = never()] = listed ?? [];
    const renamed = { says: { ...says, externalId: crypto.randomUUID() }, reading };
    await controls.console({ id: held.externalId, moved: true });
    const refresh = () => refreshAccount(context, tenant, (id) => id, [renamed], new Date());
    const twin = await twinOf(held);
    await refresh();
    expect(await row(held)).toMatchObject({ external_id: held.externalId, extended_until: null });
    await db.deleteFrom("subscriptions").where("id", "=", twin).execute();
    await refresh();
    expect(await row(held)).toMatchObject({
      external_id: renamed.says.externalId,
      extended_until: expect.any(Date),
    });
  });

  /** Inserts another ended subscription to the same product in the same tenant. */
  async function twinOf(held: CustomerSubscription): Promise<SubscriptionId> {
    const id = newId<SubscriptionId>();
    const original = await db
      .selectFrom("subscriptions")
      .selectAll()
      .where("id", "=", held.id)
      .executeTakeFirstOrThrow();
    await db
      .insertInto("subscriptions")
      .values({ ...original, id, external_id: crypto.randomUUID() })
      .execute();
    return id;
  }
});

test("does not treat a subscription as moved when only the list omits it", async () => {
  const held = await agreed("microsoft");
  const tenant = held.tenantId === null ? null : await findTenant(db, held.tenantId);
  if (tenant === null) throw new Error("Expected the subscription to have a tenant");
  expect(await refreshAccount(context, tenant, (id) => id, [], new Date())).toEqual([]);
  expect(await row(held)).toMatchObject({ status: "active" });
});

describe("refresh jobs", () => {
  const refreshes = async () => (await queuedJobs(db)).filter(({ task }) => task === "refresh-subscription");
  const queueOne = ({ id }: CustomerSubscription) => db.transaction().execute((trx) => queueRefresh(trx, id));

  test("queues one job, regardless of how often it is requested", async () => {
    const held = await agreed("microsoft");
    for (let time = 0; time < 3; time += 1) await queueOne(held);
    expect(await refreshes()).toHaveLength(1);
  });

  test("runs one refresh at a time, at most one a second, and survives a killed worker", {
    tags: ["full"],
  }, async () => {
    const customer = await makeCustomer(db);
    const all: CustomerSubscription[] = [];
    for (let count = 0; count < 5; count += 1) all.push(await agreed("microsoft", {}, customer));
    for (const held of all) {
      await controls.console({ id: held.externalId, quantity: 7 });
      await queueOne(held);
    }
    const readMails = async () =>
      (
        await provider.calls(
          ({ method, path }) => method === "GET" && all.some((held) => path.endsWith(held.externalId)),
        )
      ).map(({ at }) => at);
    const before = (await readMails()).length;
    const killed = startChild({
      name: "worker",
      args: builtCommandArguments("worker"),
      env: { ...process.env, ...world.environment, WORKER_CONCURRENCY: "4", HEARTBEAT_MS: "200" },
      onLine: () => undefined,
    });
    await eventually(async () => expect((await readMails()).length).toBeGreaterThan(before + 1));
    await killed.kill();
    expect((await refreshes()).length).toBeGreaterThan(0);

    const worker = await startWorker({
      databaseUrl: context.env.DATABASE_URL,
      db,
      healthDb: context.healthDb,
      tasks: createTasks(context),
      log: context.log,
      concurrency: 4,
      pollMs: 50,
      heartbeatMs: 200,
      crons: {},
    });
    await eventually(async () => expect(await refreshes()).toHaveLength(0));
    await worker.stop();
    for (const held of all) expect(await row(held)).toMatchObject({ quantity: 7 });
    const seconds = (await readMails()).slice(before).map((at) => Math.floor(at / 1_000));
    const busiest = Math.max(...seconds.map((one) => seconds.filter((other) => other === one).length));
    // A slot ends with its second, and its call may leave a moment later.
    expect(busiest).toBeLessThanOrEqual(2);
  });
});
