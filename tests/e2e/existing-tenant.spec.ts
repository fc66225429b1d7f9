/** "I have a Microsoft 365 account": the partner approval, and the page that waits for it. */
import { expect, test } from "./fixtures.ts";
import { newEmail } from "./pages/account-step.ts";
import { expectErrors } from "./pages/errors.ts";
import { Inbox } from "./pages/inbox.ts";
import { ApprovalPage, newPrefix } from "./pages/sign-in-step.ts";

/** The page polls again after fifteen seconds when the consent was not visible at once. */
const untilLookedAt = { timeout: 30_000 };

test("a buyer who administers the account confirms it and continues @keyboard", async ({
  page,
  shop,
  scriptsOff,
  expectAccessible,
}) => {
  const { signIn, closure } = shop;
  const username = `admin@${newPrefix()}.onmicrosoft.com`;
  const account = await shop.reachSignIn({ country: "IN" });
  const approval = await signIn.existingTenantBeside(username, scriptsOff);
  await expect(approval.heading).toHaveText(`Confirm the order for ${username.split("@")[1]}`);
  await expectAccessible(approval.page);
  if (!scriptsOff) {
    await expect(signIn.approval).toBeVisible();
    await expect(page.getByRole("main")).toContainText(`Sign in there as ${username}`);
    await expectAccessible();
  }
  await approval.signInAs("Uma User");
  await expect(approval.refusal).toContainText("Please ask your administrator");
  await approval.signInAs("Anu Administrator");
  await expect(
    approval.page.getByText("Done. You've confirmed that you're an administrator of"),
  ).toBeVisible();
  await expectAccessible(approval.page);
  await approval.acceptPartner(username, !scriptsOff);
  if (scriptsOff) {
    await expect(approval.heading).toHaveText("Confirmed", untilLookedAt);
    await approval.backToOrder();
  }

  await shop.expectStep("closure");
  await expect(closure.heading).toHaveText("Get started with your Microsoft 365 subscription");
  await expect(page.getByRole("main")).toContainText(`Added to ${username}'s account`);
  await expect(closure.credentials).toBeHidden();
  await expectAccessible();
  if (!scriptsOff) expect(approval.page.isClosed()).toBe(true);
  await shop.inbox.wait(account.email, /^Your order is complete/);
  await closure.manageSubscriptions();
  await expect(shop.subscriptions.row(username.split("@")[1] ?? "")).toBeVisible();
});

test("an administrator confirms the buyer's order on another device", async ({
  page: buyerPage,
  shop,
  otherDevice,
  scriptsOff,
  expectAccessible,
}) => {
  const { signIn } = shop;
  const domain = `${newPrefix()}.onmicrosoft.com`;
  const administrator = newEmail("administrator");
  const account = await shop.reachSignIn({ country: "US" });
  // The store emails a third person only for a buyer with a verified mailbox.
  const step = buyerPage.url();
  await shop.setPasswordFromMail(account.email, "a-good-Pass-1");
  await shop.logIn(account.email, "a-good-Pass-1");
  await buyerPage.goto(step);
  const asking = await signIn.existingTenantBeside(`me@${domain}`, scriptsOff);
  await asking.ask(administrator);
  await expect(asking.page.getByRole("main")).toContainText(`We emailed a link to ${administrator}`);

  const { page } = await otherDevice();
  await page.goto(Inbox.linkIn(await shop.inbox.wait(administrator, /^Please confirm an order/)));
  const approval = new ApprovalPage(page);
  await expect(approval.heading).toHaveText(`Confirm the order for ${domain}`);
  await expect(approval.administratorEmail).toBeHidden();
  await expectAccessible(page);
  await approval.signInAs("Bela Billing");
  await approval.acceptPartner(`boss@${domain}`, false);
  await expect(approval.heading).toHaveText("Confirmed", untilLookedAt);
  await shop.inbox.wait(account.email, /^Confirmed: your order/);
  await shop.inbox.wait(account.email, /^Your order is complete/);
  if (scriptsOff) await asking.backToOrder();
  await shop.expectStep("closure");
});

test("an impossible username cannot be sent, or is refused with the reason", async ({
  shop,
  scriptsOff,
  page,
}) => {
  const { signIn } = shop;
  await shop.reachSignIn({ country: "IN" });
  const next = page.getByRole("button", { name: "Next" });
  await expect(next).toBeEnabled();
  await signIn.mode("I have a Microsoft 365 account").check();
  for (const [wrong, message] of [
    ["", "Username field is required."],
    ["admin@contoso.com", "The username must end with .onmicrosoft.com"],
    ["a@b@contoso.onmicrosoft.com", "The username must have exactly one @"],
    ["@contoso.onmicrosoft.com", "Please enter the part before the @, without spaces"],
    ["admin@con_toso.onmicrosoft.com", "Use letters, digits and hyphens between the @ and .onmicrosoft.com"],
  ] as const) {
    await signIn.existingUsername.fill(wrong);
    if (scriptsOff) {
      await signIn.next();
      await expectErrors(page, [[message, signIn.existingUsername]]);
      await expect(signIn.existingUsername).toHaveValue(wrong);
    } else await expect(next).toBeDisabled();
  }
  for (const right of ["admin@contoso.onmicrosoft.com", "admin@sub.con-toso.onmicrosoft.com"]) {
    await signIn.existingUsername.fill(right);
    await expect(next).toBeEnabled();
  }
});

test("Check again rechecks, and a buyer can name another account or a new one", async ({
  page,
  shop,
  scriptsOff,
}) => {
  const { signIn, closure } = shop;
  const first = `admin@${newPrefix()}.onmicrosoft.com`;
  const second = `admin@${newPrefix()}.onmicrosoft.com`;
  const prefix = newPrefix();
  await shop.reachSignIn({ country: "US" });
  const link = shop.stepLink("signIn");
  await signIn.existingTenant(first);
  if (scriptsOff) await page.goto(link);
  await expect(signIn.approval).toBeVisible();
  await signIn.checkAgain();
  await expect(signIn.approval).toBeVisible();
  await signIn.useAnotherAccount();
  await expect(signIn.existingUsername).toHaveValue(first);
  await signIn.existingTenant(second);
  if (scriptsOff) await page.goto(link);
  await expect(page.getByRole("main")).toContainText(`Sign in there as ${second}`);
  await signIn.useAnotherAccount();
  await signIn.newTenant(prefix);
  await shop.expectStep("closure");
  await expect(closure.heading).toHaveText("Welcome Onboard!");
  await expect(closure.username).toHaveText(`admin@${prefix}.onmicrosoft.com`);
});
