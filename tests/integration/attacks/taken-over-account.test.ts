/** An account taken over by someone else: support ends its sessions and locks it, and then no sign-in works. */
import { describe, expect, test } from "vitest";
import type { UserId } from "#db/ids.ts";
import { erasePerson } from "#db/privacy/account-deletions.ts";
import type { IdentityProviderId } from "#db/tables/enums.ts";
import { accountLocked, lockAccount } from "#server/accounts/locks.ts";
import { loginFailed } from "#server/accounts/login.ts";
import { mintToken } from "#server/accounts/one-time-tokens.ts";
import { createSession } from "#server/accounts/sessions.ts";
import { english } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { identityProviderIds, identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { Authenticator } from "#tests/support/authenticator.ts";
import { codeAt, makeStaff, performAction, staffBrowser } from "#tests/support/desk.ts";
import { HttpBrowser, mainContentOf, type TestResponse } from "#tests/support/http-browser.ts";
import { signInWith } from "#tests/support/identity-providers.ts";
import { freshEmail, toReview } from "#tests/support/journey.ts";
import { join, makeCompany, makePerson, signedIn } from "#tests/support/orders.ts";
import { buyerPassword, connectApp, makeBuyer } from "#tests/support/second-factor.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
const { db } = context;
const visitor = () => new HttpBrowser(stack.url);
const isIn = async (browser: HttpBrowser) => (await browser.get(paths.account())).status === 200;
const said = ({ text }: TestResponse) => text.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'");
const support = await makeStaff(context, "support");
const orderedSku = { by: support.email, staffId: support.id, reason: "A takeover was reported" };

async function member() {
  const buyer = await makeBuyer(context);
  const company = await makeCompany(db, buyer);
  const browser = await signedIn(context, stack.url, buyer);
  return { ...buyer, company, browser };
}

const lock = (owner: { userId: UserId; email: string }) =>
  db.transaction().execute((trx) => lockAccount(trx, owner, orderedSku));

async function mailed(email: string, subject: RegExp): Promise<string> {
  const find = async () => (await controls.inbox(email)).find((mail) => subject.test(mail.subject));
  await until(`a mail to ${email}: ${subject}`, async () => (await find()) !== undefined);
  return (await find())?.text ?? "";
}

const audited = async (userId: UserId) =>
  db
    .selectFrom("audit_log")
    .select(["action", "data", "staff_id"])
    .where("subject", "=", `user:${userId}`)
    .where("staff_id", "is not", null)
    .execute();

describe("support", () => {
  test("ends every session of a person and emails them", async () => {
    const { userId, email, company, browser } = await member();
    await connectApp(context, { userId, email });
    const other = await signedIn(context, stack.url, { userId, email });
    const waiting = visitor();
    await waiting.post(paths.login(), { email, password: buyerPassword });
    const desk = await staffBrowser(context, stack.url, support);
    const path = paths.deskActionForm("customer.end-sessions", company);
    expect((await performAction(desk, path, { person: userId })).status).toBe(303);
    expect([await isIn(browser), await isIn(other)]).toEqual([false, false]);
    expect((await waiting.get(paths.loginCode())).location).toContain(paths.login());
    expect(await mailed(email, /^We signed you out/)).toContain("Our support team signed you out");
    expect(await audited(userId)).toEqual([
      { action: "sessions.end", staff_id: support.id, data: { by: support.email, reason: "as agreed" } },
    ]);
    expect((await visitor().post(paths.login(), { email, password: buyerPassword })).status).toBe(303);
  });

  test("locks and unlocks an account, with audit and email", async () => {
    const { userId, email, company, browser } = await member();
    const desk = await staffBrowser(context, stack.url, support);
    const locks = paths.deskActionForm("customer.lock", company);
    const unlocks = paths.deskActionForm("customer.unlock", company);
    expect(mainContentOf((await desk.get(unlocks)).text)).toContain("This company has no locked accounts.");
    expect((await performAction(desk, locks, { person: userId })).status).toBe(303);
    expect(await isIn(browser)).toBe(false);
    expect(mainContentOf((await desk.get(paths.deskCustomer(company))).text)).toContain("locked by us");
    expect(await mailed(email, /is locked$/)).toContain("a new password doesn't unlock it.");
    expect(mainContentOf((await desk.get(locks)).text)).toContain("This company has no unlocked accounts.");

    expect((await performAction(desk, unlocks, { person: userId })).status).toBe(303);
    expect(await isIn(browser)).toBe(false);
    expect((await browser.post(paths.login(), { email, password: buyerPassword })).status).toBe(303);
    expect(await isIn(browser)).toBe(true);
    await mailed(email, /is unlocked$/);
    expect((await audited(userId)).map(({ action }) => action)).toEqual(["account.lock", "account.unlock"]);
  });

  test.each(["customer.end-sessions", "customer.lock", "customer.unlock"] as const)(
    "%s: requires a reason, a person of the company and the second factor",
    async (id) => {
      const { userId, email, company } = await member();
      if (id === "customer.unlock") await lock({ userId, email });
      const stranger = await member();
      const ago = new Date(Date.now() - 11 * 60_000);
      const desk = await staffBrowser(context, stack.url, support, { now: ago });
      const path = paths.deskActionForm(id, company);
      expect((await performAction(desk, path, { person: userId })).status).toBe(400);
      const fresh = await staffBrowser(context, stack.url, support);
      expect((await fresh.post(path, { person: userId, reason: "" })).status).toBe(400);
      expect((await performAction(fresh, path, { person: stranger.userId })).status).toBe(400);
      const viewer = await staffBrowser(context, stack.url, await makeStaff(context, "viewer"));
      expect((await performAction(viewer, path, { person: userId })).status).toBe(403);
      expect(await audited(userId)).toHaveLength(id === "customer.unlock" ? 1 : 0);
    },
  );
});

type Way = (buyer: { userId: UserId; email: string }) => Promise<() => Promise<TestResponse>>;

/** Signs in at a provider and opens the page after the redirect. */
async function throughTo(id: IdentityProviderId, email: string): Promise<TestResponse> {
  const browser = visitor();
  const { location } = await signInWith(id, browser, { email, verified: true });
  return browser.get(location ?? "");
}

/** Every way to sign in: the preparation while the account is open, then the attempt. */
const ways: [string, Way][] = [
  [
    "the password",
    async ({ email }) =>
      () =>
        visitor().post(paths.login(), { email, password: buyerPassword }),
  ],
  [
    "the password before a code",
    async (buyer) => {
      await connectApp(context, buyer);
      return () => visitor().post(paths.login(), { email: buyer.email, password: buyerPassword });
    },
  ],
  [
    "the password in an order",
    async ({ email }) => {
      const browser = visitor();
      const begun = await browser.post("/order/microsoft/microsoft-365-business-basic/IN", {
        term: "P1Y",
        quantity: "2",
      });
      const login = { intent: "login", loginEmail: email, loginPassword: buyerPassword };
      return () => browser.post(begun.location ?? "", login);
    },
  ],
  [
    "the login call",
    async ({ email }) => {
      const encode = (text: string) => Buffer.from(text).toString("base64");
      const body = { encodedEmail: encode(email), encodedPassword: encode(buyerPassword) };
      return () =>
        visitor().ask("/api/login", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        });
    },
  ],
  [
    "a passkey",
    async (buyer) => {
      const browser = await signedIn(context, stack.url, buyer);
      const passkey = new Authenticator(stack.url);
      const options = async (who: HttpBrowser, purpose: string) =>
        JSON.parse((await who.post(paths.passkeyOptions(), { for: purpose })).text);
      const response = passkey.make(await options(browser, "make"));
      const form = { intent: "add", name: "Phone", currentPassword: buyerPassword, response };
      await browser.post(paths.passkeys(), form);
      return async () => {
        const thief = visitor();
        const signed = passkey.signIn(await options(thief, "sign-in"));
        return thief.post(paths.loginPasskey(), { response: signed });
      };
    },
  ],
  ...identityProviderIds.flatMap((id): [string, Way][] => [
    [
      `${identityProviders[id].name}, known before`,
      async ({ email }) => {
        await signInWith(id, visitor(), { email, verified: true });
        return () => throughTo(id, email);
      },
    ],
    [
      `${identityProviders[id].name}, for the first time`,
      async ({ email }) =>
        () =>
          throughTo(id, email),
    ],
  ]),
  [
    "a link to an order",
    async ({ userId }) => {
      const { id: orderId } = await toReview(visitor());
      const token = await mintToken(db, { purpose: "resume-order", userId, orderId, ttlSeconds: 600 });
      return () => visitor().post(paths.resume(token), {});
    },
  ],
];

