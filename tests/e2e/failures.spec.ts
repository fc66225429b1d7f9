/** Missing pages, slow responses and lost connections: messages, and ways to continue. */
import type { Page, Route } from "playwright/test";
import { textIn } from "#server/foundation/languages/text.ts";
import { expect, test } from "./fixtures.ts";
import { newAccount } from "./pages/account-step.ts";
import { untilKept } from "./pages/errors.ts";
import { newPrefix } from "./pages/sign-in-step.ts";

const headingOf = (page: Page) => page.getByRole("heading", { level: 1 });
const basic = "microsoft-365-business-basic";
const kept = "What you typed is still on this page: don't close or reload it.";

test("an unknown URL shows an error and links to the store @keyboard", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const response = await page.goto("/no-such-page");
  expect(response?.status()).toBe(404);
  await expect(headingOf(page)).toHaveText("Unexpected Application Error!");
  await expect(page.getByRole("main")).toContainText("There is no page at /no-such-page.");
  const requestId = response?.headers()["x-request-id"] ?? "no id";
  await expect(page.getByText(requestId)).toBeVisible();
  await expect(page.getByRole("link", { name: "Contact support" })).toHaveAttribute(
    "href",
    new RegExp(requestId),
  );
  await expectAccessible();
  await page.getByRole("link", { name: "Go to store" }).click();
  await expect(shop.home.card("Microsoft Teams Essentials")).toBeVisible();
});

test.describe("offline", () => {
  test("shows our own page for one that cannot be fetched, and retries @keyboard", async ({
    page,
    context,
    shop,
    expectedErrors,
    expectAccessible,
  }) => {
    expectedErrors.push(/ERR_INTERNET_DISCONNECTED/);
    await shop.login.open();
    await untilKept(page);
    await context.setOffline(true);
    await page.goto("/forgot-password");
    await expect(headingOf(page)).toHaveText("You're offline");
    await expect(page).toHaveURL(/\/forgot-password$/);
    await expectAccessible();
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(headingOf(page)).toHaveText("You're offline");
    await context.setOffline(false);
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(headingOf(page)).toHaveText("Forgot your password?");
  });

  test("keeps the input of a step that cannot be sent, and sends it later", async ({
    page,
    context,
    shop,
  }) => {
    await shop.details.open(basic, "US");
    await shop.details.quantity.fill("7");
    await page.waitForLoadState("networkidle");
    await context.setOffline(true);
    await shop.details.next();
    await expect(page.getByRole("alert")).toHaveText(`Error making POST request: you're offline. ${kept}`);
    await expect(shop.details.quantity).toHaveValue("7");
    await context.setOffline(false);
    await expect(page.getByRole("alert")).toHaveCount(0);
    await shop.details.next();
    await shop.expectStep("account");
    await expect(shop.panel.root).toContainText("7 licenses");
  });

  test.describe("in Hindi", () => {
    test.use({ locale: "hi-IN" });

    test("uses the previous page's language in page and script", async ({
      page,
      context,
      shop,
      expectedErrors,
    }) => {
      expectedErrors.push(/ERR_INTERNET_DISCONNECTED/);
      await shop.login.open();
      await untilKept(page);
      await context.setOffline(true);
      await page.getByRole("button", { name: "English" }).click();
      await expect(page.getByRole("alert")).toHaveText(textIn("hi")("scripts.offline"));
      await page.goto("/forgot-password");
      await expect(page.locator("html")).toHaveAttribute("lang", "hi");
      await expect(headingOf(page)).toHaveText("आप ऑफ़लाइन हैं");
      await expect(page.getByText("Try again", { exact: true })).toBeHidden();
    });
  });

  const scripts = /\/assets\/.*\.js$/;
  const words = /\/messages\//;
  for (const [what, matching, answer] of [
    ["scripts that do not come", scripts, (route: Route) => route.abort()],
    ["words that do not come", words, (route: Route) => route.abort()],
    ["an error in place of the words", words, (route: Route) => route.fulfill({ status: 503, json: {} })],
  ] as const)
    test(`${what}: the page works`, async ({ page, shop, expectedErrors }) => {
      expectedErrors.push(/ERR_FAILED|503/);
      await page.route(matching, answer);
      await shop.details.open(basic, "US");
      await page.waitForLoadState("networkidle");
      await shop.details.next();
      await shop.expectStep("account");
    });
});

