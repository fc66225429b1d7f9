/**
 * docs/decisions/countries.md#payment-accounts: an order's money is taken by the account of its country, and whatever follows (the return, the
 * webhook, the sweeper, the refund) asks that account and no other.
 */
import { createHmac, randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findPayment } from "#db/billing/payments.ts";
import type { RefundId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { listUnconfiguredAccounts } from "#server/billing/payments/accounts.ts";
import { beginPayment } from "#server/billing/payments/begin.ts";
import { refundPayment, requestRefund } from "#server/billing/payments/refund.ts";
import { sweepPayments } from "#server/billing/payments/sweep.ts";
import { handleProviderEvent } from "#server/billing/payments/webhook.ts";
import { findOrder, getOrderFor } from "#server/orders/find.ts";
import { razorpaySettings, razorpaySettingsOf } from "#server/platform/settings/accounts.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import {
  type OpenPayment,
  placeOrder,
  providerOrderOf,
  returnForm,
  toCheckout,
} from "#tests/support/journey.ts";
import { backdateCheckout } from "#tests/support/orders.ts";
import { deleteQueuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";
import { contextForStack } from "#tests/support/world.ts";

const { stack, context, controls } = await startStore();
const { db } = context;
beforeEach(() => controls.webhooks("never"));
afterEach(async () => {
  await controls.faults();
  await deleteQueuedJobs(db);
});

const wanted = { family: "brio", item: "brio-desk" };
const checkoutIn = (country: "IN" | "US") => toCheckout(stack.url, { country, wanted });
const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");
const keysOf = (country: "IN" | "US") => {
  const keys = context.env.razorpayAccounts.get(country);
  if (keys === undefined) throw new Error(`no account for ${country}`);
  return keys;
};
const intentOf = ({ id }: OpenPayment) =>
  db.selectFrom("payment_intents").selectAll().where("order_id", "=", id).executeTakeFirstOrThrow();
const paymentStatusOf = async ({ id }: OpenPayment) => (await findOrder(db, id))?.paymentStatus;
const comeBack = (order: OpenPayment, paid: { paymentId: string; signature: string }) =>
  new HttpBrowser(stack.url).post("/payments/return", returnForm(order.providerOrderId, paid), {
    "Sec-Fetch-Site": "cross-site",
  });
/** Returns the environment of a process without a country's account. */
const without = (country: "IN" | "US") => ({
  ...stack.env,
  ...Object.fromEntries(Object.values(razorpaySettingsOf(country)).map((name) => [name, ""])),
});

test("pays a country's order at its own account and verifies that account's signature", async () => {
  const order = await checkoutIn("US");
  const review = await order.browser.get(`${order.path}/place-order`);
  expect(review.text).toContain(keysOf("US").keyId);
  expect(review.text).not.toContain(keysOf("IN").keyId);
  expect(await intentOf(order)).toMatchObject({ account: "US" });

  const paid = await controls.pay({ orderId: order.providerOrderId, webhook: false });
  const foreign = hmac(keysOf("IN").keySecret, `${order.providerOrderId}|${paid.paymentId}`);
  expect((await comeBack(order, { ...paid, signature: foreign })).status).toBe(400);
  expect(await paymentStatusOf(order)).toBe("pending");
  expect((await comeBack(order, paid)).status).toBe(303);
  expect(await paymentStatusOf(order)).toBe("completed");
  const key = { provider: "razorpay", providerPaymentId: paid.paymentId } as const;
  expect(await findPayment(db, key)).toMatchObject({ account: "US", status: "captured" });
});

test("assigns a webhook to the account whose secret signed it, or refuses it", async () => {
  const order = await checkoutIn("US");
  const { paymentId } = await controls.pay({ orderId: order.providerOrderId, webhook: false });
  const entity = { id: paymentId, order_id: order.providerOrderId };
  const body = JSON.stringify({ event: "payment.captured", payload: { payment: { entity } } });
  const eventId = randomUUID();
  const post = (secret: string) =>
    new HttpBrowser(stack.url).ask("/webhooks/razorpay", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-Razorpay-Signature": hmac(secret, body),
        "X-Razorpay-Event-Id": eventId,
      },
      body,
    });
  expect((await post("nobody's")).status).toBe(401);
  expect((await post(keysOf("US").webhookSecret)).status).toBe(200);
  const event = db.selectFrom("provider_events").select("account").where("event_id", "=", eventId);
  expect(await event.execute()).toEqual([{ account: "US" }]);
  await handleProviderEvent(context, { provider: "razorpay", eventId });
  expect(await paymentStatusOf(order)).toBe("completed");
});

