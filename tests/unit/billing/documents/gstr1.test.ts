/** GSTR-1: lists every document of a month once, and its tables add up to the documents. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Supply } from "#db/orders/order.ts";
import { sandboxSellers } from "#sandbox/local/environment.ts";
import { type InvoiceFacts, invoiceFacts } from "#server/billing/documents/facts.ts";
import { gstr1Files } from "#server/billing/documents/gstr1/csv.ts";
import { isPlaced, type ReturnDocument, returnDocument } from "#server/billing/documents/gstr1/documents.ts";
import { gstr1, tableOf } from "#server/billing/documents/gstr1/tables.ts";
import { supplierOf } from "#server/billing/documents/supplier.ts";
import { indianStates } from "#server/foundation/countries/indian-states.ts";
import { plansOf, priceSelection } from "#server/orders/pricing.ts";
import { accountAnswers, catalogueItem, invoiceOf, pricedOrder } from "#tests/support/priced-order.ts";

const gstin = "29AABCB1234C1ZA";
const buyers = ["27AAPFU0939F1ZV", "29AABCB1234C1ZA", "07AAACS4321K1ZX"];

function supplyOf(
  place: string,
  isRegistered: boolean,
  isToZone: boolean,
  isZeroRated: boolean,
): ReturnDocument["supplyType"] {
  if (place === "96") return isZeroRated ? "EXPWOP" : "EXPWP";
  if (!isRegistered) return "B2C";
  if (!isToZone) return "B2B";
  return isZeroRated ? "SEZWOP" : "SEZWP";
}

/** Splits the tax as an invoice or its credit note does. */
const document = fc
  .record({
    kind: fc.constantFrom("invoice" as const, "invoice" as const, "credit note" as const),
    buyer: fc.option(fc.constantFrom(...buyers)),
    place: fc.constantFrom(...indianStates.map(({ gstCode }) => gstCode), "96", "97"),
    taxable: fc.integer({ min: 1, max: 50_000_000 }),
    isZeroRated: fc.boolean(),
    isToZone: fc.boolean(),
    isCancelled: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
    sac: fc.constantFrom("997331", "998315"),
    day: fc.integer({ min: 1, max: 30 }),
  })
  .map(
    ({
      kind,
      buyer,
      place,
      taxable,
      isZeroRated,
      isToZone,
      isCancelled,
      sac,
      day,
    }): Omit<ReturnDocument, "number" | "serial"> => {
      const supplyType = supplyOf(place, buyer !== null, isToZone, isZeroRated);
      const rate = supplyType.endsWith("WOP") ? 0 : 1800;
      const isWithin = place === "29" && !supplyType.startsWith("SEZ");
      const half = isWithin ? Math.round((taxable * rate) / 20_000) : 0;
      const igst = isWithin ? 0 : Math.round((taxable * rate) / 10_000);
      const totalMinor = Math.round((taxable + igst + 2 * half) / 100) * 100;
      return {
        kind,
        isCancelled,
        supplyType,
        series: kind === "invoice" ? "IN/26-27" : "IC/26-27",
        day: `2026-11-${String(day).padStart(2, "0")}`,
        sellerGstin: gstin,
        buyerGstin: place === "96" ? null : buyer === null ? null : `${place}${buyer.slice(2)}`,
        buyerName: "Acme, Tools",
        place,
        rateBasisPoints: rate,
        sac,
        description: "Business Basic",
        totalMinor,
        taxableMinor: taxable,
        igstMinor: igst,
        cgstMinor: half,
        sgstMinor: half,
        invoiceTotalMinor: totalMinor,
      };
    },
  );
const month = fc.array(document, { maxLength: 40 }).map((all) => {
  const serials = { invoice: 0, "credit note": 0 };
  return all.map((one): ReturnDocument => {
    serials[one.kind] += 1;
    const serial = serials[one.kind];
    return { ...one, serial, number: `${one.series}/${String(serial).padStart(6, "0")}` };
  });
});

