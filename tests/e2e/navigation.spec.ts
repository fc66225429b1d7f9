/** Navigation: the header at every width, its sidebar, the journey's panel on a phone, and notifications. */
import { expect, test } from "./fixtures.ts";
import { Notification } from "./pages/notification.ts";
import { widerThanScreen } from "./pages/screen.ts";
import { newPrefix } from "./pages/sign-in-step.ts";

const phone = { width: 360, height: 740 };
const logInFirst = "Please sign in first: Copilot for Microsoft 365 is added to an existing subscription.";
const baseNeeded = "You must have base product for purchasing copilot for Microsoft 365";

test("the sidebar opens and closes by mouse and by keyboard", async ({ page, shop, expectAccessible }) => {
  const { burger, sidebar } = shop.menu;
  await page.setViewportSize(phone);
  await shop.home.open();
  await expect(sidebar).toBeHidden();
  await burger.click();
  await expect(sidebar).toBeVisible();
  await expect(sidebar).toContainText("User");
  await expectAccessible();
  await sidebar.getByRole("button", { name: "Close the menu" }).click();
  await expect(sidebar).toBeHidden();

  await burger.click();
  await expect(sidebar).toBeVisible();
  await page.mouse.click(350, 500);
  await expect(sidebar).toBeHidden();

  await burger.focus();
  await page.keyboard.press("Enter");
  await expect(sidebar).toBeVisible();
  // The focus moves into it.
  await expect(sidebar.getByRole("button", { name: "Close the menu" })).toBeFocused();
  await page.keyboard.press("Tab");
  const link = sidebar.getByRole("link", { name: "Subscriptions" });
  await expect(link).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(sidebar).toBeHidden();
  await expect(burger).toBeFocused();
  await page.keyboard.press("Enter");
  await link.focus();
  await page.keyboard.press("Enter");
  // A visitor logs in first.
  await expect(page).toHaveURL(/\/login\?next=%2Fsubscriptions$/);
});

test("the sidebar closes at once with reduced motion @without-scripts", async ({ page, shop }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize(phone);
  await shop.home.open();
  const duration = () =>
    shop.menu.sidebar.evaluate((element) => getComputedStyle(element).transitionDuration.split(", ")[0]);
  await shop.menu.open();
  expect(await duration()).toBe("0s");
  await page.keyboard.press("Escape");
  await expect(shop.menu.sidebar).toBeHidden({ timeout: 250 });
});

test("on a phone the sidebar has the header's search and login @keyboard", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { menu } = shop;
  await page.setViewportSize(phone);
  await shop.home.open();
  const header = page.getByRole("banner");
  await expect(header.getByRole("searchbox")).toBeHidden();
  await expect(menu.root).toBeHidden();
  await menu.open();
  await expect(menu.sidebar.getByRole("link", { name: "Log In" })).toBeVisible();
  await expectAccessible();
  await menu.sidebar.getByRole("searchbox", { name: "Search services" }).fill("exchange");
  await menu.sidebar.getByRole("button", { name: "Search" }).click();
  await expect(shop.search.heading).toHaveText("Results for “exchange”");
  expect(await widerThanScreen(page)).toBe(0);
  // A page without a sidebar keeps the login in the header.
  await shop.details.open("microsoft-365-business-basic", "IN", "microsoft");
  await expect(menu.burger).toBeHidden();
  await expect(menu.root.getByRole("link", { name: "Log In" })).toBeVisible();
  await expect(header.getByRole("searchbox")).toBeHidden();
});

