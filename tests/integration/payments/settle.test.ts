/**
 * DESIGN section 5, about money: a paid order is never lost and never doubled, whoever reports the payment, in whatever
 * order, and whatever the provider does meanwhile.
 */
import { createHmac, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { queueFulfilment } from "#server/fulfilment/queue.ts";
import { createTasks } from "#server/jobs/tasks.ts";
import { startWorker } from "#server/jobs/worker.ts";
import { retrySettlement } from "#server/payments/return.ts";
import { settlePayment } from "#server/payments/settle.ts";
import { handleProviderEvent, sweepPayments } from "#server/payments/webhook.ts";
import { Browserless, fieldIn } from "#tests/support/browserless.ts";
import { digestOf } from "#tests/support/digest.ts";
import {
  type OpenPayment,
  type OrderPlace,
  placeOrder,
  returnForm,
  toCheckout,
  toReview,
} from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, levers } = await startStore({ env: { PROVIDER_TIMEOUT_MS: "700" } });
// Every webhook of these tests is posted by the test itself.
beforeEach(() => levers.webhooks("never"));
afterEach(async () => {
  await levers.faults();
  await sql`delete from graphile_worker._private_jobs`.execute(context.db);
});

const facts = async ({ id }: OrderPlace) => {
  const { db } = context;
  const jobs = await sql<{ key: string }>`
    select key from graphile_worker._private_jobs where key like ${`%${id}`}`.execute(db);
  const of = { payments: db.selectFrom("payments"), intents: db.selectFrom("payment_intents") };
  return {
    order: await db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    payments: await of.payments.selectAll().where("order_id", "=", id).orderBy("created_at").execute(),
    intents: await of.intents.selectAll().where("order_id", "=", id).orderBy("created_at").execute(),
    fulfilments: await db.selectFrom("fulfilments").selectAll().where("order_id", "=", id).execute(),
    mails: await db.selectFrom("mails").selectAll().where("order_id", "=", id).execute(),
    jobs: jobs.rows.map(({ key }) => key),
  };
};

/** Makes the order look begun so long ago that the sweeper looks it up. */
const backdate = ({ id }: OrderPlace, minutes: number) =>
  context.db
    .updateTable("payment_intents")
    .set({ created_at: new Date(Date.now() - minutes * 60_000) })
    .where("order_id", "=", id)
    .execute();

/** Without a sign-in to wait for, payment queues fulfilment at once: what can be doubled is then there to be counted. */
const withoutSignIn = ({ id }: OrderPlace) =>
  context.db.updateTable("orders").set({ kind: "TUP" }).where("id", "=", id).execute();

function webhook(order: OpenPayment, paymentId: string, eventId: string = randomUUID()) {
  const entity = { id: paymentId, order_id: order.providerOrderId };
  const body = JSON.stringify({
    entity: "event",
    event: "payment.captured",
    payload: { payment: { entity } },
  });
  const signature = createHmac("sha256", context.env.RAZORPAY_WEBHOOK_SECRET).update(body).digest("hex");
  return new Browserless(stack.url).ask("/webhooks/razorpay", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Razorpay-Signature": signature,
      "X-Razorpay-Event-Id": eventId,
    },
    body,
  });
}

const comeBack = (order: OpenPayment, paid: { paymentId: string; signature: string }) =>
  new Browserless(stack.url).post("/payments/return", returnForm(order.providerOrderId, paid), {
    "Sec-Fetch-Site": "cross-site",
  });
const settle = (order: OpenPayment, providerPaymentId: string) =>
  settlePayment(context, { providerOrderId: order.providerOrderId, providerPaymentId });
const submit = (order: OpenPayment) => order.browser.post(`${order.path}/place-order`, { intent: "submit" });

