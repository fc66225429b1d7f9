/** Provider calls in an order's history: each with its try, answer and duration, without secrets or personal data. */
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { newId, type OrderId } from "#db/ids.ts";
import * as paths from "#server/foundation/paths.ts";
import { fulfilOrder } from "#server/fulfilment/fulfil.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import { cleanUp } from "#server/operations/jobs/clean-up.ts";
import { makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { type HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { readOrder } from "#tests/support/orders.ts";
import { answerSignInNewTenant, freshPrefix, paidOrder } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";
import { microsoftCalls } from "../../faults/microsoft-calls.ts";

const { stack, context, provider } = await startStore();
const { db } = context;

let desk: HttpBrowser;
beforeAll(async () => {
  desk = await staffBrowser(context, stack.url, await makeStaff(context, "support"));
});
beforeEach(() => provider.faults());

const callsOf = (id: OrderId) =>
  db.selectFrom("provider_calls").selectAll().where("order_id", "=", id).orderBy("id").execute();
const storyOf = async (id: OrderId) => mainContentOf((await desk.get(paths.deskOrder(id))).text);

test("lists the calls of a purchase that fails once", async () => {
  const order = await paidOrder(stack);
  const prefix = freshPrefix("calls");
  await answerSignInNewTenant(order, { prefix });
  await provider.faults(microsoftCalls.faultAt("make cart", "500", { times: 1 }));
  await fulfilOrder(context, order.id);
  await fulfilOrder(context, order.id);
  await context.calls.settled();

  const calls = (await callsOf(order.id)).filter(({ path }) => path.endsWith("/carts"));
  expect(calls.map(({ provider: by, method, status, attempt }) => [by, method, status, attempt])).toEqual([
    ["microsoft", "POST", 500, 1],
    ["microsoft", "POST", 201, 2],
  ]);
  expect(calls[0]?.answer).toContain("Internal server error");
  expect(calls[0]?.request_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(calls.every(({ ms }) => ms >= 0)).toBe(true);

  const story = await storyOf(order.id);
  // Collapsed, and below a link to the company.
  expect(story).toMatch(/<summary>\d+ calls to [A-Z]\w+<\/summary>/);
  const { customer_id } = await readOrder(db, order.id);
  expect(story).toContain(`href="${paths.deskCustomer(customer_id ?? "")}"`);
  expect(story).toMatch(/Call microsoft POST \S+\/customers: 201/);
  expect(story).toMatch(/Call microsoft POST \S+\/carts: 500/);
  expect(story).toContain("try 2");
  const requestId = calls[0]?.request_id ?? "none";
  expect(story).toContain(`request ${requestId}`);
  // Newest first.
  expect(story.indexOf("/carts: 500")).toBeLessThan(story.indexOf("/customers: 201"));
  expect(story.indexOf("/carts: 201")).toBeLessThan(story.indexOf("/carts: 500"));
});

test("stores neither secrets nor personal data of a call", async () => {
  const order = await paidOrder(stack);
  await answerSignInNewTenant(order, { prefix: freshPrefix("hidden") });
  await provider.faults(
    microsoftCalls.faultAt("make customer", "refuse", {
      status: 400,
      code: "600002",
      description: `Asha Rao of Acme Tools, ${order.email}, 9876543210, AABCB1234C, 221 100 Feet Road`,
      times: 1,
    }),
  );
  await fulfilOrder(context, order.id);
  await db.updateTable("orders").set({ fulfilment_status: "queued" }).where("id", "=", order.id).execute();
  await fulfilOrder(context, order.id);
  await context.calls.settled();
  const kept = JSON.stringify(await callsOf(order.id));
  expect(kept).toContain("code: 600002");
  const shown = await db
    .selectFrom("credentials")
    .select("username")
    .where("order_id", "=", order.id)
    .execute();
  expect(shown.length).toBeGreaterThan(0);
  const { partnerCenter } = await provider.state();
  const passwords = partnerCenter.users.map(({ password }) => password).filter((each) => each !== "");
  for (const part of ["Asha", "Rao", "Acme Tools", order.email, "9876543210", "AABCB1234C", "100 Feet Road"])
    expect(kept, part).not.toContain(part);
  for (const password of passwords) expect(kept).not.toContain(password);
});

test("assigns calls made by a page to the order that it shows", async () => {
  const order = await paidOrder(stack);
  await until("the web process has stored the calls", async () => (await callsOf(order.id)).length >= 2);
  const made = (await callsOf(order.id)).map(({ provider: by, method, path }) => `${by} ${method} ${path}`);
  expect(made).toContain("razorpay POST /razorpay/v1/orders");
  expect(made.some((call) => call.startsWith("razorpay GET /razorpay/v1/payments/"))).toBe(true);
});

test("keeps a call when the surrounding transaction is rolled back", async () => {
  const { id } = await paidOrder(stack);
  const ask = async () => {
    await context.partnerCenterOf("IN").relationshipRequestUrl();
  };
  await expect(
    db.transaction().execute(async (trx) => {
      await trx.selectFrom("orders").select("id").where("id", "=", id).forUpdate().execute();
      await forOrder(id, ask);
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  await context.calls.settled();
  expect((await callsOf(id)).some(({ path }) => path.includes("relationshiprequests"))).toBe(true);
});

test("does not fail a call when its row cannot be written", async () => {
  const { id } = await paidOrder(stack);
  await sql`alter table provider_calls rename to taken_away`.execute(db);
  try {
    const url = await forOrder(id, () => context.partnerCenterOf("IN").relationshipRequestUrl());
    expect(url).toMatch(/^http/);
    await context.calls.settled();
  } finally {
    await sql`alter table taken_away rename to provider_calls`.execute(db);
  }
});

test("refuses to update a row", async () => {
  await db.insertInto("provider_calls").values(row(newId<OrderId>(), new Date())).execute();
  await expect(db.updateTable("provider_calls").set({ status: 200 }).execute()).rejects.toThrow(
    "is never changed",
  );
});

test("deletes old calls, and the oldest beyond the limit per order", async () => {
  const now = new Date();
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const old = newId<OrderId>();
  const busy = newId<OrderId>();
  const rows = [
    row(old, ago(91)),
    row(old, ago(89)),
    ...Array.from({ length: 1_005 }, (_, index) => row(busy, new Date(now.getTime() - 2_000 + index))),
  ];
  for (let from = 0; from < rows.length; from += 500)
    await db
      .insertInto("provider_calls")
      .values(rows.slice(from, from + 500))
      .execute();
  await cleanUp(context, now);
  expect((await callsOf(old)).map(({ at }) => at)).toEqual([ago(89)]);
  const left = await callsOf(busy);
  expect(left).toHaveLength(1_000);
  expect(left[0]?.at.getTime()).toBe(now.getTime() - 2_000 + 5);
});

const row = (orderId: OrderId, at: Date) => ({
  order_id: orderId,
  at,
  provider: "microsoft",
  method: "GET",
  path: "/v1/customers",
  request_id: null,
  status: 200,
  ms: 5,
  attempt: 1,
  answer: null,
});
