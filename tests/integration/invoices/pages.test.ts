/** The invoice's page and PDF over HTTP: what they say, whom they are for, and the links that lead to them. */
import { beforeAll, expect, test } from "vitest";
import { findUserByEmail } from "#server/accounts/users.ts";
import { loadDemoData } from "#server/commands/demo-data.ts";
import { demoEmails } from "#server/commands/demo-login.ts";
import { sendMail } from "#server/mail/send.ts";
import { queueMail } from "#server/outbox/mail.ts";
import * as paths from "#server/paths.ts";
import { type Browserless, mainOf } from "#tests/support/browserless.ts";
import { pdfOf, wordsOf } from "#tests/support/invoice-documents.ts";
import { toCheckout } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import { paidOrder } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, levers } = await startStore();
beforeAll(async () => {
  await loadDemoData(context.db);
}, 180_000);

async function browserOf(email: string): Promise<Browserless> {
  const user = await findUserByEmail(context.db, email);
  if (user === null) throw new Error(`No ${email}`);
  return signedIn(context, stack.url, { userId: user.id, email });
}

test("an order just paid has its invoice: page and PDF say number, parties, GSTINs, tax and total", async () => {
  const order = await paidOrder(stack);
  const page = await order.browser.get(paths.invoice(order.id));
  expect(page.status).toBe(200);
  // No React: the page is to be read and printed.
  expect(page.text).not.toContain("__remixContext");
  const { response, pages } = await pdfOf(order.browser, order.id);
  expect(response.headers.get("content-type")).toBe("application/pdf");
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="invoice-IN-\d\d-\d\d-\d{6}\.pdf"$/,
  );
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const total = new Intl.NumberFormat("en-IN", { minimumFractionDigits: 2 }).format(order.totalMinor / 100);
  for (const words of [wordsOf(page.text), pages.join(" ")]) {
    expect(words).toContain("Tax Invoice");
    expect(words).toMatch(/IN\/\d\d-\d\d\/\d{6}/);
    expect(words).toContain("Acme Tools");
    expect(words).toContain("GSTIN 29AABCH9876K1ZR");
    expect(words).toContain("Karnataka (29)");
    expect(words).toContain("997331");
    expect(words).toMatch(/CGST 9% ₹[\d,.]+ SGST 9% ₹[\d,.]+/);
    expect(words).toContain(`Total (INR) ₹${total}`);
    expect(words).toContain("This is a computer-generated invoice");
  }
  expect(page.text).toContain(`href="${paths.invoicePdf(order.id)}"`);
});

test("an American order has a plain one, in dollars", async () => {
  const order = await toCheckout(stack.url, { country: "US" });
  const { paymentId, signature } = await levers.pay({
    orderId: order.providerOrderId,
    webhook: false,
  });
  await order.browser.post("/payments/return", {
    razorpay_payment_id: paymentId,
    razorpay_order_id: order.providerOrderId,
    razorpay_signature: signature,
  });
  const page = wordsOf(mainOf((await order.browser.get(paths.invoice(order.id))).text));
  const { pages } = await pdfOf(order.browser, order.id);
  for (const words of [page, pages.join(" ")]) {
    expect(words).toMatch(/US\/\d{4}\/\d{6}/);
    expect(words).toMatch(/Total \(USD\) \$[\d,]+\.\d\d/);
    expect(words).not.toMatch(/GST|SAC|Tax Invoice|₹/);
    expect(words).toContain("Hubs of Happiness Incorporated");
    expect(words).toContain("San Francisco, California 94104");
    expect(words).not.toContain("7th Floor");
  }
});

test("an order that is not paid has none, and neither has one that is not there", async () => {
  const order = await toCheckout(stack.url);
  const nowhere = "3f0c0000-0000-4000-8000-000000000000";
  for (const id of [order.id, nowhere, "not-an-id"]) {
    expect((await order.browser.get(paths.invoice(id))).status).toBe(404);
    expect((await order.browser.get(paths.invoicePdf(id))).status).toBe(404);
  }
});

test("the demo's three paid orders have theirs, for owner and viewer alike, linked from the closure page", async () => {
  const { db } = context;
  const orders = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select(["orders.id", "invoices.number", "paid_at", "issued_at"])
    .where("stage", "=", "stage4")
    .orderBy("paid_at")
    .execute();
  expect(orders).toHaveLength(3);
  for (const { paid_at, issued_at } of orders) expect(issued_at).toEqual(paid_at);
  const [owner, viewer] = [await browserOf(demoEmails.owner), await browserOf(demoEmails.viewer)];
  for (const { id, number } of orders) {
    const page = await owner.get(paths.invoice(id));
    expect(wordsOf(page.text)).toContain(number);
    expect(wordsOf(page.text)).toContain("GSTIN 29AABCB1234C1ZA");
    expect((await viewer.get(paths.invoice(id))).text).toContain(number);
  }
  const [first] = orders;
  if (first === undefined) throw new Error("no order");
  const closure = await owner.get(
    `${paths.order({ id: first.id, family: "microsoft", item: "microsoft-365-business-standard", country: "IN" })}/order-processed`,
  );
  expect(closure.text).toContain(`href="${paths.invoice(first.id)}"`);
});

test("the mail that confirms an order leads to its invoice", async () => {
  const order = await paidOrder(stack);
  const { db, env } = context;
  await db.transaction().execute((trx) =>
    queueMail(trx, {
      kind: "order-confirmation",
      dedupeKey: `invoice-link:${order.id}`,
      recipient: order.email,
      orderId: order.id,
    }),
  );
  const { id } = await db
    .selectFrom("mails")
    .select("id")
    .where("dedupe_key", "=", `invoice-link:${order.id}`)
    .executeTakeFirstOrThrow();
  await sendMail(context, id);
  const [mail] = await levers.inbox(order.email);
  expect(mail?.text).toContain(`${env.PUBLIC_URL}${paths.invoice(order.id)}\n`);
});
