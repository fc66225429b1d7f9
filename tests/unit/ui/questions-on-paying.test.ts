/** The answer on how to pay keeps the four methods of the specification, and says of each how it is paid in this store. */
import { expect, test } from "vitest";
import { questionsOn } from "#app/pages/home/questions.ts";
import { readPaymentSettings } from "#server/settings/payments.ts";

function answerWith(methods: string): string {
  const { settings, problems } = readPaymentSettings(
    (name) => (name === "PAYMENT_METHODS_IN" ? methods : null),
    "IN",
  );
  expect(problems).toEqual([]);
  const env = { payments: new Map([["IN", settings] as const]) };
  const asked = { service: "microsoft", country: "IN", language: "en" } as const;
  return questionsOn(env, asked).find(({ question }) => question === "How can I pay?")?.answer ?? "";
}

const four = "With cards, net banking, UPI and wallets.";
const inShop = "An order in this shop is paid by card, on Razorpay's secure page.";

test.each([
  ["card", `${four} ${inShop} For UPI, net banking or wallet, ask us and we send you a payment link.`],
  [
    "card,link",
    `${four} ${inShop} For UPI, net banking or wallet, have a payment link sent to you: the review of an order leads to it.`,
  ],
  [
    "link,transfer",
    `${four} For card, UPI, net banking or wallet, have a payment link sent to you: the review of an order leads to it. By bank transfer you can pay an order of any size: its review leads to a proforma.`,
  ],
  [
    "card,upi,netbanking,wallet,link",
    `${four} An order in this shop is paid by card, UPI, net banking or wallet, on Razorpay's secure page. A payment link, which opens in any browser, is mailed on request: the review of an order leads to it.`,
  ],
])("with %s", (methods, answer) => {
  expect(answerWith(methods)).toBe(answer);
});
