/** Refused payments, regardless of who reports them: the status, no wrong payment counted for an order, and none lost. */
import { createHmac, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { handleProviderEvent } from "#server/billing/payments/webhook.ts";
import { expectNoWrites } from "#tests/support/digest.ts";
import { HttpBrowser, type TestResponse } from "#tests/support/http-browser.ts";
import { type OrderPlace, returnForm, toCheckout } from "#tests/support/journey.ts";
import { mailsOfOrder, numberOf } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { eventually } from "#tests/support/until.ts";

// No worker, so that only requests write to the database and jobs stay in the queue.
const { stack, context, controls } = await startStore();

const browser = () => new HttpBrowser(stack.url);
const paymentsOf = (order: OrderPlace) =>
  context.db.selectFrom("payments").selectAll().where("order_id", "=", order.id).execute();
const orderRow = (order: OrderPlace) =>
  context.db.selectFrom("orders").selectAll().where("id", "=", order.id).executeTakeFirstOrThrow();

const hmac = (secret: string | undefined, text: string) =>
  createHmac("sha256", secret ?? "")
    .update(text)
    .digest("hex");
const signReturn = (providerOrderId: string, paymentId: string) =>
  hmac(stack.env.RAZORPAY_KEY_SECRET_IN, `${providerOrderId}|${paymentId}`);

function webhookBody(providerOrderId: string, paymentId: string): string {
  const entity = { id: paymentId, order_id: providerOrderId };
  return JSON.stringify({ entity: "event", event: "payment.captured", payload: { payment: { entity } } });
}

function postWebhook(body: string, headers: Record<string, string | null> = {}): Promise<TestResponse> {
  return browser().ask("/webhooks/razorpay", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Razorpay-Signature": hmac(stack.env.RAZORPAY_WEBHOOK_SECRET_IN, body),
      "X-Razorpay-Event-Id": randomUUID(),
      ...headers,
    },
    body,
  });
}

/** Posts the return like the provider's page: from another site, without the store's cookies. */
function postReturn(form: Record<string, string>): Promise<TestResponse> {
  return browser().post("/payments/return", form, {
    "Sec-Fetch-Site": "cross-site",
    Origin: stack.sandboxUrl,
  });
}

