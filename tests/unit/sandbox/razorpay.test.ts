/** The sandbox's Razorpay as a store uses it: API, hosted checkout without scripts, signatures, webhooks. */
import { createHmac } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import type { RunningSandbox } from "#sandbox/vendors/start.ts";
import { eventually } from "#tests/support/until.ts";
import { basic, basicOf, keys, otherKeys, post, start, webhookReceiver } from "./support.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function started(options: Parameters<typeof start>[0] = {}): Promise<RunningSandbox> {
  const running = await start(options);
  cleanups.push(() => running.stop());
  return running;
}

async function receiver(statuses: number[] = []) {
  const made = await webhookReceiver(statuses);
  cleanups.push(() => made.stop());
  return made;
}

const api = (running: RunningSandbox, path: string) =>
  fetch(`${running.url}/razorpay/v1${path}`, { headers: { authorization: basic } });

async function newOrder(running: RunningSandbox, body: object = {}) {
  const response = await post(
    `${running.url}/razorpay/v1/orders`,
    { amount: 456000, currency: "INR", receipt: "ord-1", notes: { order: "ord-1" }, ...body },
    { authorization: basic },
  );
  expect(response.status).toBe(200);
  return response.json();
}

function opening(order: { id: string; amount: number; currency: string }): URLSearchParams {
  return new URLSearchParams({
    key_id: keys.keyId,
    order_id: order.id,
    amount: String(order.amount),
    currency: order.currency,
    name: "Store",
    "prefill[email]": "a@example.com",
    "prefill[contact]": "+919999999999",
    callback_url: "http://127.0.0.1:9/return?a=1&b=2",
    cancel_url: "http://127.0.0.1:9/cancel",
  });
}

function hiddenFields(markup: string): URLSearchParams {
  const unescaped = (text: string) =>
    text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
  const inputs = markup.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return new URLSearchParams(
    [...inputs].map(([, name = "", value = ""]) => [unescaped(name), unescaped(value)]),
  );
}

function submit(running: RunningSandbox, fields: URLSearchParams, action: string): Promise<Response> {
  const body = new URLSearchParams(fields);
  body.set("action", action);
  return fetch(`${running.url}/razorpay/v1/checkout/pay`, { method: "POST", body });
}

test("refuses a method that the form did not offer, or whose ceiling is exceeded", async () => {
  const running = await started();
  // Above a wallet's ₹10,000.
  const opened = opening(await newOrder(running, { amount: 10_000_01 }));
  opened.set("method", "upi,wallet");
  opened.set("chosen", "card");
  expect((await submit(running, opened, "pay")).status).toBe(400);
  opened.set("chosen", "wallet");
  const tooMuch = await submit(running, opened, "pay");
  expect(tooMuch.status).toBe(400);
  expect(await tooMuch.text()).toContain("Amount exceeds maximum amount allowed.");
  opened.set("chosen", "upi");
  expect((await submit(running, opened, "pay")).status).toBe(200);
});

test("refuses wrong credentials in Razorpay's error shape", async () => {
  const running = await started();
  const response = await post(`${running.url}/razorpay/v1/orders`, {}, { authorization: "Basic bm86bm8=" });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({
    error: { code: "BAD_REQUEST_ERROR", description: "Authentication failed" },
  });
});

test("separates the orders and payments of accounts, and signs with each one's secret", async () => {
  const { url, received } = await receiver();
  const running = await started({ webhookUrl: url });
  const order = await newOrder(running);
  const { paymentId } = (await running.pay(order.id, { status: "authorized" })) ?? { paymentId: "" };
  const asOther = { authorization: basicOf(otherKeys) };
  const v1 = `${running.url}/razorpay/v1`;
  const response = [
    fetch(`${v1}/orders/${order.id}`, { headers: asOther }),
    fetch(`${v1}/orders/${order.id}/payments`, { headers: asOther }),
    fetch(`${v1}/payments/${paymentId}`, { headers: asOther }),
    post(`${v1}/payments/${paymentId}/capture`, { amount: 456000, currency: "INR" }, asOther),
    post(`${v1}/payments/${paymentId}/refund`, {}, asOther),
  ];
  for (const answer of await Promise.all(response)) {
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { description: "The id provided does not exist" } });
  }
  const found = await fetch(`${v1}/orders?receipt=ord-1`, { headers: asOther });
  expect(await found.json()).toMatchObject({ count: 0 });
  const opened = opening(order);
  opened.set("key_id", otherKeys.keyId);
  expect((await fetch(`${v1}/checkout/embedded`, { method: "POST", body: opened })).status).toBe(400);

  const theirs = await post(`${v1}/orders`, { amount: 1200, currency: "USD" }, asOther);
  await running.pay((await theirs.json()).id, { status: "captured" });
  await eventually(() => expect(received).toHaveLength(2));
  for (const { body, signature } of received) {
    expect(JSON.parse(body)).toMatchObject({ account_id: "acc_Sandbox00000US" });
    expect(signature).toBe(createHmac("sha256", otherKeys.webhookSecret).update(body).digest("hex"));
  }
});

