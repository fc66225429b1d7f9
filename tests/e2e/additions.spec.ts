/** Additions of an existing customer in three steps: a subscription in an existing or a new tenant, and an add-on. */
import { languages } from "#server/foundation/languages/language.ts";
import { expect, test } from "./fixtures.ts";
import { expectErrors } from "./pages/errors.ts";
import { Inbox } from "./pages/inbox.ts";
import type { Shop } from "./pages/shop.ts";
import { newDomain, newPrefix } from "./pages/sign-in-step.ts";

const { prefixRule } = languages.en.messages.signIn;

const standard = "Microsoft 365 Business Standard";
const copilot = "Copilot for Microsoft 365";
const baseNeeded = "You must have base product for purchasing copilot for Microsoft 365";

/** Opens the order's bare link, which leads to its current step, as a later link from a mail does. */
async function resume(shop: Shop, link: string): Promise<void> {
  await shop.page.goto("/");
  await shop.page.goto(link);
}

test("Buy Now leads a customer to its existing tenant", async ({ page, shop }) => {
  const customer = await shop.becomeCustomer({ country: "IN" });
  await shop.home.open();
  await shop.home.buyNow(standard);
  await expect(page).toHaveURL(/\/contract\/microsoft\/microsoft-365-business-standard\/IN\?TUP=true$/);
  await expect(shop.details.destination(customer.domain)).toBeChecked();
});

test("a customer adds a subscription to its existing tenant @keyboard @journey", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { details, placeOrder, closure, panel } = shop;
  const customer = await shop.becomeCustomer({ country: "IN" });
  await shop.menu.subscriptions();
  await shop.subscriptions.newSubscription();
  await expect(page).toHaveURL(/\/home\?TUP=true$/);
  await expectAccessible();
  await shop.home.buyNow(standard);
  await expect(page).toHaveURL(/\/contract\/microsoft\/microsoft-365-business-standard\/IN\?TUP=true$/);
  // The only tenant is preselected.
  await expect(details.destination(customer.domain)).toBeChecked();
  await expectAccessible();
  await details.quantity.fill("4");
  await details.next();

  await shop.expectStep("placeOrder");
  const link = shop.orderLink;
  expect(link).toMatch(/^\/contract\/[0-9a-f-]{36}\/microsoft$/);
  expect(await panel.marks()).toEqual(["+ Subscription Details", "> Place Order", "- Order Processed"]);
  expect(await placeOrder.lines()).toEqual(
    expect.arrayContaining([`Product: ${standard}`, `Added to: ${customer.domain}`, "Quantity: 4"]),
  );
  await expect(placeOrder.soldTo).toContainText(customer.companyName);
  await expectAccessible();
  // The input is kept on the way back, and can be changed.
  await panel.go("Subscription Details");
  await expect(details.destination(customer.domain)).toBeChecked();
  await expect(details.quantity).toHaveValue("4");
  await details.quantity.fill("5");
  await details.next();
  await shop.expectStep("placeOrder");
  await resume(shop, link.replace(/\/microsoft$/, ""));
  await shop.expectStep("placeOrder");
  expect(await placeOrder.lines()).toContain("Quantity: 5");

  await shop.pay();
  await shop.expectStep("closure");
  await expect(closure.heading).toHaveText("Get started with your Microsoft 365 subscription");
  await expect(page.getByRole("main")).toContainText(`Added to ${customer.domain}.`);
  await expect(closure.credentials).toBeHidden();
  await expectAccessible();
  await resume(shop, link);
  await shop.expectStep("closure");
  const mail = await shop.inbox.wait(
    customer.email,
    /^Your order is complete: Microsoft 365 Business Standard/,
  );
  expect(mail.text).toContain(`It has been added to ${customer.domain}.`);
  await page.goto(new URL(Inbox.linkIn(mail)).pathname);
  await shop.expectStep("closure");
  await closure.manageSubscriptions();
  const rows = shop.subscriptions.row(customer.domain);
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: standard })).toContainText("5");
});

test("a customer in the USA adds a subscription in a new tenant @keyboard", async ({ page, shop }) => {
  const { details, closure } = shop;
  await shop.becomeCustomer({ country: "US" });
  const prefix = newPrefix();
  // The prices of the customer's country, regardless of the link's.
  await page.goto("/order?sku_id=microsoft-365-business-standard&country=IN&TUP=true");
  await expect(page).toHaveURL(/\/contract\/microsoft\/microsoft-365-business-standard\/US\?TUP=true$/);
  for (const [name, message] of [
    ["", "Domain is required"],
    ["taken-name", prefixRule],
    ["takenname", "domain is not available"],
  ] as const) {
    await details.destination("A new Microsoft 365 account").check();
    await details.prefix.fill(name);
    await details.next();
    await expectErrors(page, [[message, details.prefix]]);
  }
  await details.prefix.fill(prefix);
  await details.next();
  await shop.expectStep("placeOrder");
  await shop.pay();
  await shop.expectStep("closure");
  await expect(closure.heading).toHaveText("Welcome Onboard!");
  await expect(closure.username).toHaveText(`admin@${prefix}.onmicrosoft.com`);

  // With two tenants, one must be chosen.
  await page.goto("/contract/microsoft/microsoft-teams-essentials/US?TUP=true");
  await details.next();
  await expectErrors(page, [["Please choose where to add the subscription.", details.destinations]]);
});

