/** Passwords that attackers try first: a common one, the store's name or the account's email. */
import { describe, expect, test } from "vitest";
import type { UserId } from "#db/ids.ts";
import {
  newPasswordNamesEmail,
  newPasswordNamesStore,
  newPasswordTooCommon,
} from "#server/accounts/new-password.ts";
import { mintInviteToken, mintToken } from "#server/accounts/one-time-tokens.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { addStaff } from "#server/desk/staff-accounts.ts";
import { brand } from "#server/foundation/brand.ts";
import { english, type MessageDescriptor } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { codeAt } from "#tests/support/desk.ts";
import { HttpBrowser, mainContentOf, type TestResponse } from "#tests/support/http-browser.ts";
import { freshEmail } from "#tests/support/journey.ts";
import { makeCompany, makePerson, signedIn } from "#tests/support/orders.ts";
import { buyerPassword, makeBuyer } from "#tests/support/second-factor.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;
const visitor = () => new HttpBrowser(stack.url);
const encode = (text: string) => Buffer.from(text, "utf8").toString("base64");

/** Passwords of at least 12 characters, as the Desk requires, each with its error. */
const guesses = [
  ["a common one", () => "123qweasdzxc", newPasswordTooCommon],
  ["a common one in capitals", () => "LeaveMeAlone", newPasswordTooCommon],
  ["the store's name", () => brand.name, newPasswordNamesStore],
  ["a variant of it", () => "HUBS-of-H@ppiness-2026!", newPasswordNamesStore],
  ["the email", (email: string) => email.toUpperCase(), newPasswordNamesEmail],
  ["its mailbox", (email: string) => email.replace(/@.*/, ""), newPasswordNamesEmail],
] as const;

function expectRefused(answer: TestResponse, message: MessageDescriptor): void {
  expect(answer.status, answer.text).toBe(400);
  expect(answer.text.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'")).toContain(english(message));
}

const person = { firstName: "Asha", lastName: "Rao", phoneNumber: "9876543210" };

const resetLink = (userId: UserId, purpose: "reset-password" | "set-password") =>
  db.transaction().execute((trx) => mintToken(trx, { purpose, userId, ttlSeconds: 60 }));

/** Every way to set a password: posts one for a new account's email and returns the response. */
const ways: [string, (guess: (email: string) => string) => Promise<TestResponse>][] = [
  [
    "sign-up",
    async (guess) => {
      const email = freshEmail();
      const answer = await visitor().post(paths.signup(), { ...person, email, password: guess(email) });
      expect(await findUserByEmail(db, email)).toBeNull();
      return answer;
    },
  ],
  [
    "the sign-up call",
    (guess) => {
      const email = freshEmail();
      return visitor().ask("/api/signup", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          firstname: "Asha",
          lastname: "Rao",
          phonenumber: "9876543210",
          encodedEmail: encode(email),
          encodedPassword: encode(guess(email)),
        }),
      });
    },
  ],
  ...(["reset-password", "set-password"] as const).map((purpose): (typeof ways)[number] => [
    `the ${purpose} link`,
    async (guess) => {
      const { userId, email } = await makeBuyer(context);
      const token = await resetLink(userId, purpose);
      const path = purpose === "set-password" ? paths.setPassword(token) : paths.resetPassword(token);
      const password = guess(email);
      const answer = await visitor().post(path, { password, confirmPassword: password });
      // The link still works for a better password.
      const better = { password: "a-better-Pass-3", confirmPassword: "a-better-Pass-3" };
      expect((await visitor().post(path, better)).status).toBe(200);
      return answer;
    },
  ]),
  [
    "the reset call",
    async (guess) => {
      const { userId, email } = await makeBuyer(context);
      return visitor().ask(paths.resetPassword(await resetLink(userId, "reset-password")), {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({ password: guess(email) }),
      });
    },
  ],
  [
    "My Account",
    async (guess) => {
      const buyer = await makeBuyer(context);
      const browser = await signedIn(context, stack.url, buyer);
      const password = guess(buyer.email);
      const form = { currentPassword: buyerPassword, password, confirmPassword: password };
      return browser.post(paths.changePassword(), form);
    },
  ],
  [
    "an invitation",
    async (guess) => {
      const owner = await makePerson(db);
      await makeCompany(db, owner);
      const email = freshEmail();
      const owners = await signedIn(context, stack.url, owner);
      await owners.post(paths.members(), { intent: "invite", email, role: "viewer" });
      const invite = await db
        .selectFrom("member_invites")
        .select(["id", "expires_at"])
        .where("email", "=", email)
        .executeTakeFirstOrThrow();
      const link = paths.invite(await mintInviteToken(db, invite.id, invite.expires_at));
      return visitor().post(link, { intent: "new", firstName: "A", lastName: "B", password: guess(email) });
    },
  ],
  [
    "the set-up of staff",
    async (guess) => {
      const email = freshEmail();
      const audit = { by: "test", reason: "test" };
      const { path } = await addStaff(context, { email, role: "viewer" }, audit);
      const browser = visitor();
      const page = mainContentOf((await browser.get(path)).text);
      const secret = (/Key: <code>([A-Z2-7 ]+)</.exec(page)?.[1] ?? "").replaceAll(" ", "");
      const password = guess(email);
      return browser.post(path, { password, confirmPassword: password, code: codeAt(secret) });
    },
  ],
];

describe.each(ways)("%s", (_way, set) => {
  test.each(guesses)("refuses %s", async (_name, guess, message) => {
    expectRefused(await set(guess), message);
  });
});

describe("sign-up", () => {
  test.each(["x7", "1", "हाथी"])("accepts %j, which is only short", async (password) => {
    const email = freshEmail();
    expect((await visitor().post(paths.signup(), { ...person, email, password })).status).toBe(200);
    expect((await visitor().post(paths.login(), { email, password })).status).toBe(303);
  });

  test.each(["123456", "Dragon", " qwerty ", "ｐａｓｓｗｏｒｄ", "hubs", "HUB2026!"])(
    "refuses %j, which is both short and common",
    async (password) => {
      const answer = await visitor().post(paths.signup(), { ...person, email: freshEmail(), password });
      expect(answer.status).toBe(400);
    },
  );

  test("explains the refusal in Hindi", async () => {
    const reader = new HttpBrowser(stack.url, { "Accept-Language": "hi" });
    const form = { ...person, email: freshEmail(), password: brand.name };
    expect((await reader.post(paths.signup(), form)).text).toContain("यह पासवर्ड हमारे स्टोर का नाम है");
  });
});
