// Razorpay's protocol through its own package, and its signatures.
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { HttpResponse } from "msw";
import { describe, expect, test } from "vitest";
import { createRazorpay } from "#server/integrations/razorpay.ts";
import { answering, failureOf, json, late, wire } from "./support.ts";

const server = wire();
const base = "http://127.0.0.1:3100/razorpay/v1";
const config = {
  keyId: "rzp_test_1",
  keySecret: "key-hush",
  webhookSecret: "hook-hush",
  apiUrl: base,
  timeoutMs: 1000,
};
const razorpay = createRazorpay(config);
const basic = `Basic ${Buffer.from("rzp_test_1:key-hush").toString("base64")}`;

const order = { id: "order_1", amount: 4559500, currency: "INR", status: "created", receipt: "ord-1" };
const payment = {
  id: "pay_1",
  order_id: "order_1",
  amount: 4559500,
  currency: "INR",
  status: "captured",
  method: "card",
  error_description: null,
};
const readPayment = {
  id: "pay_1",
  orderId: "order_1",
  amountMinor: 4559500,
  amountRefundedMinor: 0,
  feeMinor: null,
  currency: "INR",
  status: "captured",
  method: "card",
  errorDescription: undefined,
  errorReason: undefined,
};
const readOrder = {
  id: "order_1",
  amountMinor: 4559500,
  currency: "INR",
  status: "created",
  receipt: "ord-1",
};

describe("an order call", () => {
  test("creates an order with automatic capture", async () => {
    const { handler, sent } = answering(`${base}/orders`, json(order));
    server.use(handler);
    const made = await razorpay.createOrder({
      amountMinor: 4559500,
      currency: "INR",
      receipt: "ord-1",
      notes: { order: "ord-1" },
    });
    expect(made).toEqual(readOrder);
    expect(sent).toMatchObject([
      {
        method: "POST",
        headers: { authorization: basic, "content-type": "application/json" },
        body: {
          amount: 4559500,
          currency: "INR",
          receipt: "ord-1",
          notes: { order: "ord-1" },
          payment: { capture: "automatic" },
        },
      },
    ]);
  });

  test("finds an order by its receipt, the paid one first", async () => {
    const items = [
      { ...order, id: "order_0", receipt: "ord-2", status: "paid" },
      order,
      { ...order, id: "order_2", status: "paid" },
    ];
    const { handler, sent } = answering(
      `${base}/orders`,
      json({ items }),
      json({ items: items.slice(0, 1) }),
    );
    server.use(handler);
    expect(await razorpay.findOrderByReceipt("ord-1")).toMatchObject({ id: "order_2", status: "paid" });
    expect(await razorpay.findOrderByReceipt("ord-1")).toBeNull();
    expect(sent[0]).toMatchObject({ method: "GET", query: { receipt: "ord-1" } });
  });

  test("reads an order and its payments", async () => {
    server.use(
      answering(`${base}/orders/order_1`, json(order)).handler,
      answering(`${base}/orders/order_1/payments`, json({ items: [payment] })).handler,
    );
    expect(await razorpay.getOrder("order_1")).toEqual(readOrder);
    expect(await razorpay.listOrderPayments("order_1")).toEqual([readPayment]);
  });
});

