/** A customer's lists: subscriptions with their actions, orders with their details, and the cart. */
import type { Page } from "playwright/test";
import { beginOrder, type OpenPayment } from "#tests/support/journey.ts";
import { answerSignInNewTenant, freshPrefix, paidOrder } from "#tests/support/paid-order.ts";
import { expect, type Sql, test } from "./fixtures.ts";
import { orderNumberOf } from "./order-number.ts";
import { CartPage, OrdersPage, SubscriptionsList } from "./pages/lists.ts";

const basic = "Microsoft 365 Business Basic";
const standard = "Microsoft 365 Business Standard";
const domainOf = (prefix: string) => `${prefix}.onmicrosoft.com`;

interface Fixtures {
  baseURL: string | undefined;
  sandboxUrl: string;
}

/** Buys over HTTP, and signs this browser in as the buyer. */
async function comeAsBuyer(page: Page, { baseURL = "", sandboxUrl }: Fixtures): Promise<OpenPayment> {
  const order = await paidOrder({ url: baseURL, sandboxUrl });
  await page
    .context()
    .addCookies([{ name: "session", value: order.browser.cookie("session") ?? "", url: baseURL }]);
  return order;
}

/** Buys over HTTP, and waits for the order's subscription. */
async function comeAsHolder(
  page: Page,
  { sql, prefix, ...fixtures }: Fixtures & { sql: Sql; prefix: string },
): Promise<{ order: OpenPayment; id: string }> {
  const order = await comeAsBuyer(page, fixtures);
  await answerSignInNewTenant(order, { prefix });
  const held = () => sql("select id from subscriptions where order_id = $1", [order.id]);
  await expect.poll(held).toHaveLength(1);
  const [{ id } = { id: "" }] = await held();
  return { order, id };
}

const widerThanScreen = (page: Page) =>
  page.locator("html").evaluate((root) => root.scrollWidth - root.clientWidth);

test("a customer sees subscriptions and resumes a payment @keyboard @journey", async ({
  page,
  shop,
  sql,
  baseURL,
  sandboxUrl,
  scriptsOff,
  expectAccessible,
}) => {
  const prefix = freshPrefix(scriptsOff ? "runs" : "running");
  const { order, id } = await comeAsHolder(page, { baseURL, sandboxUrl, sql, prefix });
  const { subscriptions, menu } = shop;

  await page.goto("/");
  await menu.subscriptions();
  const row = subscriptions.row(domainOf(prefix));
  await expect(row.getByRole("link", { name: "Buy more" })).toHaveAttribute("href", `/buy/more/${id}`);
  await expect(row).toContainText(/You can renew from .+, 30 days before it ends/);
  await expect(row.getByRole("link", { name: /^Renew/ })).toHaveCount(0);
  await expect(row).toContainText("₹3,288 per year, before GST");
  const list = new SubscriptionsList(page);
  await expect(list.badge(domainOf(prefix))).toHaveText("in 12 months");
  await expect(list.filled(domainOf(prefix))).toHaveCount(0);
  await expect(list.due).toHaveCount(0);
  // A single month shows only its sum, without a chart.
  await expect(list.overview).toContainText("Next 12 months, before GST: ₹3,288");
  await expect(list.overview).toContainText("Last 12 months, including GST: ₹3,880");
  expect(await list.months("Spend by month")).toEqual([]);
  await expect.poll(() => row.evaluate(({ clientHeight }) => clientHeight)).toBeLessThanOrEqual(56);
  await expectAccessible();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await widerThanScreen(page)).toBe(0);
  await expect(row).toBeVisible();

  await sql("update subscriptions set end_date = now() - interval '1 hour' where id = $1", [id]);
  await page.reload();
  const expired = page.getByRole("table", { name: "Expired subscriptions" });
  await expect(expired.getByRole("link", { name: /^Renew/ })).toHaveAttribute("href", `/${id}/renew`);
  const buyMore = expired.getByRole("button", { name: /^Buy more/ });
  await expect(buyMore).toBeDisabled();
  await expect(buyMore).toHaveAccessibleDescription(
    "This subscription has ended. Renew it first, then add licenses.",
  );
  await expect(page.getByText("No active subscriptions found.")).toBeVisible();
  await expect(list.filled(domainOf(prefix))).toHaveText("Renew");

  // Where buy more leads a buyer whose payment has arrived.
  const draft = await beginOrder(order.browser);
  await sql(
    `update orders set kind = 'ADD', stage = 'stage3', payment_status = 'completed', fulfilment_status = 'queued',
      subscription_id = $2 where id = $1`,
    [draft.id, id],
  );
  await page.goto(`/subscriptions?completed=${draft.id}`);
  const dialog = page.getByRole("dialog", { name: basic });
  await expect(dialog).toContainText(
    "Your payment has been completed. Please click Continue to complete your order.",
  );
  expect(await widerThanScreen(page)).toBe(0);
  await expectAccessible();
  const [answer] = await Promise.all([
    page.waitForRequest((request) => request.url().includes(`/buy/more/${id}`)),
    dialog.getByRole("button", { name: "Continue" }).click(),
  ]);
  expect(answer.url()).toMatch(/\?stage=3$/);
});

