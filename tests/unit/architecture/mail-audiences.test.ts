/** Recipients of the store's mail: each kind of mail has an audience, and one module writes to an address that a user has typed. */
import { expect, test } from "vitest";
import { mailAudiences } from "#server/foundation/outbox/mail-audiences.ts";
import { filesUnder, textOf } from "#tests/support/tree.ts";

const kindsOf = (audience: string) =>
  Object.entries(mailAudiences).flatMap(([kind, its]) => (its === audience ? [kind] : []));

/** Reviewed kinds whose recipient is not read from the reader's own account. A new kind needs its place here too. */
test.each([
  ["thirdParty", ["member-invite", "billing-contact", "quote-request", "ask-administrator"]],
  ["answered", ["quote-answer", "quote-void"]],
  ["agreed", ["document-copy"]],
  ["visitor", ["outlook-code"]],
  ["operator", ["operator-alert", "order-notice", "vendor-notice"]],
  [
    "buyer",
    [
      "order-confirmation",
      "brio-access",
      "invoice-ready",
      "invoice-corrected",
      "credit-note",
      "order-refunded",
      "refund",
      "transfer-received",
      "certificate-due",
      "order-delayed",
      "correction-needed",
      "document-refused",
    ],
  ],
])("lists the kinds for the audience %s", (audience, kinds) => {
  expect(kindsOf(audience)).toEqual(kinds);
});

const sources = ["server", "app"].flatMap((folder) => filesUnder(folder, /\.tsx?$/));
const usersOf = (name: string) =>
  sources.filter((path) => new RegExp(`\\b${name}\\b`).test(textOf(path))).sort();

test("queues third-party mail in one module", () => {
  expect(usersOf("insertThirdPartyMail")).toEqual([
    "server/accounts/third-party-mail.ts",
    "server/foundation/outbox/mail.ts",
  ]);
});

test("writes rows of mails in one module", () => {
  expect(usersOf("insertMail")).toEqual(["server/foundation/outbox/mail.ts"]);
});

test("demands a permit for each kind of third-party mail", () => {
  for (const kind of kindsOf("thirdParty")) {
    const queuing = sources.filter((path) => textOf(path).includes(`kind: "${kind}"`));
    expect(queuing, kind).toHaveLength(1);
    const [path = ""] = queuing;
    expect(textOf(path), kind).toContain("permit.queue(trx, {");
  }
});
