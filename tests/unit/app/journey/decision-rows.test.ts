/** Rows of the review that help buyers decide. */
import { expect, test } from "vitest";
import { decisionRows } from "#app/journey/decision-rows.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { priceSelection } from "#server/orders/pricing.ts";
import { catalogueItem, pricedOrder } from "#tests/support/priced-order.ts";

const now = new Date("2026-11-20T09:00:00Z");
const selection = { term: "P1Y", billingCycle: "annual", quantity: 2 } as const;

function rowsOf(item: string, kind: "NEW" | "ADD" | "RENEW" = "NEW"): Record<string, string> {
  const sold = catalogueItem(item);
  const order = pricedOrder(sold, "IN", selection, priceSelection(sold, "IN", selection, 1800), { kind });
  const rows = decisionRows({ text: textIn("en"), language: "en" }, order, now);
  return Object.fromEntries(rows.map(({ label, value }) => [label, value]));
}

test("states the end of the term, the days to cancel or reduce, and where invoices go", () => {
  expect(rowsOf("microsoft-365-business-basic")).toEqual({
    "After the term": "It ends. Nothing renews automatically.",
    "Cancel or reduce":
      "If your order is completed today, you can cancel it until 27th November 2026, and reduce licenses until 23rd November 2026.",
    Invoice: expect.stringMatching(/^We email a link to \S+@\S+\.$/),
  });
});

test.each([
  ["google-workspace-business-starter", "NEW"],
  ["brio-desk", "NEW"],
  ["microsoft-365-business-basic", "ADD"],
  ["microsoft-365-business-basic", "RENEW"],
] as const)("omits the row of days for %s, %s", (item, kind) => {
  expect(rowsOf(item, kind)).not.toHaveProperty("Cancel or reduce");
});
