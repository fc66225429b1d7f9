/** The language of mails is the buyer's, through HTTP and the worker. */
import { beforeAll, describe, expect, test } from "vitest";
import { insertCancellation } from "#db/billing/cancellations.ts";
import { insertEInvoice, markNotRegistered } from "#db/billing/e-invoices.ts";
import {
  type BillingContactId,
  type CancellationId,
  type CorrectionId,
  type CustomerId,
  newId,
  type OrderId,
} from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { MailKind } from "#db/tables/enums.ts";
import { inviteMember } from "#server/accounts/invites.ts";
import { issueInvoice } from "#server/billing/documents/issue.ts";
import { supplierOf } from "#server/billing/documents/supplier.ts";
import { brand } from "#server/foundation/brand.ts";
import { languages } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import * as paths from "#server/foundation/paths.ts";
import { approvalPage } from "#tests/support/administrator.ts";
import { beginChange, payChange } from "#tests/support/changes.ts";
import { createSubscriptionFor, makeCustomer, type SubscriptionSpec } from "#tests/support/customer.ts";
import { HttpBrowser, hiddenFieldValue } from "#tests/support/http-browser.ts";
import {
  beginOrder,
  freshEmail,
  placeOrder,
  providerOrderOf,
  returnForm,
  toCheckout,
  toReview,
} from "#tests/support/journey.ts";
import { toVisibleText } from "#tests/support/mail-rendering.ts";
import { type AnyMail, queueAnyMail } from "#tests/support/mails.ts";
import {
  anonymousRequester,
  join,
  makeCompany,
  makeOrder,
  makePerson,
  type Person,
  readOrder,
  signedIn,
} from "#tests/support/orders.ts";
import { answerSignInExistingTenant, freshPrefix, payFor } from "#tests/support/paid-order.ts";
import { toLink } from "#tests/support/payment-link.ts";
import { confirmEmail } from "#tests/support/people.ts";
import { accountAnswers } from "#tests/support/priced-order.ts";
import { makeQuoteOf, sendQuote } from "#tests/support/quotes.ts";
import { insertCapturedPayment, refundPart } from "#tests/support/refunds.ts";
import type { Mail } from "#tests/support/sandbox-controls.ts";
import { startStore } from "#tests/support/store.ts";
import { toTransfer } from "#tests/support/transfer.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
const { db } = context;
const inHindi = textIn("hi");
const access = { wanted: { family: "brio", item: "brio-desk" } };

async function mailTo(email: string, subject: RegExp): Promise<Mail> {
  let mail: Mail | undefined;
  await until(`a mail to ${email}: ${subject}`, async () => {
    mail = (await controls.inbox(email)).find((each) => subject.test(each.subject));
    return mail !== undefined;
  });
  if (mail === undefined) throw new Error("Expected a mail");
  return mail;
}

async function choosesHindi(): Promise<HttpBrowser> {
  const buyer = new HttpBrowser(stack.url);
  await buyer.post(paths.language(), { language: "hi", next: "/" });
  return buyer;
}

const languageOf = async (email: string) =>
  (await db.selectFrom("users").select("language").where("email", "=", email).executeTakeFirst())?.language;

test("sends every email of a Hindi order in Hindi", async () => {
  const buyer = await choosesHindi();
  const order = await toReview(buyer, access);
  expect(await languageOf(order.email)).toBe("hi");
  expect((await readOrder(db, order.id)).language).toBe("hi");
  const made = await mailTo(order.email, /पासवर्ड/);
  expect(made.text).toContain(inHindi("mail.accountMade"));
  expect(made.text).toContain(`${inHindi("mail.setPassword")}: ${stack.url}/set-password/`);

  await placeOrder(buyer, order);
  const providerOrderId = await providerOrderOf(buyer, order);
  const paid = await controls.pay({ orderId: providerOrderId, webhook: false });
  await buyer.post("/payments/return", returnForm(providerOrderId, paid));
  const done = await mailTo(order.email, /brio Desk/);
  expect(done.html).toContain(`<html lang="${languages.hi.locale}">`);
  expect(done.text).toContain(inHindi("mail.accessFirst"));
  expect(done.text).toContain("2 लाइसेंस");
  expect(done.text).toMatch(/^चुकाई गई राशि: ₹/m);
});

