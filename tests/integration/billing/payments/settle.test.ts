/**
 * docs/decisions/settlement.md#paid-orders, about money: a paid order is never lost and never doubled, regardless of who reports the payment, in
 * whatever order, and whatever the provider does meanwhile.
 */
import { createHmac, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listDueIntents } from "#db/billing/due-intents.ts";
import { newId } from "#db/ids.ts";
import { retrySettlement } from "#server/billing/payments/payment-return.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { sweepPayments } from "#server/billing/payments/sweep.ts";
import { handleProviderEvent } from "#server/billing/payments/webhook.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { queueFulfilment } from "#server/fulfilment/queue.ts";
import { createTasks } from "#server/operations/jobs/tasks.ts";
import { startWorker } from "#server/operations/jobs/worker.ts";
import { digestDatabase } from "#tests/support/digest.ts";
import { HttpBrowser, hiddenFieldValue, mainContentOf } from "#tests/support/http-browser.ts";
import {
  accountForm,
  type OpenPayment,
  type OrderPlace,
  placeOrder,
  returnForm,
  toCheckout,
  toReview,
} from "#tests/support/journey.ts";
import { backdateCheckout, mailsOfOrder } from "#tests/support/orders.ts";
import { deleteQueuedJobs, makeJobsDue, queuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";
import { eventually } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore();
// The tests post all webhooks themselves.
beforeEach(() => controls.webhooks("never"));
afterEach(async () => {
  await controls.faults();
  await deleteQueuedJobs(context.db);
});

const facts = async ({ id }: OrderPlace) => {
  const { db } = context;
  const jobs = (await queuedJobs(db)).flatMap(({ key }) => (key?.endsWith(id) ? [key] : []));
  const of = { payments: db.selectFrom("payments"), intents: db.selectFrom("payment_intents") };
  return {
    order: await db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
    payments: await of.payments.selectAll().where("order_id", "=", id).orderBy("created_at").execute(),
    intents: await of.intents.selectAll().where("order_id", "=", id).orderBy("created_at").execute(),
    fulfilments: await db.selectFrom("fulfilments").selectAll().where("order_id", "=", id).execute(),
    mails: await mailsOfOrder(db, id),
    jobs,
  };
};

/** Sets the checkout's start back by this many minutes, so that the sweeper looks it up. */
const backdate = ({ id }: OrderPlace, minutes: number) => backdateCheckout(context.db, id, minutes);

/** A plan without sign-in details: payment queues the fulfilment at once, so that duplicates can be counted. */
const withoutSignIn = { wanted: { family: "brio", item: "brio-desk" } };

const keys = context.env.razorpayAccounts.get("IN");

function webhook(order: OpenPayment, paymentId: string, eventId: string = randomUUID()) {
  const entity = { id: paymentId, order_id: order.providerOrderId };
  const body = JSON.stringify({
    entity: "event",
    event: "payment.captured",
    payload: { payment: { entity } },
  });
  const signature = createHmac("sha256", keys?.webhookSecret ?? "")
    .update(body)
    .digest("hex");
  return new HttpBrowser(stack.url).ask("/webhooks/razorpay", {
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
  new HttpBrowser(stack.url).post("/payments/return", returnForm(order.providerOrderId, paid), {
    "Sec-Fetch-Site": "cross-site",
  });
const settle = (order: OpenPayment, providerPaymentId: string) =>
  settlePayment(context, {
    provider: "razorpay",
    account: "IN",
    providerOrderId: order.providerOrderId,
    providerPaymentId,
  });
const submit = (order: OpenPayment) => order.browser.post(`${order.path}/place-order`, { intent: "submit" });

describe("a payment reported by everyone at once", () => {
  test.each([1, 2, 3])("results in one captured row, one fulfilment and one job (round %i)", async () => {
    const order = await toCheckout(stack.url, withoutSignIn);
    await backdate(order, 20);
    const paid = await controls.pay({ orderId: order.providerOrderId });
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
    // The jobs of the webhooks, also at once.
    const events = await context.db.selectFrom("provider_events").select("event_id").execute();
    await Promise.all(
      events.map((event) => handleProviderEvent(context, { provider: "razorpay", eventId: event.event_id })),
    );

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

  test("does not change when reported again later", async () => {
    const order = await toCheckout(stack.url);
    const paid = await controls.pay({ orderId: order.providerOrderId });
    expect(await settle(order, paid.paymentId)).toEqual({ state: "completed", orderId: order.id });
    await backdate(order, 20);
    const before = await digestDatabase(context.db);
    expect(await settle(order, paid.paymentId)).toEqual({ state: "completed", orderId: order.id });
    expect((await comeBack(order, paid)).location).toBe(`${order.path}/sign-in`);
    await sweepPayments(context);
    expect(await digestDatabase(context.db)).toEqual(before);
  });

  test("waits for the sign-in details before fulfilment", async () => {
    const order = await toCheckout(stack.url);
    const paid = await controls.pay({ orderId: order.providerOrderId });
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

  test("pays an American order in dollars", async () => {
    const order = await toCheckout(stack.url, { country: "US" });
    const paid = await controls.pay({ orderId: order.providerOrderId });
    await settle(order, paid.paymentId);
    expect(await facts(order)).toMatchObject({
      order: { payment_status: "completed", currency: "USD" },
      payments: [{ status: "captured", currency: "USD", amount_minor: order.totalMinor }],
    });
  });
});

describe("two payments for one order", () => {
  test.each(["one after the other", "at once"])(
    "%s: records the second as surplus and asks the operator to refund it",
    async (how) => {
      const order = await toCheckout(stack.url, withoutSignIn);
      const first = await controls.pay({ orderId: order.providerOrderId });
      const second = await controls.pay({ orderId: order.providerOrderId });
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
        {
          kind: "operator-alert",
          data: { what: expect.stringContaining("The order was paid twice. Refund") },
        },
      ]);
      const surplus = payments.find(({ status }) => status === "surplus");
      expect(mails[0]?.dedupe_key).toBe(`payment-alert:${surplus?.provider_payment_id}`);
      expect(jobs).toEqual([`fulfil:${order.id}`]);
      expect(fulfilments).toHaveLength(1);
    },
  );
});

describe("a payment's state at the provider", () => {
  test("captures an authorized payment and pays the order", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await controls.pay({ orderId: order.providerOrderId, status: "authorized" });
    expect(await settle(order, paymentId)).toMatchObject({ state: "completed" });
    const { razorpay } = await controls.state();
    expect(razorpay.payments.find(({ id }) => id === paymentId)).toMatchObject({ status: "captured" });
    expect(await facts(order)).toMatchObject({ payments: [{ status: "captured" }] });
  });

  test("captures an authorized payment once for simultaneous reports", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await controls.pay({ orderId: order.providerOrderId, status: "authorized" });
    const captures = async () => (await controls.state()).counts["razorpay.payment.capture"] ?? 0;
    const before = await captures();
    const states = await Promise.all(Array.from({ length: 6 }, () => settle(order, paymentId)));
    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(["completed"]));
    expect((await captures()) - before).toBe(1);
    expect(await facts(order)).toMatchObject({ payments: [{ status: "captured" }] });
  });

  test("does not capture an authorized payment of a wrong amount", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await controls.pay({
      orderId: order.providerOrderId,
      status: "authorized",
      amount: 100,
    });
    expect((await settle(order, paymentId)).state).not.toBe("completed");
    const { razorpay } = await controls.state();
    expect(razorpay.payments.find(({ id }) => id === paymentId)).toMatchObject({ status: "authorized" });
    expect(await facts(order)).toMatchObject({ order: { payment_status: "pending" } });
  });

  test("shows why a payment failed and accepts a later one", async () => {
    const order = await toCheckout(stack.url);
    const failed = await controls.pay({ orderId: order.providerOrderId, status: "failed" });
    const metadata = JSON.stringify({ order_id: order.providerOrderId, payment_id: failed.paymentId });
    const returned = await new HttpBrowser(stack.url).post("/payments/return", {
      "error[metadata]": metadata,
    });
    expect([returned.status, returned.location]).toEqual([303, `${order.path}/place-order?declined=1`]);
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "failed" }],
      order: { stage: "stage2" },
    });
    const page = await order.browser.get(returned.location ?? "");
    expect(page.text).toContain("The payment was not successful. Your bank declined the payment.");
    // The next attempt uses the same provider order.
    expect(hiddenFieldValue(page.text, "order_id")).toBe(order.providerOrderId);

    const paid = await controls.pay({ orderId: order.providerOrderId });
    expect((await comeBack(order, paid)).location).toBe(`${order.path}/sign-in`);
    expect((await facts(order)).payments.map(({ status }) => status)).toEqual(["failed", "captured"]);
  });

  test.each([
    [
      "insufficient_funds",
      "There isn&#x27;t enough money or credit available.",
      textIn("hi")("declines.funds"),
    ],
    // A reason without a text in the store: Razorpay's words for English readers.
    ["never_heard_of", "Your payment was declined by the bank.", textIn("hi")("declines.unknown")],
  ])("translates the reason of a failed payment: %s", async (reason, english, hindi) => {
    const order = await toCheckout(stack.url);
    const failed = await controls.pay({ orderId: order.providerOrderId, status: "failed", reason });
    const { location } = await comeBack(order, failed);
    expect(location).toBe(`${order.path}/place-order?declined=1`);
    const alertIn = async (language: string) =>
      /role="alert"[^>]*>.*?<p>([^<]*)/s.exec(
        (await order.browser.get(location ?? "", { "Accept-Language": language })).text,
      )?.[1];
    expect(await alertIn("en")).toContain(english);
    expect(await alertIn("hi")).toContain(hindi);
    expect(await alertIn("hi")).not.toContain("declined");
  });

  test("hides an earlier decline after the next attempt was left", async () => {
    const order = await toCheckout(stack.url);
    const failed = await controls.pay({ orderId: order.providerOrderId, status: "failed" });
    const { location } = await comeBack(order, failed);
    const shown = async (path: string) => (await order.browser.get(path)).text;
    const page = await shown(location ?? "");
    expect(page).toContain("Your bank declined");
    const cancelled = new URL(hiddenFieldValue(page, "cancel_url"));
    const again = mainContentOf(await shown(cancelled.pathname + cancelled.search));
    expect(again).not.toContain("declined");
    expect(again).toContain("You left the payment. Nothing was charged.");
    expect(mainContentOf(await shown(`${order.path}/place-order`))).not.toContain("You left the payment.");
    // Left without a payment, as the hosted page can report it, too.
    const left = { order_id: order.providerOrderId };
    const returned = await new HttpBrowser(stack.url).post("/payments/return", left);
    expect(returned.location).toBe(`${order.path}/place-order?left=1#pay`);
  });

  test("does not trust the browser's success for a failed payment", async () => {
    const order = await toCheckout(stack.url);
    const failed = await controls.pay({ orderId: order.providerOrderId, status: "failed" });
    expect((await comeBack(order, failed)).location).toBe(`${order.path}/place-order?declined=1`);
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "failed" }],
      order: { payment_status: "pending", stage: "stage2" },
    });
  });

  test("does not trust the browser's failure for a captured payment", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await controls.pay({ orderId: order.providerOrderId });
    const metadata = JSON.stringify({ order_id: order.providerOrderId, payment_id: paymentId });
    await new HttpBrowser(stack.url).post("/payments/return", { "error[metadata]": metadata });
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "captured" }],
      order: { stage: "stage3" },
    });
  });

  test("records another amount as a mismatch and alerts the operator", async () => {
    const order = await toCheckout(stack.url);
    const paid = await controls.pay({ orderId: order.providerOrderId, amount: order.totalMinor - 100 });
    expect((await comeBack(order, paid)).location).toBe(`${order.path}/place-order`);
    const after = await facts(order);
    expect(after).toMatchObject({
      intents: [{ status: "open" }],
      payments: [{ status: "mismatch", amount_minor: order.totalMinor - 100 }],
      order: { payment_status: "pending", stage: "stage2", paid_at: null },
      mails: [{ kind: "operator-alert", data: { what: expect.stringContaining("doesn't match the order") } }],
    });
    const page = await order.browser.get(`${order.path}/place-order`);
    expect(page.text).toContain("Please click Submit to complete your order.");
  });

  test("accepts a payment for a superseded checkout at the same price", async () => {
    const order = await toCheckout(stack.url);
    await order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "2" });
    expect(await facts(order)).toMatchObject({ intents: [{ status: "superseded" }] });
    const paid = await controls.pay({ orderId: order.providerOrderId });
    await comeBack(order, paid);
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "captured" }],
      order: { stage: "stage3" },
    });
  });

  test("settles an unverified payment at Submit, regardless of later changes", async () => {
    const order = await toCheckout(stack.url);
    const paid = await controls.pay({ orderId: order.providerOrderId });
    await controls.faults({
      match: { method: "GET", path: "^/razorpay/v1/payments/" },
      kind: "500",
      times: 1,
    });
    await comeBack(order, paid);
    await order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "7" });
    expect((await submit(order)).location).toBe(`${order.path}/sign-in`);
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "captured" }],
      order: { stage: "stage3", total_minor: order.totalMinor },
    });
  });
});

