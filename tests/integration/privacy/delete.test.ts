/** Account deletion: what prevents it, how it is cancelled, and that only data that the law requires remains. */
import type { NotNull } from "kysely";
import { describe, expect, test } from "vitest";
import type { UserId } from "#db/ids.ts";
import { addMember } from "#server/accounts/customers.ts";
import { createUser, findUserByEmail, setPassword } from "#server/accounts/users.ts";
import { english } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import {
  deleteAccount,
  findPendingDeletion,
  requestDeletion,
  whyNotDeleted,
} from "#server/privacy/delete.ts";
import { buySubscription } from "#tests/support/bought-subscription.ts";
import { codeAt } from "#tests/support/desk.ts";
import { foundInDatabase } from "#tests/support/found-in-database.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { freshEmail } from "#tests/support/journey.ts";
import { makeCompany, makePerson, numberOf, proveMailboxOf, signedIn } from "#tests/support/orders.ts";
import { paidOrder } from "#tests/support/paid-order.ts";
import { buyerPassword, makeGuardedBuyer } from "#tests/support/second-factor.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls, provider } = await startStore({ worker: true });
const { db, pool } = context;
const password = "a-Pass-word-1";

/** Creates a user with a password and a confirmed mailbox. */
async function person() {
  const email = freshEmail();
  const userId = await db
    .transaction()
    .execute((trx) => createUser(trx, { email, firstName: "Ila", lastName: "Sen", phone: "", password }));
  await proveMailboxOf(db, userId);
  return { userId, email };
}

/** Ends the grace period. */
async function due(userId: UserId): Promise<void> {
  await db
    .updateTable("account_deletions")
    .set({ due_at: new Date(Date.now() - 1_000) })
    .where("user_id", "=", userId)
    .execute();
}

const ask = (owner: { userId: UserId; email: string }) =>
  requestDeletion(context, owner, { currentPassword: password, code: "" }, new Date());

describe("deletion of an account", () => {
  test("refuses a wrong password, with an error at its field", async () => {
    const somebody = await person();
    const browser = await signedIn(context, stack.url, somebody);
    for (const form of [{ currentPassword: "wrong" }, { currentPassword: "" }]) {
      const answer = await browser.post(paths.myData(), { intent: "delete", ...form });
      expect(answer.status).toBe(400);
      expect(answer.text).toMatch(/currentPassword-error|aria-invalid="true"/);
    }
    expect(await findPendingDeletion(db, somebody.userId)).toBeNull();
  });

  test("requires an unused code, or a recovery code, from a user with a second factor", async () => {
    const buyer = await makeGuardedBuyer(context);
    const browser = await signedIn(context, stack.url, buyer);
    const post = (code: string, currentPassword = buyerPassword) =>
      browser.post(paths.myData(), { intent: "delete", currentPassword, code });
    expect((await browser.get(paths.myData())).text).toContain('name="code"');
    const good = codeAt(buyer.secret, new Date());
    const [recovery = ""] = buyer.recoveryCodes;
    for (const code of ["", "000000"]) {
      const answer = await post(code);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('id="delete-account-code-error"');
    }
    // A wrong password does not use up the code.
    expect((await post(recovery, "wrong")).status).toBe(400);
    expect(await findPendingDeletion(db, buyer.userId)).toBeNull();
    expect((await post(recovery)).status).toBe(303);
    expect(await findPendingDeletion(db, buyer.userId)).not.toBeNull();
    await browser.post(paths.myData(), { intent: "keep" });
    expect((await post(recovery)).status).toBe(400);
    expect((await post(good)).status).toBe(303);
    expect(await findPendingDeletion(db, buyer.userId)).not.toBeNull();
  });

  test("does not ask for a code without a second factor", async () => {
    const somebody = await person();
    const browser = await signedIn(context, stack.url, somebody);
    expect((await browser.get(paths.myData())).text).not.toContain('name="code"');
  });

  test("refuses the last owner of a company with members or subscriptions, and says why", async () => {
    const owner = await person();
    const customerId = await makeCompany(db, owner, "Left Behind Ltd");
    const why = async () => (await whyNotDeleted(db, owner.userId, new Date())).map((each) => english(each));
    expect(await why()).toEqual([]);
    const other = await makePerson(db);
    await db
      .transaction()
      .execute((trx) => addMember(trx, { customerId, userId: other.userId, role: "viewer", by: null }));
    expect(await why()).toEqual([
      "You're the last owner of Left Behind Ltd. Make someone else an owner in Members first.",
    ]);
    await expect(ask(owner)).rejects.toMatchObject({ code: "conflict" });
    await db.updateTable("members").set({ role: "owner" }).where("user_id", "=", other.userId).execute();
    expect(await why()).toEqual([]);
  });

  test("lists paid orders that are not finished, also on the page", async () => {
    const order = await paidOrder(stack);
    const { user_id: userId } = await db
      .selectFrom("orders")
      .select("user_id")
      .where("id", "=", order.id)
      .$narrowType<{ user_id: NotNull }>()
      .executeTakeFirstOrThrow();
    await proveMailboxOf(db, userId);
    const number = await numberOf(db, order.id);
    const why = `Order ${number}: delivery, a refund or a document isn't finished. See My Orders, wait until it is, or contact us.`;
    expect((await whyNotDeleted(db, userId, new Date())).map((each) => english(each))).toEqual([why]);
    const browser = await signedIn(context, stack.url, { userId, email: order.email });
    expect((await browser.get(paths.myData())).text).toContain(`Order ${number}`);
  });
});

