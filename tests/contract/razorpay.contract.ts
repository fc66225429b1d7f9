/**
 * Razorpay, as the store uses it: in test mode with credentials, else in our sandbox. Creates orders, which cost nothing and
 * stay, and a payment link, which it cancels. A payment needs a person at a checkout: in test mode, a rupee is refunded from a
 * captured one, named by CONTRACT_RAZORPAY_PAYMENT_ID. Virtual accounts, which Razorpay enables on request, and payouts, which
 * test mode lacks, are tested only in the sandbox.
 */
import { createHmac } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { sandboxControls } from "#tests/support/sandbox-controls.ts";
import { razorpayOf } from "./clients.ts";
import { differencesFrom, recordExchanges } from "./exchanges.ts";
import { fixturesOf } from "./fixtures.ts";
import { razorpayReads } from "./reads.ts";
import { runId, setting, startSide } from "./test-target.ts";

const side = await startSide("razorpay");
const razorpay = razorpayOf(side);
const exchanges = recordExchanges();
const levers = sandboxControls(side.sandbox?.url ?? "");
const dayMs = 86_400_000;

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
  test("creates an order, reads it and finds it by its receipt", async () => {
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

  test("authenticates calls by key and secret", () => {
    const secret = setting(side, "RAZORPAY_KEY_SECRET_IN");
    const basic = Buffer.from(`${razorpay.keyId}:${secret}`).toString("base64");
    for (const { sent } of exchanges) expect(sent.get("authorization")).toBe(`Basic ${basic}`);
  });

  test.each([
    ["less than a rupee", () => razorpay.createOrder({ ...newOrder, amountMinor: 99 })],
    ["a receipt of 41 letters", () => razorpay.createOrder({ ...newOrder, receipt: "r".repeat(41) })],
    ["an unknown order", () => razorpay.getOrder("order_00000000000000")],
    ["an unknown payment", () => razorpay.getPayment("pay_00000000000000")],
  ])("refuses %s", async (_what, call) => {
    await expect(call()).rejects.toMatchObject({ kind: "refused", status: 400, code: "BAD_REQUEST_ERROR" });
  });

  test("reports a wrong secret as a misconfiguration, for reads and writes", async () => {
    const wrong = razorpayOf({ ...side, settings: { ...side.settings, RAZORPAY_KEY_SECRET_IN: "wrong" } });
    for (const call of [wrong.getOrder(orderId), wrong.createOrder(newOrder)])
      await expect(call).rejects.toMatchObject({ kind: "misconfigured", status: 401 });
  });

  test("signs a return with the key's secret", () => {
    const secret = setting(side, "RAZORPAY_KEY_SECRET_IN");
    const signature = createHmac("sha256", secret).update(`${orderId}|pay_1`).digest("hex");
    const back = { providerOrderId: orderId, paymentId: "pay_1", signature };
    expect(razorpay.isReturnSignatureValid(back)).toBe(true);
    expect(razorpay.isReturnSignatureValid({ ...back, paymentId: "pay_2" })).toBe(false);
  });

  test.skipIf(withoutPayment)("reads a captured payment, and does not capture it twice", async () => {
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

  test.skipIf(withoutPayment)("creates a refund once per key, up to the payment's amount", async () => {
    const key = `contract-${runId}`;
    const refund = await razorpay.refundPayment(paymentId ?? "", 100, key);
    expect(refund).toMatchObject({ amountMinor: 100, id: expect.stringMatching(/^rfnd_\w+$/) });
    expect((await razorpay.refundPayment(paymentId ?? "", 100, key)).id).toBe(refund.id);
    await expect(razorpay.refundPayment(paymentId ?? "", 1_000_000_000, `${key}-more`)).rejects.toMatchObject(
      { kind: "refused", status: 400 },
    );
    const listed = await razorpay.listRefunds(paymentId ?? "");
    expect(listed).toContainEqual(expect.objectContaining({ id: refund.id, receipt: key }));
  });

  const newLink = {
    amountMinor: 50_000,
    currency: "INR",
    referenceId: `link-${runId}`,
    description: "A contract test",
    customer: { name: "Asha Rao", email: "asha@example.com", contact: "+919876543210" },
    notes: { run: runId },
    expiresAt: new Date(Date.now() + dayMs),
    callbackUrl: "https://store.example/payments/return",
  };

  test("creates a payment link once per reference, finds it, and cancels it once", async () => {
    const made = await razorpay.createPaymentLink(newLink);
    expect(made).toMatchObject({
      id: expect.stringMatching(/^plink_\w+$/),
      status: "created",
      referenceId: newLink.referenceId,
      payments: [],
    });
    expect(await razorpay.getPaymentLink(made.id)).toEqual(made);
    expect(await razorpay.findPaymentLink(newLink.referenceId)).toEqual(made);
    expect(await razorpay.findPaymentLink(`${newLink.referenceId}-none`)).toBeNull();
    const refused = { kind: "refused", status: 400 };
    await expect(razorpay.createPaymentLink(newLink)).rejects.toMatchObject(refused);
    expect((await razorpay.cancelPaymentLink(made.id)).status).toBe("cancelled");
    await expect(razorpay.cancelPaymentLink(made.id)).rejects.toMatchObject(refused);
  });

  test.skipIf(side.sandbox === null)("lists the payment of a paid link, and does not cancel it", async () => {
    const made = await razorpay.createPaymentLink({ ...newLink, referenceId: `paid-${runId}` });
    const { paymentId: paid } = await levers.payLink({ linkId: made.id, webhook: false });
    expect(await razorpay.getPaymentLink(made.id)).toMatchObject({
      status: "paid",
      payments: [{ id: paid, amountMinor: newLink.amountMinor }],
    });
    await expect(razorpay.cancelPaymentLink(made.id)).rejects.toMatchObject({
      kind: "refused",
      status: 400,
    });
  });

  test.skipIf(side.sandbox === null)("finds a virtual account by its note, with its credits", async () => {
    const receipt = `account-${runId}`;
    const closesAt = new Date(Date.now() + dayMs);
    const made = await razorpay.createVirtualAccount({
      description: "A test",
      notes: { receipt },
      closesAt,
    });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^va_\w+$/),
      bank: { number: expect.stringMatching(/^\d+$/) },
    });
    expect(await razorpay.getVirtualAccount(made.id)).toEqual(made);
    expect(await razorpay.findVirtualAccount("receipt", receipt)).toEqual(made);
    const credit = await levers.credit({ accountId: made.id, amount: 12_300, webhook: false });
    expect(await razorpay.getPayment(credit)).toMatchObject({
      orderId: null,
      method: "bank_transfer",
      status: "captured",
    });
    expect(await razorpay.getBankTransfer(credit)).toMatchObject({ virtualAccountId: made.id });
  });

  test.skipIf(side.sandbox === null)("lists each payment and refund of a payout", async () => {
    await levers.clock(6 * dayMs);
    // On the second working day, which a weekend postpones.
    const days = [1, 2, 3, 4, 5, 6].map((days) =>
      new Date(Date.now() + days * dayMs).toISOString().slice(0, 10),
    );
    const lines = [];
    for (const day of days) lines.push(...(await razorpay.listSettledLines(day, 0)));
    await levers.clock(0);
    expect(lines).toContainEqual(expect.objectContaining({ entityId: paymentId, type: "payment" }));
    expect(lines).toContainEqual(expect.objectContaining({ paymentId, type: "refund", debitMinor: 100 }));
  });

  const needsPayment = new Set([
    "get-payment",
    "list-order-payments",
    "refund-payment",
    "refund-too-large",
    "list-refunds",
  ]);
  const sandboxAlone = new Set([
    "create-virtual-account",
    "list-virtual-accounts",
    "get-virtual-account",
    "get-bank-transfer",
    "get-payment-link",
    "settled-lines",
  ]);
  const seen = fixturesOf("razorpay")
    .filter(({ name }) => !withoutPayment || !needsPayment.has(name))
    .filter(({ name }) => side.sandbox !== null || !sandboxAlone.has(name));
  test.each(seen)("$name has the documented shape", async (fixture) => {
    const call = async () => razorpayReads[fixture.name]?.(razorpay);
    expect(await differencesFrom(exchanges, fixture, call)).toEqual([]);
  });
});
