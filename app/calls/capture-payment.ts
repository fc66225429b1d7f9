/**
 * POST /api/capturepayment: begins an order's payment, captures what the checkout returned, and retries
 * (docs/specification.md, section 4.4).
 */
import { wrongField } from "#server/errors.ts";
import { unsettledPayments } from "#server/payments/settle.ts";
import { amount, flag, note } from "./shared/fields.ts";
import { requireSameFigures } from "./shared/figures.ts";
import { ownOrder } from "./shared/own-order.ts";
import {
  begin,
  capture,
  checkoutAnswer,
  decided,
  figuresIn,
  payingCall,
  paymentDetails,
  paymentReply,
  requireSameOrder,
  retry,
  termsNeeded,
} from "./shared/payment.ts";
import { jsonAction, signedIn, z } from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

const body = z.object({
  data: z.object({
    id: z.string().max(64).describe("the order's id"),
    terms: flag.nullish().describe("true: the buyer accepts the terms; needed to begin"),
    totalAmount: amount
      .nullish()
      .describe("the grand total the buyer saw; needed to begin, compared, never used"),
    payment_data: checkoutAnswer
      .nullish()
      .describe("what the checkout gave; left out to begin, or to try again"),
    email: note,
    first_name: note,
    phone: note,
    isAuthenticated: flag.nullish(),
  }),
  payment_details: paymentDetails.nullish().describe("compared when the payment begins, never used"),
});

export const action = jsonAction(
  {
    summary: "Begins an order's payment; with the checkout's answer, captures it.",
    notes:
      "First without payment_data, with terms true and the total: the reply has razorpay_order_id, amount and currency to open the checkout with, and `status` false. Then with payment_data: `status` is true once the payment is checked and captured. While it is not, `Error` says why; the same again, or without payment_data, tries again, under another Idempotency-Key. What counts is what the payment provider says was paid.",
    tag: "Payment",
    access: signedIn,
    ...payingCall,
    fieldNames: {
      total: "payment_details.amount",
      taxRate: "payment_details.tax_rate",
      tax_amount: "payment_details.tax_amount",
      count: "payment_details.quantity",
      totalCost: "data.totalAmount",
    },
    body,
    reply: paymentReply,
  },
  async (request, { data, payment_details: details }) => {
    const order = await ownOrder(request, data.id);
    const reply = await decided(request, order);
    if (reply !== null) return reply;
    if (data.payment_data != null) return capture(request, order, data.payment_data);
    if ((await unsettledPayments(request.context, order.id)).length > 0) return retry(request, order);
    if (data.terms !== true) {
      throw wrongField("data.terms", termsNeeded);
    }
    if (data.totalAmount == null)
      throw wrongField("data.totalAmount", "Please say the total that was shown.");
    requireSameOrder(order, details ?? {});
    requireSameFigures(order, figuresIn(details ?? {}));
    const shown = Math.round(data.totalAmount * 100);
    if (shown !== order.total.minor) requireSameFigures(order, { totalCost: data.totalAmount });
    return begin(request, order, shown);
  },
);
