/**
 * Orders with a special tax treatment: from a company in a special economic zone, and from abroad. The payment, the invoice
 * page and the PDF match the review.
 */
import { describe, expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { pdfOf, wordsOf } from "#tests/support/invoice-documents.ts";
import { type OpenPayment, toCheckout, toReview } from "#tests/support/journey.ts";
import { payFor } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

// There is no US seller, so the Indian one exports.
const { stack, context } = await startStore({
  worker: true,
  env: { SELLER_NAME_US: "", SELLER_ADDRESS_US: "", SELLER_EIN_US: "", SELLER_LUT: letters() },
});
const { db } = context;

/** Returns letters of undertaking for every financial year in which this test may run. */
function letters(): string {
  const year = new Date().getFullYear();
  return [year - 1, year, year + 1]
    .map((first) => `${first}-${String(first + 1).slice(2)} AD2903${first}00103V`)
    .join("; ");
}

const zone = {
  companyName: "Silver Comet Software Private Limited",
  organisationRegistrationNumber: "29AAGCS5678Q1Z7",
  gst_code: "29AAGCS5678Q1Z7",
};

const orderOf = ({ id }: { id: OpenPayment["id"] }) =>
  db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const reviewOf = async (browser: HttpBrowser, { path }: { path: string }) =>
  wordsOf(mainContentOf((await browser.get(`${path}/place-order`)).text));

async function registered({ id }: OpenPayment) {
  const read = () => db.selectFrom("e_invoices").selectAll().where("order_id", "=", id).executeTakeFirst();
  await until("the invoice is registered", async () => (await read())?.state === "final");
  return read();
}

async function documentsOf(order: OpenPayment) {
  const page = wordsOf(mainContentOf((await order.browser.get(paths.invoice(order.id))).text));
  return [page, (await pdfOf(order.browser, order.id)).pages.join(" ")];
}

describe("a company in a special economic zone in the seller's own state", () => {
  test("pays no GST under a letter of undertaking; the invoice gives the reason", async () => {
    const browser = new HttpBrowser(stack.url);
    const order = await toReview(browser, { quantity: 7, account: zone });
    const said = await reviewOf(browser, order);
    expect(said).toContain("No GST: your company is in a special economic zone");
    expect(said).not.toMatch(/CGST|IGST|Estimated tax/);
    const { subtotal_minor, tax_minor, total_minor } = await orderOf(order);
    expect(tax_minor).toBe(0);
    expect(total_minor).toBe(Math.round(subtotal_minor / 100) * 100);
    expect(order.totalMinor).toBe(total_minor);

    const paid = await toCheckout(stack.url, { quantity: 7, account: zone });
    await payFor(paid, stack.sandboxUrl);
    const document = await registered(paid);
    expect(document?.body).toMatchObject({
      TranDtls: { SupTyp: "SEZWOP" },
      BuyerDtls: { Gstin: zone.gst_code, Pos: "29" },
      ValDtls: { IgstVal: 0, CgstVal: 0, SgstVal: 0, TotInvVal: total_minor / 100 },
    });
    for (const words of await documentsOf(paid)) {
      expect(words).toContain("SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS UNDER BOND");
      expect(words).toMatch(/Letter of undertaking: AD2903\d{4}00103V/);
      expect(words).toContain("Karnataka (29)");
      expect(words).not.toMatch(/CGST|IGST 18/);
      expect(words).toContain(document?.ack_number);
      expect(words.replaceAll(" ", "")).toContain(document?.irn);
      expect(words).toContain("Service period");
    }
  });

  test("sees the price with GST until its GSTIN is known, then without", async () => {
    const browser = new HttpBrowser(stack.url);
    const order = await toReview(browser, { quantity: 7 });
    expect(await reviewOf(browser, order)).toContain("CGST 9% + SGST 9%, supplied to Karnataka");
    const before = await orderOf(order);
    const { email } = order;
    const form = { intent: "account", email, firstName: "Asha", lastName: "Rao", phoneCode: "+91" };
    const address = { addressLine1: "7", addressLine2: "Whitefield", city: "Bengaluru", state: "Karnataka" };
    await browser.post(`${order.path}/create-account`, {
      ...form,
      ...address,
      pincode: "560066",
      country: "IN",
      phoneNumber: "9876543210",
      ...zone,
    });
    const after = await orderOf(order);
    expect(after.subtotal_minor).toBe(before.subtotal_minor);
    expect(before.tax_minor).toBeGreaterThan(0);
    expect(after.tax_minor).toBe(0);
    expect(await reviewOf(browser, order)).toContain("No GST");
  });
});

describe("a buyer in the USA of the Indian seller", () => {
  test("pays no tax under a letter of undertaking and gets an export invoice", async () => {
    const browser = new HttpBrowser(stack.url);
    const review = await toReview(browser, { country: "US", quantity: 3 });
    expect(await reviewOf(browser, review)).toContain(
      "No GST: this is an export under a letter of undertaking.",
    );

    const order = await toCheckout(stack.url, { country: "US", quantity: 3 });
    await payFor(order, stack.sandboxUrl);
    const document = await registered(order);
    const cents = order.totalMinor;
    expect(document?.body).toMatchObject({
      TranDtls: { SupTyp: "EXPWOP" },
      BuyerDtls: { Gstin: "URP", Pin: 999_999, Stcd: "96", Pos: "96" },
      ExpDtls: { CntCode: "US", ForCur: "USD" },
      ValDtls: { IgstVal: 0, TotInvVal: Math.round(cents * 84.5) / 100, TotInvValFc: cents / 100 },
    });
    for (const words of await documentsOf(order)) {
      expect(words).toMatch(/US\/\d\d-\d\d\/\d{6}/);
      expect(words).toContain("Tax Invoice");
      expect(words).toContain("GSTIN 29AABCH9876K1ZR");
      expect(words).toContain("Foreign country (96)");
      expect(words).toContain("SUPPLY MEANT FOR EXPORT UNDER BOND OR LETTER OF UNDERTAKING WITHOUT PAYMENT");
      expect(words).toMatch(/Total \(INR, at 84\.5 for 1 USD\) ₹[\d,]+\.\d\d/);
    }
  });
});

describe("a GSTIN warning from the register", () => {
  const account = (gstin: string, changes: Record<string, string>) => ({
    organisationRegistrationNumber: gstin,
    gst_code: gstin,
    ...changes,
  });
  test.each([
    [
      "a registration that was cancelled",
      account("33AAACS4321K1ZM", {
        companyName: "Southern Kite Exports Ltd",
        state: "Tamil Nadu",
        city: "Chennai",
        pincode: "600018",
      }),
      "lists this GST registration as cancelled",
    ],
    [
      "a number of another name",
      account("29AABCB1234C1ZA", { companyName: "Acme Tools" }),
      "under a different name: BRIGHT ORCHARD TECHNOLOGIES PRIVATE LIMITED",
    ],
  ])("shows %s in the review and at the field without blocking", async (_what, given, words) => {
    const browser = new HttpBrowser(stack.url);
    const order = await toReview(browser, { account: given });
    expect(await reviewOf(browser, order)).toContain(words);
    const form = await browser.get(`${order.path}/create-account`);
    expect(wordsOf(form.text)).toContain(words);
  });

  test("does not appear for another spelling of the name", async () => {
    const browser = new HttpBrowser(stack.url);
    const given = account("29AABCB1234C1ZA", { companyName: "Bright Orchard Technologies Pvt. Ltd." });
    const order = await toReview(browser, { account: given });
    expect(await reviewOf(browser, order)).not.toMatch(/different name|register lists/);
  });
});

test("logs no errors", () => {
  expect(stack.unexpectedErrors()).toEqual([]);
});
