/** Paying, and every way in which that can fail. */
import type { Page } from "playwright/test";
import { z } from "zod";
import { expect, test } from "./fixtures.ts";
import { HostedCheckout } from "./pages/checkout.ts";
import { expectFormError } from "./pages/errors.ts";
import type { Shop } from "./pages/shop.ts";
import { newPrefix } from "./pages/sign-in-step.ts";

const count = z.object({ count: z.coerce.number() });

test("a declined payment can be tried again, and is taken once @keyboard @both", async ({
  shop,
  sql,
  expectAccessible,
}) => {
  await shop.reachPay({ country: "IN" });
  const { orderId } = shop;
  await shop.checkout.open();
  await shop.checkout.decline();
  await shop.expectStep("placeOrder");
  await expect(shop.page.getByRole("alert")).toContainText(
    "Your bank declined the payment. Try another card or payment method, or contact your bank. You have not been charged. You can try again.",
  );
  await expectAccessible();
  // A later attempt that is cancelled is not the one that was declined.
  await shop.checkout.open();
  await shop.checkout.cancel();
  await shop.expectStep("placeOrder");
  await expect(shop.page.getByRole("main")).not.toContainText("declined");
  await shop.page.reload();
  await expect(shop.page.getByRole("main")).not.toContainText("declined");
  await shop.checkout.open();
  await shop.checkout.pay();
  await shop.expectStep("signIn");
  await shop.signIn.newTenant(newPrefix());
  await shop.expectStep("closure");
  const captured = await sql(
    "select count(*) from payments where order_id = $1 and status in ('captured', 'surplus')",
    [orderId],
  );
  expect(count.parse(captured[0])).toEqual({ count: 1 });
  const subscriptions = await sql("select count(*) from subscriptions where order_id = $1", [orderId]);
  expect(count.parse(subscriptions[0])).toEqual({ count: 1 });
});

test("UPI, net banking or wallet is one press next to the card's @keyboard @both", async ({
  shop,
  expectAccessible,
}) => {
  await shop.reachPlaceOrder({ country: "IN" });
  await expectAccessible();
  await shop.placeOrder.placeOtherwise();
  await shop.checkout.open(/^Pay by UPI, net banking or wallet$/);
  expect(await shop.checkout.offered()).toEqual(["UPI QR", "UPI", "Netbanking", "Wallet"]);
  // A buyer who cancels chooses again.
  await shop.checkout.cancel();
  await expectAccessible();
  await shop.checkout.open();
  expect(await shop.checkout.offered()).toEqual(["Card"]);
  await shop.checkout.cancel();
  await shop.placeOrder.payOtherwise.click();
  await shop.checkout.pay();
  await shop.expectStep("signIn");
});

test("a total changed in another tab shows the old one and needs acceptance @both", async ({
  page,
  shop,
  expectedErrors,
  expectAccessible,
}) => {
  expectedErrors.push(/409/);
  await shop.reachPlaceOrder({ country: "IN" });
  const { placeOrder } = shop;
  const main = page.getByRole("main");
  const total = main.locator(".step [data-bill=total]");
  const before = (await total.textContent()) ?? "";
  const other = await page.context().newPage();
  await other.goto(page.url().replace(/place-order$/, "subscription-details"));
  await other.getByLabel("Quantity").fill("8");
  await other.getByRole("button", { name: "Next", exact: true }).last().click();
  await expect(other.getByRole("heading", { level: 1 })).not.toContainText("Step 1");

  await placeOrder.place();
  const alert = page.getByRole("alert").filter({ hasText: "Price has changed" });
  await expect(alert).toBeFocused();
  await expect(alert).toBeInViewport();
  await expect(total).not.toHaveText(before);
  const after = (await total.textContent()) ?? "";
  await expect(alert).toContainText(`Price has changed from ${before} to ${after}.`);
  // Above the bill, with which every amount on the page now agrees.
  const [notice, bill] = [await alert.boundingBox(), await total.boundingBox()];
  expect(notice?.y ?? 0).toBeLessThan(bill?.y ?? 0);
  await expect(main.getByRole("button", { name: "Place Order" })).toContainText(after);
  await expect(page.locator("body")).not.toContainText(before.repeat(2));
  await expect(placeOrder.terms).not.toBeChecked();
  await expectAccessible();
  await placeOrder.place();
  await expect(placeOrder.payButton).toContainText(after);
});