describe("an invalid payment report", () => {
  test("returns 400 for a forged signature at the return and records no payment", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId, signature } = await controls.pay({ orderId: order.providerOrderId, webhook: false });
    const forged = [
      "0".repeat(64),
      signature.replace(/^./, (first) => (first === "a" ? "b" : "a")),
      hmac("another secret", `${order.providerOrderId}|${paymentId}`),
      hmac(stack.env.RAZORPAY_WEBHOOK_SECRET_IN, `${order.providerOrderId}|${paymentId}`),
      hmac(stack.env.RAZORPAY_KEY_SECRET_IN, `${paymentId}|${order.providerOrderId}`),
    ];
    for (const wrong of forged) {
      const form = returnForm(order.providerOrderId, { paymentId, signature: wrong });
      const returned = await expectNoWrites(context.db, () => postReturn(form));
      expect(returned.status).toBe(400);
      const posted = await expectNoWrites(context.db, () =>
        order.browser.post(`${order.path}/place-order`, { intent: "paid", ...form }),
      );
      expect(posted.status).toBe(400);
      expect(posted.text).toContain("We couldn&#x27;t confirm this payment.");
    }
    expect(await paymentsOf(order)).toEqual([]);
    // With the correct signature, the same payment pays the order.
    expect((await postReturn(returnForm(order.providerOrderId, { paymentId, signature }))).status).toBe(303);
    expect(await orderRow(order)).toMatchObject({ payment_status: "completed" });
  });

  test("refuses a signature for another payment", async () => {
    const [cheap, dear] = [await toCheckout(stack.url), await toCheckout(stack.url)];
    const paid = await controls.pay({ orderId: cheap.providerOrderId, webhook: false });
    const answer = await expectNoWrites(context.db, () => postReturn(returnForm(dear.providerOrderId, paid)));
    expect(answer.status).toBe(400);
    expect(await orderRow(dear)).toMatchObject({ payment_status: "pending" });
  });

  test("does not pay an order with a correctly signed payment of another", async () => {
    const [mine, other] = [await toCheckout(stack.url), await toCheckout(stack.url)];
    const { paymentId } = await controls.pay({ orderId: mine.providerOrderId, webhook: false });
    const signature = signReturn(other.providerOrderId, paymentId);
    await postReturn(returnForm(other.providerOrderId, { paymentId, signature }));
    expect(await orderRow(other)).toMatchObject({ payment_status: "pending", stage: "stage2" });
    expect(await paymentsOf(other)).toMatchObject([
      { status: "mismatch", problem: expect.stringContaining("It was made for a different order.") },
    ]);
  });

  test("returns 404 for a correctly signed return of an unknown order", async () => {
    const form = { paymentId: "pay_unknown1", signature: signReturn("order_unknown1", "pay_unknown1") };
    const answer = await expectNoWrites(context.db, () => postReturn(returnForm("order_unknown1", form)));
    expect(answer.status).toBe(404);
  });

  test.each([
    { razorpay_payment_id: "pay_1/../../orders" },
    { razorpay_order_id: "order_1", razorpay_signature: "x" },
    {},
    { "error[metadata]": "{}" },
    { "error[metadata]": "not json" },
    { "error[metadata]": '{"order_id":"order_unknown1","payment_id":"../x"}' },
  ])("returns 404 for an invalid return (%j)", async (form) => {
    const filled = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));
    expect((await expectNoWrites(context.db, () => postReturn(filled))).status).toBe(404);
  });

  test.each([
    { wrong: { amount: 100 }, says: /Paid 1 instead of [\d.]+ INR/ },
    { wrong: { amount: 99_999_999 }, says: /Paid 999999.99 instead of/ },
    { wrong: { currency: "USD" }, says: /Paid in USD instead of INR/ },
  ])("records $wrong as a mismatch, shows a retry and leaves the order unpaid", async ({ wrong, says }) => {
    const order = await toCheckout(stack.url);
    const paid = await controls.pay({ orderId: order.providerOrderId, webhook: false, ...wrong });
    const answer = await postReturn(returnForm(order.providerOrderId, paid));
    expect(answer.status).toBe(303);
    expect(answer.location).toBe(`${order.path}/place-order`);

    expect(await paymentsOf(order)).toMatchObject([
      { status: "mismatch", provider_payment_id: paid.paymentId, problem: expect.stringMatching(says) },
    ]);
    expect(await orderRow(order)).toMatchObject({
      payment_status: "pending",
      stage: "stage2",
      fulfilment_status: "not_due",
      paid_at: null,
    });
    const page = await order.browser.get(`${order.path}/place-order`);
    expect(page.text).toContain(
      "Your payment has been completed. Please click Submit to complete your order.",
    );
    expect(page.text).not.toContain("checkout/embedded");

    const again = await order.browser.post(`${order.path}/place-order`, { intent: "submit" });
    expect(again.status).toBe(502);
    expect(again.text).toContain("Retry failed: Backend validation failed.");
    expect(await orderRow(order)).toMatchObject({ payment_status: "pending" });

    const alerts = await mailsOfOrder(context.db, order.id);
    expect(alerts).toMatchObject([
      { kind: "operator-alert", recipient: "operator", data: { what: expect.stringMatching(says) } },
    ]);
  });

  test("acknowledges a replayed webhook without a second effect", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await controls.pay({ orderId: order.providerOrderId, webhook: false });
    const body = webhookBody(order.providerOrderId, paymentId);
    const event = { "X-Razorpay-Event-Id": randomUUID() };

    const first = await postWebhook(body, event);
    expect([first.status, first.text]).toEqual([200, '{"received":true,"repeated":false}']);
    const replayed = await expectNoWrites(context.db, () => postWebhook(body, event));
    expect([replayed.status, replayed.text]).toEqual([200, '{"received":true,"repeated":true}']);

    const eventId = event["X-Razorpay-Event-Id"];
    const events = await context.db
      .selectFrom("provider_events")
      .selectAll()
      .where("event_id", "=", eventId)
      .execute();
    expect(events).toMatchObject([{ type: "payment.captured", processed_at: null }]);
    await handleProviderEvent(context, { provider: "razorpay", eventId });
    await expectNoWrites(context.db, () => handleProviderEvent(context, { provider: "razorpay", eventId }));
    expect(await paymentsOf(order)).toMatchObject([{ status: "captured", provider_payment_id: paymentId }]);
    expect(await orderRow(order)).toMatchObject({ stage: "stage3", payment_status: "completed" });
  });

  test("returns 401 for a forged webhook and stores no event", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await controls.pay({ orderId: order.providerOrderId, webhook: false });
    const body = webhookBody(order.providerOrderId, paymentId);
    for (const signature of [
      null,
      "",
      "0".repeat(64),
      "zz",
      hmac(stack.env.RAZORPAY_KEY_SECRET_IN, body),
      hmac(stack.env.RAZORPAY_WEBHOOK_SECRET_IN, `${body} `),
    ]) {
      const answer = await expectNoWrites(context.db, () =>
        postWebhook(body, { "X-Razorpay-Signature": signature }),
      );
      expect(answer.status).toBe(401);
    }
  });

  test.each(["", "not json", "[]", '{"event":1,"payload":{}}', '{"payload":{}}'])(
    "returns 400 for a signed webhook without a valid event (%j)",
    async (body) => {
      expect((await expectNoWrites(context.db, () => postWebhook(body))).status).toBe(400);
    },
  );

  test("returns 400 for a signed webhook without a valid event id", async () => {
    const body = webhookBody("order_1", "pay_1");
    expect(
      (await expectNoWrites(context.db, () => postWebhook(body, { "X-Razorpay-Event-Id": null }))).status,
    ).toBe(400);
    const long = { "X-Razorpay-Event-Id": "e".repeat(201) };
    expect((await expectNoWrites(context.db, () => postWebhook(body, long))).status).toBe(400);
  });
});

test("alerts the operator about a mismatch by mail", async () => {
  const order = await toCheckout(stack.url);
  const paid = await controls.pay({ orderId: order.providerOrderId, webhook: false, amount: 500 });
  await postReturn(returnForm(order.providerOrderId, paid));
  await stack.startWorker();
  const number = await numberOf(context.db, order.id);
  await eventually(async () => {
    const mails = await controls.inbox("operator@example.com");
    expect(mails.map(({ text }) => text).join("\n")).toContain(number);
  });
  await stack.killWorker();
});
