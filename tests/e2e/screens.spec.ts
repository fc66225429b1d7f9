/**
 * Every screen of the product (tests/bench/screens.ts), in each language: what axe finds, whether it fits, also in large text on
 * a telephone, whether it is read in the order in which it is seen, whether its controls are seen in forced colours, and whether it is
 * hydrated if it is to be.
 */
import type { Page } from "playwright/test";
import { createContext } from "#server/context.ts";
import { readEnv } from "#server/env.ts";
import { makePlaces, type Places } from "#tests/bench/places.ts";
import { screens } from "#tests/bench/screens.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { expect, test as shared } from "./fixtures.ts";
import { outOfOrder, unseenInForcedColours } from "./pages/order-and-edges.ts";
import { misfitsInLargeText } from "./pages/screen.ts";

/** Every state of every order, made once for both languages. */
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

const devices = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 800 } };

/** Whether React has the page, if it is to have it. */
function isTakenOver(page: Page): Promise<boolean> {
  return page.evaluate(
    () =>
      document.getElementById("messages") === null ||
      Object.keys(document).some((key) => key.startsWith("__reactContainer")),
  );
}

async function problemsOf(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.setViewportSize(devices.phone);
  found.push(...(await outOfOrder(page)));
  await page.emulateMedia({ forcedColors: "active" });
  found.push(...(await unseenInForcedColours(page)));
  await page.emulateMedia({ forcedColors: null });
  found.push(...(await misfitsInLargeText(page)).map((text) => `large text: ${text}`));
  await page.setViewportSize(devices.desk);
  return found;
}

for (const { language, locale } of [
  { language: "English", locale: "en-IN" },
  { language: "Hindi", locale: "hi-IN" },
]) {
  test.describe(language, () => {
    test.use({ locale });

    test(`every screen is for everyone in ${language}`, async ({
      browser,
      everything: { stack, places },
      expectAccessible,
      expectedErrors,
    }) => {
      expectedErrors.push(/404/);
      // The desk is in English only.
      const shown = locale.startsWith("en")
        ? screens
        : screens.filter(({ file }) => !file.startsWith("desk/"));
      for (const { name, at } of shown) {
        await test.step(name, async () => {
          const { path, browser: visitor } = await at(places);
          const context = await browser.newContext({ locale, viewport: devices.desk });
          const cookies = Object.entries(visitor.cookies()).filter(([cookie]) => cookie !== "language");
          if (cookies.length > 0)
            await context.addCookies(cookies.map(([key, value]) => ({ name: key, value, url: stack.url })));
          const page = await context.newPage();
          await page.goto(`${stack.url}${path}`);
          await expect.poll(() => isTakenOver(page), { message: `${name} is not hydrated` }).toBe(true);
          await expect.soft(page.locator("html"), name).toHaveAttribute("lang", locale.slice(0, 2));
          expect.soft(await problemsOf(page), `${name} at ${path}`).toEqual([]);
          await expectAccessible(page);
          await context.close();
        });
      }
    });
  });
}
