/** Terms of everything that people read: no English message uses a retired term. */
import { expect, test } from "vitest";
import { messagesByKey } from "#server/foundation/languages/language.ts";

/** Each retired term, with its replacement. */
const retired: readonly [RegExp, string][] = [
  [/\blicences?\b/i, "license"],
  [/\blog(?:ged|ging)? ?(?:in|out)\b/i, "sign in, sign out"],
  [/\b(?:mails?|mailed)\b/i, "email"],
  [/\bcarr(?:y|ies|ied) out\b/i, "complete, process"],
  [/\bby itself\b/i, "automatically"],
  [/\bg(?:ive|iven|ave|iving|ives) back\b/i, "remove, refund"],
  [/\b(?:comes|goes|came|went) back\b/i, "refund"],
  [/\ba person a month\b|\bfor each person\b/i, "per user/month, per user"],
  [/\b(?:somebody|whoever|anew)\b/i, "someone, the person who, again"],
  [/\bholds? until\b/i, "is valid until"],
  [/\bput right\b|\bmend(?:s|ed)?\b/i, "fix, correct"],
  [/\btakes? the place of\b/i, "replaces"],
  [/\bke(?:ep|pt) back\b|\bwithh(?:o|e)ld/i, "deduct"],
  [/\bshop\b/i, "store"],
  [/\bthe desk\b/i, "in Desk"],
  [/\bput away\b/i, "mark as resolved"],
  [/\bneeds a person\b/i, "needs attention"],
  [/\b(?:begun|began)\b/i, "started"],
];

/** Texts of the specification. */
const quoted: ReadonlySet<string> = new Set([
  "access.accountExists",
  "access.backToLogIn",
  "access.loginFailed",
  "access.userCreated",
  "createAccount.loginFailed",
  "createAccount.existsTitle",
  "createAccount.login",
  "legal.reduceWithin72Hours",
  "shell.logIn",
  "shell.logOut",
  "site.login",
]);

/** @returns the visible text of a message, without names of arguments or tags */
const readable = (message: string) => message.replaceAll(/<\/?\w+>|\{\w+(?=[,}])/g, "");

const wordsIn = (message: string) =>
  retired.filter(([word]) => word.test(readable(message))).map(([, instead]) => `use "${instead}"`);

test.each([
  ["Your licence ends. <login>Sign in</login>", ['use "license"']],
  ["Somebody mailed {licences} of them.", ['use "email"', 'use "someone, the person who, again"']],
  ["{count, plural, one {It goes back} other {They stay}}", ['use "refund"']],
  ["Come back here to sign in.", []],
])("finds the retired terms in %j", (message, found) => {
  expect(wordsIn(message)).toEqual(found);
});

test("uses no retired term in a message", () => {
  const messages = Object.entries(messagesByKey.en).filter(([key]) => !quoted.has(key));
  expect(messages.length).toBeGreaterThan(2_000);
  expect(messages.flatMap(([key, message = ""]) => wordsIn(message).map((say) => `${key}: ${say}`))).toEqual(
    [],
  );
});
