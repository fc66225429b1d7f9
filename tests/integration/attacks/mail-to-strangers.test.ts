/** A stranger who signs up and has the store write to people who never asked: quotes, requests, questions, each under the store's name. */
import { describe, expect, test } from "vitest";
import { listMemberships } from "#server/accounts/customers.ts";
import { renewQuote } from "#server/billing/quotes/quote.ts";
import * as paths from "#server/foundation/paths.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { accountForm, beginOrder, freshEmail } from "#tests/support/journey.ts";
import { join, makePerson, signedIn } from "#tests/support/orders.ts";
import { askForLink } from "#tests/support/payment-link.ts";
import { confirmEmail } from "#tests/support/people.ts";
import { makeQuoteOf, quoteLinkOf, sendQuote } from "#tests/support/quotes.ts";
import { startStore } from "#tests/support/store.ts";
import { proformaFor } from "#tests/support/transfer.ts";

const { stack, context } = await startStore();
const { db } = context;

const mailsTo = (recipient: string) =>
  db.selectFrom("mails").select(["kind", "recipient"]).where("recipient", "=", recipient).execute();

/** Signed up with a password, never proven, with an order whose address is somebody else's. */
async function attack() {
  const browser = new HttpBrowser(stack.url);
  const own = freshEmail();
  const victim = freshEmail();
  const person = { firstName: "PayPal", lastName: "Security", phoneNumber: "9876543210" };
  await browser.post("/signup", { ...person, email: own, password: "attackers-Pass-1" });
  await browser.post("/login", { email: own, password: "attackers-Pass-1" });
  const order = await beginOrder(browser, { quantity: 40 });
  const form = { ...accountForm(victim), companyName: "Microsoft Billing" };
  expect((await browser.post(`${order.path}/create-account`, form)).status).toBe(303);
  return { browser, own, victim, ...order };
}

describe("an account that nobody has proven", () => {
  test("mails no quote, however often the order changes; the page has the PDF and says so", async () => {
    const { browser, own, victim, id, path } = await attack();
    const quoteId = await makeQuoteOf(browser, { id });
    for (const quantity of [41, 42, 43]) {
      await browser.post(`${path}/subscription-details`, { term: "P1Y", quantity: String(quantity) });
      await renewQuote(context, id);
      await makeQuoteOf(browser, { id });
    }
    expect(await mailsTo(victim)).toEqual([]);
    expect((await mailsTo(own)).filter(({ kind }) => kind === "quote")).toEqual([]);
    const newest = await makeQuoteOf(browser, { id });
    expect(newest).not.toBe(quoteId);
    const page = await browser.get(paths.quote(newest));
    expect(page.text).toContain(paths.quotePdf(newest));
    expect(page.text).toContain("we haven&#x27;t emailed you this quote. Download the PDF above.");
  });

  test.each([
    ["proforma", proformaFor],
    ["payment-link", askForLink],
  ] as const)("gets a %s at its own address only", async (kind, ask) => {
    const { browser, own, victim, id, path } = await attack();
    await ask(browser, { id, path });
    expect((await mailsTo(own)).map((mail) => mail.kind)).toContain(kind);
    expect(await mailsTo(victim)).toEqual([]);
  });

  test("gets twenty mails a day, however often it asks for more", async () => {
    const { browser, own, id, path } = await attack();
    for (let quantity = 41; quantity < 64; quantity += 1) {
      await browser.post(`${path}/subscription-details`, { term: "P1Y", quantity: String(quantity) });
      await askForLink(browser, { id, path });
    }
    const links = (await mailsTo(own)).filter(({ kind }) => kind === "payment-link");
    expect(links).toHaveLength(20);
  });

  test.each([
    ["approve", {}],
    ["pay", { terms: "on", agreement: "" }],
  ])("asks nobody to %s", async (intent, more) => {
    const { browser, victim, id } = await attack();
    const quoteId = await makeQuoteOf(browser, { id });
    const why = "Unlock it at https://evil.example/unlock";
    const answer = await browser.post(paths.quote(quoteId), { intent, email: victim, why, ...more });
    expect(answer.status).toBe(403);
    expect(await mailsTo(victim)).toEqual([]);
  });

  test("names no billing contact and invites nobody", async () => {
    const { browser, victim } = await attack();
    const contact = { intent: "add-contact", email: victim, getsInvoices: "on", getsProformas: "on" };
    for (const [path, form] of [
      [paths.company(), contact],
      [paths.members(), { intent: "invite", email: victim, role: "viewer" }],
    ] as const)
      expect((await browser.post(path, form)).status).toBe(403);
    expect(await mailsTo(victim)).toEqual([]);
  });
});

