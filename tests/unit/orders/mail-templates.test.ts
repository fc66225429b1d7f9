/** What mails say: the same in both parts, the link whole, and nobody's name a piece of markup. */
import { describe, expect, it } from "vitest";
import { isItemId } from "#db/catalogue.ts";
import type { CustomerId, InviteId, ItemId, OrderId, SubscriptionId, UserId } from "#db/ids.ts";
import { newId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Order } from "#db/order.ts";
import type { Notice } from "#server/mail/subscription-notice.ts";
import { type MailText, templates } from "#server/mail/templates.ts";

const link = "https://store.example/resume/AAAA-BBBB_CCCC?a=1&b=2";
const invoice = "https://store.example/orders/1/invoice";
const evil = `<script>alert("x")</script> & 'Sons'`;

function itemId(text: string): ItemId {
  if (!isItemId(text)) throw new Error(`Not an item's id: ${text}`);
  return text;
}

const inr = (minor: number) => money(minor, "INR");
const order: Order = {
  id: newId<OrderId>(),
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
  termsAcceptedAt: new Date(),
  createdAt: new Date(),
  paidAt: new Date(),
  removedAt: null,
};

const notice: Notice = {
  subscriptionId: newId<SubscriptionId>(),
  family: "microsoft",
  name: evil,
  domain: "acme.onmicrosoft.com",
  quantity: 12,
  term: "P1Y",
  country: "IN",
  // Half past midnight of the 29th in India.
  end: new Date("2028-02-28T19:00:00Z"),
  extendedUntil: new Date("2028-03-31T19:00:00Z"),
  daysLeft: 7,
  cost: { subtotal: inr(10_64_160), tax: inr(1_91_549), total: inr(12_55_700) },
};

const withLink: Record<string, MailText> = {
  setPassword: templates.setPassword({ link }),
  resetPassword: templates.resetPassword({ link }),
  confirmEmail: templates.confirmEmail({ link }),
  resumeOrder: templates.resumeOrder({ order, link }),
  signInReminder: templates.signInReminder({ order, link }),
  orderConfirmation: templates.orderConfirmation({ order, link, invoice: null }),
  orderRefunded: templates.orderRefunded({ order, amount: "₹3,880", reason: evil, link }),
  renewalReminder: templates.renewalReminder({ notice, link }),
  subscriptionEnded: templates.subscriptionEnded({ notice, link }),
  subscriptionExtended: templates.subscriptionExtended({ notice, link }),
  askAdministrator: templates.askAdministrator({
    company: evil,
    email: null,
    domain: "acme.onmicrosoft.com",
    signsInAt: "Microsoft",
    days: 7,
    link,
  }),
  administratorDone: templates.administratorDone({ order, domain: "acme.onmicrosoft.com", link }),
  memberInvite: templates.memberInvite({
    invite: {
      id: newId<InviteId>(),
      customerId: newId<CustomerId>(),
      company: evil,
      email: "new@example.com",
      role: "buyer",
      invitedBy: null,
      inviter: evil,
      inviterEmail: "asha@example.com",
      expiresAt: new Date(),
    },
    link,
  }),
};
const all = {
  ...withLink,
  outlookCode: templates.outlookCode({ code: "12345678", minutes: 15 }),
  operatorAlert: templates.operatorAlert({ order, what: evil }),
};

/** HTML as a reader sees it: tags gone, character references read. */
function asRead(html: string): string {
  return html
    .replace(/<[^>]*>/g, "\n")
    .replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));
}

describe.each(Object.entries(withLink))("%s", (_name, mail) => {
  it("has the link in both parts, whole", () => {
    expect(mail.text).toContain(`: ${link}\n`);
    const href = /<a href="([^"]*)">/.exec(mail.html)?.[1] ?? "";
    expect(asRead(href)).toBe(link);
    expect(mail.html.match(/<a /g)).toHaveLength(1);
  });
});

describe.each(Object.entries(all))("%s", (_name, mail) => {
  it("has no markup but its own", () => {
    const tags = [...mail.html.matchAll(/<\/?([a-z!]+)/g)].map(([, tag]) => tag);
    expect(new Set(tags)).toEqual(
      new Set(["!doctype", "html", "body", "p", ...(mail.html.includes("<a ") ? ["a", "strong"] : [])]),
    );
    expect(mail.html).not.toContain("<script");
    expect(mail.html).not.toMatch(/&(?!#\d+;)/);
  });

  it("says the same in both parts", () => {
    const words = asRead(mail.html);
    for (const line of mail.text.split("\n").filter((text) => text !== "" && !text.includes(link))) {
      expect(words).toContain(line);
    }
  });

  it("has a subject of one line", () => {
    expect(mail.subject).toMatch(/^[^\r\n]{5,200}$/);
  });
});

describe("an administrator who is asked about an order of strangers", () => {
  const asked = (company: string, email: string | null = null) =>
    templates.askAdministrator({
      company,
      email,
      domain: "acme.onmicrosoft.com",
      signsInAt: "Microsoft",
      days: 7,
      link,
    }).text;

  it("hears who asks, with an address that is proven", () => {
    expect(asked("Acme Tools", "asha@acme.example")).toContain(
      "“Acme Tools” (asha@acme.example) is ordering",
    );
    expect(asked("Acme Tools")).toContain("“Acme Tools” is ordering");
  });

  it("is shown no link that a stranger has put into a name", () => {
    expect(asked("Log in at evil.example")).toMatch(/^A company is ordering/);
    expect(asked("Log in at evil.example")).not.toContain("evil");
  });

  it("learns neither plan nor price", () => {
    expect(asked("Acme Tools")).not.toMatch(/licence|₹|Business Basic/);
  });
});

describe("a stranger in whose name an order was begun", () => {
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
    ["the reminder of a draft", templates.resumeOrder({ order: named, link })],
    ["the mail that an account was made", templates.setPassword({ link })],
    ["the mail that confirms an email", templates.confirmEmail({ link })],
  ])("reads nothing in %s that was typed", (_name, { subject, text, html }) => {
    for (const part of [subject, text, html]) expect(part).not.toContain("evil");
  });
});

