/** A payment looked up twice at once, and refunded at its provider before the slower look-up: the first result stays. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PaymentKey } from "#db/billing/payment-keys.ts";
import { listPayments } from "#db/billing/payments.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { toCheckout } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";
import { accountOf, toTransfer } from "#tests/support/transfer.ts";

const { stack, context, controls } = await startStore();
beforeEach(() => controls.webhooks("never"));
afterEach(() => controls.faults());

const slowMs = 1_500;

/**
 * Settles a payment twice, with a refund in between. @returns the result of the slower call, which responds after the refund
 */
async function lookedUpTwice(key: PaymentKey) {
  const { providerPaymentId } = key;
  await controls.faults({
    match: { method: "GET", path: `/payments/${providerPaymentId}$` },
    kind: "slow",
    delayMs: slowMs,
    times: 1,
  });
  const slower = settlePayment(context, key);
  await sleep(slowMs / 5);
  await settlePayment(context, key);
  await controls.refund({ paymentId: providerPaymentId });
  return slower;
}

const statusesOf = async (orderId: Parameters<typeof listPayments>[1]) =>
  (await listPayments(context.db, orderId)).map(({ status }) => status);

test("keeps a paid order paid", async () => {
  const order = await toCheckout(stack.url);
  const { paymentId: providerPaymentId } = await controls.pay({
    orderId: order.providerOrderId,
    webhook: false,
  });
  const { providerOrderId } = order;
  const key = { provider: "razorpay", account: "IN", providerOrderId, providerPaymentId } as const;
  expect(await lookedUpTwice(key)).toEqual({ state: "completed", orderId: order.id });
  expect(await statusesOf(order.id)).toEqual(["captured"]);
});

test("keeps a partial transfer recorded", async () => {
  const order = await toTransfer(stack.url, { wanted: { family: "brio", item: "brio-desk" } });
  const providerOrderId = await accountOf(controls, order);
  const providerPaymentId = await controls.credit({
    accountId: providerOrderId,
    amount: 10_000,
    webhook: false,
  });
  const key = { provider: "bank-transfer", account: "IN", providerOrderId, providerPaymentId } as const;
  expect(await lookedUpTwice(key)).toMatchObject({ state: "pending", orderId: order.id });
  expect(await statusesOf(order.id)).toEqual(["part"]);
});
