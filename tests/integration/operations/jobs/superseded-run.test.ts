/**
 * A worker freezes in a call and is declared dead, another worker fulfils its order, then the first wakes up. It does not stop
 * the order, buy again or release a lock; the other worker determines what the call achieved.
 */
import { sql } from "kysely";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { findCancellation } from "#db/billing/cancellations.ts";
import { isTransientDbError } from "#db/client.ts";
import type { OrderId } from "#db/ids.ts";
import { carryOutCancellation } from "#server/billing/cancellations/carry-out.ts";
import { afterFailure } from "#server/billing/cancellations/failure.ts";
import { fulfilOrder } from "#server/fulfilment/fulfil.ts";
import { lockForOrder } from "#server/fulfilment/subscription-lock.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { findOrder } from "#server/orders/find.ts";
import { findSubscription } from "#server/orders/subscriptions/subscription.ts";
import { beginRun, executeRun, type Run, RunSupersededError } from "#server/platform/stored-steps/run.ts";
import { type Attempt, forgetStep, providerStep } from "#server/platform/stored-steps/step.ts";
import { type GoogleCall, googleCalls } from "#tests/faults/google-calls.ts";
import { beginChange, payChange } from "#tests/support/changes.ts";
import {
  type CustomerSubscription,
  createSubscriptionFor,
  makeCustomer,
  seedProviders,
} from "#tests/support/customer.ts";
import { googlePlan } from "#tests/support/journey.ts";
import { waitingForLock } from "#tests/support/locks.ts";
import { readOrder, signedIn } from "#tests/support/orders.ts";
import { answerSignInGoogle, freshPrefix, paidOrder } from "#tests/support/paid-order.ts";
import { prepareCancellation } from "#tests/support/prepared-cancellation.ts";
import { startStore } from "#tests/support/store.ts";
import { readSubscription } from "#tests/support/subscriptions.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls, provider } = await startStore();
const { db } = context;
beforeEach(() => provider.faults());

const frozenAt = (call: GoogleCall) => googleCalls.faultAt(call, "slow", { times: 1, delayMs: 60_000 });
const statusOf = async (id: OrderId) => (await readOrder(db, id)).fulfilment_status;
const stepsOf = (id: OrderId) =>
  db.selectFrom("provider_requests").selectAll().where("order_id", "=", id).orderBy("step").execute();
const begin = (id: OrderId) => db.transaction().execute((trx) => beginRun(trx, id));

/** Waits until a worker makes the call: its fault is used up on arrival. */
const isIn = (call: GoogleCall) =>
  until(`a worker is frozen in "${call}"`, async () => {
    const { faults } = await provider.state();
    const path = JSON.stringify(frozenAt(call).match.path);
    return !faults.some((fault) => JSON.stringify(fault).includes(path));
  });

async function paidForMore(quantity: number): Promise<{ id: OrderId; held: CustomerSubscription }> {
  const customer = await makeCustomer(db);
  const held = await createSubscriptionFor(db, customer, { family: "google", quantity: 10, endsInDays: 100 });
  await seedProviders(db, stack.sandboxUrl, customer);
  const browser = await signedIn(context, stack.url, customer.owner);
  const order = await beginChange(browser, "more", held.id, quantity);
  await payChange(browser, stack.sandboxUrl, order);
  return { id: order.id, held };
}

async function entitlementsOf(domain: string) {
  const { google } = await provider.state();
  const customer = google.customers.find((one) => one.domain === domain);
  return google.entitlements.filter(({ name }) => name.startsWith(`${customer?.name}/`));
}

