/** Payments on accounts whose customers pay the provider's fee: they settle their order, and the fee is stored separately. */
import { beforeEach, describe, expect, test } from "vitest";
import type { RefundId } from "#db/ids.ts";
import { refundPayment } from "#server/billing/payments/refund.ts";
import { applyRefundReport } from "#server/billing/payments/refund-reports.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { refundByStaff } from "#server/billing/payments/staff-refund.ts";
import { type OpenPayment, toCheckout } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();
const { db, env } = context;
beforeEach(() => controls.webhooks("never"));

const fee = 9_158;
const tax = 1_397;

async function paid(order: OpenPayment, given: { amount?: number; fee?: number; tax?: number }) {
  const { paymentId } = await controls.pay({ orderId: order.providerOrderId, webhook: false, ...given });
  const key = { provider: "razorpay", account: "IN", providerOrderId: order.providerOrderId } as const;
  const settled = await settlePayment(context, { ...key, providerPaymentId: paymentId });
  return { paymentId, settled };
}
const paymentOf = ({ id }: OpenPayment) =>
  db
    .selectFrom("payments")
    .select(["status", "amount_minor", "customer_fee_minor"])
    .where("order_id", "=", id)
    .executeTakeFirstOrThrow();
const refundsOf = ({ id }: OpenPayment) =>
  db
    .selectFrom("refunds")
    .select(["amount_minor", "customer_fee_minor", "status"])
    .where("order_id", "=", id)
    .orderBy("created_at")
    .execute();
const notesOf = async ({ id }: OpenPayment) =>
  (await db.selectFrom("credit_notes").select("total_minor").where("order_id", "=", id).execute()).map(
    ({ total_minor }) => total_minor,
  );
const statusOf = async ({ id }: OpenPayment) =>
  (await db.selectFrom("orders").select("payment_status").where("id", "=", id).executeTakeFirstOrThrow())
    .payment_status;
const ask = (paymentId: string, amountMinor: number | null, reason = "A test.") =>
  refundByStaff(db, env, {
    target: paymentId,
    amountMinor,
    reason,
    allowDuplicate: true,
    by: "tester",
    isConfirmed: true,
  });
const carryOut = (id: RefundId | null) =>
  id === null ? Promise.reject(new Error("none")) : refundPayment(context, id);

test("pays the order, with an invoice that excludes the fee", async () => {
  const order = await toCheckout(stack.url);
  const { settled } = await paid(order, { amount: order.totalMinor + fee, fee, tax });
  expect(settled.state).toBe("completed");
  expect(await paymentOf(order)).toEqual({
    status: "captured",
    amount_minor: order.totalMinor,
    customer_fee_minor: fee,
  });
  const { facts } = await db
    .selectFrom("invoices")
    .select("facts")
    .where("order_id", "=", order.id)
    .executeTakeFirstOrThrow();
  expect(facts).toMatchObject({ totalMinor: order.totalMinor });
});

test.each([
  ["a paisa more than order and fee", fee + 1, fee],
  ["a paisa less than order and fee", fee - 1, fee],
  ["more, without a fee on top", fee, undefined],
  ["the order's amount less the fee", -fee, fee],
  ["twice the fee", 2 * fee, fee],
])("records a mismatch for %s", async (_name, more, given) => {
  const order = await toCheckout(stack.url);
  const amount = order.totalMinor + more;
  const { settled } = await paid(order, { amount, ...(given !== undefined && { fee: given, tax }) });
  expect(settled.state).toBe("mismatch");
  expect(await paymentOf(order)).toEqual({
    status: "mismatch",
    amount_minor: amount,
    customer_fee_minor: 0,
  });
  expect(await statusOf(order)).toBe("pending");
});

test("settles as usual on an account that pays the fee itself", async () => {
  const order = await toCheckout(stack.url);
  expect((await paid(order, {})).settled.state).toBe("completed");
  expect(await paymentOf(order)).toMatchObject({ amount_minor: order.totalMinor, customer_fee_minor: 0 });
});

describe("a refund", () => {
  const paidWithFee = async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await paid(order, { amount: order.totalMinor + fee, fee, tax });
    return { order, paymentId };
  };

  test("includes the fee when complete, but credits only the order's amount", async () => {
    const { order, paymentId } = await paidWithFee();
    await carryOut((await ask(paymentId, null)).refundId);
    expect(await controls.refundedOf(paymentId)).toBe(order.totalMinor + fee);
    expect(await refundsOf(order)).toEqual([
      { amount_minor: order.totalMinor, customer_fee_minor: fee, status: "processed" },
    ]);
    expect(await notesOf(order)).toEqual([order.totalMinor]);
    expect(await statusOf(order)).toBe("refunded");
  });

  test("includes the fee in the second of two parts", async () => {
    const { order, paymentId } = await paidWithFee();
    await carryOut((await ask(paymentId, 100_000, "One.")).refundId);
    expect(await controls.refundedOf(paymentId)).toBe(100_000);
    await carryOut((await ask(paymentId, order.totalMinor - 100_000, "Two.")).refundId);
    expect(await controls.refundedOf(paymentId)).toBe(order.totalMinor + fee);
    expect((await refundsOf(order)).map((each) => each.customer_fee_minor)).toEqual([0, fee]);
    expect(await statusOf(order)).toBe("refunded");
  });

  test.each([
    ["all of it", (total: number) => total + fee, (total: number) => total, fee],
    ["the order's money", (total: number) => total, (total: number) => total, 0],
    ["a part", () => 100_000, () => 100_000, 0],
  ] as const)("splits a dashboard refund of %s in the same way", async (_name, given, amount, part) => {
    const { order, paymentId } = await paidWithFee();
    const id = await controls.refund({ paymentId, amount: given(order.totalMinor) });
    const at = { provider: "razorpay", account: "IN" } as const;
    await applyRefundReport(context, at, {
      id,
      providerPaymentId: paymentId,
      amountMinor: given(order.totalMinor),
      status: "processed",
      bankReference: null,
      key: null,
    });
    const expected = amount(order.totalMinor);
    expect(await refundsOf(order)).toEqual([
      { amount_minor: expected, customer_fee_minor: part, status: "processed" },
    ]);
    expect(await notesOf(order)).toEqual([expected]);
    expect(await statusOf(order)).toBe(expected === order.totalMinor ? "refunded" : "partly_refunded");
  });
});
