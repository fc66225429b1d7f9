/** Customers in Desk: search, impersonation, and binding their existing tenants. */
import { randomInt } from "node:crypto";
import { hashPassword } from "#server/accounts/passwords.ts";
import { freshPrefix, paidOrder } from "#tests/support/paid-order.ts";
import { expect, type Sql, test } from "./fixtures.ts";
import { orderNumberOf } from "./order-number.ts";
import { DeskPage } from "./pages/desk.ts";
import { expectFormError } from "./pages/errors.ts";

const password = "correct horse battery";

async function makeAdmin(sql: Sql): Promise<string> {
  const email = `staff-${Date.now()}-${randomInt(1_000_000)}@example.com`;
  await sql("insert into staff (id, email, role, password_hash) values ($1, $2, 'admin', $3)", [
    crypto.randomUUID(),
    email,
    await hashPassword(password),
  ]);
  return email;
}

/** A company with a paid order, whose owner has a verified mailbox. */
async function makeCompany(sql: Sql, store: { url: string; sandboxUrl: string }) {
  const order = await paidOrder(store);
  const [row = {}] = await sql(
    `update users set email_verified_at = now() from orders o join customers c on c.id = o.customer_id
     where o.id = $1 and users.id = o.user_id returning users.email, c.id, c.name`,
    [order.id],
  );
  return { order, email: String(row.email), id: String(row.id), name: String(row.name) };
}

test("staff find a company, impersonate its owner read-only, and return", async ({
  page,
  sql,
  baseURL,
  sandboxUrl,
  expectAccessible,
  expectedErrors,
}) => {
  expectedErrors.push(/403/);
  const company = await makeCompany(sql, { url: baseURL ?? "", sandboxUrl });
  const number = await orderNumberOf(sql, company.order.id);
  const desk = new DeskPage(page);
  await page.goto("/desk/customers");
  await desk.signIn(await makeAdmin(sql), password);
  await page.getByLabel(/^Company, GSTIN/).fill(number);
  await page.getByRole("button", { name: "Show" }).click();
  await expectAccessible();
  await page.getByRole("link", { name: company.name, exact: true }).click();
  await expect(desk.heading).toHaveText(company.name);
  await expect(page.getByRole("row", { name: new RegExp(`^${number}`) })).toContainText(
    "Paid, waiting for the buyer's sign-in details",
  );
  await expectAccessible();
  for (const list of ["/desk/orders", "/desk/customers", "/desk/documents", "/desk/mail"]) {
    await page.goto(list);
    expect(await desk.brokenWords(), list).toEqual([]);
  }
  await page.goto(`/desk/customers/${company.id}`);
  expect(await desk.brokenWords()).toEqual([]);

  await desk.openAct("View store as customer");
  await expectAccessible();
  await desk.field("Reason").fill("Cannot find the invoice");
  await desk.act("View store as customer");
  const banner = page.getByRole("complementary", { name: "Read-only view" });
  await expect(banner).toContainText(`You're viewing the store as ${company.email} of ${company.name}`);
  await expectAccessible();
  await page.goto("/members");
  await expect(page.getByRole("main")).toContainText(company.email);
  await expect(banner).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: /invit/i }).first().click();
  await expect(page.getByRole("main")).toContainText("This is a read-only view of the store");
  await expect(banner).toBeVisible();
  await expectAccessible();

  await banner.getByRole("button", { name: "End this view" }).click();
  await expect(desk.heading).toHaveText(company.name);
  await expect(page.getByRole("region", { name: "Notes and actions" })).toContainText(
    "Cannot find the invoice",
  );
  await page.goto("/subscriptions");
  await expect(page).toHaveURL(/\/login/);
});

test("staff bind a tenant, and preview a file before it applies", async ({
  page,
  sql,
  baseURL,
  sandboxUrl,
  control,
  expectAccessible,
}) => {
  const company = await makeCompany(sql, { url: baseURL ?? "", sandboxUrl });
  const domains = [`${freshPrefix("brought")}.onmicrosoft.com`, `${freshPrefix("brought")}.onmicrosoft.com`];
  await control("seed", { customers: domains.map((domain) => ({ domain })) });
  const [first = "", second = ""] = domains;
  const desk = new DeskPage(page);
  await page.goto(`/desk/customers/${company.id}`);
  await desk.signIn(await makeAdmin(sql), password);
  await desk.openAct("Link a tenant");
  await expectAccessible();
  await desk.field("Domain").fill(first);
  await desk.field("Reference").fill("C-1");
  await desk.field("Evidence you saw").fill("The contract of 2024");
  await desk.act("Link a tenant");
  await expect(page.locator("[data-notice]")).toContainText(`${first} linked.`);
  await expect(page.getByRole("table", { name: "Tenants" })).toContainText("The contract of 2024 (C-1)");

  await desk.go("Tenants");
  await expectAccessible();
  const line = (domain: string, reference: string) =>
    `${company.id},microsoft,${domain},,Contract,${reference}`;
  await desk
    .field("File")
    .fill(
      ["company,vendor,domain,tenant,evidence,reference", line(first, "C-1"), line(second, "C-2")].join("\n"),
    );
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("status")).toHaveText(
    "1 new, 1 already there, 0 of another company, 0 invalid.",
  );
  await expectAccessible();
  await page.getByRole("button", { name: "Link new tenants" }).click();
  await expectFormError(page, "Enter a reason.");
  await desk.field("Reason").fill("Moved from the old system");
  await page.getByRole("button", { name: "Link new tenants" }).click();
  await expect(page.locator("[data-notice]")).toContainText("1 tenant is linked.");
  const bound = await sql("select domain from tenants where customer_id = $1", [company.id]);
  expect(bound.map(({ domain }) => domain).sort()).toEqual([...domains].sort());
});
