/**
 * An account that an attacker creates with a victim's email. The attacker waits in it until the owner proves the mailbox and
 * pays, and must have lost every access that came from the account by then.
 */
import { describe, expect, test } from "vitest";
import type { CustomerId, OrderId, UserId } from "#db/ids.ts";
import { listMemberships } from "#server/accounts/customers.ts";
import { confirmEmailFirstMessage } from "#server/accounts/email-verification.ts";
import { inviteMember } from "#server/accounts/invites.ts";
import { changeRole, listMembers } from "#server/accounts/members.ts";
import { mintInviteToken, mintToken } from "#server/accounts/one-time-tokens.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { english } from "#server/foundation/languages/text.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { signInWith } from "#tests/support/identity-providers.ts";
import {
  accountForm,
  beginOrder,
  freshEmail,
  placeOrder,
  providerOrderOf,
  toReview,
} from "#tests/support/journey.ts";
import { join, makeCompany, makePerson, signedIn } from "#tests/support/orders.ts";
import { payFor } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
const { db } = context;

const attackersPassword = "attackers-Pass-1";
const ownPassword = "a-good-Pass-1";
const visitor = () => new HttpBrowser(stack.url);
const said = (text: string) => text.replaceAll("<!-- -->", "");

async function userOf(email: string): Promise<UserId> {
  const user = await findUserByEmail(db, email);
  if (user === null) throw new Error(`Expected an account of ${email}`);
  return user.id;
}

async function companyOf(email: string): Promise<CustomerId> {
  const [company] = await listMemberships(db, await userOf(email));
  if (company === undefined) throw new Error(`${email} has no company`);
  return company.id;
}

/** Returns the attacker's browser, signed in as the victim, with a company from a first order. */
async function preRegister(): Promise<{ victim: string; attacker: HttpBrowser }> {
  const victim = freshEmail();
  const attacker = visitor();
  const person = { firstName: "Not", lastName: "Them", phoneNumber: "9876543210" };
  await attacker.post("/signup", { ...person, email: victim, password: attackersPassword });
  expect((await attacker.post("/login", { email: victim, password: attackersPassword })).status).toBe(303);
  await toReview(attacker, { email: victim });
  return { victim, attacker };
}

/** Adds an accomplice as owner, as unproven accounts could do before. */
async function withAccomplice() {
  const planted = await preRegister();
  const customerId = await companyOf(planted.victim);
  const accomplice = await makePerson(db);
  await join(db, customerId, accomplice, "owner");
  return { ...planted, customerId, accomplice };
}

/** Waits for a mail to this address and returns it. */
async function mailTo(email: string, subject: RegExp) {
  await until(`a mail to ${email}: ${subject}`, async () =>
    (await controls.inbox(email)).some((mail) => subject.test(mail.subject)),
  );
  const mail = (await controls.inbox(email)).find((found) => subject.test(found.subject));
  if (mail === undefined) throw new Error(`No mail to ${email}`);
  return mail;
}

async function resetByMail(email: string): Promise<void> {
  const resets = async () =>
    (await controls.inbox(email)).filter(({ subject }) => subject.startsWith("Reset your")).length;
  const before = await resets();
  await visitor().post("/forgot-password", { email });
  await until(`one more reset link for ${email}`, async () => (await resets()) > before);
  const mail = await mailTo(email, /^Reset your/);
  const link = new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? "").pathname;
  const answer = await visitor().post(link, { password: ownPassword, confirmPassword: ownPassword });
  expect(answer.text).toContain("Password Updated Successfully!");
}

async function logIn(email: string): Promise<HttpBrowser> {
  const browser = visitor();
  expect((await browser.post("/login", { email, password: ownPassword })).status).toBe(303);
  return browser;
}