test("the header shrinks with the screen", async ({ page, shop }) => {
  const country = page.getByRole("banner").locator("summary", { hasText: "Country: USA" });
  const nameWidth = async () => (await country.getByText("USA", { exact: true }).boundingBox())?.width ?? 0;
  const { pages, burger } = shop.menu;
  for (const [width, isShown] of [
    [1280, true],
    [915, true],
    [914, false],
    [768, false],
    [767, false],
    [360, false],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/?country=US");
    // Its label disappears, the control stays.
    await expect(country).toBeVisible();
    expect((await nameWidth()) > 1, `the country's name at ${width}`).toBe(isShown);
    await expect(pages).toBeVisible({ visible: width >= 768 });
    await expect(burger).toBeVisible();
    expect(await widerThanScreen(page), `at ${width}`).toBe(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  const { email, password } = await shop.signUpAs();
  await shop.logIn(email, password);
  for (const [width, path, isShown] of [
    [1280, "/subscriptions", true],
    [1280, "/account", false],
    [360, "/account", true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(path);
    await expect(burger).toBeVisible({ visible: isShown });
  }
  await burger.click();
  await expect(shop.menu.sidebar.getByRole("searchbox", { name: "Search services" })).toBeVisible();
});

test("the header's country list offers India and leads to its prices", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const banner = page.getByRole("banner");
  await page.goto("/home?service=google&country=US&TUP=true");
  await banner.locator("summary", { hasText: "Country: USA" }).click();
  const countries = banner.locator("details").getByRole("listitem");
  await expect(countries).toHaveText(["India"]);
  await expectAccessible();
  await countries.getByRole("link").click();
  await expect(page).toHaveURL(/\/home\?service=google&country=IN&TUP=true$/);
  await expect(shop.home.card("Google Workspace Business Starter")).toContainText("₹");
  await banner.locator("summary", { hasText: "Country: India" }).click();
  await banner.getByRole("link", { name: "Choose another country" }).click();
  await expect(page).toHaveURL(/\/country$/);
  // An order's country is fixed, so there is nothing to choose.
  await shop.details.open("microsoft-365-business-basic", "US");
  await expect(banner.getByText("Country: USA")).toBeVisible();
  await expect(banner.locator("details")).toHaveCount(0);
});

test("a signed-in user has a menu below the name, and links next to it @keyboard", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { menu } = shop;
  const { email, password } = await shop.signUpAs();
  await shop.logIn(email, password);
  await menu.go("My Orders");
  await expect(menu.pages.locator("[aria-current=page]")).toHaveText("My Orders");
  await expect(menu.logOutButton).toBeHidden();
  await menu.name.focus();
  await page.keyboard.press("Enter");
  await expect(menu.logOutButton).toBeVisible();
  await expectAccessible();
  for (const name of ["Renewals", "Invoices and statements", "Company", "Members"]) {
    await page.keyboard.press("Tab");
    await expect(menu.root.getByRole("link", { name })).toBeFocused();
  }
  await menu.root.getByRole("link", { name: "My Account" }).click();
  await expect(page).toHaveURL(/\/account$/);
  await menu.logOut();
  await expect(shop.login.heading).toBeVisible();
});

test("a visitor chooses language and country in the footer, for later visits too", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const footer = page.getByRole("contentinfo");
  await page.goto("/login?next=%2Fcart");
  await footer.getByRole("button", { name: "हिन्दी" }).click();
  await expect(page).toHaveURL(/\/login\?next=%2Fcart$/);
  await expect(page.locator("html")).toHaveAttribute("lang", "hi");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("साइन इन");
  await expectAccessible();
  await page.goto("/");
  await footer.getByRole("link", { name: "अमेरिका ($)" }).click();
  await expect(page).toHaveURL(/\/\?country=US$/);
  await footer.getByRole("button", { name: "English" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", /^en/);
  // These URLs contain neither.
  for (const address of ["/", "/search?query=exchange"]) {
    await page.goto(address);
    await expect(page.getByRole("article").first()).toContainText("$");
    await expect(footer.locator("[aria-current]", { hasText: "USA" })).toBeVisible();
  }
  await footer.getByRole("link", { name: "India (₹)" }).click();
  await expect(page).toHaveURL(/\/search\?query=exchange&country=IN$/);
  await shop.home.open();
  await expect(page.getByRole("article").first()).toContainText("₹");
});

test("the provider selector switches the catalogue and filters the subscriptions", async ({ page, shop }) => {
  const provider = page.getByRole("navigation", { name: "Provider" });
  await page.goto("/home?country=US");
  await expect(provider.locator("[aria-current]")).toHaveText("Microsoft");
  await provider.getByRole("link", { name: "Google" }).click();
  await expect(page).toHaveURL(/\/home\?country=US&service=google$/);
  await expect(provider.locator("[aria-current]")).toHaveText("Google");
  await expect(shop.home.card("Google Workspace Business Starter")).toContainText("$");
  await shop.search.search("exchange");
  await expect(page).toHaveURL(/country=US/);
  await expect(provider).toBeHidden();

  const customer = await shop.becomeCustomer({ country: "IN" });
  await shop.menu.subscriptions();
  // It shares its state with the tabs, at every width.
  await page.setViewportSize(phone);
  await expect(provider.locator("summary")).toContainText("Provider: All");
  await expect(shop.subscriptions.row(customer.domain)).toBeVisible();
  await provider.locator("summary").click();
  await provider.getByRole("link", { name: "Google" }).click();
  await expect(page.getByText("No active subscriptions found.")).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 740 });
  await expect(page.getByRole("navigation", { name: "Service" }).locator("[aria-current]")).toHaveText(
    "Google",
  );
  await provider.locator("summary").click();
  await provider.getByRole("link", { name: "Microsoft" }).click();
  await expect(shop.subscriptions.row(customer.domain)).toBeVisible();

  // At 400 px and less the label is hidden, its accessible name and the plus sign stay.
  const label = page.getByRole("main").getByText("New Subscription", { exact: true });
  const labelWidth = async () => (await label.boundingBox())?.width ?? 0;
  expect(await labelWidth()).toBeGreaterThan(50);
  await page.setViewportSize({ width: 400, height: 740 });
  expect(await labelWidth()).toBeLessThan(2);
  await expect(page.getByRole("link", { name: "New Subscription", exact: true })).toContainText("+");

  await page.setViewportSize({ width: 400, height: 740 });
  await shop.menu.open();
  const { sidebar } = shop.menu;
  await expect(sidebar).toContainText(`${customer.firstName} ${customer.lastName}`);
  await expect(sidebar).toContainText(customer.companyName);
  await sidebar.getByRole("button", { name: "Log Out" }).click();
  await expect(shop.login.heading).toBeVisible();
});

test("on a wide screen the bill with its button stays visible next to the step", async ({ page, shop }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await shop.details.open("microsoft-365-business-basic", "IN");
  const bill = page.locator(".checkout");
  const next = bill.getByRole("button", { name: "Next", exact: true });
  const quantity = await shop.details.quantity.boundingBox();
  const panel = await bill.boundingBox();
  expect(panel?.x ?? 0).toBeGreaterThan((quantity?.x ?? 0) + (quantity?.width ?? 0));
  for (const y of [0, 100_000]) {
    await page.evaluate((top) => window.scrollTo(0, top), y);
    await expect(bill.locator("[data-bill=total]")).toBeInViewport({ ratio: 1 });
    await expect(next).toBeInViewport({ ratio: 1 });
  }
  await shop.reachPlaceOrder({ country: "IN" });
  for (const part of [bill.locator("[data-bill=total]"), shop.placeOrder.terms])
    await expect(part).toBeInViewport({ ratio: 1 });
  await expect(bill.getByRole("button", { name: "Place Order" })).toBeInViewport({ ratio: 1 });
});

test("on a phone the total and the button stay visible above the panel @keyboard", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { panel } = shop;
  await shop.reachPlaceOrder({ country: "IN", quantity: "3" });
  await expect(panel.toggle).toBeHidden();
  await expect(panel.root.getByRole("list")).toBeVisible();
  const placeOrder = page.getByRole("button", { name: "Place Order" });
  const total = await panel.root.locator(".total dd").textContent();
  await page.setViewportSize(phone);
  await expect(panel.root.getByRole("list")).toBeHidden();
  for (const y of [0, 400]) {
    await page.evaluate((top) => window.scrollTo(0, top), y);
    await expect(placeOrder).toBeInViewport({ ratio: 1 });
  }
  await expect(placeOrder).toContainText(total ?? "no total");
  // The other ways to pay are towards the end; the total stays visible.
  const otherWay = page.getByRole("button", { name: "Pay by UPI" });
  await otherWay.evaluate((button) => button.scrollIntoView({ block: "center" }));
  await expect(otherWay).toBeInViewport({ ratio: 1 });
  await expect(panel.toggle).toContainText(`Step 3 of 5 · Place Order${total}`);
  await expect(panel.toggle).toBeInViewport({ ratio: 1 });
  await expectAccessible();
  expect(await widerThanScreen(page)).toBe(0);
  await panel.toggle.click();
  expect(await panel.marks()).toContain("> Place Order");
  await expectAccessible();
  await panel.go("Create Account");
  await shop.expectStep("account");
  // The next step's panel starts closed, and does not cover the focus.
  await expect(panel.root.getByRole("list")).toBeHidden();
});

test("on a phone a paid total is not due, and no bar covers the end @without-scripts", async ({
  page,
  shop,
}) => {
  await page.setViewportSize(phone);
  await shop.reachSignIn({ country: "IN", quantity: "3" });
  await shop.panel.toggle.click();
  await expect(shop.panel.root).toContainText(/Paid ?₹/);
  await shop.signIn.newTenant(newPrefix());
  await shop.expectStep("closure");
  await expect(shop.panel.toggle).toHaveCount(0);
  await expect(shop.panel.root).toContainText("Paid");
  await expect(shop.panel.root).not.toContainText("Total");
});

test.describe("a notification", () => {
  test("stays without scripts, and can be closed with them @keyboard", async ({
    page,
    shop,
    scriptsOff,
    expectAccessible,
  }) => {
    const notification = new Notification(page);
    await page.goto("/order/microsoft/copilot-for-microsoft-365/IN");
    await expect(shop.login.heading).toBeVisible();
    await expect(page.getByRole("alert")).toHaveText(logInFirst);
    await expect(notification.closeButton).toBeVisible({ visible: !scriptsOff });
    // With the focus inside, it stays for as long as axe runs.
    if (!scriptsOff) await notification.closeButton.focus();
    await expectAccessible();
    if (scriptsOff) return;
    await notification.closeButton.click();
    await expect(notification.root).toBeHidden();
    await expect(page.getByRole("main")).toBeFocused();
    await page.reload();
    await expect(notification.root).toHaveCount(0);
  });

  test("a visitor who wants an add-on logs in, and then learns whether they have a base", async ({
    page,
    shop,
  }) => {
    const { email, password } = await shop.signUpAs();
    await shop.home.open("/home");
    await shop.home.buyNow("Copilot for Microsoft 365");
    await expect(page.getByRole("alert")).toHaveText(logInFirst);
    await shop.login.logIn(email, password);
    await expect(page).toHaveURL(/\/home$/);
    await expect(page.getByRole("alert")).toHaveText(baseNeeded);
  });

  test("closes automatically after 5.5 seconds, but not while it is read", async ({ page }) => {
    await page.clock.install();
    const notification = new Notification(page);
    await page.goto("/order/microsoft/copilot-for-microsoft-365/IN");
    await expect(notification.closeButton).toBeVisible();
    await notification.root.hover();
    await page.clock.runFor(20_000);
    await expect(notification.root).toBeVisible();
    await page.mouse.move(500, 500);
    await notification.closeButton.focus();
    await page.clock.runFor(20_000);
    await expect(notification.root).toBeVisible();
    await notification.closeButton.blur();
    await page.clock.runFor(5_000);
    await expect(notification.root).toBeVisible();
    await page.clock.runFor(1_000);
    await expect(notification.root).toBeHidden();
  });

  test("does not replace a form's errors, which stay", async ({ page, shop }) => {
    await page.clock.install();
    await shop.login.open();
    await shop.login.logIn("nobody@example.com", "not-the-password");
    await expect(page.getByRole("alert")).toContainText("Login failed.");
    await page.clock.runFor(60_000);
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(new Notification(page).root).toHaveCount(0);
  });
});

test.describe("protected pages", () => {
  test("lead a visitor to the login and back", async ({ page, shop }) => {
    const { email, password } = await shop.becomeKnown();
    for (const path of ["/Home", "/MSSignup", "/sync/cp", "/subscriptions"]) {
      await page.context().clearCookies();
      await page.goto(path);
      await expect(shop.login.heading).toBeVisible();
      await shop.login.logIn(email, password);
      await expect(page).toHaveURL(new RegExp(`${path}$`));
      await shop.menu.expectLoggedIn();
    }
  });

  test("/home is for everyone", async ({ page, shop }) => {
    await page.goto("/home");
    await expect(page).toHaveURL(/\/home$/);
    await expect(shop.home.card("Microsoft Teams Essentials")).toBeVisible();
  });
});

test("a buyer finds orders that wait for Microsoft sign-in @keyboard @journey", async ({
  page,
  shop,
  expectAccessible,
}) => {
  await shop.reachPlaceOrder({ country: "IN" });
  const { orderLink } = shop;
  await page.goto("/MSSignup");
  await expect(page.getByText("Orders that still need your answer appear here.")).toBeVisible();
  await expectAccessible();
  await page.getByRole("textbox", { name: "Username" }).fill("it");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page).toHaveURL(/\/Home\?mode=new$/);
  await expectAccessible();
  await page.goto(orderLink);
  await shop.pay();
  await shop.expectStep("signIn");
  // Shown where orders are listed, next to the order's own link.
  await page.goto("/myorders");
  await expectAccessible();
  await page.getByRole("main").getByRole("link", { name: "Microsoft sign-in" }).click();
  await expect(page).toHaveURL(/\/MSSignup$/);
  await expect(page.getByText("One order is paid")).toBeVisible();
  await expectAccessible();
  await page.getByRole("link", { name: "Continue with Microsoft 365 Business Basic" }).click();
  await shop.expectStep("signIn");
  expect(shop.orderLink).toBe(orderLink);
  await page.goto("/MSSignup");
  await expect(page.getByText("We've emailed you the order confirmation.")).toBeVisible();
  await page.getByRole("textbox", { name: "Username" }).fill("it");
  await page.getByRole("textbox", { name: "Domain Name" }).fill("begunatsignup");
  await page.getByRole("button", { name: "Next" }).click();
  await shop.expectStep("signIn");
  await expect(shop.signIn.username).toHaveValue("it");
  await expect(shop.signIn.prefix).toHaveValue("begunatsignup");
  await page.goto("/MSSignup");
  await page.getByRole("radio", { name: "I have a Microsoft account" }).check();
  await page.getByRole("textbox", { name: "Username" }).fill("it@begunatsignup.onmicrosoft.com");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(shop.signIn.existingUsername).toHaveValue("it@begunatsignup.onmicrosoft.com");
});

