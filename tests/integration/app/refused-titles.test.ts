/** The page title after a refused post begins with "Error:", which screen readers announce first. */
import { beforeAll, describe, expect, test } from "vitest";
import { makePlaces, type Places } from "#tests/bench/places.ts";
import { screens } from "#tests/bench/screens.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { beginOrder, plan, toReview } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
let places: Places;
beforeAll(async () => {
  places = await makePlaces(stack, context);
});

const languages = { en: { "Accept-Language": "en" }, hi: { "Accept-Language": "hi-IN,hi;q=0.9,en;q=0.5" } };
const marks = { en: "Error: ", hi: "त्रुटि: " };
type Language = keyof typeof languages;
const titleOf = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "";

/** A form that every page refuses before it changes anything: its name is not a field's name. */
const refusedForm = "a[60000000]=1";
const send = (browser: HttpBrowser, path: string, body: string, language: Language) =>
  browser.ask(path, {
    method: "POST",
    headers: {
      "Sec-Fetch-Site": "same-origin",
      "Content-Type": "application/x-www-form-urlencoded",
      ...languages[language],
    },
    body,
  });

describe("the title after a refused form", () => {
  test.each(["en", "hi"] as const)(
    "begins with the mark on every page with a form, in %s",
    async (language) => {
      const marked: string[] = [];
      for (const { name, file, at } of screens) {
        const { path, browser } = await at(places);
        const answer = await send(browser.fromElsewhere(), path, refusedForm, language);
        if (!answer.text.includes('class="error-summary"')) continue;
        expect(answer.status, name).toBe(400);
        // The Desk is in English only.
        const mark = file.startsWith("desk/") ? marks.en : marks[language];
        expect(titleOf(answer.text), name).toMatch(new RegExp(`^${mark}(?!${mark})\\S`));
        const before = await browser.fromElsewhere().get(path, languages[language]);
        expect(titleOf(before.text), name).not.toContain(mark);
        expect(titleOf(answer.text), name).toBe(`${mark}${titleOf(before.text)}`);
        marked.push(name);
      }
      expect(marked).toEqual(
        expect.arrayContaining([
          "login",
          "sign up",
          "forgot password",
          "reset password",
          "quote",
          "members",
          "1 Subscription Details, new",
          "3 Place Order",
          "4 Sign-In",
          "desk: sign in",
          "desk: act",
        ]),
      );
      expect(marked.length).toBeGreaterThan(30);
    },
  );

  test("begins with the mark after an empty field, also in the GST dialog", async () => {
    const buyer = new HttpBrowser(stack.url);
    const { path } = await beginOrder(buyer);
    for (const [form, at] of [
      [{ email: "", password: "" }, "/login"],
      [{ email: "not an email" }, "/signup"],
      [{ intent: "account" }, `${path}/create-account`],
      [{ intent: "address", way: "gst", gstin: "" }, `${path}/create-account?address=choose`],
      [{ term: "P1Y", quantity: "0" }, `/order/${plan.family}/${plan.item}/IN`],
    ] as const) {
      const answer = await buyer.post(at, { ...form }, languages.hi);
      expect(answer.status, at).toBe(400);
      expect(titleOf(answer.text), at).toMatch(/^त्रुटि: \S/);
    }
    const review = new HttpBrowser(stack.url);
    const atReview = await toReview(review);
    const unaccepted = await review.post(
      `${atReview.path}/place-order`,
      { intent: "place-order" },
      languages.en,
    );
    expect(unaccepted.status).toBe(400);
    expect(titleOf(unaccepted.text)).toMatch(/^Error: Place Order/);
  });

  test("stays unchanged when a button only updates the total", async () => {
    const shown = await new HttpBrowser(stack.url).post(
      `/order/${plan.family}/${plan.item}/IN`,
      { intent: "update-total", term: "P1Y", quantity: "3" },
      languages.en,
    );
    expect(shown.status).toBe(200);
    expect(titleOf(shown.text)).not.toContain("Error");
  });
});
