/**
 * A worker that is frozen in a call is taken for dead, another carries its order out, and then it wakes up. It neither stops the order,
 * nor buys again, nor takes back a hold; what it has heard is the other's to find out.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { findCancellation } from "#db/cancellations.ts";
import type { OrderId } from "#db/ids.ts";
import { afterFailure } from "#server/cancellations/failure.ts";
import { fulfilOrder } from "#server/fulfilment/fulfil.ts";
import { holdSubscription } from "#server/fulfilment/hold.ts";
import { findOrder } from "#server/orders/find.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { beginRun, type Run, TakenOver, within } from "#server/stored-steps/run.ts";
import { type Attempt, forgetStep, providerStep } from "#server/stored-steps/step.ts";
import { findSubscription } from "#server/subscriptions/subscription.ts";
import { beginChange, payChange } from "#tests/support/changes.ts";
import { give, type Held, makeCustomer, plantAtProviders } from "#tests/support/customer.ts";
import { readSubscription } from "#tests/support/held.ts";
import { googlePlan } from "#tests/support/journey.ts";
import { readOrder, signedIn } from "#tests/support/orders.ts";
import { freshPrefix, paidOrder, signInGoogle } from "#tests/support/paid-order.ts";
import { prepareCancellation } from "#tests/support/prepared-cancellation.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/waiting.ts";
import { type GoogleCall, googleCalls } from "../../faults/google-calls.ts";

const { stack, context, levers, provider } = await startStore();
const { db } = context;
beforeEach(() => provider.faults());

const frozenAt = (call: GoogleCall) => googleCalls.faultAt(call, "slow", { times: 1, delayMs: 60_000 });
const statusOf = async (id: OrderId) => (await readOrder(db, id)).fulfilment_status;
const stepsOf = (id: OrderId) =>
  db.selectFrom("provider_requests").selectAll().where("order_id", "=", id).orderBy("step").execute();
const begin = (id: OrderId) => db.transaction().execute((trx) => beginRun(trx, id));

/** A fault is used up when its call arrives. */
const isIn = (call: GoogleCall) =>
  until(`a worker is frozen in "${call}"`, async () => {
    const { faults } = await provider.state();
    const path = JSON.stringify(frozenAt(call).match.path);
    return !faults.some((fault) => JSON.stringify(fault).includes(path));
  });

async function paidForMore(quantity: number): Promise<{ id: OrderId; held: Held }> {
  const customer = await makeCustomer(db);
  const held = await give(db, customer, { family: "google", quantity: 10, endsInDays: 100 });
  await plantAtProviders(db, stack.sandboxUrl, customer);
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
  test("goes on when the first worker finds that the second has made the customer", async () => {
    const domain = `${freshPrefix("frozen")}.com`;
    const order = await paidOrder(stack, googlePlan(domain));
    await signInGoogle(order, "admin");
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
    // Google's operation may be at work still.
    await until("it is done", async () => {
      await fulfilOrder(context, order.id);
      return (await statusOf(order.id)) === "done";
    });
    expect(await entitlementsOf(domain)).toHaveLength(1);
    expect(await db.selectFrom("order_runs").selectAll().execute()).toEqual([]);
  });
});

describe("an order for more licences", () => {
  test("is not held again by a worker that wakes up before it takes the hold", async () => {
    const { id, held } = await paidForMore(5);
    const first = await begin(id);
    await until("it is done", async () => {
      await fulfilOrder(context, id);
      return (await statusOf(id)) === "done";
    });
    const order = await findOrder(db, id);
    if (order === null) throw new Error("The order is not there");
    await within(context, first, async () => {
      await expect(holdSubscription(db, order)).rejects.toThrow(TakenOver);
    });
    expect(await readSubscription(db, held.id)).toMatchObject({ changing_order_id: null });
  });
});

describe("a cancellation", () => {
  test("goes on when a worker hears that it is too late, of one that another has taken over", async () => {
    const prepared = await prepareCancellation({ stack, context, sides: { context, provider, levers } }, "2");
    await prepared.signIn();
    const { id } = await db
      .selectFrom("cancellations")
      .select("id")
      .where("order_id", "=", prepared.placed.id)
      .executeTakeFirstOrThrow();
    const cancellation = await findCancellation(db, id);
    const subscription = cancellation && (await findSubscription(db, cancellation.subscriptionId));
    if (cancellation === null || subscription === null) throw new Error("The cancellation is not there");
    const hear = (run: Run) =>
      within(context, run, () => {
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

describe("a stored step", () => {
  const result = z.object({ made: z.string() });
  const stepIn = (run: Run, call: (attempt: Attempt) => Promise<z.output<typeof result>>) => {
    let what: unknown = "taken over";
    return within(context, run, async () => {
      what = await providerStep(context, run.orderId, "thing", result, call);
    }).then(() => what);
  };
  const made = async () => ({ made: "by the second" });
  const frozenOrder = async () => (await paidForMore(1)).id;

  test("is not begun by a run that was taken over", async () => {
    const id = await frozenOrder();
    const first = await begin(id);
    await begin(id);
    expect(await stepIn(first, () => Promise.reject(new Error("called")))).toBe("taken over");
    expect(await stepsOf(id)).toEqual([]);
  });

  test("stays in doubt for the second run, whatever the first hears", async () => {
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
    if (second === undefined) throw new Error("No second run has begun");
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

  test("keeps what the second run was answered", async () => {
    const id = await frozenOrder();
    const first = await begin(id);
    const late = await stepIn(first, async () => {
      expect(await stepIn(await begin(id), made)).toEqual({ made: "by the second" });
      return { made: "by the first" };
    });
    expect(late).toBe("taken over");
    expect(await stepsOf(id)).toMatchObject([{ status: "succeeded", result: { made: "by the second" } }]);
  });

  test("is forgotten by the last run alone, and belongs to no work outside of a run", async () => {
    const id = await frozenOrder();
    const first = await begin(id);
    const second = await begin(id);
    await stepIn(second, made);
    await within(context, first, () => forgetStep(context, id, "thing"));
    expect(await stepsOf(id)).toHaveLength(1);
    await within(context, second, () => forgetStep(context, id, "thing"));
    expect(await stepsOf(id)).toEqual([]);
    await expect(providerStep(context, id, "thing", result, made)).rejects.toThrow(RangeError);
  });
});
