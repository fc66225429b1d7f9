/** The green band of a paid order: what it says, and of which orders it says nothing. */
import { expect, test } from "vitest";
import { receiptOf } from "#app/journey/receipt-data.ts";
import type { Order } from "#db/orders/order.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { priceSelection } from "#server/orders/pricing.ts";
import { catalogueItem, pricedOrder } from "#tests/support/priced-order.ts";

const item = catalogueItem("microsoft-365-business-basic");
const selection = { term: "P1Y", billingCycle: "annual", quantity: 2 } as const;
const priced = priceSelection(item, "IN", selection, 1800);
const order = (changes: Partial<Order> = {}) => pricedOrder(item, "IN", selection, priced, changes);
const english = { text: textIn("en"), language: "en" } as const;

test("says the sum, the order and its day, and leads to the invoice", () => {
  const paid = order();
  expect(receiptOf(english, paid)).toEqual({
    sum: "₹3,880 paid",
    about: "Order HUB-26-000001, 20th November 2026",
    left: null,
    links: [{ label: "Invoice", href: paths.invoice(paid.id) }],
  });
});

test("says that a step is left while the order waits for its account", () => {
  expect(receiptOf(english, order({ fulfilmentStatus: "waiting_for_signin" }))?.left).toBe("One step left");
  for (const fulfilmentStatus of ["queued", "running", "needs_attention"] as const)
    expect(receiptOf(english, order({ fulfilmentStatus }))?.left).toBeNull();
});

test.each(["none", "pending", "failed", "refunded", "partly_refunded", "disputed", "lost"] as const)(
  "is left out for a payment that is %s",
  (paymentStatus) => {
    expect(receiptOf(english, order({ paymentStatus }))).toBeNull();
  },
);