test("requests a refund from the account that received the payment", async () => {
  const order = await checkoutIn("US");
  const paid = await controls.pay({ orderId: order.providerOrderId, webhook: false });
  await comeBack(order, paid);
  const found = await findOrder(db, order.id);
  if (found === null) throw new Error("Expected an order");
  await db.transaction().execute((trx) =>
    requestRefund(trx, context.env, {
      order: found,
      payment: { provider: "razorpay", providerPaymentId: paid.paymentId },
      amount: money(order.totalMinor, found.total.currency),
      reason: "A test.",
      by: "store",
    }),
  );
  const refunds = db.selectFrom("refunds").selectAll().where("order_id", "=", order.id);
  await refundPayment(context, (await refunds.executeTakeFirstOrThrow()).id satisfies RefundId);
  expect(await refunds.executeTakeFirst()).toMatchObject({ status: "processed", problem: null });
});

test("finds payments of one account while another does not respond", async () => {
  const silent: OpenPayment[] = [];
  for (let n = 0; n < 6; n += 1) silent.push(await checkoutIn("US"));
  const order = await checkoutIn("IN");
  for (const each of silent) await backdateCheckout(db, each.id, 60);
  await backdateCheckout(db, order.id, 20);
  await controls.pay({ orderId: order.providerOrderId, webhook: false });
  const path = `/orders/(${silent.map(({ providerOrderId }) => providerOrderId).join("|")})/payments`;
  await controls.faults({ match: { path }, kind: "503", times: 1_000 });
  expect(await sweepPayments(context)).toBe(1);
  expect(await paymentStatusOf(order)).toBe("completed");
});

test("looks up payments from before there were country accounts at the old account", async () => {
  const order = await checkoutIn("IN");
  await db.updateTable("payment_intents").set({ account: null }).where("order_id", "=", order.id).execute();
  await backdateCheckout(db, order.id, 20);
  const paid = await controls.pay({ orderId: order.providerOrderId, webhook: false });
  expect(await listUnconfiguredAccounts(context)).toEqual([{ provider: "razorpay", account: null }]);
  const looks = async () => (await intentOf(order)).looks;
  await sweepPayments(context);
  expect({ looks: await looks(), is: await paymentStatusOf(order) }).toEqual({ looks: 0, is: "pending" });

  const { keyId, keySecret, webhookSecret } = razorpaySettings;
  const old = { [keyId]: keysOf("IN").keyId, [keySecret]: keysOf("IN").keySecret, [webhookSecret]: "old" };
  const upgraded = contextForStack({ ...stack.env, ...old });
  try {
    expect(await listUnconfiguredAccounts(upgraded)).toEqual([]);
    await sweepPayments(upgraded);
  } finally {
    await upgraded.db.destroy();
  }
  expect(await paymentStatusOf(order)).toBe("completed");
  const key = { provider: "razorpay", providerPaymentId: paid.paymentId } as const;
  expect(await findPayment(db, key)).toMatchObject({ account: null });
});

test("opens a new checkout at the country's account when the old account is lost", async () => {
  const order = await checkoutIn("IN");
  await db.updateTable("payment_intents").set({ account: null }).where("order_id", "=", order.id).execute();
  const review = await order.browser.get(`${order.path}/place-order`);
  expect(review.status).toBe(200);
  expect(review.text).not.toContain(order.providerOrderId);
  await placeOrder(order.browser, order);
  const next = await providerOrderOf(order.browser, order);
  expect(next).not.toBe(order.providerOrderId);
  const intents = db
    .selectFrom("payment_intents")
    .select(["account", "status"])
    .where("order_id", "=", order.id);
  expect(await intents.orderBy("created_at").execute()).toEqual([
    { account: null, status: "superseded" },
    { account: "IN", status: "open" },
  ]);
});

test("finds a country's payments as soon as its account is configured again", async () => {
  const order = await checkoutIn("US");
  await backdateCheckout(db, order.id, 20);
  await controls.pay({ orderId: order.providerOrderId, webhook: false });
  const lacking = contextForStack(without("US"));
  try {
    expect(await listUnconfiguredAccounts(lacking)).toContainEqual({ provider: "razorpay", account: "US" });
    const { user_id: userId, customer_id } = await db
      .selectFrom("orders")
      .select(["user_id", "customer_id"])
      .where("id", "=", order.id)
      .executeTakeFirstOrThrow();
    const customer = customer_id === null ? null : { id: customer_id, role: "owner" as const };
    const requester = { userId, customer, draftKey: null };
    const again = beginPayment(lacking, {
      order: await getOrderFor(db, order.id, requester),
      requester,
      shownTotalMinor: order.totalMinor,
      shownAgreement: null,
      now: new Date(),
    });
    await expect(again).rejects.toThrow("We don't sell brio in the USA yet.");
    await sweepPayments(lacking);
  } finally {
    await lacking.db.destroy();
  }
  expect(await intentOf(order)).toMatchObject({ looks: 0, status: "open" });
  await sweepPayments(context);
  expect(await paymentStatusOf(order)).toBe("completed");
});