const minor = (amount: number | undefined) => Math.round((amount ?? 0) * 100);
interface Sums {
  taxable: number;
  igst: number;
  cgst: number;
  sgst: number;
}
type Amounts = { txval: number; iamt: number; camt?: number; samt?: number };
const counts = ({ isCancelled }: ReturnDocument) => !isCancelled;
const none: Sums = { taxable: 0, igst: 0, cgst: 0, sgst: 0 };
const plus = (sums: Sums, { txval, iamt, camt, samt }: Amounts, sign = 1): Sums => ({
  taxable: sums.taxable + sign * minor(txval),
  igst: sums.igst + sign * minor(iamt),
  cgst: sums.cgst + sign * minor(camt),
  sgst: sums.sgst + sign * minor(samt),
});
const ofDocuments = (all: readonly ReturnDocument[]): Sums =>
  all.filter(counts).reduce((sums, { kind, taxableMinor, igstMinor, cgstMinor, sgstMinor }) => {
    const sign = kind === "invoice" ? 1 : -1;
    return {
      taxable: sums.taxable + sign * taxableMinor,
      igst: sums.igst + sign * igstMinor,
      cgst: sums.cgst + sign * cgstMinor,
      sgst: sums.sgst + sign * sgstMinor,
    };
  }, none);

describe("GSTR-1 of random months", () => {
  test("adds the tables up to the documents, minus credits", () => {
    fc.assert(
      fc.property(month, (documents) => {
        const table = gstr1(gstin, "2026-11", documents);
        let sums = none;
        for (const { inv } of [...table.b2b, ...table.b2cl])
          for (const { itms } of inv) for (const { itm_det } of itms) sums = plus(sums, itm_det);
        for (const row of table.b2cs) sums = plus(sums, row);
        for (const { inv } of table.exp)
          for (const { itms } of inv) for (const item of itms) sums = plus(sums, item);
        for (const { itms } of [...table.cdnr.flatMap(({ nt }) => nt), ...table.cdnur])
          for (const { itm_det } of itms) sums = plus(sums, itm_det, -1);
        expect(sums).toEqual(ofDocuments(documents));
      }),
      { numRuns: 500 },
    );
  });

  test("adds the summaries by service code up to the same, by registration of buyers", () => {
    fc.assert(
      fc.property(month, (documents) => {
        const { hsn } = gstr1(gstin, "2026-11", documents);
        const isRegistered = (one: ReturnDocument) => tableOf(one) === "b2b";
        expect(hsn.hsn_b2b.reduce((sums, row) => plus(sums, row), none)).toEqual(
          ofDocuments(documents.filter(isRegistered)),
        );
        expect(hsn.hsn_b2c.reduce((sums, row) => plus(sums, row), none)).toEqual(
          ofDocuments(documents.filter((one) => !isRegistered(one))),
        );
      }),
      { numRuns: 500 },
    );
  });

  test("separates supplies to zones, and never treats them as within the state", () => {
    fc.assert(
      fc.property(month, (documents) => {
        const table = gstr1(gstin, "2026-11", documents);
        const rows = [...table.b2b.flatMap(({ inv }) => inv), ...table.cdnr.flatMap(({ nt }) => nt)];
        const named = (types: readonly string[]) =>
          documents.filter((one) => counts(one) && types.includes(one.supplyType)).length;
        const typed = (type: string) => rows.filter(({ inv_typ }) => inv_typ === type).length;
        expect(typed("SEWP")).toBe(named(["SEZWP"]));
        expect(typed("SEWOP")).toBe(named(["SEZWOP"]));
        for (const { inv_typ, itms } of rows)
          if (inv_typ !== "R") for (const { itm_det } of itms) expect(itm_det).not.toHaveProperty("camt");
      }),
      { numRuns: 200 },
    );
  });

  test("counts every document once, and lists each that is neither small nor cancelled", () => {
    fc.assert(
      fc.property(month, (documents) => {
        const table = gstr1(gstin, "2026-11", documents);
        const series = table.doc_issue.doc_det.flatMap(({ docs }) => docs);
        const sum = (of: (row: (typeof series)[number]) => number) =>
          series.reduce((total, row) => total + of(row), 0);
        expect(sum(({ totnum }) => totnum)).toBe(documents.length);
        expect(sum(({ net_issue }) => net_issue)).toBe(documents.filter(counts).length);
        expect(sum(({ cancel }) => cancel)).toBe(documents.length - documents.filter(counts).length);
        const listed = [
          ...[...table.b2b, ...table.b2cl, ...table.exp].flatMap(({ inv }) => inv.map(({ inum }) => inum)),
          ...table.cdnr.flatMap(({ nt }) => nt.map(({ nt_num }) => nt_num)),
          ...table.cdnur.map(({ nt_num }) => nt_num),
        ];
        expect(listed.toSorted()).toEqual(
          documents
            .filter((one) => counts(one) && tableOf(one) !== "b2cs")
            .map(({ number }) => number)
            .toSorted(),
        );
      }),
      { numRuns: 200 },
    );
  });
});

