/** Paying through a payment link, from an app's browser to the automatic fulfilment. */
import { expect, test } from "./fixtures.ts";
import { Inbox } from "./pages/inbox.ts";
import { PaymentLinkPage } from "./pages/other-payment-methods.ts";
import { misfits } from "./pages/screen.ts";
import type { Shop } from "./pages/shop.ts";

const brio = { country: "IN", family: "brio", plan: "brio-desk" } as const;

/** Requests a link from the review. @returns the link in the mail */
async function linkFromMail(shop: Shop, email: string): Promise<string> {
  await shop.page.getByRole("button", { name: "Pay another way" }).click();
  await shop.otherWays.sendLink();
  return Inbox.linkIn(await shop.inbox.wait(email, /^Payment link for /));
}

test("a buyer pays by a mailed payment link, and it continues @keyboard @journey", async ({
  shop,
  page,
  expectAccessible,
}) => {
  const { email } = await shop.reachPlaceOrder(brio);
  await expect(page.getByText("built-in browser, where bank pages")).toHaveCount(0);
  await page.getByRole("button", { name: "Pay another way" }).click();
  await expect(shop.otherWays.heading).toBeVisible();
  await expect(shop.otherWays.parts).toHaveText(["Pay by bank transfer", "Pay with a payment link", "Terms"]);
  await expectAccessible();

  // The terms are not accepted yet.
  await shop.otherWays.byLink.check();
  await shop.otherWays.button.click();
  await expect(shop.otherWays.terms).toHaveAccessibleDescription(/accept/i);
  await shop.otherWays.sendLink();
  await expect(page.getByText(`We've emailed the link to ${email}`)).toBeVisible();
  await expect(shop.otherWays.parts).toHaveText(["Your payment link", "Pay by bank transfer", "Terms"]);
  expect(await misfits(page)).toEqual([]);
  await expectAccessible();

  const total = /₹[\d,]+/.exec((await page.locator(".lead").textContent()) ?? "")?.[0] ?? "none";
  const mail = await shop.inbox.wait(email, /^Payment link for /);
  expect(mail.subject).toContain(total);
  expect(mail.text).toContain(`Please pay ${total} using this link.`);
  expect(mail.text).toMatch(/The link works until \d+(?:st|nd|rd|th) \w+ \d{4}\./);

  await page.goto(Inbox.linkIn(mail));
  const there = new PaymentLinkPage(page);
  await expect(there.amount).toContainText(total.slice(1));
  await there.payButton.click();
  await shop.expectStep("closure");
  // Until the order is ready, the page reloads, which could overtake the next navigation.
  await expect(shop.closure.lead).toBeVisible();
  const done = await shop.inbox.wait(email, /^Your access to brio/);
  expect(done.text).toContain(total);
  expect((await shop.inbox.read(email)).filter(({ subject }) => /^Payment link/.test(subject))).toHaveLength(
    1,
  );

  // A link can be paid only once.
  await page.goto(Inbox.linkIn(mail));
  await expect(page.getByText("This payment link has already been paid.")).toBeVisible();
});

test("a declined payment link can be paid again, and the review shows that it is open", async ({
  shop,
  page,
}) => {
  const { email } = await shop.reachPlaceOrder(brio);
  const review = page.url();
  const link = await linkFromMail(shop, email);
  await page.goto(link);
  const there = new PaymentLinkPage(page);
  await there.declineButton.click();
  await expect(there.payButton).toBeVisible();
  await page.goto(review);
  await shop.expectStep("placeOrder");
  await page.getByRole("button", { name: "Your payment link" }).click();
  await shop.otherWays.openLink.click();
  await there.payButton.click();
  await shop.expectStep("closure");
});

test("another person pays the link and sees the amount and the order number", async ({
  shop,
  page,
  otherDevice,
  expectAccessible,
}) => {
  const { email, companyName } = await shop.reachPlaceOrder(brio);
  const order = shop.orderId;
  const link = await linkFromMail(shop, email);
  const cashier = await otherDevice();
  await cashier.page.goto(link);
  await new PaymentLinkPage(cashier.page).payButton.click();
  await expect(cashier.page.getByRole("heading", { level: 1 })).toHaveText("Payment received");
  await expect(cashier.page.locator(".receipt")).toContainText(/₹[\d,]+ paid.*HUB-\d\d-\d{6}/);
  const reported = (await cashier.page.getByRole("main").textContent()) ?? "";
  for (const secret of [order, email, companyName, "brio"]) expect(reported).not.toContain(secret);
  await expectAccessible(cashier.page);

  // The buyer's own page shows the payment.
  await page.reload();
  await shop.expectStep("closure");
});

test.describe("in WhatsApp", () => {
  test.use({
    userAgent:
      "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36 WhatsApp/2.24.13",
    viewport: { width: 360, height: 740 },
  });

  test("the payment link comes first, and opens in another browser", async ({
    shop,
    page,
    otherDevice,
    expectAccessible,
  }) => {
    const { email } = await shop.reachPlaceOrder(brio);
    await expect(page.getByText("You're in WhatsApp's built-in browser")).toBeVisible();
    // The checkout stays, for browsers in which it works.
    await expect(page.getByRole("main").getByRole("button", { name: "Place Order" })).toBeVisible();
    await expectAccessible();
    await page.getByRole("link", { name: "Send me a payment link" }).click();
    await expect(page.getByText("You're in WhatsApp's built-in browser")).toBeVisible();
    await expect(shop.otherWays.parts).toHaveText([
      "Pay with a payment link",
      "Pay by bank transfer",
      "Terms",
    ]);
    expect(await misfits(page)).toEqual([]);
    await shop.otherWays.sendLink();
    await expect(page.getByText("You're in WhatsApp's built-in browser")).toHaveCount(0);
    // The review links to it.
    await page.getByRole("link", { name: "Back to the review" }).click();
    await expect(page.getByText(`We've emailed the link to ${email}`)).toBeVisible();
    await page.getByRole("link", { name: "Your payment link" }).click();

    const usual = await otherDevice();
    await usual.page.goto(Inbox.linkIn(await shop.inbox.wait(email, /^Payment link for /)));
    await new PaymentLinkPage(usual.page).payButton.click();
    await expect(usual.page.getByRole("heading", { level: 1 })).toHaveText("Payment received");
    await page.reload();
    await shop.expectStep("closure");
  });
});