describe("one payment, reported by everybody at once", () => {
  test.each([1, 2, 3])("is one captured row, one fulfilment, one job (round %i)", async () => {
    const order = await toCheckout(stack.url);
    await withoutSignIn(order);
    await backdate(order, 20);
    const paid = await levers.pay({ orderId: order.providerOrderId });
    const eventId = randomUUID();
    const reports = [
      ...Array.from({ length: 5 }, () => () => comeBack(order, paid)),
      ...Array.from({ length: 3 }, () => () => webhook(order, paid.paymentId)),
      ...Array.from({ length: 2 }, () => () => webhook(order, paid.paymentId, eventId)),
      ...Array.from({ length: 5 }, () => () => settle(order, paid.paymentId)),
      ...Array.from({ length: 2 }, () => () => sweepPayments(context)),
      ...Array.from({ length: 3 }, () => () => submit(order)),
    ];
    expect(reports).toHaveLength(20);
    const answers = await Promise.all(reports.map((report) => report()));
    for (const answer of answers) {
      if (typeof answer === "object" && "status" in answer)
        expect([200, 302, 303, 502]).toContain(answer.status);
    }
    // The jobs that the webhooks have left, at once too.
    const events = await context.db.selectFrom("provider_events").select("event_id").execute();
    await Promise.all(events.map((event) => handleProviderEvent(context, event.event_id)));

    const after = await facts(order);
    expect(after.payments).toMatchObject([
      {
        status: "captured",
        provider_payment_id: paid.paymentId,
        amount_minor: order.totalMinor,
        problem: null,
      },
    ]);
    expect(after.order).toMatchObject({
      stage: "stage3",
      payment_status: "completed",
      fulfilment_status: "queued",
      paid_at: expect.any(Date),
    });
    expect(after.intents).toMatchObject([{ status: "paid" }]);
    expect(after.fulfilments).toMatchObject([{ status: "queued", attempts: 0 }]);
    expect(after.jobs).toEqual([`fulfil:${order.id}`]);
    expect(after.mails).toEqual([]);
    expect(events.filter((event) => event.event_id === eventId)).toHaveLength(1);
  });

  test("reported again later changes nothing", async () => {
    const order = await toCheckout(stack.url);
    const paid = await levers.pay({ orderId: order.providerOrderId });
    expect(await settle(order, paid.paymentId)).toEqual({ state: "completed", orderId: order.id });
    const before = await digestOf(context.db);
    expect(await settle(order, paid.paymentId)).toEqual({ state: "completed", orderId: order.id });
    expect((await comeBack(order, paid)).location).toBe(`${order.path}/sign-in`);
    await sweepPayments(context, 0);
    expect(await digestOf(context.db)).toEqual(before);
  });

  test("waits for the sign-in answers before anything is fulfilled", async () => {
    const order = await toCheckout(stack.url);
    const paid = await levers.pay({ orderId: order.providerOrderId });
    await settle(order, paid.paymentId);
    expect(await facts(order)).toMatchObject({
      order: {
        stage: "stage3",
        fulfilment_status: "waiting_for_signin",
        terms_accepted_at: expect.any(Date),
      },
      fulfilments: [],
      jobs: [],
    });
  });

  test("pays in dollars for an American order", async () => {
    const order = await toCheckout(stack.url, { country: "US" });
    const paid = await levers.pay({ orderId: order.providerOrderId });
    await settle(order, paid.paymentId);
    expect(await facts(order)).toMatchObject({
      order: { payment_status: "completed", currency: "USD" },
      payments: [{ status: "captured", currency: "USD", amount_minor: order.totalMinor }],
    });
  });
});

describe("two payments for one order", () => {
  test.each(["one after the other", "at once"])(
    "%s: the second is surplus, and the operator is asked to refund it",
    async (how) => {
      const order = await toCheckout(stack.url);
      await withoutSignIn(order);
      const first = await levers.pay({ orderId: order.providerOrderId });
      const second = await levers.pay({ orderId: order.providerOrderId });
      if (how === "at once") {
        await Promise.all([first, second, first, second].map(({ paymentId }) => settle(order, paymentId)));
      } else {
        await settle(order, first.paymentId);
        await settle(order, second.paymentId);
        await settle(order, second.paymentId);
      }
      const { payments, mails, jobs, fulfilments } = await facts(order);
      expect(payments.map(({ status }) => status).sort()).toEqual(["captured", "surplus"]);
      expect(mails).toMatchObject([
        { kind: "operator-alert", data: { what: "The order was paid twice: please refund this payment." } },
      ]);
      const surplus = payments.find(({ status }) => status === "surplus");
      expect(mails[0]?.dedupe_key).toBe(`payment-alert:${surplus?.provider_payment_id}`);
      expect(jobs).toEqual([`fulfil:${order.id}`]);
      expect(fulfilments).toHaveLength(1);
    },
  );
});

