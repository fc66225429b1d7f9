/** Corrections before payment: the account, company and address that the order created, and nothing else. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import { mintToken, peekToken } from "#server/accounts/one-time-tokens.ts";
import { setPassword } from "#server/accounts/users.ts";
import * as paths from "#server/foundation/paths.ts";
import { sendMail } from "#server/mail/send.ts";
import { ApiClient, accountPayload, requireSuccess } from "#tests/support/api-client.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import {
  accountForm,
  beginOrder,
  freshEmail,
  placeOrder,
  providerOrderOf,
  toReview,
} from "#tests/support/journey.ts";
import { makeCompany, makePerson, readOrder, signedIn } from "#tests/support/orders.ts";
import { payFor } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;

const userOf = (email: string) =>
  db.selectFrom("users").selectAll().where("email", "=", email).executeTakeFirst();
const mailsTo = (email: string) =>
  db.selectFrom("mails").selectAll().where("recipient", "=", email).orderBy("created_at").execute();
const addressesOf = async (id: OrderId) => {
  const { customer_id } = await readOrder(db, id);
  return db.selectFrom("addresses").selectAll().where("customer_id", "=", customer_id).execute();
};

/** Brings a new buyer with a mistyped email to the review. */
async function mistyped() {
  const buyer = new HttpBrowser(stack.url);
  const order = await toReview(buyer);
  const user = await userOf(order.email);
  if (user === undefined) throw new Error("Expected an account");
  const correct = (account: Record<string, string>) =>
    buyer.post(`${order.path}/create-account`, { ...accountForm(order.email), ...account });
  return { ...order, buyer, userId: user.id, correct };
}

/** Creates an account with a password. @returns the account, and the form to log in with it inside an order */
async function known() {
  const person = await makePerson(db);
  await db
    .transaction()
    .execute((trx) => setPassword(trx, person.userId, "a-Good-Pass-1", { byMailedToken: true }));
  const login = { intent: "login", loginEmail: person.email, loginPassword: "a-Good-Pass-1" };
  return { ...person, login };
}

test("shows the specification's error when a login inside an order fails on our side", async () => {
  const { login } = await known();
  const buyer = new HttpBrowser(stack.url);
  const order = await toReview(buyer);
  await context.pool.query("alter table sessions add constraint broken check (false) not valid");
  const { status, text } = await buyer.post(`${order.path}/create-account?account=login`, login);
  await context.pool.query("alter table sessions drop constraint broken");
  expect(status).toBe(500);
  expect(text).toContain("<li>Login failed</li>");
});

describe("a mistyped email", () => {
  test("moves its account, and invalidates links sent to the wrong address", async () => {
    const { id, path, email, userId, buyer, correct } = await mistyped();
    const mint = (purpose: "set-password" | "reset-password" | "resume-order") =>
      mintToken(db, { purpose, userId, orderId: id, ttlSeconds: 60 });
    const purposes = ["set-password", "reset-password", "resume-order"] as const;
    const sent = await Promise.all(
      purposes.map(async (purpose) => ({ purpose, token: await mint(purpose) })),
    );
    const right = freshEmail();
    const answer = await correct({ email: right, firstName: "Priya", phoneNumber: "9822012345" });
    expect(answer.location).toBe(`${path}/place-order`);

    expect(await userOf(email)).toBeUndefined();
    expect(await userOf(right)).toMatchObject({ id: userId, first_name: "Priya", phone: "9822012345" });
    expect(await readOrder(db, id)).toMatchObject({ user_id: userId, account: { email: right } });
    for (const link of sent) expect(await peekToken(db, link), link.purpose).toBeNull();
    expect(await mailsTo(right)).toMatchObject([{ kind: "set-password", user_id: userId }]);
    // A new link works, the session continues, and the page shows the new email.
    const token = await mint("set-password");
    expect(await peekToken(db, { purpose: "set-password", token })).not.toBeNull();
    expect((await buyer.get("/account")).text).toContain(right);
    expect((await buyer.get(`${path}/place-order`)).text).toContain(right);
    // The owner of the wrong mailbox can create a separate account.
    await toReview(new HttpBrowser(stack.url), { email });
  });

  test("receives no more mail, even if one was already queued", async () => {
    const { email, userId, correct } = await mistyped();
    const [mail] = await mailsTo(email);
    if (mail === undefined) throw new Error("Expected a queued mail");
    await correct({ email: freshEmail() });
    await sendMail(context, mail.id);
    const tokens = await db
      .selectFrom("one_time_tokens")
      .select("hash")
      .where("user_id", "=", userId)
      .execute();
    expect(tokens).toEqual([]);
    const inbox = await fetch(`${stack.sandboxUrl}/inbox.json?to=${email}`);
    expect(await inbox.json()).toEqual([]);
  });

  test("allows corrections back and forth; each new address gets its link", async () => {
    const { email, correct } = await mistyped();
    const other = freshEmail();
    for (const wanted of [other, email, other]) await correct({ email: wanted });
    expect(await mailsTo(other)).toHaveLength(2);
    expect(await mailsTo(email)).toHaveLength(2);
  });

  test("ends as one of two concurrent corrections, the same for account and order", async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, email, userId, correct } = await mistyped();
      const wanted = [freshEmail(), freshEmail()];
      await Promise.all(wanted.map((one) => correct({ email: one })));
      const user = await db
        .selectFrom("users")
        .selectAll()
        .where("id", "=", userId)
        .executeTakeFirstOrThrow();
      expect(wanted).toContain(user.email);
      expect(await readOrder(db, id)).toMatchObject({ account: { email: user.email } });
      expect(await userOf(email)).toBeUndefined();
    }
  });

  test("does not take an email from someone who registers it at the same time", async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, userId, correct } = await mistyped();
      const wanted = freshEmail();
      const rival = new HttpBrowser(stack.url);
      const draft = await beginOrder(rival);
      const [mine, theirs] = await Promise.all([
        correct({ email: wanted }),
        rival.post(`${draft.path}/create-account`, accountForm(wanted)),
      ]);
      const holders = await db.selectFrom("users").select("id").where("email", "=", wanted).execute();
      expect(holders).toHaveLength(1);
      const isMine = holders[0]?.id === userId;
      expect(
        mine.location?.endsWith(isMine ? "/place-order" : "?account=exists"),
        String(mine.location),
      ).toBe(true);
      expect(theirs.location?.endsWith(isMine ? "?account=exists" : "/place-order")).toBe(true);
      expect((await readOrder(db, id)).user_id).toBe(userId);
    }
  });

  test("moves ten times an hour at most, since each move sends a mail", async () => {
    const { correct } = await mistyped();
    for (let time = 0; time < 10; time += 1) {
      expect((await correct({ email: freshEmail() })).status).toBe(303);
    }
    expect((await correct({ email: freshEmail() })).status).toBe(429);
  });
});

