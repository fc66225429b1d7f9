/** Amounts of credit notes: each equals its refund to the paisa, and together they equal the invoice. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { money } from "#db/money.ts";
import { creditNoteFactsSchema, proportionalPart } from "#server/billing/documents/credit-note-facts.ts";
import { creditNoteSeriesOf, invoiceNumber, seriesOf } from "#server/billing/documents/number.ts";
import { invoicePdf } from "#server/billing/documents/pdf.ts";
import type { DocumentAmounts } from "#server/billing/documents/tax-currency.ts";
import { splitTax } from "#server/billing/documents/tax-split.ts";
import { creditNoteView } from "#server/billing/documents/view.ts";
import { scale } from "#server/catalogue/pricing/money.ts";
import { countryCodes } from "#server/foundation/countries/registry.ts";
import { languageIds } from "#server/foundation/languages/language.ts";
import { priceSelection, type Selection } from "#server/orders/pricing.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { accountAnswers, catalogueItem, creditNoteOf, pricedOrder } from "#tests/support/priced-order.ts";

type Invoiced = Parameters<typeof proportionalPart>[0];

/** Invoices within the supplier's state, to another state or without tax, rounded to whole rupees or not at all. */
const invoices = fc
  .record({
    taxable: fc.integer({ min: 1, max: 1e12 }),
    kind: fc.constantFrom("29", "27", null),
    step: fc.constantFrom(1, 100),
  })
  .map(({ taxable, kind, step }): Invoiced => {
    const value = money(taxable, "INR");
    const parts = kind === null ? [] : splitTax(value, 1_800, "29", { code: kind, name: "x" });
    const exact = taxable + (kind === null ? 0 : scale(value, 1_800, 10_000).minor);
    const totalMinor = Math.max(step, Math.round(exact / step) * step);
    const taxes = parts.map(({ amount, ...part }) => ({ ...part, amountMinor: amount.minor }));
    const tax = taxes.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    return {
      currency: "INR",
      subtotalMinor: taxable,
      taxes,
      roundingMinor: totalMinor - taxable - tax,
      totalMinor,
    };
  });
/** Cuts of an invoice, as fractions of its total. A random double would nearly always be close to zero. */
const cuts = fc.array(
  fc.integer({ min: 0, max: 1_000_000 }).map((part) => part / 1_000_000),
  { maxLength: 12 },
);

function partsAt(invoice: Invoiced, at: readonly number[]): DocumentAmounts[] {
  const ends = [...at.map((share) => Math.floor(share * invoice.totalMinor)), invoice.totalMinor];
  const sorted = [...new Set(ends)].filter((end) => end > 0).sort((a, b) => a - b);
  const parts: DocumentAmounts[] = [];
  let begin = 0;
  for (const end of sorted) {
    parts.push(proportionalPart(invoice, parts, end - begin));
    begin = end;
  }
  return parts;
}

const sumOf = (parts: readonly DocumentAmounts[], figure: (part: DocumentAmounts) => number) =>
  parts.reduce((sum, part) => sum + figure(part), 0);
const taxOf = (index: number) => (part: DocumentAmounts) => part.taxes[index]?.amountMinor ?? 0;