describe("an order for a new customer", () => {
  test("continues when the first worker finds that the second created the customer", async () => {
    const domain = `${freshPrefix("frozen")}.com`;
    const order = await paidOrder(stack, googlePlan(domain));
    await answerSignInGoogle(order, "admin");
    await provider.faults(frozenAt("make customer"), frozenAt("buy"));
    const first = fulfilOrder(context, order.id);
    await isIn("make customer");
    const second = fulfilOrder(context, order.id);
    await isIn("buy");
    await provider.faults(frozenAt("read operation"));
    await first;
    expect(await statusOf(order.id)).toBe("running");
    await provider.faults();
    await second;
    // Google's operation may still be running.
    await until("the order is done", async () => {
      await fulfilOrder(context, order.id);
      return (await statusOf(order.id)) === "done";
    });
    expect(await entitlementsOf(domain)).toHaveLength(1);
    expect(await db.selectFrom("order_runs").selectAll().execute()).toEqual([]);
  });
});

describe("an order for more licences", () => {
  test("does not lock the subscription again for a worker that wakes up late", async () => {
    const { id, held } = await paidForMore(5);
    const first = await begin(id);
    await until("the order is done", async () => {
      await fulfilOrder(context, id);
      return (await statusOf(id)) === "done";
    });
    const order = await findOrder(db, id);
    if (order === null) throw new Error("Order not found");
    await executeRun(context, first, async () => {
      await expect(lockForOrder(db, order)).rejects.toThrow(RunSupersededError);
    });
    expect(await readSubscription(db, held.id)).toMatchObject({ changing_order_id: null });
  });
});

describe("a cancellation", () => {
  test("continues when only a superseded run learns that it is too late", async () => {
    const prepared = await prepareCancellation(
      { stack, context, sides: { context, provider, controls } },
      "2",
    );
    await prepared.signIn();
    const { id } = await db
      .selectFrom("cancellations")
      .select("id")
      .where("order_id", "=", prepared.placed.id)
      .executeTakeFirstOrThrow();
    const cancellation = await findCancellation(db, id);
    const subscription = cancellation && (await findSubscription(db, cancellation.subscriptionId));
    if (cancellation === null || subscription === null) throw new Error("Cancellation not found");
    const hear = (run: Run) =>
      executeRun(context, run, () => {
        const tooLate = new ProviderError("microsoft", "refused", "PATCH subscription", { code: "900117" });
        return afterFailure(context, cancellation, subscription, tooLate);
      });
    const first = await begin(prepared.placed.id);
    const second = await begin(prepared.placed.id);
    await hear(first);
    expect((await findCancellation(db, id))?.state).toBe("requested");
    await hear(second);
    expect((await findCancellation(db, id))?.state).toBe("refused");
  });
});

const isEmbedded = inject("databaseTemplate").kind === "embedded";

/** Lets a run continue from a frozen call until it waits for a lock on the order, then ends the waiting session. */
async function cutIn(id: OrderId, run: Promise<void>): Promise<void> {
  const failed = run.then(
    () => null,
    (error: unknown) => error,
  );
  await db.transaction().execute(async (trx) => {
    await sql`select from order_runs where order_id = ${id} for update`.execute(trx);
    await provider.faults();
    await until("the run waits for the lock", async () => (await waitingForLock(context.pool)) > 0);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(trx);
    expect(isTransientDbError(await failed)).toBe(true);
  });
}