describe("what the buyer and the operator need to know", () => {
  it("the confirmation names the order, the licences and what was paid", () => {
    const { text } = templates.orderConfirmation({ order, link, invoice: null });
    expect(text).toContain(order.id);
    expect(text).toContain("2 licences");
    expect(text).toMatch(/Paid: .*3,880/);
    expect(
      templates.orderConfirmation({
        order: { ...order, line: { ...order.line, quantity: 1 } },
        link,
        invoice: null,
      }).text,
    ).toContain("1 licence\n");
  });

  it.each([
    ["confirmation", templates.orderConfirmation({ order, link, invoice })],
    ["access to brio", templates.accessCode({ order, name: "brio", link, access: null, invoice })],
  ])("the %s leads to the invoice, after what it is about", (_name, { text, html }) => {
    expect(text).toContain(`download: ${invoice}\n`);
    expect(text.indexOf(invoice)).toBeGreaterThan(text.indexOf(link));
    expect([...html.matchAll(/<a href="([^"]*)">/g)].map(([, href]) => asRead(href ?? ""))).toEqual([
      link,
      invoice,
    ]);
  });

  it("the alert says what, of which order, and whose", () => {
    const { text, subject } = templates.operatorAlert({ order, what: "Paid twice." });
    expect(subject).toContain(order.id);
    expect(text).toContain("Paid twice.");
    expect(text).toContain("Stage stage4, payment completed, fulfilment done");
    expect(text).toContain("buyer@example.com");
    expect(text).not.toContain("Questions?");
  });

  it("whoever did not ask for another password hears that theirs stays", () => {
    const { text } = templates.resetPassword({ link });
    expect(text).toContain("If this wasn't you, ignore this email: your password stays the same.");
    expect(text).toContain("Questions? Write to");
  });

  it("a code stands in the mail and not in its subject, which servers log", () => {
    const { subject, text } = templates.outlookCode({ code: "12345678", minutes: 15 });
    expect(text).toContain("1234 5678");
    expect(text).toContain("15 minutes");
    expect(subject).not.toMatch(/\d/);
  });

  it("a reminder names plan, domain, licences, the end in the customer's zone and what renewing costs", () => {
    const plain = { ...notice, name: "Business Standard" };
    const { subject, text } = templates.renewalReminder({ notice: plain, link });
    expect(subject).toBe("Business Standard for acme.onmicrosoft.com ends in 7 days");
    expect(text).toContain(
      "Business Standard for acme.onmicrosoft.com, 12 licences, ends on 29th February 2028, in 7 days.",
    );
    expect(text).toContain(
      "Renewing 12 licences for a year costs ₹10,641.60 before tax, ₹12,557 with tax today.",
    );
    const american = templates.renewalReminder({
      notice: {
        ...plain,
        country: "US",
        quantity: 1,
        term: "P1M",
        daysLeft: 1,
        cost: { subtotal: money(1_250, "USD"), tax: money(0, "USD"), total: money(1_300, "USD") },
      },
      link,
    });
    expect(american.subject).toContain("ends in 1 day");
    expect(american.text).toContain("1 licence, ends on 28th February 2028, in 1 day.");
    expect(american.text).toContain("Renewing 1 licence for a month costs $13.00 today.");
  });

  it.each([
    ["microsoft", "You can renew for more or fewer licences."],
    ["brio", "You can renew for more or fewer licences."],
    [
      "google",
      "Google renews all of your 12 licences. For more, add licences first; for fewer, renew after the end of the term.",
    ],
  ] as const)("the reminder of a term of %s says for how many licences it renews", (family, rule) => {
    const { text } = templates.renewalReminder({ notice: { ...notice, family }, link });
    expect(text).toContain(`renewing early loses nothing. ${rule}\n`);
  });

  it.each([
    ["ADD", "The licences were added to your account. Assign"],
    ["RENEW", "Your account goes on as it is:"],
    ["TUP", "It was added to your account. Sign in"],
  ] as const)("a confirmation of an order %s that has no domain on it names none", (kind, words) => {
    const { text } = templates.orderConfirmation({ order: { ...order, kind }, link, invoice: null });
    expect(text).toContain(words);
    expect(text).not.toContain("undefined");
  });

  it("what has ended says when, and nothing of a price that there is none of", () => {
    const { subject, text } = templates.subscriptionEnded({ notice: { ...notice, cost: null }, link });
    expect(subject).toMatch(/^Your subscription has ended: /);
    expect(text).toContain("12 licences, ended on 29th February 2028.");
    expect(text).not.toMatch(/costs|₹|null/);
  });

  it("an order that is gone does not keep a mail from being written", () => {
    for (const mail of [
      templates.resumeOrder({ order: null, link }),
      templates.signInReminder({ order: null, link }),
      templates.orderConfirmation({ order: null, link, invoice: null }),
      templates.operatorAlert({ order: null, what: "x" }),
    ]) {
      expect(`${mail.subject}${mail.text}`).not.toMatch(/null|undefined/);
    }
  });
});