describe("an unproven account", () => {
  test("orders but does not invite, and its page and the service explain why", async () => {
    const { victim, attacker } = await preRegister();
    const accomplice = freshEmail();
    const page = said((await attacker.get("/members")).text);
    expect(page).toContain("Confirm your email to invite people and set their roles");
    expect(page).not.toContain("Send invitation");
    const refused = await attacker.post("/members", { intent: "invite", email: accomplice, role: "owner" });
    expect(refused.status).toBe(403);
    expect(said(refused.text)).toContain(english(confirmEmailFirstMessage));
    const by = await userOf(victim);
    const customerId = await companyOf(victim);
    await expect(
      inviteMember(db, { customerId, by, email: accomplice, role: "owner", now: new Date() }),
    ).rejects.toThrow(english(confirmEmailFirstMessage));
    expect(await db.selectFrom("mails").where("recipient", "=", accomplice).select("id").execute()).toEqual(
      [],
    );
  });

  test("does not change roles or remove members in a shared company", async () => {
    const { victim, attacker, customerId, accomplice } = await withAccomplice();
    const by = await userOf(victim);
    for (const intent of ["change-role", "remove"]) {
      const answer = await attacker.post("/members", { intent, member: accomplice.userId, role: "viewer" });
      expect(answer.status).toBe(403);
      expect(said(answer.text)).toContain(english(confirmEmailFirstMessage));
    }
    const change = { customerId, userId: accomplice.userId, by, role: "viewer" } as const;
    await expect(db.transaction().execute((trx) => changeRole(trx, change))).rejects.toThrow(
      english(confirmEmailFirstMessage),
    );
    expect((await listMembers(db, customerId)).map(({ role }) => role)).toEqual(["owner", "owner"]);
  });

  test("mails a confirmation whose new password ends the attacker's access", async () => {
    const { victim, attacker } = await preRegister();
    expect((await attacker.get("/account")).text).toContain("Your email is not confirmed yet");
    expect((await attacker.post("/account/password-link", {})).location).toBe("/account");
    const mail = await mailTo(victim, /^Confirm your email/);
    const link = new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? "").pathname;
    await visitor().post(link, { password: ownPassword, confirmPassword: ownPassword });
    expect((await attacker.get("/account")).status).toBe(302);
    expect((await visitor().post("/login", { email: victim, password: attackersPassword })).status).toBe(401);
    const own = await logIn(victim);
    expect((await own.get("/account")).text).not.toContain("Your email is not confirmed yet");
    const invited = await own.post("/members", { intent: "invite", email: freshEmail(), role: "viewer" });
    expect(invited.status).toBe(303);
  });
});

