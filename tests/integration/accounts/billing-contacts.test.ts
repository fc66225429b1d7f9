/** Billing contacts: consent before any document, one mail per document, and unsubscribing by link. */
import { expect, test } from "vitest";
import { readOrder } from "#db/orders/orders.ts";
import { registerDocument } from "#server/billing/documents/register-document.ts";
import * as paths from "#server/foundation/paths.ts";
import { sendMail } from "#server/mail/send.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { freshEmail, placeOrder, providerOrderOf, toReview } from "#tests/support/journey.ts";
import { proveMailboxOf, signedIn } from "#tests/support/orders.ts";
import { payFor } from "#tests/support/paid-order.ts";
import { refundPart } from "#tests/support/refunds.ts";
import { startStore } from "#tests/support/store.ts";
import { askForProforma } from "#tests/support/transfer.ts";

const { stack, context, controls } = await startStore();
const { db } = context;

/** Account fields of a GST-registered business and of a consumer. */
const accounts = {
  business: { gst_code: "29AABCB1234C1ZA", organisationRegistrationNumber: "29AABCB1234C1ZA" },
  consumer: {},
};

async function review(browser: HttpBrowser, account: keyof typeof accounts = "consumer", email?: string) {
  return toReview(browser, { account: accounts[account], ...(email !== undefined && { email }) });
}

async function pay(browser: HttpBrowser, order: Awaited<ReturnType<typeof review>>): Promise<void> {
  await placeOrder(browser, order);
  const providerOrderId = await providerOrderOf(browser, order);
  await payFor({ browser, path: order.path, providerOrderId }, stack.sandboxUrl);
}

/** Creates an owner with a proven mailbox and a first order at its review. */
async function owner(account: keyof typeof accounts = "consumer") {
  const order = await review(new HttpBrowser(stack.url), account);
  const stored = await readOrder(db, order.id);
  if (stored?.userId == null) throw new Error("Expected the order to have an account");
  // Revokes the session that the order opened.
  await proveMailboxOf(db, stored.userId);
  const browser = await signedIn(context, stack.url, { userId: stored.userId, email: order.email });
  return { browser, order };
}

/** Sends the unsent mails of an address, as the worker would, and returns its inbox. */
async function deliver(email: string) {
  const waiting = await db
    .selectFrom("mails")
    .select("id")
    .where("recipient", "=", email)
    .where("sent_at", "is", null)
    .execute();
  for (const { id } of waiting) await sendMail(context, id);
  return controls.inbox(email);
}

const linkIn = (text: string) => /\/billing\/[\w-]+/.exec(text)?.[0] ?? "";

async function addContact(browser: HttpBrowser, email: string, gets: Record<string, string>) {
  return browser.post(paths.company(), { intent: "add-contact", email, ...gets });
}

async function agreed(browser: HttpBrowser, gets: Record<string, string>): Promise<string> {
  const email = freshEmail();
  await addContact(browser, email, gets);
  const [question] = await deliver(email);
  const stranger = new HttpBrowser(stack.url);
  expect((await stranger.post(linkIn(question?.text ?? ""), { intent: "confirm" })).status).toBe(303);
  return email;
}

const invoices = { getsInvoices: "on" };

test("sends nothing before the contact agrees; opening the link is not consent", async () => {
  const { browser, order } = await owner();
  const email = freshEmail();
  expect((await addContact(browser, email, invoices)).location).toBe(paths.company());
  const [question] = await deliver(email);
  expect(question?.text).toContain("If you don't want them, ignore this email.");
  const page = await new HttpBrowser(stack.url).get(linkIn(question?.text ?? ""));
  expect(wordsOf(mainContentOf(page.text))).toContain(
    `Acme Tools would like us to send copies of its documents to ${email}`,
  );
  await pay(browser, order);
  expect(await deliver(email)).toHaveLength(1);
  expect(wordsOf(mainContentOf((await browser.get(paths.company())).text))).toContain(
    "Not accepted yet. Add the same email again to resend the invitation.",
  );
});

test("sends each invoice and credit note once as a PDF, until the contact unsubscribes", async () => {
  const { browser, order } = await owner();
  const email = await agreed(browser, invoices);
  await pay(browser, order);
  const [invoice, ...before] = await deliver(email);
  expect(before).toHaveLength(1);
  expect(invoice?.subject).toMatch(/^Tax Invoice IN\/\d\d-\d\d\/\d{6}, Acme Tools$/);
  expect(invoice?.attachments).toEqual([
    {
      name: expect.stringMatching(/^invoice-IN-.*\.pdf$/),
      type: "application/pdf",
      bytes: expect.any(Number),
    },
  ]);
  expect(invoice?.attachments[0]?.bytes).toBeGreaterThan(1_000);
  await refundPart(context, order.id, 1_000);
  const [note] = await deliver(email);
  expect(note?.subject).toMatch(/^Credit Note /);
  const stranger = new HttpBrowser(stack.url);
  const link = linkIn(note?.text ?? "");
  expect((await stranger.post(link, { intent: "stop" })).location).toBe(paths.home());
  await refundPart(context, order.id, 1_000);
  expect(await deliver(email)).toHaveLength(3);
  expect((await stranger.get(link)).status).toBe(404);
});

test("sends an invoice that must be registered only after its registration", async () => {
  const { browser, order } = await owner("business");
  const email = await agreed(browser, invoices);
  await pay(browser, order);
  expect(await deliver(email)).toHaveLength(1);
  const { number } = await db
    .selectFrom("invoices")
    .select("number")
    .where("order_id", "=", order.id)
    .executeTakeFirstOrThrow();
  await registerDocument(context, number);
  await registerDocument(context, number);
  const [copy, ...others] = await deliver(email);
  expect(copy?.subject).toContain(number);
  expect(others).toHaveLength(1);
});

test("sends each contact the kinds of documents chosen for it", async () => {
  const { browser, order } = await owner();
  const [bookkeeper, payer] = [
    await agreed(browser, invoices),
    await agreed(browser, { getsProformas: "on" }),
  ];
  await askForProforma(browser, order);
  expect(await deliver(bookkeeper)).toHaveLength(1);
  const [proforma] = await deliver(payer);
  expect(proforma?.subject).toMatch(/^Proforma invoice PF\//i);
  // Adding the same address again changes the choice without a new invitation.
  await addContact(browser, payer.toUpperCase(), invoices);
  await pay(browser, await review(browser, "consumer", order.email));
  expect((await deliver(payer))[0]?.subject).toMatch(/^Tax Invoice/);
});

test("requires a valid address, a chosen document and an owner with a proven mailbox", async () => {
  const { browser } = await owner();
  expect((await addContact(browser, "no address", invoices)).status).toBe(400);
  expect((await addContact(browser, freshEmail(), {})).status).toBe(400);
  const unproven = new HttpBrowser(stack.url);
  await review(unproven);
  const email = freshEmail();
  expect((await addContact(unproven, email, invoices)).status).toBe(403);
  expect(await deliver(email)).toEqual([]);
});
