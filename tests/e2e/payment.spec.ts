/** Paying, and everything that happens instead. */
import { z } from "zod";
import { expect, test } from "./fixtures.ts";
import { HostedCheckout } from "./pages/checkout.ts";
import { expectFormError } from "./pages/errors.ts";
import { newPrefix } from "./pages/sign-in-step.ts";

const count = z.object({ count: z.coerce.number() });

test("a declined payment can be tried again, and is taken once @keyboard", async ({
  shop,
  sql,
  expectAccessible,
}) => {
  await shop.reachPay({ country: "IN" });
  const { orderId } = shop;
  await shop.checkout.open();
  await shop.checkout.decline();
  await shop.expectStep("placeOrder");
  await expect(shop.page.getByRole("alert")).toContainText(
    "Your payment was declined by the bank. Try another card or contact your bank. You have not been charged. You can try again.",
  );
  await expectAccessible();
  await shop.checkout.open();
  await shop.checkout.pay();
  await shop.expectStep("signIn");
  await shop.signIn.newTenant(newPrefix());
  await shop.expectStep("closure");
  const captured = await sql(
    "select count(*) from payments where order_id = $1 and status in ('captured', 'surplus')",
    [orderId],
  );
  expect(count.parse(captured[0])).toEqual({ count: 1 });
  const subscriptions = await sql("select count(*) from subscriptions where order_id = $1", [orderId]);
  expect(count.parse(subscriptions[0])).toEqual({ count: 1 });
});

test("a cancelled payment comes back to the review and can be made", async ({ shop }) => {
  await shop.reachPay({ country: "US" });
  await shop.checkout.open();
  await shop.checkout.cancel();
  await shop.expectStep("placeOrder");
  await expect(shop.placeOrder.payButton).toBeVisible();
  await expect(shop.page.getByRole("alert")).toHaveCount(0);
  await shop.checkout.open();
  await shop.checkout.pay();
  await shop.expectStep("signIn");
});

test("without checkout.js the payment page is used instead @with-scripts", async ({
  page,
  shop,
  expectedErrors,
  expectAccessible,
}) => {
  expectedErrors.push(/checkout\.js/);
  await page.route("**/checkout.js", (route) => route.abort());
  await shop.reachPay({ country: "US" });
  await expect(page.getByRole("alert")).toContainText("Failed to load Razorpay SDK.");
  await expectAccessible();
  await shop.placeOrder.payButton.click();
  await new HostedCheckout(page).pay();
  await shop.expectStep("signIn");
});

test("a browser closed after paying finds the order paid", async ({
  page,
  context,
  shop,
  otherDevice,
  expectedErrors,
}) => {
  const account = await shop.reachPay({ country: "US" });
  const { orderLink } = shop;
  await shop.checkout.open();
  // The way back is cut before the money is taken; only the provider's webhook reports it.
  expectedErrors.push(/Failed to (load|fetch)/);
  await context.route(/place-order\.data|payments\/return/, (route) => route.abort());
  const taken = page.waitForResponse(/\/checkout\/pay$/);
  await shop.checkout.payButton.click();
  await taken;
  await page.close();
  await context.unroute(/place-order\.data|payments\/return/);

  // With the same browser, later.
  const again = await context.newPage();
  await expect(async () => {
    await again.goto(orderLink);
    await expect(again.getByRole("heading", { level: 1 })).toHaveText("Microsoft Sign-In", { timeout: 100 });
  }).toPass();

  // And with another one.
  const elsewhere = await otherDevice();
  await elsewhere.setPasswordFromMail(account.email, "a-Good-Pass-1");
  await elsewhere.page.goto(orderLink);
  await elsewhere.login.logIn(account.email, "a-Good-Pass-1");
  await elsewhere.expectStep("signIn");
});

test("money that does not fit the order is never taken for it, and never lost @with-scripts", async ({
  page,
  shop,
  sql,
  control,
  expectedErrors,
  expectAccessible,
}) => {
  expectedErrors.push(/502/);
  await shop.reachPay({ country: "IN" });
  const [intent] = await sql("select provider_order_id from payment_intents where order_id = $1", [
    shop.orderId,
  ]);
  const { provider_order_id: orderId } = z.object({ provider_order_id: z.string() }).parse(intent);
  await control("pay", { orderId, amount: 100 });
  await expect(async () => {
    await shop.openStep("placeOrder");
    await expect(shop.placeOrder.paid).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(page.getByText("Paid 1 instead of 5820 INR.")).toBeVisible();
  await expect(shop.placeOrder.payButton).toBeHidden();
  await expectAccessible();
  await shop.placeOrder.submit();
  await expectFormError(page, "Retry failed: Backend validation failed.");
  await shop.expectStep("placeOrder");
  await expect(shop.placeOrder.submitButton).toBeVisible();
});
