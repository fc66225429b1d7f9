/** Resuming an order: later, on another device, through a mailed link; and nobody else can. */
import type { Browser, Page } from "playwright/test";
import { expect, test } from "./fixtures.ts";
import { newAccount } from "./pages/account-step.ts";
import { Inbox } from "./pages/inbox.ts";
import { Shop } from "./pages/shop.ts";
import { newPrefix } from "./pages/sign-in-step.ts";

async function expectNotFound(page: Page, path: string) {
  const response = await page.goto(path);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("We could not find that page");
}

async function expectDeadLink(page: Page, path: string) {
  const response = await page.goto(path);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link no longer works");
}

test("an order's link opens its step on any device, for its owner @without-scripts", async ({
  shop,
  otherDevice,
}) => {
  const account = await shop.reachPlaceOrder({ country: "US" });
  const { orderLink } = shop;
  const elsewhere = await otherDevice();
  await elsewhere.setPasswordFromMail(account.email, "a-Good-Pass-1");
  await elsewhere.page.goto(`${orderLink}/sign-in`);
  await expect(elsewhere.login.heading).toBeVisible();
  await elsewhere.login.logIn(account.email, "a-Good-Pass-1");
  await elsewhere.expectStep("placeOrder");
  expect(elsewhere.orderLink).toBe(orderLink);

  const stranger = await otherDevice();
  await stranger.reachPlaceOrder({ country: "US" });
  await expectNotFound(stranger.page, orderLink);
  await expectNotFound(stranger.page, `${orderLink}/place-order`);
  await expectNotFound(stranger.page, orderLink.replace(/[0-9a-f]{12}/, "0123456789ab"));
});

test("a visitor's draft opens in no other browser @without-scripts", async ({ shop, otherDevice }) => {
  await shop.reachAccount({ country: "US" });
  const { orderLink } = shop;
  const visitor = await otherDevice();
  await visitor.page.goto(orderLink);
  await expect(visitor.login.heading).toBeVisible();
  const known = await visitor.reachPlaceOrder({ country: "US" });
  expect(known.email).not.toBe("");
  await expectNotFound(visitor.page, orderLink);
});

test("a mailed link works once, for its buyer @keyboard", async ({
  shop,
  otherDevice,
  sql,
  expectAccessible,
}) => {
  const account = await shop.reachPlaceOrder({ country: "IN" });
  const { orderLink, orderId } = shop;
  await sql("update orders set updated_at = now() - interval '3 hours' where id = $1", [orderId]);
  await sql("select graphile_worker.add_job('send-reminders')");
  const mail = await shop.inbox.wait(account.email, /^Your order is waiting/);
  expect(mail.text).toContain("Microsoft 365 Business Basic");
  const link = Inbox.linkIn(mail);

  const stranger = await otherDevice();
  await stranger.reachPlaceOrder({ country: "US" });
  await expectDeadLink(stranger.page, link);

  const elsewhere = await otherDevice();
  const { page } = elsewhere;
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Continue your order");
  await expect(page.getByRole("main")).toContainText(`You'll be signed in as ${account.email}.`);
  await expectAccessible(page);
  // Opening it does not use it: mail scanners open links too.
  await page.reload();
  await page.getByRole("button", { name: "Continue" }).click();
  await elsewhere.expectStep("placeOrder");
  expect(elsewhere.orderLink).toBe(orderLink);
  await elsewhere.openStep("account");
  await elsewhere.account.expectFilled(account);

  await expectDeadLink(page, link);
  await expectAccessible(page);
  await expectDeadLink(shop.page, link);
  // Its buyer reaches the order with one press.
  await page.getByRole("link", { name: "Go to the cart" }).click();
  await expect(page.getByRole("main")).toContainText("Microsoft 365 Business Basic");
});

test("a mailed link expires, also one sent after the payment @without-scripts", async ({
  shop,
  otherDevice,
  sql,
}) => {
  const account = await shop.reachSignIn({ country: "US" });
  const { orderId } = shop;
  await sql("update orders set paid_at = now() - interval '2 hours' where id = $1", [orderId]);
  await sql("select graphile_worker.add_job('send-reminders')");
  const link = Inbox.linkIn(await shop.inbox.wait(account.email, /^One step left/));
  await sql("update one_time_tokens set expires_at = now() where order_id = $1", [orderId]);
  const elsewhere = await otherDevice();
  await expectDeadLink(elsewhere.page, link);

  await sql("update orders set paid_at = now() - interval '25 hours' where id = $1", [orderId]);
  await sql("select graphile_worker.add_job('send-reminders')");
  const second = async () =>
    (await shop.inbox.read(account.email))
      .map(Inbox.linkIn)
      .find((each) => each !== link && each.includes("/resume/"));
  await expect.poll(second).toBeDefined();
  await elsewhere.page.goto((await second()) ?? "");
  await elsewhere.page.getByRole("button", { name: "Continue" }).click();
  await elsewhere.expectStep("signIn");
});

test("closing the browser at any step loses nothing that was posted", async ({
  browser,
  shop,
  scriptsOff,
  sandboxUrl,
}) => {
  const reopen = (of: Shop) => restart(browser, of, { scriptsOff, sandboxUrl });
  const account = newAccount("IN");
  const prefix = newPrefix();

  await shop.walkToAccount({ country: "IN", quantity: "4" });
  const { orderLink } = shop;

  let now = await reopen(shop);
  await now.page.goto(orderLink);
  await now.expectStep("account");
  await expect(now.panel.root).toContainText("4 licenses");
  await now.account.address.byGst("27AAPFU0939F1ZV");
  await expect(now.account.field("companyName")).toHaveValue("UNITED HARBOUR TRADERS");

  now = await reopen(now);
  await now.page.goto(orderLink);
  await now.expectStep("account");
  await expect(now.account.field("companyName")).toHaveValue("UNITED HARBOUR TRADERS");
  const { firstName, lastName, email, phoneNumber } = account;
  await now.account.fill({ firstName, lastName, email, phoneNumber });
  await now.account.next();
  await now.expectStep("placeOrder");

  now = await reopen(now);
  await now.page.goto(orderLink);
  await now.expectStep("placeOrder");
  await expect(now.placeOrder.soldTo).toContainText("UNITED HARBOUR TRADERS");
  await now.placeOrder.place();
  await expect(now.placeOrder.payButton).toBeVisible();

  now = await reopen(now);
  await now.page.goto(orderLink);
  await now.expectStep("placeOrder");
  await now.checkout.open();
  await now.checkout.pay();
  await now.expectStep("signIn");

  now = await reopen(now);
  await now.page.goto(orderLink);
  await now.expectStep("signIn");
  const posted = now.page.waitForResponse((response) => response.request().method() === "POST");
  await now.signIn.newTenant(prefix);
  await posted;

  now = await reopen(now);
  await now.page.goto(orderLink);
  await now.expectStep("closure");
  await expect(now.closure.username).toHaveText(`admin@${prefix}.onmicrosoft.com`);
  await now.page.context().close();
});

/** Closes a browser and starts it again: only its data on disk survives. */
async function restart(
  browser: Browser,
  old: Shop,
  world: { scriptsOff: boolean; sandboxUrl: string },
): Promise<Shop> {
  const storageState = await old.page.context().storageState();
  await old.page.close();
  const context = await browser.newContext({ storageState });
  return new Shop(await context.newPage(), world);
}
