/** Outages: the payment provider, the administrator or Microsoft does not respond. On a separate stack. */

import type { BrowserContext } from "playwright/test";
import { tenantIdOf } from "#sandbox/vendors/partner-center/login.ts";
import { exhaustRetriesSql } from "#tests/support/exhaust-retries.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { type Control, expect, type Sql, test as shared } from "./fixtures.ts";
import { orderNumberOf } from "./order-number.ts";
import { newAccount } from "./pages/account-step.ts";
import { untilHydrated } from "./pages/checkout.ts";
import { expectErrors, expectFormError, untilKept } from "./pages/errors.ts";
import { Notification } from "./pages/notification.ts";
import { Shop } from "./pages/shop.ts";
import { ApprovalPage, newPrefix } from "./pages/sign-in-step.ts";

/** Longer than any check of a page takes; the store waits for a provider as long. */
const slowMs = 120_000;

const test = shared.extend<object, { stack: Stack }>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names from the pattern
    async ({}, use) => {
      const stack = await startStack({
        env: {
          TRUSTED_PROXIES: "1",
          INVITATION_TIMEOUT_MS: "5000",
          PROVIDER_TIMEOUT_MS: String(slowMs),
        },
      });
      await use(stack);
      await stack.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ stack }, use) => use(stack.url),
  sandboxUrl: async ({ stack }, use) => use(stack.sandboxUrl),
  databaseUrl: async ({ stack }, use) => use(stack.databaseUrl),
});

test.beforeEach(async ({ control }) => {
  await control("faults", []);
  await control("webhooks", { mode: "normal" });
});

/** The payment provider accepts money, but neither responds nor sends webhooks. */
async function tellNothingOfPayments(control: Control): Promise<void> {
  await control("webhooks", { mode: "never" });
  await control("faults", [{ match: { method: "GET", path: "^/razorpay/v1/payments/" }, kind: "500" }]);
}

/** Causes a server error while `act` runs: the catalogue's table is missing. */
async function withoutCatalogue(sql: Sql, act: () => Promise<void>): Promise<void> {
  await sql("alter table catalogue_items rename to taken_away");
  try {
    await act();
  } finally {
    await sql("alter table taken_away rename to catalogue_items");
  }
}

