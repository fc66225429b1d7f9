/**
 * What the browser needs to pay, by either of Razorpay's checkouts: the hosted form, or checkout.js (docs/providers.md, section
 * 3.1).
 */

import type { Order } from "#db/order.ts";
import { brand } from "#server/brand.ts";
import type { Context } from "#server/context.ts";
import * as paths from "#server/paths.ts";
import type { Checkout } from "#server/payments/begin.ts";
import type { RazorpayOptions } from "./razorpay-script.ts";

export interface CheckoutView {
  scriptUrl: string;
  /** A message from one of these says that checkout.js has come up. */
  frameOrigins: readonly string[];
  hostedUrl: string;
  /** The hosted form's fields, in order. */
  fields: [name: string, value: string][];
  options: Pick<
    RazorpayOptions,
    "key" | "order_id" | "amount" | "currency" | "name" | "description" | "prefill"
  >;
}

/** @param cancelPath where the buyer lands who leaves the checkout without paying */
export function checkoutView(
  context: Context,
  order: Order,
  checkout: Checkout,
  cancelPath: string,
): CheckoutView {
  const { env, razorpay } = context;
  const { prefill, description } = checkout;
  return {
    scriptUrl: env.RAZORPAY_CHECKOUT_SCRIPT_URL,
    frameOrigins: env.RAZORPAY_FRAME_SOURCES,
    hostedUrl: razorpay.hostedCheckoutUrl,
    fields: [
      ["key_id", checkout.keyId],
      ["order_id", checkout.providerOrderId],
      ["amount", String(checkout.amount.minor)],
      ["currency", checkout.amount.currency],
      ["name", brand.name],
      ["description", description],
      ["method", "card"],
      ["prefill[name]", prefill.name],
      ["prefill[email]", prefill.email],
      ["prefill[contact]", prefill.contact],
      ["notes[order_id]", order.id],
      ["callback_url", `${env.PUBLIC_URL}${paths.paymentReturn()}`],
      ["cancel_url", `${env.PUBLIC_URL}${cancelPath}`],
    ],
    options: {
      key: checkout.keyId,
      order_id: checkout.providerOrderId,
      amount: checkout.amount.minor,
      currency: checkout.amount.currency,
      name: brand.name,
      description,
      prefill,
    },
  };
}
