/**
 * A browser left signed in to an account without a password, created while ordering or by an identity provider. An attacker at
 * the browser wants a permanent way to sign in, and must prove the account's mailbox first.
 */
import { describe, expect, test } from "vitest";
import type { UserId } from "#db/ids.ts";
import { mailedCodeWrong } from "#server/accounts/mailed-code.ts";
import { mintCode } from "#server/accounts/one-time-tokens.ts";
import {
  hasSecondFactor,
  readAuthenticatorSetup,
  startAuthenticatorSetup,
} from "#server/accounts/second-factor.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { english } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { identityProviderIds, identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { Authenticator } from "#tests/support/authenticator.ts";
import { codeAt } from "#tests/support/desk.ts";
import { HttpBrowser, mainContentOf, type TestResponse } from "#tests/support/http-browser.ts";
import { signInWith } from "#tests/support/identity-providers.ts";
import { freshEmail, toReview } from "#tests/support/journey.ts";
import { makePerson, proveMailboxOf, signedIn } from "#tests/support/orders.ts";
import { buyerPassword, makeBuyer } from "#tests/support/second-factor.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
const { db } = context;
const visitor = () => new HttpBrowser(stack.url);

interface Open {
  userId: UserId;
  email: string;
  browser: HttpBrowser;
}

async function userOf(email: string): Promise<UserId> {
  const user = await findUserByEmail(db, email);
  if (user === null) throw new Error(`Expected an account of ${email}`);
  return user.id;
}

/** Accounts without a password, each with a signed-in browser. */
const accounts: [string, () => Promise<Open>][] = [
  [
    "made while ordering",
    async () => {
      const browser = visitor();
      const { email } = await toReview(browser, { email: freshEmail() });
      const userId = await userOf(email);
      await proveMailboxOf(db, userId);
      return { userId, email, browser: await signedIn(context, stack.url, { userId, email }) };
    },
  ],
  ...identityProviderIds.map((id): (typeof accounts)[number] => [
    `made by ${identityProviders[id].name}`,
    async () => {
      const [browser, email] = [visitor(), freshEmail()];
      await signInWith(id, browser, { email, verified: true });
      return { userId: await userOf(email), email, browser };
    },
  ]),
];

const purpose = "account-code" as const;
const codeFor = (userId: UserId, ttlSeconds = 60) => mintCode(db, { purpose, userId, ttlSeconds });

async function addPasskey(browser: HttpBrowser, currentPassword: string): Promise<TestResponse> {
  const { text } = await browser.post(paths.passkeyOptions(), { for: "make" });
  const response = new Authenticator(stack.url).make(JSON.parse(text));
  return browser.post(paths.passkeys(), { intent: "add", name: "Phone", response, currentPassword });
}

async function addApp({ userId, email, browser }: Open, currentPassword: string): Promise<TestResponse> {
  await startAuthenticatorSetup(context, { userId, email }, { code: "", currentPassword: "" });
  const { secret = "" } = (await readAuthenticatorSetup(context, { userId, email })) ?? {};
  return browser.post(paths.secondFactor(), { intent: "confirm", code: codeAt(secret), currentPassword });
}

async function addIdentity({ browser }: Open, currentPassword: string): Promise<TestResponse> {
  const start = identityProviders.google.paths.signIn(undefined, "yes");
  await signInWith("google", browser, { email: freshEmail() }, { start });
  return browser.post(paths.signIns(), { intent: "connect", currentPassword });
}

const changes: [string, (open: Open, code: string) => Promise<TestResponse>][] = [
  ["a passkey", ({ browser }, code) => addPasskey(browser, code)],
  ["an authenticator app", addApp],
  ["an identity", addIdentity],
];

const identitiesOf = async (userId: UserId) =>
  (await db.selectFrom("identities").select("subject").where("user_id", "=", userId).execute()).length;

describe.each(accounts)("an account %s", (_made, open) => {
  test.each(changes)("adds %s only with a mailed code", async (_what, change) => {
    const account = await open();
    const before = await identitiesOf(account.userId);
    const stranger = await makePerson(db);
    const wrong = [
      "",
      "abcd-efgh-jkmn-pqrs",
      await codeFor(stranger.userId),
      await codeFor(account.userId, -1),
    ];
    for (const code of wrong) {
      const answer = await change(account, code);
      expect([answer.status, answer.text.includes(english(mailedCodeWrong))], code).toEqual([400, true]);
    }
    expect(await hasSecondFactor(db, account.userId)).toBe(false);
    expect(await identitiesOf(account.userId)).toBe(before);
    const code = await codeFor(account.userId);
    expect((await change(account, ` ${code.toUpperCase().replaceAll("-", " ")} `)).status).toBeLessThan(400);
    const added =
      (await hasSecondFactor(db, account.userId)) || (await identitiesOf(account.userId)) > before;
    expect(added).toBe(true);
  });
});

