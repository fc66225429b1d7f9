/** Razorpay's books: orders, payments and refunds, how they change, and how they are written on the wire. No HTTP here. */
import { createHmac } from "node:crypto";
import type { Sandbox } from "../sandbox.ts";
import type { RazorpayOrder, RazorpayPayment, RazorpayRefund } from "../state.ts";
import { type JsonObject, shortId } from "../wire.ts";
import { accountIn } from "./accounts.ts";

export const methods = ["card", "upi", "netbanking", "wallet", "paylater"] as const;

/** What a declined payment says, in the API and in the callback alike. */
export const declined = {
  code: "BAD_REQUEST_ERROR",
  description: "Your payment was declined by the bank. Try another card or contact your bank.",
  source: "bank",
  step: "payment_authorization",
  reason: "payment_failed",
} as const;

export interface PaymentAttempt {
  readonly status: "captured" | "authorized" | "failed";
  readonly method?: string | undefined;
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  readonly email?: string | undefined;
  readonly contact?: string | undefined;
  /** False keeps the webhooks of this payment back. */
  readonly webhook?: boolean | undefined;
}

export function createOrder(
  sandbox: Sandbox,
  order: Pick<RazorpayOrder, "account" | "amount" | "currency" | "receipt" | "notes" | "capture">,
): RazorpayOrder {
  const created: RazorpayOrder = {
    ...order,
    id: shortId("order_"),
    amount_paid: 0,
    status: "created",
    attempts: 0,
    created_at: sandbox.seconds(),
  };
  sandbox.state.razorpay.orders[created.id] = created;
  sandbox.count("razorpay.order.create");
  return created;
}

/** A buyer's attempt. It does not ask whether the order is paid already: late and double payments happen, and /control makes them. */
export function pay(sandbox: Sandbox, order: RazorpayOrder, attempt: PaymentAttempt): RazorpayPayment {
  const payment: RazorpayPayment = {
    id: shortId("pay_"),
    order_id: order.id,
    amount: attempt.amount ?? order.amount,
    currency: attempt.currency ?? order.currency,
    status: attempt.status === "captured" ? "authorized" : attempt.status,
    method: attempt.method ?? "card",
    email: attempt.email ?? null,
    contact: attempt.contact ?? null,
    description: null,
    amount_refunded: 0,
    created_at: sandbox.seconds(),
  };
  sandbox.state.razorpay.payments[payment.id] = payment;
  order.attempts += 1;
  if (order.status === "created") order.status = "attempted";
  sandbox.count(`razorpay.payment.${attempt.status}`);
  if (attempt.status === "captured") capture(sandbox, payment, attempt.webhook);
  if (attempt.status === "failed" && attempt.webhook !== false) {
    send(sandbox, order.account, "payment.failed", { payment: { entity: paymentEntity(payment) } });
  }
  return payment;
}

export function capture(sandbox: Sandbox, payment: RazorpayPayment, webhook = true): void {
  payment.status = "captured";
  const order = sandbox.state.razorpay.orders[payment.order_id];
  if (order !== undefined) {
    order.amount_paid = payment.amount;
    order.status = "paid";
  }
  if (!webhook || order === undefined) return;
  send(sandbox, order.account, "payment.captured", { payment: { entity: paymentEntity(payment) } });
  send(sandbox, order.account, "order.paid", {
    payment: { entity: paymentEntity(payment) },
    order: { entity: orderEntity(order) },
  });
}

export function refund(
  sandbox: Sandbox,
  payment: RazorpayPayment,
  asked: Pick<RazorpayRefund, "amount" | "notes" | "receipt" | "idempotencyKey">,
): RazorpayRefund {
  const made: RazorpayRefund = {
    ...asked,
    id: shortId("rfnd_"),
    payment_id: payment.id,
    currency: payment.currency,
    created_at: sandbox.seconds(),
  };
  sandbox.state.razorpay.refunds[made.id] = made;
  payment.amount_refunded += made.amount;
  if (payment.amount_refunded === payment.amount) payment.status = "refunded";
  sandbox.count("razorpay.refund.create");
  return made;
}

export function paymentsOf(sandbox: Sandbox, orderId: string): RazorpayPayment[] {
  return Object.values(sandbox.state.razorpay.payments).filter((payment) => payment.order_id === orderId);
}

/** The country of the account that a payment was made at. */
export function accountOf(sandbox: Sandbox, payment: RazorpayPayment): string | undefined {
  return sandbox.state.razorpay.orders[payment.order_id]?.account;
}

/** What a browser brings back as proof: HMAC of order and payment with the key's secret. */
export function signatureOf(sandbox: Sandbox, payment: RazorpayPayment): string {
  const { keySecret } = accountIn(sandbox, accountOf(sandbox, payment) ?? "");
  return createHmac("sha256", keySecret).update(`${payment.order_id}|${payment.id}`).digest("hex");
}

function send(sandbox: Sandbox, country: string, event: string, payload: JsonObject): void {
  const account = accountIn(sandbox, country);
  sandbox.webhooks.send(account, event, Object.keys(payload), payload, sandbox.seconds());
}

export function orderEntity(order: RazorpayOrder): JsonObject {
  const { account: _account, capture: _capture, notes, ...rest } = order;
  return {
    ...rest,
    entity: "order",
    amount_due: Math.max(0, order.amount - order.amount_paid),
    offer_id: null,
    notes: notesOf(notes),
  };
}

export function paymentEntity(payment: RazorpayPayment): JsonObject {
  const failed = payment.status === "failed";
  const isCard = payment.method === "card";
  return {
    ...payment,
    entity: "payment",
    invoice_id: null,
    international: payment.currency !== "INR",
    captured: payment.status === "captured" || payment.status === "refunded",
    refund_status: payment.amount_refunded === 0 ? null : payment.status === "refunded" ? "full" : "partial",
    card_id: isCard ? "card_Sandbox000001" : null,
    ...(isCard ? { card: cardEntity(failed) } : {}),
    bank: payment.method === "netbanking" ? "HDFC" : null,
    wallet: payment.method === "wallet" ? "airtelmoney" : null,
    vpa: payment.method === "upi" ? "success@razorpay" : null,
    notes: [],
    fee: failed ? null : Math.round(payment.amount * 0.0236),
    tax: failed ? null : Math.round(payment.amount * 0.0036),
    error_code: failed ? declined.code : null,
    error_description: failed ? declined.description : null,
    error_source: failed ? declined.source : null,
    error_step: failed ? declined.step : null,
    error_reason: failed ? declined.reason : null,
    acquirer_data: isCard ? { auth_code: failed ? null : "419287" } : {},
  };
}

function cardEntity(failed: boolean): JsonObject {
  return {
    id: "card_Sandbox000001",
    entity: "card",
    name: "",
    last4: failed ? "0003" : "1007",
    network: "Visa",
    type: "credit",
    issuer: null,
    international: false,
    emi: false,
    sub_type: "consumer",
  };
}

export function refundEntity(made: RazorpayRefund): JsonObject {
  const { idempotencyKey: _ours, notes, ...rest } = made;
  return {
    ...rest,
    entity: "refund",
    notes: notesOf(notes),
    acquirer_data: { arn: null },
    batch_id: null,
    status: "processed",
    speed_processed: "normal",
    speed_requested: "normal",
  };
}

/** Razorpay writes empty notes as an empty list. */
function notesOf(notes: Record<string, string>): Record<string, string> | [] {
  return Object.keys(notes).length === 0 ? [] : notes;
}