test("a cancelled payment returns to the review and can be made", async ({ shop }) => {
  await shop.reachPay({ country: "IN" });
  await shop.checkout.open();
  await shop.checkout.cancel();
  await shop.expectStep("placeOrder");
  await expect(shop.placeOrder.payButton).toBeVisible();
  await expect(shop.page.getByText("You left the payment. Nothing was charged.")).toBeVisible();
  await expect(shop.page.getByRole("alert")).toHaveCount(0);
  // The alternatives to the checkout are unchanged.
  await expect(shop.page.getByRole("link", { name: "Pay another way" })).toHaveClass("button quiet");
  await expect(shop.page.getByRole("button", { name: "Create quote" })).toBeVisible();
  await shop.checkout.open();
  await shop.checkout.pay();
  await shop.expectStep("signIn");
});

test("checkout.js works under the store's own policy, with all its external resources", async ({
  page,
  shop,
}) => {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  const refused: string[] = [];
  await page.exposeFunction("tellRefused", (what: string) => refused.push(what));
  await page.addInitScript(`
    document.addEventListener("securitypolicyviolation", (event) => tellRefused(event.violatedDirective + " " + event.blockedURI))
  `);
  await shop.reachPay({ country: "IN" });
  await shop.checkout.open();
  for (const path of ["/razorpay/cdn/risk-detection.js", "/razorpay/lumberjack/track"])
    expect(requested).toContain(path);
  expect(refused).toEqual([]);
  await shop.checkout.pay();
  await shop.expectStep("signIn");
});

test.describe("when checkout.js does not open, the payment page takes over automatically:", () => {
  const secondScript = /\/cdn\/risk-detection\.js$/;
  const withinMs = 8_000;

  async function expectTakenOver(shop: Shop, page: Page): Promise<void> {
    const said = page.getByRole("alert").filter({ hasText: "Failed to load Razorpay SDK." });
    await expect(said).toContainText("You haven't been charged.", { timeout: withinMs + 2_000 });
    await expect(page.locator("iframe")).toHaveCount(0);
    await new HostedCheckout(page).pay();
    await shop.expectStep("signIn");
  }

  test("its script does not load", async ({ page, shop, expectedErrors }) => {
    expectedErrors.push(/checkout\.js/);
    await page.route("**/checkout.js", (route) => route.abort());
    await shop.reachPay({ country: "US" });
    await expectTakenOver(shop, page);
  });

  test("it loads but does not open, because its second script is blocked", async ({
    page,
    shop,
    expectedErrors,
  }) => {
    expectedErrors.push(/risk-detection/);
    await page.route(secondScript, (route) => route.abort());
    await shop.reachPay({ country: "US" });
    await expectTakenOver(shop, page);
  });

  test("a policy without the host of its second script", async ({ page, shop, expectedErrors }) => {
    expectedErrors.push(/risk-detection|Content Security Policy/);
    // As in the store's former policy, which named checkout.js but none of its dependencies.
    await page.route(
      (url) => url.port !== "" && !url.pathname.includes("."),
      async (route) => {
        if (route.request().resourceType() !== "document" || route.request().method() !== "GET")
          return route.fallback();
        const response = await route.fetch({ maxRedirects: 0 });
        const headers = response.headers();
        const policy = headers["content-security-policy"]?.replace(
          /(script-src [^;]*) http:\/\/localhost:\d+/,
          "$1",
        );
        await route.fulfill({
          response,
          headers: { ...headers, ...(policy !== undefined && { "content-security-policy": policy }) },
        });
      },
    );
    await shop.reachPay({ country: "US" });
    await expectTakenOver(shop, page);
  });

  test("a script that loads too late opens nothing", async ({ page, shop }) => {
    await page.route("**/checkout.js", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, withinMs + 1_000));
      await route.continue().catch(() => undefined);
    });
    await shop.reachPay({ country: "US" });
    await expectTakenOver(shop, page);
  });
});

