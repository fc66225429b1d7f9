/** The answer about payment names the four methods of the specification, and how each works in this store. */
import { expect, test } from "vitest";
import { faqFor } from "#app/pages/home/questions.ts";
import { readPaymentSettings } from "#server/platform/settings/payments.ts";

function answerWith(methods: string): string {
  const { settings, problems } = readPaymentSettings(
    (name) => (name === "PAYMENT_METHODS_IN" ? methods : null),
    "IN",
  );
  expect(problems).toEqual([]);
  const env = { payments: new Map([["IN", settings] as const]) };
  const input = { service: "microsoft", country: "IN", language: "en" } as const;
  return faqFor(env, input).find(({ question }) => question === "How can I pay?")?.answer ?? "";
}

const four = "With cards, net banking, UPI and wallets.";
const inShop = "Pay for orders here by card, on Razorpay's secure page.";

test.each([
  ["card", `${four} ${inShop} To pay by UPI, net banking or wallet, ask us for a payment link.`],
  [
    "card,link",
    `${four} ${inShop} To pay by UPI, net banking or wallet, request a payment link when you review your order.`,
  ],
  [
    "link,transfer",
    `${four} To pay by card, UPI, net banking or wallet, request a payment link when you review your order. You can pay for orders of any size by bank transfer. Get a proforma invoice when you review your order.`,
  ],
  [
    "card,upi,netbanking,wallet,link",
    `${four} Pay for orders here by card, UPI, net banking or wallet, on Razorpay's secure page. You can also request a payment link by email when you review your order. It opens in any browser.`,
  ],
])("explains how to pay with %s", (methods, answer) => {
  expect(answerWith(methods)).toBe(answer);
});