/** Creates an invoice of the store for a buyer with this account. */
function invoiced(
  quantity: number,
  account: Parameters<typeof accountAnswers>[0],
  serial = 1,
): ReturnDocument {
  const item = catalogueItem("microsoft-365-business-basic");
  const plan = plansOf(item, "IN").find(({ term }) => term === "P1Y");
  if (plan === undefined) throw new Error("Expected a yearly plan");
  const selection = { term: plan.term, billingCycle: plan.billingCycle, quantity };
  const priced = priceSelection(item, "IN", selection);
  const order = pricedOrder(item, "IN", selection, priced, { account: accountAnswers(account) });
  const { facts } = invoiceOf(order);
  const made = returnDocument({
    kind: "invoice",
    number: `IN/26-27/00000${serial}`,
    series: "IN/26-27",
    serial,
    day: "2026-11-24",
    isCancelled: false,
    facts,
  });
  if (!isPlaced(made)) throw new Error(made.why);
  return made;
}

describe("an invoice of the store", () => {
  const registered = invoiced(10, { gst_code: "27AAPFU0939F1ZV", companyName: "=Acme, Tools" });
  const large = invoiced(300, { state: "Kerala" }, 2);
  const small = invoiced(2, { state: "Karnataka" }, 3);
  const table = gstr1(registered.sellerGstin, "2026-11", [registered, large, small]);

  test("appears under its buyer's GSTIN, separately if large, or in its state's sum", () => {
    expect(table).toMatchObject({
      fp: "112026",
      b2b: [
        {
          ctin: "27AAPFU0939F1ZV",
          inv: [
            {
              inum: "IN/26-27/000001",
              idt: "24-11-2026",
              pos: "27",
              rchrg: "N",
              inv_typ: "R",
              itms: [{ num: 1, itm_det: { rt: 18, csamt: 0 } }],
            },
          ],
        },
      ],
      b2cl: [{ pos: "32", inv: [{ inum: "IN/26-27/000002" }] }],
      b2cs: [{ sply_ty: "INTRA", pos: "29", typ: "OE", rt: 18 }],
      doc_issue: {
        doc_det: [
          {
            doc_num: 1,
            docs: [{ from: "IN/26-27/000001", to: "IN/26-27/000003", totnum: 3, cancel: 0, net_issue: 3 }],
          },
        ],
      },
    });
    expect(table.b2b[0]?.inv[0]?.itms[0]?.itm_det).not.toHaveProperty("camt");
    const [within] = table.b2cs;
    expect(within?.camt).toBe(within?.samt);
  });

  test("appears in the portal's files, where no name becomes a formula", () => {
    const files = gstr1Files(table, () => "=Acme, Tools");
    expect(files.get("b2b.csv")).toContain(
      `27AAPFU0939F1ZV,"'=Acme, Tools",IN/26-27/000001,24-Nov-2026,${registered.totalMinor / 100},27-Maharashtra,N,,Regular B2B,,18,`,
    );
    expect(files.get("docs.csv")?.trim().split("\r\n").at(-1)).toBe(
      "Invoices for outward supply,IN/26-27/000001,IN/26-27/000003,3,0",
    );
    expect(files.get("cdnr.csv")?.trim().split("\r\n")).toHaveLength(1);
  });
});

test("lists credit notes of large and foreign supplies, and subtracts small ones", () => {
  const large = invoiced(300, { state: "Kerala" });
  const small = invoiced(2, { state: "Kerala" }, 2);
  const note = (of: ReturnDocument): ReturnDocument => ({
    ...of,
    kind: "credit note",
    number: "IC/26-27/000001",
    series: "IC/26-27",
    taxableMinor: 10_000,
    igstMinor: 1_800,
    totalMinor: 11_800,
    invoiceTotalMinor: of.totalMinor,
  });
  const table = gstr1(large.sellerGstin, "2026-11", [large, small, note(large), note(small)]);
  expect(table.cdnur).toMatchObject([{ typ: "B2CL", ntty: "C", nt_num: "IC/26-27/000001", val: 118 }]);
  expect(table.b2cs).toMatchObject([{ txval: (small.taxableMinor - 10_000) / 100 }]);
});