/** An account with a proven mailbox, and an order with a quote. */
async function proven(companyName = "Acme Tools") {
  const person = await makePerson(db);
  const browser = await signedIn(context, stack.url, person);
  const order = await beginOrder(browser, { quantity: 4 });
  const form = { ...accountForm(person.email), companyName };
  expect((await browser.post(`${order.path}/create-account`, form)).status).toBe(303);
  return { person, browser, ...order, quoteId: await makeQuoteOf(browser, order) };
}

describe("a proven account", () => {
  test("gets its quote at its own address, whatever address the order has", async () => {
    const { browser, own, victim, id } = await attack();
    await confirmEmail(db, own);
    await makeQuoteOf(browser, { id });
    expect((await mailsTo(own)).map(({ kind }) => kind)).toContain("quote");
    expect(await mailsTo(victim)).toEqual([]);
  });

  test("reaches one mailbox ten times a day, with any tag, kind and number of senders", async () => {
    const [name, domain] = freshEmail().split("@");
    const statuses: number[] = [];
    for (let sender = 0; sender < 3; sender += 1) {
      const { browser, quoteId } = await proven();
      for (let mail = 0; mail < 4; mail += 1) {
        const email = mail === 0 ? `${name}@${domain}` : `${name}+${sender}${mail}@${domain}`.toUpperCase();
        const invitation = { intent: "invite", email, role: "viewer" };
        const request = { intent: "approve", email, why: "" };
        const answer =
          mail % 2 === 0
            ? await browser.post(paths.members(), invitation)
            : await browser.post(paths.quote(quoteId), request);
        statuses.push(answer.status);
      }
    }
    expect(statuses).toEqual([...Array(10).fill(303), 429, 429]);
  });

  test("sends twenty an hour, to however many mailboxes", async () => {
    const { browser } = await proven();
    const statuses: number[] = [];
    for (let mail = 0; mail < 21; mail += 1)
      statuses.push(
        (await browser.post(paths.members(), { intent: "invite", email: freshEmail(), role: "viewer" }))
          .status,
      );
    expect(statuses).toEqual([...Array(20).fill(303), 429]);
  });
});

const why =
  "Blocked. Unlock it at https://evil.example/unlock or evil。example, help@evil.example, +91 98765 43210";
const contacts = /evil|98765/;

describe("free text", () => {
  test("reaches a reader outside the company without links, addresses and numbers", async () => {
    const { browser, id, quoteId, person } = await proven("Pay at evil.example");
    await browser.post(paths.orderReferences(id), {
      purchaseOrder: "evil.example/po",
      costCentre: "+91 98765 43210",
      note: "https://evil.example",
    });
    await renewQuote(context, id);
    const newest = await makeQuoteOf(browser, { id });
    expect(newest).not.toBe(quoteId);
    const link = await sendQuote(db, browser, newest, { kind: "pay", email: freshEmail(), why });
    const page = await new HttpBrowser(stack.url).get(link);
    expect(page.status).toBe(200);
    expect(mainContentOf(page.text)).not.toMatch(contacts);
    expect(page.text).toContain("Blocked. Unlock it at […]");
    expect(page.text).toContain(person.email);
  });

  test("reaches a colleague as typed", async () => {
    const { browser, quoteId, person } = await proven();
    const [company] = await listMemberships(db, person.userId);
    const colleague = await makePerson(db);
    if (company !== undefined) await join(db, company.id, colleague, "approver");
    const link = await sendQuote(db, browser, quoteId, { kind: "approve", email: colleague.email, why });
    expect((await new HttpBrowser(stack.url).get(link)).text).toContain("https://evil.example/unlock");
  });

  test("loses its links when a reader outside the company wrote it", async () => {
    const { browser, quoteId } = await proven();
    const email = freshEmail();
    const link = await sendQuote(db, browser, quoteId, { kind: "approve", email });
    const reader = new HttpBrowser(stack.url);
    const hash = /name="hash" value="([^"]+)"/.exec((await reader.get(link)).text)?.[1] ?? "";
    expect((await reader.post(link, { intent: "refused", hash, words: why })).status).toBe(303);
    expect(mainContentOf((await browser.get(paths.quote(quoteId))).text)).not.toMatch(contacts);
    expect(await quoteLinkOf(db, quoteId, email)).toContain("/requests/");
  });
});
