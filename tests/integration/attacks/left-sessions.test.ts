/** Sessions that their owner left by signing in again or logging out: a stolen cookie no longer works. */
import { describe, expect, test } from "vitest";
import { mintInviteToken, mintToken } from "#server/accounts/one-time-tokens.ts";
import { createSession } from "#server/accounts/sessions.ts";
import * as paths from "#server/foundation/paths.ts";
import { identityProviderIds, identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { Authenticator } from "#tests/support/authenticator.ts";
import { codeAt, makeStaff, staffBrowser, staffPassword } from "#tests/support/desk.ts";
import { HttpBrowser, type TestResponse } from "#tests/support/http-browser.ts";
import { throughProvider } from "#tests/support/identity-providers.ts";
import { beginOrder, toReview } from "#tests/support/journey.ts";
import { makeCompany, makePerson, signedIn } from "#tests/support/orders.ts";
import { buyerPassword, connectApp, makeBuyer } from "#tests/support/second-factor.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;
const isIn = async (browser: HttpBrowser, page = paths.account()) => (await browser.get(page)).status === 200;

/** Returns another browser with the same cookie, like a thief's. */
function copied(browser: HttpBrowser, cookie: string): HttpBrowser {
  const thief = new HttpBrowser(stack.url);
  thief.setCookie(cookie, browser.cookie(cookie) ?? "");
  return thief;
}

/** Browser that records the session it sent last. */
class Watched extends HttpBrowser {
  before = "";

  override ask(...input: Parameters<HttpBrowser["ask"]>): Promise<TestResponse> {
    this.before = this.cookie("session") ?? "";
    return super.ask(...input);
  }
}

type Buyer = Awaited<ReturnType<typeof makeBuyer>>;

/** Every way to sign in again: each returns the response that signs the browser in. */
const ways: [string, (browser: HttpBrowser, buyer: Buyer) => Promise<TestResponse>][] = [
  ["the password", (browser, { email }) => browser.post(paths.login(), { email, password: buyerPassword })],
  [
    "the password in an order",
    async (browser, { email }) => {
      const { path } = await beginOrder(browser);
      const login = { intent: "login", loginEmail: email, loginPassword: buyerPassword };
      return browser.post(`${path}/create-account`, login);
    },
  ],
  [
    "a code",
    async (browser, buyer) => {
      const { secret } = await connectApp(context, buyer);
      // Connecting the app ended the session.
      await resume(browser, buyer);
      await browser.post(paths.login(), { email: buyer.email, password: buyerPassword });
      return browser.post(paths.loginCode(), { code: codeAt(secret) });
    },
  ],
  [
    "a passkey",
    async (browser, buyer) => {
      const passkey = new Authenticator(stack.url);
      const ask = async (purpose: string) =>
        JSON.parse((await browser.post(paths.passkeyOptions(), { for: purpose })).text);
      const made = {
        name: "Phone",
        currentPassword: buyerPassword,
        response: passkey.make(await ask("make")),
      };
      await browser.post(paths.passkeys(), { intent: "add", ...made });
      await resume(browser, buyer);
      return browser.post(paths.loginPasskey(), { response: passkey.signIn(await ask("sign-in")) });
    },
  ],
  ...identityProviderIds.map((id): (typeof ways)[number] => [
    identityProviders[id].name,
    async (browser, buyer) => {
      // The flow began before the user signed in here in another tab.
      const tab = browser.fromElsewhere();
      tab.setCookie("session", "");
      const callback = await throughProvider(id, tab, { email: buyer.email, verified: true });
      for (const [name, value] of Object.entries(tab.cookies()))
        if (name !== "session") browser.setCookie(name, value);
      return browser.get(`${callback.pathname}${callback.search}`);
    },
  ]),
  [
    "a link to an order",
    async (browser, { userId }) => {
      const { id: orderId } = await toReview(browser);
      const token = await mintToken(db, { purpose: "resume-order", userId, orderId, ttlSeconds: 60 });
      return browser.post(paths.resume(token), {});
    },
  ],
  [
    "an invitation",
    async (browser, { email }) => {
      const owner = await makePerson(db);
      await makeCompany(db, owner);
      const owners = await signedIn(context, stack.url, owner);
      await owners.post(paths.members(), { intent: "invite", email, role: "viewer" });
      const invite = await db
        .selectFrom("member_invites")
        .select(["id", "expires_at"])
        .where("email", "=", email)
        .executeTakeFirstOrThrow();
      return browser.post(paths.invite(await mintInviteToken(db, invite.id, invite.expires_at)), {});
    },
  ],
  [
    "a token in the address",
    async (browser) => {
      const other = await makePerson(db);
      const { token } = await createSession(db, context.env.SESSION_SECRETS, other.userId);
      const response = await browser.get(`/?jwt-token=${token}`);
      return browser.post(response.location ?? "", {});
    },
  ],
  [
    "a new password",
    (browser) =>
      browser.post(paths.changePassword(), {
        currentPassword: buyerPassword,
        password: "another-Pass-2",
        confirmPassword: "another-Pass-2",
      }),
  ],
];

/** Gives a browser a new session of the buyer. */
async function resume(browser: HttpBrowser, buyer: Buyer): Promise<void> {
  browser.setCookie("session", (await signedIn(context, stack.url, buyer)).cookie("session") ?? "");
}

describe("a session of a buyer", () => {
  test.each(ways)("ends when its browser signs in by %s", async (way, signIn) => {
    const buyer = await makeBuyer(context);
    const browser = new Watched(stack.url);
    await resume(browser, buyer);
    const elsewhere = await signedIn(context, stack.url, buyer);
    const answer = await signIn(browser, buyer);
    expect([302, 303]).toContain(answer.status);
    const thief = new HttpBrowser(stack.url);
    thief.setCookie("session", browser.before);
    expect(browser.cookie("session")).not.toBe(thief.cookie("session"));
    expect(await isIn(browser)).toBe(true);
    expect(await isIn(thief)).toBe(false);
    if (way === "the password") expect(await isIn(elsewhere)).toBe(true);
  });

  test("stays when the sign-in is refused or waits for a code", async () => {
    const buyer = await makeBuyer(context);
    await connectApp(context, buyer);
    const browser = await signedIn(context, stack.url, buyer);
    await browser.post(paths.login(), { email: buyer.email, password: "wrong" });
    await browser.post(paths.login(), { email: buyer.email, password: buyerPassword });
    expect(await isIn(browser)).toBe(true);
  });
});

describe("a session at the Desk", () => {
  test("ends when its browser signs in again with password and code", async () => {
    const staff = await makeStaff(context, "support");
    const browser = await staffBrowser(context, stack.url, staff);
    const thief = copied(browser, "desk");
    expect(await isIn(thief, paths.desk())).toBe(true);
    await browser.post(paths.deskLogin(), { email: staff.email, password: staffPassword });
    expect(await isIn(thief, paths.desk())).toBe(false);
    const waiting = copied(browser, "desk");
    await browser.post(paths.deskCode(), { code: codeAt(staff.secret) });
    expect(await isIn(browser, paths.desk())).toBe(true);
    expect((await waiting.get(paths.deskCode())).location).toContain(paths.deskLogin());
  });
});

describe("logging out", () => {
  const cleared = (answer: TestResponse) => answer.headers.get("clear-site-data");

  test.each([
    ["here", (browser: HttpBrowser) => browser.post(paths.logout(), {})],
    ["everywhere", (browser: HttpBrowser) => browser.post(paths.account(), {})],
  ])("clears cache, storage and the session cookie (%s)", async (_where, logOut) => {
    const browser = await signedIn(context, stack.url, await makeBuyer(context));
    const answer = await logOut(browser);
    expect(cleared(answer)).toBe('"cache", "storage"');
    expect(answer.headers.getSetCookie().join()).toMatch(/session=;.*Max-Age=0/);
    expect(await isIn(browser)).toBe(false);
  });

  test("clears them at the Desk, too", async () => {
    const browser = await staffBrowser(context, stack.url, await makeStaff(context, "viewer"));
    const answer = await browser.post(paths.deskLogout(), {});
    expect(cleared(answer)).toBe('"cache", "storage"');
    expect(answer.headers.getSetCookie().join()).toMatch(/desk=;.*Max-Age=0/);
  });

  test("keeps drafts that the browser began before it signed in", async () => {
    const browser = new HttpBrowser(stack.url);
    const { path } = await beginOrder(browser);
    const { email } = await makeBuyer(context);
    await browser.post(paths.login(), { email, password: buyerPassword });
    await browser.post(paths.logout(), {});
    expect((await browser.get(`${path}/create-account`)).status).toBe(200);
  });

  test("clears the site's data, unlike any other response", async () => {
    const buyer = await makeBuyer(context);
    const browser = await signedIn(context, stack.url, buyer);
    const answers = [
      await browser.get(paths.account()),
      await browser.post(paths.login(), { email: buyer.email, password: buyerPassword }),
      await new HttpBrowser(stack.url).get(paths.account()),
    ];
    expect(answers.map(cleared)).toEqual([null, null, null]);
  });
});