test("only its owner continues an addition on another device @without-scripts", async ({
  page,
  shop,
  otherDevice,
}) => {
  const customer = await shop.becomeCustomer({ country: "US" });
  await page.goto("/contract/microsoft/microsoft-365-business-standard/US?TUP=true");
  await shop.details.next();
  await shop.expectStep("placeOrder");
  const link = shop.orderLink;

  const elsewhere = await otherDevice();
  await elsewhere.setPasswordFromMail(customer.email, "a-Good-Pass-1");
  await elsewhere.page.goto(link);
  await elsewhere.login.logIn(customer.email, "a-Good-Pass-1");
  await elsewhere.expectStep("placeOrder");
  await elsewhere.pay();
  await elsewhere.expectStep("closure");

  const stranger = await otherDevice();
  await stranger.reachPlaceOrder({ country: "US" });
  expect((await stranger.page.goto(link))?.status()).toBe(404);
});

test("a name taken during the payment is asked for again @without-scripts", async ({
  page,
  shop,
  control,
  sql,
}) => {
  await shop.becomeCustomer({ country: "US" });
  const prefix = newPrefix();
  await page.goto("/contract/microsoft/microsoft-365-business-standard/US?TUP=true");
  await shop.details.destination("A new Microsoft 365 account").check();
  await shop.details.prefix.fill(prefix);
  await shop.details.next();
  await shop.expectStep("placeOrder");
  const { orderId } = shop;
  await control("seed", {
    customers: [{ id: crypto.randomUUID(), domain: `${prefix}.onmicrosoft.com`, companyName: "Others" }],
  });
  await shop.pay();
  await shop.expectStep("signIn");
  await expect(shop.signIn.problem).toContainText(
    `${prefix}.onmicrosoft.com is not available. You will not be charged again.`,
  );
  const other = newPrefix();
  await shop.signIn.newTenant(other);
  await shop.expectStep("closure");
  await expect(shop.closure.username).toHaveText(`admin@${other}.onmicrosoft.com`);
  expect(await sql("select id from payments where order_id = $1", [orderId])).toHaveLength(1);
});

test("a Google customer adds another plan at the regular price, never the same twice", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { domain } = await shop.becomeCustomer({
    family: "google",
    plan: "google-workspace-business-starter",
    domain: `shop-${crypto.randomUUID().slice(0, 8)}.com`,
    country: "IN",
  });
  await page.goto("/contract/google/google-workspace-business-starter/IN?TUP=true");
  await shop.details.quantity.fill("2");
  await shop.details.next();
  await expectErrors(page, [
    [
      `${domain} already has Google Workspace Business Starter. To add licenses, select Buy more next to it in My Subscriptions.`,
      shop.details.destinations,
    ],
  ]);
  await page.getByRole("link", { name: `Buy more licenses for ${domain}` }).click();
  await expect(shop.details.heading).toHaveText(/Add More Licenses$/);
  await expect(page.getByRole("main")).toContainText(domain);
  await page.goto("/contract/google/google-workspace-business-standard/IN?TUP=true");
  await expect(shop.details.destination(domain)).toBeChecked();
  await expectAccessible();
  await shop.details.quantity.fill("2");
  await shop.details.next();
  await shop.expectStep("placeOrder");
  const lines = await shop.placeOrder.lines();
  expect(lines).toContain(`Domain: ${domain}`);
  expect(lines.filter((line) => line.startsWith("Plan:"))).toEqual([
    "Plan: 2 users x ₹10,368 user/year = ₹20,736",
  ]);
  await shop.pay();
  await shop.expectStep("closure");
  await expect(shop.closure.heading).toHaveText("Get started with your Google Workspace subscription");
  await shop.closure.manageSubscriptions();
  await expect(shop.subscriptions.row(domain)).toHaveCount(2);
});

test("a customer adds brio, without a tenant to choose", async ({ page, shop }) => {
  const customer = await shop.becomeCustomer({ country: "US" });
  await page.goto("/contract/brio/brio-desk/US?TUP=true");
  await expect(shop.details.destinations).toHaveCount(0);
  await shop.details.quantity.fill("2");
  await shop.details.next();
  await shop.pay();
  await shop.expectStep("closure");
  await expect(shop.closure.username).toHaveText(customer.email);
  await shop.inbox.wait(customer.email, /^Your access to brio Desk/);
});

