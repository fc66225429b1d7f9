/** The outside world does not answer: the payment provider, the administrator, Microsoft. On a stack of its own. */

import { type Stack, startStack } from "#tests/support/stack.ts";
import { expect, test as shared } from "./fixtures.ts";
import { expectErrors, expectFormError } from "./pages/errors.ts";
import { newPrefix } from "./pages/sign-in-step.ts";

const test = shared.extend<object, { stack: Stack }>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names from the pattern
    async ({}, use) => {
      const stack = await startStack({
        env: { TRUSTED_PROXIES: "1", INVITATION_TIMEOUT_MS: "2500", FULFILMENT_ATTEMPTS: "2" },
      });
      await use(stack);
      await stack.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ stack }, use) => use(stack.url),
  sandboxUrl: async ({ stack }, use) => use(stack.sandboxUrl),
  databaseUrl: async ({ stack }, use) => use(stack.databaseUrl),
});

test.beforeEach(async ({ control }) => {
  await control("faults", []);
  await control("webhooks", { mode: "normal" });
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled });

    test("the payment provider is away when the buyer returns", async ({
      page,
      shop,
      control,
      expectedErrors,
      expectAccessible,
    }) => {
      expectedErrors.push(/503/);
      await shop.reachPay({ country: "IN" });
      await control("webhooks", { mode: "never" });
      await control("faults", [{ match: { method: "GET", path: "^/razorpay/v1/payments/" }, kind: "500" }]);
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

    test("an add-on is paid for while the payment provider is away: Submit completes it, once", async ({
      page,
      shop,
      sql,
      control,
    }) => {
      const customer = await shop.becomeCustomer({ country: "US" });
      await shop.menu.subscriptions();
      await shop.subscriptions.addOn(customer.domain);
      await shop.details.quantity.fill("2");
      await shop.details.next();
      await shop.expectStep("placeOrder");
      const { orderId, orderLink } = shop;
      await control("webhooks", { mode: "never" });
      await control("faults", [{ match: { method: "GET", path: "^/razorpay/v1/payments/" }, kind: "500" }]);
      await shop.pay();
      await expect(shop.placeOrder.paid).toBeVisible();
      await expect(shop.placeOrder.payButton).toBeHidden();
      // What was paid is kept with the order: tomorrow, from its link, Submit is still there.
      await control("faults", []);
      await page.goto(orderLink);
      await shop.placeOrder.submit();
      await shop.expectStep("closure");
      await expect(shop.closure.heading).toHaveText("Subscription Added");
      expect(await sql("select id from payments where order_id = $1", [orderId])).toHaveLength(1);
      expect(await sql("select id from subscriptions where order_id = $1", [orderId])).toHaveLength(1);
    });

    test("a fault of ours says so, with the number to ask about, and tries again", async ({
      page,
      shop,
      sql,
      expectedErrors,
      expectAccessible,
    }) => {
      expectedErrors.push(/500/);
      await sql("alter table catalogue_items rename to taken_away");
      try {
        const response = await page.goto("/");
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("Unexpected Application Error!");
        await expect(page.getByRole("main")).toContainText("What you have saved is kept");
        await expect(page.getByRole("main")).toContainText(response?.headers()["x-request-id"] ?? "no id");
        await expectAccessible();
      } finally {
        await sql("alter table taken_away rename to catalogue_items");
      }
      await page.getByRole("link", { name: "Try again" }).click();
      await expect(shop.home.card("Microsoft Teams Essentials")).toBeVisible();
    });

    test("nobody approves within the time", async ({ page, shop, control, expectAccessible }) => {
      const { signIn } = shop;
      const username = `admin@${newPrefix()}.onmicrosoft.com`;
      await shop.reachSignIn({ country: "US" });
      await signIn.existingTenant(username);
      await expect(signIn.approval).toBeVisible();
      await expect(page.getByRole("alert")).toHaveText(
        "We did not receive a Microsoft partner relationship approval for this username's account. If you have an account, please try again below and retype your current account's username. If you do not have an account, please select \"I do not have a Microsoft 365 account\" to create an account",
      );
      await expectAccessible();
      await expect(signIn.existingUsername).toHaveValue(username);
      // Before it is asked for again: on a busy machine a person's way through the partner's page takes longer than this
      // stack waits. existing-tenant.spec.ts shows that way.
      await control("approve", { domain: username.split("@")[1] });
      await signIn.existingTenant(username);
      await shop.expectStep("closure");
    });

    test("the wait says what happens, and the page moves on by itself", async ({
      shop,
      control,
      expectAccessible,
    }) => {
      await shop.reachSignIn({ country: "US" });
      await control("faults", [
        {
          match: { method: "POST", path: "^/partner-center/v1/customers" },
          kind: "slow",
          delayMs: 2500,
          times: 1,
        },
      ]);
      await shop.signIn.newTenant(newPrefix());
      await expect(shop.signIn.working).toBeVisible();
      await expectAccessible();
      await shop.expectStep("closure");
    });
  });
}

test("the payment provider is away when the order is placed", async ({
  page,
  shop,
  control,
  expectedErrors,
}) => {
  expectedErrors.push(/50\d/);
  await shop.reachPlaceOrder({ country: "US" });
  await control("faults", [{ match: { path: "^/razorpay/v1/orders" }, kind: "500" }]);
  await shop.placeOrder.place();
  await expectFormError(page, /did not answer\..* Please try again in a minute\./);
  await control("faults", []);
  await shop.placeOrder.place();
  await expect(shop.placeOrder.payButton).toBeVisible();
});

test("Microsoft is away when the domain is checked", async ({
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
  // The summary's words are the same as before the post: the field's own description tells that the answer is there.
  await expect(signIn.existingUsername).toHaveAccessibleDescription(new RegExp(failed));
  await expectErrors(page, [[failed, signIn.existingUsername]]);
  await control("faults", []);
  await signIn.newTenant(prefix);
  await shop.expectStep("closure");
});

test("Microsoft stays away until we give up", async ({ page, shop, control, expectAccessible }) => {
  await shop.reachSignIn({ country: "US" });
  const { orderId } = shop;
  await control("faults", [
    { match: { method: "POST", path: "^/partner-center/v1/customers" }, kind: "500" },
  ]);
  await shop.signIn.newTenant(newPrefix());
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("We are looking after your order");
  await expect(page.getByRole("main")).toContainText("Your payment is safe.");
  await expect(page.getByRole("main")).toContainText(orderId);
  await expectAccessible();
  const alert = await shop.inbox.wait("operator@example.com", `An order needs attention: ${orderId}`);
  expect(alert.text).toContain("Microsoft 365 Business Basic");
});

test("the GST register does not answer", async ({ page, shop, control, expectedErrors }) => {
  expectedErrors.push(/503/);
  await shop.reachAccount({ country: "IN" });
  await control("faults", [{ match: { path: "^/gst" }, kind: "500" }]);
  await shop.account.address.byGst("29AABCB1234C1ZA");
  await expectFormError(page, "HTTP error! status: 500.");
  await shop.account.address.manually();
  await expect(shop.account.field("companyName")).toBeVisible();
});