describe("a locked account", () => {
  test.each(ways)("refuses %s and names the support contact", async (_way, prepare) => {
    const buyer = await makeBuyer(context);
    const attempt = await prepare(buyer);
    await lock(buyer);
    const answer = await attempt();
    expect(said(answer)).toContain(english(accountLocked));
    expect(answer.headers.getSetCookie().join()).not.toMatch(/session=[^;]/);
    const sessions = await db
      .selectFrom("sessions")
      .select("id")
      .where("user_id", "=", buyer.userId)
      .where("revoked_at", "is", null)
      .execute();
    expect(sessions).toEqual([]);
  });

  test("refuses a code for a sign-in that began before the lock", async () => {
    const buyer = await makeBuyer(context);
    const { secret } = await connectApp(context, buyer);
    const thief = visitor();
    await thief.post(paths.login(), { email: buyer.email, password: buyerPassword });
    await lock(buyer);
    await thief.post(paths.loginCode(), { code: codeAt(secret) });
    expect(await isIn(thief)).toBe(false);
  });

  test("refuses sessions created while it was locked, also after unlocking", async () => {
    const { userId, email, company } = await member();
    await lock({ userId, email });
    const late = await signedIn(context, stack.url, { userId, email });
    expect(await isIn(late)).toBe(false);
    const { token } = await createSession(db, context.env.SESSION_SECRETS, userId);
    const call = () => visitor().get(paths.validateToken(), { Authorization: `Bearer ${token}` });
    expect(JSON.parse((await call()).text)).toMatchObject({ valid: false });
    const desk = await staffBrowser(context, stack.url, support);
    await performAction(desk, paths.deskActionForm("customer.unlock", company), { person: userId });
    expect(await isIn(late)).toBe(false);
    expect(JSON.parse((await call()).text)).toMatchObject({ valid: false });
  });

  test("stays locked after a new password", async () => {
    const buyer = await makeBuyer(context);
    await lock(buyer);
    const token = await mintToken(db, { purpose: "reset-password", userId: buyer.userId, ttlSeconds: 60 });
    const password = "a-newer-Pass-4";
    expect(
      (await visitor().post(paths.resetPassword(token), { password, confirmPassword: password })).status,
    ).toBe(200);
    const answer = await visitor().post(paths.login(), { email: buyer.email, password });
    expect([answer.status, said(answer).includes(english(accountLocked))]).toEqual([403, true]);
  });

  test("responds to a wrong password like an unknown email", async () => {
    const buyer = await makeBuyer(context);
    await lock(buyer);
    const answers = await Promise.all(
      [buyer.email, freshEmail()].map((email) =>
        visitor().post(paths.login(), { email, password: "not-the-Pass" }),
      ),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(said(answer)).toContain(english(loginFailed));
      expect(said(answer)).not.toContain(english(accountLocked));
    }
    const requested = await Promise.all(
      [buyer.email, freshEmail()].map((email) => visitor().post(paths.forgotPassword(), { email })),
    );
    expect(requested.map(({ status, location }) => [status, location])).toEqual([
      [requested[0]?.status, requested[0]?.location],
      [requested[0]?.status, requested[0]?.location],
    ]);
  });

  test("keeps its colleagues signed in and can still be deleted", async () => {
    const { userId, email, company } = await member();
    const colleague = await makePerson(db);
    await join(db, company, colleague, "buyer");
    const theirs = await signedIn(context, stack.url, colleague);
    await lock({ userId, email });
    expect(await isIn(theirs)).toBe(true);
    expect((await theirs.get(paths.company())).status).toBe(200);
    await db
      .transaction()
      .execute((trx) => erasePerson(trx, { userId, email, customerIds: [], names: [email] }));
    const user = await db
      .selectFrom("users")
      .select(["email", "disabled_at"])
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    expect(user).toEqual({ email: `deleted-${userId}`, disabled_at: expect.any(Date) });
  });
});
