/**
 * A hydrated page that a translator changes, at any time after hydration: typed input counts, amounts and errors appear and
 * disappear, and no page is lost. `modified-dom.spec.ts` covers changes before hydration.
 */
import type { Locator, Page } from "playwright/test";
import { createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { makePlaces, type Places } from "#tests/bench/places.ts";
import { screens } from "#tests/bench/screens.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { expect, test as shared } from "./fixtures.ts";
import { newPrefix } from "./pages/sign-in-step.ts";
import { hydrated, translate, translateAlways } from "./pages/translator.ts";

const test = shared.extend<object, { everything: { stack: Stack; places: Places } }>({
  everything: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names from the pattern
    async ({}, use) => {
      const stack = await startStack({ worker: false, env: { TRUSTED_PROXIES: "1" } });
      const context = createContext(readEnv({ ...stack.env, LOG_LEVEL: "silent" }), "translated");
      await use({ stack, places: await makePlaces(stack, context) });
      await context.db.destroy();
      await stack.stop();
    },
    { scope: "worker" },
  ],
});

test.describe.configure({ mode: "default" });

const total = (page: Page) => page.locator("[data-bill=total]");
const bar = (page: Page) => page.locator(".bar > span");
const nextButton = (page: Page) => page.locator("main .bar button[type=submit]");

test("a step translated after it has loaded is bought as it is typed @journey", async ({ page, shop }) => {
  await translateAlways(page);
  await shop.details.open("microsoft-365-business-basic", "IN");
  await expect(bar(page).locator("font font").first()).toHaveText(/कुल/);
  for (const [typed, said] of [
    ["7", /^₹/],
    ["12", /^₹/],
    ["", /^–$/],
    ["0", /^–$/],
    ["400", /^–$/],
    ["12", /^₹/],
  ] as const) {
    await shop.details.quantity.fill(typed);
    await expect(total(page)).toHaveText(said);
    await expect(bar(page)).toHaveText(said.source === "^–$" ? "" : /^कुल ₹/);
  }
  const shown = await total(page).textContent();
  const one = async (quantity: string) => {
    await shop.details.quantity.fill(quantity);
    await expect(page.locator(".total-said output")).toContainText(`${quantity} × `);
    return total(page).textContent();
  };
  expect(await one("7")).not.toBe(shown);
  expect(await one("12")).toBe(shown);
  await nextButton(page).click();
  await expect(page).toHaveURL(/create-account/);
  await expect(shop.panel.root).toContainText("12 licenses");
  await shop.walkFromAccount();
  await shop.pay();
  await shop.signIn.newTenant(newPrefix());
  await shop.expectStep("closure");
});

/** Waits for the use of a control that an earlier one may have removed meanwhile: Playwright would wait until it is back. */
async function unlessItGoes(one: Locator, use: Promise<void>): Promise<void> {
  const gone = one.waitFor({ state: "hidden" });
  for (const either of [use, gone]) either.catch(() => undefined);
  await Promise.race([use, gone]);
}

/** Uses every visible control of a page twice, and restores it. */
async function useControls(page: Page): Promise<void> {
  const main = page.locator("main");
  const each = async (found: Locator, use: (one: Locator) => Promise<void>) => {
    for (const one of await found.all()) if (await one.isVisible()) await unlessItGoes(one, use(one));
  };
  await each(main.locator("summary"), async (one) => {
    await one.click();
  });
  await each(main.locator("button[popovertarget]:not(.dialog button)"), async (one) => {
    await one.click();
    await page.keyboard.press("Escape");
  });
  const radios = main.locator("input[type=radio]:enabled");
  const chosen = await radios.evaluateAll((all) =>
    all.findIndex((one) => one instanceof HTMLInputElement && one.checked),
  );
  await each(radios, (one) => one.check());
  if (chosen >= 0 && (await radios.nth(chosen).isVisible())) await radios.nth(chosen).check();
  await each(main.locator("input[type=checkbox]:enabled"), async (one) => {
    await one.click();
    await one.click();
  });
  await each(main.locator("select:enabled"), async (one) => {
    const before = await one.inputValue();
    for (const value of await one
      .locator("option")
      .evaluateAll((all) => all.map((option) => option.getAttribute("value") ?? "")))
      await one.selectOption(value);
    await one.selectOption(before);
  });
  await each(
    main.locator("input:not([type=radio], [type=checkbox], [type=hidden], [readonly]), textarea"),
    async (one) => {
      const before = await one.inputValue();
      for (const text of ["7", "12", "", "0", "400", before]) {
        await one.fill(text);
        await one.blur();
      }
    },
  );
}

/** Expects that the visible amount of a step that asks for a number of licences matches the number. */
async function expectSums(page: Page): Promise<void> {
  const quantity = page.locator("main input[name=quantity]");
  if (!(await quantity.isVisible())) return;
  const sumOf = async (number: string) => {
    await quantity.fill(number);
    await expect(page.locator(".total-said output")).toContainText(`${number} × `);
    const sum = (await total(page).textContent()) ?? "";
    await expect(bar(page)).toHaveText(`कुल ${sum}`);
    return sum;
  };
  const [seven, twelve] = [await sumOf("7"), await sumOf("12")];
  expect(seven).not.toBe(twelve);
  for (const wrong of ["", "0"]) {
    await quantity.fill(wrong);
    await expect(bar(page)).toHaveText("");
  }
  expect(await sumOf("7")).toBe(seven);
}

/** Posts the page's form with mistakes, so that its errors appear, and edits each field, so that they disappear. */
async function provokeErrors(page: Page): Promise<void> {
  const form = page.locator("main form:has(.error-summary, input:not([type=hidden]))").first();
  if ((await form.count()) === 0) return;
  for (const field of await form
    .locator("input:not([type=radio], [type=checkbox], [type=hidden], [readonly])")
    .all())
    if (await field.isVisible()) await field.fill("");
  for (const box of await form.locator("input[type=checkbox]:enabled").all())
    if (await box.isVisible()) await box.uncheck();
  await form.evaluate((element) => element instanceof HTMLFormElement && element.requestSubmit());
  await page.waitForLoadState("networkidle");
  for (const field of await page.locator("main [aria-invalid=true]").all()) {
    if (await field.isVisible().catch(() => false)) await field.pressSequentially("1").catch(() => undefined);
  }
}

for (const { name, at } of screens.filter((screen) => screen.hydrated))
  test(`${name} survives a translator`, async ({ browser, everything: { stack, places } }) => {
    const { path, browser: visitor } = await at(places);
    const context = await browser.newContext({ locale: "en-IN" });
    const cookies = Object.entries(visitor.cookies()).filter(([cookie]) => cookie !== "language");
    if (cookies.length > 0)
      await context.addCookies(cookies.map(([key, value]) => ({ name: key, value, url: stack.url })));
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        problems.push(message.text());
    });
    await page.goto(`${stack.url}${path}`);
    await hydrated(page);
    await translate(page);
    await useControls(page);
    await expectSums(page);
    await provokeErrors(page);
    await useControls(page);
    expect(problems).toEqual([]);
    await expect(page.locator("h1")).not.toContainText("Error");
    await expect(page.locator("main")).not.toContainText("The fault is ours");
    await context.close();
  });
