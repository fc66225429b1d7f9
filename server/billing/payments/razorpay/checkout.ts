/**
 * Builds the data for both Razorpay checkouts: the hosted form, which needs no script, and checkout.js (docs/providers.md,
 * section 3.1).
 */

import type { Money } from "#db/money.ts";
import type { PaymentAccount } from "#db/tables/payments.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { formatPaymentMethods } from "#server/catalogue/pricing/payment-methods.ts";
import { brand } from "#server/foundation/brand.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import type { Context } from "#server/platform/context.ts";
import type { PaymentMethod } from "#server/platform/settings/payments.ts";
import type { CheckoutRequest } from "../provider.ts";
import type { RazorpayCheckout, RazorpayChoice } from "./checkout-view.ts";
import { declineTexts } from "./declines.ts";

/** Shows the methods of a button and no others (docs/decisions/payments.md#payment-methods). Our ids are Razorpay's words. */
function choiceOf(ids: readonly PaymentMethod[], language: LanguageId, amount: Money | null): RazorpayChoice {
  const text = textIn(language);
  const by = text("paying.payBy", { methods: formatPaymentMethods(language, ids) });
  const label = amount === null ? by : text("review.pay", { total: formatMoney(amount) });
  const config = {
    display: {
      blocks: { shop: { name: by, instruments: ids.map((method) => ({ method })) } },
      sequence: ["block.shop"],
      preferences: { show_default_blocks: false },
    },
  };
  return { method: ids.join(","), label, config };
}

export function razorpayCheckout(
  { env, razorpayOf }: Context,
  account: PaymentAccount,
  request: CheckoutRequest,
): RazorpayCheckout {
  const razorpay = razorpayOf(account);
  const { providerOrderId, amount, description, prefill, language } = request;
  const methods = formatPaymentMethods(language, request.choices[0] ?? []);
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
    },
    choices: request.choices.map((ids, at) => choiceOf(ids, language, at === 0 ? amount : null)),
    hint: textIn(language)("review.byMethods", { methods }),
    declines: declineTexts(language),
  };
}
