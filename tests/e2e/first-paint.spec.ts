/**
 * Cost of a first visit: bytes and requests of a few screens of each kind against the budgets (`npm run bench` visits all of
 * them, on a slow line), and inline styles that cover the first screen.
 */
import { languageIds, languages } from "#server/foundation/languages/language.ts";
import * as paths from "#server/foundation/paths.ts";
import { brokenByTraffic } from "#tests/bench/budgets.ts";
import { visit } from "#tests/bench/visit.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { beginOrder, toCheckout, toReview } from "#tests/support/journey.ts";
import { expect, test } from "./fixtures.ts";

const plain = { hydrated: false, mostRequests: 5 };
const hydrated = { hydrated: true, mostRequests: 16 };

for (const [path, kind] of [
  // A separate script turns the offers.
  ["/", { ...plain, mostRequests: 8 }],
  // Plans have a separate stylesheet, and further searches a separate script.
  ["/search?query=email", { ...plain, mostRequests: 7 }],
  ["/login", plain],
  ["/order/microsoft/microsoft-365-business-basic/IN", hydrated],
] as const) {
  test(`${path} stays within its budgets`, async ({ browser, baseURL }) => {
    const { traffic, paint } = await visit(browser, `${baseURL}${path}`, { scripts: true });
    expect(brokenByTraffic(traffic, { hydrated: kind.hydrated })).toEqual([]);
    expect(traffic.requests).toBeLessThanOrEqual(kind.mostRequests);
    expect(traffic.react.length > 0).toBe(kind.hydrated);
    // A measurement without data would pass any budget.
    for (const bytes of [traffic.bytes.document, traffic.bytes.stylesheet, traffic.bytes.script])
      expect(bytes).toBeGreaterThan(1_000);
    expect(paint.cls).toBe(0);
  });
}

for (const language of languageIds) {
  test(`home stays within its budgets in ${languages[language].name}`, async ({ browser, baseURL }) => {
    const visitor = new HttpBrowser(baseURL ?? "");
    await visitor.post(paths.language(), { language });
    const { traffic } = await visit(browser, `${baseURL}/`, { visitor, scripts: true });
    expect(brokenByTraffic(traffic, { hydrated: false })).toEqual([]);
  });
}

test("a step is painted before its scripts are requested", async ({ page }) => {
  await page.goto("/order/microsoft/microsoft-365-business-basic/IN");
  await page.waitForFunction(() => "__remixRouteModules" in window);
  const timing = await page.evaluate(() => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    const scripts = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js"));
    return { paintedAt: paint?.startTime ?? 0, scripts: scripts.map(({ startTime }) => startTime) };
  });
  expect(timing.paintedAt).toBeGreaterThan(0);
  // Only the shared script may come before.
  expect(timing.scripts.length).toBeGreaterThan(5);
  expect(timing.scripts.filter((at) => at < timing.paintedAt).length).toBeLessThanOrEqual(1);
});

test("a key pressed during hydration does not break the step", async ({ page }) => {
  await page.addInitScript(() => {
    const listen = document.addEventListener.bind(document);
    // React listens as soon as it starts, and renders a task later.
    document.addEventListener = (...[type, listener, options]: Parameters<typeof listen>) => {
      listen(type, listener, options);
      if (type === "keydown")
        queueMicrotask(() => document.body.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true })));
    };
  });
  await page.goto("/order/microsoft/microsoft-365-business-basic/IN");
  const heading = page.getByRole("heading", { level: 1 });
  await expect
    .poll(() => heading.evaluate((element) => Object.keys(element).some((key) => key.startsWith("__react"))))
    .toBe(true);
});

test("a domain typed before the scripts load is checked once they do", async ({ page, shop }) => {
  let letScriptsCome = () => {};
  const typed = new Promise<void>((resolve) => {
    letScriptsCome = resolve;
  });
  await page.route(/\/assets\/.+\.js$/, async (route) => {
    await typed;
    await route.continue();
  });
  // The page's load event waits for its scripts.
  await page.goto("/order/google/google-workspace-business-starter/IN", { waitUntil: "commit" });
  await shop.details.domain.fill(`typed-early-${Date.now().toString(36)}.example`);
  letScriptsCome();
  await expect(page.getByText("Domain available!")).toBeVisible();
});

test("each step after the first stays within its budgets", async ({ browser, baseURL, control }) => {
  const origin = baseURL ?? "";
  const expectKept = async (visitor: HttpBrowser, path: string) => {
    expect((await visitor.get(path)).status, path).toBe(200);
    const { traffic } = await visit(browser, `${origin}${path}`, { visitor, scripts: true });
    expect(brokenByTraffic(traffic, hydrated), path).toEqual([]);
    expect(traffic.requests, path).toBeLessThanOrEqual(hydrated.mostRequests);
  };
  const visitor = new HttpBrowser(origin);
  await expectKept(visitor, `${(await beginOrder(visitor)).path}/create-account`);
  const buyer = new HttpBrowser(origin);
  await expectKept(buyer, `${(await toReview(buyer)).path}/place-order`);
  const { path, providerOrderId, browser: payer } = await toCheckout(origin);
  await control("pay", { orderId: providerOrderId });
  await expect.poll(async () => (await payer.get(`${path}/sign-in`)).status).toBe(200);
  await expectKept(payer, `${path}/sign-in`);
});

test("licences of bundled packages are in a file next to the scripts @without-scripts", async ({
  request,
}) => {
  const licences = await (await request.get("/licences.txt")).text();
  for (const name of [
    "react.production",
    "react-dom.production",
    "scheduler.production",
    "@remix-run/router",
  ])
    expect(licences).toContain(name);
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test(`the full stylesheet keeps home's first screen, ${colorScheme} at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      // With reduced motion the offers do not move.
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.route("**/*.css", (route) => route.fulfill({ contentType: "text/css", body: "" }));
      await page.goto("/");
      await page.unroute("**/*.css");
      const differences = await page.evaluate(async () => {
        const firstScreen =
          ".skip, .header, .header > :not(.sidebar), .header > :not(.sidebar) *, .hero, .hero *";
        const looks = () =>
          [...document.querySelectorAll(firstScreen)].map((element) => {
            const style = getComputedStyle(element);
            const { top, left } = element.getBoundingClientRect();
            const place = { at: `${left} ${top}` };
            return Object.fromEntries(
              [...style].map((name) => [name, style.getPropertyValue(name)]).concat(Object.entries(place)),
            );
          });
        const ahead = [...document.querySelectorAll<HTMLLinkElement>("main link[rel=stylesheet]")];
        if (ahead.length === 0) throw new Error("The page does not ask for the whole stylesheet");
        const before = looks();
        for (const { href } of ahead) {
          const whole = document.createElement("link");
          whole.rel = "stylesheet";
          whole.href = href;
          const loaded = new Promise((resolve, reject) => {
            whole.onload = resolve;
            whole.onerror = reject;
          });
          document.head.append(whole);
          await loaded;
        }
        const names = [...document.querySelectorAll(firstScreen)].map(
          (element) => `${element.localName}.${element.className}`,
        );
        return looks().flatMap((after, index) =>
          Object.keys(after)
            // The tokens that only other pages use.
            .filter((name) => !name.startsWith("--") && after[name] !== before[index]?.[name])
            .map((name) => `${names[index]} ${name}: ${before[index]?.[name]} became ${after[name]}`),
        );
      });
      expect(differences).toEqual([]);
    });
  }
}