test.describe("on a slow line", () => {
  test.use({ serviceWorkers: "block" });

  /** Delays matching requests until the returned function is called. */
  async function holdBack(page: Page, matching: RegExp): Promise<() => void> {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(matching, async (route) => {
      await released;
      await route.continue();
    });
    return release;
  }

  test("shows progress for a slow link", async ({ page, shop }) => {
    await shop.login.open();
    // A page that is being left cannot be queried, so it records what it showed.
    await page.evaluate(() => {
      const note = () => sessionStorage.setItem("shown", document.documentElement.className);
      new MutationObserver(note).observe(document.documentElement, { attributeFilter: ["class"] });
    });
    const release = await holdBack(page, /\/forgot-password$/);
    await page.getByRole("link", { name: "Reset Password?" }).click({ noWaitAfter: true });
    setTimeout(release, 1_000);
    await expect(headingOf(page)).toHaveText("Forgot your password?");
    expect(await page.evaluate(() => sessionStorage.getItem("shown"))).toContain("leaving");
    await expect(page.locator("html.leaving")).toHaveCount(0);
  });

  test("shows progress on a form without restoring an error that was edited away", async ({ page, shop }) => {
    await shop.details.open(basic, "US");
    await page.waitForLoadState("networkidle");
    await shop.details.quantity.fill("500");
    await shop.details.next();
    const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
    await expect(summary).toBeVisible();
    await shop.details.quantity.fill("5");
    await expect(summary).toHaveCount(0);
    const release = await holdBack(page, /\.data/);
    await shop.details.next();
    await expect(page.getByRole("button", { name: "Next" })).toHaveAttribute("aria-busy", "true");
    await expect(summary).toHaveCount(0);
    await expect(shop.details.quantity).toHaveValue("5");
    release();
    await shop.expectStep("account");
  });

  test("keeps waiting for an order after a broken response", async ({ page, shop }) => {
    await shop.reachSignIn({ country: "US" });
    let count = 0;
    await page.route("**/get/stage?*", async (route) => {
      count += 1;
      if (count > 1) await route.continue();
      else await route.fulfill({ contentType: "application/json", body: '{"stage":"sta' });
    });
    await shop.signIn.newTenant(newPrefix());
    await shop.expectStep("closure");
    expect(count).toBeGreaterThan(1);
  });

  test("does not let an automatic reload overtake a requested page", async ({ page, shop }) => {
    await shop.reachSignIn({ country: "US" });
    let state = "stage3";
    let movedOn = 0;
    await page.route("**/get/stage?*", async (route) => {
      if (state !== "stage3") movedOn += 1;
      await route.fulfill({ json: { state } });
    });
    await shop.signIn.newTenant(newPrefix());
    await expect(page.getByText("This page updates automatically.")).toBeVisible();
    const release = await holdBack(page, /\/terms$/);
    await page.getByRole("link", { name: "Terms of sale" }).click({ noWaitAfter: true });
    state = "done";
    await expect.poll(() => movedOn).toBeGreaterThan(1);
    release();
    await expect(headingOf(page)).toHaveText("Terms of sale");
  });

  test("keeps input from before React has the page, and checks it then", async ({ page, shop }) => {
    await shop.reachSignIn({ country: "US" });
    const release = await holdBack(page, /\/messages\//);
    await page.reload();
    await shop.signIn.mode("I do not have a Microsoft 365 account").check();
    await shop.signIn.username.fill("admin");
    const prefix = newPrefix();
    await shop.signIn.prefix.fill(prefix);
    // Longer than the delay after which the page checks input.
    await page.waitForTimeout(1_000);
    release();
    await expect(shop.signIn.preview).toContainText(`admin@${prefix}.onmicrosoft.com`);
    await expect(shop.signIn.prefix).toHaveValue(prefix);
    await shop.signIn.next();
    await shop.expectStep("closure");
  });

  test("sends the form that replaced the pressed one while the server was probed", async ({ page, shop }) => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await shop.details.open(basic, "US");
    await shop.details.quantity.fill("7");
    await page.route("**/icon.svg", async (route) => {
      await held;
      await route.continue();
    });
    await shop.details.next();
    const form = page.locator("form", { has: shop.details.quantity });
    await expect(form.locator("[aria-busy]")).toHaveCount(1);
    // As React does with a page that a browser has changed: new elements in place of the old.
    await form.evaluate((element) => element.replaceWith(element.cloneNode(true)));
    answer();
    await shop.expectStep("account");
    await expect(shop.panel.root).toContainText("7 licenses");
  });

  test("keeps messages from before React has the page, and the input", async ({
    page,
    context,
    shop,
    expectedErrors,
  }) => {
    expectedErrors.push(/503/);
    const release = await holdBack(page, /\/messages\//);
    await shop.details.open(basic, "US");
    await shop.details.quantity.fill("7");
    await context.route("**/icon.svg", (route) => route.fulfill({ status: 503 }));
    await shop.details.next();
    await expect(page.getByRole("alert")).toHaveText(
      `Error making POST request: the store isn't responding. ${kept}`,
    );
    await context.unroute("**/icon.svg");
    release();
    await page.waitForLoadState("networkidle");
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(shop.details.quantity).toHaveValue("7");
    await shop.details.next();
    await shop.expectStep("account");
    await expect(shop.panel.root).toContainText("7 licenses");
  });

  test("continues at Create Account after a lost response, with one account", async ({
    page,
    shop,
    sql,
    expectedErrors,
  }) => {
    expectedErrors.push(/ERR_CONNECTION_RESET/, /Failed to fetch/);
    await shop.reachAccount({ country: "US" });
    const account = newAccount("US");
    await shop.account.fill(account);
    await page.waitForLoadState("networkidle");
    // Forwarded outside the browser, which receives no part of the response, not even a cookie.
    await page.route("**/create-account*", async (route) => {
      const request = route.request();
      if (request.method() !== "POST") return route.continue();
      const { host: _, connection: __, "content-length": ___, ...headers } = await request.allHeaders();
      const sent = await fetch(request.url(), {
        method: "POST",
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(":"))),
        body: request.postData(),
        redirect: "manual",
      });
      expect(sent.status).toBeLessThan(400);
      await route.abort("connectionreset");
    });
    await shop.account.next();
    await page.getByRole("link", { name: "Try again" }).click();
    await shop.expectStep("placeOrder");
    await expect(shop.placeOrder.soldTo).toContainText(account.addressLine1);
    expect(await sql("select id from users where email = $1", [account.email])).toHaveLength(1);
  });
});