test("creates orders, and finds them by id and receipt", async () => {
  const running = await started();
  const order = await newOrder(running);
  expect(order).toMatchObject({
    entity: "order",
    amount: 456000,
    amount_due: 456000,
    status: "created",
    attempts: 0,
  });
  expect(await (await api(running, `/orders/${order.id}`)).json()).toEqual(order);
  expect(await (await api(running, "/orders?receipt=ord-1")).json()).toMatchObject({
    count: 1,
    items: [{ id: order.id }],
  });
  expect(await (await api(running, "/orders?receipt=other")).json()).toMatchObject({ count: 0, items: [] });
  expect((await api(running, "/orders/order_none")).status).toBe(400);
});

test.each([
  ["INR", 99],
  ["USD", 49],
])("refuses an order in %s of %i minor units, and accepts one more", async (currency, amount) => {
  const running = await started();
  const order = (minor: number) =>
    post(`${running.url}/razorpay/v1/orders`, { amount: minor, currency }, { authorization: basic });
  const refused = await order(amount);
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { description: "Order amount less than minimum amount allowed", field: "amount" } },
  ]);
  expect((await order(amount + 1)).status).toBe(200);
});

test("completes a payment without scripts, from the hosted page to the webhooks", async () => {
  const hooks = await receiver();
  const running = await started({ webhookUrl: hooks.url });
  const order = await newOrder(running);

  const opened = await fetch(`${running.url}/razorpay/v1/checkout/embedded`, {
    method: "POST",
    body: opening(order),
  });
  const markup = await opened.text();
  expect(opened.status).toBe(200);
  expect(markup).toContain("₹4,560.00");
  for (const name of ["UPI QR", "Card", "Netbanking", "Wallet", "Pay later"]) expect(markup).toContain(name);

  const answer = await (await submit(running, hiddenFields(markup), "pay")).text();
  expect(answer).toContain('action="http://127.0.0.1:9/return?a=1&amp;b=2"');
  const result = hiddenFields(answer);
  const paymentId = result.get("razorpay_payment_id") ?? "";
  expect(result.get("razorpay_order_id")).toBe(order.id);
  expect(result.get("razorpay_signature")).toBe(
    createHmac("sha256", keys.keySecret).update(`${order.id}|${paymentId}`).digest("hex"),
  );

  expect(await (await api(running, `/payments/${paymentId}`)).json()).toMatchObject({
    status: "captured",
    captured: true,
    method: "card",
    amount: 456000,
    order_id: order.id,
    email: "a@example.com",
  });
  expect(await (await api(running, `/orders/${order.id}`)).json()).toMatchObject({
    status: "paid",
    amount_due: 0,
  });
  expect(await (await api(running, `/orders/${order.id}/payments`)).json()).toMatchObject({ count: 1 });

  await eventually(() => expect(hooks.received).toHaveLength(2));
  for (const { body, signature } of hooks.received) {
    expect(signature).toBe(createHmac("sha256", keys.webhookSecret).update(body).digest("hex"));
  }
  const events = hooks.received.map(({ body }) => JSON.parse(body));
  expect(events.map(({ event }) => event).sort()).toEqual(["order.paid", "payment.captured"]);
  expect(events.every(({ payload }) => payload.payment.entity.id === paymentId)).toBe(true);

  // A second click on Pay returns the same payment; a paid order cannot be opened again.
  const again = hiddenFields(await (await submit(running, hiddenFields(markup), "pay")).text());
  expect(again.get("razorpay_payment_id")).toBe(paymentId);
  expect(
    (await fetch(`${running.url}/razorpay/v1/checkout/embedded`, { method: "POST", body: opening(order) }))
      .status,
  ).toBe(400);
});

