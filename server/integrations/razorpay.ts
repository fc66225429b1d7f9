/**
 * Razorpay: one order, payment link or virtual account per purchase, its payments, capture, refund, and the signatures that authenticate
 * Razorpay's messages.
 */
import { z } from "zod";
import { noFunds, withKind } from "./errors.ts";
import { baseOf, errorOf, type OnCall, ProviderError, parseResponse, pathOf } from "./http.ts";
import { disputes, type ListedRazorpayDispute } from "./razorpay/disputes.ts";
import { type LinkReturn, type PaymentLinks, paymentLinks } from "./razorpay/payment-links.ts";
import { createSdkAdapter } from "./razorpay/sdk-adapter.ts";
import { isSignatureValid } from "./razorpay/signature.ts";
import { type VirtualAccounts, virtualAccounts } from "./razorpay/virtual-accounts.ts";

export interface RazorpayConfig {
  /** Public: it is part of the checkout form. */
  keyId: string;
  keySecret: string;
  /** One or more secrets, separated by spaces, each of which is valid. When empty, no webhook is set up, and none is valid. */
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
  /** Our reference: at most 40 characters, one per purchase. */
  receipt: string;
  /** Up to 15 notes, each value at most 256 characters. */
  notes: Record<string, string>;
}

export interface RazorpayOrder {
  id: string;
  amountMinor: number;
  currency: string;
  status: "created" | "attempted" | "paid";
  /** Our reference, or null for an order without one. */
  receipt: string | null;
}

export interface RazorpayPayment {
  id: string;
  /** Null for a payment made outside an order. */
  orderId: string | null;
  amountMinor: number;
  currency: string;
  status: "created" | "authorized" | "captured" | "refunded" | "failed";
  /** "card", "upi", "netbanking", ... */
  method: string;
  /** Refunds that did not fail, in minor units. */
  amountRefundedMinor: number;
  /** Razorpay's fee including tax, in minor units, paid by the buyer or by us; null before the capture. */
  feeMinor: number | null;
  /** Reason for the failure, in Razorpay's words. */
  errorDescription: string | undefined;
  /** The failure as one of Razorpay's reason codes: "insufficient_funds". */
  errorReason: string | undefined;
}

export interface RazorpayRefund {
  id: string;
  paymentId: string;
  amountMinor: number;
  status: "pending" | "processed" | "failed";
  /** Our reference; null for a refund from the dashboard. */
  receipt: string | null;
  /** ARN for a card, RRN for UPI, UTR for a transfer; null until the bank has assigned it. */
  bankReference: string | null;
}

/** A line of a payout to our bank, in minor units of its currency. */
export interface RazorpaySettledLine {
  /** Id of the payment, the refund, the transfer or the adjustment. */
  entityId: string;
  type: string;
  settlementId: string;
  /** Null for a line without a payment. */
  paymentId: string | null;
  /** Null for a line without a dispute. */
  disputeId: string | null;
  currency: string;
  amountMinor: number;
  creditMinor: number;
  debitMinor: number;
  /** Fee including tax. */
  feeMinor: number;
  taxMinor: number;
  /** Bank reference of the payout. */
  utr: string | null;
  settledAt: Date;
}

/** Closed time range: both ends are inclusive. */
export interface ClosedTimeRange {
  from: Date;
  to: Date;
}

/** Largest number of payments, or refunds, in one response. */
export const maxListSize = 100;

/** Largest number of payout lines in one response. */
export const maxSettledLines = 1_000;

/** Data that the checkout posts to the callback address after a payment. */
export interface CheckoutReturn {
  /** The order id that we stored, never the posted one. */
  providerOrderId: string;
  paymentId: string;
  signature: string;
}

