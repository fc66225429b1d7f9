/** The subjects of all mails: short, with the most important thing first, and no company name in capitals. */
import { describe, expect, test } from "vitest";
import { languageIds, messagesByKey } from "#server/foundation/languages/language.ts";
import type { MessageKey } from "#server/foundation/languages/messages.ts";
import { translate } from "#server/foundation/languages/text.ts";
import { renderTestMail } from "#tests/support/mail-rendering.ts";

const long = {
  company: "SHREE VENKATESHWARA INDUSTRIAL FABRICATION AND GENERAL TRADING COMPANY PRIVATE LIMITED",
  name: "Microsoft 365 Business Premium with Advanced Security and Copilot",
  domain: "a-very-long-name-of-a-company-that-never-ends.onmicrosoft.com",
  email: "the.longest.address.of.an.accountant@a-very-long-domain.example",
  number: "IN/26-27/000123",
  title: "Proforma invoice",
  total: "₹12,34,567.89",
  amount: "₹12,34,567.89",
  received: "₹12,34,567.89",
  store: "Hubs",
  provider: "Microsoft",
  count: 2,
};

const isSubject = (key: string): key is MessageKey => /Subject$|^refusedDocuments\.title$/.test(key);
const cases = languageIds.flatMap((language) =>
  Object.keys(messagesByKey[language])
    .filter(isSubject)
    .map((key) => ({ language, key })),
);
const subjectOf = (subject: string) => renderTestMail({ subject, preheader: "", paragraphs: [] }).subject;

test("finds the subjects of all mails", () => {
  expect(cases.length).toBeGreaterThan(60 * languageIds.length);
});

test.each(cases)("keeps $key within 70 characters in $language, with long names", ({ language, key }) => {
  const whole = translate(language, { key, values: long });
  const subject = subjectOf(whole);
  expect([...subject].length).toBeLessThanOrEqual(70);
  expect([...subject].length).toBeGreaterThan(Math.min([...whole].length, 40) - 1);
  expect(subject).not.toMatch(/\p{Lu}{5}/u);
});

test.each(cases)("starts $key with its topic in $language, not with a long name", ({ language, key }) => {
  for (const name of ["company", "name", "domain", "email"] as const)
    expect(translate(language, { key, values: long }).startsWith(long[name]), name).toBe(false);
});

describe("a subject", () => {
  test("drops whole words", () => {
    const subject = subjectOf(`Credit note IN/26-27/000123: ${"licences ".repeat(9)}`);
    expect(subject).toMatch(/^Credit note IN\/26-27\/000123: (licences )*licences…$/);
  });

  test("keeps the beginning of a domain", () => {
    const subject = subjectOf("Ends in 5 days: Microsoft 365 Business Standard for buyers.onmicrosoft.com");
    expect(subject).toBe("Ends in 5 days: Microsoft 365 Business Standard for buyers.onmicrosof…");
  });

  test("keeps numbers, abbreviations and names that are not in capitals", () => {
    const kept = "Order HUB-26-000026: TDS of Rao LLP, CFQ7TTC0LH18:0001";
    expect(subjectOf(kept)).toBe(kept);
    expect(subjectOf("Tax invoice, ACME WIDGETS PVT LTD")).toBe("Tax invoice, ACME Widgets PVT LTD");
  });
});
