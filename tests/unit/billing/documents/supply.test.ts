/** Tax of a supply: price, invoice and registered document agree on it. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Supply } from "#db/orders/order.ts";
import type { Country } from "#db/tables/enums.ts";
import { sandboxSellers } from "#sandbox/local/environment.ts";
import type { RunningSandbox } from "#sandbox/vendors/start.ts";
import { eInvoiceBody, toRegistrable } from "#server/billing/documents/e-invoice-body.ts";
import { type InvoiceFacts, invoiceFacts } from "#server/billing/documents/facts.ts";
import { supplierOf } from "#server/billing/documents/supplier.ts";
import { computeTotals } from "#server/catalogue/pricing/quote.ts";
import { createEInvoices } from "#server/integrations/e-invoices.ts";
import { plansOf, priceSelection, type Selection } from "#server/orders/pricing.ts";
import { isUntaxed, isZone, supplyOf, taxRateOf } from "#server/orders/supply.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";
import { accountAnswers, catalogueItem, pricedOrder } from "#tests/support/priced-order.ts";
import { start } from "#tests/unit/sandbox/support.ts";

const indian = sandboxSellers.sellers.get("IN");
if (indian === undefined) throw new Error("Expected a seller for India");
const withLetter = { ...indian, letters: [{ year: "2026-27", number: "AD290326000103V" }] };
const without = { ...indian, letters: [] };
const american = { ...indian, gstin: null, letters: [] };
const inForce = new Date("2027-03-31T18:29:00Z");
const nextYear = new Date("2027-03-31T18:31:00Z");
const zone = { gstin: "29AAGCS5678Q1Z7", isSez: true };
const business = { gstin: "29AABCB1234C1ZA", isSez: false };

describe("the supply", () => {
  test.each([
    ["to nobody known", withLetter, "IN", null, "B2C", 1_800],
    ["to a consumer", withLetter, "IN", { gstin: null, isSez: false }, "B2C", 1_800],
    ["to a business", withLetter, "IN", business, "B2B", 1_800],
    ["to a zone under a letter", withLetter, "IN", zone, "SEZWOP", 0],
    ["to a zone without one", without, "IN", zone, "SEZWP", 1_800],
    ["abroad under a letter", withLetter, "US", business, "EXPWOP", 0],
    ["abroad without one", without, "US", null, "EXPWP", 1_800],
  ] as const)("returns type and rate: %s", (_what, seller, country, buyer, type, rate) => {
    const supply = supplyOf(new Map([[country, seller]]), country, buyer, inForce);
    expect(supply?.type).toBe(type);
    expect(supply?.letter ?? null).toBe(rate === 0 ? "AD290326000103V" : null);
    expect(taxRateOf(country, supply, inForce)).toBe(rate);
  });

  test("returns null abroad for a seller in that country", () => {
    const supply = supplyOf(new Map<Country, typeof american>([["US", american]]), "US", null, inForce);
    expect(supply).toBeNull();
    expect(taxRateOf("US", supply, inForce)).toBe(0);
  });

  test("charges tax from 1 April in India, after the letter has expired", () => {
    const at = (moment: Date) => supplyOf(new Map([["US" as const, withLetter]]), "US", null, moment)?.type;
    expect(at(inForce)).toBe("EXPWOP");
    expect(at(nextYear)).toBe("EXPWP");
  });

  test.each([
    ["SEZ Unit", true],
    ["SEZ Developer", true],
    ["Special Economic Zone", true],
    ["Regular", false],
    ["Composition", false],
    ["", false],
  ])("decides whether %j is a zone: %s", (type, isSez) => expect(isZone(type)).toBe(isSez));
});

const supplies: readonly { supply: Supply; country: Country; gstin: string | null; state: string }[] = [
  { supply: { type: "B2C", letter: null }, country: "IN", gstin: null, state: "Karnataka" },
  { supply: { type: "B2B", letter: null }, country: "IN", gstin: "29AABCB1234C1ZA", state: "Karnataka" },
  { supply: { type: "B2B", letter: null }, country: "IN", gstin: "27AAPFU0939F1ZV", state: "Maharashtra" },
  { supply: { type: "SEZWP", letter: null }, country: "IN", gstin: "29AAGCS5678Q1Z7", state: "Karnataka" },
  {
    supply: { type: "SEZWOP", letter: "AD290326000103V" },
    country: "IN",
    gstin: "29AAGCS5678Q1Z7",
    state: "Karnataka",
  },
  { supply: { type: "EXPWP", letter: null }, country: "US", gstin: null, state: "Texas" },
  { supply: { type: "EXPWOP", letter: "AD290326000103V" }, country: "US", gstin: null, state: "Texas" },
];

let serial = 0;
/** Orders of any item and supply, each with the facts of its invoice. */
const sold = fc
  .record({
    of: fc.constantFrom(...supplies),
    item: fc.constantFrom(...catalogue.map(({ id }) => id)),
    plan: fc.nat(),
    seats: fc.integer({ min: 0, max: 250 }),
  })
  .map(({ of: { supply, country, gstin, state }, item: id, plan, seats }) => {
    const item = catalogueItem(id);
    const plans = plansOf(item, country);
    const { term, billingCycle } = plans[plan % plans.length] ?? { term: "P1Y", billingCycle: "annual" };
    const quantity = Math.min(item.maxSeats ?? 1_000, item.minSeats + seats);
    const google = { domain: "acme.com", customerType: "new_signup" } as const;
    const selection: Selection = {
      term,
      billingCycle,
      quantity,
      ...(item.family === "google" && { google }),
    };
    const priced = priceSelection(item, country, selection, taxRateOf(country, supply, inForce));
    const pincode = state === "Maharashtra" ? "400018" : "560038";
    const account = accountAnswers({ country, state, pincode, gst_code: gstin });
    const order = pricedOrder(item, country, selection, priced, { account, details: { supply } });
    const supplier = { ...supplierOf({ ...sandboxSellers, sellers: new Map([[country, indian]]) }, country) };
    const issuedAt = new Date();
    serial += 1;
    const facts = invoiceFacts(order, supplier, "", "en", issuedAt);
    return { supply, priced, facts, number: `T/26-27/${serial}`, issuedAt };
  });

