/** Pages of a paid order after its money moved: partially or fully refunded, disputed, or taken back by the bank. */
import type { Page } from "playwright/test";
import { z } from "zod";
import { expect, type Sql, test } from "./fixtures.ts";
import { InvoicePage } from "./pages/invoice.ts";
import { OrdersPage } from "./pages/lists.ts";
import type { Shop } from "./pages/shop.ts";

const plan = "Microsoft 365 Business Basic";
const paid = z.tuple([z.object({ id: z.string(), amount: z.number() })]);
const begun = z.object({ id: z.string() });

/** A customer with one fulfilled order, and its payment at the provider. */
async function customer(shop: Shop, sql: Sql) {
  const who = await shop.becomeCustomer();
  const [payment] = paid.parse(
    await sql(
      "select provider_payment_id as id, amount_minor::float8 as amount from payments where order_id = $1",
      [shop.orderId],
    ),
  );
  return { ...who, link: shop.orderLink, paymentId: payment.id, total: payment.amount };
}

/** Expects the status in the list and in the order's details, which stay open. */
async function expectStatus(orders: OrdersPage, status: string): Promise<void> {
  await expect(async () => {
    await orders.open();
    await expect(orders.row(plan).locator(".badge")).toHaveText(status, { timeout: 1_000 });
  }).toPass();
  await orders.openDetails(plan);
  await expect(orders.details.getByText(status, { exact: true })).toBeVisible();
}

/** Expects the status above the order's own page. */
async function expectSaidAbove(page: Page, status: string, says: string): Promise<void> {
  const notice = page.locator(".step .notice").first();
  await expect(notice.locator(".badge")).toHaveText(status);
  await expect(notice).toContainText(says);
}

/** Expects an unchanged subscription: refunds do not end it. */
async function expectSubscription({ page, subscriptions }: Shop, domain: string): Promise<void> {
  await page.goto("/subscriptions");
  await expect(subscriptions.row(domain)).toContainText("3");
  await expect(subscriptions.row(domain).getByRole("link", { name: "Buy more" })).toBeVisible();
}

const rupees = (minor: number) => new Intl.NumberFormat("en-IN").format(minor / 100);

test("a partial and then a full refund show everywhere, with credit notes", async ({
  page,
  shop,
  sql,
  control,
  expectAccessible,
}) => {
  const { paymentId, link, domain, email, total } = await customer(shop, sql);
  const orders = new OrdersPage(page);

  await control("refund", { paymentId, amount: 10_000 });
  await expectStatus(orders, "Partially refunded");
  await expectAccessible();
  await orders.details.getByRole("link", { name: "Credit note, ₹100" }).click();
  const note = new InvoicePage(page);
  await expect(note.sheet).toContainText("Total credited (INR)");
  await expectAccessible();
  const file = await note.pdf();
  for (const words of ["Credit Note", "₹100.00", "We refunded this payment.", plan])
    expect(file).toContain(words);
  await page.goto(`${link}/order-processed`);
  const main = page.getByRole("main");
  await expect(main).toContainText(/₹100 refunded: credit note IN\/C/);
  await expectSaidAbove(page, "Partially refunded", "Part of the payment for this order has been refunded.");
  await expectAccessible();
  await expect(main).toContainText("Your sign-in details");
  await expectSubscription(shop, domain);
  const mail = await shop.inbox.wait(email, `₹100 has been refunded: ${plan}`);
  expect(mail.text).toContain("We've refunded ₹100 to the card you paid with.");
  expect(mail.text).toMatch(/Bank reference: \d+/);
  await shop.inbox.wait(email, /^Credit note IN\/C.+: refund of ₹100$/);

  const rest = total - 10_000;
  await control("refund", { paymentId, amount: rest });
  await expectStatus(orders, "Refunded");
  await expect(orders.details.getByRole("link", { name: /^Credit note, / })).toHaveCount(2);
  await expect(orders.details.getByRole("link", { name: "Invoice", exact: true })).toBeVisible();
  await page.goto(`${link}/order-processed`);
  await expect(main).toContainText(`₹${rupees(rest)} refunded: credit note`);
  await expectSaidAbove(page, "Refunded", "The payment for this order has been refunded in full.");
  await expectSubscription(shop, domain);
  await shop.inbox.wait(email, `₹${rupees(rest)} has been refunded: ${plan}`);
});

test("a dispute shows until it is won", async ({ page, shop, sql, control, expectAccessible }) => {
  const { paymentId, link, domain, email } = await customer(shop, sql);
  const orders = new OrdersPage(page);
  const mails = async () => (await shop.inbox.read(email)).length;
  await shop.inbox.wait(email, /^Your order is complete/);
  const before = await mails();

  const { id } = begun.parse(await control("dispute", { paymentId }));
  await expectStatus(orders, "Payment disputed");
  await expectAccessible();
  await page.goto(`${link}/order-processed`);
  await expect(page.getByRole("main")).toContainText("are ready");
  await expectSaidAbove(page, "Payment disputed", "Nothing changes until the bank decides.");
  await expectAccessible();
  await expectSubscription(shop, domain);

  await control("dispute", { disputeId: id, event: "won" });
  await expectStatus(orders, "Completed");
  await page.goto(`${link}/order-processed`);
  await expect(page.locator(".step .notice")).toHaveCount(0);
  expect(await mails()).toBe(before);
});

test("a payment that the bank took back shows, and the invoice stays", async ({
  page,
  shop,
  sql,
  control,
}) => {
  const { paymentId, link, domain, email } = await customer(shop, sql);
  const orders = new OrdersPage(page);
  const { id } = begun.parse(await control("dispute", { paymentId }));
  await expectStatus(orders, "Payment disputed");
  await control("dispute", { disputeId: id, event: "lost" });
  await expectStatus(orders, "Payment reversed by your bank");
  await expect(orders.details.getByRole("link", { name: "Invoice", exact: true })).toBeVisible();
  await expect(orders.details.getByRole("link", { name: /^Credit note/ })).toHaveCount(0);
  await page.goto(`${link}/order-processed`);
  await expectSaidAbove(
    page,
    "Payment reversed by your bank",
    "The bank has reversed the payment for this order",
  );
  await expectSubscription(shop, domain);
  expect((await shop.inbox.read(email)).map(({ subject }) => subject).join("\n")).not.toMatch(
    /refund|dispute/i,
  );
});