test("the next end comes first, with the renewal's amount @keyboard", async ({
  page,
  shop,
  sql,
  baseURL,
  sandboxUrl,
  scriptsOff,
  expectAccessible,
}) => {
  const prefix = freshPrefix(scriptsOff ? "soon" : "sooner");
  const { id } = await comeAsHolder(page, { baseURL, sandboxUrl, sql, prefix });
  await sql("update subscriptions set end_date = now() + interval '20 days' where id = $1", [id]);

  const list = new SubscriptionsList(page);
  await list.open();
  await expect(list.due).toContainText(`${basic} ends in 20 days`);
  await expect(list.badge(domainOf(prefix))).toHaveText("in 20 days");
  await expect(list.badge(domainOf(prefix))).toHaveClass(/due/);
  await expect(list.filled(domainOf(prefix))).toHaveText("Renew");
  await expectAccessible();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await widerThanScreen(page)).toBe(0);

  // During a search the overview is hidden.
  await list.find(prefix);
  await expect(list.row(prefix)).toBeVisible();
  await expect(list.overview).toHaveCount(0);
  await expect(list.due).toHaveCount(0);

  await list.open();
  await list.due.getByRole("link", { name: "Renew for ₹3,880" }).click();
  await expect(shop.details.heading).toHaveText("Step 1 of 3 Renew Your Subscription");
  await expect(page.getByRole("main")).toContainText("₹3,880");
});

test("an empty list explains itself and has one button", async ({ page, shop, expectAccessible }) => {
  const { email, password } = await shop.signUpAs();
  await shop.logIn(email, password);
  for (const [list, message] of [
    [new SubscriptionsList(page), "No active subscriptions found."],
    [new OrdersPage(page), "Orders not found."],
    [new CartPage(page), "Carts not found."],
  ] as const) {
    await list.open();
    await expect(list.empty(message).getByRole("link")).toHaveText(["Explore Services"]);
    await expect(page.getByRole("main").getByRole("searchbox")).toHaveCount(0);
    await expectAccessible();
    await page.goto(`${list.path}?service=google`);
    await expect(list.empty(message).getByRole("link")).toHaveText(["Show all"]);
  }
});

test("an order's details open in a popup, and show that it waits @keyboard", async ({
  page,
  shop,
  sql,
  baseURL,
  sandboxUrl,
  expectAccessible,
}) => {
  const order = await comeAsBuyer(page, { baseURL, sandboxUrl });
  const orders = new OrdersPage(page);
  await page.goto("/");
  await shop.menu.go("My Orders");
  await expect(orders.heading).toBeVisible();
  await expect(orders.row(basic).getByRole("cell")).toHaveText([
    "2",
    /^\d{1,2}(st|nd|rd|th) [A-Z][a-z]+ \d{4}$/,
    "New subscription",
    /^Needs sign-in details/,
    "₹3,880",
    /^Details of /,
  ]);
  const number = await orderNumberOf(sql, order.id);
  await expect(orders.row(basic)).toContainText(number);
  await expect(orders.details).toBeHidden();
  await orders.openDetails(basic);
  await expect(orders.details).toBeVisible();
  await expect(orders.details.getByRole("link", { name: "Invoice" })).toHaveAttribute(
    "href",
    `/orders/${order.id}/invoice`,
  );
  for (const text of [basic, number, "Quantity", "Tax amount", "Grand total", "₹3,880", "Acme Tools"])
    await expect(orders.details).toContainText(text);
  await expectAccessible();
  await orders.closeDetails();
  await expect(orders.details).toBeHidden();

  await orders.narrow("Google");
  await expect(page.getByText("Orders not found.")).toBeVisible();
  await orders.narrow("Microsoft");
  await orders.find(number.toLowerCase());
  await expect(orders.row(basic)).toHaveCount(1);
  await orders.find("%");
  await expect(page.getByText("Orders not found.")).toBeVisible();
  await page.getByRole("link", { name: "Show all" }).click();
  await orders.row(basic).getByRole("link", { name: "Needs sign-in details" }).click();
  await shop.expectStep("signIn");
});

test("Escape closes a row's menu and returns the focus @keyboard", async ({ page, baseURL, sandboxUrl }) => {
  const { browser } = await comeAsBuyer(page, { baseURL, sandboxUrl });
  await beginOrder(browser);
  const cart = new CartPage(page);
  await cart.open();
  const menu = cart.row(basic).locator(".row-menu");
  await menu.locator("summary").click();
  await page.keyboard.press("Tab");
  await expect(menu.getByRole("button").first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).not.toHaveAttribute("open");
  await expect(menu.locator("summary")).toBeFocused();
});

test("the cart resumes, removes and restores orders @keyboard @journey", async ({
  page,
  shop,
  baseURL,
  sandboxUrl,
  expectAccessible,
}) => {
  const { browser } = await comeAsBuyer(page, { baseURL, sandboxUrl });
  const wanted = { family: "microsoft", item: "microsoft-365-business-standard" };
  const { id } = await beginOrder(browser, { wanted });
  await beginOrder(browser);
  const cart = new CartPage(page);
  await page.goto("/");
  await shop.menu.go("Cart");
  await expect(cart.heading).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Each order is paid for separately.");
  await expect(cart.filled(standard)).toHaveText(/^Buy/);
  await expectAccessible();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await widerThanScreen(page)).toBe(0);

  await cart.remove(standard);
  await expect(cart.row(standard)).toHaveCount(0);
  await expect(cart.removed).toContainText(`Removed: ${standard}, 2 licenses.`);
  await expectAccessible();
  await cart.putBack();
  await expect(cart.row(standard)).toHaveCount(1);
  await cart.buy(standard);
  await shop.expectStep("account");
  expect(shop.orderId).toBe(id);
});
