/** Razorpay as a payment provider: each of our orders has one there, paid by card in its checkout. */
import { ProviderError } from "#server/providers/errors.ts";
import type { PaymentProvider } from "../provider.ts";
import { razorpayCheckout } from "./checkout.ts";
import { paymentIn, readEvent } from "./events.ts";
import { failedFields, paidFields } from "./return.ts";

export const razorpay: PaymentProvider = {
  name: "Razorpay",
  accounts: ({ razorpayAccounts }) => [...razorpayAccounts.keys()],
  publicKey: ({ env }, account) => env.razorpayAccounts.get(account)?.keyId ?? "",

  createOrder(context, account, { orderId, ...order }) {
    return context.razorpayOf(account).createOrder({ ...order, notes: { order_id: orderId } });
  },
  findOrder: (context, account, receipt) => context.razorpayOf(account).findOrderByReceipt(receipt),
  async getOrder(context, account, id) {
    try {
      return await context.razorpayOf(account).getOrder(id);
    } catch (error) {
      // Razorpay answers 400 for an order that is unknown to the account.
      if (error instanceof ProviderError && error.status === 400) return null;
      throw error;
    }
  },

  listPayments: (context, account, orderId) => context.razorpayOf(account).listOrderPayments(orderId),
  getPayment: (context, account, id) => context.razorpayOf(account).getPayment(id),
  capturePayment: (context, account, { id, amountMinor, currency }) =>
    context.razorpayOf(account).capturePayment(id, amountMinor, currency),
  refund: (context, account, { paymentId, amountMinor, key }) =>
    context.razorpayOf(account).refundPayment(paymentId, amountMinor, key),

  checkout: razorpayCheckout,
  readReturn(posted) {
    const paid = paidFields.safeParse(posted);
    if (paid.success) {
      const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = paid.data;
      return {
        state: "paid",
        providerOrderId: razorpay_order_id,
        providerPaymentId: razorpay_payment_id,
        signature: razorpay_signature,
      };
    }
    const failed = failedFields.safeParse(posted);
    if (!failed.success) return null;
    const { order_id, payment_id = null } = failed.data;
    return { state: "failed", providerOrderId: order_id, providerPaymentId: payment_id };
  },
  isGenuine: (context, account, { providerOrderId, providerPaymentId, signature }) =>
    context
      .razorpayOf(account)
      .isReturnSignatureValid({ providerOrderId, paymentId: providerPaymentId, signature }),

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