describe("a payment call", () => {
  test("reads a payment with the reason of its failure", async () => {
    server.use(
      answering(
        `${base}/payments/pay_1`,
        json({
          ...payment,
          status: "failed",
          error_description: "Declined",
          error_reason: "card_declined",
        }),
      ).handler,
    );
    expect(await razorpay.getPayment("pay_1")).toEqual({
      ...readPayment,
      status: "failed",
      errorDescription: "Declined",
      errorReason: "card_declined",
    });
  });

  test("captures a payment in its own currency", async () => {
    const { handler, sent } = answering(`${base}/payments/pay_1/capture`, json(payment));
    server.use(handler);
    expect(await razorpay.capturePayment("pay_1", 4559500, "USD")).toEqual(readPayment);
    expect(sent).toMatchObject([{ method: "POST", body: { amount: 4559500, currency: "USD" } }]);
  });

  const refusedCapture = json({ error: { code: "BAD_REQUEST_ERROR", description: "already captured" } }, 400);

  test.each([
    ["refused", refusedCapture],
    ["reset", () => HttpResponse.error()],
  ])("returns a captured payment even if the capture was %s", async (_name, reply) => {
    server.use(
      answering(`${base}/payments/pay_1/capture`, reply).handler,
      answering(`${base}/payments/pay_1`, json(payment)).handler,
    );
    expect(await razorpay.capturePayment("pay_1", 4559500, "INR")).toEqual(readPayment);
  });

  test.each([
    ["still only authorized", json({ ...payment, status: "authorized" })],
    ["unreadable", () => HttpResponse.error()],
  ])("reports the capture's own error for a payment that is %s", async (_name, reply) => {
    server.use(
      answering(`${base}/payments/pay_1/capture`, refusedCapture).handler,
      answering(`${base}/payments/pay_1`, reply).handler,
    );
    const error = await failureOf(razorpay.capturePayment("pay_1", 4559500, "INR"));
    expect(error).toMatchObject({ kind: "refused", code: "BAD_REQUEST_ERROR" });
  });

  test("refunds once per key", async () => {
    const refund = {
      id: "rfnd_1",
      payment_id: "pay_1",
      amount: 100,
      status: "processed",
      receipt: "refund-ord-1",
    };
    const { handler, sent } = answering(`${base}/payments/pay_1/refund`, json(refund));
    server.use(handler);
    expect(await razorpay.refundPayment("pay_1", 100, "refund-ord-1")).toEqual({
      id: "rfnd_1",
      paymentId: "pay_1",
      amountMinor: 100,
      status: "processed",
      receipt: "refund-ord-1",
      bankReference: null,
    });
    expect(sent).toMatchObject([
      {
        method: "POST",
        headers: { authorization: basic, "x-refund-idempotency": "refund-ord-1" },
        body: { amount: 100, receipt: "refund-ord-1" },
      },
    ]);
    await expect(razorpay.refundPayment("pay_1", 100, "short")).rejects.toThrow(RangeError);
  });

  test("reports a refund without sufficient balance as transient", async () => {
    const description =
      "Your account does not have enough balance to carry out the refund operation. You can add funds to your account from your Razorpay dashboard or capture new payments.";
    const refusal = json({ error: { code: "BAD_REQUEST_ERROR", description } }, 400);
    server.use(answering(`${base}/payments/pay_1/refund`, refusal).handler);
    const error = await failureOf(razorpay.refundPayment("pay_1", 100, "refund-ord-1"));
    expect(error).toMatchObject({ kind: "transient", code: "no_funds", description });
  });

  test("reports a refund in progress as transient", async () => {
    server.use(
      answering(`${base}/payments/pay_1/refund`, json({ error: { code: "CONFLICT" } }, 409)).handler,
    );
    const error = await failureOf(razorpay.refundPayment("pay_1", 100, "refund-ord-1"));
    expect(error).toMatchObject({ kind: "transient", status: 409 });
  });

  test("refuses an id that would address another resource", async () => {
    for (const id of ["", "../orders", "pay_1/refund", "pay_1?x=1"]) {
      expect(await failureOf(razorpay.getPayment(id))).toMatchObject({
        kind: "refused",
        code: "malformed_id",
      });
    }
  });
});