/** Causes a server error while `act` runs: the table cannot be written. */
async function withoutWriting(
  table: "order_lines" | "addresses" | "orders",
  sql: Sql,
  act: () => Promise<void>,
): Promise<void> {
  await sql(`alter table ${table} add constraint broken check (false) not valid`);
  try {
    await act();
  } finally {
    await sql(`alter table ${table} drop constraint broken`);
  }
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled });

    test("the payment provider is down when the buyer returns", async ({
      page,
      shop,
      control,
      expectedErrors,
      expectAccessible,
    }) => {
      expectedErrors.push(/503/);
      await shop.reachPay({ country: "IN" });
      await tellNothingOfPayments(control);
      await shop.checkout.open();
      await shop.checkout.pay();
      await shop.expectStep("placeOrder");
      await expect(shop.placeOrder.paid).toBeVisible();
      await expect(shop.placeOrder.payButton).toBeHidden();
      await expectAccessible();
      await shop.placeOrder.submit();
      await expectFormError(
        page,
        "Retry failed: the payment provider did not answer. Please try again in a minute.",
      );
      await expect(shop.placeOrder.paid).toBeVisible();
      await expectAccessible();
      await page.reload();
      await control("faults", []);
      await shop.placeOrder.submit();
      await shop.expectStep("signIn");
    });

    test("Google returns no price, and none was read lately", async ({
      page,
      shop,
      sql,
      control,
      expectedErrors,
      expectAccessible,
    }) => {
      expectedErrors.push(/503/);
      await shop.reachPlaceOrder({
        family: "google",
        plan: "google-workspace-business-starter",
        domain: `${newPrefix()}.example`,
      });
      const readAgo = (days: number) =>
        sql("update vendor_prices set imported_at = now() - make_interval(days => $1)", [days]);
      await readAgo(4);
      await control("faults", [{ match: { path: "/offers\\?" }, kind: "500" }]);
      await shop.placeOrder.place();
      await expectFormError(
        page,
        "We can't get the price of Google Workspace Business Starter from Google right now, so we can't take this order. You haven't been charged. Please try again in a few minutes.",
      );
      await expectAccessible();
      await readAgo(1);
      await shop.placeOrder.place();
      await expect(shop.placeOrder.payButton).toBeVisible();
    });

    test("Submit completes an add-on paid during an outage, once", async ({ page, shop, sql, control }) => {
      const customer = await shop.becomeCustomer({ country: "US" });
      await shop.menu.subscriptions();
      await shop.subscriptions.addOn(customer.domain);
      await shop.details.quantity.fill("2");
      await shop.details.next();
      await shop.expectStep("placeOrder");
      const { orderId, orderLink } = shop;
      await tellNothingOfPayments(control);
      await shop.pay();
      await expect(shop.placeOrder.paid).toBeVisible();
      await expect(shop.placeOrder.payButton).toBeHidden();
      // The payment is stored with the order: later its link still shows Submit.
      await control("faults", []);
      await page.goto(orderLink);
      await shop.placeOrder.submit();
      await shop.expectStep("closure");
      await expect(shop.closure.heading).toHaveText("Subscription Added");
      expect(await sql("select id from payments where order_id = $1", [orderId])).toHaveLength(1);
      expect(await sql("select id from subscriptions where order_id = $1", [orderId])).toHaveLength(1);
    });

    test("a server error shows a number to ask about, and can be retried", async ({
      page,
      shop,
      sql,
      expectedErrors,
      expectAccessible,
    }) => {
      expectedErrors.push(/500/);
      await withoutCatalogue(sql, async () => {
        const response = await page.goto("/");
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("Unexpected Application Error!");
        await expect(page.getByRole("main")).toContainText(
          "If you were paying, check My Orders before you try again.",
        );
        await expect(page.getByRole("main")).toContainText(response?.headers()["x-request-id"] ?? "no id");
        await expectAccessible();
      });
      await page.getByRole("link", { name: "Try again" }).click();
      await expect(shop.home.card("Microsoft Teams Essentials")).toBeVisible();
    });

    test("nobody approves in time", async ({ page, shop, control, sql, scriptsOff, expectAccessible }) => {
      const { signIn } = shop;
      const username = `admin@${newPrefix()}.onmicrosoft.com`;
      await shop.reachSignIn({ country: "US" });
      const approval = new ApprovalPage(page);
      await signIn.existingTenant(username);
      // Without scripts the approval page is in this tab, and its link leads back to the waiting step.
      if (scriptsOff) await approval.backToOrder();
      await expect(signIn.approval).toBeVisible();
      await expect(page.getByRole("alert")).toHaveText(
        "We did not receive a Microsoft partner relationship approval for this username's account. If you have an account, please try again below and retype your current account's username. If you do not have an account, please select \"I do not have a Microsoft 365 account\" to create an account",
      );
      await expectAccessible();
      await expect(signIn.existingUsername).toHaveValue(username);
      // Accepted and proven before the next request: on a busy machine a person takes longer on Microsoft's pages than this stack
      // waits. existing-tenant.spec.ts covers those pages.
      const domain = username.split("@")[1] ?? "";
      await control("approve", { domain, country: "US" });
      await sql(
        `insert into control_proofs (id, customer_id, family, tenant_external_id, method, authenticated_at)
          select gen_random_uuid(), customer_id, family, $1, 'made', now() from orders where id = $2`,
        [tenantIdOf(domain), shop.orderId],
      );
      await signIn.existingTenant(username);
      if (scriptsOff) await approval.backToOrder();
      await shop.expectStep("closure");
    });

    test("the wait explains itself, and the page continues automatically", async ({
      shop,
      control,
      expectAccessible,
    }) => {
      await shop.reachSignIn({ country: "US" });
      await control("faults", [
        {
          match: { method: "POST", path: "^/partner-center/v1/customers" },
          kind: "slow",
          delayMs: slowMs,
          times: 1,
        },
      ]);
      await shop.signIn.newTenant(newPrefix());
      await expect(shop.signIn.working).toBeVisible();
      // The page cannot continue before Microsoft responds, however long this takes.
      await expectAccessible();
      await control("faults", []);
      await shop.expectStep("closure");
    });
  });
}

test("the payment provider is down when the order is placed", async ({
  page,
  shop,
  control,
  expectedErrors,
}) => {
  expectedErrors.push(/50\d/);
  await shop.reachPlaceOrder({ country: "US" });
  await control("faults", [{ match: { path: "^/razorpay/v1/orders" }, kind: "500" }]);
  await shop.placeOrder.place();
  await expectFormError(page, /responding\. Please try again in a minute\./);
  await control("faults", []);
  await shop.placeOrder.place();
  await expect(shop.placeOrder.payButton).toBeVisible();
});

