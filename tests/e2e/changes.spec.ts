/** Buy more and renew: three steps each, from My Subscriptions to the last page, resumed on the way, and never paid twice. */
import { expect, test } from "./fixtures.ts";
import { expectErrors } from "./pages/errors.ts";
import { Inbox } from "./pages/inbox.ts";
import { newDomain } from "./pages/sign-in-step.ts";
import { endSoon } from "./running-term.ts";

const googleRenewsAll =
  "Google renews all of your 25 licenses. To have more, add licenses first. To have fewer, renew after the term ends.";
const quantityRequired = "Quantity required and it should be greater than 0";

test("a customer buys more licences of a Microsoft subscription @keyboard @both", async ({
  page,
  shop,
  scriptsOff,
  expectAccessible,
}) => {
  const { details, placeOrder, closure, panel, subscriptions } = shop;
  const { domain, email } = await shop.becomeCustomer({ quantity: "3" });
  await shop.menu.subscriptions();
  await subscriptions.buyMore(domain);
  await expect(details.heading).toHaveText("Step 1 of 3 Add More Licenses");
  await expect(details.quantity).toHaveValue("1");
  await expect(page.getByRole("main")).toContainText("3 licenses, until ");
  await expectAccessible();
  if (!scriptsOff) await details.expectTypedQuantities();
  await details.quantity.fill("0");
  await details.next();
  await expectErrors(page, [[quantityRequired, details.quantity]]);
  await details.quantity.fill("5");
  await details.next();

  await shop.expectStep("placeOrder");
  expect(await panel.marks()).toEqual(["+ Add More Licenses", "> Place Order", "- Order Processed"]);
  const { orderLink: link } = shop;
  expect(link).toMatch(/^\/buy\/more\//);
  expect(await placeOrder.lines()).toEqual(
    expect.arrayContaining([
      `Added to: ${domain}`,
      expect.stringMatching(/^Added for: 5 licenses, 36[56] of 36[56] days, until /),
      "Quantity: 5",
    ]),
  );
  await expectAccessible();
  // The steps are links until payment, and keep the input on the way back.
  await panel.go("Add More Licenses");
  await expect(details.quantity).toHaveValue("5");
  await details.quantity.fill("4");
  await details.next();
  await shop.expectStep("placeOrder");
  await page.goto("/");
  await page.goto(link);
  await shop.expectStep("placeOrder");
  expect(await placeOrder.lines()).toContain("Quantity: 4");

  await shop.pay();
  await shop.expectStep("closure");
  await expect(closure.heading).toHaveText("License Added");
  await expect(page.getByRole("main")).toContainText(`${domain} now has 7 licenses`);
  await expectAccessible();
  await page.reload();
  await expect(closure.heading).toHaveText("License Added");
  await closure.manageSubscriptions();
  await expect(subscriptions.row(domain)).toContainText("7");
  const subscription = link.split("/")[3] ?? "";
  await page.goto(`/buy/more/${subscription}?stage=3`);
  await expect(closure.heading).toHaveText("License Added");
  // A buyer who is unsure whether the payment succeeded sees that before paying again.
  await page.goto(`/buy/more/${subscription}`);
  await expect(page.getByRole("main")).toContainText(
    /We received your payment of ₹.+ at .+: 4 licenses added\./,
  );
  const mail = await shop.inbox.wait(email, /^License Added: Microsoft 365 Business Basic/);
  expect(Inbox.linkIn(mail)).toContain(link);
});

test("a customer renews a Google subscription @keyboard @both", async ({
  page,
  shop,
  sql,
  control,
  scriptsOff,
  expectAccessible,
}) => {
  const { details, placeOrder, closure, panel, subscriptions } = shop;
  const { domain, email } = await shop.becomeCustomer({
    family: "google",
    plan: "google-workspace-business-starter",
    domain: newDomain(),
    quantity: "25",
  });
  await shop.menu.subscriptions();
  await expect(subscriptions.row(domain)).toContainText(/You can renew from .+, 30 days before it ends/);
  await endSoon({ sql, control }, domain);
  await page.reload();
  await subscriptions.renew(domain);
  await expect(details.heading).toHaveText("Step 1 of 3 Renew Your Subscription");
  await expect(details.quantity).toHaveValue("25");
  await expectAccessible();
  if (!scriptsOff) {
    await details.quantity.fill("");
    await details.quantity.blur();
    await expect(details.quantity).toHaveValue("0");
    await details.expectTypedQuantities();
  }
  await details.quantity.fill("");
  await details.next();
  await expectErrors(page, [[quantityRequired, details.quantity]]);
  await details.quantity.fill("24");
  await details.next();
  await expectErrors(page, [[googleRenewsAll, details.quantity]]);
  await details.quantity.fill("25");
  await details.next();

  await shop.expectStep("placeOrder");
  expect(await panel.marks()).toEqual(["+ Renew Your Subscription", "> Place Order", "- Order Processed"]);
  const { orderLink: link } = shop;
  expect(await placeOrder.lines()).toEqual(
    expect.arrayContaining([`Domain: ${domain}`, expect.stringMatching(/^New term: .+ to .+/)]),
  );
  await expectAccessible();
  await page.goto("/");
  await page.goto(link);
  await shop.expectStep("placeOrder");

  await shop.pay();
  await shop.expectStep("closure");
  await expect(closure.heading).toHaveText("License Renewed");
  await expect(page.getByRole("main")).toContainText(
    `Credentials are delivered to the registered email, ${email}.`,
  );
  await expectAccessible();
  await closure.manageSubscriptions();
  await expect(subscriptions.row(domain)).toContainText("Renewed: next term from ");
  await expect(subscriptions.row(domain).getByRole("link", { name: /^Renew/ })).toHaveCount(0);
  await shop.inbox.wait(email, /^License Renewed: Google Workspace/);
});

test("a payment made with the browser closed can be continued, not repeated", async ({
  page,
  shop,
  sql,
  control,
  expectAccessible,
}) => {
  const { details, closure, subscriptions } = shop;
  const { domain } = await shop.becomeCustomer();
  await shop.menu.subscriptions();
  await subscriptions.buyMore(domain);
  await details.quantity.fill("2");
  await details.next();
  await shop.expectStep("placeOrder");
  await shop.placeOrder.place();
  await expect(shop.placeOrder.payButton).toBeVisible();
  const { orderId } = shop;
  const intents = () => sql("select provider_order_id from payment_intents where order_id = $1", [orderId]);
  const [{ provider_order_id: providerOrder } = { provider_order_id: "" }] = await intents();
  await control("pay", { orderId: providerOrder, webhook: false });

  await page.goto("/subscriptions");
  await subscriptions.buyMore(domain);
  await expect(subscriptions.completed).toContainText(
    "Your payment has been completed. Please click Continue to complete your order.",
  );
  await expectAccessible();
  await subscriptions.completed.getByRole("button", { name: "Continue" }).click();
  await expect(closure.heading).toHaveText("License Added");
  expect(await intents()).toHaveLength(1);
  expect(await sql("select status from payments where order_id = $1", [orderId])).toEqual([
    { status: "captured" },
  ]);
});

test("a customer renews what Microsoft has extended, ending the extension @keyboard", async ({
  page,
  shop,
  sql,
  control,
  expectAccessible,
}) => {
  const { details, closure, subscriptions } = shop;
  const { domain, email } = await shop.becomeCustomer({ quantity: "3" });
  const [{ external_id: id } = { external_id: "" }] = await sql(
    `update subscriptions set end_date = now() - interval '2 days', start_date = now() - interval '367 days',
      status = 'expired' where domain = $1 returning external_id`,
    [domain],
  );
  // In the partner's console: auto-renewal off, without a cancellation. The vendor's notice does the rest.
  const endsAt = new Date(Date.now() - 2 * 86_400_000).toISOString();
  await control("console", { id, autoRenew: false, endsAt });
  const mail = await shop.inbox.wait(email, /^Renew to keep it: /);
  expect(mail.text).toContain("If you renew, a new term starts that day");

  await shop.menu.subscriptions();
  const row = subscriptions.row(domain);
  await expect(row).toContainText(
    /Extended by Microsoft month by month, currently until .+\. Renew to keep it\./,
  );
  await expectAccessible();
  await page.goto(new URL(Inbox.linkIn(mail)).pathname);
  await expect(page.getByRole("main")).toContainText("The extension ends when the new term starts.");
  await details.next();
  await shop.expectStep("placeOrder");
  await shop.pay();
  await shop.expectStep("closure");
  await closure.manageSubscriptions();
  await expect(subscriptions.row(domain)).toHaveCount(1);
  await expect(subscriptions.row(domain)).not.toContainText("Extended");
  const renewed = () =>
    sql("select external_id, extended_until from subscriptions where domain = $1", [domain]);
  const [after] = await renewed();
  expect(after?.extended_until).toBeNull();
  expect(after?.external_id).not.toBe(id);
});
