/** Names typed by strangers in mails to people who did not request them. */
import { describe, expect, test } from "vitest";
import { newId } from "#db/ids.ts";
import { accountNotificationMail } from "#server/mail/account-notification-mail.ts";
import { safeName } from "#server/mail/safe-name.ts";
import { templatesIn } from "#server/mail/templates.ts";
import { renderTestMail } from "#tests/support/mail-rendering.ts";

const honest = [
  "A.B. & Co.",
  "Acme Tools",
  "M/s. Rao & Sons (India) Pvt. Ltd.",
  "O’Neill, Smith-Jones + Partners",
  "3M India 2020",
  "राव एंड संस",
  "Müller GmbH",
  "24x7 Care",
];
const hostile = [
  "http://evil",
  "https://evil.example/pay",
  "evil.example/pay",
  "Pay at evil.example",
  "www.evil",
  "WWW evil com",
  "evil。example",
  "evil．example",
  "evil.भारत",
  "help@evil.example",
  "Call +91 98220 12345",
  "1800-555-0199",
  "<b>Acme</b>",
  "Acme: your account is locked",
  "Your account is locked! Act now",
  "a\u202egnp.exe",
  "Acme\u0000",
  "One two three four five six seven eight nine",
  "a".repeat(61),
  "",
];

test.each(honest)("keeps %s", (name) => {
  expect(safeName(` ${name}\n`)).toBe(name);
});

test.each(hostile)("refuses %j", (name) => {
  expect(safeName(name)).toBeNull();
});

describe.each(hostile.filter((name) => name !== ""))("a sender called %j", (name) => {
  const link = "https://store.example/invite/token";
  const mails = [
    renderTestMail(
      templatesIn("en").memberInvite({
        invite: {
          id: newId(),
          customerId: newId(),
          company: name,
          email: "new@example.com",
          role: "buyer",
          invitedBy: null,
          inviter: name,
          inviterEmail: "asha@acme.example",
          expiresAt: new Date(),
        },
        link,
      }),
    ),
    ...[
      { what: "role-changed" as const, company: name, role: "buyer" as const },
      { what: "member-removed" as const, company: name },
      { what: "member-joined" as const, company: name, member: "new@example.com", role: "buyer" as const },
    ].map((notice) =>
      renderTestMail(
        accountNotificationMail(
          { notice, when: "today", resetLink: link, membersLink: link, secondFactorLink: link },
          "en",
        ),
      ),
    ),
  ];
  test("appears in no part of a mail", () => {
    for (const mail of mails) {
      for (const part of [mail.subject, mail.text, mail.html]) expect(part).not.toContain(name);
    }
    expect(mails[0]?.text).toContain("asha@acme.example has invited you to join their company");
  });
});