test("Microsoft is down when the domain is checked", async ({
  page,
  shop,
  control,
  scriptsOff,
  expectedErrors,
}) => {
  expectedErrors.push(/503/);
  const { signIn } = shop;
  const failed = "an error occurred while validating the domain";
  await shop.reachSignIn({ country: "US" });
  await control("faults", [{ match: { path: "^/(partner-center|microsoft-login)" }, kind: "500" }]);
  const prefix = newPrefix();
  if (!scriptsOff) {
    await signIn.prefix.fill(prefix);
    await expect(signIn.preview).toContainText(failed);
  }
  await signIn.newTenant(prefix);
  await expectErrors(page, [[failed, signIn.prefix]]);
  await signIn.existingTenant(`admin@${prefix}.onmicrosoft.com`);
  // The summary's text is the same as before the post, so wait for the field's description.
  await expect(signIn.existingUsername).toHaveAccessibleDescription(new RegExp(failed));
  await expectErrors(page, [[failed, signIn.existingUsername]]);
  await control("faults", []);
  await signIn.newTenant(prefix);
  await shop.expectStep("closure");
});

test("Microsoft stays down until we give up", async ({ page, shop, control, sql, expectAccessible }) => {
  await shop.reachSignIn({ country: "US" });
  const { orderId } = shop;
  await control("faults", [
    { match: { method: "POST", path: "^/partner-center/v1/customers" }, kind: "500" },
  ]);
  await shop.signIn.newTenant(newPrefix());
  await expect(shop.signIn.working).toBeVisible();
  await expect
    .poll(() => sql("select 1 from fulfilments where order_id = $1 and met <> '{}'", [orderId]))
    .toHaveLength(1);
  await sql(exhaustRetriesSql, [orderId]);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("We're working on your order");
  await expect(page.getByRole("main")).toContainText("Your payment is safe.");
  const named = await orderNumberOf(sql, orderId);
  await expect(page.getByRole("main")).toContainText(named);
  await expectAccessible();
  const title = `Order ${named} needs attention`;
  const alert = await shop.inbox.wait("operator@example.com", title);
  expect(alert.text).toContain("Microsoft 365 Business Basic");
});

test("the GST register does not respond", async ({ page, shop, control, expectedErrors }) => {
  expectedErrors.push(/503/);
  await shop.reachAccount({ country: "IN" });
  await control("faults", [{ match: { path: "^/gst" }, kind: "500" }]);
  await shop.account.address.byGst("29AABCB1234C1ZA");
  await expectFormError(page, "HTTP error! status: 500.");
  await shop.account.address.manually();
  await expect(shop.account.field("companyName")).toBeVisible();
});

test.describe("the store does not respond, although the device is online", () => {
  /** Browsers' own messages, including about the service worker that they check for updates. */
  const unanswered = [/ERR_CONNECTION_(REFUSED|RESET)/, /error occurred when fetching the script/];
  test.afterEach(({ stack }) => stack.startWeb());

  test("every form says so in place, keeps the input, and is sent once it is back", async ({
    context,
    otherDevice,
    stack,
    scriptsOff,
    sandboxUrl,
    expectedErrors,
  }) => {
    expectedErrors.push(...unanswered);
    const opened = async (on: BrowserContext) => new Shop(await on.newPage(), { scriptsOff, sandboxUrl });
    const account = newAccount("US");
    const login = await opened(context);
    await login.login.open();
    const signUp = await opened(context);
    await signUp.page.goto("/signup");
    const forgotten = await opened(context);
    await forgotten.page.goto("/forgot-password");
    const details = await opened(context);
    await details.details.open("microsoft-365-business-basic", "US");
    // Another user, signed in by then, has an order at its second and third step.
    const review = await otherDevice();
    await review.reachPlaceOrder({ country: "US" });
    const create = await opened(review.page.context());
    await create.page.goto(review.stepLink("account"));
    for (const { page } of [create, details, review]) {
      await untilHydrated(page.getByRole("main").getByRole("button").first());
    }

    await stack.killWeb();
    const submits = /^(Sign in|Sign up|Submit|Next|Place Order)/;
    const says = async ({ page }: Shop, words: string) => {
      await page.bringToFront();
      await page.getByRole("main").getByRole("button", { name: submits }).click();
      await expect(page.getByRole("alert")).toHaveText(words);
      await expect(page.getByRole("alert")).toBeFocused();
      await expect(page.locator("button[aria-busy]")).toHaveCount(0);
    };
    await login.login.email.fill("asha@example.com");
    await says(login, "Login failed. Please try again.");
    await expect(login.login.email).toHaveValue("asha@example.com");
    await signUp.signUp.field("firstName").fill("Asha");
    await says(signUp, "Signup falied. Please try again after sometime.");
    await expect(signUp.signUp.field("firstName")).toHaveValue("Asha");
    await forgotten.login.email.fill("asha@example.com");
    await says(forgotten, "An error occurred: the store isn't responding");
    await details.details.quantity.fill("7");
    await says(
      details,
      "Error making POST request: the store isn't responding. What you typed is still on this page: don't close or reload it.",
    );
    await expect(details.details.quantity).toHaveValue("7");
    await create.account.field("addressLine2").fill("Suite 9");
    await says(
      create,
      "Error creating account: the store isn't responding. What you typed is still on this page: don't close or reload it.",
    );
    await create.account.expectFilled({ companyName: account.companyName, addressLine2: "Suite 9" });
    await says(
      review,
      "The store isn't responding. What you typed is still on this page: don't close or reload it.",
    );

    await stack.startWeb();
    await create.account.next();
    await create.expectStep("placeOrder");
    await expect(create.page.getByRole("main")).toContainText("Suite 9");
    await details.details.next();
    await details.expectStep("account");
    await forgotten.page.getByRole("button", { name: "Submit" }).click();
    await expect(forgotten.forgotPassword.sent).toBeVisible();
  });

  test("an unanswered search shows a notification and keeps the page", async ({
    page,
    shop,
    stack,
    expectedErrors,
    expectAccessible,
  }) => {
    expectedErrors.push(...unanswered);
    const notification = new Notification(page);
    await shop.home.open("/");
    await stack.killWeb();
    await shop.search.search("mail");
    // Longer than the limit for the store's response.
    await expect(notification.root).toContainText("Search failed");
    await expect(page).toHaveURL(/\/$/);
    await expectAccessible();
    // Shown once for all attempts.
    await shop.search.search("mail");
    await expect(notification.root).toHaveCount(1);
    await notification.closeButton.click();
    await expect(notification.root).toBeHidden();
    await stack.startWeb();
    await shop.search.search("mail");
    await expect(shop.search.heading).toHaveText("Results for “mail”");
  });

  test("a page that cannot be fetched names the store as the cause, not the device", async ({
    page,
    shop,
    stack,
    expectedErrors,
    expectAccessible,
  }) => {
    expectedErrors.push(...unanswered);
    await shop.login.open();
    await untilKept(page);
    await stack.killWeb();
    await page.goto("/forgot-password");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("The store isn't responding");
    await expect(page.getByText("You're offline")).toBeHidden();
    await expectAccessible();
    await stack.startWeb();
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Forgot your password?");
  });
});

