/** The version of a legal text depends only on its wording. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { consentText, consentVersion } from "#server/accounts/consents.ts";

test("shares no sentence between terms and privacy notice, and excludes other pages", () => {
  const [terms, privacy] = [Object.keys(consentText("terms")), Object.keys(consentText("privacy"))];
  expect(terms).toEqual(expect.arrayContaining(["termsRefundsText", "cancelWithin7Days", "refundsRules"]));
  expect(privacy).toEqual(expect.arrayContaining(["privacyWhat", "privacyRightsText"]));
  expect(terms.filter((name) => privacy.includes(name))).toEqual([]);
  expect([...terms, ...privacy].filter((name) => /^(about|grievances|accessibility)/.test(name))).toEqual([]);
});

test("hashes the wording to twelve digits, so that another word is another version", () => {
  const hashOf = (words: object) =>
    createHash("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 12);
  for (const text of ["terms", "privacy"] as const) {
    const words = consentText(text);
    expect(consentVersion(text)).toBe(hashOf(words));
    const [first = ""] = Object.keys(words);
    expect(hashOf({ ...words, [first]: "Something else." })).not.toBe(consentVersion(text));
  }
});
