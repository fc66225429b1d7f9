/** Corrected invoices: what may change, and until when. The tax and all amounts stay. */
import { expect, test } from "vitest";
import {
  correctedFacts,
  isWithinGstCreditDeadline,
  keepsTax,
  listCorrectedParts,
} from "#server/billing/documents/correction-rules.ts";
import { creditNoteFacts } from "#server/billing/documents/credit-note-facts.ts";
import type { CorrectedRecipient } from "#server/billing/documents/facts.ts";
import { invoiceView } from "#server/billing/documents/view.ts";
import { lastDayToCredit } from "#server/foundation/countries/financial-year.ts";
import { priceSelection, type Selection } from "#server/orders/pricing.ts";
import { accountAnswers, catalogueItem, invoiceOf, pricedOrder } from "#tests/support/priced-order.ts";

const item = catalogueItem("microsoft-365-business-basic");
const selection: Selection = { term: "P1Y", billingCycle: "annual", quantity: 3 };
const priced = priceSelection(item, "IN", selection);
const invoice = invoiceOf(pricedOrder(item, "IN", selection, priced, { account: accountAnswers() }));
const { references: _none, ...unsaid } = invoice.facts;
const place = {
  addressLine1: "9 Church Street",
  addressLine2: "",
  city: "Bengaluru",
  state: "Karnataka",
  pincode: "560001",
};
const recipient: CorrectedRecipient = {
  name: "Acme Tools Private Limited",
  place,
  gstin: null,
  registered: null,
};
const references = { purchaseOrder: "PO-1", costCentre: null, note: null };
const said = (changes: Partial<CorrectedRecipient> = {}) => ({
  ...recipient,
  isZone: false,
  ...changes,
});

test("allows credits for a supply until the November after its financial year", () => {
  expect(lastDayToCredit({ year: 2026, month: 3 })).toBe("2026-11-30");
  expect(lastDayToCredit({ year: 2026, month: 4 })).toBe("2027-11-30");
  expect(lastDayToCredit({ year: 2027, month: 1 })).toBe("2027-11-30");
});

test("ends at midnight in India, or earlier with a filed annual return", () => {
  const at = (issuedAt: string) => ({
    issuedAt: new Date(issuedAt),
    facts: { ...invoice.facts, paidAt: null },
  });
  const march = at("2026-03-31T18:29:59Z");
  const april = at("2026-03-31T18:30:00Z");
  const last = new Date("2026-11-30T18:29:59Z");
  const after = new Date("2026-11-30T18:30:00Z");
  expect(isWithinGstCreditDeadline(march, [], last)).toBe(true);
  expect(isWithinGstCreditDeadline(march, [], after)).toBe(false);
  expect(isWithinGstCreditDeadline(april, [], after)).toBe(true);
  expect(isWithinGstCreditDeadline(march, ["2025-26"], last)).toBe(false);
  expect(isWithinGstCreditDeadline(april, ["2025-26"], last)).toBe(true);
});

test("dates the supply by an earlier payment, and has no deadline without GST", () => {
  const paidAt = "2026-03-30T09:00:00Z";
  const issuedAt = new Date("2026-04-02T09:00:00Z");
  const now = new Date("2026-12-01T09:00:00Z");
  expect(isWithinGstCreditDeadline({ issuedAt, facts: { ...invoice.facts, paidAt } }, [], now)).toBe(false);
  expect(isWithinGstCreditDeadline({ issuedAt, facts: { ...invoice.facts, paidAt: null } }, [], now)).toBe(
    true,
  );
  expect(
    isWithinGstCreditDeadline(
      { issuedAt, facts: { ...invoice.facts, paidAt, placeOfSupply: null } },
      ["2025-26"],
      now,
    ),
  ).toBe(true);
});

test("keeps the tax for recipients in the same state, abroad and without GST", () => {
  const keeps = (to: ReturnType<typeof said>, facts = invoice.facts) => keepsTax(facts, to, "en");
  expect(keeps(said())).toBe(true);
  expect(keeps(said({ gstin: "29AABCB1234C1ZA" }))).toBe(true);
  expect(keeps(said({ gstin: "27AAPFU0939F1ZV" }))).toBe(false);
  expect(keeps(said({ place: { ...place, state: "Maharashtra" } }))).toBe(false);
  expect(keeps({ ...said(), isZone: true })).toBe(false);
  const toZone = { ...invoice.facts, supply: { type: "SEZWP" as const, letter: null, endorsement: null } };
  expect(keeps({ ...said({ gstin: "29AABCB1234C1ZA" }), isZone: true }, toZone)).toBe(true);
  expect(keeps(said({ gstin: "29AABCB1234C1ZA" }), toZone)).toBe(false);
  const exported = { ...invoice.facts, supply: { type: "EXPWOP" as const, letter: "X", endorsement: null } };
  expect(keeps(said({ place: { ...place, state: "Texas" } }), exported)).toBe(true);
  expect(
    keeps(said({ place: { ...place, state: "Texas" } }), { ...invoice.facts, placeOfSupply: null }),
  ).toBe(true);
});

test("changes only the corrected parts, and names the replaced invoice", () => {
  const corrected = correctedFacts(invoice, { references, recipient: null });
  const replaces = { number: invoice.number, issuedAt: invoice.issuedAt.toISOString() };
  expect(corrected).toEqual({ ...unsaid, references, replaces });
  expect(listCorrectedParts(invoice.facts, corrected)).toContain("purchaseOrder");
  expect(listCorrectedParts(corrected, correctedFacts(invoice, { references, recipient: null }))).toEqual([]);
  const none = { purchaseOrder: null, costCentre: null, note: null };
  expect(correctedFacts(invoice, { references: none, recipient: null })).toEqual({ ...unsaid, replaces });
});

test("switches between B2B and B2C with the GSTIN, and keeps the amounts", () => {
  const gstin = "29AABCB1234C1ZA";
  const toBusiness = correctedFacts(invoice, { references, recipient: { ...recipient, gstin } });
  expect(toBusiness).toMatchObject({
    supply: { type: "B2B" },
    recipient: {
      name: recipient.name,
      gstin,
      addressLines: ["9 Church Street", "Bengaluru, Karnataka 560001", "India"],
    },
    parties: {
      recipient: { street: "9 Church Street", locality: "Bengaluru", pincode: "560001", stateCode: "29" },
    },
  });
  for (const figure of [
    "subtotalMinor",
    "taxes",
    "roundingMinor",
    "totalMinor",
    "placeOfSupply",
    "lines",
  ] as const)
    expect(toBusiness[figure]).toEqual(invoice.facts[figure]);
  const back = correctedFacts({ ...invoice, facts: toBusiness }, { references, recipient });
  expect(back.supply?.type).toBe("B2C");
  expect(listCorrectedParts(toBusiness, back)).toEqual(["recipient"]);
});

test("names the replaced invoice on its page, but not in a later credit note", () => {
  const facts = correctedFacts(invoice, { references, recipient: null });
  const view = invoiceView({ ...invoice, number: "IN/26-27/000043", facts });
  expect(view.facts).toContainEqual({
    label: "Replaces",
    value: `Invoice ${invoice.number} of 20th November 2026`,
  });
  const amountMinor = facts.totalMinor;
  const note = creditNoteFacts({ number: "IN/26-27/000043", issuedAt: invoice.issuedAt, facts }, [], {
    amountMinor,
    reason: "A test.",
  });
  expect(note).not.toHaveProperty("replaces");
});
