/**
 * Razorpay, as the store relies on it: in test mode with credentials, else in our sandbox. It makes orders, which cost nothing and stay. A
 * payment needs a person at a checkout: of a captured one in test mode, named by CONTRACT_RAZORPAY_PAYMENT_ID, a rupee is refunded.
 */
import { createHmac } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { razorpayOf } from "./clients.ts";
import { differencesFrom, recordExchanges } from "./exchanges.ts";
import { fixturesOf } from "./fixtures.ts";
import { razorpayReads } from "./reads.ts";
import { runId, setting, startSide } from "./sides.ts";

const side = await startSide("razorpay");
const razorpay = razorpayOf(side);
const exchanges = recordExchanges();

const newOrder = {
  amountMinor: 50_000,
  currency: "INR",
  receipt: `contract-${runId}`,
  notes: { run: runId },
};
let orderId = "";
let paymentId: string | undefined;
const withoutPayment = side.sandbox === null && side.settings.RAZORPAY_PAYMENT_ID === undefined;

afterAll(() => {
  if (withoutPayment)
    process.stdout.write("contract of razorpay: no payment was named, so none was read or refunded\n");
});

describe.sequential(`Razorpay, against ${side.against}`, () => {
  test("an order is made, read and found by its receipt", async () => {
    const made = await razorpay.createOrder(newOrder);
    expect(made).toMatchObject({
      amountMinor: 50_000,
      currency: "INR",
      receipt: newOrder.receipt,
      status: "created",
      id: expect.stringMatching(/^order_\w+$/),
    });
    orderId = made.id;
    expect(await razorpay.getOrder(orderId)).toEqual(made);
    expect(await razorpay.findOrderByReceipt(newOrder.receipt)).toEqual(made);
    expect(await razorpay.findOrderByReceipt(`${newOrder.receipt}-none`)).toBeNull();
    expect(await razorpay.listOrderPayments(orderId)).toEqual([]);
  });

  test("calls are authenticated by key and secret", () => {
    const secret = setting(side, "RAZORPAY_KEY_SECRET_IN");
    const basic = Buffer.from(`${razorpay.keyId}:${secret}`).toString("base64");
    for (const { sent } of exchanges) expect(sent.get("authorization")).toBe(`Basic ${basic}`);
  });

  test.each([
    ["less than a rupee", () => razorpay.createOrder({ ...newOrder, amountMinor: 99 })],
    ["a receipt of 41 letters", () => razorpay.createOrder({ ...newOrder, receipt: "r".repeat(41) })],
    ["an unknown order", () => razorpay.getOrder("order_00000000000000")],
    ["an unknown payment", () => razorpay.getPayment("pay_00000000000000")],
  ])("%s is refused", async (_what, call) => {
    await expect(call()).rejects.toMatchObject({ kind: "refused", status: 400, code: "BAD_REQUEST_ERROR" });
  });

  test("a wrong secret is refused with 401", async () => {
    const settings = { ...side.settings, RAZORPAY_KEY_SECRET_IN: "wrong" };
    await expect(razorpayOf({ ...side, settings }).getOrder(orderId)).rejects.toMatchObject({
      kind: "refused",
      status: 401,
    });
  });

  test("a return is signed with the key's secret", () => {
    const secret = setting(side, "RAZORPAY_KEY_SECRET_IN");
    const signature = createHmac("sha256", secret).update(`${orderId}|pay_1`).digest("hex");
    const back = { providerOrderId: orderId, paymentId: "pay_1", signature };
    expect(razorpay.isReturnSignatureValid(back)).toBe(true);
    expect(razorpay.isReturnSignatureValid({ ...back, paymentId: "pay_2" })).toBe(false);
  });

  test.skipIf(withoutPayment)("a captured payment is read, and captured no second time", async () => {
    paymentId = side.settings.RAZORPAY_PAYMENT_ID;
    if (side.sandbox !== null)
      paymentId = (await side.sandbox.pay(orderId, { status: "captured", method: "card" }))?.paymentId;
    const payment = await razorpay.getPayment(paymentId ?? "");
    expect(payment.status).toBe("captured");
    const paidOrder = payment.orderId ?? "";
    expect((await razorpay.getOrder(paidOrder)).status).toBe("paid");
    expect(await razorpay.listOrderPayments(paidOrder)).toContainEqual(payment);
    expect(await razorpay.capturePayment(payment.id, payment.amountMinor, payment.currency)).toEqual(payment);
  });

  test.skipIf(withoutPayment)(
    "a refund is made once for its key, and no larger than the payment",
    async () => {
      const key = `contract-${runId}`;
      const refund = await razorpay.refundPayment(paymentId ?? "", 100, key);
      expect(refund).toMatchObject({ amountMinor: 100, id: expect.stringMatching(/^rfnd_\w+$/) });
      expect((await razorpay.refundPayment(paymentId ?? "", 100, key)).id).toBe(refund.id);
      await expect(
        razorpay.refundPayment(paymentId ?? "", 1_000_000_000, `${key}-more`),
      ).rejects.toMatchObject({ kind: "refused", status: 400 });
    },
  );

  const needsPayment = new Set(["get-payment", "list-order-payments", "refund-payment", "refund-too-large"]);
  const seen = fixturesOf("razorpay").filter(({ name }) => !withoutPayment || !needsPayment.has(name));
  test.each(seen)("$name is answered in the documented shape", async (fixture) => {
    const call = async () => razorpayReads[fixture.name]?.(razorpay);
    expect(await differencesFrom(exchanges, fixture, call)).toEqual([]);
  });
});