export interface Razorpay extends VirtualAccounts, PaymentLinks {
  readonly keyId: string;
  /** Target of the hosted checkout's form. */
  readonly hostedCheckoutUrl: string;
  createOrder(order: NewRazorpayOrder): Promise<RazorpayOrder>;
  findOrderByReceipt(receipt: string): Promise<RazorpayOrder | null>;
  getOrder(orderId: string): Promise<RazorpayOrder>;
  listOrderPayments(orderId: string): Promise<RazorpayPayment[]>;
  listVirtualAccountPayments(id: string): Promise<RazorpayPayment[]>;
  getPayment(paymentId: string): Promise<RazorpayPayment>;
  listPaymentsBetween(span: ClosedTimeRange, skip: number): Promise<RazorpayPayment[]>;
  capturePayment(paymentId: string, amountMinor: number, currency: string): Promise<RazorpayPayment>;
  refundPayment(paymentId: string, amountMinor: number, idempotencyKey: string): Promise<RazorpayRefund>;
  listSettledLines(day: string, skip: number): Promise<(RazorpaySettledLine | null)[]>;
  listRefunds(paymentId: string): Promise<RazorpayRefund[]>;
  listRefundsBetween(span: ClosedTimeRange, skip: number): Promise<RazorpayRefund[]>;
  listDisputesBetween(span: ClosedTimeRange, skip: number): Promise<ListedRazorpayDispute[]>;
  isReturnSignatureValid(checkoutReturn: CheckoutReturn): boolean;
  isLinkReturnSignatureValid(linkReturn: LinkReturn): boolean;
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
    amount_refunded: z.int().nullish(),
    fee: z.int().nullish(),
    error_description: z.string().nullish(),
    error_reason: z.string().nullish(),
  })
  .transform(
    (wire): RazorpayPayment => ({
      id: wire.id,
      orderId: wire.order_id ?? null,
      amountMinor: wire.amount,
      currency: wire.currency,
      status: wire.status,
      method: wire.method,
      amountRefundedMinor: wire.amount_refunded ?? 0,
      feeMinor: wire.fee ?? null,
      errorDescription: wire.error_description ?? undefined,
      errorReason: wire.error_reason ?? undefined,
    }),
  );

const acquirerData = z.object({
  arn: z.string().nullish(),
  rrn: z.string().nullish(),
  utr: z.string().nullish(),
});

/** Also the shape of `payload.refund.entity` in a webhook. */
export const refundWire = z.object({
  id: z.string().min(1),
  payment_id: z.string().regex(/^[A-Za-z0-9_]{1,64}$/),
  amount: z.int(),
  status: z.enum(["pending", "processed", "failed"]),
  receipt: z.string().nullish(),
  // Razorpay sends an empty object as an empty list.
  acquirer_data: z.union([acquirerData, z.array(z.unknown())]).nullish(),
});

const settledWire = z
  .object({
    entity_id: z.string().min(1),
    type: z.string(),
    settlement_id: z.string().nullish(),
    payment_id: z.string().nullish(),
    dispute_id: z.string().nullish(),
    currency: z.string().default("INR"),
    amount: z.int(),
    credit: z.int().default(0),
    debit: z.int().default(0),
    fee: z.int().nullish(),
    tax: z.int().nullish(),
    settlement_utr: z.string().nullish(),
    settled_at: z.int().nullish(),
  })
  .transform((wire): RazorpaySettledLine | null =>
    // A line that waits for its payout has no settlement yet.
    wire.settlement_id && wire.settled_at
      ? {
          entityId: wire.entity_id,
          type: wire.type,
          settlementId: wire.settlement_id,
          paymentId: wire.payment_id || null,
          disputeId: wire.dispute_id || null,
          currency: wire.currency,
          amountMinor: wire.amount,
          creditMinor: wire.credit,
          debitMinor: wire.debit,
          feeMinor: wire.fee ?? 0,
          taxMinor: wire.tax ?? 0,
          utr: wire.settlement_utr || null,
          settledAt: new Date(wire.settled_at * 1000),
        }
      : null,
  );

const settledList = z.object({ items: z.array(settledWire) });
/** Razorpay has no code for an account without enough balance for a refund, only a message (docs/providers.md, section 3.3). */
const lowBalanceWords = /not have enough balance/i;
/** Largest list that Razorpay returns. */
const maxRefunds = 100;

const refundList = z.object({ items: z.array(refundWire) });
const orderList = z.object({ items: z.array(orderWire) });
const paymentList = z.object({ items: z.array(razorpayPaymentSchema) });

/**
 * Razorpay captures automatically, including payments that the bank confirms late: 7,200 minutes are the five days for which
 * it keeps asking the bank. A payment not captured by then returns to the buyer.
 */
const capture = {
  capture: "automatic" as const,
  capture_options: {
    automatic_expiry_period: 7200,
    manual_expiry_period: 7200,
    refund_speed: "normal" as const,
  },
};