test("a visitor logs in first; without a company they order as new @without-scripts", async ({
  page,
  shop,
}) => {
  await page.goto("/contract/microsoft/microsoft-365-business-standard/US?TUP=true");
  await expect(shop.login.heading).toBeVisible();
  await page.goto("/subscription/addon");
  await expect(shop.login.heading).toBeVisible();
});

test("an add-on requires its base @without-scripts", async ({ page, shop }) => {
  await shop.reachPlaceOrder({ country: "US" });
  await page.goto("/subscription/addon");
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByText(baseNeeded)).toBeVisible();
});

test("a customer buys an add-on for at most its base's seats @keyboard @journey", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { details, panel, placeOrder, closure } = shop;
  const customer = await shop.becomeCustomer({ country: "US", quantity: "3" });
  await shop.menu.subscriptions();
  await shop.subscriptions.addOn(customer.domain);
  await expect(page).toHaveURL(/\/subscription\/addon\?sku_id=/);
  await expect(details.heading).toHaveText("Step 1 of 3 Set up your Add-on");
  await expect(details.destination("Microsoft 365 Business Basic")).toBeChecked();
  await expectAccessible();
  await details.quantity.fill("4");
  await details.next();
  await expectErrors(page, [
    ["Microsoft 365 Business Basic has 3 licenses: you can add up to 3.", details.quantity],
  ]);
  await details.quantity.fill("2");
  await details.next();
  await shop.expectStep("placeOrder");
  const link = shop.orderLink;
  expect(link).toMatch(/^\/subscription\/addon\/[0-9a-f-]{36}$/);
  expect(await panel.marks()).toEqual(["+ Subscription Details", "> Place Order", "- Order Processed"]);
  expect(await placeOrder.lines()).toContain(`Added to: Microsoft 365 Business Basic, ${customer.domain}`);
  await resume(shop, link);
  await shop.expectStep("placeOrder");
  await shop.pay();
  await shop.expectStep("closure");
  await expect(closure.heading).toHaveText("Subscription Added");
  await expectAccessible();
  await resume(shop, link);
  await shop.expectStep("closure");
  await closure.manageSubscriptions();
  await expect(shop.subscriptions.row(copilot).filter({ hasText: customer.domain }).first()).toBeVisible();

  // The seats that already have it count, on the plan's own page too.
  await page.goto("/contract/microsoft/microsoft-365-business-basic/US?TUP=true");
  await page.getByRole("link", { name: "Add it to an existing subscription" }).click();
  await details.quantity.fill("2");
  await details.next();
  await expectErrors(page, [
    [
      `Microsoft 365 Business Basic has 3 licenses, 2 of them with ${copilot} already: you can add up to 1.`,
      details.quantity,
    ],
  ]);
});

test("a customer keeps adding through search, slides and header, for its domain", async ({ page, shop }) => {
  const { domain } = await shop.becomeCustomer({
    family: "google",
    plan: "google-workspace-business-starter",
    domain: newDomain(),
    country: "IN",
  });
  const { home, search, details } = shop;
  const isAdding = /[?&]TUP=true/;
  await page.goto("/subscriptions");
  await page.getByRole("link", { name: "New Subscription" }).click();
  await expect(page).toHaveURL(isAdding);
  await page.getByRole("navigation", { name: "Provider" }).getByRole("link", { name: "Google" }).click();
  await expect(page).toHaveURL(isAdding);
  // The chosen provider's slide comes first, then the other's.
  for (const plans of ["Microsoft", "Google"]) {
    await home
      .offer(2)
      .getByRole("link", { name: `See ${plans} plans` })
      .click();
    await expect(page).toHaveURL(/TUP=true#featured$/);
    await expect(home.section("Featured Services")).toBeInViewport();
  }
  await search.search("google workspace");
  await expect(page).toHaveURL(isAdding);
  await search.pager.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(page).toHaveURL(isAdding);
  await page.getByRole("main").getByRole("searchbox").fill("google workspace business standard");
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await home.buyNow("Google Workspace Business Standard");
  await expect(page).toHaveURL(/\/contract\/google\/google-workspace-business-standard\/IN\?TUP=true$/);
  await expect(details.destination(domain)).toBeChecked();
  await details.next();
  await shop.expectStep("placeOrder");
});

test("a viewer is not treated as a customer who adds @without-scripts", async ({ page, shop, sql }) => {
  const { email } = await shop.becomeCustomer();
  await sql("update members set role = 'viewer' where user_id = (select id from users where email = $1)", [
    email,
  ]);
  await page.goto("/home?TUP=true");
  await expect(page.getByRole("main")).toContainText("You can see your company's orders");
  await expect(page.getByRole("main")).not.toContainText("Choose what to add");
});
