/** Documents and money in Desk: search, downloads, and acknowledging a difference. */
import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright/test";
import { hashPassword } from "#server/accounts/passwords.ts";
import { filesIn } from "#tests/support/download.ts";
import { paidOrder } from "#tests/support/paid-order.ts";
import { expect, type Sql, test } from "./fixtures.ts";
import { orderNumberOf } from "./order-number.ts";
import { DeskPage } from "./pages/desk.ts";

const password = "correct horse battery";

/** Creates a finance account with a password and no second factor, as the sandbox allows. */
async function makeFinance(sql: Sql): Promise<string> {
  const email = `finance-${Date.now()}-${randomInt(1_000_000)}@example.com`;
  await sql("insert into staff (id, email, role, password_hash) values ($1, $2, 'finance', $3)", [
    crypto.randomUUID(),
    email,
    await hashPassword(password),
  ]);
  return email;
}

/** Downloads a link's file. */
async function kept(page: Page, name: string | RegExp): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name }).first().click();
  const file = await coming;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test("finance downloads documents and acknowledges a difference @keyboard @journey", async ({
  page,
  sql,
  baseURL,
  sandboxUrl,
  expectAccessible,
}) => {
  const order = await paidOrder({ url: baseURL ?? "", sandboxUrl });
  const number = await orderNumberOf(sql, order.id);
  const [invoice] = await sql(
    "select number, to_char(issued_at at time zone 'Asia/Kolkata', 'YYYY-MM') as month from invoices where order_id = $1",
    [order.id],
  );
  const key = `invoice-total:e2e-${order.id}`;
  await sql(
    `insert into money_differences (key, kind, amount_minor, currency, what, order_id)
     values ($1, 'invoice-total', 12345, 'INR', $2, $3)`,
    [key, `The invoice of ${number} says otherwise than its payment.`, order.id],
  );

  const desk = new DeskPage(page);
  await page.goto("/desk/documents");
  await desk.signIn(await makeFinance(sql), password);
  await expect(desk.heading).toHaveText("Documents");
  await expectAccessible();
  await desk.field("Document or order number, company, email or GSTIN").fill(number);
  await page.getByRole("button", { name: "Show" }).click();
  const row = desk.row(invoice?.number);
  await expect(row).toContainText(number);

  const zip = await kept(page, "Download the PDF of 1 document as a ZIP");
  expect(zip.name).toBe("documents.zip");
  expect([...filesIn(zip.bytes).keys()]).toContain("list.csv");
  const csv = await kept(page, "Download as CSV");
  expect(csv.bytes.toString()).toContain(`${invoice?.number},invoice,`);

  await row.getByRole("link", { name: invoice?.number, exact: true }).click();
  await expect(page.getByRole("article")).toContainText(invoice?.number);
  await expectAccessible();
  await page.getByRole("link", { name: `Order ${number}` }).click();
  await expect(desk.heading).toHaveText(number);
  await expect(page.getByRole("region", { name: "Documents" })).toContainText(invoice?.number);

  await desk.go("Money");
  await expect(desk.heading).toHaveText("Money");
  await expectAccessible();
  await desk.go("GSTR-1");
  await desk.field("Month").fill(invoice?.month);
  await desk.field("Documents").selectOption("all");
  await page.getByRole("button", { name: "Show" }).click();
  await expectAccessible();
  const json = await kept(page, "JSON for the portal");
  expect(JSON.parse(json.bytes.toString())).toMatchObject({ gstin: expect.any(String) });

  await desk.go("Money");
  await page.getByRole("table").getByRole("link", { name: "Discrepancies" }).click();
  const difference = desk.row(`The invoice of ${number}`);
  await expect(difference).toContainText("₹123.45");
  await expectAccessible();
  await difference.getByRole("link", { name: /^Acknowledge/ }).click();
  await desk.field("Reason").fill("The buyer rounded up");
  await desk.act("Acknowledge discrepancy");
  await expect(page.locator("[data-notice]")).toContainText("Discrepancy acknowledged.");
  await desk.go("Money");
  await page.getByRole("table").getByRole("link", { name: "Discrepancies" }).click();
  await expect(difference).toHaveCount(0);
  await desk.field("State (open by default)").selectOption("acknowledged");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(difference).toContainText("The buyer rounded up");
});

test("on a phone the money lists fit the screen", async ({ page, sql, expectAccessible }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const desk = new DeskPage(page);
  await page.goto("/desk/money");
  await desk.signIn(await makeFinance(sql), password);
  await expect(desk.heading).toHaveText("Money");
  for (const address of ["/desk/money", "/desk/documents", "/desk/gstr1", "/desk/money/refunds"]) {
    await page.goto(address);
    await expectAccessible();
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond, address).toBeLessThanOrEqual(0);
  }
});
