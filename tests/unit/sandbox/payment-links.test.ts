/** The sandbox's payment links: validated as by Razorpay, paid on their page, reported by redirect and webhook. */
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

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const input = {
  amount: 456_000,
  currency: "INR",
  accept_partial: false,
  reference_id: "ref-1",
  description: "HUB-26-000001",
  customer: { name: "Asha Rao", email: "a@example.com", contact: "+919999999999" },
  notify: { sms: false, email: false },
  reminder_enable: false,
  notes: { order: "1" },
  callback_url: "http://127.0.0.1:9/payments/return",
  callback_method: "get",
  expire_by: inSeconds(7 * 86_400),
};

const call = (running: RunningSandbox, path: string, body?: object) =>
  body === undefined
    ? fetch(`${running.url}/razorpay/v1/payment_links${path}`, { headers: { authorization: basic } })
    : post(`${running.url}/razorpay/v1/payment_links${path}`, body, { authorization: basic });

async function made(running: RunningSandbox, body: object = {}) {
  const response = await call(running, "", { ...input, ...body });
  expect(response.status).toBe(200);
  return response.json();
}

const press = (url: string, action: string) =>
  fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams({ action, chosen: "card" }) });

test.each([
  ["without an amount", { amount: undefined }, "amount: cannot be blank."],
  ["below the least", { amount: 99 }, "amount: amount should be minimum 100 for INR."],
  ["above the ceilings", { amount: 500_000_01 }, "Amount exceeds maximum amount allowed."],
  ["with another field", { colour: "red" }, "extra fields sent."],
  ["with another field of the customer", { customer: { ...input.customer, age: 3 } }, "extra fields sent."],
  ["without the customer's name", { customer: {} }, "customer name is a mandatory field."],
  [
    "with a short number",
    { customer: { ...input.customer, contact: "12345" } },
    "contact: the length must be between 8 and 14.",
  ],
  [
    "with a long reference",
    { reference_id: "r".repeat(41) },
    "reference_id: the length must be no more than 40.",
  ],
  ["with another callback method", { callback_method: "post" }, "callback_method: must be a valid value."],
  ["that ends too soon", { expire_by: inSeconds(14 * 60) }, "timestamp must be atleast 15 minutes in future"],
])("a link %s is refused in Razorpay's words", async (_what, body, words) => {
  const response = await call(await started(), "", { ...input, ...body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: "BAD_REQUEST_ERROR", description: words } });
});

test("a second link with a reference is refused, and the first is found by it", async () => {
  const running = await started();
  const link = await made(running);
  const again = await call(running, "", input);
  expect(again.status).toBe(400);
  expect(await again.json()).toMatchObject({
    error: { description: "payment link creation with reference ID already attempted" },
  });
  expect(await (await call(running, "?reference_id=ref-1")).json()).toMatchObject({
    payment_links: [{ id: link.id, status: "created" }],
  });
  expect(await (await call(running, "?reference_id=ref-2")).json()).toEqual({ payment_links: [] });
  const other = await fetch(`${running.url}/razorpay/v1/payment_links/${link.id}`, {
    headers: { authorization: basicOf(otherKeys) },
  });
  expect(other.status).toBe(400);
});

test("redirects with a signed address after a payment, and calls both webhooks", async () => {
  const [main, own] = await Promise.all([webhookReceiver(), webhookReceiver()]);
  cleanups.push(main.stop, own.stop);
  const running = await started({ webhookUrl: main.url, linkWebhookUrl: own.url });
  const link = await made(running);
  expect((await press(link.short_url, "decline")).status).toBe(200);
  const paid = await press(link.short_url, "pay");
  expect(paid.status).toBe(303);
  const back = new URL(paid.headers.get("location") ?? "");
  const value = (name: string) => back.searchParams.get(`razorpay_${name}`) ?? "";
  const signed = `${link.id}|ref-1|paid|${value("payment_id")}`;
  expect(value("signature")).toBe(createHmac("sha256", keys.keySecret).update(signed).digest("hex"));
  const read = await (await call(running, `/${link.id}`)).json();
  expect(read).toMatchObject({
    status: "paid",
    amount_paid: 456_000,
    payments: [{ payment_id: value("payment_id"), plink_id: link.id, status: "captured" }],
  });
  await eventually(() => expect(own.received).toHaveLength(1));
  expect(JSON.parse(own.received[0]?.body ?? "")).toMatchObject({
    event: "payment_link.paid",
    payload: {
      payment_link: { entity: { id: link.id, status: "paid" } },
      payment: { entity: { id: value("payment_id"), order_id: read.order_id } },
    },
  });
  await eventually(() =>
    expect(main.received.map(({ body }) => JSON.parse(body).event)).toContain("order.paid"),
  );
});

test("a link that is over cannot be paid, and not be cancelled", async () => {
  const running = await started();
  const [paid, cancelled, expired] = [
    await made(running, { reference_id: "a" }),
    await made(running, { reference_id: "b" }),
    await made(running, { reference_id: "c", expire_by: inSeconds(16 * 60) }),
  ];
  await press(paid.short_url, "pay");
  expect((await call(running, `/${cancelled.id}/cancel`, {})).status).toBe(200);
  await post(`${running.url}/control/clock`, { offsetMs: 17 * 60_000 });
  for (const [link, words] of [
    [paid, "cannot cancel or expire an already paid/partially paid link"],
    [cancelled, "cannot cancel or expire an expired link"],
    [expired, "cannot cancel or expire an expired link"],
  ]) {
    expect((await press(link.short_url, "pay")).status).toBe(400);
    const refused = await call(running, `/${link.id}/cancel`, {});
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { description: words } });
  }
});
