/** Staff in Desk: signing in, the work queue, and resolving its items. */
import { randomInt } from "node:crypto";
import { hashPassword } from "#server/accounts/passwords.ts";
import { codeAt } from "#tests/support/desk.ts";
import { freshPrefix, paidOrder } from "#tests/support/paid-order.ts";
import { expect, type Sql, test } from "./fixtures.ts";
import { orderNumberOf } from "./order-number.ts";
import { DeskPage } from "./pages/desk.ts";
import { expectErrors, expectFormError } from "./pages/errors.ts";

const password = "correct horse battery";
const newEmail = () => `staff-${Date.now()}-${randomInt(1_000_000)}@example.com`;

/** Creates an admin like the sandbox's: with a password and no second factor. */
async function makeAdmin(sql: Sql): Promise<string> {
  const email = newEmail();
  await sql("insert into staff (id, email, role, password_hash) values ($1, $2, 'admin', $3)", [
    crypto.randomUUID(),
    email,
    await hashPassword(password),
  ]);
  return email;
}

/** Stops a paid order like a worker that gave up at its first step. @returns the prefix of its tenant */
async function stopOrder(sql: Sql, id: string): Promise<string> {
  const prefix = freshPrefix("desk");
  await sql("update orders set signin = $2, fulfilment_status = 'needs_attention' where id = $1", [
    id,
    JSON.stringify({ mode: "new", username: "owner", prefix }),
  ]);
  await sql(
    "insert into fulfilments (order_id, status, attempts, last_error) values ($1, 'needs_attention', 9, $2)",
    [id, `900278: the tenant ${prefix} cannot be made`],
  );
  return prefix;
}