test("returns error fields for a declined payment, and lets the order be paid later", async () => {
  const running = await started();
  const order = await newOrder(running, { currency: "USD", amount: 1200 });
  const markup = await (
    await fetch(`${running.url}/razorpay/v1/checkout/embedded`, { method: "POST", body: opening(order) })
  ).text();
  expect(markup).toContain("$12.00");
  const failed = hiddenFields(await (await submit(running, hiddenFields(markup), "decline")).text());
  expect(failed.get("error[code]")).toBe("BAD_REQUEST_ERROR");
  expect(failed.get("error[reason]")).toBe("payment_failed");
  const metadata = JSON.parse(failed.get("error[metadata]") ?? "");
  expect(metadata.order_id).toBe(order.id);
  expect(await (await api(running, `/payments/${metadata.payment_id}`)).json()).toMatchObject({
    status: "failed",
  });
  expect(await (await api(running, `/orders/${order.id}`)).json()).toMatchObject({ status: "attempted" });
  const paid = hiddenFields(await (await submit(running, hiddenFields(markup), "pay")).text());
  expect(paid.get("razorpay_order_id")).toBe(order.id);
});

test("refuses an amount or key at checkout that is not the order's", async () => {
  const running = await started();
  const order = await newOrder(running);
  for (const [name, value] of [
    ["amount", "1"],
    ["key_id", "rzp_test_other"],
    ["order_id", "order_x"],
    ["callback_url", "javascript:1"],
  ] as const) {
    const body = opening(order);
    body.set(name, value);
    expect(
      (await fetch(`${running.url}/razorpay/v1/checkout/embedded`, { method: "POST", body })).status,
    ).toBe(400);
  }
});

test("captures an authorized payment once; refunds are idempotent and bounded", async () => {
  const running = await started();
  const order = await newOrder(running);
  const { paymentId } = (await running.pay(order.id, { status: "authorized" })) ?? { paymentId: "" };
  const path = `${running.url}/razorpay/v1/payments/${paymentId}`;
  const auth = { authorization: basic };
  expect((await post(`${path}/capture`, { amount: 1, currency: "INR" }, auth)).status).toBe(400);
  expect((await post(`${path}/capture`, { amount: 456000, currency: "INR" }, auth)).status).toBe(200);
  expect((await post(`${path}/capture`, { amount: 456000, currency: "INR" }, auth)).status).toBe(400);

  const idempotent = { ...auth, "x-refund-idempotency": "refund-key-1" };
  const first = await (await post(`${path}/refund`, { amount: 6000 }, idempotent)).json();
  expect(await (await post(`${path}/refund`, { amount: 6000 }, idempotent)).json()).toEqual(first);
  expect((await post(`${path}/refund`, { amount: 456000 }, auth)).status).toBe(400);
  const otherBody = await post(`${path}/refund`, { amount: 6000, receipt: "r" }, idempotent);
  expect([otherBody.status, await otherBody.text()]).toMatchObject([
    400,
    expect.stringContaining("Different request"),
  ]);
  expect((await post(`${path}/refund`, { amount: 6000, why: "x" }, auth)).status).toBe(400);
  await post(`${running.url}/control/refunds`, { balance: "low" });
  expect(await (await post(`${path}/refund`, { amount: 6000 }, auth)).text()).toContain("enough balance");
  await post(`${running.url}/control/refunds`, {});
  await post(`${running.url}/control/clock`, { offsetMs: 190 * 86_400_000 });
  expect(await (await post(`${path}/refund`, { amount: 6000 }, auth)).text()).toContain("6 months");
  await post(`${running.url}/control/clock`, { offsetMs: 0 });
  // Without a body: the rest.
  const rest = await fetch(`${path}/refund`, { method: "POST", headers: auth });
  expect(await rest.json()).toMatchObject({ amount: 450000 });
  expect(await (await api(running, `/payments/${paymentId}`)).json()).toMatchObject({
    status: "refunded",
    refund_status: "full",
  });
  expect(running.snapshot().counts["razorpay.refund.create"]).toBe(2);
});