describe("an export in dollars", () => {
  const order = (supply: Supply) => {
    const item = catalogueItem("microsoft-365-business-basic");
    const selection = { term: "P1Y", billingCycle: "annual", quantity: 7 } as const;
    const priced = priceSelection(item, "US", selection, supply.type === "EXPWP" ? 1_800 : 0);
    return pricedOrder(item, "US", selection, priced, {
      details: { supply },
      account: accountAnswers({ country: "US", state: "Texas", pincode: "73301" }),
    });
  };
  const exporter = {
    ...sandboxSellers,
    sellers: new Map(sandboxSellers.sellers).set("US", {
      ...required(sandboxSellers.sellers.get("IN")),
      letters: [],
    }),
  };
  const factsOf = (supply: Supply) => {
    const paid = order(supply);
    const issuedAt = new Date("2026-11-20T09:00:00Z");
    return invoiceFacts(paid, supplierOf(exporter, "US"), "Acme", "en", issuedAt);
  };
  const listed = (facts: InvoiceFacts, kind: ReturnDocument["kind"] = "invoice") => {
    const numbered = { number: `US/26-27/${kind}`, series: "US/26-27", serial: 1, day: "2026-11-24" };
    return returnDocument({ kind, ...numbered, isCancelled: false, facts });
  };

  test.each([
    ["EXPWP", "WPAY", 18],
    ["EXPWOP", "WOPAY", 0],
  ] as const)(
    "%s: lists its value in rupees, as for its credit note, without a place",
    (type, exp_typ, rt) => {
      const facts = factsOf({ type, letter: type === "EXPWP" ? null : "AD290326000103V" });
      const [invoice, note] = [listed(facts), listed(facts, "credit note")];
      if (!isPlaced(invoice) || !isPlaced(note)) throw new Error("Expected placed documents");
      const rupees = (cents: number) => Math.round(cents * 84.5) / 100;
      const taxCents = facts.taxes.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      const details = { rt, txval: rupees(facts.subtotalMinor), iamt: rupees(taxCents), csamt: 0 };
      const table = gstr1(invoice.sellerGstin, "2026-11", [invoice, note]);
      expect(table.exp).toEqual([
        {
          exp_typ,
          inv: [{ inum: invoice.number, idt: "24-11-2026", val: rupees(facts.totalMinor), itms: [details] }],
        },
      ]);
      expect(table.cdnur).toEqual([
        expect.objectContaining({ typ: type, nt_num: note.number, itms: [{ num: 1, itm_det: details }] }),
      ]);
      expect(table.cdnur[0]).not.toHaveProperty("pos");
      expect(table.hsn.hsn_b2b).toEqual([]);
      const files = gstr1Files(table, () => "");
      expect(files.get("exp.csv")).toContain(`${exp_typ},${invoice.number},24-Nov-2026,`);
      expect(files.get("cdnur.csv")).toContain(`${type},${note.number},24-Nov-2026,C,,`);
    },
  );

  test("reports the reason when the document has no value in rupees", () => {
    const { inTaxCurrency: _, ...without } = factsOf({ type: "EXPWOP", letter: "AD290326000103V" });
    expect(listed(without)).toEqual({
      sellerGstin: expect.any(String),
      why: "it is in USD and does not state its value in INR",
    });
  });
});

test.each([
  [
    "no service code",
    (facts: InvoiceFacts) => ({ ...facts, lines: facts.lines.map((line) => ({ ...line, sac: null })) }),
  ],
  ["names no place of supply", (facts: InvoiceFacts) => ({ ...facts, placeOfSupply: null })],
  [
    "has no buyer GSTIN",
    (facts: InvoiceFacts) => ({
      ...facts,
      supply: { type: "SEZWP" as const, letter: null, endorsement: null },
    }),
  ],
])("reports the reason for a document that cannot be placed: %s", (why, changed) => {
  const item = catalogueItem("microsoft-365-business-basic");
  const selection = { term: "P1Y", billingCycle: "annual", quantity: 2 } as const;
  const { facts } = invoiceOf(pricedOrder(item, "IN", selection, priceSelection(item, "IN", selection)));
  const numbered = { number: "IN/26-27/000001", series: "IN/26-27", serial: 1, day: "2026-11-24" };
  const made = returnDocument({ kind: "invoice", ...numbered, isCancelled: false, facts: changed(facts) });
  expect(made).toEqual({ sellerGstin: facts.supplier.gstin, why: expect.stringContaining(why) });
});

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("Expected a value");
  return value;
}
