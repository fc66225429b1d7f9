/**
 * The total is the same on every page and document: in cents in the USA, in whole rupees in India. A licence for the last day of
 * a term can cost less than the smallest payment; the store says so before Place Order and begins nothing.
 */
import { describe, expect, test } from "vitest";
import { type OrderId, parseId } from "#db/ids.ts";
import { createSession } from "#server/accounts/sessions.ts";
import { queueMail } from "#server/foundation/outbox/mail.ts";
import * as paths from "#server/foundation/paths.ts";
import { sendMail } from "#server/mail/send.ts";
import { ApiClient, requireSuccess } from "#tests/support/api-client.ts";
import { changeCallPath, moreData, paymentSchema } from "#tests/support/change-by-api.ts";
import { beginChange, changePath, openPayment } from "#tests/support/changes.ts";
import { createSubscriptionFor, makeCustomer, type SubscriptionSpec } from "#tests/support/customer.ts";
import { digestDatabase } from "#tests/support/digest.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { pdfOf, wordsOf } from "#tests/support/invoice-documents.ts";
import {
  type OrderPlace,
  placeOrder,
  providerOrderOf,
  returnForm,
  toReview,
} from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();

async function holding(what: SubscriptionSpec, country: "IN" | "US") {
  const customer = await makeCustomer(context.db, country);
  const held = await createSubscriptionFor(context.db, customer, what);
  const { token } = await createSession(context.db, context.env.SESSION_SECRETS, customer.owner.userId);
  return {
    ...customer,
    held,
    browser: await signedIn(context, stack.url, customer.owner),
    client: new ApiClient(stack.url, token),
  };
}

const orderOf = ({ id }: OrderPlace) =>
  context.db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

async function mailedTotal({ id }: OrderPlace, email: string): Promise<string> {
  const dedupeKey = `total-of:${id}`;
  await context.db
    .transaction()
    .execute((trx) =>
      queueMail(trx, { kind: "order-confirmation", dedupeKey, recipient: email, orderId: id }),
    );
  const mail = await context.db
    .selectFrom("mails")
    .select("id")
    .where("dedupe_key", "=", dedupeKey)
    .executeTakeFirstOrThrow();
  await sendMail(context, mail.id);
  return (await controls.inbox(email))[0]?.text ?? "";
}

/** Pays an open order. @returns its total from every place that shows it */
async function everywhere(browser: HttpBrowser, order: OrderPlace, providerOrderId: string, email: string) {
  const review = wordsOf((await browser.get(`${order.path}/place-order`)).text);
  const requested = (await controls.state()).razorpay.orders.find(({ id }) => id === providerOrderId)?.amount;
  const paid = await controls.pay({ orderId: providerOrderId, webhook: false });
  await browser.post("/payments/return", returnForm(providerOrderId, paid));
  const invoice = wordsOf((await browser.get(paths.invoice(order.id))).text);
  const { pages } = await pdfOf(browser, order.id);
  const orders = wordsOf((await browser.get("/myorders")).text);
  return { review, requested, invoice, pdf: pages.join(" "), orders, mail: await mailedTotal(order, email) };
}

function expectOneTotal(seen: Awaited<ReturnType<typeof everywhere>>, minor: number): void {
  const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(minor / 100);
  expect(minor % 100).not.toBe(0);
  expect(seen.requested).toBe(minor);
  expect(seen.review).toContain(`Total ${dollars}`);
  expect(seen.review).toContain(`Pay ${dollars}`);
  expect(seen.orders).toContain(`Grand total ${dollars}`);
  expect(seen.mail).toContain(`Paid: ${dollars}\n`);
  for (const paper of [seen.invoice, seen.pdf]) expect(paper).toContain(`Total (USD) ${dollars}`);
  for (const words of Object.values(seen))
    expect(String(words)).not.toMatch(/\bRounding\b|[Rr]ounded to the/);
}