test("a proxy's response for a store that is down does not count", async ({ page, shop, expectedErrors }) => {
  expectedErrors.push(/502/);
  await shop.login.open();
  await page.route("**/icon.svg", (route) => route.fulfill({ status: 502 }));
  await shop.login.logIn("asha@example.com", "x");
  await expect(page.getByRole("alert")).toHaveText("Login failed. Please try again.");
  await page.unroute("**/icon.svg");
  await shop.login.submit.click();
  await expect(page.getByRole("alert")).toContainText("There is a problem");
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(`a server error, ${javaScriptEnabled ? "with scripts" : "without scripts"}`, () => {
    test.use({ javaScriptEnabled });

    test("in a search shows a notification with links", async ({
      page,
      sql,
      expectedErrors,
      expectAccessible,
    }) => {
      expectedErrors.push(/500/);
      await withoutCatalogue(sql, async () => {
        await page.goto("/search?query=mail");
        await expect(new Notification(page).root).toContainText("Search failed");
        await expect(page).toHaveTitle(/^Something went wrong/);
        await expectAccessible();
      });
      await page.getByRole("link", { name: "Try again" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Results for “mail”");
    });

    test("in a step keeps the input", async ({ page, shop, sql, expectedErrors }) => {
      expectedErrors.push(/500/);
      await shop.details.open("microsoft-365-business-basic", "US");
      await shop.details.quantity.fill("7");
      await withoutWriting("order_lines", sql, async () => {
        await shop.details.next();
        await expectFormError(
          page,
          "Error making POST request: something went wrong on our side. Please try again in a minute.",
        );
        await expect(shop.details.quantity).toHaveValue("7");
      });
      await shop.details.next();
      await shop.expectStep("account");
      const account = newAccount("US");
      await shop.account.fill(account);
      await withoutWriting("addresses", sql, async () => {
        await shop.account.next();
        await expectFormError(
          page,
          "Error creating account: something went wrong on our side. Please try again in a minute.",
        );
        await shop.account.expectFilled(account);
      });
      await shop.account.next();
      await shop.expectStep("placeOrder");
      await shop.pay();
      await shop.expectStep("signIn");
      await withoutWriting("orders", sql, async () => {
        await shop.signIn.newTenant("keptafterafault");
        await expectFormError(
          page,
          /Something went wrong\. Please try again after sometime or contact support\. Exception: request \S+ failed\. Your payment is safe/,
        );
        await expect(shop.signIn.prefix).toHaveValue("keptafterafault");
        await expect(page.getByRole("button", { name: "Next" })).toBeEnabled();
      });
    });
  });
}
