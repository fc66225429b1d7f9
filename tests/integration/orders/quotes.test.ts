/**
 * Quotes (docs/decisions/quotes.md#quotes): the quote is the order, with its price held; a change of the order makes the next version and ends
 * the earlier one, whatever made the change.
 */
import { describe, expect, test } from "vitest";
import { type OrderId, parseId, type QuoteId } from "#db/ids.ts";
import { invoicePdf } from "#server/billing/documents/pdf.ts";
import { openQuote, renewQuote } from "#server/billing/quotes/quote.ts";
import { quoteFingerprint } from "#server/billing/quotes/quote-fingerprint.ts";
import { quoteView } from "#server/billing/quotes/view.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import * as paths from "#server/foundation/paths.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { accountForm, beginOrder, placeOrder, toReview, totalOnReview } from "#tests/support/journey.ts";
import { join, mailsOfOrder, makePerson, signedIn } from "#tests/support/orders.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { confirmEmail } from "#tests/support/people.ts";
import { queuedJobs } from "#tests/support/queue.ts";
import { newestQuote } from "#tests/support/quotes.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;
const dayMs = 86_400_000;

async function quoted(quantity = 4) {
  const browser = new HttpBrowser(stack.url);
  const order = await toReview(browser, { quantity });
  await confirmEmail(db, order.email);
  const { location } = await browser.post(paths.orderQuote(order.id), {});
  return { browser, ...order, path: location ?? "", steps: order.path, quoteId: quoteIn(location) };
}

function quoteIn(location: string | null): QuoteId {
  const id = parseId<QuoteId>(location?.split("/").at(-1));
  if (id === null) throw new Error(`Expected the path of a quote, got ${location}`);
  return id;
}

async function orderOf(id: OrderId) {
  const order = await findOrder(db, id);
  if (order === null) throw new Error(`Order ${id} not found`);
  return order;
}

const changeSeats = ({ browser, steps }: { browser: HttpBrowser; steps: string }, quantity: number) =>
  browser.post(`${steps}/subscription-details`, { term: "P1Y", quantity: String(quantity) });

const stateOf = async (id: QuoteId, now = new Date()) => (await openQuote(db, id, now))?.state;
const waiting = async (id: OrderId) =>
  (await queuedJobs(db)).filter(({ task, key }) => task === "renew-quote" && key === `quote:${id}`);

/** Moves an order's `priced_at` back by `days`. */
async function age(id: OrderId, days: number) {
  const order = await orderOf(id);
  const earlier = (at: Date) => new Date(at.getTime() - days * dayMs);
  await db
    .updateTable("orders")
    .set({ priced_at: earlier(order.pricedAt) })
    .where("id", "=", id)
    .execute();
}

describe("a quote", () => {
  test("shows number, end, transfer reference and link code on page, PDF and mail", async () => {
    const { browser, id, path, quoteId, totalMinor } = await quoted();
    const quote = await newestQuote(db, id);
    if (quote === null) throw new Error("Expected a quote");
    expect(quote.number).toMatch(/^QT\/IN\/\d\d-\d\d\/\d{6}$/);
    const order = await orderOf(id);
    expect(quote.facts.totalMinor).toBe(totalMinor);
    expect(order.priceHeldUntil).toEqual(quote.validUntil);
    expect(quote.validUntil.getTime() - quote.issuedAt.getTime()).toBeGreaterThan(13.9 * dayMs);

    const page = await browser.get(path);
    expect(page.status).toBe(200);
    const view = quoteView(quote, stack.url);
    const said = [quote.number, orderNumber(order), formatMoney(order.total), `${stack.url}${path}`];
    for (const words of [...said, "Reference for a transfer", "Accept and place the order"])
      expect(page.text).toContain(words);
    expect(page.text).toContain(view.registration?.qr?.path ?? "no code");
    const [text = ""] = await pdfPages(await invoicePdf(view, quote.issuedAt));
    for (const words of [quote.number, orderNumber(order), "Quoted to", "not a tax invoice"])
      expect(text).toContain(words);
    const pdf = await browser.ask(paths.quotePdf(quoteId));
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    expect((await mailsOfOrder(db, id)).map(({ kind }) => kind)).toEqual(["quote"]);
  });

  test("keeps one number for repeated requests; numbers have no gaps", async () => {
    const one = await quoted();
    const again = await Promise.all([1, 2, 3].map(() => one.browser.post(paths.orderQuote(one.id), {})));
    expect(again.map(({ location }) => location)).toEqual([one.path, one.path, one.path]);
    const next = await quoted();
    const [first, second] = [await newestQuote(db, one.id), await newestQuote(db, next.id)];
    expect(second?.serial).toBe((first?.serial ?? 0) + 1);
  });

  test("requires an account, and is available for any priced order in the cart", async () => {
    const browser = new HttpBrowser(stack.url);
    const order = await toReview(browser);
    const cart = await browser.get("/cart");
    expect(cart.text).toContain(`action="${paths.orderQuote(order.id)}"`);
    const begun = await beginOrder(browser);
    expect((await browser.get("/cart")).text).not.toContain(paths.orderQuote(begun.id));
    expect((await browser.post(paths.orderQuote(begun.id), {})).status).toBe(400);
    expect(await newestQuote(db, begun.id)).toBeNull();
  });

  test("stays open when accepted by placing the order", async () => {
    const order = await quoted();
    await placeOrder(order.browser, { path: order.steps, totalMinor: order.totalMinor });
    expect(await orderOf(order.id)).toMatchObject({ paymentStatus: "pending", version: expect.any(Number) });
    expect(await stateOf(order.quoteId)).toBe("open");
  });

  test("opens for members of the company only", async () => {
    const { browser, id, path, quoteId } = await quoted();
    const order = await orderOf(id);
    const viewer = await makePerson(db);
    if (order.customerId === null) throw new Error("Expected a company");
    await join(db, order.customerId, viewer, "viewer");
    const reading = await signedIn(context, stack.url, viewer);
    const page = await reading.get(path);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("Accept and place the order");
    expect((await reading.post(paths.orderQuote(id), {})).status).toBe(404);
    const stranger = await signedIn(context, stack.url, await makePerson(db));
    for (const address of [path, paths.quotePdf(quoteId)])
      expect((await stranger.get(address)).status, address).toBe(404);
    expect((await new HttpBrowser(stack.url).get(path)).location).toContain("/login");
    expect((await browser.get(paths.orderQuote(id))).location).toBe(path);
  });
});

