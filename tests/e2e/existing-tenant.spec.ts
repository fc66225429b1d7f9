/** "I have a Microsoft 365 account": the partner's approval, beside the page that waits for it. */
import { expect, test } from "./fixtures.ts";
import { newPrefix } from "./pages/sign-in-step.ts";

test("the buyer approves, and the page moves on by itself @keyboard", async ({
  page,
  shop,
  scriptsOff,
  expectAccessible,
}) => {
  const { signIn, closure } = shop;
  const username = `admin@${newPrefix()}.onmicrosoft.com`;
  const account = await shop.reachSignIn({ country: "IN" });
  await signIn.existingTenant(username);
  await expect(signIn.approval).toBeVisible();
  await expect(page.getByRole("main")).toContainText(`Sign in there as ${username}`);
  await expectAccessible();
  await page.reload();
  await expect(signIn.approval).toBeVisible();

  const partner = await signIn.openApproval();
  // Another site's page must not reach the order's.
  expect(await partner.page.evaluate(() => window.opener === null)).toBe(scriptsOff);
  await partner.approve(username);

  await shop.expectStep("closure");
  await expect(closure.heading).toHaveText("Get started with your Microsoft 365 subscription");
  await expect(page.getByRole("main")).toContainText(`It was added to the account of ${username}`);
  await expect(closure.credentials).toBeHidden();
  await expectAccessible();
  if (!scriptsOff) expect(partner.page.isClosed()).toBe(true);
  await shop.inbox.wait(account.email, /^Your order is complete/);
  await closure.manageSubscriptions();
  await expect(shop.subscriptions.row(username.split("@")[1] ?? "")).toBeVisible();
});

test("Check again looks again, another account may be named, and a new one made after all", async ({
  page,
  shop,
}) => {
  const { signIn, closure } = shop;
  const first = `admin@${newPrefix()}.onmicrosoft.com`;
  const second = `admin@${newPrefix()}.onmicrosoft.com`;
  const prefix = newPrefix();
  await shop.reachSignIn({ country: "US" });
  await signIn.existingTenant(first);
  await expect(signIn.approval).toBeVisible();
  await signIn.checkAgain();
  await expect(signIn.approval).toBeVisible();
  await signIn.useAnotherAccount();
  await expect(signIn.existingUsername).toHaveValue(first);
  await signIn.existingTenant(second);
  await expect(page.getByRole("main")).toContainText(`Sign in there as ${second}`);
  await signIn.useAnotherAccount();
  await signIn.newTenant(prefix);
  await shop.expectStep("closure");
  await expect(closure.heading).toHaveText("Welcome Onboard!");
  await expect(closure.username).toHaveText(`admin@${prefix}.onmicrosoft.com`);
});
