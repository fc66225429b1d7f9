/**
 * POST /api/capturepayment: begins an order's payment, captures what the checkout returned, and retries
 * (docs/specification.md, section 4.4).
 */

import { unsettledPayments } from "#server/billing/payments/unsettled.ts";
import { wrongField } from "#server/foundation/errors.ts";
import { requireSameAmounts } from "./shared/amounts.ts";
import { amount, flag, ignoredText } from "./shared/fields.ts";
import { ownOrder } from "./shared/own-order.ts";
import {
  amountsIn,
  capturePayment,
  checkoutAnswer,
  finalReply,
  paymentDetails,
  paymentEndpoint,
  paymentReply,
  requireSameOrder,
  retryPayment,
  startPayment,
  termsDescription,
  termsNeeded,
} from "./shared/payment.ts";
import { jsonAction, sessionAccess, z } from "./shared/route.ts";

export { postOnly as loader } from "./shared/route.ts";

const body = z.object({
  data: z.object({
    id: z.string().max(64).describe("the order's ID"),
    terms: flag.nullish().describe(termsDescription),
    totalAmount: amount
      .nullish()
      .describe("the grand total the buyer saw; required to start; checked, never used"),
    payment_data: checkoutAnswer.nullish().describe("the checkout's response; omit to start or retry"),
    email: ignoredText,
    first_name: ignoredText,
    phone: ignoredText,
    isAuthenticated: flag.nullish(),
  }),
  payment_details: paymentDetails.nullish().describe("compared when the payment starts, never used"),
});

export const action = jsonAction(
  {
    summary: "Starts an order's payment, or captures it with the checkout's response.",
    notes:
      "First without payment_data, with the total, which accepts the terms: the reply has razorpay_order_id, amount and currency to open the checkout with, and `status` false. Then with payment_data: `status` is true once the payment is checked and captured. While it is not, `Error` says why; the same again, or without payment_data, tries again, under another Idempotency-Key. What counts is what the payment provider says was paid.",
    tag: "Payment",
    access: sessionAccess,
    ...paymentEndpoint,
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
    const reply = await finalReply(request, order);
    if (reply !== null) return reply;
    if (data.payment_data != null) return capturePayment(request, order, data.payment_data);
    if ((await unsettledPayments(request.context, order.id)).length > 0) return retryPayment(request, order);
    if (data.terms === false) throw wrongField("data.terms", termsNeeded);
    if (data.totalAmount == null) throw wrongField("data.totalAmount", "Send the total that was shown.");
    requireSameOrder(order, details ?? {});
    requireSameAmounts(order, amountsIn(details ?? {}));
    const shown = Math.round(data.totalAmount * 100);
    if (shown !== order.total.minor) requireSameAmounts(order, { totalCost: data.totalAmount });
    return startPayment(request, order, shown);
  },
);
