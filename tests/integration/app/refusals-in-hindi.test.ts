/** Refusals in the visitor's language: error pages, fields, prices and payments. API calls respond in English. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { money } from "#db/money.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { ApiClient } from "#tests/support/api-client.ts";
import { HttpBrowser, hiddenFieldValue, mainContentOf } from "#tests/support/http-browser.ts";
import {
  beginOrder,
  type OrderPlace,
  plan,
  returnForm,
  toCheckout,
  toReview,
} from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();

const languages = { en: { "Accept-Language": "en" }, hi: { "Accept-Language": "hi-IN,hi;q=0.9,en;q=0.5" } };
const hindi = textIn("hi");
const english = textIn("en");
const visitor = () => new HttpBrowser(stack.url);
const titleOf = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1];
/** Returns the error messages next to the fields. */
const problemsIn = (html: string) =>
  [...mainContentOf(html).matchAll(/<p class="error"[^>]*>([^<]*)<\/p>/g)].map(([, said = ""]) => said);
const inEnglish = /[A-Za-z]{2,} [a-z]{2,} [a-z]/;

const step1 = `/order/${plan.family}/${plan.item}/IN`;

describe("an error page", () => {
  test("translates missing pages and orders of others", async () => {
    const nowhere = await visitor().get("/no-such-page", languages.hi);
    expect(nowhere.status).toBe(404);
    expect(titleOf(nowhere.text)).toContain(`${hindi("errors.notFoundTitle")} | `);
    expect(mainContentOf(nowhere.text)).toContain(hindi("errorPage.noPage", { address: "/no-such-page" }));
    const buyer = visitor();
    await toReview(buyer);
    const order = await buyer.get(`/order/${randomUUID()}${step1.slice("/order".length)}`, languages.hi);
    expect(order.status).toBe(404);
    expect(mainContentOf(order.text)).toContain(hindi("errorPage.lost"));
    for (const { text } of [nowhere, order]) expect(mainContentOf(text)).not.toMatch(inEnglish);
    const same = await visitor().get("/no-such-page", languages.en);
    expect(mainContentOf(same.text)).toContain("There is no page at /no-such-page.");
  });

  test("translates the refusal of a form from another site", async () => {
    const post = (language: keyof typeof languages) =>
      visitor().post(
        step1,
        { term: "P1Y", quantity: "1" },
        {
          "Sec-Fetch-Site": "cross-site",
          ...languages[language],
        },
      );
    const refused = await post("hi");
    expect(refused.status).toBe(403);
    expect(titleOf(refused.text)).toContain(hindi("errors.failedTitle"));
    expect(mainContentOf(refused.text)).toContain(hindi("errors.otherSite"));
    expect(mainContentOf(refused.text)).toContain(hindi("errorPage.closed"));
    expect(mainContentOf((await post("en")).text)).toContain("This form was sent from another site.");
  });

  test("translates the refusal of too many requests", async () => {
    const buyer = visitor();
    const post = (language: keyof typeof languages) =>
      buyer.post("/payments/return", {}, languages[language]);
    const answers = await Promise.all(Array.from({ length: 120 }, () => post("en")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    const refused = await post("hi");
    expect(refused.status).toBe(429);
    const said = mainContentOf(refused.text);
    expect(said).toContain(hindi("errorPage.wait"));
    expect(said).toContain(hindi("errors.paymentGoesOn"));
    expect(said).toMatch(/कृपया \d+ (मिनट|सेकंड) बाद फिर से कोशिश करें।/);
    expect(said).not.toMatch(inEnglish);
    expect(mainContentOf((await post("en")).text)).toMatch(
      /Please don&#x27;t pay again\. Too many attempts\. Please try again in \d+ (minutes?|seconds?)\./,
    );
  });
});

describe("a form", () => {
  test("names every field by its label", async () => {
    const buyer = visitor();
    const { path } = await beginOrder(buyer);
    await buyer.post(`${path}/create-account`, { intent: "choose-address", choice: "manual" });
    const post = (form: object, language: keyof typeof languages) =>
      buyer.post(
        `${path}/create-account`,
        { intent: "account", country: "IN", ...form },
        languages[language],
      );
    const empty = await post({}, "hi");
    expect(empty.status).toBe(400);
    const labels = [
      hindi("createAccount.companyName"),
      hindi("createAccount.addressLine1"),
      hindi("createAccount.addressLine2"),
      hindi("createAccount.city"),
      hindi("createAccount.state"),
      "पिनकोड",
      "संगठन का रजिस्ट्रेशन नंबर (GST या PAN)",
      hindi("createAccount.firstName"),
      hindi("createAccount.lastName"),
      hindi("createAccount.email"),
      hindi("createAccount.countryCode"),
      hindi("createAccount.phoneNumber"),
    ];
    expect(problemsIn(empty.text).sort()).toEqual(
      labels.map((label) => hindi("fields.required", { label })).sort(),
    );
    for (const label of labels)
      expect(mainContentOf(empty.text)).toMatch(new RegExp(`<label[^>]*>${escaped(label)}`));
    expect(mainContentOf(empty.text)).toContain(hindi("forms.problem"));
    expect(problemsIn((await post({}, "en")).text)).toContain("Pincode field is required.");

    const wrong = {
      companyName: "x".repeat(201),
      email: "nobody",
      state: "Nowhere",
      pincode: "1",
      organisationRegistrationNumber: "27AAPFU0939F1ZW",
      gst_code: "1",
      phoneCode: "+91",
      phoneNumber: "1",
    };
    const found = problemsIn((await post(wrong, "hi")).text);
    expect(found).toEqual(
      expect.arrayContaining([
        hindi("fields.tooLong", { label: hindi("createAccount.companyName") }),
        hindi("fields.validEmail"),
        hindi("fields.state"),
        hindi("fields.postcode", { postcode: "पिनकोड" }),
        hindi("fields.gstOrPan", { problem: hindi("fields.gstinCheckDigit") }),
        hindi("fields.gstNumberProblem", { problem: hindi("fields.gstinLength", { length: 1 }) }),
        hindi("fields.phone"),
      ]),
    );
    expect(found.filter((problem) => inEnglish.test(problem))).toEqual([]);
  });

  test.each([
    ["0", hindi("fields.quantity"), "Quantity required and it should be greater than 0"],
    ["301", hindi("fields.quantityMost", { count: 300 }), "You can buy up to 300 licenses in one order."],
  ])("shows why a quantity of %s is refused", async (quantity, inHindi, asBefore) => {
    const post = (language: keyof typeof languages) =>
      visitor().post(step1, { term: "P1Y", quantity }, languages[language]);
    expect(problemsIn((await post("hi")).text)).toEqual([inHindi]);
    expect(problemsIn((await post("en")).text)).toEqual([asBefore]);
  });
});

describe("a payment", () => {
  const review = (order: OrderPlace & { browser: HttpBrowser }, language: keyof typeof languages) =>
    order.browser.get(`${order.path}/place-order`, languages[language]);

  test("shows that a forged return was not confirmed", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await controls.pay({ orderId: order.providerOrderId, webhook: false });
    const forged = returnForm(order.providerOrderId, { paymentId, signature: "0".repeat(64) });
    const post = (language: keyof typeof languages) =>
      order.browser.post(`${order.path}/place-order`, { intent: "paid", ...forged }, languages[language]);
    const refused = await post("hi");
    expect(refused.status).toBe(400);
    expect(mainContentOf(refused.text)).toContain(hindi("refusals.unconfirmed"));
    expect(mainContentOf((await post("en")).text)).toContain("We couldn&#x27;t confirm this payment.");
  });

  test("shows a mismatch in each reader's language, regardless of who reported it", async () => {
    const order = await toCheckout(stack.url);
    const paid = await controls.pay({ orderId: order.providerOrderId, webhook: false, currency: "USD" });
    await visitor().post("/payments/return", returnForm(order.providerOrderId, paid), languages.en);
    const said = { paid: "USD", asked: "INR" };
    expect(mainContentOf((await review(order, "hi")).text)).toContain(hindi("refusals.otherCurrency", said));
    expect(mainContentOf((await review(order, "en")).text)).toContain("Paid in USD instead of INR.");
    const again = await order.browser.post(`${order.path}/place-order`, { intent: "submit" }, languages.hi);
    expect(mainContentOf(again.text)).toContain(hindi("refusals.retryRefused"));
  });

  test("shows a problem that was stored as plain text", async () => {
    const order = await toCheckout(stack.url);
    const paid = await controls.pay({ orderId: order.providerOrderId, webhook: false, currency: "USD" });
    await visitor().post("/payments/return", returnForm(order.providerOrderId, paid));
    const problem = "Paid in an older version.";
    await context.db.updateTable("payments").set({ problem }).where("order_id", "=", order.id).execute();
    expect(mainContentOf((await review(order, "hi")).text)).toContain(problem);
  });

  test("shows both totals when the price has expired", async () => {
    const buyer = visitor();
    const order = await toReview(buyer);
    const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000);
    await context.db
      .updateTable("orders")
      .set({ priced_at: eightDaysAgo })
      .where("id", "=", order.id)
      .execute();
    const place = (language: keyof typeof languages) => {
      const form = { intent: "place-order", terms: "on", total: String(order.totalMinor - 100) };
      return buyer.post(`${order.path}/place-order`, form, languages[language]);
    };
    const refused = await place("hi");
    expect(refused.status).toBe(409);
    const [before, after] = [-100, 0].map((off) => formatMoney(money(order.totalMinor + off, "INR")));
    const sums = { before: before ?? "", after: after ?? "" };
    expect(mainContentOf(refused.text)).toContain(hindi("refusals.totalChanged", sums));
    expect(hiddenFieldValue(refused.text, "total")).toBe(String(order.totalMinor));
    expect(mainContentOf((await place("en")).text)).toContain(english("refusals.totalChanged", sums));
  });
});

test("responds to calls in English regardless of the language", async () => {
  const ask = (body: object) =>
    new ApiClient(stack.url).ask("POST", "/subscriptiondetails", JSON.stringify(body), languages.hi);
  const refused = await ask({ sku_id: plan.item, console: "IP", count: 0 });
  expect(refused.body).toMatchObject({
    fields: { count: "Quantity required and it should be greater than 0" },
  });
  const tooMany = await ask({ sku_id: plan.item, console: "IP", count: 301 });
  expect(tooMany.body).toMatchObject({ error: "You can buy up to 300 licenses in one order." });
  const unknown = await ask({ sku_id: "no-such-plan", console: "IP", count: 1 });
  expect(unknown.body).toMatchObject({ error: "We could not find that plan." });
});

function escaped(text: string): string {
  return text.replace(/[()]/g, "\\$&");
}