const sumOf = (amounts: readonly { amountMinor: number }[]) =>
  amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
/** Sums decimals with two places, in minor units. */
const cents = (...values: number[]) => values.reduce((sum, value) => sum + Math.round(value * 100), 0);

describe("a sold order", () => {
  let portal: RunningSandbox;
  beforeAll(async () => {
    portal = await start();
  });
  afterAll(() => portal.stop());

  test("states the same amounts and supply in price and invoice", () => {
    fc.assert(
      fc.property(sold, ({ supply, priced, facts }) => {
        expect(facts.totalMinor).toBe(priced.total.minor);
        expect(facts.subtotalMinor + sumOf(facts.taxes) + facts.roundingMinor).toBe(facts.totalMinor);
        expect(new Set(facts.taxes.map(({ amountMinor }) => amountMinor)).size).toBeLessThanOrEqual(1);
        if (isUntaxed(supply)) {
          expect(priced.tax.minor).toBe(0);
          expect(facts.taxes).toEqual([]);
          expect(facts.supply?.endorsement).toContain("WITHOUT PAYMENT OF INTEGRATED TAX");
        }
        const isBetweenStates = /^(SEZ|EXP)/.test(supply.type);
        if (isBetweenStates) for (const { name } of facts.taxes) expect(name).toBe("IGST");
        expect(facts.supply?.type).toBe(supply.type);
        expect(facts.placeOfSupply?.code).toBe(
          supply.type.startsWith("EXP") ? "96" : facts.parties?.recipient.stateCode,
        );
      }),
      { numRuns: 300 },
    );
  });

  test("sums its registered body to the paisa, in rupees", () => {
    fc.assert(
      fc.property(sold, ({ facts, number, issuedAt }) => {
        const found = toRegistrable({ facts });
        if (found === null) {
          expect(facts.supply?.type).toBe("B2C");
          return;
        }
        const { ItemList, ValDtls } = eInvoiceBody({ number, kind: "INV", issuedAt, facts }, found);
        const { AssVal, CgstVal, SgstVal, IgstVal, RndOffAmt, TotInvVal } = ValDtls;
        expect(CgstVal).toBe(SgstVal);
        expect(cents(AssVal, CgstVal, SgstVal, IgstVal, RndOffAmt)).toBe(cents(TotInvVal));
        const column = (name: "AssAmt" | "IgstAmt" | "CgstAmt" | "SgstAmt") =>
          cents(...ItemList.map((item) => item[name]));
        expect([column("AssAmt"), column("IgstAmt"), column("CgstAmt"), column("SgstAmt")]).toEqual(
          [AssVal, IgstVal, CgstVal, SgstVal].map((value) => cents(value)),
        );
        expect(cents(TotInvVal)).toBe(facts.inTaxCurrency?.totalMinor ?? facts.totalMinor);
      }),
      { numRuns: 300 },
    );
  });

  test("passes the portal's checks", async () => {
    const gsp = createEInvoices({
      url: `${portal.url}/gsp`,
      user: "user",
      password: "password",
      key: "key",
      keyHeader: "x-api-key",
      cancelKeys: "CnlRsn",
      timeoutMs: 10_000,
    });
    await fc.assert(
      fc.asyncProperty(sold, async ({ facts, number, issuedAt }) => {
        const found = toRegistrable({ facts });
        if (found === null) return;
        const body = eInvoiceBody({ number, kind: "INV", issuedAt, facts }, found);
        expect(await gsp.register(found.gstin, body, number)).toMatchObject({ signedQr: expect.any(String) });
      }),
      { numRuns: 60 },
    );
  });
});