describe("the split of an invoice", () => {
  it("makes non-negative parts equal to the refund, with equal halves of tax", () => {
    fc.assert(
      fc.property(invoices, cuts, (invoice, at) => {
        for (const part of partsAt(invoice, at)) {
          const { subtotalMinor, taxes, roundingMinor, totalMinor } = part;
          const tax = taxes.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
          expect(subtotalMinor + tax + roundingMinor).toBe(totalMinor);
          for (const minor of [subtotalMinor, ...taxes.map(({ amountMinor }) => amountMinor)])
            expect(minor).toBeGreaterThanOrEqual(0);
          const [first, second = first] = taxes;
          expect(first?.amountMinor).toBe(second?.amountMinor);
          expect(taxes.map(({ name, rateBasisPoints }) => [name, rateBasisPoints])).toEqual(
            invoice.taxes.map(({ name, rateBasisPoints }) => [name, rateBasisPoints]),
          );
          // At most the invoice's own rounding, and half a paisa for each amount before and after.
          expect(Math.abs(roundingMinor)).toBeLessThanOrEqual(Math.abs(invoice.roundingMinor) + 4);
        }
      }),
    );
  });

  it("makes parts that add up to the invoice in every figure", () => {
    fc.assert(
      fc.property(invoices, cuts, (invoice, at) => {
        const parts = partsAt(invoice, at);
        expect(sumOf(parts, ({ totalMinor }) => totalMinor)).toBe(invoice.totalMinor);
        expect(sumOf(parts, ({ subtotalMinor }) => subtotalMinor)).toBe(invoice.subtotalMinor);
        expect(sumOf(parts, ({ roundingMinor }) => roundingMinor)).toBe(invoice.roundingMinor);
        for (const [index, { amountMinor }] of invoice.taxes.entries())
          expect(sumOf(parts, taxOf(index))).toBe(amountMinor);
      }),
    );
  });

  it("keeps parts positive and complete after some were withdrawn", () => {
    fc.assert(
      fc.property(invoices, cuts, fc.array(fc.boolean()), (invoice, at, isTakenBack) => {
        const kept = partsAt(invoice, at).filter((_, index) => isTakenBack[index] !== true);
        const left = () => invoice.totalMinor - sumOf(kept, ({ totalMinor }) => totalMinor);
        for (let paise = 0; paise < 3 && left() > 0; paise += 1)
          kept.push(proportionalPart(invoice, kept, 1));
        if (left() > 0) kept.push(proportionalPart(invoice, kept, left()));
        for (const { subtotalMinor, taxes } of kept)
          for (const minor of [subtotalMinor, ...taxes.map(({ amountMinor }) => amountMinor)])
            expect(minor).toBeGreaterThanOrEqual(0);
        expect(sumOf(kept, ({ subtotalMinor }) => subtotalMinor)).toBe(invoice.subtotalMinor);
        for (const [index, { amountMinor }] of invoice.taxes.entries())
          expect(sumOf(kept, taxOf(index))).toBe(amountMinor);
      }),
      { numRuns: 500 },
    );
  });

  it("refuses more than the rest of the invoice", () => {
    fc.assert(
      fc.property(invoices, cuts, fc.integer({ min: 1, max: 1e12 }), (invoice, at, more) => {
        const parts = partsAt(invoice, at).slice(0, -1);
        const left = invoice.totalMinor - sumOf(parts, ({ totalMinor }) => totalMinor);
        expect(() => proportionalPart(invoice, parts, left + more)).toThrow(RangeError);
      }),
    );
  });

  test.each([0, -1, 0.5, Number.NaN])("refuses a part of %s", (minor) => {
    const [invoice] = fc.sample(invoices, 1);
    if (invoice === undefined) throw new Error("Expected a sample invoice");
    expect(() => proportionalPart(invoice, [], minor)).toThrow(RangeError);
  });

  it("splits off a third of ₹2,828.00 with an odd paisa", () => {
    const taxes = ["CGST", "SGST"].map((name) => ({ name, rateBasisPoints: 900, amountMinor: 21_570 }));
    const invoice = {
      currency: "INR",
      subtotalMinor: 239_670,
      taxes,
      roundingMinor: -10,
      totalMinor: 282_800,
    } as const;
    expect(proportionalPart({ ...invoice, taxes }, [], 94_267)).toEqual({
      subtotalMinor: 79_890,
      taxes: taxes.map((tax) => ({ ...tax, amountMinor: 7_190 })),
      roundingMinor: -3,
      totalMinor: 94_267,
    });
  });
});

