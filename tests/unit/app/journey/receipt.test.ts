/** The green band of a paid order: its texts, and the orders without one. */
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

test("shows the amount, the order and its date, and links to the invoice", () => {
  const paid = order();
  expect(receiptOf(english, paid)).toEqual({
    sum: "₹3,880 paid",
    about: "Order HUB-26-000001, 20th November 2026",
    left: null,
    links: [{ label: "Invoice", href: paths.invoice(paid.id) }],
  });
});

test("shows one step left while the order waits for its tenant", () => {
  expect(receiptOf(english, order({ fulfilmentStatus: "waiting_for_signin" }))?.left).toBe("One step left");
  for (const fulfilmentStatus of ["queued", "running", "needs_attention"] as const)
    expect(receiptOf(english, order({ fulfilmentStatus }))?.left).toBeNull();
});

test.each(["none", "pending", "failed", "refunded", "partly_refunded", "disputed", "lost"] as const)(
  "returns null for a payment that is %s",
  (paymentStatus) => {
    expect(receiptOf(english, order({ paymentStatus }))).toBeNull();
  },
);
