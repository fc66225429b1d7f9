/** Labels of an order's columns for buyers, the same in every list. */

import type { Order } from "#db/orders/order.ts";
import type { BillingCycle, FulfilmentStatus, OrderKind, PaymentStatus, Term } from "#db/tables/enums.ts";
import type { PlainMessageKey, Translate } from "#server/foundation/languages/messages.ts";

export const orderKindKeys: Readonly<Record<OrderKind, PlainMessageKey>> = {
  NEW: "orders.kindNew",
  TUP: "orders.kindAdded",
  ADDON: "orders.kindAddOn",
  ADD: "orders.kindSeats",
  RENEW: "orders.kindRenewal",
};

/** The look of a badge: done, under way, waiting for somebody, or neutral. */
type Look = "good" | "new" | "due" | "plain";

interface Status {
  words: PlainMessageKey;
  look: Look;
}

const settingUp: Status = { words: "orders.settingUp", look: "new" };
const fulfilment: Readonly<Record<FulfilmentStatus, Status>> = {
  not_due: settingUp,
  waiting_for_signin: { words: "orders.needsSignIn", look: "due" },
  queued: settingUp,
  running: settingUp,
  done: { words: "orders.done", look: "good" },
  needs_attention: { words: "orders.lookedAfter", look: "due" },
};

/** State of a paid order's money: the status, and a sentence for the order's own page. */
interface Afterwards extends Status {
  says: PlainMessageKey;
}
const afterwards: Readonly<Partial<Record<PaymentStatus, Afterwards>>> = {
  partly_refunded: { words: "orders.partlyRefunded", look: "good", says: "orders.partlyRefundedSays" },
  refunded: { words: "orders.refunded", look: "plain", says: "orders.refundedSays" },
  disputed: { words: "orders.disputed", look: "due", says: "orders.disputedSays" },
  lost: { words: "orders.lost", look: "plain", says: "orders.lostSays" },
};

/** Refund or dispute of a paid order; null while its payment is final. */
export function postPaymentStatus({ paymentStatus }: Pick<Order, "paymentStatus">): Afterwards | null {
  return afterwards[paymentStatus] ?? null;
}

/** Status of a paid order. While fulfilment is under way, that comes before a refund or dispute. */
export function statusOf(order: Pick<Order, "paymentStatus" | "fulfilmentStatus">): Status {
  const { paymentStatus, fulfilmentStatus } = order;
  const isOver = paymentStatus === "refunded" || paymentStatus === "lost" || fulfilmentStatus === "done";
  return (isOver ? postPaymentStatus(order) : null) ?? fulfilment[fulfilmentStatus];
}

/** "112 of 365 days". After an early renewal, more days can be left than the term has. */
export function daysLeftText(
  { daysLeft, daysInTerm }: { daysLeft: number; daysInTerm: number },
  text: Translate,
): string {
  return daysLeft > daysInTerm
    ? text("orders.daysWithNext", { left: daysLeft })
    : text("orders.daysOf", { left: daysLeft, all: daysInTerm });
}

/** "2 licenses, one year": the quantity, and the period that the total pays for. */
export function quantityText({ line, details }: Pick<Order, "line" | "details">, text: Translate): string {
  const { quantity, term } = line;
  const whole = text(term === "P1Y" ? "steps.oneYearOf" : "steps.oneMonthOf");
  const period = details.proration === undefined ? whole : daysLeftText(details.proration, text);
  return text("steps.summary", { licences: text("orders.licences", { count: quantity }), period });
}

/** "One Year, billed monthly". */
export function planText(
  { term, billingCycle }: { term: Term; billingCycle: BillingCycle },
  text: Translate,
): string {
  return text("orders.plan", { term, billing: billingCycle });
}
