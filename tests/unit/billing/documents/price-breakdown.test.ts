/** "How this was computed": the price list, days, tax and its reason, in the reader's language. */
import { describe, expect, test } from "vitest";
import { breakdownOfDraft, breakdownOfInvoice } from "#server/billing/documents/price-breakdown.ts";
import { priceSelection, type Selection } from "#server/orders/pricing.ts";
import {
  accountAnswers,
  catalogueItem,
  invoiceOf,
  pricedOrder,
  sellerIn,
} from "#tests/support/priced-order.ts";

const plan = catalogueItem("microsoft-365-business-basic");
const year: Selection = { term: "P1Y", billingCycle: "annual", quantity: 5 };

/** @param since start of the price list */
function orderOf(
  country: "IN" | "US",
  selection: Selection,
  { since, list = null, state = "Karnataka" }: { since?: string; list?: number | null; state?: string } = {},
) {
  const priced = priceSelection(plan, country, selection);
  const full = plan.prices.find(
    ({ currency, kind, term, billingCycle }) =>
      currency === priced.total.currency &&
      kind === "regular" &&
      term === selection.term &&
      billingCycle === selection.billingCycle,
  );
  const { proration } = selection;
  return pricedOrder(plan, country, selection, priced, {
    account: accountAnswers({ country, state }),
    details: {
      proration,
      ...(since !== undefined && { priced: { fullMinor: full?.amount.minor ?? 0, since, list } }),
    },
  });
}

const saidOf = (order: ReturnType<typeof orderOf>) => breakdownOfDraft(order, sellerIn(order.country), "en");

test("states the price list, the halves of GST within the state, and the rounding", () => {
  const said = saidOf(orderOf("IN", year, { since: "2026-10-01T00:00:00Z", list: 7 })).join(" ");
  expect(said).toMatch(
    /^A license for Microsoft 365 Business Basic costs ₹[\d,.]+ per year \(price list 7, effective 1st October 2026\)\. /,
  );
  expect(said).toMatch(/5 licenses × ₹[\d,.]+ = ₹[\d,.]+\. CGST, 9% of ₹[\d,.]+, is ₹[\d,.]+/);
  expect(said).toContain("SGST, 9% of");
  expect(said).toContain("The place of supply is Karnataka, the state that we supply from.");
  expect(said).toMatch(/The total is ₹[\d,]+\.$/);
});

test("states IGST and the reason for another state", () => {
  const said = saidOf(orderOf("IN", year, { state: "Maharashtra" })).join(" ");
  expect(said).toContain("The place of supply is Maharashtra, which isn't the state we supply from.");
  expect(said).not.toContain("price list");
});

test("states the days of the term for additional licences", () => {
  const proration = { daysLeft: 112, daysInTerm: 365, until: "2027-03-20T00:00:00Z" };
  const said = saidOf(orderOf("IN", { ...year, proration }, { since: "2026-10-01T00:00:00Z" }));
  expect(said[0]).toMatch(/\(price list effective 1st October 2026\)\.$/);
  expect(said[1]).toMatch(/^You pay for 112 of 365 days of the term: ₹[\d,.]+ × 112 ÷ 365 = ₹[\d,.]+/);
});

test("states only the days for an order older than the numbers of lists", () => {
  const proration = { daysLeft: 112, daysInTerm: 365, until: "2027-03-20T00:00:00Z" };
  const said = saidOf(orderOf("IN", { ...year, proration }));
  expect(said[0]).toMatch(/^You pay for 112 of 365 days of the term, which is ₹[\d,.]+ a license\.$/);
});

test("states that there is no tax, before the total", () => {
  const said = saidOf(orderOf("US", year, { since: "1970-01-01T00:00:00Z" }));
  expect(said[0]).toContain("(our first price list)");
  expect(said.at(-2)).toBe("No tax is added.");
});

describe("the breakdown of an invoice", () => {
  test("equals the one of the review, even after the buyer has moved", () => {
    const order = orderOf("IN", year, { since: "2026-10-01T00:00:00Z" });
    const invoice = invoiceOf(order);
    const moved = { ...order, account: accountAnswers({ state: "Maharashtra" }) };
    expect(breakdownOfInvoice(moved, invoice, "en")).toEqual(saidOf(order));
    expect(breakdownOfInvoice(order, invoice, "hi").join(" ")).toContain("प्राइस लिस्ट");
  });
});
