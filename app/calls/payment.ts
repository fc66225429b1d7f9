/** How a call takes payment for an order, of whatever kind: begun, captured with what the checkout gave, or tried again. */
import { z } from "zod";
import { findIntentByProviderOrder } from "#db/payments.ts";
import { notFound } from "#server/errors.ts";
import type { Order } from "#server/orders/order.ts";
import { beginPayment } from "#server/payments/begin.ts";
import { receiveReturn, retrySettlement } from "#server/payments/return.ts";
import { paidSchema } from "../forms/schemas.ts";
import type { PostOptions, SignedInPage } from "../http/call.ts";
import { askerOf, orderPath } from "../journey/guard.ts";
import { note, orderIdField, stageField } from "./fields.ts";
import { postedFigures } from "./figures.ts";
import { ownOrder } from "./own-order.ts";

const { razorpay_payment_id, razorpay_order_id, razorpay_signature } = paidSchema.shape;
export const checkoutAnswer = z.object({ razorpay_payment_id, razorpay_order_id, razorpay_signature });
export type CheckoutAnswer = z.output<typeof checkoutAnswer>;

/** SPEC section 3, payment capture details. */
export const paymentDetails = z
  .object({
    id: note,
    amount: postedFigures.total,
    total_amount: postedFigures.totalCost,
    tax_rate: postedFigures.taxRate,
    tax_amount: postedFigures.tax_amount,
    name: note,
    email: note,
    phone: note,
    quantity: z.union([z.number(), note]),
    console: note,
    identifier: note,
    order_type: note,
    userId: note,
    item_family: note,
  })
  .partial();

type Figures = Pick<z.output<typeof paymentDetails>, "amount" | "total_amount" | "tax_rate" | "tax_amount">;

/** The figures of the payment details, by the names they are compared under. */
export function figuresIn({
  amount: total,
  total_amount: totalCost,
  tax_rate: taxRate,
  tax_amount,
}: Figures) {
  return { total, totalCost, taxRate, tax_amount };
}

const paymentState = z.enum(["awaiting_payment", "completed", "pending", "failed", "mismatch"]);

export const paymentReply = z.object({
  status: z.boolean().describe("true: the order is paid"),
  state: paymentState,
  Error: z.string(),
  id: orderIdField,
  stage: stageField,
  razorpay: z.string().describe("the payment provider's public key id"),
  razorpay_order_id: z.string(),
  amount: z.int().describe("in paise or cents"),
  currency: z.enum(["INR", "USD"]),
  url: z.string().describe("the order's own page"),
});

/** What every call that takes payment says of itself. */
export const payingCall = {
  refuses: [403, 404, 409, 502, 503],
  limit: { name: "capture-payment", limit: 120, windowSeconds: 600 },
  idempotent: true,
  refusedAs: (message) => ({ status: "fail", Error: message }),
} satisfies Partial<PostOptions>;

/**
 * Asks the provider for an order to be paid; an open one goes on.
 * @param shownTotalMinor as beginPayment
 * @throws as beginPayment
 */
export async function begin(page: SignedInPage, order: Order, shownTotalMinor: number) {
  const checkout = await beginPayment(page.context, {
    orderId: order.id,
    asker: askerOf(page),
    shownTotalMinor,
    now: new Date(),
  });
  return standing(page, await ownOrder(page, order.id), {
    state: "awaiting_payment",
    providerOrderId: checkout.providerOrderId,
  });
}

/** @throws DomainError not_found for a payment of another order; as receiveReturn */
export async function capture(page: SignedInPage, order: Order, paid: CheckoutAnswer) {
  const providerOrderId = paid.razorpay_order_id;
  const intent = await findIntentByProviderOrder(page.context.db, providerOrderId);
  if (intent?.order_id !== order.id) throw notFound("payment");
  const settled = await receiveReturn(page.context, {
    providerOrderId,
    providerPaymentId: paid.razorpay_payment_id,
    signature: paid.razorpay_signature,
  });
  return standing(page, await ownOrder(page, order.id), {
    state: settled.state,
    providerOrderId,
    problem: settled.state === "completed" ? "" : settled.problem,
  });
}

/** Checks again what has been paid and was not accepted. @throws as retrySettlement */
export async function retry(page: SignedInPage, order: Order) {
  await retrySettlement(page.context, order.id);
  return standing(page, await ownOrder(page, order.id), { state: "completed" });
}

export function standing(
  page: SignedInPage,
  order: Order,
  told: { state: z.input<typeof paymentState>; providerOrderId?: string; problem?: string },
): z.input<typeof paymentReply> {
  const { state, providerOrderId = "", problem = "" } = told;
  return {
    status: state === "completed",
    state,
    Error: problem,
    id: order.id,
    stage: order.stage,
    razorpay: page.context.razorpay.keyId,
    razorpay_order_id: providerOrderId,
    amount: order.total.minor,
    currency: order.total.currency,
    url: orderPath(order),
  };
}