describe("what the provider says of a payment", () => {
  test("authorized: it is captured, and the order is paid", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await levers.pay({ orderId: order.providerOrderId, status: "authorized" });
    expect(await settle(order, paymentId)).toMatchObject({ state: "completed" });
    const { razorpay } = await levers.state();
    expect(razorpay.payments.find(({ id }) => id === paymentId)).toMatchObject({ status: "captured" });
    expect(await facts(order)).toMatchObject({ payments: [{ status: "captured" }] });
  });

  test("authorized, and asked by several at once: it is captured once", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await levers.pay({ orderId: order.providerOrderId, status: "authorized" });
    const captures = async () => (await levers.state()).counts["razorpay.payment.capture"] ?? 0;
    const before = await captures();
    const states = await Promise.all(Array.from({ length: 6 }, () => settle(order, paymentId)));
    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(["completed"]));
    expect((await captures()) - before).toBe(1);
    expect(await facts(order)).toMatchObject({ payments: [{ status: "captured" }] });
  });

  test("authorized with a wrong amount: it is not captured, and the order is not paid", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await levers.pay({
      orderId: order.providerOrderId,
      status: "authorized",
      amount: 100,
    });
    expect((await settle(order, paymentId)).state).not.toBe("completed");
    const { razorpay } = await levers.state();
    expect(razorpay.payments.find(({ id }) => id === paymentId)).toMatchObject({ status: "authorized" });
    expect(await facts(order)).toMatchObject({ order: { payment_status: "pending" } });
  });

  test("failed: the reason is shown, the order stays open, and a late success pays it", async () => {
    const order = await toCheckout(stack.url);
    const failed = await levers.pay({ orderId: order.providerOrderId, status: "failed" });
    const metadata = JSON.stringify({ order_id: order.providerOrderId, payment_id: failed.paymentId });
    const returned = await new Browserless(stack.url).post("/payments/return", {
      "error[metadata]": metadata,
    });
    expect([returned.status, returned.location]).toEqual([303, `${order.path}/place-order`]);
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "failed" }],
      order: { stage: "stage2" },
    });
    const page = await order.browser.get(`${order.path}/place-order`);
    expect(page.text).toContain("The payment was not successful:");
    expect(page.text).toContain("declined by the bank");
    // The same provider order takes the next try.
    expect(fieldIn(page.text, "order_id")).toBe(order.providerOrderId);

    const paid = await levers.pay({ orderId: order.providerOrderId });
    expect((await comeBack(order, paid)).location).toBe(`${order.path}/sign-in`);
    expect((await facts(order)).payments.map(({ status }) => status)).toEqual(["failed", "captured"]);
  });

  test("failed, though the browser says success: nothing is paid", async () => {
    const order = await toCheckout(stack.url);
    const failed = await levers.pay({ orderId: order.providerOrderId, status: "failed" });
    expect((await comeBack(order, failed)).location).toBe(`${order.path}/place-order`);
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "failed" }],
      order: { payment_status: "pending", stage: "stage2" },
    });
  });

  test("captured, though the browser says failure: the order is paid", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await levers.pay({ orderId: order.providerOrderId });
    const metadata = JSON.stringify({ order_id: order.providerOrderId, payment_id: paymentId });
    await new Browserless(stack.url).post("/payments/return", { "error[metadata]": metadata });
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "captured" }],
      order: { stage: "stage3" },
    });
  });

  test("made for a price that is no longer the order's: a mismatch, and the operator is told", async () => {
    const order = await toCheckout(stack.url);
    await order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "7" });
    const paid = await levers.pay({ orderId: order.providerOrderId });
    expect((await comeBack(order, paid)).location).toBe(`${order.path}/place-order`);
    const after = await facts(order);
    expect(after).toMatchObject({
      intents: [{ status: "superseded" }],
      payments: [{ status: "mismatch", amount_minor: order.totalMinor }],
      order: { payment_status: "none", stage: "stage2", paid_at: null },
      mails: [{ kind: "operator-alert", data: { what: expect.stringContaining("does not fit the order") } }],
    });
    expect(after.order.total_minor).not.toBe(order.totalMinor);
    const page = await order.browser.get(`${order.path}/place-order`);
    expect(page.text).toContain("Please click Submit to complete your order.");
  });

  test("made for a superseded request of the very same price: the order is paid", async () => {
    const order = await toCheckout(stack.url);
    await order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "2" });
    expect(await facts(order)).toMatchObject({ intents: [{ status: "superseded" }] });
    const paid = await levers.pay({ orderId: order.providerOrderId });
    await comeBack(order, paid);
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "captured" }],
      order: { stage: "stage3" },
    });
  });

  test("settles a mismatch by Submit once the price fits again", async () => {
    const order = await toCheckout(stack.url);
    await order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "7" });
    const paid = await levers.pay({ orderId: order.providerOrderId });
    await comeBack(order, paid);
    await order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "2" });
    expect((await submit(order)).location).toBe(`${order.path}/sign-in`);
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "captured" }],
      order: { stage: "stage3" },
    });
  });
});