test("computes the same tax of a subtotal as a quote", () => {
  fc.assert(
    fc.property(sold, ({ priced }) => {
      const country = priced.total.currency === "INR" ? "IN" : "US";
      const { tax, rounding, total } = priced;
      expect(computeTotals(priced.subtotal, priced.taxRateBasisPoints, country)).toEqual({
        tax,
        rounding,
        total,
      });
    }),
  );
});

describe("the service period", () => {
  const item = catalogueItem("microsoft-365-business-standard");
  const selection = { term: "P1Y", billingCycle: "annual", quantity: 3 } as const;
  const priced = priceSelection(item, "IN", selection);
  const paidAt = new Date("2026-11-20T09:00:00Z");
  const periodOf = (details: object): InvoiceFacts["servicePeriod"] => {
    const order = pricedOrder(item, "IN", selection, priced, { details, paidAt });
    return invoiceFacts(order, supplierOf(sandboxSellers, "IN"), "", "en", paidAt).servicePeriod;
  };
  test.each([
    ["a term from the payment", {}, "2026-11-20T09:00:00.000Z", "2027-11-20T09:00:00.000Z"],
    [
      "the rest of a term",
      { proration: { daysLeft: 10, daysInTerm: 365, until: "2026-11-30T09:00:00.000Z" } },
      "2026-11-20T09:00:00.000Z",
      "2026-11-30T09:00:00.000Z",
    ],
    [
      "the next term",
      { renewal: { after: "2026-12-05T00:00:00.000Z" } },
      "2026-12-05T00:00:00.000Z",
      "2027-12-05T00:00:00.000Z",
    ],
    [
      "a term from the payment, when the last has lapsed",
      { renewal: { after: "2026-10-05T00:00:00.000Z" } },
      "2026-11-20T09:00:00.000Z",
      "2027-11-20T09:00:00.000Z",
    ],
  ])("covers %s", (_what, details, from, to) => expect(periodOf(details)).toEqual({ from, to }));
});