test("retries webhooks with the same event id, doubles or drops them on request", async () => {
  const hooks = await receiver([500, 503]);
  const running = await started({ webhookUrl: hooks.url, webhookRetryDelays: [10, 10, 10] });
  const order = await newOrder(running);
  await post(`${running.url}/control/pay`, { orderId: order.id, status: "failed" });
  await eventually(() => expect(running.snapshot().webhooks.deliveries[0]?.done).toBe(true));
  expect(hooks.received).toHaveLength(3);
  expect(new Set(hooks.received.map(({ eventId }) => eventId)).size).toBe(1);

  await post(`${running.url}/control/webhooks`, { mode: "twice" });
  await post(`${running.url}/control/pay`, { orderId: order.id, status: "failed" });
  await eventually(() => expect(hooks.received).toHaveLength(5));
  expect(hooks.received[3]?.eventId).toBe(hooks.received[4]?.eventId);

  await post(`${running.url}/control/webhooks`, { mode: "never" });
  const answer = await post(`${running.url}/control/pay`, { orderId: order.id, amount: 5, method: "upi" });
  const { paymentId } = await answer.json();
  expect(await (await api(running, `/payments/${paymentId}`)).json()).toMatchObject({
    amount: 5,
    method: "upi",
  });
  expect(running.snapshot().webhooks.deliveries).toHaveLength(3);
});

test("delivers shuffled webhooks once each, in another order than created", async () => {
  const hooks = await receiver();
  const running = await started({ webhookUrl: hooks.url });
  await post(`${running.url}/control/webhooks`, { mode: "shuffled", delaysMs: [300, 150, 0] });
  const order = await newOrder(running);
  await post(`${running.url}/control/pay`, { orderId: order.id, status: "failed" });
  await post(`${running.url}/control/pay`, { orderId: order.id });
  await eventually(() => expect(hooks.received).toHaveLength(3));
  const made = running.snapshot().webhooks.deliveries.map(({ eventId }) => eventId);
  const arrived = hooks.received.map(({ eventId }) => eventId);
  expect(arrived.toSorted()).toEqual(made.toSorted());
  expect(arrived).not.toEqual(made);
  expect(running.snapshot().webhooks).toMatchObject({ mode: "shuffled", delaysMs: [] });
});

test("serves checkout.js and the frame it opens", async () => {
  const running = await started();
  const order = await newOrder(running);
  const script = await fetch(`${running.url}/razorpay/v1/checkout.js`);
  expect(script.headers.get("content-type")).toContain("javascript");
  expect(await script.text()).toContain("window.Razorpay = Razorpay");
  const query = new URLSearchParams({
    key_id: keys.keyId,
    order_id: order.id,
    frame_origin: "http://store.test",
    method: "card",
  });
  const markup = await (await fetch(`${running.url}/razorpay/v1/checkout/frame?${query}`)).text();
  expect(markup).toContain('value="upi" disabled');
  // Email and phone are mandatory: the page asks for the missing one.
  expect(markup).toContain('type="email" required');
  const paid = await (await submit(running, hiddenFields(markup), "pay")).text();
  expect(paid).toContain('"type":"paid"');
  expect(paid).toContain('"http://store.test"');
});

const largest = 500_000_00;

test("an order above every ceiling is refused", async () => {
  const running = await started();
  const order = (amount: number, currency = "INR") =>
    post(`${running.url}/razorpay/v1/orders`, { amount, currency }, { authorization: basic });
  const refused = await order(largest + 1);
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { description: "Amount exceeds maximum amount allowed.", field: "amount" } },
  ]);
  expect((await order(largest)).status).toBe(200);
  expect((await order(largest + 1, "USD")).status).toBe(200);
});

