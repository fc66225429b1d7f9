/**
 * Bank transfer as a payment provider: each of our orders has a virtual account at Razorpay, and whatever reaches it pays the
 * order, in one credit or several (docs/decisions/transfers.md#bank-transfer).
 */

import { nullIfUnknown } from "#server/integrations/razorpay/null-if-unknown.ts";
import type { RazorpayPayment } from "#server/integrations/razorpay.ts";
import type { Context } from "#server/platform/context.ts";
import type { PaymentProvider, ProviderPayment } from "../provider.ts";
import { razorpayCalls } from "../razorpay/account.ts";
import { parseCreditReference, parseTransferEvent } from "./events.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** The note with which an account is found again after a lost response. */
const receiptNote = "receipt";

/** Longer than the proforma is valid, so that transfers under way still arrive. */
const openDays = ({ env }: Pick<Context, "env">) => env.PROFORMA_DAYS + env.PROFORMA_GRACE_DAYS;

/** Sets the payment's order: a credit does not name one, and belongs to the account that it reached. */
const toAccount = (payment: RazorpayPayment, orderId: string): ProviderPayment => ({ ...payment, orderId });

export const bankTransfer: PaymentProvider = {
  name: "Bank transfer",
  ...razorpayCalls,
  publicKey: () => "",
  takesParts: true,
  openForDays: (env) => openDays({ env }) + 1,

  async createOrder(context, account, { orderId, receipt }) {
    const { id } = await context.razorpayOf(account).createVirtualAccount({
      description: `Order ${orderId}`,
      notes: { order_id: orderId, [receiptNote]: receipt },
      closesAt: new Date(Date.now() + openDays(context) * dayMs),
    });
    return { id, receipt };
  },
  async findOrder(context, account, receipt) {
    const found = await context.razorpayOf(account).findVirtualAccount(receiptNote, receipt);
    return found === null ? null : { id: found.id, receipt };
  },
  async getOrder(context, account, id) {
    const found = await nullIfUnknown(context.razorpayOf(account).getVirtualAccount(id));
    return found === null ? null : { id, receipt: found.notes[receiptNote] ?? null };
  },
  // It closes automatically, and money sent before that counts.
  closeOrder: null,

  async listPayments(context, account, id) {
    const credits = await context.razorpayOf(account).listVirtualAccountPayments(id);
    return credits.map((credit) => toAccount(credit, id));
  },
  async getPayment(context, account, { providerPaymentId: id }) {
    const razorpay = context.razorpayOf(account);
    const [payment, transfer] = await Promise.all([razorpay.getPayment(id), razorpay.getBankTransfer(id)]);
    return toAccount(payment, transfer.virtualAccountId);
  },
  async findOrderOfPayment(context, account, paymentId) {
    const transfer = await nullIfUnknown(context.razorpayOf(account).getBankTransfer(paymentId));
    return transfer === null ? null : { providerOrderId: transfer.virtualAccountId };
  },
  // Money that has arrived needs no capture.
  capturePayment: (_context, _account, payment) => Promise.resolve(payment),
  // Included in the account's payouts and lists, which the checkout's provider reads.
  listSettled: null,
  listBetween: null,
  listRefundsBetween: null,
  listDisputesBetween: null,

  checkout: () => null,
  readReturn: () => null,
  returnFields: [],
  isGenuine: () => false,

  readEvent: parseTransferEvent,
  paymentIn: parseCreditReference,
  // Reported at the webhook address of the checkout's provider, with the payment.
  refundIn: () => null,
  disputeIn: () => null,

  checkoutSources: () => ({ scripts: [], connections: [], frames: [], images: [], forms: [] }),
};