test("retries the webhook of an unknown payment three times, then ignores it", async () => {
  const order = await toCheckout(stack.url);
  const eventId = randomUUID();
  expect((await webhook(order, "pay_NobodyMadeThis", eventId)).status).toBe(200);
  for (const attempt of [1, 2, 3])
    await expect(
      handleProviderEvent(context, { provider: "razorpay", eventId }, attempt),
    ).rejects.toMatchObject({ kind: "refused" });
  await handleProviderEvent(context, { provider: "razorpay", eventId }, 4);
  expect(await facts(order)).toMatchObject({ payments: [], order: { payment_status: "pending" } });
});

test("looks up a reopened order at most once a minute and continues if it is paid", async () => {
  const order = await toCheckout(stack.url);
  await context.db
    .updateTable("payment_intents")
    .set({ created_at: new Date(Date.now() - 120_000) })
    .where("order_id", "=", order.id)
    .execute();
  const review = `${order.path}/place-order`;
  expect((await order.browser.get(review)).status).toBe(200);
  await controls.pay({ orderId: order.providerOrderId });
  // The last look-up was less than a minute ago.
  expect((await order.browser.get(review)).status).toBe(200);
  await context.db
    .updateTable("payment_intents")
    .set({ looked_at: new Date(Date.now() - 61_000) })
    .where("order_id", "=", order.id)
    .execute();
  expect((await order.browser.get(review)).location).toBe(`${order.path}/sign-in`);
  expect(await facts(order)).toMatchObject({
    payments: [{ status: "captured" }],
    order: { stage: "stage3" },
  });
});