test("an admin adds staff, who set up an account and sign in @keyboard @journey", async ({
  page,
  sql,
  otherDevice,
  expectAccessible,
}) => {
  const admin = await makeAdmin(sql);
  const desk = new DeskPage(page);
  await page.goto("/desk/staff");
  await expect(desk.heading).toHaveText("Sign in to Desk");
  await expectAccessible();
  await desk.signIn(admin, "wrong");
  await expectFormError(page, "Incorrect email or password.");
  await desk.signIn(admin, password);
  await expect(page).toHaveURL(/\/desk\/staff$/);
  await expect(desk.card(admin)).toContainText("admin, you, two-step sign-in off");
  await expectAccessible();

  const email = newEmail();
  await desk.openAct("Add staff");
  await expectAccessible();
  await desk.field("Email").fill("nonsense");
  await desk.field("Role").selectOption("support");
  await desk.act("Add staff");
  await expectErrors(page, [
    ["Enter an email address.", desk.field("Email")],
    ["Enter a reason.", desk.field("Reason")],
  ]);
  await desk.field("Email").fill(email);
  await desk.field("Reason").fill("Answers customers");
  await desk.act("Add staff");
  await expect(page.getByRole("status")).toHaveText(`${email} added to staff.`);
  await expectAccessible();
  const link = (await page.getByText(/\/desk\/set-up\//).textContent()) ?? "";

  const { page: theirs } = await otherDevice();
  const newcomer = new DeskPage(theirs);
  await theirs.goto(link);
  await expect(newcomer.heading).toHaveText("Set up your account");
  await expectAccessible(theirs);
  const key = await newcomer.key();
  await newcomer.setUp("short", "000000");
  await expectErrors(theirs, [
    ["Use at least 12 characters.", theirs.getByLabel("Password", { exact: true })],
  ]);
  const used = codeAt(key);
  await newcomer.setUp(password, used);
  await expect(newcomer.heading).toHaveText("Save your recovery codes");
  await expectAccessible(theirs);
  const [recovery = "", ...others] = await newcomer.recoveryCodes();
  expect(others).toHaveLength(9);
  await theirs.getByRole("link", { name: "I've saved them: go to Desk" }).click();
  await expect(newcomer.heading).toHaveText("Needs attention");
  // Pages that the role cannot open have no link.
  await expect(newcomer.header.getByRole("link", { name: "Orders" })).toBeVisible();
  await expect(newcomer.header.getByRole("link", { name: "Staff" })).toHaveCount(0);

  await newcomer.signOut();
  await newcomer.signIn(email, password);
  await expect(newcomer.heading).toHaveText("Enter a code");
  await expectAccessible(theirs);
  await newcomer.enterCode(used);
  await expectErrors(theirs, [
    [
      "That code is incorrect or already used. Enter the current code from your app, or a recovery code.",
      newcomer.code,
    ],
  ]);
  await newcomer.enterCode(recovery);
  await expect(newcomer.heading).toHaveText("Needs attention");

  await page.goto("/desk/staff");
  await desk.card(email).getByRole("link", { name: "End all sessions" }).click();
  await desk.field("Reason").fill("Lost the telephone");
  await desk.act("End all sessions");
  await expect(page.locator("[data-notice]")).toContainText(`${email} is signed out everywhere.`);
  await theirs.goto("/desk");
  await expect(newcomer.heading).toHaveText("Sign in to Desk");
});

test("staff claim and fulfil a stopped order, and refund another @keyboard @journey", async ({
  page,
  sql,
  baseURL,
  sandboxUrl,
  expectAccessible,
}) => {
  const admin = await makeAdmin(sql);
  const order = await paidOrder({ url: baseURL ?? "", sandboxUrl });
  const number = await orderNumberOf(sql, order.id);
  const prefix = await stopOrder(sql, order.id);

  const desk = new DeskPage(page);
  await page.goto("/desk");
  await desk.signIn(admin, password);
  await expect(desk.heading).toHaveText("Needs attention");
  const row = desk.row(number);
  // The vendor's table has a text for the code.
  await expect(row.getByRole("heading")).toContainText("an operation on the subscription is pending");
  // The stored text is shown, collapsed.
  await expect(row.getByRole("group")).toContainText(`900278: the tenant ${prefix} cannot be made`);
  await expectAccessible();
  await row.getByRole("button", { name: /^Take/ }).click();
  // It opens the order, which begins with the reason for its stop.
  await expect(page.locator("[data-notice]")).toContainText("Assigned to you.");
  await expect(desk.heading).toHaveText(number);
  const why = page.getByRole("region", { name: `Order stopped ${number}` });
  await expect(why.getByRole("heading")).toContainText("an operation on the subscription is pending");
  await expect(why).toContainText("Assigned to you");
  await expect(desk.story).toContainText("Order paid");
  await expectAccessible();
  await desk.openAct("Try again now");
  await desk.act("Try again now");
  await expectErrors(page, [["Enter a reason.", desk.field("What you fixed")]]);
  await desk.field("What you fixed").fill("The domain is free now");
  await desk.act("Try again now");
  await expect(page.locator("[data-notice]")).toContainText("Order restarted.");
  await expect(desk.story).toContainText("The domain is free now");
  await expect(desk.story).toContainText(`by ${admin}`);
  const state = () => sql("select fulfilment_status from orders where id = $1", [order.id]);
  await expect.poll(state).toEqual([{ fulfilment_status: "done" }]);
  await page.reload();
  await expect(desk.story).toContainText("Order fulfilled");
  await desk.go("Needs attention");
  await expect(desk.row(number)).toHaveCount(0);

  const other = await paidOrder({ url: baseURL ?? "", sandboxUrl });
  const otherNumber = await orderNumberOf(sql, other.id);
  await desk.go("Orders");
  await expectAccessible();
  await desk.find(otherNumber);
  await page.getByRole("link", { name: otherNumber }).click();
  await desk.openAct("Refund");
  await expectAccessible();
  await page.getByLabel("A part").check();
  await desk.field("Reason").fill("Agreed by telephone");
  await desk.act("Check the refund");
  const amount = desk.field("Amount of the part");
  await expectErrors(page, [["Enter the amount of the part, such as 1234.50.", amount]]);
  await amount.fill("10.50");
  await desk.act("Check the refund");
  await expect(page.getByText("A credit note for ₹10.50 is issued.")).toBeVisible();
  await expectAccessible();
  await desk.act("Refund ₹10.50");
  await expect(page.locator("[data-notice]")).toContainText("₹10.50 is being refunded.");
  const refunds = () => sql("select amount_minor::int, status from refunds where order_id = $1", [other.id]);
  await expect.poll(refunds).toEqual([{ amount_minor: 1_050, status: "processed" }]);

  await desk.go("Audit log");
  await expect(desk.row("order.refund").first()).toContainText("Agreed by telephone");
  await expectAccessible();
});

test("on a phone Desk's pages and the sign-out stay in reach", async ({ page, sql }) => {
  const desk = new DeskPage(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/desk");
  await desk.signIn(await makeAdmin(sql), password);
  for (const name of ["Orders", "Staff", "Audit log"]) {
    await desk.go(name);
    await expect(desk.heading).toHaveText(name);
  }
  await desk.signOut();
  await expect(desk.heading).toHaveText("Sign in to Desk");
});

test("on a phone staff retry an order from the queue and refund one from search", async ({
  page,
  sql,
  baseURL,
  sandboxUrl,
}) => {
  const store = { url: baseURL ?? "", sandboxUrl };
  const [stopped, other] = [await paidOrder(store), await paidOrder(store)];
  const [number, otherNumber] = await Promise.all([
    orderNumberOf(sql, stopped.id),
    orderNumberOf(sql, other.id),
  ]);
  await stopOrder(sql, stopped.id);
  const isWithinScreen = () =>
    page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
  const desk = new DeskPage(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/desk");
  await desk.signIn(await makeAdmin(sql), password);
  await expect(desk.row(number)).toBeVisible();
  expect(await isWithinScreen()).toBe(true);
  await desk.row(number).getByRole("button", { name: /^Take/ }).click();
  await expect(desk.heading).toHaveText(number);
  expect(await isWithinScreen()).toBe(true);
  await desk.openAct("Try again now");
  await desk.field("What you fixed").fill("The vendor answers again");
  await desk.act("Try again now");
  await expect(page.locator("[data-notice]")).toContainText("Order restarted.");

  await desk.go("Orders");
  // Cards have no column headings, except those that sort them.
  await page.getByRole("link", { name: "Started" }).click();
  await expect(page.getByRole("columnheader", { name: "Started" })).toHaveAttribute("aria-sort", "ascending");
  await desk.find(otherNumber);
  await expect(page).toHaveURL(/sort=started/);
  await page.getByRole("link", { name: otherNumber }).click();
  await desk.openAct("Refund");
  await page.getByLabel("A part").check();
  await desk.field("Amount of the part").fill("10.50");
  await desk.field("Reason").fill("Agreed by telephone");
  expect(await isWithinScreen()).toBe(true);
  await desk.refund();
  await expect(page.locator("[data-notice]")).toContainText("₹10.50 is being refunded.");
});
