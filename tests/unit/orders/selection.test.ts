/** Prices of orders, through the function that the pages, the API and the payment share. */
import { expect, test } from "vitest";
import { DomainError } from "#server/foundation/errors.ts";
import { plansOf, priceSelection } from "#server/orders/pricing.ts";
import { catalogueItem } from "#tests/support/priced-order.ts";

const starter = catalogueItem("google-workspace-business-starter");
const priced = (
  quantity: number,
  customerType: "new_signup" | "transfer_token" | "existing_customer",
  country: "IN" | "US" = "IN",
) =>
  priceSelection(starter, country, {
    term: "P1Y",
    billingCycle: "annual",
    quantity,
    google: { domain: "example.com", customerType },
  });

test.each([
  [19, 3_670_800, 4_331_500],
  [20, 3_864_000, 4_559_500],
  [21, 4_140_000, 4_885_200],
  [25, 5_244_000, 6_187_900],
  [300, 81_144_000, 95_749_900],
])("charges the sign-up price for the first 20 of %i users of a new sign-up", (quantity, subtotal, total) => {
  const quote = priced(quantity, "new_signup");
  expect(quote.subtotal.minor).toBe(subtotal);
  expect(quote.total.minor).toBe(total);
});

test.each(
  [19, 20, 21, 25, 300].flatMap((users) => [
    { users, customerType: "transfer_token" as const },
    { users, customerType: "existing_customer" as const },
  ]),
)("charges $users users of $customerType the regular price", ({ users, customerType }) => {
  const quote = priced(users, customerType);
  expect(quote.subtotal.minor).toBe(users * 276_000);
  expect(quote.secondaryUnitPrice).toBeNull();
});

test("charges dollars without tax in the USA, by the same rule", () => {
  const quote = priced(25, "new_signup", "US");
  expect(quote.subtotal.currency).toBe("USD");
  expect(quote.tax.minor).toBe(0);
  expect(quote.lines.map((line) => line.quantity)).toEqual([20, 5]);
});

test.each(["new_signup", "transfer_token", "existing_customer"] as const)(
  "refuses 301 users (%s)",
  (customerType) => {
    expect(() => priced(301, customerType)).toThrow(DomainError);
  },
);

test("sells Google only by the year", () => {
  expect(plansOf(starter, "IN").map((plan) => plan.term)).toEqual(["P1Y"]);
  expect(() => priceSelection(starter, "IN", { term: "P1M", billingCycle: "monthly", quantity: 1 })).toThrow(
    DomainError,
  );
});