// The embedded database has one session.
describe.skipIf(isEmbedded)("a cut session", () => {
  const triesOf = (id: OrderId) =>
    db.selectFrom("fulfilments").select("attempts").where("order_id", "=", id).executeTakeFirst();

  test.each(["make customer", "provision", "buy"] as const)(
    'uses up no try of an order after "%s", and fulfils it once',
    async (call) => {
      const domain = `${freshPrefix("cut")}.com`;
      const order = await paidOrder(stack, googlePlan(domain));
      await answerSignInGoogle(order, "admin");
      await provider.faults(frozenAt(call));
      const run = fulfilOrder(context, order.id);
      await isIn(call);
      await cutIn(order.id, run);
      expect(await triesOf(order.id)).toEqual({ attempts: 0 });
      expect(await statusOf(order.id)).toBe("running");
      await until("the order is done", async () => {
        await fulfilOrder(context, order.id);
        return (await statusOf(order.id)) === "done";
      });
      expect(await entitlementsOf(domain)).toHaveLength(1);
    },
  );

  test("uses up no try of a cancellation, and performs it once", async () => {
    const prepared = await prepareCancellation(
      { stack, context, sides: { context, provider, controls } },
      "2",
    );
    await prepared.signIn();
    const { id } = await db
      .selectFrom("cancellations")
      .select("id")
      .where("order_id", "=", prepared.placed.id)
      .executeTakeFirstOrThrow();
    const path = "^/partner-center/v1/customers/[^/]+/subscriptions/";
    await provider.faults({ match: { method: "PATCH", path }, kind: "slow", times: 1, delayMs: 60_000 });
    const run = carryOutCancellation(context, id);
    await until("the vendor is called", async () => (await provider.state()).faults.length === 0);
    await cutIn(prepared.placed.id, run);
    expect(await findCancellation(db, id)).toMatchObject({ state: "requested", met: {} });
    await carryOutCancellation(context, id);
    expect(await findCancellation(db, id)).toMatchObject({ state: "refund_requested", met: {} });
  });
});

describe("a stored step", () => {
  const result = z.object({ made: z.string() });
  const stepIn = (run: Run, call: (attempt: Attempt) => Promise<z.output<typeof result>>) => {
    let what: unknown = "taken over";
    return executeRun(context, run, async () => {
      what = await providerStep(context, run.orderId, "thing", result, call);
    }).then(() => what);
  };
  const made = async () => ({ made: "by the second" });
  const frozenOrder = async () => (await paidForMore(1)).id;

  test("does not begin in a run that was superseded", async () => {
    const id = await frozenOrder();
    const first = await begin(id);
    await begin(id);
    expect(await stepIn(first, () => Promise.reject(new Error("called")))).toBe("taken over");
    expect(await stepsOf(id)).toEqual([]);
  });

  test("stays in doubt for the new run even if the old run gets a reply", async () => {
    const id = await frozenOrder();
    const first = await begin(id);
    let ids: string[] = [];
    let second: Run | undefined;
    const refused = stepIn(first, async ({ requestId }) => {
      ids = [requestId];
      second = await begin(id);
      throw new ProviderError("google", "transient", "make thing", { status: 429 });
    });
    await refused.catch(() => "taken over");
    if (second === undefined) throw new Error("Expected a second run");
    expect(await stepsOf(id)).toMatchObject([{ step: "thing", status: "sent", unanswered: true }]);
    expect(
      await stepIn(second, ({ requestId, inDoubt }) => {
        ids.push(requestId);
        expect(inDoubt).toBe(true);
        return made();
      }),
    ).toEqual({ made: "by the second" });
    expect(ids[0]).toBe(ids[1]);
  });

  test("keeps the result of the second run", async () => {
    const id = await frozenOrder();
    const first = await begin(id);
    const late = await stepIn(first, async () => {
      expect(await stepIn(await begin(id), made)).toEqual({ made: "by the second" });
      return { made: "by the first" };
    });
    expect(late).toBe("taken over");
    expect(await stepsOf(id)).toMatchObject([{ status: "succeeded", result: { made: "by the second" } }]);
  });

  test("allows only the last run to delete it, and throws outside a run", async () => {
    const id = await frozenOrder();
    const first = await begin(id);
    const second = await begin(id);
    await stepIn(second, made);
    await executeRun(context, first, () => forgetStep(context, id, "thing"));
    expect(await stepsOf(id)).toHaveLength(1);
    await executeRun(context, second, () => forgetStep(context, id, "thing"));
    expect(await stepsOf(id)).toEqual([]);
    await expect(providerStep(context, id, "thing", result, made)).rejects.toThrow(RangeError);
  });
});
