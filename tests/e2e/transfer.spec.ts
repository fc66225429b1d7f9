/** Paying by transfer, from the review to the automatic fulfilment. */
import type { Page } from "playwright/test";
import { expect, test } from "./fixtures.ts";
import { InvoicePage } from "./pages/invoice.ts";
import { BankPage } from "./pages/other-payment-methods.ts";

const rupees = (amount: number) => new Intl.NumberFormat("en-IN").format(amount);

/** The invoice of an order that was paid by transfer, on the page and as PDF. */
async function expectInvoice(page: Page, total: number): Promise<void> {
  const invoice = new InvoicePage(page);
  for (const words of [(await invoice.sheet.textContent()) ?? "", await invoice.pdf()]) {
    expect(words).toContain("Tax Invoice");
    expect(words).toContain(rupees(total));
  }
}

test("a buyer pays an order by two transfers, and it continues", async ({
  shop,
  page,
  context,
  sandboxUrl,
  expectAccessible,
}) => {
  const account = await shop.reachPlaceOrder({ country: "IN" });
  await page.getByRole("button", { name: "Pay another way" }).click();
  await expect(shop.otherWays.heading).toBeVisible();
  await expectAccessible();
  const { number, total } = await shop.otherWays.makeProforma();
  await expectAccessible();
  const mail = await shop.inbox.wait(account.email, /^Proforma invoice for /);
  expect(mail.text).toContain(number);
  const requested = await new InvoicePage(page).pdf();
  for (const words of ["Proforma", number, "IFSC", "not a tax invoice"]) expect(requested).toContain(words);

  const bank = new BankPage(await context.newPage(), sandboxUrl);
  await bank.transfer({ number, amount: 1000 });
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("We've received ₹1,000.")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await shop.inbox.wait(account.email, /^Part of your payment received: ₹1,000 of/);
  await bank.transfer({ number, amount: total - 1000 });
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("We've received your payment in full")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await shop.inbox.wait(account.email, /^Payment received for /);
  await page.getByRole("link", { name: "Continue with the order" }).click();
  await shop.expectStep("signIn");
  const order = shop.orderId;
  await page.goto(`/orders/${order}/invoice`);
  await expectInvoice(page, total);
});

test("an order above every limit leads to a transfer", async ({ shop, page, context, sandboxUrl }) => {
  await shop.reachAccount({ country: "IN", plan: "microsoft-365-business-premium", quantity: "300" });
  const account = await shop.walkFromAccount();
  await expect(
    page.getByText("is over the limit of ₹5,00,000 for a payment by card, UPI, net banking or wallet."),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Place Order" })).toHaveCount(0);
  await page.getByRole("link", { name: "Pay by bank transfer" }).click();
  const { number, total } = await shop.otherWays.makeProforma();
  // 300 licences for a year are more than ₹63 lakh.
  expect(total).toBeGreaterThan(6_300_000);
  const requested = await new InvoicePage(page).pdf();
  expect(requested).toContain(rupees(total));
  await new BankPage(await context.newPage(), sandboxUrl).transfer({ number, amount: total });
  await shop.inbox.wait(account.email, /^Payment received for /);
  await page.reload();
  await expect(page.getByText("We've received your payment in full")).toBeVisible();
  await page.getByRole("link", { name: "Continue with the order" }).click();
  await shop.expectStep("signIn");
  await page.goto(`/orders/${shop.orderId}/invoice`);
  await expectInvoice(page, total);
});
