/** Cancelling a subscription or some of its licences, from My Subscriptions to the mail. */
import { expect, test } from "./fixtures.ts";
import { InvoicePage } from "./pages/invoice.ts";
import { OrdersPage } from "./pages/lists.ts";
import type { Shop } from "./pages/shop.ts";

/** The refund's credit note, from My Orders, on the page and as PDF. */
async function expectCreditNote({ page }: Shop, { amount, licences }: { amount: string; licences: number }) {
  const orders = new OrdersPage(page);
  await orders.open();
  await orders.openDetails("Microsoft 365");
  await orders.details.getByRole("link", { name: `Credit note, ${amount}` }).click();
  const note = new InvoicePage(page);
  for (const words of [(await note.sheet.textContent()) ?? "", await note.pdf()]) {
    expect(words).toContain("Total credited (INR)");
    expect(words).toMatch(new RegExp(`Licenses.*Unit price.*${licences}`, "s"));
    expect(words).toContain(`${amount}.00`);
  }
}

test("a customer cancels two of ten licenses and gets a refund @keyboard @journey", async ({
  page,
  shop,
  expectAccessible,
}) => {
  const { domain, email } = await shop.becomeCustomer({ quantity: "10" });
  const main = page.getByRole("main");
  await shop.menu.subscriptions();
  await shop.subscriptions.cancelOrReduce(domain);
  await expect(main).toContainText("You have 10 licenses. You can remove up to 9.");
  await expectAccessible();

  const licences = page.getByLabel("Licenses to remove");
  await licences.fill("10");
  await page.getByRole("button", { name: "See your refund" }).click();
  await expect(main).toContainText("You can remove up to 9 licenses.");
  await licences.fill("2");
  await page.getByRole("button", { name: "See your refund" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Remove 2 licenses from /);
  const amount = await main.locator(".totals .strong dd").textContent();
  if (amount === null) throw new Error("No amount is shown");
  expect(amount).toMatch(/^₹[\d,]+$/);
  await expectAccessible();

  await page.getByRole("button", { name: "Remove licenses" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Removing licenses from /);
  // Continues automatically, with and without scripts.
  await expect(main).toContainText(`Refund of ${amount} and credit note in progress`);
  await expect(main).toContainText("The credit note is in My Orders");
  await expectAccessible();
  await page.reload();
  await expect(main).toContainText("Removed by Microsoft: 2 licenses");
  await shop.menu.subscriptions();
  await expect(shop.subscriptions.row(domain)).toContainText("8");
  const mail = await shop.inbox.wait(email, /^Licenses removed: /);
  expect(mail.text).toContain("You now have 8 licenses.");
  expect(mail.text).toContain(amount);
  expect(mail.text).toMatch(/Credit note: IN\/C/);
  await expectCreditNote(shop, { amount, licences: 2 });
});

test("a customer cancels a subscription on its third day", async ({
  page,
  shop,
  sql,
  control,
  expectAccessible,
}) => {
  const { domain, email } = await shop.becomeCustomer({ quantity: "3" });
  const order = `${shop.orderLink}/order-processed`;
  const [{ id, external_id, end_date } = { id: "", external_id: "", end_date: "" }] = await sql(
    `update subscriptions set start_date = start_date - interval '3 days', end_date = end_date - interval '3 days'
      where domain = $1 returning id, external_id, end_date`,
    [domain],
  );
  const [{ total } = { total: 0 }] = await sql(
    `update orders set fulfilled_at = fulfilled_at - interval '3 days', paid_at = paid_at - interval '3 days'
      where subscription_id = $1 returning total_minor::float8 as total`,
    [id],
  );
  await control("console", { id: external_id, endsAt: new Date(end_date).toISOString() });
  const main = page.getByRole("main");
  await shop.menu.subscriptions();
  await shop.subscriptions.cancelOrReduce(domain);
  await expect(main).toContainText(/The deadline for this was/);
  await page.getByRole("link", { name: "Cancel subscription" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Cancel .+\?$/);
  const rupees = new Intl.NumberFormat("en-IN").format(Math.round((total * 362) / 365 / 100));
  await expect(main).toContainText(`₹${rupees}`);
  await page.getByRole("button", { name: "Cancel subscription" }).click();
  await expect(main).toContainText("The credit note is in My Orders");
  await expect(main).toContainText("Ended by Microsoft");
  await expectAccessible();
  await shop.menu.subscriptions();
  await expect(main).toContainText("Cancelled");
  const mail = await shop.inbox.wait(email, /^Cancelled: /);
  expect(mail.text).toContain(`₹${rupees}`);
  expect(mail.text).toContain("5 to 7 working days");
  await expectCreditNote(shop, { amount: `₹${rupees}`, licences: 3 });

  // The order's own page does not call anything ready.
  await page.goto(order);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Subscription Cancelled");
  const notice = page.locator(".step .notice").first();
  await expect(notice.locator(".badge")).toHaveText("Partially refunded");
  await expect(notice).toContainText(/Its subscription was cancelled on .+: the licenses no longer work\./);
  await expect(main).not.toContainText("Get started");
  await expectAccessible();
  await notice.getByRole("link", { name: "Status" }).click();
  await expect(main).toContainText("Ended by Microsoft");
});