describe("the price", () => {
  test("holds until the quote's end, even past the draft's price hold", async () => {
    const order = await quoted();
    await age(order.id, 10);
    const { pricedAt } = await orderOf(order.id);
    await placeOrder(order.browser, { path: order.steps, totalMinor: order.totalMinor });
    expect((await orderOf(order.id)).pricedAt).toEqual(pricedAt);
    expect(await stateOf(order.quoteId)).toBe("open");
  });

  test("becomes today's after the end, in a new version", async () => {
    const order = await quoted();
    await age(order.id, 20);
    const past = new Date(Date.now() - 1_000);
    await db
      .updateTable("quotes")
      .set({ valid_until: past, hash: quoteFingerprint(await orderOf(order.id), past) })
      .where("order_id", "=", order.id)
      .execute();
    await db.updateTable("orders").set({ price_held_until: past }).where("id", "=", order.id).execute();
    const ended = await order.browser.get(order.path);
    expect(ended.text).toContain("Create new quote");
    const { location } = await order.browser.post(paths.orderQuote(order.id), {});
    const next = await newestQuote(db, order.id);
    expect(location).toBe(paths.quote(next?.id ?? ""));
    expect(next?.version).toBe(2);
    expect(Date.now() - (await orderOf(order.id)).pricedAt.getTime()).toBeLessThan(60_000);
  });
});

describe("a change of the order", () => {
  test("ends the quote at once, and its page links to the next version", async () => {
    const order = await quoted(4);
    await changeSeats(order, 5);
    expect(await stateOf(order.quoteId)).toBe("changed");
    expect((await order.browser.get(order.path)).text).toContain("We&#x27;re creating the new one");
    expect(await waiting(order.id)).toHaveLength(1);
    await renewQuote(context, order.id);
    const next = await newestQuote(db, order.id);
    expect(next).toMatchObject({
      version: 2,
      facts: { totalMinor: await totalOnReview(order.browser, { path: order.steps }) },
    });
    const old = await order.browser.get(order.path);
    expect(old.text).toContain(`${next?.number}/2`);
    expect(old.text).toContain(paths.quote(next?.id ?? ""));
    expect(old.text).not.toContain("Accept and place the order");
    expect(await stateOf(next?.id ?? order.quoteId)).toBe("open");
    expect((await orderOf(order.id)).priceHeldUntil).toEqual(next?.validUntil);
    expect((await mailsOfOrder(db, order.id)).filter(({ kind }) => kind === "quote")).toHaveLength(2);
  });

  test("creates a version for a new recipient too, with the same end", async () => {
    const order = await quoted();
    const first = await newestQuote(db, order.id);
    const form = { ...accountForm(order.email), addressLine1: "9 Other Road" };
    await order.browser.post(`${order.steps}/create-account`, form);
    await renewQuote(context, order.id);
    const next = await newestQuote(db, order.id);
    expect(next?.version).toBe(2);
    expect(next?.validUntil).toEqual(first?.validUntil);
    expect(next?.facts.recipient.addressLines).toContain("9 Other Road");
  });

  test("creates a version with the new purchase order number", async () => {
    const order = await quoted();
    await order.browser.post(paths.orderReferences(order.id), {
      purchaseOrder: "PO-4711",
      costCentre: "",
      note: "",
    });
    expect(await stateOf(order.quoteId)).toBe("changed");
    await renewQuote(context, order.id);
    const next = await newestQuote(db, order.id);
    expect(next).toMatchObject({ version: 2, facts: { references: { purchaseOrder: "PO-4711" } } });
    expect((await order.browser.get(paths.quote(next?.id ?? ""))).text).toContain("PO-4711");
  });

  test("keeps the quote and its price if changed back", async () => {
    const order = await quoted(4);
    await changeSeats(order, 5);
    await changeSeats(order, 4);
    await renewQuote(context, order.id);
    const latest = await newestQuote(db, order.id);
    expect(latest?.version).toBe(1);
    expect(await stateOf(order.quoteId)).toBe("open");
    expect((await orderOf(order.id)).priceHeldUntil).toEqual(latest?.validUntil);
  });

  test("creates no version if nothing differs", async () => {
    const order = await quoted(4);
    await order.browser.post(`${order.steps}/create-account`, accountForm(order.email));
    await changeSeats(order, 4);
    await renewQuote(context, order.id);
    await renewQuote(context, order.id);
    expect((await newestQuote(db, order.id))?.version).toBe(1);
  });
});