describe("an order changed in another tab during its checkout", () => {
  const lineOf = ({ id }: OrderPlace) =>
    context.db.selectFrom("order_lines").selectAll().where("order_id", "=", id).executeTakeFirstOrThrow();

  test("returns to the quantity and prices that were paid", async () => {
    const order = await toCheckout(stack.url);
    const [line, before] = [await lineOf(order), await facts(order)];
    await order.browser.post(`${order.path}/subscription-details`, { term: "P1M", quantity: "7" });
    expect((await lineOf(order)).quantity).toBe(7);
    const paid = await controls.pay({ orderId: order.providerOrderId });
    const returned = await comeBack(order, paid);
    expect(returned.location).toBe(`${order.path}/sign-in`);
    const after = await facts(order);
    expect(after).toMatchObject({
      intents: [{ status: "paid" }],
      payments: [{ status: "captured", amount_minor: order.totalMinor, problem: null }],
      order: { stage: "stage3", payment_status: "completed", total_minor: order.totalMinor },
      mails: [],
    });
    expect(await lineOf(order)).toEqual(line);
    const figures = ["subtotal_minor", "tax_minor", "rounding_minor", "total_minor", "priced_at"] as const;
    for (const name of figures) expect(after.order[name]).toEqual(before.order[name]);
    const { total_minor: invoiced } = await context.db
      .selectFrom("invoices")
      .select(sql<number>`(facts ->> 'totalMinor')::bigint`.as("total_minor"))
      .where("order_id", "=", order.id)
      .executeTakeFirstOrThrow();
    expect(invoiced).toBe(order.totalMinor);
  });

  test("counts the first of two paid checkouts; the other is surplus", async () => {
    const order = await toCheckout(stack.url);
    await order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "7" });
    const review = await order.browser.get(`${order.path}/place-order`);
    await placeOrder(order.browser, { ...order, totalMinor: Number(hiddenFieldValue(review.text, "total")) });
    const second = hiddenFieldValue((await order.browser.get(`${order.path}/place-order`)).text, "order_id");
    expect(second).not.toBe(order.providerOrderId);
    const [first, other] = [
      await controls.pay({ orderId: order.providerOrderId }),
      await controls.pay({ orderId: second }),
    ];
    await settle(order, first.paymentId);
    await settle({ ...order, providerOrderId: second }, other.paymentId);
    const after = await facts(order);
    expect(after.payments.map(({ status }) => status)).toEqual(["captured", "surplus"]);
    expect(after.intents.map(({ status }) => status)).toEqual(["paid", "superseded"]);
    expect((await lineOf(order)).quantity).toBe(2);
  });

  test("invoices the address as corrected in the other tab", async () => {
    const order = await toCheckout(stack.url);
    const form = { ...accountForm(order.email), city: "Mysuru" };
    await order.browser.post(`${order.path}/create-account`, form);
    const paid = await controls.pay({ orderId: order.providerOrderId });
    await comeBack(order, paid);
    const after = await facts(order);
    expect(after).toMatchObject({ payments: [{ status: "captured" }], order: { stage: "stage3" } });
    expect(after.order.account).toMatchObject({ city: "Mysuru" });
  });
});

