/** Razorpay as a payment provider: each of our orders has one there, paid in its checkout. */
import { nullIfUnknown } from "#server/integrations/razorpay/null-if-unknown.ts";
import type { PaymentProvider } from "../provider.ts";
import { razorpayCalls, toProviderPayment } from "./account.ts";
import { razorpayCheckout } from "./checkout.ts";
import {
  parsePaymentReference,
  parseRazorpayEvent,
  parseReportedDispute,
  parseReportedRefund,
} from "./events.ts";
import { listBetween, listDisputesBetween, listRefundsBetween } from "./list-between.ts";
import { listSettled } from "./list-settled.ts";
import { failedFields, paidFields, returnFields } from "./return.ts";

export const razorpay: PaymentProvider = {
  name: "Razorpay",
  ...razorpayCalls,
  publicKey: ({ env }, account) => env.razorpayAccounts.get(account)?.keyId ?? "",

  takesParts: false,
  openForDays: () => 7,

  createOrder(context, account, { orderId, ...order }) {
    return context.razorpayOf(account).createOrder({ ...order, notes: { order_id: orderId } });
  },
  findOrder: (context, account, receipt) => context.razorpayOf(account).findOrderByReceipt(receipt),
  getOrder: (context, account, id) => nullIfUnknown(context.razorpayOf(account).getOrder(id)),
  closeOrder: null,

  async listPayments(context, account, orderId) {
    return (await context.razorpayOf(account).listOrderPayments(orderId)).map(toProviderPayment);
  },
  async getPayment(context, account, { providerPaymentId }) {
    return toProviderPayment(await context.razorpayOf(account).getPayment(providerPaymentId));
  },
  async findOrderOfPayment(context, account, paymentId) {
    const payment = await nullIfUnknown(context.razorpayOf(account).getPayment(paymentId));
    return payment === null ? null : { providerOrderId: payment.orderId };
  },
  async capturePayment(context, account, { id, amountMinor, currency }) {
    return toProviderPayment(await context.razorpayOf(account).capturePayment(id, amountMinor, currency));
  },
  listSettled,
  listBetween,
  listRefundsBetween,
  listDisputesBetween,

  checkout: razorpayCheckout,
  readReturn(posted) {
    const paid = paidFields.safeParse(posted);
    if (paid.success) {
      const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = paid.data;
      return {
        state: "paid",
        providerOrderId: razorpay_order_id,
        providerPaymentId: razorpay_payment_id,
        receipt: null,
        signature: razorpay_signature,
      };
    }
    const failed = failedFields.safeParse(posted);
    if (!failed.success) return null;
    const { order_id, payment_id = null } = failed.data;
    return { state: "failed", providerOrderId: order_id, providerPaymentId: payment_id };
  },
  returnFields,
  isGenuine: (context, account, { providerOrderId, providerPaymentId, signature }) =>
    context
      .razorpayOf(account)
      .isReturnSignatureValid({ providerOrderId, paymentId: providerPaymentId, signature }),

  readEvent: parseRazorpayEvent,
  paymentIn: parsePaymentReference,
  refundIn: parseReportedRefund,
  disputeIn: parseReportedDispute,

  checkoutSources: (env) => ({
    scripts: env.RAZORPAY_SCRIPT_SOURCES,
    connections: env.RAZORPAY_CONNECT_SOURCES,
    frames: env.RAZORPAY_FRAME_SOURCES,
    images: env.RAZORPAY_IMAGE_SOURCES,
    forms: env.RAZORPAY_FORM_SOURCES,
  }),
};