describe("a corrected email that has an account", () => {
  test("asks to log in; logging in moves the order to the existing account", async () => {
    const { id, path, email, userId, buyer, correct } = await mistyped();
    const before = await readOrder(db, id);
    const owner = await known();
    const answer = await correct({ email: owner.email, city: "Mysuru" });
    expect(answer.location).toBe(`${path}/create-account?account=exists`);
    expect(await readOrder(db, id)).toMatchObject({ user_id: userId, account: { email, city: "Bengaluru" } });
    expect(await userOf(email)).toMatchObject({ id: userId });
    expect((await buyer.get(`${path}/create-account?account=exists`)).text).toContain(
      "Account already exists",
    );

    const wrong = await buyer.post(`${path}/create-account`, { ...owner.login, loginPassword: "wrong" });
    expect(wrong.status).toBe(401);
    const old = buyer.cookie("session") ?? "";
    const login = await buyer.post(`${path}/create-account`, owner.login);
    expect(login.location).toBe(`${path}/create-account`);
    expect(await readOrder(db, id)).toMatchObject({
      user_id: owner.userId,
      stage: "stage2",
      account: { email: owner.email, city: "Mysuru" },
    });
    expect((await buyer.get(`${path}/place-order`)).status).toBe(200);

    expect(await userOf(email)).toBeUndefined();
    const company = await db
      .selectFrom("customers")
      .select("id")
      .where("id", "=", before.customer_id)
      .execute();
    expect(company).toEqual([]);
    const left = new HttpBrowser(stack.url);
    left.setCookie("session", old);
    expect((await left.get("/account")).status).toBe(302);
  });

  test("assigns the order to the company of the account, whose name stays", async () => {
    const { id, path, buyer, correct } = await mistyped();
    const owner = await known();
    const customerId = await makeCompany(db, owner, "Known Traders");
    await correct({ email: owner.email, companyName: "Knwon Traders" });
    await buyer.post(`${path}/create-account`, owner.login);
    expect(await readOrder(db, id)).toMatchObject({
      customer_id: customerId,
      account: { companyName: "Known Traders" },
    });
    const page = await buyer.get(`${path}/create-account`);
    expect(page.text).toContain("An owner can change the name on the company page");
    expect(page.text).not.toContain("Knwon");
  });

  test("responds 404 when someone logs in to an order of an older account", async () => {
    const holder = await makePerson(db);
    const browser = await signedIn(context, stack.url, holder);
    const { id, path } = await toReview(browser, { email: freshEmail() });
    const other = await known();
    expect((await browser.post(`${path}/create-account`, other.login)).status).toBe(404);
    expect(await readOrder(db, id)).toMatchObject({ user_id: holder.userId });
    expect(await userOf(holder.email)).toBeDefined();
  });
});

