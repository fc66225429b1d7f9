/** Operating the store from Desk: figures, a bounced mail, a failed job, and the vendors. */
import { randomInt } from "node:crypto";
import { expect, type Sql, test } from "./fixtures.ts";
import { DeskPage } from "./pages/desk.ts";
import { makeDeskAdmin } from "./staff-admin.ts";

/** A mail that its recipient's server refused, and a password mail that was therefore not sent. */
async function lockedOut(sql: Sql): Promise<string> {
  const email = `locked-out-${Date.now()}-${randomInt(1_000_000)}@example.com`;
  const refused = crypto.randomUUID();
  await sql(
    `insert into mails (id, kind, dedupe_key, recipient, data, sent_at, refused_at, last_error, withheld)
     values ($1::uuid, 'order-delayed', $1::uuid::text, $3, '{}', now(), now(), 'it came back: 5.1.1, 550 user unknown', false),
       ($2::uuid, 'reset-password', $2::uuid::text, $3, '{}', null, now(), 'the address is suppressed', true)`,
    [refused, crypto.randomUUID(), email],
  );
  await sql("insert into mail_suppressions (email, reason, mail_id) values ($1, $2, $3)", [
    email,
    "it came back: 5.1.1, 550 user unknown",
    refused,
  ]);
  return email;
}

test("staff unblock a customer's address and resend the password mail @keyboard", async ({
  page,
  sql,
  expectAccessible,
}) => {
  const email = await lockedOut(sql);
  const { email: admin, password } = await makeDeskAdmin(sql);
  const desk = new DeskPage(page);
  await page.goto("/desk?kind=password-mail");
  await desk.signIn(admin, password);
  await expect(desk.row(email)).toContainText("requested an email to set a password, 1 time");
  await expectAccessible();
  await page.getByLabel("Show figures for").selectOption("year");
  await page
    .getByRole("region", { name: /^Figures of/ })
    .getByRole("button", { name: "Show" })
    .click();
  await expect(page.getByRole("region", { name: /^Figures of \d{4}$/ })).toContainText("Orders paid");
  // The list keeps its filter.
  await desk
    .row(email)
    .getByRole("link", { name: /^Lift the suppression/ })
    .click();
  await expectAccessible();
  await desk.field("Why the address is valid").fill("Told by telephone");
  await desk.act("Lift the suppression");
  await expect(page.locator("[data-notice]")).toContainText(`Emails to ${email} are allowed again.`);
  await expect(desk.heading).toHaveText("Email");
  await expectAccessible();

  await desk.field("Address").fill(email);
  await desk.field("State").selectOption("Not sent");
  await page.getByRole("search").getByRole("button", { name: "Show" }).click();
  await expect(page.getByText("This address isn't suppressed.")).toBeVisible();
  await desk
    .row(email)
    .getByRole("link", { name: /^Resend/ })
    .click();
  await desk.field("Reason").fill("The mailbox is back");
  await desk.act("Resend");
  await expect(page.locator("[data-notice]")).toContainText("Email queued to resend.");
  const countMails = () => sql("select count(*)::int as count from mails where recipient = $1", [email]);
  expect(await countMails()).toEqual([{ count: 3 }]);
});

test("staff retry a failed job and look at the vendors @keyboard", async ({
  page,
  sql,
  expectAccessible,
}) => {
  const { email: admin, password } = await makeDeskAdmin(sql);
  // A worker takes it as soon as it is due, finds no such paused vendor, and completes it.
  const key = `desk-${randomInt(1_000_000_000)}`;
  await sql(
    `select graphile_worker.permanently_fail_jobs(
       array[(graphile_worker.add_job('probe-vendor', json_build_object('account', $1::text), job_key => $1::text,
         run_at => now() + interval '1 hour')).id], $2)`,
    [key, `${key} is out`],
  );
  const desk = new DeskPage(page);
  await page.goto("/desk/jobs?state=failed");
  await desk.signIn(admin, password);
  const row = desk.row(`${key} is out`);
  await expect(row).toContainText("25 of 25");
  await expectAccessible();
  const search = page.getByRole("searchbox", { name: /^Search orders/ });
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.press("/");
  await expect(search).toHaveValue("/");
  await row.getByRole("link", { name: /^Try again now/ }).click();
  await desk.field("Reason").fill("The vendor is back");
  await desk.act("Try again now");
  await expect(page.locator("[data-notice]")).toContainText("Job queued to run now.");
  const left = () => sql("select id from graphile_worker.jobs where key = $1", [key]);
  await expect.poll(left).toEqual([]);

  await desk.go("Vendors");
  await expect(desk.heading).toHaveText("Vendors");
  await expect(page.getByRole("region", { name: "Accounts and catalogues" })).toContainText("not needed");
  await expectAccessible();
});

test("on a phone the pages fit the screen", async ({ page, sql }) => {
  const { email: admin, password } = await makeDeskAdmin(sql);
  await lockedOut(sql);
  const desk = new DeskPage(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/desk");
  await desk.signIn(admin, password);
  for (const name of ["Email", "Jobs", "Vendors", "Needs attention"]) {
    await desk.go(name);
    await expect(desk.heading).toHaveText(name);
    const surplus = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(surplus, name).toBeLessThanOrEqual(0);
  }
});
