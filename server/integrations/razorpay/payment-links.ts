/**
 * Razorpay's payment links: a separate page for one amount, which is paid once with any method of the account (docs/providers.md,
 * section 3.6).
 */
import { z } from "zod";
import { parseResponse, pathOf } from "../http.ts";
import type { RazorpaySdk } from "./sdk-adapter.ts";

export interface NewPaymentLink {
  /** Integer minor units. */
  amountMinor: number;
  /** ISO 4217. */
  currency: string;
  /** Our reference: at most 40 characters, and refused for a second link. */
  referenceId: string;
  /** Text on its page. */
  description: string;
  /** Details within the limits of customer-name.ts; without `contact`, the page asks the payer for it. */
  customer: { name: string; email: string; contact: string | undefined };
  notes: Record<string, string>;
  /** Expiry, at least 15 minutes and at most 6 months ahead. */
  expiresAt: Date;
  /** Address to which the browser returns after the payment. */
  callbackUrl: string;
}

export interface PaymentLink {
  id: string;
  url: string;
  referenceId: string | null;
  status: "created" | "partially_paid" | "paid" | "cancelled" | "expired";
  currency: string;
  expiresAt: Date;
  /** Only captured payments. */
  payments: { id: string; amountMinor: number; method: string }[];
}

/** Parameters added to the callback's address after a payment. */
export interface LinkReturn {
  linkId: string;
  /** Reference that we stored, never the one in the address. */
  referenceId: string;
  status: string;
  paymentId: string;
  signature: string;
}

const payment = z
  .object({ payment_id: z.string().min(1), amount: z.coerce.number().int(), method: z.string() })
  .transform((wire) => ({ id: wire.payment_id, amountMinor: wire.amount, method: wire.method }));
const linkSchema = z
  .object({
    id: z.string().min(1),
    short_url: z.url(),
    reference_id: z.string().nullish(),
    status: z.enum(["created", "partially_paid", "paid", "cancelled", "expired"]),
    currency: z.string(),
    expire_by: z.int(),
    // Null, or an empty list, until it is paid.
    payments: z.array(payment).nullish(),
  })
  .transform(
    (wire): PaymentLink => ({
      id: wire.id,
      url: wire.short_url,
      // A link without one has an empty text.
      referenceId: wire.reference_id || null,
      status: wire.status,
      currency: wire.currency,
      expiresAt: new Date(wire.expire_by * 1000),
      payments: wire.payments ?? [],
    }),
  );
const linksSchema = z.object({ payment_links: z.array(linkSchema) });

export function paymentLinks({ call }: RazorpaySdk) {
  return {
    /**
     * `POST /payment_links`. It has no idempotency key, but accepts a reference only once: before a retry, use findPaymentLink.
     * @throws ProviderError
     */
    async createPaymentLink(link: NewPaymentLink): Promise<PaymentLink> {
      const answer = await call("POST", "/payment_links", {
        amount: link.amountMinor,
        currency: link.currency,
        accept_partial: false,
        reference_id: link.referenceId,
        description: link.description,
        customer: link.customer,
        // The store mails it.
        notify: { sms: false, email: false },
        reminder_enable: false,
        notes: link.notes,
        callback_url: link.callbackUrl,
        callback_method: "get",
        expire_by: Math.floor(link.expiresAt.getTime() / 1000),
      });
      return parseResponse(answer, linkSchema);
    },

    /** Returns the link with our reference; null when there is none. @throws ProviderError */
    async findPaymentLink(referenceId: string): Promise<PaymentLink | null> {
      const query = new URLSearchParams({ reference_id: referenceId });
      const answer = await call("GET", `/payment_links?${query.toString()}`);
      const found = parseResponse(answer, linksSchema).payment_links;
      // Compared again here: a server that ignores the filter must not give us another buyer's link.
      return found.find((link) => link.referenceId === referenceId) ?? null;
    },

    /** `GET /payment_links/{id}`. @throws ProviderError */
    async getPaymentLink(id: string): Promise<PaymentLink> {
      return parseResponse(await call("GET", pathOf`/payment_links/${id}`), linkSchema);
    },

    /** `POST /payment_links/{id}/cancel`. Refused for a paid, expired or cancelled link. @throws ProviderError */
    async cancelPaymentLink(id: string): Promise<PaymentLink> {
      return parseResponse(await call("POST", pathOf`/payment_links/${id}/cancel`), linkSchema);
    },
  };
}
export type PaymentLinks = ReturnType<typeof paymentLinks>;