test("does not move an account with a confirmed mailbox to an email typed in the order", async () => {
  const { id, path, email, userId } = await mistyped();
  await db.transaction().execute((trx) => setPassword(trx, userId, "a-Good-Pass-1", { byMailedToken: true }));
  const owner = await signedIn(context, stack.url, { userId, email });
  const contact = freshEmail();
  const answer = await owner.post(`${path}/create-account`, accountForm(contact));
  expect(answer.location).toBe(`${path}/place-order`);
  expect(await userOf(email)).toMatchObject({ id: userId });
  expect(await userOf(contact)).toBeUndefined();
  expect(await readOrder(db, id)).toMatchObject({ account: { email: contact } });
});

describe("a mistyped company", () => {
  test("changes its name and address, also on the invoice", async () => {
    const { id, path, buyer, correct } = await mistyped();
    await correct({ companyName: "Sahyadri Precision Tools", addressLine1: "4 MIDC Road" });
    const { customer_id, total_minor } = await readOrder(db, id);
    const company = await db
      .selectFrom("customers")
      .select("name")
      .where("id", "=", customer_id)
      .executeTakeFirstOrThrow();
    expect(company.name).toBe("Sahyadri Precision Tools");
    expect(await addressesOf(id)).toMatchObject([{ add1: "4 MIDC Road" }]);

    await placeOrder(buyer, { path, totalMinor: total_minor });
    const providerOrderId = await providerOrderOf(buyer, { path });
    await payFor({ browser: buyer, path, providerOrderId }, stack.sandboxUrl);
    const invoice = await buyer.get(`/orders/${id}/invoice`);
    expect(invoice.text).toContain("Sahyadri Precision Tools");
    expect(invoice.text).toContain("4 MIDC Road");
    expect(invoice.text).not.toContain("Acme Tools");

    // After payment neither this order nor the next one can change it.
    expect((await correct({ companyName: "Another Ltd" })).status).not.toBe(200);
    const next = await beginOrder(buyer);
    await buyer.post(`${next.path}/create-account`, {
      ...accountForm(freshEmail()),
      companyName: "Another Ltd",
    });
    expect(await readOrder(db, next.id)).toMatchObject({
      account: { companyName: "Sahyadri Precision Tools" },
    });
  });

  test("keeps the name of an existing customer, with a link to the Company page", async () => {
    const owner = await makePerson(db);
    await makeCompany(db, owner, "Known Traders");
    const browser = await signedIn(context, stack.url, owner);
    const { id, path } = await toReview(browser, { account: { companyName: "Another Ltd" } });
    expect(await readOrder(db, id)).toMatchObject({ account: { companyName: "Known Traders" } });
    const page = await browser.get(`${path}/create-account`);
    expect(page.text).toContain(`<a href="${paths.company()}">Company</a>`);
  });
});

test("links every answer on the review to its field, until the order is paid", async () => {
  const { path, email, buyer } = await mistyped();
  const review = await buyer.get(`${path}/place-order`);
  for (const text of [email, "+91 9876543210", "Acme Tools", "221 100 Feet Road"]) {
    expect(review.text).toContain(text);
  }
  const links = [...review.text.matchAll(/href="([^"]+#(?:details|account)-\w+)"/g)].map(([, href]) => href);
  expect(links).toEqual([
    `${path}/subscription-details#details-term`,
    `${path}/subscription-details#details-quantity`,
    `${path}/create-account#account-firstName`,
    `${path}/create-account#account-email`,
    `${path}/create-account#account-phoneNumber`,
    `${path}/create-account#account-companyName`,
    `${path}/create-account#account-addressLine1`,
    `${path}/create-account#account-organisationRegistrationNumber`,
  ]);
  for (const link of links) {
    const [page = "", field = ""] = (link ?? "").split("#");
    expect((await buyer.get(page)).text, link).toContain(`id="${field}"`);
  }
});

test("allows the same corrections through the API, and refuses an existing email", async () => {
  const client = new ApiClient(stack.url);
  const email = freshEmail();
  const plan = { sku_id: "microsoft-365-business-basic", count: 1 };
  const made = requireSuccess(
    z.looseObject({ id: z.string(), token: z.string() }),
    await client.post("/create/order", { ...plan, ...accountPayload(email) }),
  );
  client.token = made.token;
  const right = freshEmail();
  const correct = (account: Record<string, string>) =>
    client.post("/createacount", { ...accountPayload(right), id: made.id, ...account });
  expect((await correct({ companyName: "Corrected Ltd" })).status).toBe(200);
  expect(await userOf(email)).toBeUndefined();
  expect(await userOf(right)).toBeDefined();
  expect(await mailsTo(right)).toHaveLength(1);
  const owner = await known();
  expect(await correct({ email: owner.email })).toMatchObject({
    status: 409,
    body: { fields: { email: "Account already exists, please Login instead" } },
  });
  expect(await userOf(right)).toBeDefined();
});
