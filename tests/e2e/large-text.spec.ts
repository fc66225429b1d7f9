/** A phone with letters of twice the size (WCAG 1.4.4): no horizontal scrolling, and no broken words in headings. */
import type { Page } from "playwright/test";
import { beginOrder } from "#tests/support/journey.ts";
import { expect, test } from "./fixtures.ts";
import { CartPage } from "./pages/lists.ts";
import { misfitsInLargeText } from "./pages/screen.ts";
import { sessionOf } from "./pages/session.ts";
import type { Shop } from "./pages/shop.ts";
import { newPrefix } from "./pages/sign-in-step.ts";

const plan = "microsoft-365-business-basic";

async function expectFit(page: Page): Promise<void> {
  await page.waitForLoadState();
  expect(await misfitsInLargeText(page), `fit of ${page.url()} in large text`).toEqual([]);
}

for (const [name, path] of [
  ["home", "/"],
  ["the choice of a country", "/country"],
  ["Log In", "/login"],
  ["a page that is not there", "/no-such-page"],
] as const) {
  test(`${name} fits a phone in large text`, async ({ page }) => {
    await page.goto(path);
    await expectFit(page);
  });
}

test("each step of an order fits a phone in large text", async ({ page, shop }) => {
  await shop.details.open(plan, "IN");
  await expectFit(page);

  await shop.reachAccount();
  await expectFit(page);
  await shop.account.address.manually();
  await expect(shop.account.field("companyName")).toBeVisible();
  await expectFit(page);

  await shop.reachPay();
  await expectFit(page);

  await shop.reachSignIn();
  await expectFit(page);
  await shop.signIn.mode("I have a Microsoft 365 account").check();
  await expect(shop.signIn.existingUsername).toBeVisible();
  await expectFit(page);

  await shop.signIn.newTenant(newPrefix());
  await shop.expectStep("closure");
  await expectFit(page);
});

test("a company's lists and cart fit a phone in large text", async ({ page, shop }) => {
  await shop.becomeCustomer();
  await page.goto("/subscriptions");
  await expect(shop.subscriptions.heading).toBeVisible();
  await expectFit(page);

  await beginAnother(shop);
  const cart = new CartPage(page);
  await cart.open();
  await expect(cart.row("Microsoft")).toHaveCount(1);
  await expectFit(page);
});

function beginAnother({ page }: Shop) {
  return beginOrder(sessionOf(page), { wanted: { family: "microsoft", item: plan }, quantity: 3 });
}
