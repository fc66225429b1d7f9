/**
 * Razorpay's payouts: captured payments, less refunds, lost disputes and the fee, reach the bank some working days later, 2 in
 * rupees and 7 in other currencies, at noon in India. They follow only from the ledger and the clock. `/control/settlements`
 * keeps a payment out of them, or sets a different fee for one.
 */
import { createHash } from "node:crypto";
import type { JsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { RazorpayPayment } from "../state-schemas.ts";
import { accountOf, feeOf } from "./ledger.ts";

const dayMs = 24 * 3600_000;
/** Noon in India, from the start of a day in UTC. */
const noonMs = 6.5 * 3600_000;
/** India's offset from UTC. */
const indiaMs = 5.5 * 3600_000;

/** The lines paid out to an account on a day in India. @param day "2026-11-24" */
export function settledLines(sandbox: Sandbox, account: string, day: string): JsonObject[] {
  const { payments, refunds, disputes } = sandbox.state.razorpay;
  const { held, fees } = sandbox.settlements;
  const isThere = (id: string, settledAt: number) =>
    !held.includes(id) && settledAt <= sandbox.now() && dayInIndia(settledAt) === day;
  const lines: JsonObject[] = [];
  for (const payment of Object.values(payments)) {
    const settledAt = settledAtOf(payment.created_at, payment.currency);
    const isPaid = payment.status === "captured" || payment.status === "refunded";
    if (!isPaid || accountOf(sandbox, payment) !== account || !isThere(payment.id, settledAt)) continue;
    const usual = feeOf(payment);
    const fee = fees[payment.id] ?? usual.fee;
    lines.push({
      ...ofPayment(sandbox, payment),
      ...payout(account, settledAt),
      entity_id: payment.id,
      type: "payment",
      payment_id: null,
      debit: 0,
      credit: payment.amount - fee,
      amount: payment.amount,
      fee,
      tax: usual.tax,
      created_at: payment.created_at,
    });
  }
  for (const refund of Object.values(refunds)) {
    const payment = payments[refund.payment_id];
    // A pending refund is not deducted yet, and a failed one never is.
    if (refund.status !== "processed") continue;
    const settledAt = settledAtOf(refund.processed_at ?? refund.created_at, refund.currency);
    if (payment === undefined || accountOf(sandbox, payment) !== account || !isThere(refund.id, settledAt))
      continue;
    lines.push({
      ...ofPayment(sandbox, payment),
      ...payout(account, settledAt),
      entity_id: refund.id,
      type: "refund",
      payment_id: payment.id,
      debit: refund.amount,
      credit: 0,
      amount: refund.amount,
      fee: 0,
      tax: 0,
      created_at: refund.created_at,
    });
  }
  for (const dispute of Object.values(disputes)) {
    const payment = payments[dispute.payment_id];
    if (dispute.lost_at === undefined || payment === undefined) continue;
    const settledAt = settledAtOf(dispute.lost_at, dispute.currency);
    const id = dispute.id.replace("disp_", "adj_");
    if (accountOf(sandbox, payment) !== account || !isThere(id, settledAt)) continue;
    lines.push({
      ...ofPayment(sandbox, payment),
      ...payout(account, settledAt),
      entity_id: id,
      type: "adjustment",
      payment_id: payment.id,
      dispute_id: dispute.id,
      debit: dispute.amount_deducted,
      credit: 0,
      amount: dispute.amount_deducted,
      fee: 0,
      tax: 0,
      created_at: dispute.lost_at,
    });
  }
  return lines;
}

function ofPayment(sandbox: Sandbox, { order_id, method, currency }: RazorpayPayment): JsonObject {
  return {
    currency,
    on_hold: false,
    settled: true,
    description: null,
    notes: [],
    order_id,
    order_receipt: sandbox.state.razorpay.orders[order_id ?? ""]?.receipt ?? null,
    method,
    card_network: method === "card" ? "Visa" : null,
    card_issuer: null,
    card_type: method === "card" ? "credit" : null,
    dispute_id: null,
  };
}

function payout(account: string, settledAt: number): JsonObject {
  const name = createHash("sha256").update(`${account} ${settledAt}`).digest("hex");
  return {
    settlement_id: `setl_${name.slice(0, 14)}`,
    settlement_utr: `UTR${name.slice(14, 26).toUpperCase()}`,
    settled_at: Math.floor(settledAt / 1000),
  };
}

/** @param seconds time of the payment or refund */
function settledAtOf(seconds: number, currency: string): number {
  let at = Math.floor((seconds * 1000 + indiaMs) / dayMs) * dayMs;
  for (let left = currency === "INR" ? 2 : 7; left > 0; ) {
    at += dayMs;
    const weekday = new Date(at).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return at + noonMs;
}

function dayInIndia(time: number): string {
  return new Date(time + indiaMs).toISOString().slice(0, 10);
}
