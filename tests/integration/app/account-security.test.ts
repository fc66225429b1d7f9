/** Security mails to the owner of an account, and changing the password while signed in, over HTTP. */
import { describe, expect, test } from "vitest";
import { currentPasswordWrong } from "#server/accounts/current-password.ts";
import { newPasswordTooCommon } from "#server/accounts/new-password.ts";
import { mintToken } from "#server/accounts/one-time-tokens.ts";
import { createUser } from "#server/accounts/users.ts";
import { english } from "#server/foundation/languages/text.ts";
import { HttpBrowser, type TestResponse } from "#tests/support/http-browser.ts";
import { signInWith } from "#tests/support/identity-providers.ts";
import { freshEmail, toReview } from "#tests/support/journey.ts";
import { join, makeCompany, makePerson, proveMailboxOf, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
const { db } = context;
const password = "a-good-Pass-1";
const visitor = () => new HttpBrowser(stack.url);
const said = ({ text }: TestResponse) => text.replaceAll("<!-- -->", "");

async function somebody() {
  const email = freshEmail();
  const person = { firstName: "Asha", lastName: "Rao", phone: "9876543210" };
  const userId = await db.transaction().execute((trx) => createUser(trx, { email, password, ...person }));
  await proveMailboxOf(db, userId);
  return { userId, email };
}

async function loggedIn(email: string): Promise<HttpBrowser> {
  const browser = visitor();
  expect((await browser.post("/login", { email, password })).status).toBe(303);
  return browser;
}

const isSignedIn = async (who: HttpBrowser) => (await who.get("/account")).status === 200;

async function mailTextOf(email: string, subject: RegExp): Promise<string> {
  let text: string | undefined;
  await until(`a mail to ${email}: ${subject}`, async () => {
    text = (await controls.inbox(email)).find((mail) => subject.test(mail.subject))?.text;
    return text !== undefined;
  });
  return text ?? "";
}

const ifNotYou = "If not, reset your password now";

describe("a security mail", () => {
  test("reports a new password, with the time and a link to reset it", async () => {
    const { userId, email } = await somebody();
    const token = await mintToken(db, { purpose: "reset-password", userId, ttlSeconds: 60 });
    const chosen = { password: "a-new-Pass-2", confirmPassword: "a-new-Pass-2" };
    expect((await visitor().post(`/reset-password/${token}`, chosen)).status).toBe(200);
    const text = await mailTextOf(email, /^Your .* password was changed$/);
    expect(text).toContain(ifNotYou);
    expect(text).toMatch(/on \d+(st|nd|rd|th) \w+ \d{4}, \d+:\d\d [ap]m/);
    expect(text).toContain(`${stack.url}/forgot-password`);
    expect(text).not.toContain(chosen.password);
  });

  test("reports a first password as set, not as changed", async () => {
    const { userId, email } = await somebody();
    await db.updateTable("users").set({ password_hash: null }).where("id", "=", userId).execute();
    const token = await mintToken(db, { purpose: "set-password", userId, ttlSeconds: 60 });
    const chosen = { password: "a-first-Pass-1", confirmPassword: "a-first-Pass-1" };
    expect((await visitor().post(`/set-password/${token}`, chosen)).status).toBe(200);
    const text = await mailTextOf(email, /^A password was set for your .* account$/);
    expect(text).toMatch(/^A password was set/m);
    expect(text).toContain(ifNotYou);
  });

  test("reports a sign-in by a mailed link", async () => {
    const buyer = visitor();
    const { id, email } = await toReview(buyer);
    const { user_id: userId } = await db
      .selectFrom("orders")
      .select("user_id")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    if (userId === null) throw new Error("Expected the order to have a buyer");
    const token = await mintToken(db, { purpose: "resume-order", userId, orderId: id, ttlSeconds: 60 });
    expect((await visitor().post(`/resume/${token}`, {})).status).toBe(303);
    expect(await mailTextOf(email, /^A link signed you in/)).toContain(ifNotYou);
  });

  test("reports an Outlook sign-in that opens the account", async () => {
    const { email } = await somebody();
    expect((await signInWith("outlook", visitor(), { email, verified: true })).status).toBe(303);
    expect(await mailTextOf(email, /^Outlook sign-in was added to/)).toContain(ifNotYou);
  });

  test("reports a new role and a removal from a company", async () => {
    const owner = await makePerson(db);
    const company = await makeCompany(db, owner, "A.B. & Co.");
    const member = await makePerson(db);
    await join(db, company, member, "viewer");
    const owners = await signedIn(context, stack.url, owner);
    await owners.post("/members", { intent: "change-role", member: member.userId, role: "owner" });
    expect(await mailTextOf(member.email, /^Your role/)).toContain(
      "an owner of “A.B. & Co.” made you an owner",
    );
    await owners.post("/members", { intent: "remove", member: member.userId });
    expect(await mailTextOf(member.email, /^You've been removed from a company/)).toContain(
      "removed from “A.B. & Co.”",
    );
  });

  test("reports an accepted invitation to its sender, or to another owner if demoted", async () => {
    const inviter = await makePerson(db);
    const other = await makePerson(db);
    const company = await makeCompany(db, inviter, "Teal Looms");
    await join(db, company, other, "owner");
    const accepted = /^A new member joined your company$/;
    const joins = async (guest: string, meanwhile: () => Promise<unknown> = async () => null) => {
      const inviters = await signedIn(context, stack.url, inviter);
      await inviters.post("/members", { intent: "invite", email: guest, role: "buyer" });
      const link =
        /https?:\/\/\S+/.exec(await mailTextOf(guest, /^You're invited to join a company/))?.[0] ?? "";
      await meanwhile();
      const form = { intent: "new", firstName: "Nila", lastName: "Sen", password };
      expect((await visitor().post(new URL(link).pathname, form)).status).toBe(303);
    };
    const first = freshEmail();
    await joins(first);
    const text = await mailTextOf(inviter.email, accepted);
    expect(text).toContain(`${first} joined “Teal Looms” as a buyer on `);
    expect(text).toContain(`Members: ${context.env.PUBLIC_URL}/members\n`);
    expect(text).not.toContain(password);

    const second = freshEmail();
    await joins(second, async () => {
      const others = await signedIn(context, stack.url, other);
      await others.post("/members", { intent: "change-role", member: inviter.userId, role: "viewer" });
    });
    expect(await mailTextOf(other.email, accepted)).toContain(`${second} joined`);
    const errors = (await controls.inbox(inviter.email)).filter(({ subject }) => accepted.test(subject));
    expect(errors.map((mail) => mail.text.includes(first))).toEqual([true]);
  });
});

describe("a new password", () => {
  test("ends mailed links and open invitations, and mails their sender", async () => {
    const { userId, email } = await somebody();
    const customerId = await makeCompany(db, { userId, email });
    const guest = freshEmail();
    const owner = await loggedIn(email);
    await owner.post("/members", { intent: "invite", email: guest, role: "owner" });
    const { id: orderId } = await toReview(owner, { email });
    const mint = (purpose: "reset-password" | "resume-order") =>
      mintToken(db, { purpose, userId, orderId, ttlSeconds: 600 });
    const [reset, second, resume] = [
      await mint("reset-password"),
      await mint("reset-password"),
      await mint("resume-order"),
    ];
    const chosen = { password: "a-new-Pass-2", confirmPassword: "a-new-Pass-2" };
    await visitor().post(`/reset-password/${reset}`, chosen);
    expect((await visitor().get(`/resume/${resume}`)).status).toBe(404);
    expect((await visitor().post(`/resume/${resume}`, {})).status).toBe(404);
    expect((await visitor().get(`/reset-password/${second}`)).text).toContain("This link no longer works");
    expect(
      await db
        .selectFrom("member_invites")
        .select("withdrawn_at")
        .where("customer_id", "=", customerId)
        .execute(),
    ).toEqual([{ withdrawn_at: expect.any(Date) }]);
    expect(await mailTextOf(email, /^Your .* password was changed$/)).toContain(
      `Open invitations have been withdrawn: ${guest}.`,
    );
  });
});

describe("changing the password in My Account", () => {
  const change = (who: HttpBrowser, currentPassword: string, next: string, again = next) =>
    who.post("/account/password", { currentPassword, password: next, confirmPassword: again });

  test("keeps this browser signed in and ends every other session", async () => {
    const { email } = await somebody();
    const [here, there] = [await loggedIn(email), await loggedIn(email)];
    expect((await here.get("/account")).text).toContain('href="/account/password"');
    const answer = await change(here, password, "a-new-Pass-2");
    expect([answer.status, answer.location]).toEqual([303, "/account"]);
    expect(said(await here.get("/account"))).toContain("Password changed.");
    expect(await isSignedIn(there)).toBe(false);
    expect((await visitor().post("/login", { email, password })).status).toBe(401);
    expect((await visitor().post("/login", { email, password: "a-new-Pass-2" })).status).toBe(303);
    await mailTextOf(email, /^Your .* password was changed$/);
  });

  test.each([
    ["", "", "", ["Please enter your current password.", "Please enter a new password."]],
    ["wrong", "a-new-Pass-2", "a-new-Pass-2", [english(currentPasswordWrong)]],
    ["", "a-new-Pass-2", "another", ["Please enter your current password.", "Password do not match!"]],
    [password, "a-new-Pass-2", "another", ["Password do not match!"]],
    [password, "IloveYou", "IloveYou", [english(newPasswordTooCommon)]],
    [password, "1234567", "1234567", ["Password must be at least 8 characters long."]],
  ])("refuses a change from %j to %j and %j with %j", async (current, next, again, messages) => {
    const { email } = await somebody();
    const here = await loggedIn(email);
    const answer = await change(here, current, next, again);
    expect(answer.status).toBe(400);
    const errors = [...answer.text.matchAll(/<li><a href="#[^"]+">([^<]+)<\/a><\/li>/g)].map(
      ([, text]) => text,
    );
    expect(errors).toEqual(messages);
    expect(answer.text).not.toContain('value="a-new-Pass-2"');
    expect(await isSignedIn(here)).toBe(true);
    await loggedIn(email);
  });

  test("limits guesses and refuses other sites", async () => {
    const { email } = await somebody();
    const here = await loggedIn(email);
    for (const guess of ["1", "2", "3", "4", "5"]) {
      expect((await change(here, guess, "a-new-Pass-2")).status).toBe(400);
    }
    const right = await change(here, password, "a-new-Pass-2");
    expect([right.status, right.headers.has("retry-after")]).toEqual([429, true]);
    const form = { currentPassword: password, password: "a-new-Pass-2", confirmPassword: "a-new-Pass-2" };
    const foreign = await here.post("/account/password", form, { "Sec-Fetch-Site": "cross-site" });
    expect(foreign.status).toBe(403);
  });

  test("offers a mailed link to an account without a password", async () => {
    const person = await makePerson(db);
    const here = await signedIn(context, stack.url, person);
    const page = said(await here.get("/account/password"));
    expect(page).toContain("Your account has no password yet.");
    expect(page).not.toContain("Current Password");
    expect((await here.post("/account/password-link", {})).location).toBe("/account");
    expect(await mailTextOf(person.email, /^Reset your/)).toContain("/reset-password/");
  });
});