describe("the sweeper", () => {
  test("finds a paid order without a webhook or a return", async () => {
    const order = await toCheckout(stack.url);
    await controls.pay({ orderId: order.providerOrderId });
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

  test("finds a paid order that was changed back and forth", async () => {
    const order = await toCheckout(stack.url);
    await controls.pay({ orderId: order.providerOrderId });
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

  test("captures an authorized payment", async () => {
    const order = await toCheckout(stack.url);
    await controls.pay({ orderId: order.providerOrderId, status: "authorized" });
    await backdate(order, 16);
    await sweepPayments(context);
    expect(await facts(order)).toMatchObject({ payments: [{ status: "captured" }] });
  });

  test("ignores an unpaid order", async () => {
    const order = await toCheckout(stack.url);
    await controls.pay({ orderId: order.providerOrderId, status: "failed" });
    await backdate(order, 16);
    await sweepPayments(context);
    expect(await facts(order)).toMatchObject({
      payments: [],
      order: { payment_status: "pending", stage: "stage2" },
    });
  });

  test("finds a paid order at once among hundreds of abandoned checkouts", async () => {
    const abandoned = await toCheckout(stack.url);
    await backdate(abandoned, 24 * 60);
    for (let n = 0; n < 300; n += 1) {
      const { id } = await context.razorpayOf("IN").createOrder({
        amountMinor: 100,
        currency: "INR",
        receipt: `abandoned-${n}`,
        notes: {},
      });
      await context.db
        .insertInto("payment_intents")
        .values({
          id: newId(),
          order_id: abandoned.id,
          receipt: `abandoned-${n}`,
          provider: "razorpay",
          account: "IN",
          provider_order_id: id,
          amount_minor: 100,
          currency: "INR",
          status: "superseded",
          created_at: new Date(Date.now() - 86_400_000),
          next_look_at: new Date(Date.now() - 85_000_000),
        })
        .execute();
    }
    const paid = await toCheckout(stack.url);
    await controls.pay({ orderId: paid.providerOrderId });
    await backdate(paid, 16);
    await sweepPayments(context);
    expect(await facts(paid)).toMatchObject({ order: { payment_status: "completed" } });
    const due = await listDueIntents(context.db, 10);
    expect(due).toEqual([]);
  });

  test("looks up an unpaid order less and less often for a week", async () => {
    const order = await toCheckout(stack.url);
    const next = async () => {
      const { looks, next_look_at } = await context.db
        .selectFrom("payment_intents")
        .select(["looks", "next_look_at"])
        .where("order_id", "=", order.id)
        .executeTakeFirstOrThrow();
      return { looks, inMinutes: next_look_at && (next_look_at.getTime() - Date.now()) / 60_000 };
    };
    const due = (createdDaysAgo: number) =>
      context.db
        .updateTable("payment_intents")
        .set({ created_at: new Date(Date.now() - createdDaysAgo * 86_400_000), next_look_at: new Date(0) })
        .where("order_id", "=", order.id)
        .execute();
    for (const [looks, minutes] of [30, 60, 180, 360, 720, 1440, 1440].entries()) {
      await due(1);
      await sweepPayments(context);
      const { inMinutes, ...rest } = await next();
      expect(rest).toEqual({ looks: looks + 1 });
      expect(inMinutes).toBeGreaterThan(minutes * 0.89);
      expect(inMinutes).toBeLessThan(minutes * 1.11);
    }
    await due(8);
    await sweepPayments(context);
    expect(await next()).toMatchObject({ inMinutes: null });
  });

  test("finds other payments although the look-up of one order fails", async () => {
    const [broken, paid] = [await toCheckout(stack.url), await toCheckout(stack.url)];
    await controls.pay({ orderId: broken.providerOrderId });
    await controls.pay({ orderId: paid.providerOrderId });
    await backdate(broken, 30);
    await backdate(paid, 20);
    await controls.faults({ match: { path: `/orders/${broken.providerOrderId}/payments` }, kind: "500" });
    await sweepPayments(context).catch(() => undefined);
    expect(await facts(paid)).toMatchObject({ order: { payment_status: "completed" } });
  });
});

describe("a provider outage when the buyer returns", () => {
  test.each(["500", "429", "reset", "timeout"] as const)(
    "%s: stores the return and settles it later without the buyer",
    async (kind) => {
      const order = await toCheckout(stack.url);
      const paid = await controls.pay({ orderId: order.providerOrderId });
      await controls.faults({ match: { method: "GET", path: "^/razorpay/v1/payments/" }, kind });
      const answer = await comeBack(order, paid);
      expect([answer.status, answer.location]).toEqual([303, `${order.path}/place-order`]);
      expect(await facts(order)).toMatchObject({
        payments: [{ status: "returned", provider_payment_id: paid.paymentId, settled_at: null }],
        order: { payment_status: "pending", stage: "stage2" },
      });
      // The page says that the money has arrived and does not ask for it again.
      const page = await order.browser.get(`${order.path}/place-order`);
      expect(page.text).toContain(
        "Your payment has been completed. Please click Submit to complete your order.",
      );
      expect(page.text).not.toContain("checkout/embedded");
      const retried = await submit(order);
      expect(retried.status).toBe(503);
      expect(retried.text).toContain("Retry failed:");
      expect(retried.text).not.toMatch(/Internal server error|ECONNRESET/);

      await controls.faults();
      const queued = (await queuedJobs(context.db)).filter(({ key }) => key === `settle:${paid.paymentId}`);
      expect(queued).toHaveLength(1);
      expect(queued[0]?.dueAt.getTime()).toBeGreaterThan(Date.now());
      await runJobsNow();
      await eventually(async () =>
        expect(await facts(order)).toMatchObject({
          payments: [{ status: "captured" }],
          order: { stage: "stage3" },
        }),
      );
    },
  );

  test("settles at Submit as soon as the provider is back", async () => {
    const order = await toCheckout(stack.url);
    const paid = await controls.pay({ orderId: order.providerOrderId });
    await controls.faults({
      match: { method: "GET", path: "^/razorpay/v1/payments/" },
      kind: "500",
      times: 1,
    });
    await comeBack(order, paid);
    expect((await submit(order)).location).toBe(`${order.path}/sign-in`);
    expect(await facts(order)).toMatchObject({ payments: [{ status: "captured" }] });
  });

  test("retries a webhook's job", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await controls.pay({ orderId: order.providerOrderId });
    const eventId = randomUUID();
    expect((await webhook(order, paymentId, eventId)).status).toBe(200);
    await controls.faults({ match: { path: "^/razorpay/v1/payments/" }, kind: "500", times: 1 });
    await expect(handleProviderEvent(context, { provider: "razorpay", eventId })).rejects.toThrow();
    const event = () =>
      context.db
        .selectFrom("provider_events")
        .select("processed_at")
        .where("event_id", "=", eventId)
        .executeTakeFirstOrThrow();
    expect(await event()).toEqual({ processed_at: null });
    await handleProviderEvent(context, { provider: "razorpay", eventId });
    expect(await event()).toEqual({ processed_at: expect.any(Date) });
    expect(await facts(order)).toMatchObject({ payments: [{ status: "captured" }] });
  });

  test("succeeds at Submit after the webhook was quicker", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await controls.pay({ orderId: order.providerOrderId });
    await settle(order, paymentId);
    await expect(retrySettlement(context, order.id)).resolves.toBeUndefined();
  });

  test("fails at Submit for an unpaid order with the specification's text", async () => {
    const order = await toCheckout(stack.url);
    const answer = await submit(order);
    expect(answer.status).toBe(502);
    expect(answer.text).toContain("Retry failed: Backend validation failed.");
  });
});

describe("the provider's order", () => {
  const ordersOf = async (place: OrderPlace) => {
    const { intents } = await facts(place);
    const { razorpay } = await controls.state();
    return {
      intents,
      made: razorpay.orders.filter(({ receipt }) => intents.some((intent) => intent.receipt === receipt)),
    };
  };

  test.each(["reset-after", "hang-after"] as const)(
    "turns up by its receipt when the response was lost (%s)",
    async (kind) => {
      const buyer = new HttpBrowser(stack.url);
      const order = await toReview(buyer);
      await controls.faults({ match: { method: "POST", path: "^/razorpay/v1/orders$" }, kind, times: 1 });
      await expect(placeOrder(buyer, order)).rejects.toThrow("503");
      expect(await ordersOf(order)).toMatchObject({ intents: [{ provider_order_id: null }], made: [{}] });

      await placeOrder(buyer, order);
      const { intents, made } = await ordersOf(order);
      expect(made).toHaveLength(1);
      expect(intents).toMatchObject([{ provider_order_id: made[0]?.id, amount_minor: order.totalMinor }]);
      expect(made[0]?.amount).toBe(order.totalMinor);
    },
  );

  test("allows a new attempt when the provider did not create it", async () => {
    const buyer = new HttpBrowser(stack.url);
    const order = await toReview(buyer);
    await controls.faults({ match: { path: "^/razorpay/v1/orders" }, kind: "reset", times: 1 });
    await expect(placeOrder(buyer, order)).rejects.toThrow("503");
    const page = await buyer.get(`${order.path}/place-order`);
    expect(page.text).toContain("I have read and accept these terms.");
    await placeOrder(buyer, order);
    expect((await ordersOf(order)).made).toHaveLength(1);
  });

  test("exists once although Place Order is pressed repeatedly", async () => {
    const buyer = new HttpBrowser(stack.url);
    const order = await toReview(buyer);
    for (let press = 0; press < 3; press += 1) await placeOrder(buyer, order);
    expect(await ordersOf(order)).toMatchObject({ intents: [{ status: "open" }], made: [{}] });
    expect((await ordersOf(order)).made).toHaveLength(1);
  });

  test("exists once for fifty simultaneous presses", async () => {
    const buyer = new HttpBrowser(stack.url);
    const order = await toReview(buyer);
    const pressed = await Promise.allSettled(Array.from({ length: 50 }, () => placeOrder(buyer, order)));
    expect(pressed.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
    const { intents, made } = await ordersOf(order);
    expect([intents.length, made.length]).toEqual([1, 1]);
    const page = await buyer.get(`${order.path}/place-order`);
    expect(hiddenFieldValue(page.text, "order_id")).toBe(intents[0]?.provider_order_id);
  });

  test("allows a new attempt after a request that never finished", async () => {
    const buyer = new HttpBrowser(stack.url);
    const order = await toReview(buyer);
    await controls.faults({ match: { path: "^/razorpay/v1/orders" }, kind: "reset", times: 1 });
    await expect(placeOrder(buyer, order)).rejects.toThrow("503");
    const setRequestedAt = (at: Date) =>
      context.db
        .updateTable("payment_intents")
        .set({ asked_at: at })
        .where("order_id", "=", order.id)
        .execute();
    await setRequestedAt(new Date());
    await expect(placeOrder(buyer, order)).rejects.toThrow("503");
    await setRequestedAt(new Date(Date.now() - 10 * 60_000));
    await placeOrder(buyer, order);
    expect((await ordersOf(order)).made).toHaveLength(1);
  });

  /** Creates a second provider order with the same receipt, as a late response would leave behind. */
  const spareOf = async (order: OpenPayment) => {
    const { intents } = await facts(order);
    return context.razorpayOf("IN").createOrder({
      amountMinor: order.totalMinor,
      currency: "INR",
      receipt: intents[0]?.receipt ?? "",
      notes: { order_id: order.id },
    });
  };

  test("counts a second one with our receipt as surplus and alerts the operator", async () => {
    const order = await toCheckout(stack.url);
    await settle(order, (await controls.pay({ orderId: order.providerOrderId })).paymentId);
    const spare = await spareOf(order);
    const { paymentId } = await controls.pay({ orderId: spare.id });
    const eventId = randomUUID();
    expect((await webhook({ ...order, providerOrderId: spare.id }, paymentId, eventId)).status).toBe(200);
    await handleProviderEvent(context, { provider: "razorpay", eventId });
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "captured" }, { status: "surplus", provider_order_id: spare.id }],
      mails: [
        {
          kind: "operator-alert",
          data: { what: expect.stringContaining("The order was paid twice. Refund") },
        },
      ],
    });
  });

  test("pays the order, too, through a second one with our receipt", async () => {
    const order = await toCheckout(stack.url);
    const spare = await spareOf(order);
    const { paymentId } = await controls.pay({ orderId: spare.id });
    await settle({ ...order, providerOrderId: spare.id }, paymentId);
    expect(await facts(order)).toMatchObject({
      payments: [{ status: "captured", provider_order_id: spare.id }],
      order: { payment_status: "completed" },
    });
  });

  test("ignores another system's order on the same account", async () => {
    const foreign = await context.razorpayOf("IN").createOrder({
      amountMinor: 5_000,
      currency: "INR",
      receipt: randomUUID(),
      notes: {},
    });
    const { paymentId } = await controls.pay({ orderId: foreign.id });
    const order = await toCheckout(stack.url);
    await expect(settle({ ...order, providerOrderId: foreign.id }, paymentId)).rejects.toThrow(
      "could not find",
    );
    expect(await facts(order)).toMatchObject({ payments: [] });
  });
});

test("queues one fulfilment for two requests in an order's life", async () => {
  const order = await toCheckout(stack.url);
  for (let time = 0; time < 2; time += 1) {
    await context.db.transaction().execute((trx) => queueFulfilment(trx, order.id));
  }
  const { fulfilments, jobs } = await facts(order);
  expect(fulfilments).toHaveLength(1);
  expect(jobs).toEqual([`fulfil:${order.id}`]);
});

/** Runs all waiting jobs as if they were due. */
async function runJobsNow(): Promise<void> {
  await makeJobsDue(context.db);
  const worker = await startWorker({
    databaseUrl: stack.databaseUrl,
    db: context.db,
    healthDb: context.healthDb,
    tasks: createTasks(context),
    log: context.log,
    concurrency: 2,
    pollMs: 50,
    heartbeatMs: 500,
    crons: {},
  });
  await eventually(async () => {
    expect((await queuedJobs(context.db)).filter(({ dueAt }) => dueAt <= new Date())).toEqual([]);
  });
  await worker.stop();
}
