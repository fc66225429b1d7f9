/** Razorpay's ledger: orders and payments, their transitions, and their format in the API. No HTTP here. */
import { createHmac } from "node:crypto";
import { type JsonObject, shortId } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { RazorpayOrder, RazorpayPayment } from "../state-schemas.ts";
import { accountIn } from "./accounts.ts";

export const methods = ["card", "upi", "netbanking", "wallet", "paylater"] as const;

/**
 * Maximum of a single payment by method, in paise, as Razorpay publishes it. Real accounts can have it raised; these have not.
 */
const ceilings: Readonly<Record<string, number>> = {
  card: 500_000_00,
  netbanking: 500_000_00,
  upi: 100_000_00,
  wallet: 10_000_00,
};

/** Razorpay's message for an amount above them. */
export const aboveCeiling = "Amount exceeds maximum amount allowed.";

export function isAboveCeiling(
  method: string,
  { amount, currency }: Pick<RazorpayOrder, "amount" | "currency">,
) {
  return currency === "INR" && amount > (ceilings[method] ?? ceilings.card ?? 0);
}

/** Error of a declined payment, in the API and in the callback. */
export const declinedPayment = {
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
  /** The fee that the customer pays, included in `amount`, in minor units with the tax on it. */
  readonly fee?: number | undefined;
  readonly tax?: number | undefined;
  readonly currency?: string | undefined;
  readonly email?: string | undefined;
  readonly contact?: string | undefined;
  /** Razorpay's reason for a decline. */
  readonly reason?: string | undefined;
  /** False suppresses the webhooks of this payment. */
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

/**
 * A buyer's attempt. Does not check whether the order is already paid: late and double payments happen, and /control makes them.
 */
export function pay(sandbox: Sandbox, order: RazorpayOrder, attempt: PaymentAttempt): RazorpayPayment {
  const payment: RazorpayPayment = {
    id: shortId("pay_"),
    order_id: order.id,
    amount: attempt.amount ?? order.amount + (attempt.fee ?? 0),
    currency: attempt.currency ?? order.currency,
    status: attempt.status === "captured" ? "authorized" : attempt.status,
    method: attempt.method ?? "card",
    email: attempt.email ?? null,
    contact: attempt.contact ?? null,
    description: null,
    amount_refunded: 0,
    ...(attempt.fee !== undefined && { customer_fee: { fee: attempt.fee, tax: attempt.tax ?? 0 } }),
    declined_for: attempt.reason,
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

/** Adds an earlier captured payment with its own order. Idempotent. @param given.paidAt milliseconds */
export function seedPayment(
  sandbox: Sandbox,
  given: { id: string; orderId: string; account: string; amount: number; currency: string; paidAt: number },
): void {
  const { orders, payments } = sandbox.state.razorpay;
  if (payments[given.id] !== undefined) return;
  const { id, orderId, account, amount, currency, paidAt } = given;
  const created_at = Math.floor(paidAt / 1000);
  orders[orderId] ??= {
    id: orderId,
    account,
    amount,
    amount_paid: amount,
    currency,
    receipt: null,
    status: "paid",
    attempts: 1,
    notes: {},
    created_at,
    capture: "automatic",
  };
  payments[id] = {
    id,
    order_id: orderId,
    amount,
    currency,
    status: "captured",
    method: "card",
    email: null,
    contact: null,
    description: null,
    amount_refunded: 0,
    created_at,
  };
}

export function capture(sandbox: Sandbox, payment: RazorpayPayment, webhook = true): void {
  payment.status = "captured";
  const order = sandbox.state.razorpay.orders[payment.order_id ?? ""];
  if (order !== undefined) {
    order.amount_paid = payment.amount - (payment.customer_fee?.fee ?? 0);
    order.status = "paid";
  }
  if (!webhook || order === undefined) return;
  send(sandbox, order.account, "payment.captured", { payment: { entity: paymentEntity(payment) } });
  send(sandbox, order.account, "order.paid", {
    payment: { entity: paymentEntity(payment) },
    order: { entity: orderEntity(order) },
  });
}

export function paymentsOf(sandbox: Sandbox, orderId: string): RazorpayPayment[] {
  return Object.values(sandbox.state.razorpay.payments).filter((payment) => payment.order_id === orderId);
}

/** The country of the account that a payment was made at. */
export function accountOf(sandbox: Sandbox, payment: RazorpayPayment): string | undefined {
  const { orders, virtualAccounts } = sandbox.state.razorpay;
  return (orders[payment.order_id ?? ""] ?? virtualAccounts[payment.transfer?.accountId ?? ""])?.account;
}

/** Proof that a browser brings back: HMAC of order and payment with the key's secret. */
export function signatureOf(sandbox: Sandbox, payment: RazorpayPayment): string {
  const { keySecret } = accountIn(sandbox, accountOf(sandbox, payment) ?? "");
  return createHmac("sha256", keySecret).update(`${payment.order_id}|${payment.id}`).digest("hex");
}

export function send(sandbox: Sandbox, country: string, event: string, payload: JsonObject): void {
  const account = accountIn(sandbox, country);
  sandbox.webhooks.send(account, event, Object.keys(payload), payload, sandbox.seconds());
}

/** Razorpay's fee for a payment: 2 %, plus 18 % tax on that; or the fee that its customer paid. */
export function feeOf({ amount, customer_fee }: Pick<RazorpayPayment, "amount" | "customer_fee">): {
  fee: number;
  tax: number;
} {
  return customer_fee ?? { fee: Math.round(amount * 0.0236), tax: Math.round(amount * 0.0036) };
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
  const { transfer: _transfer, customer_fee: _borne, declined_for, ...rest } = payment;
  const failed = payment.status === "failed";
  const isCard = payment.method === "card";
  return {
    ...rest,
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
    ...(failed ? { fee: null, tax: null } : feeOf(payment)),
    error_code: failed ? declinedPayment.code : null,
    error_description: failed ? declinedPayment.description : null,
    error_source: failed ? declinedPayment.source : null,
    error_step: failed ? declinedPayment.step : null,
    error_reason: failed ? (declined_for ?? declinedPayment.reason) : null,
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

/** Razorpay writes empty notes as an empty list. */
export function notesOf(notes: Record<string, string>): Record<string, string> | [] {
  return Object.keys(notes).length === 0 ? [] : notes;
}
