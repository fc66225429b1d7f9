/**
 * Sign-in with each identity provider, over HTTP against the sandbox's OpenID providers: who gets in, who must prove the
 * mailbox, and every way to tamper with the response. An email that the provider does not vouch for opens nothing.
 */
import { createCookie } from "@remix-run/node";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { UserId } from "#db/ids.ts";
import type { IdentityProviderId } from "#db/tables/enums.ts";
import { continueWithIdentity } from "#server/accounts/identity-sign-in.ts";
import { logIn } from "#server/accounts/login.ts";
import { createSession, readSession } from "#server/accounts/sessions.ts";
import { createUser, findUserByEmail, setPassword } from "#server/accounts/users.ts";
import type { IdentityPerson } from "#server/integrations/identity-providers/client.ts";
import { identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { inDevanagari } from "#tests/support/digits.ts";
import { HttpBrowser, type TestResponse } from "#tests/support/http-browser.ts";
import {
  type ChosenAccount,
  type SignInFlow,
  signInWith,
  throughProvider,
} from "#tests/support/identity-providers.ts";
import { freshEmail } from "#tests/support/journey.ts";
import { proveMailboxOf } from "#tests/support/orders.ts";
import { disable } from "#tests/support/people.ts";
import { storedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";
import { eventually } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
afterEach(() => controls.faults());

const password = "a-good-Pass-1";
const browser = () => new HttpBrowser(stack.url);

/** Creates a local account. */
async function account(fields: { password?: string | null; verified?: boolean } = {}) {
  const email = freshEmail();
  const id = await context.db.transaction().execute((trx) =>
    createUser(trx, {
      email,
      firstName: "Asha",
      lastName: "Rao",
      phone: "9876543210",
      password: fields.password === undefined ? password : fields.password,
    }),
  );
  if (fields.verified) await proveMailboxOf(context.db, id);
  return { id, email };
}

const identitiesOf = (userId: UserId) =>
  context.db.selectFrom("identities").selectAll().where("user_id", "=", userId).execute();
const sessionsOf = async (userId: UserId) =>
  (await context.db.selectFrom("sessions").select("id").where("user_id", "=", userId).execute()).length;
const everything = async () => {
  const { rows } = await sql<{ n: string }>`
    select (select count(*) from users) + (select count(*) from identities) + (select count(*) from sessions)
      + (select count(*) from identity_proofs) as n`.execute(context.db);
  return Number(rows[0]?.n);
};

async function whoIs(visitor: HttpBrowser): Promise<string | null> {
  const token = visitor.cookie("session");
  const user =
    token === undefined
      ? null
      : await readSession(context.db, context.env.SESSION_SECRETS, decodeURIComponent(cookieText(token)));
  return user?.email ?? null;
}
/** Remix writes a cookie's value as JSON in base64. */
const cookieText = (value: string) =>
  String(JSON.parse(Buffer.from(decodeURIComponent(value), "base64").toString()));

/** Expects a redirect to the login page with this text and without a session. */
async function expectRefused(
  visitor: HttpBrowser,
  answer: TestResponse,
  words: string | RegExp,
): Promise<void> {
  expect([answer.status, answer.location?.split("?")[0]]).toEqual([303, "/login"]);
  const page = await visitor.get(answer.location ?? "");
  expect(page.text).toMatch(words);
  expect(visitor.hasCookie("session")).toBe(false);
}

/** Returns the newest code mailed to an address, once `count` mails have arrived. */
async function codeIn(email: string, count = 1): Promise<string> {
  return eventually(async () => {
    const mails = (await controls.inbox(email)).filter(({ subject }) => subject.startsWith("Your code"));
    expect(mails).toHaveLength(count);
    const code = /\d{4} \d{4}/.exec(mails[0]?.text ?? "")?.[0];
    expect(code).toBeDefined();
    return String(code);
  });
}

const otherCode = (code: string) =>
  String((Number(code.replace(" ", "")) + 1) % 100_000_000).padStart(8, "0");

interface Played {
  id: IdentityProviderId;
  /** A person whose mailbox the provider itself hosts. */
  itself: ChosenAccount;
  itsEmail: string;
  /** Path of the sandbox's token endpoint. */
  tokenPath: string;
}

const played: readonly Played[] = [
  {
    id: "outlook",
    itself: { person: "paul" },
    itsEmail: "paul.personal@outlook.example",
    tokenPath: "v2.0/token",
  },
  {
    id: "google",
    itself: { person: "gita" },
    itsEmail: "gita.menon.sandbox@gmail.com",
    tokenPath: "google-login/token",
  },
];

const elsewhere = { outlook: "google", google: "outlook" } as const satisfies Record<
  IdentityProviderId,
  IdentityProviderId
>;

describe.each(played)("$id", ({ id, itself, itsEmail, tokenPath }) => {
  const { name, scope, settings, paths: ours } = identityProviders[id];
  const begin = ours.signIn();
  const callbackPath = ours.callback();
  const proofPath = ours.proof();
  const proofCookie = `${id}-proof`;
  const signIn = (visitor: HttpBrowser, chosen: ChosenAccount, way?: SignInFlow) =>
    signInWith(id, visitor, chosen, way);
  const through = (visitor: HttpBrowser, chosen: ChosenAccount, way?: SignInFlow) =>
    throughProvider(id, visitor, chosen, way);

  async function expectProofRequested(visitor: HttpBrowser, answer: TestResponse): Promise<void> {
    expect([answer.status, answer.location]).toEqual([302, proofPath]);
    expect(visitor.hasCookie("session")).toBe(false);
  }

  const askForCodeOf = async (provider: IdentityProviderId, visitor: HttpBrowser, email: string) => {
    await visitor.post(identityProviders[provider].paths.proof(), { intent: "mail-code", email });
    return codeIn(email);
  };
  const prove = (visitor: HttpBrowser, form: Record<string, string>) => visitor.post(proofPath, form);
  const askForCode = async (visitor: HttpBrowser, email: string) => {
    const answer = await prove(visitor, { intent: "mail-code", email });
    expect([answer.status, answer.location]).toEqual([303, proofPath]);
  };

  describe("the start", () => {
    test.each([begin, `${begin.replace(/\/$/, "")}/`, begin.replace(/\/$/, "")])(
      "%s: redirects to the provider",
      async (path) => {
        const visitor = browser();
        const answer = await visitor.get(path);
        expect(answer.status).toBe(302);
        const url = new URL(answer.location ?? "");
        expect(url.origin).toBe(stack.sandboxUrl);
        expect(Object.fromEntries(url.searchParams)).toMatchObject({
          response_type: "code",
          scope,
          code_challenge_method: "S256",
          redirect_uri: `${stack.url}${callbackPath}`,
          state: expect.stringMatching(/.{20,}/),
          nonce: expect.stringMatching(/.{20,}/),
          code_challenge: expect.stringMatching(/.{43}/),
        });
        const [cookie] = answer.headers.getSetCookie().filter((line) => line.startsWith(`${id}=`));
        expect(cookie).toMatch(/Max-Age=600;.*HttpOnly; SameSite=Lax/);
      },
    );

    test("links from the login page with the visitor's destination", async () => {
      const page = await browser().get(`/login?${new URLSearchParams({ next: "/subscriptions" })}`);
      expect(page.text).toContain(`href="${begin}?next=%2Fsubscriptions"`);
    });

    test.each([
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "javascript:alert(1)",
      "/\t/evil.example",
    ])("ignores the destination %j and leads home", async (next) => {
      const visitor = browser();
      const start = `${begin}?${new URLSearchParams({ next })}`;
      const answer = await signIn(visitor, { email: freshEmail(), verified: true }, { start });
      expect([answer.status, answer.location]).toEqual([303, "/"]);
      expect((await visitor.get(start)).location).toBe("/");
    });

    test("keeps a destination inside the store", async () => {
      const start = `${begin}?${new URLSearchParams({ next: "/search?query=mail" })}`;
      const answer = await signIn(browser(), { email: freshEmail(), verified: true }, { start });
      expect(answer.location).toBe("/search?query=mail");
    });
  });

  describe("a verified email", () => {
    test("creates an account once; later sign-ins open new sessions of it", async () => {
      const email = freshEmail();
      const first = browser();
      await signIn(first, { email, name: "Nina Menon", verified: true });
      expect(await whoIs(first)).toBe(email);
      const user = await findUserByEmail(context.db, email);
      if (user === null) throw new Error("Expected an account");
      expect(user).toMatchObject({ firstName: "Nina", lastName: "Menon", hasPassword: false });
      expect(user.emailVerifiedAt).not.toBeNull();
      expect(await identitiesOf(user.id)).toMatchObject([{ proof: "email" }]);

      const second = browser();
      second.setCookie("session", "fixed-by-somebody-else");
      await signIn(second, { email, name: "Nina Menon", verified: true });
      expect(await whoIs(second)).toBe(email);
      expect(second.cookie("session")).not.toBe(first.cookie("session"));
      expect(await sessionsOf(user.id)).toBe(2);
      expect(await identitiesOf(user.id)).toHaveLength(1);
    });

    test("records the sign-in in the audit log", async () => {
      const email = freshEmail();
      await signIn(browser(), { email, verified: true });
      const user = await findUserByEmail(context.db, email);
      const lines = await context.db
        .selectFrom("audit_log")
        .select(["action", "data"])
        .where("subject", "=", `user:${user?.id}`)
        .orderBy("id")
        .execute();
      expect(lines.map(({ action }) => action)).toEqual(["user.create", "email.verify", "identity.link"]);
      expect(lines[2]?.data).toMatchObject({ proof: "email" });
    });

    test("links an account with a proven email and keeps its password", async () => {
      const { id, email } = await account({ verified: true });
      const visitor = browser();
      await signIn(visitor, { email: email.toUpperCase(), verified: true });
      expect(await whoIs(visitor)).toBe(email);
      expect(await identitiesOf(id)).toHaveLength(1);
      const { user } = await logIn(
        context.db,
        context.env.SESSION_SECRETS,
        { email, password },
        visitor.address,
      );
      expect(user.userId).toBe(id);
    });

    test("removes a stranger's access to an account created with this email", async () => {
      const { id, email } = await account();
      const secret = context.env.SESSION_SECRETS;
      const strangers = await createSession(context.db, secret, id);
      // The stranger connected their own identity with the password they chose.
      const trap = browser();
      await expectProofRequested(trap, await signIn(trap, { email, verified: false }));
      expect((await prove(trap, { intent: "password", password })).status).toBe(303);
      expect(await identitiesOf(id)).toMatchObject([{ proof: "password" }]);

      const owner = browser();
      const answer = await signIn(owner, { email, verified: true });
      expect(await whoIs(owner)).toBe(email);
      expect((await owner.get(answer.location ?? "")).text).toContain("so we removed it");
      expect(await readSession(context.db, secret, strangers.token)).toBeNull();
      expect(await whoIs(trap)).toBeNull();
      const { first_name, phone } = await context.db
        .selectFrom("users")
        .select(["first_name", "phone"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      expect({ first_name, phone }).toEqual({ first_name: email, phone: "" });
      await expect(logIn(context.db, secret, { email, password }, "10.99.0.1")).rejects.toThrow(
        "Login failed",
      );
      expect(await identitiesOf(id)).toMatchObject([{ proof: "email" }]);
    });

    test("accepts a personal account without a tenant's confirmation", async () => {
      const email = itsEmail;
      const visitor = browser();
      await signIn(visitor, itself);
      expect(await whoIs(visitor)).toBe(email);
    });
  });

  describe("an unverified email", () => {
    test("opens an existing account only with its password or mailbox", async () => {
      const { id, email } = await account({ verified: true });
      const visitor = browser();
      await expectProofRequested(visitor, await signIn(visitor, { email }));
      const page = await visitor.get(proofPath);
      expect(page.text).toContain("Is this your account?");
      expect((await visitor.get("/subscriptions")).location).toMatch(/^\/login/);
      const wrong = await prove(visitor, { intent: "password", password: "not-the-password" });
      expect(wrong.status).toBe(401);
      expect(wrong.text).toContain("Login failed. Please try again.");
      expect(await whoIs(visitor)).toBeNull();
      expect([await sessionsOf(id), await identitiesOf(id)]).toEqual([0, []]);
    });

    test("links with the account's password, redirects to the destination, asks once", async () => {
      const { id, email } = await account({ verified: true });
      const visitor = browser();
      const start = `${begin}?next=%2Fsubscriptions`;
      await signIn(visitor, { email }, { start });
      const answer = await prove(visitor, { intent: "password", password });
      expect([answer.status, answer.location]).toEqual([303, "/subscriptions"]);
      expect(await whoIs(visitor)).toBe(email);
      expect(await identitiesOf(id)).toMatchObject([{ proof: "password" }]);
      // The proof's cookie is cleared, so the same proof cannot be used again.
      expect(visitor.hasCookie(proofCookie)).toBe(false);

      const again = browser();
      expect((await signIn(again, { email })).status).toBe(303);
      expect(await whoIs(again)).toBe(email);
    });

    test("removes an identity linked by password when the password changes", async () => {
      const { id, email } = await account({ verified: true });
      const visitor = browser();
      await signIn(visitor, { email });
      await prove(visitor, { intent: "password", password });
      await context.db
        .transaction()
        .execute((trx) => setPassword(trx, id, "another-Pass-2", { byMailedToken: true }));
      expect(await identitiesOf(id)).toEqual([]);
      const again = browser();
      await expectProofRequested(again, await signIn(again, { email }));
    });

    test("limits password guesses as the login does", async () => {
      const { email } = await account({ verified: true });
      const visitor = browser();
      await signIn(visitor, { email });
      const statuses: number[] = [];
      for (let tries = 0; tries < 11; tries += 1) {
        statuses.push((await prove(visitor, { intent: "password", password: "wrong" })).status);
      }
      expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
      expect(statuses).toContain(429);
    });

    test("creates no account before the mailbox is proven", async () => {
      const email = freshEmail();
      const visitor = browser();
      await expectProofRequested(visitor, await signIn(visitor, { email, name: "Mira Das" }));
      expect((await visitor.get(proofPath)).text).toContain("Is this your email?");
      expect(await findUserByEmail(context.db, email)).toBeNull();
      await askForCode(visitor, email);
      expect((await visitor.get(proofPath)).text).toContain("Enter the code");
      expect(await findUserByEmail(context.db, email)).toBeNull();

      const answer = await prove(visitor, { intent: "code", code: await codeIn(email) });
      expect([answer.status, answer.location]).toEqual([303, "/"]);
      expect(await whoIs(visitor)).toBe(email);
      const user = await findUserByEmail(context.db, email);
      expect(user).toMatchObject({ firstName: "Mira", lastName: "Das" });
      expect(user?.emailVerifiedAt).not.toBeNull();
    });
  });

  describe("no email at all", () => {
    test("asks for an address and proves it with a mailed code", async () => {
      const email = freshEmail();
      const visitor = browser();
      await expectProofRequested(visitor, await signIn(visitor, { email: "" }));
      expect((await visitor.get(proofPath)).text).toContain("What is your email?");
      const empty = await prove(visitor, { intent: "mail-code", email: "" });
      expect([empty.status, empty.text.includes("Please enter your email")]).toEqual([400, true]);
      await askForCode(visitor, email);
      await prove(visitor, { intent: "code", code: inDevanagari(await codeIn(email)) });
      expect(await whoIs(visitor)).toBe(email);
      expect(await findUserByEmail(context.db, "ravi.nomail@orchard.onmicrosoft.example")).toBeNull();
    });
  });

  describe("a mailed code", () => {
    async function withCode(email = freshEmail()) {
      const visitor = browser();
      await signIn(visitor, { email });
      await askForCode(visitor, email);
      return { visitor, email, code: await codeIn(email) };
    }

    test("links an existing account, once", async () => {
      const { id, email } = await account({ verified: true });
      const { visitor, code } = await withCode(email);
      const key = visitor.cookie(proofCookie) ?? "";
      await prove(visitor, { intent: "code", code });
      expect(await whoIs(visitor)).toBe(email);
      expect(await identitiesOf(id)).toMatchObject([{ proof: "email" }]);

      const thief = browser();
      thief.setCookie(proofCookie, key);
      await expectRefused(thief, await prove(thief, { intent: "code", code }), `Continue with ${name} again`);
    });

    test("signs in only one of several tabs that use it at once", async () => {
      const { visitor, email, code } = await withCode();
      const key = visitor.cookie(proofCookie) ?? "";
      const tabs = Array.from({ length: 3 }, () => {
        const tab = browser();
        tab.setCookie(proofCookie, key);
        return tab;
      });
      await Promise.all(tabs.map((tab) => prove(tab, { intent: "code", code })));
      expect(tabs.filter((tab) => tab.hasCookie("session"))).toHaveLength(1);
      const user = await findUserByEmail(context.db, email);
      expect(user && (await sessionsOf(user.id))).toBe(1);
    });

    test("works only in the browser that requested it", async () => {
      const { code } = await withCode();
      const other = await withCode();
      const answer = await prove(other.visitor, { intent: "code", code });
      expect([answer.status, answer.text.includes("That code is incorrect or has expired")]).toEqual([
        400,
        true,
      ]);
    });

    test("does not appear in the database", async () => {
      const { code } = await withCode();
      const digits = code.replace(" ", "");
      const { rows } = await sql<{ text: string }>`
      select to_jsonb(m)::text as text from mails m
      union all select to_jsonb(p)::text from identity_proofs p`.execute(context.db);
      const stored = [...rows.map(({ text }) => text), ...(await storedJobs(context.db))];
      expect(stored.length).toBeGreaterThan(1);
      expect(stored.filter((text) => text.includes(digits) || text.includes(code))).toEqual([]);
    });

    test("expires after its lifetime", async () => {
      const { visitor, email, code } = await withCode();
      await context.db
        .updateTable("identity_proofs")
        .set({ code_expires_at: new Date(Date.now() - 1_000) })
        .where("email", "=", email)
        .execute();
      const answer = await prove(visitor, { intent: "code", code });
      expect([answer.status, answer.text.includes("That code is incorrect or has expired")]).toEqual([
        400,
        true,
      ]);
      expect(await findUserByEmail(context.db, email)).toBeNull();
    });

    test("expires when a newer code is sent, also to another address", async () => {
      const { visitor, email, code } = await withCode();
      await askForCode(visitor, email);
      const newer = await codeIn(email, 2);
      expect((await prove(visitor, { intent: "code", code })).status).toBe(400);
      // A code proves the mailbox it was sent to, not another one.
      await askForCode(visitor, "somebody.else@example.com");
      expect((await prove(visitor, { intent: "code", code: newer })).status).toBe(400);
      expect(visitor.hasCookie("session")).toBe(false);
    });

    test("locks after a few wrong guesses, even for the correct code", async () => {
      const { visitor, code } = await withCode();
      const guess = () => prove(visitor, { intent: "code", code: otherCode(code) });
      let answer = await guess();
      for (let tries = 1; answer.status !== 429 && tries < 12; tries += 1) {
        expect(answer.status).toBe(400);
        answer = await guess();
      }
      expect(answer.status).toBe(429);
      expect(answer.text).toContain("Too many attempts");
      expect((await prove(visitor, { intent: "code", code })).status).toBe(429);
      expect(visitor.hasCookie("session")).toBe(false);
    });

    test("limits its mails per address and hour", async () => {
      const email = freshEmail();
      const statuses: number[] = [];
      for (let tries = 0; tries < 11; tries += 1) {
        const visitor = browser();
        await signIn(visitor, { email });
        statuses.push((await prove(visitor, { intent: "mail-code", email })).status);
      }
      expect(statuses.slice(0, 5)).toEqual([303, 303, 303, 303, 303]);
      expect(statuses).toContain(429);
    });

    test("refuses requests from other sites", async () => {
      const { visitor, email } = await withCode();
      const foreign = await visitor.post(
        proofPath,
        { intent: "mail-code", email },
        { "Sec-Fetch-Site": "cross-site" },
      );
      expect(foreign.status).toBe(403);
    });
  });

  describe("an identity", () => {
    let made = 0;
    const person = (fields: Partial<IdentityPerson>): IdentityPerson => {
      made += 1;
      return {
        provider: id,
        issuer: "https://issuer.example/v2.0",
        subject: `${id}-subject-${made}`,
        email: freshEmail(),
        emailIsVerified: true,
        firstName: "Asha",
        lastName: "Rao",
        ...fields,
      };
    };
    const enter = async (given: IdentityPerson) => {
      const outcome = await continueWithIdentity(context, { ...given, language: "en" }, "/");
      if (outcome.outcome !== "signed-in") throw new Error(outcome.outcome);
      if (outcome.signIn.outcome !== "signed-in") throw new Error(outcome.signIn.outcome);
      const { token } = outcome.signIn.session;
      return (await readSession(context.db, context.env.SESSION_SECRETS, token))?.userId;
    };

    test("signs in by issuer and subject, regardless of its current email", async () => {
      const first = person({});
      const userId = await enter(first);
      const other = await account({ verified: true });
      for (const email of [null, freshEmail(), other.email]) {
        expect(await enter({ ...first, email, emailIsVerified: false })).toBe(userId);
        expect(await enter({ ...first, email, emailIsVerified: email !== null })).toBe(userId);
      }
      expect(await identitiesOf(other.id)).toEqual([]);
    });

    test("treats the same subject of another issuer as a different identity", async () => {
      const first = person({});
      const userId = await enter(first);
      expect(await enter({ ...first, issuer: "https://other.example/v2.0", email: freshEmail() })).not.toBe(
        userId,
      );
      const unproven = {
        ...first,
        issuer: "https://third.example/v2.0",
        emailIsVerified: false,
        language: "en",
      } as const;
      expect(await continueWithIdentity(context, unproven, "/")).toMatchObject({ outcome: "proof-needed" });
    });

    test("creates one account for two simultaneous sign-ins", async () => {
      const twice = person({});
      const [one, other] = await Promise.allSettled([enter(twice), enter(twice)]);
      const users = await context.db
        .selectFrom("users")
        .select("id")
        .where("email", "=", twice.email ?? "")
        .execute();
      expect(users).toHaveLength(1);
      expect([one, other].map((result) => result?.status)).toEqual(["fulfilled", "fulfilled"]);
    });
  });

  describe("a disabled account", () => {
    const shut = (id: UserId) => disable(context.db, id);

    test("shows a known identity that the account is closed", async () => {
      const email = freshEmail();
      await signIn(browser(), { email, verified: true });
      const user = await findUserByEmail(context.db, email);
      if (user === null) throw new Error("Expected an account");
      await shut(user.id);
      const visitor = browser();
      const answer = await signIn(visitor, { email, verified: true });
      await expectRefused(visitor, answer, "This account has been closed. Email");
    });

    test("shows the mailbox's owner that the account is closed, and links no identity", async () => {
      const { id, email } = await account({ verified: true });
      await shut(id);
      const verified = browser();
      await expectRefused(verified, await signIn(verified, { email, verified: true }), "has been closed");
      const coded = browser();
      await signIn(coded, { email });
      await askForCode(coded, email);
      const answer = await prove(coded, { intent: "code", code: await codeIn(email) });
      expect([answer.status, answer.text.includes("has been closed")]).toEqual([403, true]);
      expect(coded.hasCookie("session")).toBe(false);
      expect(await identitiesOf(id)).toEqual([]);
    });

    test("refuses its password as the login does", async () => {
      const { id, email } = await account({ verified: true });
      const visitor = browser();
      await signIn(visitor, { email });
      await shut(id);
      expect((await prove(visitor, { intent: "password", password })).status).toBe(401);
    });
  });

  describe("a tampered or repeated provider response", () => {
    const failed = `We couldn&#x27;t sign you in with ${name}. Try again, or sign in another way.`;
    const come = (visitor: HttpBrowser, callback: URL) =>
      visitor.get(`${callback.pathname}${callback.search}`);

    test.each<[string, (callback: URL) => void]>([
      ["another state", (url) => url.searchParams.set("state", "somebody-elses-state-of-some-length")],
      ["no state", (url) => url.searchParams.delete("state")],
      ["another issuer", (url) => url.searchParams.set("iss", "https://issuer.example/v2.0")],
      ["another code", (url) => url.searchParams.set("code", "made-up-code")],
      ["an error of the provider", (url) => url.searchParams.set("error", "server_error")],
    ])("%s: redirects to the login and writes nothing", async (_what, tamper) => {
      const visitor = browser();
      const callback = await through(visitor, { email: freshEmail(), verified: true });
      tamper(callback);
      const before = await everything();
      await expectRefused(visitor, await come(visitor, callback), failed);
      expect(await everything()).toBe(before);
    });

    test("refuses another nonce", async () => {
      const visitor = browser();
      const email = freshEmail();
      const tamper = (url: URL) => url.searchParams.set("nonce", "a-nonce-of-somebody-else-entirely");
      await expectRefused(visitor, await signIn(visitor, { email, verified: true }, { tamper }), failed);
      expect(await findUserByEmail(context.db, email)).toBeNull();
    });

    test("refuses another browser's code, whose verifier differs", async () => {
      const victim = browser();
      const attacker = browser();
      const own = await through(victim, { email: freshEmail(), verified: true });
      const foreign = await through(attacker, { email: freshEmail(), verified: true });
      own.searchParams.set("code", foreign.searchParams.get("code") ?? "");
      await expectRefused(victim, await come(victim, own), failed);
      // The attacker's complete response in the victim's browser.
      const second = browser();
      await through(second, { email: freshEmail(), verified: true });
      await expectRefused(second, await come(second, foreign), failed);
    });

    test("refuses a used response, in this browser or with its cookies in another", async () => {
      const visitor = browser();
      const callback = await through(visitor, { email: freshEmail(), verified: true });
      const flow = visitor.cookie(id) ?? "";
      await come(visitor, callback);
      expect(visitor.hasCookie("session")).toBe(true);
      const after = browser();
      await expectRefused(after, await come(after, callback), "Sign-in timed out");
      const thief = browser();
      thief.setCookie(id, flow);
      await expectRefused(thief, await come(thief, callback), failed);
    });

    test("refuses a response after the time limit, regardless of the stored cookie", async () => {
      const visitor = browser();
      const callback = await through(visitor, { email: freshEmail(), verified: true });
      const cookie = createCookie(id, { secrets: [...context.env.SESSION_SECRETS] });
      const keep = async (until: number) => {
        const kept = z.looseObject({}).parse(await cookie.parse(`${id}=${visitor.cookie(id)}`));
        const [, value = ""] =
          new RegExp(`^${id}=([^;]*)`).exec(await cookie.serialize({ ...kept, until })) ?? [];
        visitor.setCookie(id, value);
      };
      await keep(Date.now() - 1);
      const late = visitor.cookie(id) ?? "";
      await expectRefused(visitor, await come(visitor, callback), "Sign-in timed out");
      // Rewritten the same way but still valid: the refusal above was for the time, not for the rewriting.
      visitor.setCookie(id, late);
      await keep(Date.now() + 60_000);
      await come(visitor, callback);
      expect(visitor.hasCookie("session")).toBe(true);
    });

    test("refuses an altered cookie", async () => {
      const visitor = browser();
      const callback = await through(visitor, { email: freshEmail(), verified: true });
      visitor.setCookie(id, (visitor.cookie(id) ?? "").replace(/^.{8}/, "AAAAAAAA"));
      await expectRefused(visitor, await come(visitor, callback), "Sign-in timed out");
    });

    test("returns to the login after Cancel and keeps the destination", async () => {
      const visitor = browser();
      const answer = await signIn(visitor, itself, { cancel: true, start: `${begin}?next=%2Fsubscriptions` });
      expect(answer.location).toBe("/login?next=%2Fsubscriptions");
      await expectRefused(visitor, answer, `Sign-in with ${name} was cancelled`);
    });
  });

  describe("when the provider does not answer", () => {
    const down = `${name} isn&#x27;t responding. Try again in a minute, or sign in another way.`;

    test.each(["500", "reset", "429"] as const)(
      "shows a notice at the login when the callback fails (%s)",
      async (kind) => {
        const visitor = browser();
        const callback = await through(visitor, { email: freshEmail(), verified: true });
        await controls.faults({ match: { path: tokenPath }, kind });
        await expectRefused(visitor, await visitor.get(`${callback.pathname}${callback.search}`), down);
      },
    );

    test("shows a notice at the start, and signs in once the provider responds again", async () => {
      // A process caches the provider's configuration, so a fresh one has to fetch it.
      await stack.killWeb();
      await stack.startWeb();
      await controls.faults({ match: { path: "openid-configuration" }, kind: "500" });
      const visitor = browser();
      await expectRefused(visitor, await visitor.get(begin), down);
      await controls.faults();
      await signIn(visitor, { email: freshEmail(), verified: true });
      expect(visitor.hasCookie("session")).toBe(true);
    });
  });

  describe("the other provider", () => {
    const other = elsewhere[id];
    const there = identityProviders[other];

    test("needs a proof before it links to the account with the same unverified email", async () => {
      const email = freshEmail();
      await signIn(browser(), { email, verified: true });
      const user = await findUserByEmail(context.db, email);
      if (user === null) throw new Error("Expected an account");
      const visitor = browser();
      const answer = await signInWith(other, visitor, { email });
      expect([answer.status, answer.location]).toEqual([302, there.paths.proof()]);
      expect(await whoIs(visitor)).toBeNull();
      expect(await identitiesOf(user.id)).toMatchObject([{ provider: id }]);

      const code = await askForCodeOf(other, visitor, email);
      expect((await visitor.post(there.paths.proof(), { intent: "code", code })).status).toBe(303);
      expect(await whoIs(visitor)).toBe(email);
      expect((await identitiesOf(user.id)).map(({ provider }) => provider).sort()).toEqual([
        "google",
        "outlook",
      ]);
    });

    test("keeps its state separate: its response is refused here", async () => {
      const visitor = browser();
      const answer = await throughProvider(other, visitor, { email: freshEmail(), verified: true });
      const before = await everything();
      await expectRefused(visitor, await visitor.get(`${callbackPath}${answer.search}`), "Sign-in timed out");
      expect(await everything()).toBe(before);
      // Two flows at once, each answered with the other's response.
      const both = browser();
      const ownAnswer = await through(both, { email: freshEmail(), verified: true });
      const theirs = await throughProvider(other, both, { email: freshEmail(), verified: true });
      await expectRefused(
        both,
        await both.get(`${callbackPath}${theirs.search}`),
        `sign you in with ${name}`,
      );
      await expectRefused(
        both,
        await both.get(`${there.paths.callback()}${ownAnswer.search}`),
        `sign you in with ${there.name}`,
      );
    });

    test("keeps its proof separate: this provider's proof opens nothing there", async () => {
      const { email } = await account({ verified: true });
      const visitor = browser();
      await signIn(visitor, { email });
      visitor.setCookie(`${other}-proof`, visitor.cookie(proofCookie) ?? "");
      const answer = await visitor.post(there.paths.proof(), { intent: "password", password });
      await expectRefused(visitor, answer, `Continue with ${there.name} again`);
    });
  });

  test("names the provider in the mails about the code and the link", async () => {
    const { email } = await account({ verified: true });
    const visitor = browser();
    await signIn(visitor, { email });
    await askForCode(visitor, email);
    await prove(visitor, { intent: "code", code: await codeIn(email) });
    await eventually(async () => {
      const subjects = (await controls.inbox(email)).map(({ subject }) => subject);
      expect(subjects).toContain(`Your code to sign in with ${name}`);
      expect(subjects).toContainEqual(expect.stringContaining(`${name} sign-in was added to your`));
    });
  });

  test("writes no code, state, verifier or token to the logs", async () => {
    const email = freshEmail();
    const visitor = browser();
    const callback = await through(visitor, { email });
    const flow = cookieText((visitor.cookie(id) ?? "").split(/\.|%2E/)[0] ?? "");
    await visitor.get(`${callback.pathname}${callback.search}`);
    await visitor.get(`${callback.pathname}${callback.search}`);
    const key = visitor.cookie(proofCookie) ?? "";
    await askForCode(visitor, email);
    const code = await codeIn(email);
    await prove(visitor, { intent: "code", code });
    const secrets = [
      callback.searchParams.get("code"),
      callback.searchParams.get("state"),
      key,
      code,
      code.replace(" ", ""),
      visitor.cookie("session"),
      stack.env[settings.clientSecret],
    ].map(String);
    expect(secrets.every((secret) => secret.length >= 8)).toBe(true);
    expect(flow).not.toBe("");
    const logs = [...stack.logs("web"), ...stack.logs("worker")].join("\n");
    expect(logs).toContain(callbackPath);
    expect(secrets.filter((secret) => logs.includes(secret))).toEqual([]);
  });
});

describe("Google only", () => {
  test("requires a proof for an email verified once whose mailbox is elsewhere", async () => {
    const { id, email } = await account({ verified: true });
    const visitor = browser();
    const answer = await signInWith("google", visitor, { email, verified: "once" });
    expect([answer.status, answer.location]).toEqual([302, "/sign-in/google/proof"]);
    expect(await whoIs(visitor)).toBeNull();
    expect(await identitiesOf(id)).toEqual([]);
  });

  test("trusts an address of a Workspace domain", async () => {
    const visitor = browser();
    await signInWith("google", visitor, { person: "wasim" });
    expect(await whoIs(visitor)).toBe("wasim@orchard.example");
  });

  test("refuses an expired code and writes nothing", async () => {
    const visitor = browser();
    const before = await everything();
    const answer = await signInWith("google", visitor, { person: "lata" });
    await expectRefused(visitor, answer, "We couldn&#x27;t sign you in with Google");
    expect(await everything()).toBe(before);
  });

  test.each([
    "/sign-in/outlook",
    "/sign-in/nobody",
    "/sign-in/nobody/callback",
    "/sign-in/constructor/proof",
  ])("returns 404 for %s", async (address) => {
    expect((await browser().get(address)).status).toBe(404);
  });
});
