/** Razorpay: one order a purchase, its payments, capture, refund, and the signatures that prove who is speaking. */
import { z } from "zod";
import { asKind } from "./errors.ts";
import { baseOf, errorOf, type OnCall, ProviderError, pathOf, readAnswer } from "./http.ts";
import { isSignatureValid } from "./razorpay/signature.ts";
import { createWire } from "./razorpay/wire.ts";

export interface RazorpayConfig {
  /** Public: it is part of the checkout form. */
  keyId: string;
  keySecret: string;
  /** Empty when no webhook is set up: then no webhook is valid. */
  webhookSecret: string;
  /** Ends with the version: `https://api.razorpay.com/v1`. */
  apiUrl: string;
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

export interface NewRazorpayOrder {
  /** Integer minor units: paise, cents. */
  amountMinor: number;
  /** ISO 4217. */
  currency: string;
  /** Our name for it: at most 40 characters, one a purchase. */
  receipt: string;
  /** At most 15, each value at most 256 characters. */
  notes: Record<string, string>;
}

export interface RazorpayOrder {
  id: string;
  amountMinor: number;
  currency: string;
  status: "created" | "attempted" | "paid";
  /** The name we gave it; null for an order that has none. */
  receipt: string | null;
}

export interface RazorpayPayment {
  id: string;
  /** null for a payment made outside an order. */
  orderId: string | null;
  amountMinor: number;
  currency: string;
  status: "created" | "authorized" | "captured" | "refunded" | "failed";
  /** "card", "upi", "netbanking", ... */
  method: string;
  /** Why it failed, in Razorpay's words. */
  errorDescription: string | undefined;
}

export interface RazorpayRefund {
  id: string;
  amountMinor: number;
  status: "pending" | "processed" | "failed";
}

/** What the checkout posts to the callback address on success. */
export interface CheckoutReturn {
  /** The order id we stored, never the one posted. */
  providerOrderId: string;
  paymentId: string;
  signature: string;
}

export interface Razorpay {
  readonly keyId: string;
  /** Where the hosted checkout's form is posted to. */
  readonly hostedCheckoutUrl: string;
  createOrder(order: NewRazorpayOrder): Promise<RazorpayOrder>;
  findOrderByReceipt(receipt: string): Promise<RazorpayOrder | null>;
  getOrder(orderId: string): Promise<RazorpayOrder>;
  listOrderPayments(orderId: string): Promise<RazorpayPayment[]>;
  getPayment(paymentId: string): Promise<RazorpayPayment>;
  capturePayment(paymentId: string, amountMinor: number, currency: string): Promise<RazorpayPayment>;
  refundPayment(paymentId: string, amountMinor: number, idempotencyKey: string): Promise<RazorpayRefund>;
  isReturnSignatureValid(checkoutReturn: CheckoutReturn): boolean;
  isWebhookSignatureValid(rawBody: string | Buffer, signature: string): boolean;
}

const orderWire = z.object({
  id: z.string().min(1),
  amount: z.int(),
  currency: z.string(),
  status: z.enum(["created", "attempted", "paid"]),
  receipt: z.string().nullish(),
});

/** Also the shape of `payload.payment.entity` in a webhook. */
export const razorpayPaymentSchema = z
  .object({
    id: z.string().min(1),
    order_id: z.string().nullish(),
    amount: z.int(),
    currency: z.string(),
    status: z.enum(["created", "authorized", "captured", "refunded", "failed"]),
    method: z.string(),
    error_description: z.string().nullish(),
  })
  .transform(
    (wire): RazorpayPayment => ({
      id: wire.id,
      orderId: wire.order_id ?? null,
      amountMinor: wire.amount,
      currency: wire.currency,
      status: wire.status,
      method: wire.method,
      errorDescription: wire.error_description ?? undefined,
    }),
  );

const refundWire = z.object({
  id: z.string().min(1),
  amount: z.int(),
  status: z.enum(["pending", "processed", "failed"]),
});

const orderList = z.object({ items: z.array(orderWire) });
const paymentList = z.object({ items: z.array(razorpayPaymentSchema) });

/**
 * Razorpay captures by itself, also a payment the bank confirms late: 7,200 minutes are the five days it keeps asking
 * the bank. What is still not captured then goes back to the buyer.
 */
const capture = {
  capture: "automatic" as const,
  capture_options: {
    automatic_expiry_period: 7200,
    manual_expiry_period: 7200,
    refund_speed: "normal" as const,
  },
};

/** A client for one Razorpay account. @throws Error when a credential is empty. */
export function createRazorpay(config: RazorpayConfig): Razorpay {
  if (config.keyId === "" || config.keySecret === "")
    throw new Error("Razorpay needs a key id and a key secret");
  const wire = createWire(config);
  const { orders, payments } = wire.sdk;

  async function getPayment(paymentId: string): Promise<RazorpayPayment> {
    return wire.read(payments.fetch(knownId(paymentId)), razorpayPaymentSchema);
  }

  return {
    keyId: config.keyId,
    hostedCheckoutUrl: `${baseOf(config.apiUrl)}/checkout/embedded`,

    /**
     * `POST /orders`. It has no idempotency key: before repeating one whose answer was lost, use findOrderByReceipt.
     * @throws ProviderError
     */
    async createOrder(order) {
      const pending = orders.create({
        amount: order.amountMinor,
        currency: order.currency,
        receipt: order.receipt,
        notes: order.notes,
        payment: capture,
      });
      return orderOf(await wire.read(pending, orderWire));
    },

    /**
     * The order made under `receipt`, or null. Should a lost answer have left two, the one money went to.
     * @throws ProviderError
     */
    async findOrderByReceipt(receipt) {
      const found = await wire.read(orders.all({ receipt }), orderList);
      // Compared here too: a server that ignores the filter must not lend us another buyer's order.
      const ours = found.items.filter((order) => order.receipt === receipt);
      const best =
        ours.find((order) => order.status === "paid") ??
        ours.find((order) => order.status === "attempted") ??
        ours[0];
      return best === undefined ? null : orderOf(best);
    },

    /** `GET /orders/{id}`. @throws ProviderError */
    async getOrder(orderId) {
      return orderOf(await wire.read(orders.fetch(knownId(orderId)), orderWire));
    },

    /** `GET /orders/{id}/payments`: every attempt. @throws ProviderError */
    async listOrderPayments(orderId) {
      return (await wire.read(orders.fetchPayments(knownId(orderId)), paymentList)).items;
    },

    /** `GET /payments/{id}`. @throws ProviderError */
    getPayment,

    /**
     * `POST /payments/{id}/capture`. Razorpay refuses to capture what is captured, so after an error the payment itself
     * is asked; compare its amount as after getPayment.
     * @throws ProviderError the capture's own, when the payment is not captured or cannot be read.
     */
    async capturePayment(paymentId, amountMinor, currency) {
      try {
        const pending = payments.capture(knownId(paymentId), amountMinor, currency);
        return await wire.read(pending, razorpayPaymentSchema);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        const payment = await getPayment(paymentId).catch(() => null);
        if (payment?.status === "captured") return payment;
        throw error;
      }
    },

    /**
     * `POST /payments/{id}/refund`, once for one `idempotencyKey` (at least 10 characters, stored by the caller).
     * @throws ProviderError; transient while an earlier request with the key is still at work (409).
     * @throws RangeError for a key that is too short to be honoured.
     */
    async refundPayment(paymentId, amountMinor, idempotencyKey) {
      if (idempotencyKey.length < 10)
        throw new RangeError("A refund's idempotency key has at least 10 characters");
      const answer = await wire.call(
        "POST",
        pathOf`/payments/${knownId(paymentId)}/refund`,
        { amount: amountMinor },
        { "X-Refund-Idempotency": idempotencyKey },
      );
      if (answer.status === 409) throw asKind(errorOf(answer), "transient", answer.call);
      const refund = readAnswer(answer, refundWire);
      return { id: refund.id, amountMinor: refund.amount, status: refund.status };
    },

    /** Whether Razorpay signed this return: hex HMAC-SHA256 of `order|payment` under the key secret. */
    isReturnSignatureValid({ providerOrderId, paymentId, signature }) {
      return isSignatureValid(`${providerOrderId}|${paymentId}`, signature, config.keySecret);
    },

    /** Whether Razorpay signed this webhook: the HMAC of the body's own bytes, before any parsing. */
    isWebhookSignatureValid(rawBody, signature) {
      return isSignatureValid(rawBody, signature, config.webhookSecret);
    },
  };
}

function orderOf(wire: z.infer<typeof orderWire>): RazorpayOrder {
  return {
    id: wire.id,
    amountMinor: wire.amount,
    currency: wire.currency,
    status: wire.status,
    receipt: wire.receipt ?? null,
  };
}

/**
 * An id fit for a path: the package does not encode it, and a payment id arrives from the buyer's browser.
 * @throws ProviderError (refused, `malformed_id`)
 */
function knownId(id: string): string {
  if (/^[A-Za-z0-9_]{1,64}$/.test(id)) return id;
  throw new ProviderError("razorpay", "refused", "a call", { code: "malformed_id" });
}