describe("a failed call through the package", () => {
  test.each([
    ["network", () => HttpResponse.error(), { kind: "transient", status: undefined }],
    [
      "429",
      json({ error: { description: "slow" } }, 429, { "retry-after": "3" }),
      { kind: "transient", status: 429, retryAfterSeconds: 3 },
    ],
    [
      "500",
      json({ error: { code: "SERVER_ERROR" } }, 500),
      { kind: "transient", status: 500, code: "SERVER_ERROR" },
    ],
    [
      "502 that is not JSON",
      () => new Response("<html>", { status: 502 }),
      { kind: "transient", status: 502 },
    ],
    ["502 with null", json(null, 502), { kind: "transient", status: 502 }],
    [
      "400",
      json({ error: { code: "BAD_REQUEST_ERROR", description: "No" } }, 400),
      { kind: "refused", code: "BAD_REQUEST_ERROR", description: "No" },
    ],
    ["200 of another shape", json({ entity: "payment" }), { kind: "refused", code: "unexpected_answer" }],
    ["200 that is not JSON", () => new Response("<html>"), { kind: "refused", code: "unexpected_answer" }],
  ])("throws a ProviderError: %s", async (_name, reply, expected) => {
    server.use(answering(`${base}/payments/pay_1`, reply).handler);
    const error = await failureOf(razorpay.getPayment("pay_1"));
    expect(error).toMatchObject({ provider: "razorpay", ...expected });
    expect(JSON.stringify(error) + error.message).not.toContain("key-hush");
  });

  test("throws a ProviderError when no server listens", async () => {
    server.close();
    try {
      const nobody = createRazorpay({ ...config, apiUrl: "http://127.0.0.1:9/v1" });
      expect(await failureOf(nobody.getOrder("order_1"))).toMatchObject({
        kind: "transient",
        provider: "razorpay",
      });
    } finally {
      server.listen({ onUnhandledRequest: "error" });
    }
  });

  test("throws a ProviderError after a timeout", async () => {
    server.use(late(`${base}/orders/order_1`));
    const hasty = createRazorpay({ ...config, timeoutMs: 30 });
    expect(await failureOf(hasty.getOrder("order_1"))).toMatchObject({ kind: "transient", code: "timeout" });
  });
});

test("provides the checkout's address and key id for the form", () => {
  expect(razorpay.hostedCheckoutUrl).toBe(`${base}/checkout/embedded`);
  expect(razorpay.keyId).toBe("rzp_test_1");
  expect(() => createRazorpay({ ...config, keySecret: "" })).toThrow();
});

describe("a signature", () => {
  // printf 'order_1|pay_1' | openssl dgst -sha256 -hmac key-hush
  const signature = "375846b6c38f4d793d743fdc55ffc382357518b967471be0bc6bfae560483426";
  const valid = { providerOrderId: "order_1", paymentId: "pay_1", signature };

  test("matches the known vectors", () => {
    expect(razorpay.isReturnSignatureValid(valid)).toBe(true);
    // printf '{"event":"order.paid"}' | openssl dgst -sha256 -hmac hook-hush
    const hook = "195492470a48375bf9e78830b40134a8e4b75556a6211a827725296979588b01";
    expect(razorpay.isWebhookSignatureValid('{"event":"order.paid"}', hook)).toBe(true);
    expect(razorpay.isWebhookSignatureValid(Buffer.from('{"event":"order.paid"}'), hook)).toBe(true);
    expect(razorpay.isWebhookSignatureValid('{"event": "order.paid"}', hook)).toBe(false);
  });

  test("fails for another order, payment, case, length or key", () => {
    const { isReturnSignatureValid } = razorpay;
    expect(isReturnSignatureValid({ ...valid, providerOrderId: "order_2" })).toBe(false);
    expect(isReturnSignatureValid({ ...valid, paymentId: "pay_2" })).toBe(false);
    expect(isReturnSignatureValid({ ...valid, signature: signature.toUpperCase() })).toBe(false);
    expect(isReturnSignatureValid({ ...valid, signature: "" })).toBe(false);
    expect(isReturnSignatureValid({ ...valid, signature: `${signature}00` })).toBe(false);
    expect(razorpay.isWebhookSignatureValid("order_1|pay_1", signature)).toBe(false);
  });

  test("fails for every webhook without a webhook secret", () => {
    const unset = createRazorpay({ ...config, webhookSecret: "" });
    const forged = createHmac("sha256", "").update("{}").digest("hex");
    expect(unset.isWebhookSignatureValid("{}", forged)).toBe(false);
  });

  test("fails when one byte of the body or the signature changes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (bytes, at, change) => {
          const body = Buffer.from(bytes);
          const good = createHmac("sha256", config.webhookSecret).update(body).digest("hex");
          expect(razorpay.isWebhookSignatureValid(body, good)).toBe(true);

          const index = at % body.length;
          const changed = Buffer.from(body);
          changed[index] = (changed[index] ?? 0) ^ change;
          expect(razorpay.isWebhookSignatureValid(changed, good)).toBe(false);

          const place = at % good.length;
          const other = (Number.parseInt(good.charAt(place), 16) + 1 + (change % 15)) % 16;
          const bad = good.slice(0, place) + other.toString(16) + good.slice(place + 1);
          expect(razorpay.isWebhookSignatureValid(body, bad)).toBe(false);
        },
      ),
    );
  });
});
