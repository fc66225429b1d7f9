/**
 * The 20-user rule in the review's total and in the amount sent to the payment provider (docs/specification.md, section 9.1).
 */
import { expect, test } from "vitest";
import { money } from "#db/money.ts";
import { formatExact } from "#server/catalogue/pricing/format.ts";
import * as paths from "#server/foundation/paths.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { googlePlan, toCheckout } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";
import { toTransfer } from "#tests/support/transfer.ts";

const { item: starter } = googlePlan("");

const { stack, controls } = await startStore();

function priceOf(kind: "regular" | "signup", currency: "INR" | "USD"): number {
  const prices = catalogue.find(({ id }) => id === starter)?.prices ?? [];
  const found = prices.find((price) => price.kind === kind && price.currency === currency);
  if (found === undefined) throw new Error(`No ${kind} price in ${currency}`);
  return found.amount.minor;
}

/** Reference implementation of the rule, independent of the product's code. */
function expected(users: number, isSignup: boolean, country: "IN" | "US"): number {
  const currency = country === "IN" ? "INR" : "USD";
  const first = isSignup ? Math.min(users, 20) : 0;
  const subtotal = first * priceOf("signup", currency) + (users - first) * priceOf("regular", currency);
  const tax = country === "IN" ? Math.round(subtotal * 0.18) : 0;
  // Whole rupees in India, cents in the USA.
  return country === "IN" ? Math.round((subtotal + tax) / 100) * 100 : subtotal;
}

let made = 0;
const domainOf = (isSignup: boolean) => {
  made += 1;
  return `${isSignup ? "shop" : "transfer"}-${process.pid}-${made}.com`;
};

/** Above this total, an order is paid by transfer. */
const mostByCard = 5_00_000_00;

const counts = [19, 20, 21, 25, 300];
test.each(
  (["IN", "US"] as const).flatMap((country) =>
    [true, false].flatMap((isSignup) => counts.map((users) => ({ country, users, isSignup }))),
  ),
)("$users users in $country, new sign-up: $isSignup", async ({ country, users, isSignup }) => {
  const wish = { country, quantity: users, wanted: googlePlan(domainOf(isSignup)) };
  const total = expected(users, isSignup, country);
  if (country === "IN" && total > mostByCard) {
    const transfer = await toTransfer(stack.url, wish);
    expect(transfer.totalMinor).toBe(total);
    const page = await transfer.browser.get(paths.proforma(transfer.id));
    expect(mainContentOf(page.text)).toContain(formatExact(money(total, "INR")));
    return;
  }
  const order = await toCheckout(stack.url, wish);
  expect(order.totalMinor).toBe(total);
  const { razorpay } = await controls.state();
  expect(razorpay.orders.find(({ id }) => id === order.providerOrderId)?.amount).toBe(total);
});

test.each([true, false])("refuses 301 users at the first step (new sign-up: %s)", async (isSignup) => {
  const answer = await new HttpBrowser(stack.url).post(`/order/google/${starter}/IN`, {
    term: "P1Y",
    quantity: "301",
    domain: domainOf(isSignup),
    transferLater: "on",
  });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("You can buy up to 300 licenses in one order.");
});
