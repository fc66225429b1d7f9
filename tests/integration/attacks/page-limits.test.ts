/** Pages and calls share their rate limits for drafts, searches and requests to the payment provider. */
import { expect, test } from "vitest";
import { sweepPayments } from "#server/billing/payments/sweep.ts";
import { ApiClient } from "#tests/support/api-client.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { placeOrder, plan, returnForm, toCheckout, toReview } from "#tests/support/journey.ts";
import { backdateCheckout } from "#tests/support/orders.ts";
import { paidOrder } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls, provider } = await startStore();

const step1 = `/order/${plan.family}/${plan.item}/IN`;
const details = { term: "P1Y", quantity: "2" };
const sku = { sku_id: plan.item, console: "IP", count: 2 };

/** Calls `ask` `count` times, six at once. @returns the statuses */
async function times(
  count: number,
  ask: (turn: number) => Promise<{ status: number }>,
): Promise<Set<number>> {
  const statuses = new Set<number>();
  const turns = Array.from({ length: count }, (_, turn) => turn).values();
  const client = async () => {
    for (const turn of turns) statuses.add((await ask(turn)).status);
  };
  await Promise.all(Array.from({ length: 6 }, client));
  return statuses;
}

const countDrafts = async () => {
  const { count } = await context.db
    .selectFrom("orders")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
};

test("counts drafts from pages and calls together, with a time to retry", async () => {
  const browser = new HttpBrowser(stack.url);
  expect(await times(60, () => browser.post(step1, details))).toEqual(new Set([303]));
  const headers = { "X-Forwarded-For": browser.address };
  const begin = () =>
    new ApiClient(stack.url).ask("POST", "/subscriptiondetails", JSON.stringify(sku), headers);
  expect(await times(60, begin)).toEqual(new Set([200]));
  const before = await countDrafts();
  const refused = await browser.post(step1, { ...details, quantity: "7" });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.text).toContain("Too many attempts. Please try again in");
  expect(refused.text).toContain('value="7"');
  expect((await begin()).status).toBe(429);
  expect(await countDrafts()).toBe(before);
  expect((await new HttpBrowser(stack.url).post(step1, details)).status).toBe(303);
});

test("counts steps that change an order together with those that begin one", async () => {
  const browser = new HttpBrowser(stack.url);
  const order = await toReview(browser);
  // Beginning the order and creating the account already count as two.
  const change = () => browser.post(`${order.path}/subscription-details`, details);
  expect(await times(118, change)).toEqual(new Set([303]));
  for (const step of ["subscription-details", "create-account"]) {
    expect((await browser.post(`${order.path}/${step}`, details)).status).toBe(429);
  }
});

test("counts the search page and its call together and shows a page at the limit", async () => {
  const browser = new HttpBrowser(stack.url);
  expect(await times(150, (turn) => browser.get(`/search?query=mail${turn}`))).toEqual(new Set([200]));
  const client = new ApiClient(stack.url);
  const headers = { "X-Forwarded-For": browser.address };
  const search = () => client.ask("POST", "/api/search", '{"query":"mail"}', headers);
  expect(await times(150, search)).toEqual(new Set([200]));
  const refused = await browser.get("/search?query=mail");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.text).toContain("Please wait a moment");
  expect((await search()).status).toBe(429);
});

test("limits invented failures at the payment return before the provider is called", async () => {
  const order = await toCheckout(stack.url);
  const form = {
    "error[metadata]": JSON.stringify({ order_id: order.providerOrderId, payment_id: "pay_madeup1" }),
  };
  const attacker = new HttpBrowser(stack.url);
  expect(await times(120, () => attacker.post("/payments/return", form))).toEqual(new Set([303]));
  const count = (await provider.calls()).length;
  expect(await times(20, () => attacker.post("/payments/return", form))).toEqual(new Set([429]));
  expect((await provider.calls()).length).toBe(count);
});

test("settles a payment whose return was refused and explains that to the buyer", async () => {
  const order = await toCheckout(stack.url);
  const neighbour = { "X-Forwarded-For": order.browser.address };
  const form = { order_id: order.providerOrderId };
  // Placing the order from this address counted once.
  await times(119, () => new HttpBrowser(stack.url).post("/payments/return", form, neighbour));
  const paid = await controls.pay({ orderId: order.providerOrderId, webhook: false });
  const refused = await order.browser.post("/payments/return", returnForm(order.providerOrderId, paid));
  expect(refused.status).toBe(429);
  expect(refused.headers.get("content-type")).toContain("text/html");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.text).toContain("your order will continue automatically. Please don&#x27;t pay again.");
  const again = await order.browser.post(`${order.path}/place-order`, {
    intent: "paid",
    ...returnForm(order.providerOrderId, paid),
  });
  expect(again.status).toBe(429);
  await backdateCheckout(context.db, order.id, 16);
  await sweepPayments(context);
  const { stage, payment_status } = await context.db
    .selectFrom("orders")
    .select(["stage", "payment_status"])
    .where("id", "=", order.id)
    .executeTakeFirstOrThrow();
  expect({ stage, payment_status }).toEqual({ stage: "stage3", payment_status: "completed" });
});

test("counts placing an order together with the calls that pay", async () => {
  const browser = new HttpBrowser(stack.url);
  const order = await toReview(browser);
  expect(await times(119, () => browser.post("/payments/return", { order_id: "order_x" }))).toEqual(
    new Set([404]),
  );
  await placeOrder(browser, order);
  const refused = await browser.post(`${order.path}/place-order`, {
    intent: "place-order",
    terms: "on",
    total: String(order.totalMinor),
  });
  expect(refused.status).toBe(429);
  expect(refused.text).toContain("Too many attempts.");
});

test("counts tenant look-ups at the sign-in step together with name checks", async () => {
  const order = await paidOrder(stack);
  const { browser } = order;
  const lookUp = () =>
    browser.post(`${order.path}/sign-in`, {
      mode: "existing",
      existingUsername: "x@somebody.onmicrosoft.com",
    });
  expect(await times(60, lookUp)).toEqual(new Set([303]));
  const headers = { "X-Forwarded-For": browser.address };
  const check = () => browser.ask("/mssignup?tenant=acme", { headers });
  expect(await times(60, check)).toEqual(new Set([200]));
  const refused = await lookUp();
  expect(refused.status).toBe(429);
  expect(refused.text).toContain("Too many attempts. Please try again in");
  expect((await check()).status).toBe(429);
});
