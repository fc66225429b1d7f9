/**
 * The data for both Razorpay checkouts: the hosted form, which needs no script, and checkout.js (docs/providers.md,
 * section 3.1).
 */

import type { PaymentAccount } from "#db/tables/payments.ts";
import { brand } from "#server/brand.ts";
import type { Context } from "#server/context.ts";
import { textIn } from "#server/languages/text.ts";
import { formatPaymentMethods } from "#server/pricing/payment-methods.ts";
import type { CheckoutRequest } from "../provider.ts";
import { type DeclineTexts, declineTexts } from "./declines.ts";

export interface RazorpayCheckout {
  provider: "razorpay";
  scriptUrl: string;
  /** A message from one of these origins means that checkout.js has loaded. */
  frameOrigins: readonly string[];
  hostedUrl: string;
  /** The page for a buyer who closes the checkout without paying. */
  leftPath: string;
  /** The hosted form's fields, in order. */
  fields: [name: string, value: string][];
  options: RazorpayOptions;
  declines: DeclineTexts;
}

/** The options of checkout.js, without its browser callbacks. */
export interface RazorpayOptions {
  key: string;
  order_id: string;
  amount: number;
  currency: string;
  name: string;
  description: string;
  prefill: CheckoutRequest["prefill"];
  /** The payment methods it shows. */
  config: object;
}

/** Shows the methods that are switched on and no others (docs/decisions/payment-methods.md). Our ids are Razorpay's words. */
function only({ methods, language }: CheckoutRequest): object {
  const name = textIn(language)("paying.payBy", { methods: formatPaymentMethods(language, methods) });
  return {
    display: {
      blocks: { shop: { name, instruments: methods.map((method) => ({ method })) } },
      sequence: ["block.shop"],
      preferences: { show_default_blocks: false },
    },
  };
}

export function razorpayCheckout(
  { env, razorpayOf }: Context,
  account: PaymentAccount,
  request: CheckoutRequest,
): RazorpayCheckout {
  const razorpay = razorpayOf(account);
  const { providerOrderId, amount, description, prefill } = request;
  return {
    provider: "razorpay",
    scriptUrl: env.RAZORPAY_CHECKOUT_SCRIPT_URL,
    frameOrigins: env.RAZORPAY_FRAME_SOURCES,
    hostedUrl: razorpay.hostedCheckoutUrl,
    leftPath: request.cancelPath,
    fields: [
      ["key_id", razorpay.keyId],
      ["order_id", providerOrderId],
      ["amount", String(amount.minor)],
      ["currency", amount.currency],
      ["name", brand.name],
      ["description", description],
      ["method", request.methods.join(",")],
      ["prefill[name]", prefill.name],
      ["prefill[email]", prefill.email],
      ["prefill[contact]", prefill.contact],
      ["notes[order_id]", request.orderId],
      ["callback_url", `${env.PUBLIC_URL}${request.returnPath}`],
      ["cancel_url", `${env.PUBLIC_URL}${request.cancelPath}`],
    ],
    options: {
      key: razorpay.keyId,
      order_id: providerOrderId,
      amount: amount.minor,
      currency: amount.currency,
      name: brand.name,
      description,
      prefill,
      config: only(request),
    },
    declines: declineTexts(request.language),
  };
}
