/** The invoice's page and PDF over HTTP: their content, access and links. */
import { beforeAll, describe, expect, test } from "vitest";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { demoEmails } from "#sandbox/demo/login.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { type LanguageId, languages } from "#server/foundation/languages/language.ts";
import { queueMail } from "#server/foundation/outbox/mail.ts";
import * as paths from "#server/foundation/paths.ts";
import { sendMail } from "#server/mail/send.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { pdfOf, wordsOf } from "#tests/support/invoice-documents.ts";
import { type OpenPayment, toCheckout } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import { paidOrder, payFor } from "#tests/support/paid-order.ts";
import { embeddedText } from "#tests/support/pdf-text.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();
beforeAll(async () => {
  await loadDemoData(context.db);
});

async function browserOf(email: string): Promise<HttpBrowser> {
  const user = await findUserByEmail(context.db, email);
  if (user === null) throw new Error(`No ${email}`);
  return signedIn(context, stack.url, { userId: user.id, email });
}

test("shows number, parties, GSTINs, tax and total on page and PDF after payment", async () => {
  const order = await paidOrder(stack);
  const page = await order.browser.get(paths.invoice(order.id));
  expect(page.status).toBe(200);
  // No React, because the page is only read and printed.
  expect(page.text).not.toContain("__remixContext");
  const { response, pages } = await pdfOf(order.browser, order.id);
  expect(response.headers.get("content-type")).toBe("application/pdf");
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="invoice-IN-\d\d-\d\d-\d{6}\.pdf"$/,
  );
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const total = new Intl.NumberFormat("en-IN", { minimumFractionDigits: 2 }).format(order.totalMinor / 100);
  for (const words of [wordsOf(page.text), pages.join(" ")]) {
    expect(words).toContain("Tax Invoice");
    expect(words).toMatch(/IN\/\d\d-\d\d\/\d{6}/);
    expect(words).toContain("Acme Tools");
    expect(words).toContain("GSTIN 29AABCH9876K1ZR");
    expect(words).toContain("Karnataka (29)");
    expect(words).toContain("997331");
    expect(words).toMatch(/CGST 9% ₹[\d,.]+ SGST 9% ₹[\d,.]+/);
    expect(words).toContain(`Total (INR) ₹${total}`);
    expect(words).toContain("This is a computer-generated invoice");
  }
  expect(page.text).toContain(`href="${paths.invoicePdf(order.id)}"`);
  expect(wordsOf(page.text)).toMatch(
    /How this was calculated A license for [^.]* costs ₹[\d,.]+ per year \(our first price list\)\. \d+ licenses? ×/,
  );
});

test("explains the total the same way in the review and on the invoice", async () => {
  const order = await toCheckout(stack.url);
  const computedIn = (html: string) => /How this was calculated<\/summary>(.*?)<\/details>/s.exec(html)?.[1];
  const review = await order.browser.get(`${order.path}/place-order`);
  await payFor(order, stack.sandboxUrl);
  const invoice = await order.browser.get(paths.invoice(order.id));
  expect(computedIn(review.text)).toContain("The total is");
  expect(computedIn(invoice.text)).toBe(computedIn(review.text));
});

test("shows an American invoice in dollars, without GST", async () => {
  const order = await toCheckout(stack.url, { country: "US" });
  const { paymentId, signature } = await controls.pay({
    orderId: order.providerOrderId,
    webhook: false,
  });
  await order.browser.post("/payments/return", {
    razorpay_payment_id: paymentId,
    razorpay_order_id: order.providerOrderId,
    razorpay_signature: signature,
  });
  const page = wordsOf(mainContentOf((await order.browser.get(paths.invoice(order.id))).text));
  const { pages } = await pdfOf(order.browser, order.id);
  for (const words of [page, pages.join(" ")]) {
    expect(words).toMatch(/US\/\d{4}\/\d{6}/);
    expect(words).toMatch(/Total \(USD\) \$[\d,]+\.\d\d/);
    expect(words).not.toMatch(/GST|SAC|Tax Invoice|₹/);
    expect(words).toContain("Hubs of Happiness Incorporated");
    expect(words).toContain("San Francisco, California 94104");
    expect(words).not.toContain("7th Floor");
  }
});