describe("a credit note's number", () => {
  it("fits into 16 characters, and differs from invoices' in every country and year", () => {
    for (const country of countryCodes) {
      for (const at of ["2026-03-31T12:00:00Z", "2026-04-30T12:00:00Z", "2099-12-31T12:00:00Z"]) {
        for (const isGst of [true, false]) {
          const series = creditNoteSeriesOf(country, new Date(at), { isGst });
          expect(series).not.toBe(seriesOf(country, new Date(at), { isGst }));
          for (const serial of [1, 999_999, 1_000_000])
            expect(invoiceNumber(series, serial)).toMatch(/^[A-Z]{2}\/C[0-9A-Z/-]{1,12}$/);
        }
      }
    }
    expect(
      invoiceNumber(creditNoteSeriesOf("IN", new Date("2026-11-25T00:00:00Z"), { isGst: true }), 1),
    ).toBe("IN/C26-27/000001");
    expect(
      invoiceNumber(creditNoteSeriesOf("US", new Date("2026-11-25T12:00:00Z"), { isGst: false }), 1),
    ).toBe("US/C2026/000001");
  });
});

describe("a credit note", () => {
  const item = catalogueItem("microsoft-365-business-standard");
  const selection: Selection = { term: "P1Y", billingCycle: "annual", quantity: 3 };
  const order = (country: "IN" | "US", language: "en" | "hi" = "en") =>
    pricedOrder(item, country, selection, priceSelection(item, country, selection), {
      language,
      account: accountAnswers({ country, gst_code: country === "IN" ? "29AABCB1234C1ZA" : null }),
    });

  it("survives storage unchanged, and names the invoice", () => {
    const { facts } = creditNoteOf(order("IN"));
    expect(creditNoteFactsSchema.parse(JSON.parse(JSON.stringify(facts)))).toEqual(facts);
    expect(facts.invoice).toMatchObject({ number: "IN/26-27/000042" });
    expect(facts.lines).toHaveLength(1);
    expect(facts.lines[0]?.amountMinor).toBe(facts.subtotalMinor);
  });

  test.each(languageIds)(
    "shows number, invoice, reason and totals in %s, on paper as on the page",
    async (language) => {
      const note = creditNoteOf(order("IN", language === "hi" ? "hi" : "en"));
      const view = creditNoteView(note);
      const said = view.facts.map(({ value }) => value);
      expect(said).toContain(note.number);
      expect(said).toContain("IN/26-27/000042");
      expect(said).toContain(note.facts.reason);
      expect(view.columns).toMatchObject({ licences: null, unitPrice: null });
      expect(view.fileName).toBe("credit-note-IN-C26-27-000007.pdf");
      expect(view.totals.map(({ label }) => label).join()).toMatch(/CGST 9%.*SGST 9%/);
      const words = (await pdfPages(await invoicePdf(view, note.issuedAt))).join(" ");
      expect(words).toContain(note.number);
      expect(words).toContain("IN/26-27/000042");
      for (const { value } of view.totals) expect(words).toContain(value);
    },
  );

  it.each([
    [1, 1],
    [4, 1],
    [7, 2],
  ])("shows how many licenses were returned, and the price of each: %i", (licences, lines) => {
    const note = creditNoteOf(order("IN"), { licences });
    const { facts } = note;
    expect(facts.lines).toHaveLength(lines);
    expect(facts.lines.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(licences);
    expect(facts.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(facts.subtotalMinor);
    for (const { quantity, unitPriceMinor, amountMinor } of facts.lines)
      expect(quantity * unitPriceMinor).toBe(amountMinor);
    expect(creditNoteFactsSchema.parse(JSON.parse(JSON.stringify(facts)))).toEqual(facts);
    const { columns } = creditNoteView(note);
    expect(columns).toMatchObject({ licences: "Licenses", unitPrice: expect.stringMatching(/price/i) });
  });

  it("shows neither tax nor codes in a country without GST", () => {
    const view = creditNoteView(creditNoteOf(order("US")));
    expect(JSON.stringify(view)).not.toMatch(/GST|SAC|Place of supply/);
  });
});