test("rarely opened pages pass axe and fit the screen too", async ({ page, shop, expectAccessible }) => {
  await page.goto("/api/docs");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible();
  const { email, password } = await shop.signUpAs();
  await shop.logIn(email, password);
  for (const path of ["/sync/cp", "/subscriptions", "/myorders", "/cart", "/members"]) {
    await page.goto(path);
    await expect(page).toHaveURL(path);
    await expectAccessible();
  }
});

test("the country page links to our countries and names those to come @keyboard", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const country = page.getByLabel("Country");
  const login = page.getByRole("button", { name: "Login" });
  await page.goto("/country");
  await expect(country.locator("option")).toHaveText(["India", "USA", "UAE", "Saudi Arabia"]);
  await expect(country).toHaveValue("IN");
  await expectAccessible();
  for (const name of ["UAE", "Saudi Arabia"]) {
    await country.selectOption(name);
    await login.click();
    await expect(page.getByRole("status")).toContainText(`We're not open in ${name} yet.`);
    await expect(country.locator("option:checked")).toHaveText(name);
  }
  await expectAccessible();
  await country.selectOption("USA");
  await page.getByRole("button", { name: "Browse first" }).click();
  await expect(shop.home.card("Microsoft Teams Essentials")).toContainText("$");

  const { email, password } = await shop.becomeKnown();
  await page.goto("/country");
  await country.selectOption("USA");
  await login.click();
  await shop.login.logIn(email, password);
  await expect(page).toHaveURL(/\/\?country=US$/);
  expect((await page.request.get("/country?country=FR")).status()).toBe(404);
});