describe("an invoice's language", () => {
  const speaks = (browser: HttpBrowser, language: LanguageId) =>
    browser.post(paths.language(), { language, next: "/" });
  /** Buys in a browser with this language. */
  async function boughtIn(language: LanguageId, country: "IN" | "US" = "IN") {
    const browser = new HttpBrowser(stack.url);
    await speaks(browser, language);
    const order = await toCheckout(stack.url, { browser, country });
    await payFor(order, stack.sandboxUrl);
    return order;
  }
  async function documentsOf({ browser, id }: OpenPayment) {
    const { text: page } = await browser.get(paths.invoice(id));
    const [article = ""] = /<article class="invoice".*<\/article>/s.exec(page) ?? [];
    return { page, article, file: (await pdfOf(browser, id)).file };
  }

  test.each(["IN", "US"] as const)(
    "stays Hindi (%s) when its reader switches to English",
    async (country) => {
      const order = await boughtIn("hi", country);
      const before = await documentsOf(order);
      expect(before.page).toContain(`<html lang="hi">`);
      expect(before.page).toContain(languages.hi.messages.invoice.download);
      await speaks(order.browser, "en");
      const after = await documentsOf(order);
      expect(after.page).toContain(`<html lang="en">`);
      expect(after.page).toMatch(
        country === "IN" ? /<title>Tax Invoice IN\/[^<]* \|/ : /<title>Invoice US\//,
      );
      for (const words of ["Download PDF", "My Orders", "My Subscriptions"])
        expect(after.page).toContain(words);

      expect(after.article).toBe(before.article);
      expect(after.file).toEqual(before.file);
      const kept = embeddedText(after.file);
      for (const said of [wordsOf(after.article), kept.join(" ")]) {
        expect(said).toContain(languages.hi.messages.invoice[country === "IN" ? "taxTitle" : "title"]);
        expect(said).toContain("एक साल, सालाना बिल");
        expect(said).toContain(country === "IN" ? "रुपये मात्र" : "अमेरिका");
      }
      expect(after.article).toMatch(/^<article class="invoice" lang="hi">/);
      expect(wordsOf(after.article)).not.toMatch(/Invoice|Billed|Licences|Total|computer/);
    },
  );

  test("stays English when its reader switches to Hindi", async () => {
    const order = await boughtIn("en");
    const before = await documentsOf(order);
    await speaks(order.browser, "hi");
    const after = await documentsOf(order);
    expect(after.page).toContain(languages.hi.messages.invoice.download);
    expect(after.page).toContain(`<title>${languages.hi.messages.invoice.taxTitle} IN/`);
    expect(after.article).toBe(before.article);
    expect(after.article).toMatch(/^<article class="invoice" lang="en">/);
    expect(wordsOf(after.article)).not.toMatch(/[\u0900-\u097f]/);
    expect(after.file).toEqual(before.file);
    expect(embeddedText(after.file)).toEqual([]);
  });
});

test("returns 404 for unpaid and unknown orders", async () => {
  const order = await toCheckout(stack.url);
  const nowhere = "3f0c0000-0000-4000-8000-000000000000";
  for (const id of [order.id, nowhere, "not-an-id"]) {
    expect((await order.browser.get(paths.invoice(id))).status).toBe(404);
    expect((await order.browser.get(paths.invoicePdf(id))).status).toBe(404);
  }
});

test("links the demo's five invoices for owner and viewer from the last step", async () => {
  const { db } = context;
  const orders = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select(["orders.id", "invoices.number", "paid_at", "issued_at"])
    .where("stage", "=", "stage4")
    .orderBy("paid_at")
    .execute();
  expect(orders).toHaveLength(5);
  for (const { paid_at, issued_at } of orders) expect(issued_at).toEqual(paid_at);
  const [owner, viewer] = [await browserOf(demoEmails.owner), await browserOf(demoEmails.viewer)];
  for (const { id, number } of orders) {
    const page = await owner.get(paths.invoice(id));
    expect(wordsOf(page.text)).toContain(number);
    expect(wordsOf(page.text)).toContain("GSTIN 29AABCB1234C1ZA");
    expect((await viewer.get(paths.invoice(id))).text).toContain(number);
  }
  const [first] = orders;
  if (first === undefined) throw new Error("Expected an order");
  const closure = await owner.get(
    `${paths.order({ id: first.id, family: "microsoft", item: "microsoft-365-business-standard", country: "IN" })}/order-processed`,
  );
  expect(closure.text).toContain(`href="${paths.invoice(first.id)}"`);
});

test("links the invoice in the confirmation mail", async () => {
  const order = await paidOrder(stack);
  const { db, env } = context;
  await db.transaction().execute((trx) =>
    queueMail(trx, {
      kind: "order-confirmation",
      dedupeKey: `invoice-link:${order.id}`,
      recipient: order.email,
      orderId: order.id,
    }),
  );
  const { id } = await db
    .selectFrom("mails")
    .select("id")
    .where("dedupe_key", "=", `invoice-link:${order.id}`)
    .executeTakeFirstOrThrow();
  await sendMail(context, id);
  const [mail] = await controls.inbox(order.email);
  expect(mail?.text).toContain(`${env.PUBLIC_URL}${paths.invoice(order.id)}\n`);
});