describe("charges cents in the USA, the same on page, API, provider, invoice, PDF and mail", () => {
  test("applies to a new subscription", async () => {
    const browser = new HttpBrowser(stack.url);
    const order = await toReview(browser, { country: "US", quantity: 17 });
    expect(order.totalMinor).toBe(17 * 68_40);
    await placeOrder(browser, order);
    const client = new ApiClient(stack.url);
    client.browser.setCookie("session", browser.cookie("session") ?? "");
    const details = await client.get(`/placeorder?id=${order.id}`);
    expect(details.body).toMatchObject({ total_price: 1162.8, grand_total: 1162.8, amount: 116_280 });
    const seen = await everywhere(browser, order, await providerOrderOf(browser, order), order.email);
    expectOneTotal(seen, 116_280);
  });

  test("applies to licences until the end of a term, ordered through the API", async () => {
    const asking = await holding({ family: "microsoft", quantity: 10, endsInDays: 112 }, "US");
    const path = changeCallPath("add", asking.held);
    const { cost_per_person: cost } = requireSuccess(moreData, await asking.client.get(path));
    const total = Math.round(cost * 100 * 3);
    const open = requireSuccess(
      paymentSchema,
      await asking.client.post(path, {
        terms: true,
        payment_details: { quantity: 3, amount: total / 100, tax_amount: 0, total_amount: total / 100 },
      }),
    );
    expect(open).toMatchObject({ amount: total, currency: "USD" });
    const id = parseId<OrderId>(open.id);
    if (id === null) throw new Error(`Expected an id, got ${open.id}`);
    const order = { id, path: `/buy/more/${asking.held.id}/${id}` };
    const seen = await everywhere(asking.browser, order, open.razorpay_order_id, asking.owner.email);
    expectOneTotal(seen, total);
  });
});

describe("a licence bought one day before the end", () => {
  const lastDay = { family: "brio", quantity: 10, endsInDays: 0.9 } as const;

  test("costs whole rupees in India", async () => {
    const { browser, held } = await holding(lastDay, "IN");
    const order = await beginChange(browser, "more", held.id, 1);
    // ₹1,548 a year, for one day of 365, plus tax.
    expect(await orderOf(order)).toMatchObject({ subtotal_minor: 424, tax_minor: 76, total_minor: 500 });
    const providerOrderId = await openPayment(browser, order);
    const { razorpay } = await controls.state();
    expect(razorpay.orders.find(({ id }) => id === providerOrderId)?.amount).toBe(500);
  });

  test("costs too little in dollars: page and API refuse it, and nothing begins", async () => {
    const { browser, client, held } = await holding(lastDay, "US");
    const before = await digestDatabase(context.db);
    const created = (await controls.state()).counts["razorpay.order.create"];
    const page = await browser.post(changePath("more", held.id), { quantity: "1" });
    expect(page.status).toBe(400);
    expect(wordsOf(page.text)).toContain(
      "1 license until the end of this term comes to $0.08, but the smallest payment we can take is $0.50. Renew the subscription first and add licenses then, or add more of them now.",
    );
    const call = await client.post(changeCallPath("add", held), {
      terms: true,
      payment_details: { quantity: 1, total_amount: 0.08 },
    });
    expect([call.status, call.body]).toMatchObject([
      400,
      { status: "fail", fields: { "payment_details.quantity": expect.stringContaining("$0.50") } },
    ]);
    expect(await digestDatabase(context.db)).toEqual(before);
    expect((await controls.state()).counts["razorpay.order.create"]).toBe(created);
  });

  test("accepts dollars if there are enough licences", async () => {
    const { browser, held } = await holding(lastDay, "US");
    const order = await beginChange(browser, "more", held.id, 7);
    expect(await orderOf(order)).toMatchObject({ subtotal_minor: 56, rounding_minor: 0, total_minor: 56 });
    expect(await openPayment(browser, order)).toMatch(/^order_/);
  });

  test("links to the renewal on the review if it has become too cheap", async () => {
    const { browser, held } = await holding(lastDay, "US");
    const order = await beginChange(browser, "more", held.id, 7);
    const { db } = context;
    await db
      .updateTable("orders")
      .set({ total_minor: 12, subtotal_minor: 12 })
      .where("id", "=", order.id)
      .execute();
    const review = await browser.get(`${order.path}/place-order`);
    expect(wordsOf(review.text)).toContain("the smallest payment we can take is $0.50");
    expect(review.text).toContain(`href="${changePath("renew", held.id)}"`);
    expect(review.text).not.toContain("Place Order</button>");
    const posted = await browser.post(`${order.path}/place-order`, {
      intent: "place-order",
      terms: "on",
      total: "12",
    });
    expect(posted.status).toBe(409);
    expect(await orderOf(order)).toMatchObject({ payment_status: "none" });
  });
});
