/**
 * Every screen of the product (tests/bench/screens.ts): axe's findings, whether it fits, also in large text on a phone, whether
 * its reading order matches its visual order, whether its controls are visible in forced colours, and whether it is hydrated if
 * it should be. In Hindi too, except for colours and borders, which are the same.
 */
import type { Page } from "playwright/test";
import { createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { makePlaces, type Places } from "#tests/bench/places.ts";
import { screens } from "#tests/bench/screens.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { expect, test as shared } from "./fixtures.ts";
import { violations, violationsInDark } from "./pages/accessible.ts";
import { outOfOrder, unseenInForcedColours } from "./pages/order-and-edges.ts";
import { misfitsAtEachWidth, misfitsInLargeText } from "./pages/screen.ts";

/** Every state of every order, created once for both languages. */
const test = shared.extend<object, { everything: { stack: Stack; places: Places } }>({
  everything: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names from the pattern
    async ({}, use) => {
      const stack = await startStack({ worker: false, env: { TRUSTED_PROXIES: "1" } });
      const context = createContext(readEnv({ ...stack.env, LOG_LEVEL: "silent" }), "screens");
      await use({ stack, places: await makePlaces(stack, context) });
      await context.db.destroy();
      await stack.stop();
    },
    { scope: "worker" },
  ],
});
test.describe.configure({ mode: "default" });

/** Whether React has hydrated the page, if it should. */
const isTakenOver = () =>
  document.getElementById("messages") === null ||
  Object.keys(document).some((key) => key.startsWith("__reactContainer"));

/** Leaves the window as wide as a phone. @param isWhole false for another language, which has the same colours and borders */
async function problemsOf(page: Page, isWhole: boolean): Promise<string[]> {
  const found = await violations(page, isWhole ? [] : ["color-contrast"]);
  if (isWhole) found.push(...(await violationsInDark(page)));
  found.push(...(await misfitsAtEachWidth(page)), ...(await outOfOrder(page)));
  found.push(...(await misfitsInLargeText(page)).map((text) => `large text: ${text}`));
  if (!isWhole) return found;
  await page.emulateMedia({ forcedColors: "active" });
  found.push(...(await unseenInForcedColours(page)));
  await page.emulateMedia({ forcedColors: null });
  return found;
}

// One window shows all screens, so that it loads the store's files and axe once. Service workers must not answer for them.
test.use({ viewport: { width: 1280, height: 740 }, serviceWorkers: "block" });

for (const { language, locale } of [
  { language: "English", locale: "en-IN" },
  { language: "Hindi", locale: "hi-IN" },
]) {
  test.describe(language, () => {
    test.use({ locale });

    test(`every screen is accessible in ${language}`, async ({
      context,
      page,
      everything: { stack, places },
    }) => {
      const isEnglish = locale.startsWith("en");
      // Desk is in English only.
      const shown = isEnglish ? screens : screens.filter(({ file }) => !file.startsWith("desk/"));
      for (const { name, at } of shown) {
        await test.step(name, async () => {
          const { path, browser: visitor } = await at(places);
          const cookies = Object.entries(visitor.cookies()).filter(([cookie]) => cookie !== "language");
          await context.clearCookies();
          await context.addCookies(cookies.map(([key, value]) => ({ name: key, value, url: stack.url })));
          await page.setViewportSize({ width: 1280, height: 740 });
          await page.goto(`${stack.url}${path}`);
          await page.waitForFunction(isTakenOver);
          const lang = await page.evaluate(() => document.documentElement.lang);
          expect.soft(lang, name).toBe(locale.slice(0, 2));
          expect.soft(await problemsOf(page, isEnglish), `${name} at ${path}`).toEqual([]);
        });
      }
    });
  });
}