describe("after a password reset, the owner", () => {
  test("keeps the company and its purchases without the accomplice, and gets a mail", async () => {
    const { victim, attacker, customerId, accomplice } = await withAccomplice();
    const planted = await signedIn(context, stack.url, accomplice);
    await planted.post("/members", { intent: "invite", email: freshEmail(), role: "owner" });

    const order = visitor();
    const begun = await beginOrder(order);
    const known = await order.post(`${begun.path}/create-account`, accountForm(victim));
    expect([known.status, known.location]).not.toEqual([303, `${begun.path}/place-order`]);
    await resetByMail(victim);

    expect((await attacker.get("/account")).status).toBe(302);
    expect((await listMembers(db, customerId)).map(({ email, role }) => [email, role])).toEqual([
      [victim, "owner"],
    ]);
    expect(
      await db
        .selectFrom("member_invites")
        .select("id")
        .where("customer_id", "=", customerId)
        .where("withdrawn_at", "is", null)
        .execute(),
    ).toEqual([]);
    const mail = await mailTo(victim, /is confirmed$/);
    expect(mail.text).toContain(accomplice.email);
    expect((await mailTo(accomplice.email, /You've been removed from a company/)).text).toContain(
      "“Acme Tools”",
    );

    const own = await logIn(victim);
    const bought = await toReview(own, { email: victim });
    await placeOrder(own, bought);
    const providerOrderId = await providerOrderOf(own, bought);
    await payFor({ browser: own, path: bought.path, providerOrderId }, stack.sandboxUrl);
    expect((await own.get(`${bought.path}/sign-in`)).status).toBe(200);
    await expectNothingOf(bought.id, bought.path, planted);
    const taken = await planted.post("/members", {
      intent: "remove",
      member: await userOf(victim),
    });
    expect(taken.status).toBe(404);
    expect((await own.get(`/orders/${bought.id}/invoice`)).status).toBe(200);
  });

  test("regains the role that an accomplice changed", async () => {
    const { victim, customerId, accomplice } = await withAccomplice();
    const demotion = {
      customerId,
      userId: await userOf(victim),
      by: accomplice.userId,
      role: "viewer",
    } as const;
    await db.transaction().execute((trx) => changeRole(trx, demotion));
    await resetByMail(victim);
    expect((await listMembers(db, customerId)).map(({ email, role }) => [email, role])).toEqual([
      [victim, "owner"],
    ]);
  });

  test("keeps out an accomplice who accepts an invitation at the same moment", async () => {
    const { victim, customerId, accomplice } = await withAccomplice();
    const second = await makePerson(db);
    const planted = await signedIn(context, stack.url, accomplice);
    await planted.post("/members", { intent: "invite", email: second.email, role: "owner" });
    const invite = await db
      .selectFrom("member_invites")
      .select(["id", "expires_at"])
      .where("email", "=", second.email)
      .executeTakeFirstOrThrow();
    const link = `/invite/${await mintInviteToken(db, invite.id, invite.expires_at)}`;
    const guest = await signedIn(context, stack.url, second);
    await Promise.all([resetByMail(victim), guest.post(link, { intent: "accept" })]);
    expect((await listMembers(db, customerId)).map(({ email }) => email)).toEqual([victim]);
    expect((await guest.post(link, { intent: "accept" })).status).toBe(409);
  });

  test("keeps the membership that a proven user gave", async () => {
    const { victim, attacker } = await preRegister();
    const boss = await makePerson(db);
    const theirs = await makeCompany(db, boss, "Honest Looms");
    const colleague = await makePerson(db);
    await join(db, theirs, colleague, "buyer");
    await join(db, theirs, { userId: await userOf(victim), email: victim }, "buyer");
    const open = freshEmail();
    const bosses = await signedIn(context, stack.url, boss);
    await bosses.post("/members", { intent: "invite", email: open, role: "viewer" });
    await resetByMail(victim);
    expect((await attacker.get("/account")).status).toBe(302);
    expect((await listMembers(db, theirs)).map(({ email, role }) => [email, role])).toEqual([
      [boss.email, "owner"],
      [colleague.email, "buyer"],
      [victim, "buyer"],
    ]);
    expect((await bosses.get("/members")).text).toContain(open);
  });

  test("accepts a proven user's invitation", async () => {
    const { victim } = await preRegister();
    const boss = await makePerson(db);
    const theirs = await makeCompany(db, boss, "Honest Looms");
    const bosses = await signedIn(context, stack.url, boss);
    await bosses.post("/members", { intent: "invite", email: victim, role: "buyer" });
    await resetByMail(victim);
    const own = await logIn(victim);
    const mail = await mailTo(victim, /^You're invited to join/);
    const link = new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? "").pathname;
    expect((await own.post(link, { intent: "accept" })).location).toBe("/members");
    expect((await listMembers(db, theirs)).map(({ email }) => email)).toContain(victim);
  });

  test("keeps colleagues invited since the first proof when it is proven again", async () => {
    const { victim, customerId } = await withAccomplice();
    await resetByMail(victim);
    const colleague = await makePerson(db);
    await join(db, customerId, colleague, "buyer");
    await resetByMail(victim);
    expect((await listMembers(db, customerId)).map(({ email }) => email)).toContain(colleague.email);
  });
});

/** Every first proof of a mailbox other than a new password. */
const proofs: [string, (victim: string, browser: HttpBrowser) => Promise<unknown>][] = [
  [
    "a resume link",
    async (victim, browser) => {
      const userId = await userOf(victim);
      const { id } = await db
        .selectFrom("orders")
        .select("id")
        .where("user_id", "=", userId)
        .executeTakeFirstOrThrow();
      const token = await mintToken(db, { purpose: "resume-order", userId, orderId: id, ttlSeconds: 60 });
      return browser.post(`/resume/${token}`, {});
    },
  ],
  ["Outlook's word", (victim, browser) => signInWith("outlook", browser, { email: victim, verified: true })],
  [
    "a code for Outlook",
    async (victim, browser) => {
      await signInWith("outlook", browser, { email: victim, verified: false });
      await browser.post("/azure/ad/proof", { intent: "mail-code", email: victim });
      const mail = await mailTo(victim, /^Your code/);
      const code = /Your code is (\d{4} \d{4})/.exec(mail.text)?.[1] ?? "";
      return browser.post("/azure/ad/proof", { intent: "code", code });
    },
  ],
  [
    "an invitation",
    async (victim, browser) => {
      const boss = await makePerson(db);
      await makeCompany(db, boss, "Honest Looms");
      const bosses = await signedIn(context, stack.url, boss);
      await bosses.post("/members", { intent: "invite", email: victim, role: "buyer" });
      const mail = await mailTo(victim, /^You're invited to join/);
      await browser.post("/login", { email: victim, password: attackersPassword });
      const link = new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? "").pathname;
      return browser.post(link, { intent: "accept" });
    },
  ],
];

test.each(proofs)(
  "%s: counts as a first proof and ends the attacker's access and password",
  async (_name, prove) => {
    const { victim, attacker, customerId, accomplice } = await withAccomplice();
    const own = visitor();
    await prove(victim, own);
    expect((await own.get("/account")).text).toContain(victim);
    expect((await attacker.get("/account")).status).toBe(302);
    expect((await visitor().post("/login", { email: victim, password: attackersPassword })).status).toBe(401);
    expect((await listMembers(db, customerId)).map(({ email }) => email)).toEqual([victim]);
    const mail = await mailTo(victim, /is confirmed$/);
    expect(mail.text).toContain("The password that was set before no longer works.");
    expect(mail.text).toContain(accomplice.email);
  },
);

/** Expects that a former member can neither see nor change an order. */
async function expectNothingOf(id: OrderId, path: string, stranger: HttpBrowser): Promise<void> {
  for (const url of [path, `${path}/sign-in`, `/orders/${id}/invoice`, `/orders/${id}/invoice.pdf`]) {
    expect((await stranger.get(url)).status, url).toBe(404);
  }
  const signIn = { mode: "new", username: "thief", prefix: "stolentenant" };
  expect((await stranger.post(`${path}/sign-in`, signIn)).status).toBe(404);
}