test("a slow script within the limit opens the checkout in the page", async ({ page, shop }) => {
  await page.route("**/checkout.js", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await route.continue();
  });
  await shop.reachPay({ country: "US" });
  await shop.checkout.open();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await shop.checkout.pay();
  await shop.expectStep("signIn");
});

test("a browser closed after paying finds the order paid", async ({
  page,
  context,
  shop,
  otherDevice,
  expectedErrors,
}) => {
  const account = await shop.reachPay({ country: "US" });
  const { orderLink } = shop;
  await shop.checkout.open();
  // The return is blocked before the money is taken; only the provider's webhook reports it.
  expectedErrors.push(/Failed to (load|fetch)/);
  await context.route(/place-order\.data|payments\/return/, (route) => route.abort());
  const taken = page.waitForResponse(/\/checkout\/pay$/);
  await shop.checkout.payButton.click();
  await taken;
  await page.close();
  await context.unroute(/place-order\.data|payments\/return/);

  // The same browser, later.
  const again = await context.newPage();
  await expect(async () => {
    await again.goto(orderLink);
    await expect(again.getByRole("heading", { level: 1 })).toHaveText("Step 4 of 5 Microsoft Sign-In", {
      timeout: 100,
    });
  }).toPass();

  // Another browser.
  const elsewhere = await otherDevice();
  await elsewhere.setPasswordFromMail(account.email, "a-Good-Pass-1");
  await elsewhere.page.goto(orderLink);
  await elsewhere.login.logIn(account.email, "a-Good-Pass-1");
  await elsewhere.expectStep("signIn");
});

test("a payment that does not match the order is never accepted, and never lost", async ({
  page,
  shop,
  sql,
  control,
  expectedErrors,
  expectAccessible,
}) => {
  expectedErrors.push(/502/);
  await shop.reachPay({ country: "IN" });
  const [intent] = await sql("select provider_order_id from payment_intents where order_id = $1", [
    shop.orderId,
  ]);
  const { provider_order_id: orderId } = z.object({ provider_order_id: z.string() }).parse(intent);
  await control("pay", { orderId, amount: 100 });
  await expect(async () => {
    await shop.openStep("placeOrder");
    await expect(shop.placeOrder.paid).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(page.getByText("Paid 1 instead of 5820 INR.")).toBeVisible();
  await expect(shop.placeOrder.payButton).toBeHidden();
  await expectAccessible();
  await shop.placeOrder.submit();
  await expectFormError(page, "Retry failed: Backend validation failed.");
  await shop.expectStep("placeOrder");
  await expect(shop.placeOrder.submitButton).toBeVisible();
});

test("a plan that Microsoft no longer sells is refused before the payment", async ({
  page,
  shop,
  control,
  expectAccessible,
  expectedErrors,
}) => {
  expectedErrors.push(/409/);
  await shop.reachPlaceOrder({ plan: "office-365-e1" });
  // No other test orders it.
  await control("withdrawn", ["CFQ7TTC0LF8Q:0001"]);
  await shop.placeOrder.place();
  await expectFormError(
    page,
    /Microsoft isn't selling Office 365 E1 in India right now, so we can't take this order\. You haven't been charged/,
  );
  await shop.expectStep("placeOrder");
  await expectAccessible();
});

test("a plan that Google sells above our price is refused before the payment", async ({
  page,
  shop,
  control,
  expectAccessible,
  expectedErrors,
}) => {
  expectedErrors.push(/409/);
  const plan = "google-workspace-enterprise-essentials";
  await shop.reachPlaceOrder({ family: "google", plan, domain: `dear-${Date.now()}.example` });
  // No other test orders it.
  await control("catalogue", [{ offer: "1010060003", costPercent: 300 }]);
  await shop.placeOrder.place();
  await expectFormError(
    page,
    /We need to correct the price of Google Workspace Enterprise Essentials in India, so we can't take this order yet\. You haven't been charged/,
  );
  await shop.expectStep("placeOrder");
  await expectAccessible();
});
