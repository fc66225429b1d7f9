/**
 * An attacker signs up and makes the store mail people who never asked: quotes, requests and invitations under the store's
 * name.
 */
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

/** Signs up with a password and an unproven mailbox, and begins an order with a victim's address. */
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

describe("an unproven account", () => {
  test("mails no quote, however often the order changes, and offers the PDF instead", async () => {
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
  ] as const)("sends a %s to its own address only", async (kind, ask) => {
    const { browser, own, victim, id, path } = await attack();
    await ask(browser, { id, path });
    expect((await mailsTo(own)).map((mail) => mail.kind)).toContain(kind);
    expect(await mailsTo(victim)).toEqual([]);
  });

  test("receives at most twenty payment links a day", async () => {
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
  ])("sends no request to %s", async (intent, more) => {
    const { browser, victim, id } = await attack();
    const quoteId = await makeQuoteOf(browser, { id });
    const why = "Unlock it at https://evil.example/unlock";
    const answer = await browser.post(paths.quote(quoteId), { intent, email: victim, why, ...more });
    expect(answer.status).toBe(403);
    expect(await mailsTo(victim)).toEqual([]);
  });

  test("adds no billing contact and invites nobody", async () => {
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

/** Creates an account with a proven mailbox and an order with a quote. */
async function proven(companyName = "Acme Tools") {
  const person = await makePerson(db);
  const browser = await signedIn(context, stack.url, person);
  const order = await beginOrder(browser, { quantity: 4 });
  const form = { ...accountForm(person.email), companyName };
  expect((await browser.post(`${order.path}/create-account`, form)).status).toBe(303);
  return { person, browser, ...order, quoteId: await makeQuoteOf(browser, order) };
}

describe("a proven account", () => {
  test("receives its quote at its own address, regardless of the order's address", async () => {
    const { browser, own, victim, id } = await attack();
    await confirmEmail(db, own);
    await makeQuoteOf(browser, { id });
    expect((await mailsTo(own)).map(({ kind }) => kind)).toContain("quote");
    expect(await mailsTo(victim)).toEqual([]);
  });

  test("sends at most ten mails a day to a mailbox, over all tags and senders", async () => {
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

  test("sends at most twenty mails an hour over all mailboxes", async () => {
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
  test("omits links, addresses and numbers for a reader outside the company", async () => {
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

  test("keeps its links for a colleague", async () => {
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