describe("the sweeper", () => {
  test("finds a paid order of which neither webhook nor return has ever told", async () => {
    const order = await toCheckout(stack.url);
    await levers.pay({ orderId: order.providerOrderId });
    await backdate(order, 14);
    await sweepPayments(context);
    expect(await facts(order)).toMatchObject({ payments: [], order: { payment_status: "pending" } });
    await backdate(order, 16);
    await sweepPayments(context);
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "captured" }],
      order: { stage: "stage3", payment_status: "completed" },
    });
  });

  test("also one whose buyer changed the order back and forth meanwhile", async () => {
    const order = await toCheckout(stack.url);
    await levers.pay({ orderId: order.providerOrderId });
    for (const quantity of ["5", "2"]) {
      await order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity });
    }
    await backdate(order, 16);
    await sweepPayments(context);
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "captured" }],
      order: { stage: "stage3" },
    });
  });

  test("captures what was only authorized", async () => {
    const order = await toCheckout(stack.url);
    await levers.pay({ orderId: order.providerOrderId, status: "authorized" });
    await backdate(order, 16);
    await sweepPayments(context);
    expect(await facts(order)).toMatchObject({ payments: [{ status: "captured" }] });
  });

  test("leaves alone what nobody has paid", async () => {
    const order = await toCheckout(stack.url);
    await levers.pay({ orderId: order.providerOrderId, status: "failed" });
    await backdate(order, 16);
    await sweepPayments(context);
    expect(await facts(order)).toMatchObject({
      payments: [],
      order: { payment_status: "pending", stage: "stage2" },
    });
  });

  test("one order that cannot be asked about does not keep the others from being found", async () => {
    const [broken, paid] = [await toCheckout(stack.url), await toCheckout(stack.url)];
    await levers.pay({ orderId: broken.providerOrderId });
    await levers.pay({ orderId: paid.providerOrderId });
    await backdate(broken, 30);
    await backdate(paid, 20);
    await levers.faults({ match: { path: `/orders/${broken.providerOrderId}/payments` }, kind: "500" });
    await sweepPayments(context).catch(() => undefined);
    expect(await facts(paid)).toMatchObject({ order: { payment_status: "completed" } });
  });
});

describe("the provider is away when the buyer comes back", () => {
  test.each(["500", "429", "reset", "timeout"] as const)(
    "%s: the return is kept, and settled later without the buyer",
    async (kind) => {
      const order = await toCheckout(stack.url);
      const paid = await levers.pay({ orderId: order.providerOrderId });
      await levers.faults({ match: { method: "GET", path: "^/razorpay/v1/payments/" }, kind });
      const answer = await comeBack(order, paid);
      expect([answer.status, answer.location]).toEqual([303, `${order.path}/place-order`]);
      expect(await facts(order)).toMatchObject({
        payments: [{ status: "returned", provider_payment_id: paid.paymentId, settled_at: null }],
        order: { payment_status: "pending", stage: "stage2" },
      });
      // Told that the money has arrived, and not asked for it again.
      const page = await order.browser.get(`${order.path}/place-order`);
      expect(page.text).toContain(
        "Your payment has been completed. Please click Submit to complete your order.",
      );
      expect(page.text).not.toContain("checkout/embedded");
      const retried = await submit(order);
      expect(retried.status).toBe(503);
      expect(retried.text).toContain("Retry failed:");
      expect(retried.text).not.toMatch(/Internal server error|ECONNRESET/);

      await levers.faults();
      const { rows } = await sql<{ key: string; run_at: Date }>`
      select key, run_at from graphile_worker._private_jobs where key = ${`settle:${paid.paymentId}`}`.execute(
        context.db,
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.run_at.getTime()).toBeGreaterThan(Date.now());
      await runJobsNow();
      await vi.waitFor(
        async () =>
          expect(await facts(order)).toMatchObject({
            payments: [{ status: "captured" }],
            order: { stage: "stage3" },
          }),
        15_000,
      );
    },
  );

  test("and Submit settles it as soon as the provider is back", async () => {
    const order = await toCheckout(stack.url);
    const paid = await levers.pay({ orderId: order.providerOrderId });
    await levers.faults({ match: { method: "GET", path: "^/razorpay/v1/payments/" }, kind: "500", times: 1 });
    await comeBack(order, paid);
    expect((await submit(order)).location).toBe(`${order.path}/sign-in`);
    expect(await facts(order)).toMatchObject({ payments: [{ status: "captured" }] });
  });

  test("a webhook's job is tried again", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await levers.pay({ orderId: order.providerOrderId });
    const eventId = randomUUID();
    expect((await webhook(order, paymentId, eventId)).status).toBe(200);
    await levers.faults({ match: { path: "^/razorpay/v1/payments/" }, kind: "500", times: 1 });
    await expect(handleProviderEvent(context, eventId)).rejects.toThrow();
    const event = () =>
      context.db
        .selectFrom("provider_events")
        .select("processed_at")
        .where("event_id", "=", eventId)
        .executeTakeFirstOrThrow();
    expect(await event()).toEqual({ processed_at: null });
    await handleProviderEvent(context, eventId);
    expect(await event()).toEqual({ processed_at: expect.any(Date) });
    expect(await facts(order)).toMatchObject({ payments: [{ status: "captured" }] });
  });

  test("Submit after the webhook was quicker is no failure", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await levers.pay({ orderId: order.providerOrderId });
    await settle(order, paymentId);
    await expect(retrySettlement(context, order.id)).resolves.toBeUndefined();
  });

  test("Submit for an order nobody paid fails in the specification's words", async () => {
    const order = await toCheckout(stack.url);
    const answer = await submit(order);
    expect(answer.status).toBe(502);
    expect(answer.text).toContain("Retry failed: Backend validation failed.");
  });
});

