/** Facts of an invoice: the order's own amounts, to the paisa, and the entries that Rule 46 requires. */
import { describe, expect, it, test } from "vitest";
import { money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import { invoiceFacts, invoiceFactsSchema } from "#server/billing/documents/facts.ts";
import { invoiceView } from "#server/billing/documents/view.ts";
import { prorate, quote } from "#server/catalogue/pricing/quote.ts";
import { indianStates } from "#server/foundation/countries/indian-states.ts";
import { languageIds } from "#server/foundation/languages/language.ts";
import { orderNumber } from "#server/orders/number.ts";
import { plansOf, priceSelection, type Selection } from "#server/orders/pricing.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";
import {
  accountAnswers,
  catalogueItem,
  invoiceOf,
  pricedOrder,
  sellerIn,
} from "#tests/support/priced-order.ts";
import { seededRandom } from "#tests/support/seeded-random.ts";

const random = seededRandom(46);
const oneOf = <T>(values: readonly T[]): T => {
  const value = values[random(0, values.length)];
  if (value === undefined) throw new Error("Expected at least one value");
  return value;
};
const sum = (amounts: readonly { amountMinor: number }[]) =>
  amounts.reduce((total, { amountMinor }) => total + amountMinor, 0);

function randomOrder() {
  const item = catalogueItem(oneOf(catalogue).id);
  const country = oneOf(["IN", "US"] as const);
  const { term, billingCycle } = oneOf(plansOf(item, country));
  const customerType = oneOf(["new_signup", "transfer_token", "existing_customer"] as const);
  const selection: Selection = {
    term,
    billingCycle,
    quantity: random(item.minSeats, (item.maxSeats ?? 2_000) + 1),
    ...(item.family === "google" && { google: { domain: "example.com", customerType } }),
  };
  const priced = priceSelection(item, country, selection);
  const account = accountAnswers({
    country,
    state: oneOf(indianStates).name,
    gst_code: oneOf([null, "29AABCB1234C1ZA", "27AAPFU0939F1ZV"]),
  });
  return { priced, order: pricedOrder(item, country, selection, priced, { account }) };
}

test("adds lines, tax and rounding up to the payment, for 1,000 random orders", () => {
  const kinds = new Set<string>();
  for (let count = 0; count < 1_000; count += 1) {
    const { priced, order } = randomOrder();
    const facts = invoiceFacts(order, sellerIn(order.country), "", "en", new Date("2026-11-20T09:00:00Z"));
    // The payment provider charges the order's total (server/billing/payments/intents.ts).
    expect(money(facts.totalMinor, facts.currency)).toEqual(priced.total);
    if (facts.currency === "INR") expect(facts.totalMinor % 100).toBe(0);
    else expect(facts.roundingMinor).toBe(0);
    expect(sum(facts.lines)).toBe(facts.subtotalMinor);
    expect(facts.subtotalMinor).toBe(priced.subtotal.minor);
    // CGST and SGST are equal: a paisa between their sum and the single tax of the review goes into the rounding.
    expect(Math.abs(sum(facts.taxes) - priced.tax.minor)).toBeLessThanOrEqual(1);
    expect(new Set(facts.taxes.map(({ amountMinor }) => amountMinor)).size).toBeLessThanOrEqual(1);
    expect(facts.subtotalMinor + sum(facts.taxes) + facts.roundingMinor).toBe(facts.totalMinor);
    for (const { quantity, unitPriceMinor, amountMinor } of facts.lines)
      expect(quantity * unitPriceMinor).toBe(amountMinor);
    expect(facts.lines.reduce((seats, { quantity }) => seats + quantity, 0)).toBe(order.line.quantity);
    expect(invoiceFactsSchema.parse(JSON.parse(JSON.stringify(facts)))).toEqual(facts);
    kinds.add(`${facts.taxes.map(({ name }) => name).join("+")} of ${facts.lines.length}`);
  }
  // The 1,000 orders include every kind of invoice.
  expect([...kinds].sort()).toEqual([
    " of 1",
    " of 2",
    "CGST+SGST of 1",
    "CGST+SGST of 2",
    "IGST of 1",
    "IGST of 2",
  ]);
});

const starter = catalogueItem("google-workspace-business-starter");
const signUp: Selection = {
  term: "P1Y",
  billingCycle: "annual",
  quantity: 25,
  google: { domain: "acme.com", customerType: "new_signup" },
};
const signedUp = (changes: Parameters<typeof pricedOrder>[4] = {}) =>
  pricedOrder(starter, "IN", signUp, priceSelection(starter, "IN", signUp), changes);

describe("a tax invoice", () => {
  it("contains the entries that Rule 46 requires, within the state", () => {
    const account = accountAnswers({ gst_code: "29AABCB1234C1ZA" });
    const order = signedUp({ account });
    expect(invoiceView(invoiceOf(order))).toEqual({
      language: "en",
      title: "Tax Invoice",
      number: "IN/26-27/000042",
      fileName: "invoice-IN-26-27-000042.pdf",
      facts: [
        { label: "Invoice number", value: "IN/26-27/000042" },
        { label: "Invoice date", value: "20th November 2026" },
        { label: "Place of supply", value: "Karnataka (29)" },
        { label: "Tax payable on reverse charge", value: "No" },
        { label: "Order", value: orderNumber(order) },
        { label: "Paid", value: "20th November 2026" },
        { label: "Service period", value: "20th November 2026 to 20th November 2027" },
      ],
      supplier: {
        name: "Hubs of Happiness Private Limited",
        lines: [
          "7th Floor, Prestige Terraces",
          "15 Residency Road",
          "Bengaluru, Karnataka 560025",
          "India",
          "GSTIN 29AABCH9876K1ZR",
        ],
      },
      billedTo: "Billed to",
      recipient: {
        name: "Acme Tools",
        lines: [
          "221 100 Feet Road",
          "Indiranagar",
          "Bengaluru, Karnataka 560038",
          "India",
          "GSTIN 29AABCB1234C1ZA",
        ],
      },
      columns: {
        description: "Description",
        sac: "SAC",
        licences: "Licenses",
        unitPrice: "Unit price",
        amount: "Taxable value",
      },
      lines: [
        {
          description: "Google Workspace Business Starter",
          notes: ["One year, billed annually", "For acme.com", "Sign-up price of the first 20 users"],
          sac: "997331",
          quantity: "20",
          unitPrice: "₹1,932.00",
          amount: "₹38,640.00",
        },
        {
          description: "Google Workspace Business Starter",
          notes: ["One year, billed annually", "For acme.com"],
          sac: "997331",
          quantity: "5",
          unitPrice: "₹2,760.00",
          amount: "₹13,800.00",
        },
      ],
      totals: [
        { label: "Taxable value", value: "₹52,440.00", strong: false },
        { label: "CGST 9%", value: "₹4,719.60", strong: false },
        { label: "SGST 9%", value: "₹4,719.60", strong: false },
        { label: "Rounding", value: "-₹0.20", strong: false },
        { label: "Total (INR)", value: "₹61,879.00", strong: true },
      ],
      registration: null,
      endorsements: [],
      words: "Rupees Sixty-One Thousand Eight Hundred Seventy-Nine Only",
      signature: {
        company: "For Hubs of Happiness Private Limited",
        signatory: "Meera Nair, Head of Finance",
      },
      closing: [
        "This is a computer-generated invoice and is valid without a written signature.",
        "Questions? Email support@hubs.example.",
      ],
    });
  });

  it("shows IGST for a supply to another state", () => {
    const account = accountAnswers({ state: "Maharashtra", gst_code: "27AAPFU0939F1ZV" });
    const view = invoiceView(invoiceOf(signedUp({ account })));
    expect(view.totals.map(({ label, value }) => `${label} ${value}`)).toEqual([
      "Taxable value ₹52,440.00",
      "IGST 18% ₹9,439.20",
      "Rounding -₹0.20",
      "Total (INR) ₹61,879.00",
    ]);
    expect(view.facts).toContainEqual({ label: "Place of supply", value: "Maharashtra (27)" });
  });

  it("names the company and the supplier's state without an account or address", () => {
    const facts = invoiceFacts(
      signedUp({ account: null }),
      sellerIn("IN"),
      "Acme Tools",
      "en",
      new Date("2026-11-20T09:00:00Z"),
    );
    expect(facts).toMatchObject({
      recipient: { name: "Acme Tools", addressLines: [], gstin: null },
      placeOfSupply: { code: "29", name: "Karnataka" },
    });
  });
});

describe("a line", () => {
  const notes = (changes: Parameters<typeof pricedOrder>[4]) =>
    invoiceFacts(signedUp(changes), sellerIn("IN"), "", "en", new Date("2026-11-20T09:00:00Z")).lines.map(
      (line) => line.notes,
    )[1];

  it("names a further order's kind, and the subscription that it is for", () => {
    expect(notes({ kind: "RENEW", details: {} })).toEqual(["Renewal", "One year, billed annually"]);
    expect(notes({ kind: "ADDON", details: { addedTo: "Business Standard, acme.com" } })).toEqual([
      "Add-on",
      "One year, billed annually",
      "For Business Standard, acme.com",
    ]);
    expect(notes({ kind: "TUP", details: {} })).toEqual(["One year, billed annually"]);
  });

  it("shows the pro-rated price and part of the term of additional licenses", () => {
    const item = catalogueItem("microsoft-365-business-basic");
    const selection = { term: "P1Y", billingCycle: "annual", quantity: 5 } as const;
    const [plan] = plansOf(item, "IN");
    if (plan === undefined) throw new Error("Expected a plan of the item");
    const unitPrice = prorate(plan.unitPrice, 112, 365);
    const priced = {
      ...quote({ quantity: 5, unitPrice, customerType: "standard", country: "IN" }),
      regularPrice: unitPrice,
    };
    const order = pricedOrder(item, "IN", selection, priced, {
      kind: "ADD",
      details: { proration: { daysLeft: 112, daysInTerm: 365, until: "2027-03-12T00:00:00.000Z" } },
    });
    const facts = invoiceFacts(order, sellerIn(order.country), "", "en", new Date("2026-11-20T09:00:00Z"));
    expect(facts.lines).toMatchObject([
      {
        notes: ["Additional licenses", "One year, for 112 of 365 days"],
        quantity: 5,
        unitPriceMinor: unitPrice.minor,
      },
    ]);
    expect(facts.totalMinor).toBe(priced.total.minor);
  });
});

describe("an invoice in Hindi", () => {
  const account = accountAnswers({ gst_code: "29AABCB1234C1ZA" });
  const both = (order: Order) =>
    languageIds.map((language) => invoiceView(invoiceOf({ ...order, language })));

  it("contains Hindi text, with names and codes as they are", () => {
    expect(invoiceView(invoiceOf(signedUp({ account, number: 7, language: "hi" })))).toEqual({
      language: "hi",
      title: "टैक्स इनवॉइस",
      number: "IN/26-27/000042",
      fileName: "invoice-IN-26-27-000042.pdf",
      facts: [
        { label: "इनवॉइस नंबर", value: "IN/26-27/000042" },
        { label: "इनवॉइस की तारीख़", value: "20 नवंबर 2026" },
        { label: "सप्लाई का स्थान (Place of supply)", value: "कर्नाटक (29)" },
        { label: "रिवर्स चार्ज पर देय टैक्स (Reverse charge)", value: "नहीं" },
        { label: "ऑर्डर", value: "HUB-26-000007" },
        { label: "भुगतान की तारीख़", value: "20 नवंबर 2026" },
        { label: "सेवा की अवधि", value: "20 नवंबर 2026 से 20 नवंबर 2027 तक" },
      ],
      supplier: {
        name: "Hubs of Happiness Private Limited",
        lines: [
          "7th Floor, Prestige Terraces",
          "15 Residency Road",
          "Bengaluru, Karnataka 560025",
          "India",
          "GSTIN 29AABCH9876K1ZR",
        ],
      },
      billedTo: "किसके नाम बिल",
      recipient: {
        name: "Acme Tools",
        lines: [
          "221 100 Feet Road",
          "Indiranagar",
          "Bengaluru, Karnataka 560038",
          "भारत",
          "GSTIN 29AABCB1234C1ZA",
        ],
      },
      columns: {
        description: "विवरण",
        sac: "SAC",
        licences: "लाइसेंस",
        unitPrice: "प्रति यूनिट क़ीमत",
        amount: "कर योग्य मूल्य (Taxable value)",
      },
      lines: [
        {
          description: "Google Workspace Business Starter",
          notes: ["एक साल, सालाना बिल", "acme.com के लिए", "पहले 20 यूज़र की साइन-अप क़ीमत"],
          sac: "997331",
          quantity: "20",
          unitPrice: "₹1,932.00",
          amount: "₹38,640.00",
        },
        {
          description: "Google Workspace Business Starter",
          notes: ["एक साल, सालाना बिल", "acme.com के लिए"],
          sac: "997331",
          quantity: "5",
          unitPrice: "₹2,760.00",
          amount: "₹13,800.00",
        },
      ],
      totals: [
        { label: "कर योग्य मूल्य (Taxable value)", value: "₹52,440.00", strong: false },
        { label: "CGST 9%", value: "₹4,719.60", strong: false },
        { label: "SGST 9%", value: "₹4,719.60", strong: false },
        { label: "राउंड ऑफ़", value: "-₹0.20", strong: false },
        { label: "कुल (INR)", value: "₹61,879.00", strong: true },
      ],
      registration: null,
      endorsements: [],
      words: "इकसठ हज़ार आठ सौ उन्यासी रुपये मात्र",
      signature: {
        company: "Hubs of Happiness Private Limited की ओर से",
        signatory: "Meera Nair, Head of Finance",
      },
      closing: [
        "यह कंप्यूटर से बना इनवॉइस है और बिना हस्ताक्षर के मान्य है।",
        "कोई सवाल? support@hubs.example पर ईमेल करें।",
      ],
    });
  });

  it("contains the same figures, numbers and codes as in English, in either country", () => {
    for (let count = 0; count < 100; count += 1) {
      const [one, other] = both(randomOrder().order).map(({ number, lines, totals }) => ({
        number,
        lines: lines.map(({ notes: _, ...figures }) => figures),
        totals: totals.map(({ value }) => value),
      }));
      expect(other).toEqual(one);
    }
  });

  it("describes every kind of line in one language only", () => {
    const kinds = ["NEW", "TUP", "ADDON", "ADD", "RENEW"] as const;
    const lines = (["P1Y", "P1M"] as const).flatMap((term) =>
      [{}, { proration: { daysLeft: 3, daysInTerm: 30, until: "2027-03-12T00:00:00.000Z" } }].flatMap(
        (details) =>
          kinds.flatMap((kind) => {
            const order = signedUp({ kind, details });
            return both({ ...order, line: { ...order.line, term, billingCycle: "monthly" } });
          }),
      ),
    );
    for (const { language, lines: said } of lines) {
      const notes = said.flatMap((line) => line.notes).join(" ");
      if (language === "hi") expect(notes).not.toMatch(/[A-Za-z]/);
      else expect(notes).not.toMatch(/[\u0900-\u097f]/);
    }
  });

  it("does not mention GST for the USA either", () => {
    const here = accountAnswers({ country: "US", state: "Texas", city: "Austin", pincode: "73301" });
    const priced = priceSelection(starter, "US", signUp);
    const order = pricedOrder(starter, "US", signUp, priced, { account: here, language: "hi" });
    const view = invoiceView(invoiceOf(order));
    expect(view.title).toBe("इनवॉइस");
    expect(view.words).toBeNull();
    expect(view.recipient.lines.at(-1)).toBe("अमेरिका");
    expect(view.totals.map(({ label }) => label)).toEqual(["सबटोटल", "कुल (USD)"]);
    expect(JSON.stringify(view)).not.toMatch(/GST|SAC|रिवर्स|₹/);
  });
});

it("shows an invoice for the USA in dollars, without tax, codes or the sum as text", () => {
  const account = accountAnswers({ country: "US", state: "Texas", city: "Austin", pincode: "73301" });
  const priced = priceSelection(starter, "US", signUp);
  const view = invoiceView(invoiceOf(pricedOrder(starter, "US", signUp, priced, { account })));
  expect(view.title).toBe("Invoice");
  expect(view.words).toBeNull();
  expect(view.lines.map(({ sac }) => sac)).toEqual([null, null]);
  expect(view.totals.map(({ label }) => label)).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/GST|Taxable/)]),
  );
  expect(view.totals.at(-1)?.label).toBe("Total (USD)");
  expect(view.totals.at(-1)?.value).toMatch(/^\$/);
  expect(JSON.stringify(view)).not.toMatch(/GST|SAC|reverse charge|₹/);
  expect(view.recipient.lines).toEqual(["221 100 Feet Road", "Indiranagar", "Austin, Texas 73301", "USA"]);
});
