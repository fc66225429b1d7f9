/** Texts of an order's columns, in each language. */
import { expect, test } from "vitest";
import { orderKindKeys, planText, statusOf } from "#app/journey/order-labels.ts";
import { languageIds } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";

test("describes a plan by its commitment and its billing", () => {
  const english = textIn("en");
  expect(planText({ term: "P1Y", billingCycle: "annual" }, english)).toBe("One Year, billed annually");
  expect(planText({ term: "P1Y", billingCycle: "monthly" }, english)).toBe("One Year, billed monthly");
  expect(planText({ term: "P1M", billingCycle: "monthly" }, english)).toBe("One Month, billed monthly");
  expect(planText({ term: "P1M", billingCycle: "monthly" }, textIn("hi"))).toBe("एक महीना, मासिक बिल");
});

test("shows refunds, disputes and reversals of payments", () => {
  const status = (order: Parameters<typeof statusOf>[0]) => textIn("en")(statusOf(order).words);
  expect(status({ paymentStatus: "refunded", fulfilmentStatus: "done" })).toBe("Refunded");
  expect(status({ paymentStatus: "completed", fulfilmentStatus: "done" })).toBe("Completed");
  expect(status({ paymentStatus: "completed", fulfilmentStatus: "needs_attention" })).toBe(
    "Our team is working on it",
  );
  expect(status({ paymentStatus: "partly_refunded", fulfilmentStatus: "done" })).toBe("Partially refunded");
  expect(status({ paymentStatus: "disputed", fulfilmentStatus: "done" })).toBe("Payment disputed");
  expect(status({ paymentStatus: "disputed", fulfilmentStatus: "waiting_for_signin" })).not.toBe(
    "Payment disputed",
  );
  expect(status({ paymentStatus: "lost", fulfilmentStatus: "queued" })).toBe("Payment reversed by your bank");
});

test.each(languageIds)("names every kind of order differently in %s", (id) => {
  const names = Object.values(orderKindKeys).map((key) => textIn(id)(key));
  expect(new Set(names).size).toBe(names.length);
});