describe("cancelling a deletion", () => {
  test("works once through the mailed link; opening the link changes nothing", async () => {
    const somebody = await person();
    await ask(somebody);
    const linkIn = async () =>
      (await controls.inbox(somebody.email)).map(({ text }) => /\/keep-account\/[\w-]+/.exec(text)?.[0])[0];
    await until("the mail has arrived", async () => (await linkIn()) !== undefined);
    const link = (await linkIn()) ?? "";
    const browser = new HttpBrowser(stack.url);
    expect((await browser.get(link)).text).toContain("Keep your account?");
    expect(await findPendingDeletion(db, somebody.userId)).not.toBeNull();
    expect((await browser.post(link, {})).status).toBe(303);
    expect(await findPendingDeletion(db, somebody.userId)).toBeNull();
    expect((await browser.get(link)).status).toBe(404);
    expect(stack.logs().join("\n")).not.toContain(link);
  });

  test("works on the page; the job then keeps the account", async () => {
    const somebody = await person();
    const browser = await signedIn(context, stack.url, somebody);
    await browser.post(paths.myData(), { intent: "delete", currentPassword: password });
    await due(somebody.userId);
    await browser.post(paths.myData(), { intent: "keep" });
    await deleteAccount(context, somebody.userId);
    expect(await findUserByEmail(db, somebody.email)).not.toBeNull();
  });

  test("keeps the account before the due date, or if an obstacle has appeared since", async () => {
    const owner = await person();
    const customerId = await makeCompany(db, owner);
    await ask(owner);
    await deleteAccount(context, owner.userId);
    expect(await findUserByEmail(db, owner.email)).not.toBeNull();
    const other = await makePerson(db);
    await db
      .transaction()
      .execute((trx) => addMember(trx, { customerId, userId: other.userId, role: "viewer", by: null }));
    await due(owner.userId);
    await deleteAccount(context, owner.userId);
    expect(await findUserByEmail(db, owner.email)).not.toBeNull();
    const mails = await db
      .selectFrom("mails")
      .select("data")
      .where("user_id", "=", owner.userId)
      .where("kind", "=", "account-deletion")
      .orderBy("created_at")
      .execute();
    expect(mails.map(({ data }) => data)).toMatchObject([{ state: "asked" }, { state: "stopped" }]);
  });
});

test("leaves no trace of a buyer in tables or logs, except on documents", async () => {
  const account = {
    firstName: "Zebadiah",
    lastName: "Quillfeather",
    phoneNumber: "9123987654",
    addressLine1: "77 Marmalade Mews",
    addressLine2: "Opposite the Cuckoo",
    companyName: "Quillfeather Quills",
  };
  const bought = await buySubscription({ stack, context, controls, provider }, { account });
  const user = await findUserByEmail(db, bought.email);
  if (user === null) throw new Error("Expected the buyer to have an account");
  const values = [
    bought.email,
    account.firstName,
    account.lastName,
    account.phoneNumber,
    account.addressLine1,
  ];
  expect((await foundInDatabase(pool, values)).length).toBeGreaterThan(5);
  await db.transaction().execute((trx) => setPassword(trx, user.id, password, { byMailedToken: true }));

  const buyer = { userId: user.id, email: user.email };
  await expect(ask(buyer)).rejects.toMatchObject({ code: "conflict" });
  await db.updateTable("subscriptions").set({ status: "cancelled" }).where("id", "=", bought.id).execute();
  await until(
    "nothing is unfinished",
    async () => (await whyNotDeleted(db, user.id, new Date())).length === 0,
  );
  await ask(buyer);
  await due(user.id);
  await until("its mails are sent", async () => {
    const open = await db.selectFrom("mails").select("id").where("sent_at", "is", null).execute();
    return open.length === 0;
  });
  await deleteAccount(context, user.id);

  // The law requires name and address on the invoice.
  expect(await foundInDatabase(pool, values)).toEqual(["invoices.facts"]);
  expect(await foundInDatabase(pool, [bought.email, account.phoneNumber, account.firstName])).toEqual([]);
  const logs = stack.logs().filter((line) => !line.startsWith("sandbox"));
  expect(logs.filter((line) => values.some((value) => line.includes(value)))).toEqual([]);
  const old = await bought.browser.get(paths.account());
  expect([old.status, old.location?.split("?")[0]]).toEqual([302, paths.login()]);
});
