/** Contents of mails: equal in both parts, with unbroken links and escaped names. */
import { describe, expect, it } from "vitest";
import { isItemId } from "#db/catalogue/catalogue.ts";
import type { CustomerId, InviteId, ItemId, OrderId, SubscriptionId, UserId } from "#db/ids.ts";
import { newId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { AccountNotice } from "#server/accounts/account-notifications.ts";
import type { MemberInvite } from "#server/accounts/invites.ts";
import { brand } from "#server/foundation/brand.ts";
import {
  type LanguageId,
  languageIds,
  languages,
  standardLanguage,
} from "#server/foundation/languages/language.ts";
import { msg, textIn } from "#server/foundation/languages/text.ts";
import { accountNotificationMail } from "#server/mail/account-notification-mail.ts";
import { type MailContent, renderMail } from "#server/mail/layout.ts";
import type { SubscriptionEndFacts } from "#server/mail/subscription-end-mail.ts";
import { operatorTemplates } from "#server/mail/templates/operator.ts";
import { templatesIn } from "#server/mail/templates.ts";
import { orderNumber } from "#server/orders/number.ts";
import { renderTestMail, sender, toVisibleText } from "#tests/support/mail-rendering.ts";
import { creditNoteOf } from "#tests/support/priced-order.ts";

const link = "https://store.example/resume/AAAA-BBBB_CCCC?a=1&b=2";
const invoice = "https://store.example/orders/1/invoice";
const evil = `<script>alert("x")</script> & 'Sons'`;

function itemId(text: string): ItemId {
  if (!isItemId(text)) throw new Error(`Expected an item id, got ${text}`);
  return text;
}

const inr = (minor: number) => money(minor, "INR");
const order: Order = {
  id: newId<OrderId>(),
  number: 123,
  kind: "NEW",
  family: "microsoft",
  itemId: itemId("microsoft-365-business-basic"),
  country: "IN",
  stage: "stage4",
  paymentStatus: "completed",
  fulfilmentStatus: "done",
  version: 1,
  userId: newId<UserId>(),
  customerId: newId<CustomerId>(),
  tenantId: null,
  subscriptionId: null,
  parentSubscriptionId: null,
  draftKey: null,
  language: null,
  details: {},
  account: {
    companyName: evil,
    email: "buyer@example.com",
    firstName: "Asha",
    lastName: "Rao",
    phoneCode: "+91",
    phoneNumber: "9876543210",
    addressLine1: "1 Street",
    addressLine2: "Area",
    city: "Bengaluru",
    state: "Karnataka",
    pincode: "560038",
    country: "IN",
    organisationRegistrationNumber: "AABCB1234C",
    gst_code: null,
  },
  signIn: null,
  references: { purchaseOrder: null, costCentre: null, note: null },
  line: {
    itemId: itemId("microsoft-365-business-basic"),
    name: evil,
    sku: "MS-BUSINESS-BASIC",
    term: "P1Y",
    billingCycle: "annual",
    quantity: 2,
    unitPrice: inr(164_400),
    signupPrice: null,
    subtotal: inr(328_800),
  },
  taxRateBasisPoints: 1_800,
  subtotal: inr(328_800),
  tax: inr(59_184),
  rounding: inr(16),
  total: inr(388_000),
  pricedAt: new Date(),
  isQuoted: false,
  priceHeldUntil: null,
  termsAcceptedAt: new Date(),
  createdAt: new Date(),
  paidAt: new Date(),
  removedAt: null,
};

const notice: SubscriptionEndFacts = {
  subscriptionId: newId<SubscriptionId>(),
  family: "microsoft",
  name: evil,
  domain: "acme.onmicrosoft.com",
  quantity: 12,
  chosen: null,
  inUse: null,
  saving: null,
  term: "P1Y",
  country: "IN",
  // 00:30 on 29 February in India.
  end: new Date("2028-02-28T19:00:00Z"),
  extendedUntil: new Date("2028-03-31T19:00:00Z"),
  daysLeft: 7,
  opens: null,
  cost: {
    subtotal: inr(10_64_160),
    total: inr(12_55_700),
    priceTax: { country: "IN", supply: { type: "B2B", letter: null }, rateBasisPoints: 1_800 },
  },
};

const invite: MemberInvite = {
  id: newId<InviteId>(),
  customerId: newId<CustomerId>(),
  company: evil,
  email: "new@example.com",
  role: "buyer",
  invitedBy: null,
  inviter: evil,
  inviterEmail: "asha@example.com",
  expiresAt: new Date(),
};

const moved: Order = {
  ...order,
  family: "google",
  signIn: { mode: "google-transfer" },
  details: { google: { domain: notice.domain, customerType: "new_signup" } },
};
const access = { username: "asha@example.com", password: "0000" };
const allowed = new Set("!doctype html head meta title style body div table tr td h a p br wbr".split(" "));
/** Names that are equal in every language, and the name of the tests' plan. */
const names = new Set(
  "Hubs of Happiness Outlook Microsoft Google GST GSTIN DNS HUB AABCH K ZR Acme Tools PDF rfnd Chrome Windows".split(
    " ",
  ),
);

const refundOf = (reason: string) => ({
  customerFeeMinor: 0,
  amountMinor: 12_300,
  currency: "INR" as const,
  status: "pending" as const,
  reason,
  method: "card",
  providerRefundId: "rfnd_00000000000001",
  bankReference: null,
});

/** Builds every mail with a button, in a language. */
function withButton(language: LanguageId): Record<string, MailContent> {
  const templates = templatesIn(language);
  return {
    setPassword: templates.setPassword({ link }),
    resetPassword: templates.resetPassword({ link }),
    confirmEmail: templates.confirmEmail({ link }),
    resumeOrder: templates.resumeOrder({ order, link }),
    signInReminder: templates.signInReminder({ order, link }),
    signInAfterAnother: templates.signInReminder({ order, link, isPaidByAnother: true }),
    orderConfirmation: templates.orderConfirmation({ order, link, invoice: null }),
    orderAdded: templates.orderConfirmation({ order: { ...order, kind: "ADD" }, link, invoice: null }),
    orderRenewed: templates.orderConfirmation({ order: { ...order, kind: "RENEW" }, link, invoice: null }),
    orderOfNewAccount: templates.orderConfirmation({
      order,
      link,
      invoice: null,
      made: { username: evil, tasks: [msg("closure.save"), msg("closure.password")] },
    }),
    orderMoved: templates.orderConfirmation({ order: moved, link, invoice: null }),
    orderRefunded: templates.orderRefunded({ order, amount: "₹3,880", reason: evil, link }),
    refund: templates.refund({ order, refund: refundOf(evil), creditNote: null, link }),
    refundPaid: templates.refund({
      order,
      refund: { ...refundOf(evil), status: "processed", bankReference: "74332745210034512345678" },
      creditNote: link,
      link,
    }),
    creditNote: templates.creditNote({ order, note: creditNoteOf(order, { reason: evil }), link }),
    orderDelayed: templates.orderDelayed({ order, said: evil, link }),
    accessCode: templates.accessCode({ order, name: evil, link, access, invoice: null }),
    accessRenewed: templates.accessCode({
      order: { ...order, kind: "RENEW" },
      name: evil,
      link,
      access: null,
      invoice: null,
    }),
    renewalReminder: templates.renewalReminder({ notice, link }),
    monthlyReminder: templates.renewalReminder({
      notice: { ...notice, term: "P1M", family: "google", daysLeft: 1 },
      link,
    }),
    reminderAhead: templates.renewalReminder({
      notice: { ...notice, daysLeft: 60, opens: new Date("2028-01-29T19:00:00Z") },
      link,
    }),
    subscriptionEnded: templates.subscriptionEnded({ notice, link }),
    subscriptionExtended: templates.subscriptionExtended({ notice, link }),
    extendedOpenly: templates.subscriptionExtended({ notice: { ...notice, extendedUntil: null }, link }),
    termsReminder: templates.termsReminder({ notice, link }),
    askAdministrator: templates.askAdministrator({
      company: evil,
      email: null,
      domain: notice.domain,
      signsInAt: "Microsoft",
      days: 7,
      link,
    }),
    askByDns: templates.askAdministrator({
      company: "Acme Tools",
      email: "asha@example.com",
      domain: notice.domain,
      signsInAt: null,
      days: 1,
      link,
    }),
    billingContact: templates.billingContact({
      company: evil,
      email: "asha@example.com",
      what: textIn(language)("billing.both"),
      link,
    }),
    documentCopy: templates.documentCopy({
      order,
      company: evil,
      title: textIn(language)("invoice.taxTitle"),
      number: "IN/26-27/C00001",
      corrects: "IN/26-27/000001",
      references: { purchaseOrder: evil, costCentre: null, note: null },
      total: "₹100",
      attachment: { fileName: "invoice.pdf", type: "application/pdf", content: new Uint8Array() },
      link,
    }),
    administratorDone: templates.administratorDone({ order, domain: notice.domain, link }),
    ...Object.fromEntries(
      (["owner", "buyer", "viewer"] as const).map((role) => [
        `memberInvite ${role}`,
        templates.memberInvite({ invite: { ...invite, role }, link }),
      ]),
    ),
    ...accountNotices(language),
  };
}

/** Builds every kind of account notification. */
function accountNotices(language: LanguageId): Record<string, MailContent> {
  const emails = "one@example.com, two@example.com";
  const notifications: AccountNotice[] = [
    { what: "password-set", invitesWithdrawn: emails, isFirst: "yes" },
    { what: "password-set", invitesWithdrawn: "", isFirst: "no" },
    { what: "signed-in-by-link" },
    { what: "identity-linked", provider: "google" },
    { what: "identity-unlinked", provider: "outlook" },
    { what: "second-factor-on" },
    { what: "second-factor-off" },
    { what: "second-factor-removed" },
    { what: "sessions-ended" },
    { what: "new-device", browser: "Chrome", system: "Windows", network: "203.0.113.x", country: "IN" },
    { what: "new-device", browser: "", system: "", network: "", country: "" },
    { what: "passkey-added", name: evil },
    { what: "passkey-removed", name: evil },
    { what: "second-factor-required", company: evil },
    { what: "recovery-codes-renewed" },
    { what: "recovery-code-used" },
    { what: "mailbox-proven", membersRemoved: emails, invitesWithdrawn: emails, passwordRemoved: "yes" },
    ...(["owner", "buyer", "viewer"] as const).map(
      (role): AccountNotice => ({ what: "member-joined", company: evil, member: "one@example.com", role }),
    ),
  ];
  return Object.fromEntries(
    notifications.map((each, index) => [`${each.what} ${index}`, noticeIn(language, each)]),
  );
}

function noticeIn(language: LanguageId, each: AccountNotice): MailContent {
  const when = "4:05";
  return accountNotificationMail(
    { notice: each, when, resetLink: link, membersLink: link, secondFactorLink: link },
    language,
  );
}

/** Builds every mail to buyers without a link. */
function withoutButton(language: LanguageId): Record<string, MailContent> {
  const templates = templatesIn(language);
  return {
    accountLocked: noticeIn(language, { what: "account-locked" }),
    accountUnlocked: noticeIn(language, { what: "account-unlocked" }),
    accountCode: templates.accountCode({ code: "2345-6789-2345-6789", minutes: 15 }),
    identityCode: templates.identityCode({ code: "12345678", minutes: 15, provider: "Outlook" }),
    correctionNeeded: templates.correctionNeeded({ order, problem: evil }),
    ...Object.fromEntries(
      (["owner", "buyer", "viewer"] as const).map((role) => [
        `role-changed ${role}`,
        noticeIn(language, { what: "role-changed", company: "Acme", role }),
      ]),
    ),
    secondFactorOptional: noticeIn(language, { what: "second-factor-optional", company: "Acme" }),
    memberRemoved: noticeIn(language, { what: "member-removed", company: "Acme" }),
  };
}

const toBuyers = (language: LanguageId) => ({ ...withButton(language), ...withoutButton(language) });
const english = templatesIn("en");

const inBoth = languageIds.flatMap((language) =>
  Object.entries(toBuyers(language)).map(([name, content]) => ({ language, name, letter: content })),
);
const toOperator = [
  operatorTemplates.operatorAlert({ order, what: evil, link }),
  operatorTemplates.orderNotice({
    order,
    subject: "Mark as paid by transfer, says the payer",
    what: evil,
    link,
  }),
  operatorTemplates.vendorNotice({ subject: "Microsoft does not answer", paragraphs: [evil, "Wait."], link }),
].map((content) => ({ language: standardLanguage, name: "to the operator", letter: content }));
const all = [...inBoth, ...toOperator].map((each) => ({
  ...each,
  mail: renderTestMail(each.letter, each.language),
}));

const linksIn = (html: string) =>
  [...html.matchAll(/<a href="(?!tel:)([^"]*)"/g)].map(([, href = ""]) => toVisibleText(href));

describe.each(
  languageIds.flatMap((language) =>
    Object.entries(withButton(language)).map(([name, content]) => ({ language, name, letter: content })),
  ),
)("$name in $language", ({ letter: content, language }) => {
  it("contains the link unbroken in both parts, as a button and as text", () => {
    const { text, html } = renderTestMail(content, language);
    expect(text).toContain(`: ${link}\n`);
    expect(linksIn(html)).toEqual([link]);
    expect(toVisibleText(html)).toContain(`\n${link}\n`);
  });
});

describe.each(all)("$name in $language", ({ letter: content, mail, language }) => {
  it("contains only its own markup, and loads nothing from another server", () => {
    const tags = [...mail.html.matchAll(/<\/?([a-z!]+)/g)].map(([, tag]) => tag);
    expect(tags.filter((tag) => !allowed.has(tag ?? ""))).toEqual([]);
    expect(mail.html).not.toMatch(/<script|<img|<link|url\(|src=/);
    expect(mail.html).not.toMatch(/&(?!#\d+;)/);
    expect(Buffer.byteLength(mail.html)).toBeLessThan(102 * 1024);
  });

  it("says the same in both parts", () => {
    const words = toVisibleText(mail.html);
    for (const line of mail.text.split("\n").filter((each) => each !== "")) {
      const [label = "", value = ""] = line.split(/: (?=[^ ]+$|[^:]*$)/);
      expect(words.includes(line) || (words.includes(label) && words.includes(value)), line).toBe(true);
    }
    const heard = `${content.subject}\n${mail.text}\n${brand.name.slice(0, 1)}`.replaceAll(/\s+/g, " ");
    const unsaid = words
      .split("\n")
      .map((line) => line.trim().replaceAll(/\s+/g, " "))
      .filter((line) => line !== "" && !heard.includes(line));
    expect(unsaid).toEqual(content.button === undefined ? [] : [textIn(language)("mail.address")]);
  });

  it("keeps the subject to one line, and adds a preheader that says more", () => {
    expect(mail.subject).toMatch(/^[^\r\n]{5,200}$/);
    expect(content.preheader).not.toBe("");
    expect(mail.subject).not.toContain(content.preheader);
  });

  it("names a telephone number to call, unless it is for the operator", () => {
    const isAnswered = content.isToOperator !== true;
    expect(mail.html.includes('<a href="tel:+910000000102"')).toBe(isAnswered);
  });

  it("supports light and dark, in its language", () => {
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">');
    expect(mail.html).toContain("@media (prefers-color-scheme:dark)");
    expect(mail.html).toContain(`<html lang="${languages[language].locale}">`);
    expect(mail.text).toContain("Hubs Private Limited");
  });
});

describe.each(Object.entries(toBuyers("hi")))("%s in Hindi", (_name, content) => {
  it("contains no English but names", () => {
    const { subject, text } = renderMail(content, "hi", { ...sender, name: "", addressLines: [] });
    const said = [subject, content.preheader, text].join("\n").replaceAll(evil, "");
    const latin = said.replaceAll(/\S*[@/]\S*|\b[\w-]+\.[\w.-]+/g, "").match(/[A-Za-z]{2,}/g) ?? [];
    expect(latin.filter((word) => !names.has(word))).toEqual([]);
    expect(subject).toMatch(/[\u0900-\u097f]/);
  });
});

describe("the mail that asks an administrator about an order of strangers", () => {
  const mailFor = (company: string, email: string | null = null) =>
    renderTestMail(
      english.askAdministrator({
        company,
        email,
        domain: "acme.onmicrosoft.com",
        signsInAt: "Microsoft",
        days: 7,
        link,
      }),
    ).text;

  it("names the company, with the email address if it is verified", () => {
    expect(mailFor("Acme Tools", "asha@acme.example")).toContain(
      "“Acme Tools” (asha@acme.example) is ordering",
    );
    expect(mailFor("Acme Tools")).toContain("“Acme Tools” is ordering");
  });

  it("omits a company name that contains a link", () => {
    expect(mailFor("Log in at evil.example")).toMatch(/^A company is ordering/);
    expect(mailFor("Log in at evil.example")).not.toContain("evil");
  });

  it("contains neither plan nor price", () => {
    expect(mailFor("Acme Tools")).not.toMatch(/licence|₹|Business Basic/);
  });
});

describe("a mail to a person whose address a stranger typed", () => {
  const lure = "Win at evil.example";
  const named: Order = {
    ...order,
    account:
      order.account === null
        ? null
        : { ...order.account, companyName: lure, firstName: lure, lastName: lure },
    details: { ...order.details, addedTo: lure },
  };

  it.each([
    ["the reminder of a draft", renderTestMail(english.resumeOrder({ order: named, link }))],
    ["the mail that an account was made", renderTestMail(english.setPassword({ link }))],
    ["the mail that confirms an email", renderTestMail(english.confirmEmail({ link }))],
  ])("shows no typed text in %s", (_name, { subject, text, html }) => {
    for (const part of [subject, text, html]) expect(part).not.toContain("evil");
  });
});

describe("a mail", () => {
  it("names the order, the licenses and the payment in a confirmation", () => {
    const { text } = renderTestMail(english.orderConfirmation({ order, link, invoice: null }));
    expect(text).toContain(orderNumber(order));
    expect(text).toContain("2 licenses");
    expect(text).toMatch(/Paid: .*3,880/);
    expect(
      renderTestMail(
        english.orderConfirmation({
          order: { ...order, line: { ...order.line, quantity: 1 } },
          link,
          invoice: null,
        }),
      ).text,
    ).toContain(", 1 license: ₹3,288.00\nGST (18%): ₹591.84\nRounding: ₹0.16\nPaid: ₹3,880\n");
  });

  it("names a new account and lists what to do with it in a confirmation", () => {
    const made = {
      username: "owner@acme.onmicrosoft.com",
      tasks: [msg("closure.save"), msg("closure.password")],
    };
    const { text, html } = renderTestMail(english.orderConfirmation({ order, link, invoice: null, made }));
    expect(text).toContain("Username: owner@acme.onmicrosoft.com\n");
    expect(text).toContain("Next steps\n1. Save your sign-in details\n2. Set a password for this store\n");
    expect(html).toContain("1. Save your sign-in details<br>2. Set a password for this store");
  });

  it.each([
    ["confirmation", renderTestMail(english.orderConfirmation({ order, link, invoice }))],
    [
      "access to brio",
      renderTestMail(english.accessCode({ order, name: "brio", link, access: null, invoice })),
    ],
  ])("links to the invoice after the main link: %s", (_name, { text, html }) => {
    expect(text).toContain(`View your invoice: ${invoice}\n`);
    expect(text.indexOf(invoice)).toBeGreaterThan(text.indexOf(link));
    expect(linksIn(html)).toEqual([link, invoice]);
  });

  it("names the problem, the order and its buyer in an alert", () => {
    const { text, subject } = renderTestMail(
      operatorTemplates.operatorAlert({ order, what: "Paid twice.", link }),
    );
    expect(subject).toContain(orderNumber(order));
    expect(text).toContain("Paid twice.");
    expect(text).toContain("Status: Paid, fulfilled");
    expect(text).toContain(`Open order in Desk: ${link}`);
    expect(text).toContain("buyer@example.com");
    expect(text).not.toContain("Questions?");
  });

  it("assures a user who did not ask for another password that theirs stays", () => {
    const { text } = renderTestMail(english.resetPassword({ link }));
    expect(text).toContain("If this wasn't you, ignore this email: your password stays the same.");
    expect(text).toContain("Questions? Email");
  });

  it("keeps a code out of the subject, which servers log", () => {
    const { subject, text } = renderTestMail(
      english.identityCode({ code: "12345678", minutes: 15, provider: "Google" }),
    );
    expect(text).toContain("1234 5678");
    expect(text).toContain("15 minutes");
    expect(subject).not.toMatch(/\d/);
  });

  it("states plan, domain, licenses, local end and renewal price in a reminder", () => {
    const plain = { ...notice, name: "Business Standard" };
    const { subject, text } = renderTestMail(english.renewalReminder({ notice: plain, link }));
    expect(subject).toBe("Ends in 7 days: Business Standard for acme.onmicrosoft.com");
    expect(text).toContain(
      "Business Standard for acme.onmicrosoft.com, 12 licenses, ends on 29th February 2028, in 7 days.",
    );
    expect(text).toContain(
      "Renewing 12 licenses for a year costs ₹10,641.60 before GST, or ₹12,557 including GST, today.",
    );
    const american = renderTestMail(
      english.renewalReminder({
        notice: {
          ...plain,
          country: "US",
          quantity: 1,
          term: "P1M",
          daysLeft: 1,
          cost: {
            subtotal: money(1_250, "USD"),
            total: money(1_300, "USD"),
            priceTax: { country: "US", supply: null, rateBasisPoints: 0 },
          },
        },
        link,
      }),
    );
    expect(american.subject).toContain("Ends in 1 day:");
    expect(american.text).toContain("1 license, ends on 28th February 2028, in 1 day.");
    expect(american.text).toContain("Renewing 1 license for a month costs $13.00 today.");
  });

  it.each([
    ["microsoft", "You can renew for more or fewer licenses."],
    ["brio", "You can renew for more or fewer licenses."],
    [
      "google",
      "Google renews all of your 12 licenses. To have more, add licenses first. To have fewer, renew after the term ends.",
    ],
  ] as const)("states in a reminder for how many licenses the term renews: %s", (family, rule) => {
    const { text } = renderTestMail(english.renewalReminder({ notice: { ...notice, family }, link }));
    expect(text).toContain(`you lose nothing by renewing early. ${rule}\n`);
  });

  it.each([
    ["ADD", "The licenses have been added to your account. Sign in"],
    ["RENEW", "Nothing changes in your account:"],
    ["TUP", "It has been added to your account. Sign in"],
  ] as const)("names no domain in the confirmation of an order without one: %s", (kind, words) => {
    const { text } = renderTestMail(
      english.orderConfirmation({ order: { ...order, kind }, link, invoice: null }),
    );
    expect(text).toContain(words);
    expect(text).not.toContain("undefined");
  });

  it("names the date of an ended subscription, and no price when there is none", () => {
    const { subject, text } = renderTestMail(
      english.subscriptionEnded({ notice: { ...notice, cost: null }, link }),
    );
    expect(subject).toMatch(/^Your subscription has ended: /);
    expect(text).toContain("12 licenses, ended on 29th February 2028.");
    expect(text).not.toMatch(/costs|₹|null/);
  });

  it("renders without an order that was deleted since", () => {
    for (const mail of [
      renderTestMail(english.resumeOrder({ order: null, link })),
      renderTestMail(english.signInReminder({ order: null, link })),
      renderTestMail(english.orderConfirmation({ order: null, link, invoice: null })),
      renderTestMail(operatorTemplates.operatorAlert({ order: null, what: "x", link })),
    ]) {
      expect(`${mail.subject}${mail.text}`).not.toMatch(/null|undefined/);
    }
  });
});
