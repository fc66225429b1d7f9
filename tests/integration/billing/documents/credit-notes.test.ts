/**
 * Credit notes: one per refund of an invoiced payment, numbered without gaps and linked from pages, lists and a mail. The
 * invoice does not change.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { listUncreditedRefunds } from "#db/billing/credit-notes.ts";
import { savePayment } from "#db/billing/payments.ts";
import { spendByMonth } from "#db/billing/spend.ts";
import type { OrderId, RefundId } from "#db/ids.ts";
import { newId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { demoEmails } from "#sandbox/demo/login.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { creditNotesOf, issueCreditNote } from "#server/billing/documents/credit-note.ts";
import { creditNoteFactsSchema } from "#server/billing/documents/credit-note-facts.ts";
import { buildReturns } from "#server/billing/documents/gstr1/build.ts";
import { requestRefund } from "#server/billing/payments/refund.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import * as paths from "#server/foundation/paths.ts";
import { sendMail } from "#server/mail/send.ts";
import { lockOrder } from "#server/orders/find.ts";
import { zonedMonth } from "#server/orders/subscriptions/dates.ts";
import { type HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { returnsSince, wordsOf } from "#tests/support/invoice-documents.ts";
import { toCheckout } from "#tests/support/journey.ts";
import { makeCompany, makePerson, signedIn } from "#tests/support/orders.ts";
import { paidOrder, payFor } from "#tests/support/paid-order.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { refundPart } from "#tests/support/refunds.ts";
import { startStore } from "#tests/support/store.ts";

const startedAt = new Date();
const { stack, context, controls } = await startStore();
const { db, env } = context;
beforeAll(async () => {
  await loadDemoData(db);
});

const notesOf = (orderId: OrderId) =>
  db.selectFrom("credit_notes").selectAll().where("order_id", "=", orderId).orderBy("serial").execute();
const refundsOf = (orderId: OrderId) =>
  db.selectFrom("refunds").select("id").where("order_id", "=", orderId).execute();
async function hasNoGap(): Promise<void> {
  const all = await db.selectFrom("credit_notes").select(["series", "serial"]).orderBy("serial").execute();
  for (const series of new Set(all.map((row) => row.series))) {
    const rows = all.filter((row) => row.series === series);
    expect(rows.map(({ serial }) => serial)).toEqual(rows.map((_, index) => index + 1));
  }
}

async function fileOf(browser: HttpBrowser, refundId: RefundId) {
  const response = await fetch(new URL(paths.creditNotePdf(refundId), browser.origin), {
    headers: { Cookie: `session=${browser.cookie("session")}` },
    redirect: "manual",
  });
  return { response, file: new Uint8Array(await response.arrayBuffer()) };
}

test("issues a credit note for a partial refund and keeps the invoice", async () => {
  const order = await paidOrder(stack);
  const before = await order.browser.get(paths.invoice(order.id));
  const refundId = await refundPart(context, order.id, 50_050, {
    reason: "You removed one license.",
  });
  const [note] = await notesOf(order.id);
  expect(note).toMatchObject({ refund_id: refundId, total_minor: 50_050, currency: "INR", language: "en" });
  const page = await order.browser.get(paths.creditNote(refundId));
  expect(page.status).toBe(200);
  expect(page.text).not.toContain("__remixContext");
  const { response, file } = await fileOf(order.browser, refundId);
  expect(response.headers.get("content-type")).toBe("application/pdf");
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="credit-note-IN-C\d\d-\d\d-\d{6}\.pdf"$/,
  );
  for (const words of [wordsOf(page.text), (await pdfPages(file)).join(" ")]) {
    expect(words).toContain("Credit Note");
    expect(words).toContain(note?.number);
    expect(words).toContain(note?.invoice_number);
    expect(words).toContain("Acme Tools");
    expect(words).toContain("Karnataka (29)");
    expect(words).toContain("You removed one license.");
    expect(words).toMatch(/CGST 9% (₹[\d,.]+) SGST 9% \1/);
    expect(words).toContain("Total credited (INR) ₹500.50");
  }
  expect((await fileOf(order.browser, refundId)).file).toEqual(file);
  expect(mainContentOf((await order.browser.get(paths.invoice(order.id))).text)).toBe(
    mainContentOf(before.text),
  );
});

test("links the credit note in My Orders and in the mail, with the amount", async () => {
  const order = await paidOrder(stack);
  const refundId = await refundPart(context, order.id, 12_300, { by: "operator" });
  const [note] = await notesOf(order.id);
  const orders = (await order.browser.get("/myorders")).text;
  expect(orders).toContain(`href="${paths.creditNote(refundId)}"`);
  expect(orders).toContain(`href="${paths.invoice(order.id)}"`);
  expect(wordsOf(orders)).toContain("Credit note, ₹123");
  const mails = await db
    .selectFrom("mails")
    .select(["id", "kind"])
    .where("order_id", "=", order.id)
    .where("recipient", "=", order.email)
    .where("kind", "in", ["credit-note", "order-refunded"])
    .execute();
  expect(mails.map(({ kind }) => kind)).toEqual(["credit-note"]);
  for (const { id } of mails) await sendMail(context, id);
  const mail = (await controls.inbox(order.email)).find(({ subject }) => subject.includes("Credit note"));
  expect(mail?.subject).toBe(`Credit note ${note?.number}: refund of ₹123`);
  expect(mail?.text).toContain(note?.invoice_number);
  expect(mail?.text).toContain(`${env.PUBLIC_URL}${paths.creditNote(refundId)}`);
});

test("shows the credit note in a fulfilled order's timeline with both amounts", async () => {
  const { id, total_minor } = await db
    .selectFrom("orders")
    .select(["id", "total_minor"])
    .where("stage", "=", "stage4")
    .where("family", "=", "google")
    .executeTakeFirstOrThrow();
  const user = await findUserByEmail(db, demoEmails.owner);
  if (user === null) throw new Error("Expected an owner");
  const owner = await signedIn(context, stack.url, { userId: user.id, email: user.email });
  const refundId = await refundPart(context, id, 12_300);
  const [note] = await notesOf(id);
  const place = { id, family: "google", item: "google-workspace-business-starter", country: "IN" } as const;
  const page = (await owner.get(`${paths.order(place)}/order-processed`)).text;
  expect(page).toContain(`href="${paths.creditNote(refundId)}"`);
  expect(page).toContain(`href="${paths.invoice(id)}"`);
  expect(wordsOf(page)).toContain(`₹123 refunded: credit note ${note?.number}`);
  expect(wordsOf(page)).toContain(`Invoice, ${formatMoney(money(total_minor, "INR"))}`);
  expect(wordsOf(page)).toContain("Credit note, ₹123");
});

test("returns 404 to another company and for unknown ids", async () => {
  const order = await paidOrder(stack);
  const refundId = await refundPart(context, order.id, 100);
  const stranger = await makePerson(db);
  await makeCompany(db, stranger, "Other Tools");
  const browser = await signedIn(context, stack.url, stranger);
  expect((await browser.get(paths.creditNote(refundId))).status).toBe(404);
  expect((await fileOf(browser, refundId)).response.status).toBe(404);
  for (const id of [order.id, "not-an-id"])
    expect((await order.browser.get(paths.creditNote(id))).status).toBe(404);
});

test("issues an American credit note without tax in its own series", async () => {
  const order = await toCheckout(stack.url, { country: "US" });
  await payFor(order, stack.sandboxUrl);
  const refundId = await refundPart(context, order.id, 1_234);
  const words = wordsOf(mainContentOf((await order.browser.get(paths.creditNote(refundId))).text));
  expect(words).toMatch(/US\/C\d{4}\/000001/);
  expect(words).toContain("Total credited (USD) $12.34");
  expect(words).not.toMatch(/GST|SAC/);
});

describe("20 simultaneous refunds", () => {
  test("issues one each for an order without gaps, up to the invoiced amount", async () => {
    const order = await paidOrder(stack);
    const part = Math.ceil(order.totalMinor / 16);
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, () => refundPart(context, order.id, part)),
    );
    const made = attempts.filter(({ status }) => status === "fulfilled");
    for (const each of attempts)
      if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "conflict" });
    const notes = await notesOf(order.id);
    expect(notes).toHaveLength(Math.floor(order.totalMinor / part));
    expect(made).toHaveLength(notes.length);
    // Refused refunds left neither a refund nor a gap.
    expect(await refundsOf(order.id)).toHaveLength(notes.length);
    expect(notes.reduce((sum, { total_minor }) => sum + total_minor, 0)).toBeLessThanOrEqual(
      order.totalMinor,
    );
    await hasNoGap();
  });

  test("skips no number when a third of the refunds of four orders are rolled back", async () => {
    const orders = await Promise.all([1, 2, 3, 4].map(() => paidOrder(stack)));
    const ask = (orderId: OrderId, isUndone: boolean) =>
      db.transaction().execute(async (trx) => {
        const order = await lockOrder(trx, orderId);
        const [payment] = await trx
          .selectFrom("payments")
          .select(["provider", "provider_payment_id as providerPaymentId"])
          .where("order_id", "=", orderId)
          .execute();
        if (payment === undefined) throw new Error("Expected a payment");
        const amount = money(1_000, order.total.currency);
        await requestRefund(trx, env, { order, payment, amount, reason: "A test.", by: "buyer" });
        if (isUndone) throw new Error("undone");
      });
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        ask(orders[index % 4]?.id ?? newId<OrderId>(), index % 3 === 0),
      ),
    );
    expect(attempts.filter(({ status }) => status === "rejected")).toHaveLength(7);
    const counts = await Promise.all(orders.map(async ({ id }) => (await notesOf(id)).length));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(13);
    await hasNoGap();
  });
});

test("issues one credit note per refund when repeated, up to the invoiced amount", async () => {
  const order = await paidOrder(stack);
  const refundId = await refundPart(context, order.id, 1_000);
  const again = (id: RefundId, minor: number, currency: "INR" | "USD" = "INR") =>
    db.transaction().execute((trx) =>
      issueCreditNote(trx, env, {
        orderId: order.id,
        refundId: id,
        amount: money(minor, currency),
        reason: "A test.",
        now: new Date(),
      }),
    );
  const [first] = await notesOf(order.id);
  expect((await again(refundId, 1_000))?.number).toBe(first?.number);
  await expect(again(newId<RefundId>(), order.totalMinor - 999)).rejects.toThrow(RangeError);
  await expect(again(newId<RefundId>(), 1, "USD")).rejects.toThrow(RangeError);
  expect(await notesOf(order.id)).toHaveLength(1);
  await hasNoGap();
});

test("issues no credit note for a surplus or mismatch, which was never invoiced", async () => {
  const order = await paidOrder(stack);
  for (const status of ["surplus", "mismatch"] as const) {
    const payment = { provider: "razorpay", providerPaymentId: `pay_${newId()}` } as const;
    await savePayment(db, {
      ...payment,
      orderId: order.id,
      account: "IN",
      providerOrderId: order.providerOrderId,
      amountMinor: 5_000,
      customerFeeMinor: 0,
      currency: "INR",
      method: "card",
      status,
      problem: "A test.",
    });
    await db.transaction().execute(async (trx) => {
      const found = await lockOrder(trx, order.id);
      const amount = money(5_000, "INR");
      await requestRefund(trx, env, { order: found, payment, amount, reason: "A test.", by: "store" });
    });
  }
  expect(await refundsOf(order.id)).toHaveLength(2);
  expect(await notesOf(order.id)).toEqual([]);
  expect((await order.browser.get("/myorders")).text).not.toContain(formatMoney(money(5_000, "INR")));
});

test("ignores a failed refund's credit note in later refunds, books and spend", async () => {
  const order = await paidOrder(stack);
  const { total } = await db.transaction().execute((trx) => lockOrder(trx, order.id));
  const failed = await refundPart(context, order.id, total.minor);
  await db.updateTable("refunds").set({ status: "failed" }).where("id", "=", failed).execute();
  const found = await listUncreditedRefunds(db);
  const [note] = await notesOf(order.id);
  expect(found).toContainEqual(
    expect.objectContaining({ refundId: failed, creditNote: note?.number, amountMinor: total.minor }),
  );
  const again = await refundPart(context, order.id, total.minor - 10_000);
  const notes = await creditNotesOf(db, [order.id]);
  expect(notes.map(({ id, amount }) => [id, amount.minor])).toEqual([[again, total.minor - 10_000]]);

  const { customer_id: customerId, paid_at } = await db
    .selectFrom("orders")
    .select(["customer_id", "paid_at"])
    .where("id", "=", order.id)
    .executeTakeFirstOrThrow();
  if (customerId === null || paid_at === null) throw new Error("Expected a paid order of a customer");
  const spend = await spendByMonth(db, customerId, { from: "2000-01", timeZone: "UTC", family: null });
  expect(spend.map(({ amount }) => amount.minor)).toEqual([10_000]);

  const returns = await returnsSince(db, startedAt);
  const series = returns.flatMap(({ table }) => table.doc_issue.doc_det.flatMap(({ docs }) => docs));
  expect(series.find(({ from }) => from.includes("/C"))?.cancel).toBe(1);
});

test("subtracts a credit note in the month's return", async () => {
  const order = await paidOrder(stack);
  await refundPart(context, order.id, 50_000);
  const [note] = await notesOf(order.id);
  if (note === undefined) throw new Error("Expected a credit note");
  const { subtotalMinor } = creditNoteFactsSchema.parse(note.facts);
  const month = zonedMonth(note.issued_at, "IN");
  const noted = (await buildReturns(db, month)).returns.flatMap(({ table }) => table.doc_issue.doc_det);
  expect(noted.find(({ doc_typ }) => doc_typ === "Credit Note")?.docs.length).toBeGreaterThan(0);
  const sumOf = async () =>
    (await buildReturns(db, month)).returns
      .flatMap(({ table }) => table.b2cs)
      .reduce((sum, { txval }) => sum + Math.round(txval * 100), 0);
  const before = await sumOf();
  await refundPart(context, order.id, 50_000);
  const [, second] = await notesOf(order.id);
  expect(before - (await sumOf())).toBe(creditNoteFactsSchema.parse(second?.facts).subtotalMinor);
  expect(subtotalMinor).toBeGreaterThan(0);
});
