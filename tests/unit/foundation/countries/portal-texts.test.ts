/** Names and addresses that the invoice registration portal accepts, for any input. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentBody } from "#sandbox/vendors/gsp-document.ts";
import { eInvoiceBody, toRegistrable } from "#server/billing/documents/e-invoice-body.ts";
import { withRegisteredNames } from "#server/billing/documents/facts.ts";
import { isTooShort, portalText } from "#server/foundation/countries/portal-texts.ts";
import { problemsOf } from "#server/orders/account-rules.ts";
import { priceSelection, type Selection } from "#server/orders/pricing.ts";
import { accountAnswers, catalogueItem, invoiceOf, pricedOrder } from "#tests/support/priced-order.ts";

const item = catalogueItem("microsoft-365-business-basic");
const selection: Selection = { term: "P1Y", billingCycle: "annual", quantity: 3 };
const gstin = "29AABCB1234C1ZA";

/** Builds the portal's body of an invoice to a company. */
function bodyTo(
  account: Parameters<typeof accountAnswers>[0],
  names: Parameters<typeof withRegisteredNames>[1] = null,
) {
  const priced = priceSelection(item, "IN", selection);
  const invoice = invoiceOf(
    pricedOrder(item, "IN", selection, priced, { account: accountAnswers({ gst_code: gstin, ...account }) }),
  );
  const facts = withRegisteredNames(invoice.facts, names);
  const registrable = toRegistrable({ facts });
  if (registrable === null) throw new Error("Expected a registrable invoice");
  return eInvoiceBody({ ...invoice, facts, kind: "INV" }, registrable);
}

describe("the buyer in the body", () => {
  it.each([
    [{ companyName: "EY" }, { LglNm: "M/s EY" }],
    [{ city: "Bo" }, { Loc: "Bo, Karnataka" }],
    [{ addressLine1: "1", addressLine2: "2" }, { Addr1: "1, 2" }],
    // Others.
    [{ companyName: "X" }, { LglNm: "M/s X" }],
    [{ companyName: "3M" }, { LglNm: "M/s 3M" }],
    [{ city: "" }, { Loc: "Karnataka" }],
    [{ addressLine1: "", addressLine2: "" }, { Addr1: "Bengaluru" }],
    [{ companyName: 'The "Best" Co \\ Sons' }, { LglNm: "The 'Best' Co / Sons" }],
    [{ addressLine1: '5" Pipe Lane' }, { Addr1: "5' Pipe Lane, Indiranagar" }],
    [{ companyName: `${"x".repeat(99)}😀` }, { LglNm: "x".repeat(99) }],
    [
      { gst_code: "97AABCB1234C1Z7", pincode: "400001" },
      { Pin: 999_999, Stcd: "97", Pos: "97" },
    ],
  ])("fits the limits of length and characters: %j", (account, sent) => {
    const { BuyerDtls } = bodyTo(account);
    expect(BuyerDtls).toMatchObject(sent);
  });

  it.each([
    [
      { legalName: "ANITA RAO", tradeName: "RAO OFFICE SUPPLIES" },
      { LglNm: "ANITA RAO", TrdNm: "RAO OFFICE SUPPLIES" },
    ],
    [
      { legalName: "ANITA RAO", tradeName: "" },
      { LglNm: "ANITA RAO", TrdNm: undefined },
    ],
    [
      { legalName: "BO", tradeName: "BO" },
      { LglNm: "M/s BO", TrdNm: "M/s BO" },
    ],
    [null, { LglNm: "Acme Tools", TrdNm: undefined }],
  ])("takes the names of the register: %j", (names, sent) => {
    const { BuyerDtls } = bodyTo({}, names);
    expect({ TrdNm: undefined, ...BuyerDtls }).toMatchObject(sent);
  });

  it("satisfies the portal for any input", () => {
    const text = fc.string({ unit: "binary", maxLength: 400 });
    fc.assert(
      fc.property(text, text, text, text, (companyName, addressLine1, addressLine2, city) => {
        const read = documentBody.safeParse(bodyTo({ companyName, addressLine1, addressLine2, city }));
        expect(read.error?.issues ?? []).toEqual([]);
      }),
    );
  });
});

it("shortens and completes a text to fit the limits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, completed) => {
      const sent = portalText("locality", text, completed);
      expect(sent.length).toBeGreaterThanOrEqual(3);
      expect(sent.length).toBeLessThanOrEqual(50);
      expect(sent).not.toMatch(/["\\]/);
      expect(isTooShort("locality", sent)).toBe(false);
    }),
  );
});

describe("the form", () => {
  const answers = accountAnswers({ gst_code: gstin });
  it.each([
    [{ companyName: "EY" }, ["companyName"]],
    [{ city: "Bo" }, ["city"]],
    [{ companyName: " A ", city: "X" }, ["companyName", "city"]],
    [{ companyName: "3M" }, ["companyName"]],
    [{ companyName: "की" }, ["companyName"]],
    [{ gst_code: null, organisationRegistrationNumber: gstin, city: "Bo" }, ["city"]],
    [{ gst_code: "2917USA00012UN2", companyName: "UN" }, ["companyName"]],
    [{ gst_code: null, companyName: "EY", city: "Bo" }, []],
    [{ companyName: "IBM", city: "Goa" }, []],
    [{ addressLine1: "1" }, []],
  ])("refuses short texts only with a GSTIN: %j", (changes, fields) => {
    expect(Object.keys(problemsOf({ ...answers, ...changes }))).toEqual(fields);
  });

  it.each([
    ["Tamilnadu", "33AAACS4321K1ZM", "600018"],
    ["Chattisgarh", "22AABCB1234C1ZO", "492001"],
    // Spellings that only the number resolves.
    ["Daman", "26AABCB1234C1ZG", "396210"],
    ["Leh-Ladakh", "38AABCB1234C1ZB", "194101"],
    ["Bombay", "27AABCB1234C1ZE", "400020"],
    ["Puduchery", "34AABCB1234C1ZJ", "605001"],
  ])("accepts %s as the state of %s", (state, gst_code, pincode) => {
    expect(problemsOf({ ...answers, state, gst_code, pincode })).toEqual({});
  });
});