test("sends a password reset in the language of the account", async () => {
  const buyer = await choosesHindi();
  const { email } = await toReview(buyer);
  await new HttpBrowser(stack.url).post("/forgot-password", { email });
  expect((await mailTo(email, /रीसेट करें/)).text).toContain(inHindi("mail.resetNotYou"));
});

test("applies a language choice to the account and to unfinished orders", async () => {
  const person = await makePerson(db);
  expect(await languageOf(person.email)).toBeNull();
  const browser = await signedIn(context, stack.url, person);
  const { id } = await beginOrder(browser);
  expect((await readOrder(db, id)).language).toBe("en");
  await db.updateTable("orders").set({ fulfilment_status: "running" }).where("id", "=", id).execute();
  const done = await beginOrder(browser, access);
  await db.updateTable("orders").set({ fulfilment_status: "done" }).where("id", "=", done.id).execute();
  await browser.post(paths.language(), { language: "hi", next: "/" });
  expect(await languageOf(person.email)).toBe("hi");
  expect((await readOrder(db, id)).language).toBe("hi");
  expect((await readOrder(db, done.id)).language).toBe("en");
});

test("applies a visitor's choice to the drafts of this browser only", async () => {
  const visitor = new HttpBrowser(stack.url);
  const begun = await beginOrder(visitor);
  const other = await beginOrder(new HttpBrowser(stack.url));
  await visitor.post(paths.language(), { language: "hi", next: "/" });
  expect((await readOrder(db, begun.id)).language).toBe("hi");
  expect((await readOrder(db, other.id)).language).toBe("en");
});

test("stores the language of the sign-up page", async () => {
  const email = freshEmail();
  const form = {
    firstName: "Asha",
    lastName: "Rao",
    email,
    password: "a-good-Pass-1",
    phoneNumber: "9876543210",
  };
  await (await choosesHindi()).post("/signup", form);
  expect(await languageOf(email)).toBe("hi");
});

test("sends operator alerts in English with a Desk link, whatever the buyer's language", async () => {
  const order = await beginOrder(await choosesHindi());
  await db
    .transaction()
    .execute((trx) =>
      queueOperatorAlert(trx, { dedupeKey: `look:${order.id}`, orderId: order.id, what: "Look at this." }),
    );
  const alert = await mailTo(context.env.OPERATOR_EMAIL, /needs attention/);
  expect(alert.html).toContain(`<html lang="${languages.en.locale}">`);
  expect(alert.text).toContain("Look at this.");
  expect(alert.text).not.toMatch(/[\u0900-\u097f]/);
  expect(alert.text).toContain(`Open order in Desk: ${context.env.PUBLIC_URL}${paths.deskOrder(order.id)}`);
  expect(alert.text).toContain("Status: Plan chosen, not paid");
  expect(alert.text).not.toMatch(/stage\d|not_due|fulfilment/);
});

