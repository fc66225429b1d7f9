/** Razorpay as a payment provider: each of our orders has one there, paid by card in its checkout. */
import { ProviderError } from "#server/providers/errors.ts";
import type { PaymentProvider } from "../provider.ts";
import { razorpayCheckout } from "./checkout.ts";
import { paymentIn, readEvent } from "./events.ts";
import { failedFields, paidFields } from "./return.ts";

export const razorpay: PaymentProvider = {
  publicKey: (context) => context.razorpay.keyId,

  createOrder(context, { orderId, ...order }) {
    return context.razorpay.createOrder({ ...order, notes: { order_id: orderId } });
  },
  findOrder: (context, receipt) => context.razorpay.findOrderByReceipt(receipt),
  async getOrder(context, id) {
    try {
      return await context.razorpay.getOrder(id);
    } catch (error) {
      // Razorpay answers 400 for an unknown order.
      if (error instanceof ProviderError && error.status === 400) return null;
      throw error;
    }
  },

  listPayments: (context, orderId) => context.razorpay.listOrderPayments(orderId),
  getPayment: (context, id) => context.razorpay.getPayment(id),
  capturePayment: (context, { id, amountMinor, currency }) =>
    context.razorpay.capturePayment(id, amountMinor, currency),
  refund: (context, { paymentId, amountMinor, key }) =>
    context.razorpay.refundPayment(paymentId, amountMinor, key),

  checkout: razorpayCheckout,
  readReturn(context, posted) {
    const paid = paidFields.safeParse(posted);
    if (paid.success) {
      const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = paid.data;
      const isGenuine = context.razorpay.isReturnSignatureValid({
        providerOrderId: razorpay_order_id,
        paymentId: razorpay_payment_id,
        signature: razorpay_signature,
      });
      return {
        state: "paid",
        providerOrderId: razorpay_order_id,
        providerPaymentId: razorpay_payment_id,
        isGenuine,
      };
    }
    const failed = failedFields.safeParse(posted);
    if (!failed.success) return null;
    const { order_id, payment_id = null } = failed.data;
    return { state: "failed", providerOrderId: order_id, providerPaymentId: payment_id };
  },

  readEvent,
  paymentIn,

  checkoutSources: (env) => ({
    scripts: env.RAZORPAY_SCRIPT_SOURCES,
    connections: env.RAZORPAY_CONNECT_SOURCES,
    frames: env.RAZORPAY_FRAME_SOURCES,
    images: env.RAZORPAY_IMAGE_SOURCES,
    forms: env.RAZORPAY_FORM_SOURCES,
  }),
};