test("a method above its ceiling cannot be chosen", async () => {
  const running = await started();
  const made = await post(
    `${running.url}/razorpay/v1/orders`,
    { amount: 100_000_01, currency: "INR" },
    { authorization: basic },
  );
  const fields = {
    key_id: keys.keyId,
    order_id: (await made.json()).id,
    callback_url: "https://shop.example/back",
  };
  const open = (method: string) =>
    fetch(`${running.url}/razorpay/v1/checkout/embedded`, {
      method: "POST",
      body: new URLSearchParams({ ...fields, method }),
    });
  const both = await open("card,upi");
  const page = await both.text();
  expect(page).toMatch(/value="card" checked>/);
  expect(page).toMatch(/value="upi" disabled>/);
  const upi = await open("upi");
  expect([upi.status, await upi.text()]).toEqual([400, expect.stringContaining("Amount exceeds maximum")]);
});

test("accepts any amount on a virtual account, and reports it to a separate webhook", async () => {
  const hooks = await receiver();
  const running = await started({ transferWebhookUrl: hooks.url });
  const input = { receivers: { types: ["bank_account"] }, notes: { receipt: "r-1" } };
  const path = `${running.url}/razorpay/v1/virtual_accounts`;
  const account = await (await post(path, input, { authorization: basic })).json();
  expect(account).toMatchObject({ status: "active", notes: { receipt: "r-1" }, amount_paid: 0 });
  expect(account.receivers[0]).toMatchObject({ ifsc: expect.stringMatching(/^[A-Z]{4}0[A-Z0-9]{6}$/) });
  const { paymentId } = await (
    await post(`${running.url}/control/credit`, { accountId: account.id, amount: 12_345 })
  ).json();
  const payment = await (await api(running, `/payments/${paymentId}`)).json();
  expect(payment).toMatchObject({
    method: "bank_transfer",
    status: "captured",
    order_id: null,
    amount: 12_345,
  });
  expect(await (await api(running, `/payments/${paymentId}/bank_transfer`)).json()).toMatchObject({
    virtual_account_id: account.id,
    bank_reference: expect.any(String),
  });
  expect(await (await api(running, `/virtual_accounts/${account.id}/payments`)).json()).toMatchObject({
    items: [{ id: paymentId }],
  });
  await eventually(() => expect(hooks.received).toHaveLength(1));
  expect(JSON.parse(hooks.received[0]?.body ?? "")).toMatchObject({
    event: "virtual_account.credited",
    payload: { payment: { entity: { id: paymentId } }, virtual_account: { entity: { id: account.id } } },
  });
  const soon = { ...input, close_by: Math.floor(Date.now() / 1000) + 60 };
  expect((await post(path, soon, { authorization: basic })).status).toBe(400);
});

test("money to a closed account goes back", async () => {
  const running = await started();
  const closing = { receivers: { types: ["bank_account"] }, close_by: Math.floor(Date.now() / 1000) + 3600 };
  const account = await (
    await post(`${running.url}/razorpay/v1/virtual_accounts`, closing, { authorization: basic })
  ).json();
  await post(`${running.url}/control/clock`, { offsetMs: 2 * 3600 * 1000 });
  const { paymentId } = await (
    await post(`${running.url}/control/credit`, { accountId: account.id, amount: 500 })
  ).json();
  expect(await (await api(running, `/payments/${paymentId}`)).json()).toMatchObject({
    status: "refunded",
    amount_refunded: 500,
  });
  expect(await (await api(running, `/virtual_accounts/${account.id}`)).json()).toMatchObject({
    status: "closed",
  });
});

test("transfers from the bank's page to the typed account", async () => {
  const running = await started();
  const account = await (
    await post(
      `${running.url}/razorpay/v1/virtual_accounts`,
      { receivers: { types: ["bank_account"] } },
      { authorization: basic },
    )
  ).json();
  const { account_number: number } = account.receivers[0];
  expect(await (await fetch(`${running.url}/bank`)).text()).toContain(number);
  const transfer = (fields: Record<string, string>) =>
    fetch(`${running.url}/bank`, { method: "POST", body: new URLSearchParams(fields) });
  expect((await transfer({ number, amount: "1,234.50", utr: "" })).status).toBe(200);
  expect((await transfer({ number: "0", amount: "1" })).status).toBe(400);
  expect((await transfer({ number, amount: "much" })).status).toBe(400);
  expect(running.snapshot().razorpay.payments).toMatchObject([{ amount: 123_450 }]);
});