/** Creates the error for a country without an account. */
export function noRazorpayAccount(account: string | null): ProviderError {
  return new ProviderError("razorpay", "refused", "every call", {
    code: "no_account",
    description: `No account at Razorpay is set for ${account ?? "payments from before each country had its own"}`,
  });
}

/** Creates a client for one Razorpay account. @throws Error when a credential is empty. */
export function createRazorpay(config: RazorpayConfig): Razorpay {
  if (config.keyId === "" || config.keySecret === "")
    throw new Error("Razorpay needs a key id and a key secret");
  const sdk = createSdkAdapter(config);
  const { orders, payments } = sdk.sdk;

  async function getPayment(paymentId: string): Promise<RazorpayPayment> {
    return sdk.read(payments.fetch(knownId(paymentId)), razorpayPaymentSchema);
  }

  return {
    keyId: config.keyId,
    hostedCheckoutUrl: `${baseOf(config.apiUrl)}/checkout/embedded`,

    /**
     * `POST /orders`. It has no idempotency key: before repeating a call whose response was lost, use findOrderByReceipt.
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
      return orderOf(await sdk.read(pending, orderWire));
    },

    /**
     * Returns the order created with `receipt`, or null. If a lost response has left two, the paid one.
     * @throws ProviderError
     */
    async findOrderByReceipt(receipt) {
      const found = await sdk.read(orders.all({ receipt }), orderList);
      // Compared again here: a server that ignores the filter must not give us another buyer's order.
      const ours = found.items.filter((order) => order.receipt === receipt);
      const best =
        ours.find((order) => order.status === "paid") ??
        ours.find((order) => order.status === "attempted") ??
        ours[0];
      return best === undefined ? null : orderOf(best);
    },

    /** `GET /orders/{id}`. @throws ProviderError */
    async getOrder(orderId) {
      return orderOf(await sdk.read(orders.fetch(knownId(orderId)), orderWire));
    },

    /** `GET /orders/{id}/payments`: every attempt. @throws ProviderError */
    async listOrderPayments(orderId) {
      return (await sdk.read(orders.fetchPayments(knownId(orderId)), paymentList)).items;
    },

    ...virtualAccounts(sdk),
    ...paymentLinks(sdk),

    /** `GET /virtual_accounts/{id}/payments`: all received payments, up to a hundred. @throws ProviderError */
    async listVirtualAccountPayments(id) {
      const answer = await sdk.call("GET", pathOf`/virtual_accounts/${knownId(id)}/payments?count=100`);
      return parseResponse(answer, paymentList).items;
    },

    /** `GET /payments/{id}`. @throws ProviderError */
    getPayment,

    /**
     * `POST /payments/{id}/capture`. Razorpay refuses to capture a payment twice, so after an error the payment itself is read.
     * Compare its amount as after getPayment.
     * @throws ProviderError the capture's own, when the payment is not captured or cannot be read.
     */
    async capturePayment(paymentId, amountMinor, currency) {
      try {
        const pending = payments.capture(knownId(paymentId), amountMinor, currency);
        return await sdk.read(pending, razorpayPaymentSchema);
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        const payment = await getPayment(paymentId).catch(() => null);
        if (payment?.status === "captured") return payment;
        throw error;
      }
    },

    /**
     * `POST /payments/{id}/refund`, idempotent by `idempotencyKey` (at least 10 characters, at most 40, stored by the caller),
     * which is also its receipt, so that its webhooks identify it.
     * @throws ProviderError; transient while an earlier request with the key is still running (409), and transient with the code
     *   `noFunds` while our account there does not have the amount.
     * @throws RangeError for a key that is too short for Razorpay to honour.
     */
    async refundPayment(paymentId, amountMinor, idempotencyKey) {
      if (idempotencyKey.length < 10)
        throw new RangeError("A refund's idempotency key has at least 10 characters");
      const answer = await sdk.call(
        "POST",
        pathOf`/payments/${knownId(paymentId)}/refund`,
        { amount: amountMinor, receipt: idempotencyKey },
        { "X-Refund-Idempotency": idempotencyKey },
      );
      if (answer.status === 409) throw withKind(errorOf(answer), "transient", answer.call);
      try {
        return toRazorpayRefund(parseResponse(answer, refundWire));
      } catch (error) {
        if (!(error instanceof ProviderError) || !lowBalanceWords.test(error.description ?? "")) throw error;
        const { status, description } = error;
        const details = { status, description, code: noFunds };
        throw new ProviderError("razorpay", "transient", answer.call, details);
      }
    },

    /** `GET /payments/{id}/refunds`: the newest hundred. @throws ProviderError */
    async listRefunds(paymentId) {
      const path = pathOf`/payments/${knownId(paymentId)}/refunds`;
      const answer = await sdk.call("GET", `${path}?count=${maxRefunds}`);
      return parseResponse(answer, refundList).items.map(toRazorpayRefund);
    },

    /**
     * `GET /payments`: payments begun in a time range, newest first, at most 100 after the first `skip`. @throws ProviderError
     */
    async listPaymentsBetween(span, skip) {
      return parseResponse(await sdk.call("GET", `/payments?${queryOf(span, skip).toString()}`), paymentList)
        .items;
    },

    /** `GET /refunds`: refunds made in a time range, newest first, at most 100 after the first `skip`. @throws ProviderError */
    async listRefundsBetween(span, skip) {
      const answer = await sdk.call("GET", `/refunds?${queryOf(span, skip).toString()}`);
      return parseResponse(answer, refundList).items.map(toRazorpayRefund);
    },

    /** `GET /disputes`, as disputes.ts describes it. @throws ProviderError */
    listDisputesBetween: (span, skip) => disputes(sdk).listDisputesBetween(queryOf(span, skip)),

    /**
     * `GET /settlements/recon/combined`: lines paid out on a day, at most 1,000 after the first `skip`; fewer mean that they are
     * the last. Null is a line without a payout yet.
     * @param day "2026-11-24"
     * @throws ProviderError
     */
    async listSettledLines(day, skip) {
      const [year = "", month = "", ofMonth = ""] = day.split("-");
      const query = new URLSearchParams({
        year,
        month: String(Number(month)),
        day: String(Number(ofMonth)),
        count: String(maxSettledLines),
        skip: String(skip),
      });
      const answer = await sdk.call("GET", `/settlements/recon/combined?${query.toString()}`);
      return parseResponse(answer, settledList).items;
    },

    /** Whether Razorpay signed this payment return: hex HMAC-SHA256 of `order|payment` under the key secret. */
    isReturnSignatureValid({ providerOrderId, paymentId, signature }) {
      return isSignatureValid(`${providerOrderId}|${paymentId}`, signature, config.keySecret);
    },

    /** Whether Razorpay signed this return from a payment link: the HMAC of `link|reference|status|payment` under the key secret. */
    isLinkReturnSignatureValid({ linkId, referenceId, status, paymentId, signature }) {
      const signed = `${linkId}|${referenceId}|${status}|${paymentId}`;
      return isSignatureValid(signed, signature, config.keySecret);
    },

    /** Whether Razorpay signed this webhook with one of the secrets: the HMAC of the raw body, before any parsing. */
    isWebhookSignatureValid(rawBody, signature) {
      return config.webhookSecret.split(" ").some((secret) => isSignatureValid(rawBody, signature, secret));
    },
  };
}

function queryOf({ from, to }: ClosedTimeRange, skip: number): URLSearchParams {
  const seconds = (moment: Date) => String(Math.floor(moment.getTime() / 1000));
  const query = { from: seconds(from), to: seconds(to), count: String(maxListSize), skip: String(skip) };
  return new URLSearchParams(query);
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

export function toRazorpayRefund(wire: z.infer<typeof refundWire>): RazorpayRefund {
  return {
    id: wire.id,
    paymentId: wire.payment_id,
    amountMinor: wire.amount,
    status: wire.status,
    receipt: wire.receipt ?? null,
    bankReference: bankReferenceIn(wire.acquirer_data),
  };
}

function bankReferenceIn(given: z.infer<typeof refundWire>["acquirer_data"]): string | null {
  if (given == null || Array.isArray(given)) return null;
  return given.arn || given.rrn || given.utr || null;
}

/**
 * Checks that an id is safe in a path: the package does not encode it, and a payment id comes from the buyer's browser.
 * @throws ProviderError (refused, `malformed_id`)
 */
function knownId(id: string): string {
  if (/^[A-Za-z0-9_]{1,64}$/.test(id)) return id;
  throw new ProviderError("razorpay", "refused", "a call", { code: "malformed_id" });
}