describe("each mail to buyers", () => {
  let reader: Person;
  let companyId: CustomerId;
  beforeAll(async () => {
    reader = await hindiReader();
    companyId = await makeCompany(db, reader);
  });

  async function hindiReader(): Promise<Person> {
    const person = await makePerson(db);
    await speaksHindi(person);
    return person;
  }
  const speaksHindi = ({ userId }: Person) =>
    db.updateTable("users").set({ language: "hi" }).where("id", "=", userId).execute();

  /** Queues a mail to a new address unless `recipient` is set. @returns the address */
  async function ask(
    kind: MailKind,
    { recipient = freshEmail(), ...request }: Partial<AnyMail> = {},
  ): Promise<string> {
    const dedupeKey = `${kind}:${newId()}`;
    await db.transaction().execute((trx) => queueAnyMail(trx, { kind, dedupeKey, recipient, ...request }));
    return recipient;
  }
  /** Queues a mail with a sign-in link, to a new Hindi reader. */
  async function askOwn(kind: MailKind, orderId: OrderId | null = null): Promise<string> {
    const { email, userId } = await hindiReader();
    return ask(kind, { recipient: email, userId, orderId });
  }
  const makeTestOrder = (changes: Parameters<typeof makeOrder>[2] = {}) =>
    makeOrder(
      db,
      { requester: { ...anonymousRequester, userId: reader.userId } },
      { language: "hi", account: JSON.stringify(accountAnswers()), ...changes },
    );
  const paid = { stage: "stage4", payment_status: "completed", paid_at: new Date() } as const;

  async function ofSubscription(
    kind: MailKind,
    holding: SubscriptionSpec,
    extendedUntil: Date | null = null,
  ) {
    const customer = await makeCustomer(db);
    await speaksHindi(customer.owner);
    const { id } = await createSubscriptionFor(db, customer, holding);
    const { end_date: end } = await db
      .updateTable("subscriptions")
      .set({ extended_until: extendedUntil })
      .where("id", "=", id)
      .returning("end_date")
      .executeTakeFirstOrThrow();
    return ask(kind, {
      recipient: customer.owner.email,
      userId: customer.owner.userId,
      data: { subscriptionId: id, end: end.toISOString() },
    });
  }

  /** Renews late, so that a colleague gets a mail about it and no other. @returns the colleague's address */
  async function renewedLate(): Promise<string> {
    const customer = await makeCustomer(db);
    const colleague = await hindiReader();
    await join(db, customer.customerId, colleague, "buyer");
    const { id } = await createSubscriptionFor(db, customer, { family: "brio", endsInDays: -2 });
    const browser = await signedIn(context, stack.url, customer.owner);
    await payChange(browser, stack.sandboxUrl, await beginChange(browser, "renew", id, 4));
    return colleague.email;
  }

  async function administratorMail(): Promise<string> {
    const domain = `${freshPrefix("asked")}.onmicrosoft.com`;
    await controls.plant({ customers: [{ domain }] });
    const order = await toCheckout(stack.url, { browser: await choosesHindi() });
    await payFor(order, stack.sandboxUrl);
    await answerSignInExistingTenant(order, `x@${domain}`);
    await confirmEmail(db, order.email);
    const email = freshEmail();
    await order.browser.post(approvalPage(order), { intent: "ask", email });
    return email;
  }

  async function invited(): Promise<string> {
    const email = freshEmail();
    await inviteMember(db, {
      customerId: companyId,
      by: reader.userId,
      email,
      role: "buyer",
      now: new Date(),
    });
    return email;
  }

  async function contactOf(customerId: CustomerId, confirmedAt: Date | null): Promise<string> {
    const id = newId<BillingContactId>();
    const gets = { gets_invoices: true, gets_proformas: true };
    await db
      .insertInto("billing_contacts")
      .values({ id, customer_id: customerId, email: freshEmail(), ...gets, confirmed_at: confirmedAt })
      .execute();
    return id;
  }

  async function transferMail(): Promise<string> {
    const order = await toTransfer(stack.url, { browser: await choosesHindi() });
    const { intent_id: intentId } = await db
      .selectFrom("proformas")
      .select("intent_id")
      .where("order_id", "=", order.id)
      .executeTakeFirstOrThrow();
    return ask("proforma", { orderId: order.id, data: { intentId } });
  }

  async function quoted(): Promise<string> {
    const browser = await choosesHindi();
    const order = await toReview(browser);
    const quoteId = await makeQuoteOf(browser, order);
    return ask("quote", { orderId: order.id, data: { quoteId } });
  }

  async function requestSent(kind: "approve" | "pay"): Promise<{ email: string; link: string }> {
    const browser = await choosesHindi();
    const quoteId = await makeQuoteOf(browser, await toReview(browser));
    const email = freshEmail();
    return { email, link: await sendQuote(db, browser, quoteId, { kind, email }) };
  }

  async function answeredQuote(): Promise<string> {
    const { email, link } = await requestSent("approve");
    const approver = new HttpBrowser(stack.url);
    const hash = hiddenFieldValue((await approver.get(link)).text, "hash");
    await approver.post(link, { intent: "refused", hash, words: "बहुत महँगा" });
    return email;
  }

  async function voidedQuote(): Promise<string> {
    const browser = await choosesHindi();
    const order = await toReview(browser);
    const quoteId = await makeQuoteOf(browser, order);
    const email = freshEmail();
    await sendQuote(db, browser, quoteId, { kind: "approve", email });
    await browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "7" });
    await mailTo(email, /बदल गया/);
    return email;
  }

  async function paymentLinkMail(): Promise<string> {
    const order = await toLink(stack.url, controls, { browser: await choosesHindi() });
    const { id: intentId } = await db
      .selectFrom("payment_intents")
      .select("id")
      .where("order_id", "=", order.id)
      .executeTakeFirstOrThrow();
    return ask("payment-link", { orderId: order.id, data: { intentId } });
  }

  async function cancelled(): Promise<string> {
    const customer = await makeCustomer(db);
    await speaksHindi(customer.owner);
    const { id: subscriptionId } = await createSubscriptionFor(db, customer);
    const orderId = await makeTestOrder(paid);
    const id = newId<CancellationId>();
    await db.transaction().execute((trx) =>
      insertCancellation(
        trx,
        {
          id,
          subscriptionId,
          orderId,
          kind: "reduce",
          seatsBefore: 10,
          seatsAfter: 8,
          askedBy: customer.owner.userId,
        },
        [{ orderId, seats: 2, amount: money(90_000, "INR") }],
      ),
    );
    const { email: recipient, userId } = customer.owner;
    return ask("cancellation", { recipient, userId, data: { cancellationId: id } });
  }

  const said = { said: "कुछ और चाहिए।" };
  const asks: Record<
    Exclude<MailKind, "operator-alert" | "order-notice" | "vendor-notice">,
    () => Promise<string>
  > = {
    "set-password": () => askOwn("set-password"),
    "reset-password": () => askOwn("reset-password"),
    "confirm-email": () => askOwn("confirm-email"),
    "account-code": () => askOwn("account-code"),
    "resume-order": async () => askOwn("resume-order", await makeTestOrder()),
    "signin-reminder": async () => askOwn("signin-reminder", await makeTestOrder()),
    "order-confirmation": async () => ask("order-confirmation", { orderId: await makeTestOrder(paid) }),
    "invoice-ready": async () =>
      ask("invoice-ready", { orderId: await makeTestOrder(paid), data: { number: "IN/26-27/000042" } }),
    "document-refused": async () => {
      const orderId = await makeTestOrder(paid);
      const number = "IN/26-27/000077";
      await db.transaction().execute(async (trx) => {
        const document = { kind: "INV", account: "IN", orderId, issuedAt: new Date(), body: {} } as const;
        await insertEInvoice(trx, { ...document, number, irn: "a".repeat(64) }, new Date());
        const refusal = { code: "3039", words: "Pincode", nextTryAt: null };
        await markNotRegistered(trx, { number, revision: 0 }, refusal, new Date());
      });
      return ask("document-refused", { orderId, data: { number } });
    },
    "invoice-corrected": async () => {
      const data = {
        number: "IN/26-27/000043",
        replaced: "IN/26-27/000042",
        creditNoteId: newId<CorrectionId>(),
      };
      return ask("invoice-corrected", { orderId: await makeTestOrder(paid), data });
    },
    "order-refunded": async () =>
      ask("order-refunded", {
        orderId: await makeTestOrder(),
        data: { amount: "₹3,880", reason: said.said },
      }),
    refund: async () => {
      const orderId = await makeTestOrder(paid);
      await insertCapturedPayment(context, orderId);
      const refundId = await refundPart(context, orderId, 100, { reason: "हिंदी में।" });
      return ask("refund", { orderId, data: { refundId, status: "requested" } });
    },
    proforma: transferMail,
    "payment-link": paymentLinkMail,
    quote: quoted,
    "quote-request": async () => (await requestSent("pay")).email,
    "quote-answer": answeredQuote,
    "quote-void": voidedQuote,
    "transfer-received": async () =>
      ask("transfer-received", {
        orderId: await makeTestOrder(),
        data: { state: "withheld", received: "₹3,815", withheld: "₹65" },
      }),
    "certificate-due": async () =>
      ask("certificate-due", {
        orderId: await makeTestOrder(paid),
        data: { withheld: "₹65", due: "2027-02-15" },
      }),
    "billing-contact": async () => {
      const contactId = await contactOf((await makeCustomer(db)).customerId, null);
      return ask("billing-contact", { data: { contactId, language: "hi" } });
    },
    "document-copy": async () => {
      const customer = await makeCustomer(db);
      const orderId = await makeTestOrder({ ...paid, customer_id: customer.customerId });
      const { number } = await db
        .transaction()
        .execute((trx) => issueInvoice(trx, context.env, orderId, new Date()));
      const contactId = await contactOf(customer.customerId, new Date());
      return ask("document-copy", { orderId, data: { contactId, number } });
    },
    "credit-note": async () => {
      const orderId = await makeTestOrder(paid);
      await insertCapturedPayment(context, orderId);
      const refundId = await refundPart(context, orderId, 100, { reason: "हिंदी में।" });
      return ask("credit-note", { orderId, data: { refundId } });
    },
    "order-delayed": async () => ask("order-delayed", { orderId: await makeTestOrder(paid), data: said }),
    "correction-needed": async () =>
      ask("correction-needed", { orderId: await makeTestOrder(paid), data: said }),
    "brio-access": async () =>
      ask("brio-access", { orderId: await makeTestOrder({ ...paid, family: "brio" }) }),
    "outlook-code": () => ask("outlook-code", { data: { proof: newId(), number: "1", language: "hi" } }),
    "account-notice": () =>
      ask("account-notice", {
        recipient: reader.email,
        userId: reader.userId,
        data: { what: "member-joined", company: "Acme Tools", member: "new@example.com", role: "viewer" },
      }),
    "store-viewed": () =>
      ask("store-viewed", {
        recipient: reader.email,
        userId: reader.userId,
        data: { reason: "नवीनीकरण के बारे में पूछा", company: "Acme Tools" },
      }),
    "data-export": () =>
      ask("data-export", {
        recipient: reader.email,
        userId: reader.userId,
        data: { until: "2026-12-03T09:00:00Z", whose: "company" },
      }),
    "account-deletion": () =>
      ask("account-deletion", {
        recipient: reader.email,
        userId: reader.userId,
        data: { state: "asked", due: "2026-12-03T09:00:00Z" },
      }),
    "member-invite": invited,
    "ask-administrator": administratorMail,
    "administrator-done": async () =>
      ask("administrator-done", { orderId: await makeTestOrder(), data: { domain: "acme.onmicrosoft.com" } }),
    "renewal-reminder": () => ofSubscription("renewal-reminder", { endsInDays: 7 }),
    "renewal-window": renewedLate,
    "subscription-ended": () => ofSubscription("subscription-ended", { endsInDays: -1, family: "google" }),
    "subscription-extended": () =>
      ofSubscription("subscription-extended", { endsInDays: -1 }, new Date(Date.now() + 9 * 86_400_000)),
    "terms-reminder": () => ofSubscription("terms-reminder", { family: "google" }),
    cancellation: cancelled,
  };

  const { name, addressLines } = supplierOf(context.env, "IN");
  const names = [
    ...[name, ...addressLines, brand.name, "Acme Tools", "Asha Rao"],
    ...["Google Workspace Business Starter", "Microsoft 365 Business Basic"],
  ];
  /** Runs of four words in Latin letters that are not names, addresses or the made-up domains of tests. */
  function englishIn(text: string): string[] {
    const unnamed = names.reduce(
      (rest, each) => rest.replaceAll(each, "·"),
      text.replaceAll(/\S*[@/]\S*|\bheld-\S*/g, "·"),
    );
    return unnamed.match(/[A-Za-z]+(?:[\s,.:;'’“”()-]+[A-Za-z]+){3,}/g) ?? [];
  }

  test.each(Object.entries(asks))(
    "%s: contains no English for a Hindi reader",
    async (_kind, requestMail) => {
      const { subject, text, html } = await mailTo(await requestMail(), /[\u0900-\u097f]/);
      expect(html).toContain(`<html lang="${languages.hi.locale}">`);
      for (const part of [subject, text, toVisibleText(html)]) expect(englishIn(part)).toEqual([]);
      for (const part of [text, toVisibleText(html)]) expect(part).toContain(inHindi("mail.neverAsk"));
    },
  );

  test("detects an English sentence", () => {
    expect(englishIn("आपका कोड: say this number when you write")).toEqual(["say this number when you write"]);
    expect(englishIn(`${brand.name}: Google Workspace Business Starter, GST`)).toEqual([]);
  });
});
