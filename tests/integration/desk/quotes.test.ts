/** Quotes in Desk: the filter of the order list, and the requests for each version with their outcome on the order's page. */
import { beforeAll, expect, test } from "vitest";
import type { OrderId } from "#db/ids.ts";
import { findLatestVersion, formatQuoteNumber, renewQuote } from "#server/billing/quotes/quote.ts";
import * as paths from "#server/foundation/paths.ts";
import { makeStaff, staffBrowser } from "#tests/support/desk.ts";
import { HttpBrowser, hiddenFieldValue, mainContentOf } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { freshEmail, toReview } from "#tests/support/journey.ts";
import { numberOf } from "#tests/support/orders.ts";
import { makeQuoteOf, sendQuote } from "#tests/support/quotes.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;

let desk: HttpBrowser;
beforeAll(async () => {
  desk = await staffBrowser(context, stack.url, await makeStaff(context, "support"));
});

const list = async (narrowed: { search?: string; only?: string }) =>
  mainContentOf((await desk.get(paths.deskOrders(narrowed))).text);
/** Returns the text of the first table row that contains `said`. */
function rowWith(html: string, said: string): string {
  const rows = [...html.matchAll(/<tr.*?<\/tr>/gs)].map(([each]) => each);
  return wordsOf(rows.find((each) => each.includes(said)) ?? "");
}
const row = (html: string, id: OrderId) => rowWith(html, paths.deskOrder(id));

async function latestOf(id: OrderId) {
  const quote = await findLatestVersion(db, id);
  if (quote === null) throw new Error("Expected the order to have a quote");
  return quote;
}

test("shows number, version and end of each quote, and filters by quotes, also in CSV", async () => {
  const browser = new HttpBrowser(stack.url);
  const quoted = await toReview(browser, { quantity: 4 });
  const plain = await toReview(new HttpBrowser(stack.url));
  await makeQuoteOf(browser, quoted);
  await browser.post(`${quoted.path}/subscription-details`, { term: "P1Y", quantity: "7" });
  await renewQuote(context, quoted.id);
  const quote = await latestOf(quoted.id);
  expect(quote.version).toBe(2);
  const number = formatQuoteNumber(quote);
  const until = quote.validUntil.toISOString();

  const all = await list({});
  expect(row(all, quoted.id)).toContain(`${number}, valid until`);
  expect(all).toContain(until);
  expect(row(all, plain.id)).toContain("₹");
  expect(row(all, plain.id)).not.toContain("valid until");
  const quotes = await list({ only: "quotes" });
  expect(row(quotes, quoted.id)).toContain(number);
  expect(quotes).not.toContain(paths.deskOrder(plain.id));
  // Also with a search; an unknown filter is ignored.
  const found = (id: OrderId, only: string) =>
    numberOf(db, id).then((search) =>
      list({ search, only }).then((html) => html.includes(paths.deskOrder(id))),
    );
  expect(await found(quoted.id, "quotes")).toBe(true);
  expect(await found(plain.id, "quotes")).toBe(false);
  expect(await found(plain.id, "else")).toBe(true);
  expect(quotes).toContain(`href="${paths.deskOrdersCsv({ only: "quotes" })}"`);
  const file = (await desk.get(paths.deskOrdersCsv({ only: "quotes" }))).text;
  expect(file.split("\r\n")[0]).toContain("quote,valid until");
  expect(file).toContain(`${number},${until}`);
  expect(file).not.toContain(await numberOf(db, plain.id));
});

test("finds an order by its quote's number, a version or a recipient, in any case", async () => {
  const browser = new HttpBrowser(stack.url);
  const quoted = await toReview(browser, { quantity: 4 });
  const first = await makeQuoteOf(browser, quoted);
  const approver = freshEmail();
  await sendQuote(db, browser, first, { kind: "approve", email: approver });
  await browser.post(`${quoted.path}/subscription-details`, { term: "P1Y", quantity: "7" });
  await renewQuote(context, quoted.id);
  const payer = freshEmail();
  const { id, number } = await latestOf(quoted.id);
  await sendQuote(db, browser, id, { kind: "pay", email: payer });
  const stranger = new HttpBrowser(stack.url);
  const other = await toReview(stranger);
  await makeQuoteOf(stranger, other);
  const found = async (search: string) => {
    const html = await list({ search });
    return [quoted, other].filter((order) => html.includes(paths.deskOrder(order.id)));
  };
  for (const search of [
    number,
    number.toLowerCase(),
    `${number}/1`,
    `${number}/2`,
    approver,
    payer.toUpperCase(),
  ])
    expect(await found(search), search).toEqual([quoted]);
  for (const search of [`${number}/3`, `${number}/0`, `${number}9`, `x${payer}`])
    expect(await found(search), search).toEqual([]);
});

test("shows who was asked about each version, and the outcome", async () => {
  const browser = new HttpBrowser(stack.url);
  const order = await toReview(browser, { quantity: 4 });
  const page = async () => mainContentOf((await desk.get(paths.deskOrder(order.id))).text);
  expect(await page()).not.toContain('<h2 id="quote">');
  const first = await makeQuoteOf(browser, order);
  const [refuser, waiting, payer] = [freshEmail(), freshEmail(), freshEmail()];
  const link = await sendQuote(db, browser, first, { kind: "approve", email: refuser });
  await sendQuote(db, browser, first, { kind: "approve", email: waiting });
  const hash = hiddenFieldValue((await new HttpBrowser(stack.url).get(link)).text, "hash");
  await new HttpBrowser(stack.url).post(link, { intent: "refused", hash, words: "Too many <seats>" });
  const { number } = await latestOf(order.id);
  const before = await page();
  expect(wordsOf(before)).toContain(`${number}, version 1, valid until`);
  expect(wordsOf(before)).toMatch(/valid until [^:]*:?[^:]*: open/);
  expect(rowWith(before, refuser)).toMatch(/to approve .* declined .*“Too many &lt;seats&gt;”/);
  expect(rowWith(before, waiting)).toContain("no response yet");

  await browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "3" });
  await renewQuote(context, order.id);
  const second = await latestOf(order.id);
  await sendQuote(db, browser, second.id, { kind: "pay", email: payer });
  const after = await page();
  expect(wordsOf(after)).toContain(`${number}/2, version 2, valid until`);
  expect(rowWith(after, waiting)).toContain("void: order changed");
  expect(rowWith(after, refuser)).toContain("declined");
  expect(rowWith(after, payer)).toContain(`to pay`);
  expect(rowWith(after, payer)).toContain(`${number}/2`);
  expect(rowWith(after, payer)).toContain("no response yet");
});
