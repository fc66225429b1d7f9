/** Taking payment for any kind of order by calls: begin, capture with the checkout's result, or retry. */

import { z } from "zod";
import type { Order } from "#db/orders/order.ts";
import type { PaymentProviderId } from "#db/tables/payments.ts";
import { beginPayment } from "#server/billing/payments/begin.ts";
import { findCheckoutAccount, findRefundWithReason } from "#server/billing/payments/find.ts";
import { receiveReturn, retrySettlement } from "#server/billing/payments/payment-return.ts";
import { paidFields, paymentProviders } from "#server/billing/payments/registry.ts";
import { countries, currencies } from "#server/foundation/countries/registry.ts";
import { wrongField } from "#server/foundation/errors.ts";
import { english } from "#server/foundation/languages/text.ts";
import { orderPath } from "#server/orders/order-path.ts";
import { isPaid, isRefunded } from "#server/orders/payment-state.ts";
import { rateLimits } from "../../http/rate-limits.ts";
import { requesterOf } from "../../journey/guard.ts";
import { postedAmounts } from "./amounts.ts";
import type { PostOptions, SignedInContext } from "./endpoint.ts";
import { consoleCode, familyField, ignoredText, orderIdField, seatsField, stageField } from "./fields.ts";
import { ownOrder } from "./own-order.ts";

/** The provider whose checkout these calls use. The specification uses its field names. */
export const apiPaymentProvider: PaymentProviderId = "razorpay";
export const checkoutAnswer = paidFields;
export type CheckoutResult = z.output<typeof checkoutAnswer>;

/** Payment capture details (docs/specification.md, section 3). */
export const paymentDetails = z
  .object({
    id: ignoredText,
    amount: postedAmounts.total,
    total_amount: postedAmounts.totalCost,
    tax_rate: postedAmounts.taxRate,
    tax_amount: postedAmounts.tax_amount,
    name: ignoredText,
    email: ignoredText,
    phone: ignoredText,
    quantity: seatsField.nullish().describe("compared with the order's"),
    console: consoleCode.nullish(),
    identifier: ignoredText,
    order_type: z.enum(["NEW", "TUP", "ADDON", "ADD", "RENEW"]).nullish(),
    userId: ignoredText,
    item_family: familyField.nullish(),
  })
  .partial();

type PaymentDetails = z.output<typeof paymentDetails>;
type Figures = Pick<PaymentDetails, "amount" | "total_amount" | "tax_rate" | "tax_amount" | "quantity">;

/** The figures in the payment details, under the names they are compared by. */
export function amountsIn({
  amount: total,
  total_amount: totalCost,
  tax_rate: taxRate,
  tax_amount,
  quantity: count,
}: Figures) {
  return { total, totalCost, taxRate, tax_amount, count };
}

/** @throws DomainError bad_request, naming the payment details that describe a different order */
export function requireSameOrder(
  { kind, family, country }: Pick<Order, "kind" | "family" | "country">,
  { order_type: type, item_family: said, console: market }: PaymentDetails,
): void {
  if (type != null && type !== kind) throw wrongField("payment_details.order_type", `This is ${kind}.`);
  if (said != null && said !== family) {
    throw wrongField("payment_details.item_family", `This order is for ${family}.`);
  }
  if (market != null && market !== countries[country].console) {
    throw wrongField("payment_details.console", "This order is for a different country.");
  }
}

const paymentState = z
  .enum(["awaiting_payment", "completed", "pending", "failed", "mismatch", "refunded"])
  .describe("refunded: the order couldn't be completed, and the payment is being refunded in full");

export const paymentReply = z.object({
  status: z.boolean().describe("true: the order is paid"),
  state: paymentState,
  Error: z.string(),
  id: orderIdField,
  stage: stageField,
  razorpay: z.string().describe("the payment provider's public key ID"),
  razorpay_order_id: z.string().describe("the payment provider's order for this one"),
  amount: z.int().describe("in paise or cents"),
  currency: z.enum(currencies),
  url: z.string().describe("the order's own page"),
});

/** The specification's payload has no field for the terms: the request itself accepts them. */
export const termsDescription =
  "whether the buyer accepts the terms, as starting a payment does; false starts none";
export const termsNeeded = "Please accept the terms to place the order.";

/** The description shared by every call that takes payment. */
export const paymentEndpoint = {
  refuses: [403, 404, 409, 502, 503],
  limit: rateLimits.pay,
  idempotent: true,
  refusedAs: (message) => ({ status: "fail", Error: message }),
} satisfies Partial<PostOptions>;

/**
 * Asks the provider to take payment for an order. An open payment intent is reused.
 * @param shownTotalMinor as beginPayment
 * @throws as beginPayment
 */
export async function startPayment(request: SignedInContext, order: Order, shownTotalMinor: number) {
  const checkout = await beginPayment(request.context, {
    order,
    requester: requesterOf(request),
    shownTotalMinor,
    shownAgreement: null,
    now: new Date(),
  });
  return standing(request, await ownOrder(request, order.id), {
    state: "awaiting_payment",
    providerOrderId: checkout.providerOrderId,
  });
}

/** @throws as receiveReturn */
export async function capturePayment(request: SignedInContext, order: Order, paid: CheckoutResult) {
  const settled = await receiveReturn(request.context, paid, { onlyFor: order.id });
  return standing(request, await ownOrder(request, order.id), {
    state: settled.state === "left" ? "awaiting_payment" : settled.state,
    providerOrderId: paid.razorpay_order_id,
    problem: settled.state === "completed" ? "" : english(settled.problem),
  });
}

/** Rechecks a payment that was made but not accepted. @throws as retrySettlement */
export async function retryPayment(request: SignedInContext, order: Order) {
  await retrySettlement(request.context, order.id);
  const settled = await ownOrder(request, order.id);
  return (await finalReply(request, settled)) ?? standing(request, settled, { state: "pending" });
}

/** The reply for an order that needs no further payment step, or null while something is still to pay or to check. */
export async function finalReply(request: SignedInContext, order: Order) {
  if (isPaid(order)) return standing(request, order, { state: "completed" });
  if (!isRefunded(order)) return null;
  const refund = await findRefundWithReason(request.context.db, order.id);
  return standing(request, order, { state: "refunded", problem: english(refund?.reason ?? "") });
}

/** @param report.providerOrderId left out for the open or the paid one */
async function standing(
  request: SignedInContext,
  order: Order,
  report: { state: z.input<typeof paymentState>; providerOrderId?: string; problem?: string },
): Promise<z.input<typeof paymentReply>> {
  const { state, problem = "" } = report;
  const checkout = await findCheckoutAccount(request.context.db, order);
  return {
    status: state === "completed",
    state,
    Error: problem,
    id: order.id,
    stage: order.stage,
    razorpay: paymentProviders[apiPaymentProvider].publicKey(request.context, checkout.account),
    razorpay_order_id: report.providerOrderId ?? checkout.providerOrderId ?? "",
    amount: order.total.minor,
    currency: order.total.currency,
    url: orderPath(order),
  };
}
