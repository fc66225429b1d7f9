/**
 * Payment link as a payment provider: each of our orders has a link at Razorpay, whose page takes the payment in any browser and
 * on any device (docs/decisions/transfers.md#payment-links).
 */

import * as paths from "#server/foundation/paths.ts";
import { fullName } from "#server/foundation/placeholders.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { fitContact, fitCustomerName } from "#server/integrations/razorpay/customer-name.ts";
import { nullIfUnknown } from "#server/integrations/razorpay/null-if-unknown.ts";
import type { NewPaymentLink, PaymentLink } from "#server/integrations/razorpay/payment-links.ts";
import type { RazorpayPayment } from "#server/integrations/razorpay.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import type { Context } from "#server/platform/context.ts";
import type { NewProviderOrder, PaymentProvider, ProviderPayment } from "../provider.ts";
import { razorpayCalls, toProviderPayment } from "../razorpay/account.ts";
import { parseLinkEvent, parseLinkPayment } from "./events.ts";
import { linkFields } from "./return.ts";

/** The same time as a draft keeps its price (docs/specification.md, section 9.1). */
const validDays = 7;
const dayMs = 24 * 60 * 60 * 1000;

/** Sets the payment's order: it names a separate order of the provider, but belongs to the link that lists it. */
function ofLink(payment: RazorpayPayment, link: PaymentLink): ProviderPayment {
  const reported = toProviderPayment(payment);
  if (link.payments.some(({ id }) => id === payment.id)) return { ...reported, orderId: link.id };
  // Webhook and return may arrive before the link shows that it is paid.
  if (payment.status === "captured" && link.status !== "paid")
    throw new ProviderError("razorpay", "transient", "a payment of a link", { code: "not_listed_yet" });
  return reported;
}

export const paymentLink: PaymentProvider = {
  name: "Payment link",
  ...razorpayCalls,
  publicKey: () => "",
  takesParts: false,
  // A payment begun on the last day is captured later.
  openForDays: () => validDays + 1,

  async createOrder(context, account, input) {
    const { id } = await context.razorpayOf(account).createPaymentLink(await newLink(context, input));
    return { id, receipt: input.receipt };
  },
  async findOrder(context, account, receipt) {
    const found = await context.razorpayOf(account).findPaymentLink(receipt);
    return found === null ? null : { id: found.id, receipt };
  },
  async getOrder(context, account, id) {
    const found = await nullIfUnknown(context.razorpayOf(account).getPaymentLink(id));
    return found === null ? null : { id, receipt: found.referenceId };
  },
  async closeOrder(context, account, id) {
    const razorpay = context.razorpayOf(account);
    try {
      await razorpay.cancelPaymentLink(id);
    } catch (error) {
      if (!(error instanceof ProviderError && error.kind === "refused")) throw error;
      // A link that is paid, expired or cancelled counts as closed.
      if ((await razorpay.getPaymentLink(id)).status === "created") throw error;
    }
  },

  async listPayments(context, account, id) {
    const { payments, currency } = await context.razorpayOf(account).getPaymentLink(id);
    return payments.map((payment) => ({
      ...payment,
      orderId: id,
      currency,
      status: "captured",
      amountRefundedMinor: 0,
      feeMinor: null,
      errorDescription: undefined,
    }));
  },
  async getPayment(context, account, { providerOrderId, providerPaymentId }) {
    const razorpay = context.razorpayOf(account);
    // Read the payment first, so that the link then includes it.
    const payment = await razorpay.getPayment(providerPaymentId);
    return ofLink(payment, await razorpay.getPaymentLink(providerOrderId));
  },
  // Its payments name an order of the checkout's provider, which is found by the link's reference.
  findOrderOfPayment: () => Promise.resolve(null),
  // A link captures automatically.
  capturePayment: (_context, _account, payment) => Promise.resolve(payment),
  // Included in the account's payouts and lists, which the checkout's provider reads.
  listSettled: null,
  listBetween: null,
  listRefundsBetween: null,
  listDisputesBetween: null,

  checkout: () => null,
  readReturn(sent) {
    const paid = linkFields.safeParse(sent);
    if (!paid.success) return null;
    return {
      state: "paid",
      providerOrderId: paid.data.razorpay_payment_link_id,
      providerPaymentId: paid.data.razorpay_payment_id,
      receipt: paid.data.razorpay_payment_link_reference_id,
      signature: paid.data.razorpay_signature,
    };
  },
  returnFields: Object.keys(linkFields.shape),
  isGenuine: (context, account, { providerOrderId, providerPaymentId, receipt, signature }) =>
    context.razorpayOf(account).isLinkReturnSignatureValid({
      linkId: providerOrderId,
      referenceId: receipt ?? "",
      status: "paid",
      paymentId: providerPaymentId,
      signature,
    }),

  readEvent: parseLinkEvent,
  paymentIn: parseLinkPayment,
  // Reported at the webhook address of the checkout's provider, with the payment.
  refundIn: () => null,
  disputeIn: () => null,

  checkoutSources: () => ({ scripts: [], connections: [], frames: [], images: [], forms: [] }),
};

async function newLink(
  { db, env }: Context,
  { orderId, amountMinor, currency, receipt }: NewProviderOrder,
): Promise<NewPaymentLink> {
  const order = await findOrder(db, orderId);
  if (order === null || order.account === null)
    throw new RangeError("A link is for an order with an account");
  const { companyName, email, phoneCode, phoneNumber } = order.account;
  return {
    amountMinor,
    currency,
    referenceId: receipt,
    description: `${orderNumber(order)}: ${order.line.name} x ${order.line.quantity}`,
    customer: {
      name: fitCustomerName(fullName(order.account), companyName),
      email,
      contact: fitContact(`${phoneCode}${phoneNumber}`),
    },
    notes: { order_id: orderId },
    expiresAt: new Date(Date.now() + validDays * dayMs),
    callbackUrl: `${env.PUBLIC_URL}${paths.paymentReturn()}`,
  };
}