describe("the provider's order", () => {
  const ordersOf = async (place: OrderPlace) => {
    const { intents } = await facts(place);
    const { razorpay } = await levers.state();
    return {
      intents,
      made: razorpay.orders.filter(({ receipt }) => intents.some((intent) => intent.receipt === receipt)),
    };
  };

  test.each(["reset-after", "hang-after"] as const)(
    "whose answer was lost (%s) is found again by its receipt",
    async (kind) => {
      const buyer = new Browserless(stack.url);
      const order = await toReview(buyer);
      await levers.faults({ match: { method: "POST", path: "^/razorpay/v1/orders$" }, kind, times: 1 });
      await expect(placeOrder(buyer, order)).rejects.toThrow("503");
      expect(await ordersOf(order)).toMatchObject({ intents: [{ provider_order_id: null }], made: [{}] });

      await placeOrder(buyer, order);
      const { intents, made } = await ordersOf(order);
      expect(made).toHaveLength(1);
      expect(intents).toMatchObject([{ provider_order_id: made[0]?.id, amount_minor: order.totalMinor }]);
      expect(made[0]?.amount).toBe(order.totalMinor);
    },
  );

  test("that the provider did not make can be asked for again", async () => {
    const buyer = new Browserless(stack.url);
    const order = await toReview(buyer);
    await levers.faults({ match: { path: "^/razorpay/v1/orders" }, kind: "reset", times: 1 });
    await expect(placeOrder(buyer, order)).rejects.toThrow("503");
    const page = await buyer.get(`${order.path}/place-order`);
    expect(page.text).toContain("I have read and accept these terms.");
    await placeOrder(buyer, order);
    expect((await ordersOf(order)).made).toHaveLength(1);
  });

  test("is one, however often Place Order is pressed", async () => {
    const buyer = new Browserless(stack.url);
    const order = await toReview(buyer);
    for (let press = 0; press < 3; press += 1) await placeOrder(buyer, order);
    expect(await ordersOf(order)).toMatchObject({ intents: [{ status: "open" }], made: [{}] });
    expect((await ordersOf(order)).made).toHaveLength(1);
  });

  test("pressed several times at once, one order is asked to be paid", async () => {
    const buyer = new Browserless(stack.url);
    const order = await toReview(buyer);
    await Promise.allSettled(Array.from({ length: 4 }, () => placeOrder(buyer, order)));
    const { intents } = await ordersOf(order);
    expect(intents).toHaveLength(1);
    const page = await buyer.get(`${order.path}/place-order`);
    expect(fieldIn(page.text, "order_id")).toBe(intents[0]?.provider_order_id);
  });
});

test("fulfilment asked for twice in one order's life is one row and one job", async () => {
  const order = await toCheckout(stack.url);
  for (let time = 0; time < 2; time += 1) {
    await context.db.transaction().execute((trx) => queueFulfilment(trx, order.id));
  }
  const { fulfilments, jobs } = await facts(order);
  expect(fulfilments).toHaveLength(1);
  expect(jobs).toEqual([`fulfil:${order.id}`]);
});

/** Runs what waits in the queue, as if its time had come. */
async function runJobsNow(): Promise<void> {
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(context.db);
  const worker = await startWorker({
    databaseUrl: stack.databaseUrl,
    db: context.db,
    tasks: createTasks(context),
    log: context.log,
    concurrency: 2,
    pollMs: 50,
    heartbeatMs: 500,
    crons: {},
  });
  await vi.waitFor(async () => {
    const { rows } = await sql`select 1 from graphile_worker._private_jobs where run_at <= now()`.execute(
      context.db,
    );
    expect(rows).toEqual([]);
  }, 20_000);
  await worker.stop();
}
