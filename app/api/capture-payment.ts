/** POST /api/capturepayment: begins an order's payment, takes what the checkout gave, and tries again (SPEC sections 4 and 7). */
import { findIntentByProviderOrder } from "#db/payments.ts";
import { DomainError, notFound } from "#server/errors.ts";
import { isPaid, type Order } from "#server/orders/order.ts";
import { beginPayment } from "#server/payments/begin.ts";
import { receiveReturn, retrySettlement } from "#server/payments/return.ts";
import { unsettledPayments } from "#server/payments/settle.ts";
import { amount, flag, note, orderIdField, stageField } from "../calls/fields.ts";
import { postedFigures, requireSameFigures } from "../calls/figures.ts";
import { ownOrder } from "../calls/own-order.ts";
import { paidSchema } from "../forms/schemas.ts";
import { jsonAction, signedIn, z } from "../http/api.ts";
import type { SignedInPage } from "../http/call.ts";
import { askerOf, orderPath } from "../journey/guard.ts";

export { postOnly as loader } from "../http/api.ts";

const { razorpay_payment_id, razorpay_order_id, razorpay_signature } = paidSchema.shape;
const payment = z.object({ razorpay_payment_id, razorpay_order_id, razorpay_signature });

const body = z.object({
  data: z.object({
    id: z.string().max(64).describe("the order's id"),
    terms: flag.nullish().describe("true: the buyer accepts the terms; needed to begin"),
    totalAmount: amount
      .nullish()
      .describe("the grand total the buyer saw; needed to begin, compared, never used"),
    payment_data: payment.nullish().describe("what the checkout gave; left out to begin, or to try again"),
    email: note,
    first_name: note,
    phone: note,
    isAuthenticated: flag.nullish(),
  }),
  payment_details: z
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
    .partial()
    .nullish()
    .describe("compared when the payment begins, never used"),
});

export const action = jsonAction(
  {
    summary: "Begins an order's payment; with the checkout's answer, captures it.",
    notes:
      "First without payment_data, with terms true and the total: the reply has razorpay_order_id, amount and currency to open the checkout with, and `status` false. Then with payment_data: `status` is true once the payment is checked and captured. While it is not, `Error` says why; the same again, or without payment_data, tries again, under another Idempotency-Key. What counts is what the payment provider says was paid.",
    tag: "Payment",
    access: signedIn,
    refuses: [403, 404, 409, 502, 503],
    limit: { name: "capture-payment", limit: 120, windowSeconds: 600 },
    idempotent: true,
    refusedAs: (message) => ({ status: "fail", Error: message }),
    fieldNames: { totalCost: "data.totalAmount" },
    body,
    reply: z.object({
      status: z.boolean().describe("true: the order is paid"),
      state: z.enum(["awaiting_payment", "completed", "pending", "failed", "mismatch"]),
      Error: z.string(),
      id: orderIdField,
      stage: stageField,
      razorpay: z.string().describe("the payment provider's public key id"),
      razorpay_order_id: z.string(),
      amount: z.int().describe("in paise or cents"),
      currency: z.enum(["INR", "USD"]),
      url: z.string().describe("the order's own page"),
    }),
  },
  async (page, { data, payment_details: details }) => {
    const order = await ownOrder(page, data.id);
    if (isPaid(order)) return standing(page, order, { state: "completed" });
    if (data.payment_data != null) return capture(page, order, data.payment_data);
    if ((await unsettledPayments(page.context, order.id)).length > 0) {
      await retrySettlement(page.context, order.id);
      return standing(page, await ownOrder(page, order.id), { state: "completed" });
    }
    if (data.terms !== true) {
      throw refuse("data.terms", "Please accept the terms to place the order.");
    }
    if (data.totalAmount == null) throw refuse("data.totalAmount", "Please say the total that was shown.");
    requireSameFigures(order, {
      total: details?.amount,
      totalCost: details?.total_amount,
      taxRate: details?.tax_rate,
      tax_amount: details?.tax_amount,
    });
    const shown = Math.round(data.totalAmount * 100);
    if (shown !== order.total.minor) requireSameFigures(order, { totalCost: data.totalAmount });
    const checkout = await beginPayment(page.context, {
      orderId: order.id,
      asker: askerOf(page),
      shownTotalMinor: shown,
      now: new Date(),
    });
    return standing(page, await ownOrder(page, order.id), {
      state: "awaiting_payment",
      providerOrderId: checkout.providerOrderId,
    });
  },
);

async function capture(page: SignedInPage, order: Order, paid: z.output<typeof payment>) {
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

function standing(
  page: SignedInPage,
  order: Order,
  {
    state,
    providerOrderId = "",
    problem = "",
  }: {
    state: "awaiting_payment" | "completed" | "pending" | "failed" | "mismatch";
    providerOrderId?: string;
    problem?: string;
  },
) {
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

function refuse(field: string, message: string): DomainError {
  return new DomainError("bad_request", message, { fields: { [field]: message } });
}