describe("a mailed code", () => {
  test("goes to the account's own mailbox, and its pages offer it", async () => {
    const person = await makePerson(db);
    const browser = await signedIn(context, stack.url, person);
    for (const page of [paths.passkeys(), paths.secondFactor(), paths.signIns()])
      expect(mainContentOf((await browser.get(page)).text)).toContain("Email me a code");
    const response = await browser.post(paths.mailedCode(paths.passkeys()), {});
    expect([response.status, response.location]).toEqual([303, paths.passkeys()]);
    const find = async () =>
      (await controls.inbox(person.email)).find(({ subject }) =>
        subject.startsWith("Your code to change your"),
      );
    await until("the code's mail", async () => (await find()) !== undefined);
    const code = /Your code is ([a-z0-9-]{19})/.exec((await find())?.text ?? "")?.[1] ?? "";
    expect((await addPasskey(browser, code)).status).toBe(200);
  });

  test("works once", async () => {
    const person = await makePerson(db);
    const browser = await signedIn(context, stack.url, person);
    const code = await codeFor(person.userId);
    const start = identityProviders.google.paths.signIn(undefined, "yes");
    const tabs = [];
    for (const tab of [browser.fromElsewhere(), browser.fromElsewhere()]) {
      await signInWith("google", tab, { email: freshEmail() }, { start });
      tabs.push(tab);
    }
    const answers = await Promise.all(
      tabs.map((tab) => tab.post(paths.signIns(), { intent: "connect", currentPassword: code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
    expect(await identitiesOf(person.userId)).toBe(1);
  });

  test("stops working after five wrong codes", async () => {
    const person = await makePerson(db);
    const browser = await signedIn(context, stack.url, person);
    for (let guess = 0; guess < 5; guess += 1)
      expect((await addPasskey(browser, `wrong-${guess}`)).status).toBe(400);
    expect((await addPasskey(browser, await codeFor(person.userId))).status).toBe(429);
  });

  test("stays valid when the app's code was wrong", async () => {
    const person = await makePerson(db);
    const browser = await signedIn(context, stack.url, person);
    const account = { ...person, browser };
    const code = await codeFor(person.userId);
    await startAuthenticatorSetup(context, person, { code: "", currentPassword: "" });
    const form = { intent: "confirm", code: "000000", currentPassword: code };
    expect((await browser.post(paths.secondFactor(), form)).status).toBe(400);
    expect((await addApp(account, code)).status).toBe(200);
  });

  test("needs the app's code in addition before anything is removed", async () => {
    const person = await makePerson(db);
    const browser = await signedIn(context, stack.url, person);
    await addApp({ ...person, browser }, await codeFor(person.userId));
    for (const intent of ["off", "new-codes"]) {
      const answer = await browser.post(paths.secondFactor(), { intent, code: "123456" });
      expect(answer.text).toContain(english(mailedCodeWrong));
    }
    expect(await hasSecondFactor(db, person.userId)).toBe(true);
  });

  test("does not replace the password of an account that has one", async () => {
    const buyer = await makeBuyer(context);
    const browser = await signedIn(context, stack.url, buyer);
    expect(mainContentOf((await browser.get(paths.passkeys())).text)).not.toContain("Email me a code");
    expect((await addPasskey(browser, await codeFor(buyer.userId))).status).toBe(400);
    expect((await addPasskey(browser, buyerPassword)).status).toBe(200);
  });

  test("limits its mails to five per hour", async () => {
    const browser = await signedIn(context, stack.url, await makePerson(db));
    const answers: TestResponse[] = [];
    for (let n = 0; n < 6; n += 1) answers.push(await browser.post(paths.mailedCode(), {}));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303, 429]);
  });

  test("redirects only to pages of the store", async () => {
    const browser = await signedIn(context, stack.url, await makePerson(db));
    for (const next of ["//evil.example", "https://evil.example", "/\\evil.example"])
      expect((await browser.post(paths.mailedCode(next), {})).location).toBe(paths.account());
  });
});
