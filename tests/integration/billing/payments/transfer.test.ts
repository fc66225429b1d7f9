/**
 * Paying by transfer (docs/decisions/transfers.md#bank-transfer): whatever reaches the account of an order books itself once, regardless of who reports
 * it, in any order; each kind of mismatch has its message, its mails and its entry in the books.
 */
import { createHmac, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listUncreditedRefunds } from "#db/billing/credit-notes.ts";
import { listPayments } from "#db/billing/payments.ts";
import { money } from "#db/money.ts";
import { creditNotesOf } from "#server/billing/documents/credit-note.ts";
import { invoicePdf } from "#server/billing/documents/pdf.ts";
import { findProforma } from "#server/billing/documents/proforma.ts";
import { proformaView } from "#server/billing/documents/proforma-view.ts";
import { sendCertificateReminders } from "#server/billing/payments/certificates.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { refundByStaff } from "#server/billing/payments/staff-refund.ts";
import { sweepPayments } from "#server/billing/payments/sweep.ts";
import { handleProviderEvent } from "#server/billing/payments/webhook.ts";
import { findUncertified } from "#server/billing/reconciliation/money.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { tdsCertificateDue } from "#server/foundation/countries/financial-year.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import { dateView, yearAndMonth } from "#server/orders/subscriptions/dates.ts";
import { runCommand } from "#tests/support/command.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { type OrderPlace, pastAccount, placeOrder, toCheckout, toReview } from "#tests/support/journey.ts";
import { backdateCheckout, mailsOfOrder } from "#tests/support/orders.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { deleteQueuedJobs, queuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";
import {
  accountOf,
  accountsOf,
  askForProforma,
  type OpenTransfer,
  toTransfer,
} from "#tests/support/transfer.ts";

const { stack, context, controls } = await startStore();
const { db } = context;
// The tests post all webhooks themselves.
beforeEach(() => controls.webhooks("never"));
afterEach(async () => {
  await controls.faults();
  await deleteQueuedJobs(db);
});

const desk = { wanted: { family: "brio", item: "brio-desk" } };
const keys = context.env.razorpayAccounts.get("IN");
const dayMs = 86_400_000;

const settle = (providerOrderId: string, providerPaymentId: string) =>
  settlePayment(context, { provider: "bank-transfer", account: "IN", providerOrderId, providerPaymentId });

async function pay(order: OpenTransfer, amount: number) {
  const account = await accountOf(controls, order);
  return settle(account, await controls.credit({ accountId: account, amount }));
}

const factsOf = async ({ id }: OrderPlace) => {
  const order = await findOrder(db, id);
  if (order === null) throw new Error(`No order ${id}`);
  const payments = await db
    .selectFrom("payments")
    .select(["status", "amount_minor", "method"])
    .where("order_id", "=", id)
    .orderBy("created_at")
    .execute();
  const mails = (await mailsOfOrder(db, id)).map(({ kind }) => kind).sort();
  const jobs = (await queuedJobs(db)).flatMap(({ key }) => (key?.endsWith(id) ? [key] : []));
  const invoices = await db.selectFrom("invoices").select("number").where("order_id", "=", id).execute();
  const proformas = await db.selectFrom("proformas").selectAll().where("order_id", "=", id).execute();
  const refunds = await db.selectFrom("refunds").selectAll().where("order_id", "=", id).execute();
  return {
    order,
    payments,
    statuses: payments.map(({ status }) => status),
    mails,
    jobs,
    invoices,
    proformas,
    refunds,
  };
};

const pageOf = async (order: OpenTransfer) => (await order.browser.get(`/orders/${order.id}/proforma`)).text;

function webhook(account: string, paymentId: string, eventId: string = randomUUID()) {
  const body = JSON.stringify({
    entity: "event",
    event: "virtual_account.credited",
    payload: {
      payment: { entity: { id: paymentId, order_id: null } },
      virtual_account: { entity: { id: account } },
    },
  });
  return new HttpBrowser(stack.url).ask("/webhooks/bank-transfer", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Razorpay-Signature": createHmac("sha256", keys?.webhookSecret ?? "")
        .update(body)
        .digest("hex"),
      "X-Razorpay-Event-Id": eventId,
    },
    body,
  });
}

describe("the proforma", () => {
  test("names the account on its page, in its PDF and in the mail while the order waits", async () => {
    const order = await toTransfer(stack.url, desk);
    const [account] = await accountsOf(controls, order);
    const { proformas, mails, order: stored } = await factsOf(order);
    const [proforma] = proformas;
    expect(proforma?.number).toMatch(/^PF\/IN\/\d\d-\d\d\/\d{6}$/);
    expect(stored).toMatchObject({ stage: "stage2", paymentStatus: "pending" });
    expect(mails).toEqual(["proforma"]);

    const page = await pageOf(order);
    for (const said of [proforma?.number, account?.number, "RATN0VAAPIS", "We are waiting for your transfer"])
      expect(page).toContain(said);
    const copies = [...page.matchAll(/data-copy="([^"]*)"/g)].map(([, copied]) => copied);
    expect(copies.slice(0, 3)).toEqual([(order.totalMinor / 100).toFixed(2), account?.number, "RATN0VAAPIS"]);
    expect(page).toMatch(/\d+ days left/);
    const pdf = await order.browser.ask(`/orders/${order.id}/proforma.pdf`);
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    const issued = await findProforma(db, order.id);
    if (issued?.bank == null) throw new Error("Expected an open bank account");
    const [text = ""] = await pdfPages(await invoicePdf(proformaView(issued, issued.bank), issued.issuedAt));
    for (const said of ["Proforma invoice", proforma?.number, account?.number, "not a tax invoice"])
      expect(text).toContain(said);
  });

  test("exists once, with one account, for repeated requests", async () => {
    const order = await toTransfer(stack.url, desk);
    await Promise.all([1, 2, 3].map(() => askForProforma(order.browser, order)));
    expect((await factsOf(order)).proformas).toHaveLength(1);
    expect(await accountsOf(controls, order)).toHaveLength(1);
  });

  test("gets its account later when the provider does not respond", async () => {
    const browser = new HttpBrowser(stack.url);
    const order = await toReview(browser, desk);
    await controls.faults({ match: { method: "POST", path: "/virtual_accounts$" }, kind: "500", times: 9 });
    await askForProforma(browser, order);
    const open = { ...order, browser };
    expect(await pageOf(open)).toContain("We&#x27;re opening the bank account");
    expect((await factsOf(order)).mails).toEqual([]);
    await controls.faults();
    expect(await pageOf(open)).toContain("We are waiting for your transfer");
    expect((await factsOf(order)).mails).toEqual(["proforma"]);
    expect(await accountsOf(controls, order)).toHaveLength(1);
  });

  test("returns 404 to strangers", async () => {
    const order = await toTransfer(stack.url, desk);
    const stranger = new HttpBrowser(stack.url);
    await toReview(stranger, desk);
    for (const path of ["pay", "proforma", "proforma.pdf"])
      expect((await stranger.get(`/orders/${order.id}/${path}`)).status, path).toBe(404);
  });
});

describe("a transfer", () => {
  test("continues the order when complete", async () => {
    const order = await toTransfer(stack.url, desk);
    expect(await pay(order, order.totalMinor)).toMatchObject({ state: "completed" });
    const { order: paid, statuses, mails, invoices, jobs, payments } = await factsOf(order);
    expect(paid).toMatchObject({ stage: "stage3", paymentStatus: "completed" });
    expect(statuses).toEqual(["captured"]);
    expect(payments[0]?.method).toBe("bank_transfer");
    expect(mails).toEqual(["proforma", "transfer-received"]);
    expect(invoices).toHaveLength(1);
    expect(jobs).toHaveLength(1);
    expect(await pageOf(order)).toContain("We&#x27;ve received your payment in full");
  });

  test("waits for the rest when partial, and blocks the card checkout", async () => {
    const order = await toTransfer(stack.url, desk);
    const first = Math.floor(order.totalMinor / 3);
    expect(await pay(order, first)).toMatchObject({ state: "pending" });
    expect(await factsOf(order)).toMatchObject({
      order: { stage: "stage2", paymentStatus: "pending" },
      statuses: ["part"],
      invoices: [],
    });
    const page = await pageOf(order);
    expect(page).toContain("is still due: transfer it to the same account");
    const [received, total] = [first, order.totalMinor].map((minor) => formatMoney(money(minor, "INR")));
    expect(page).toContain(`${received} of ${total} arrived`);
    expect(page).toContain(`data-copy="${((order.totalMinor - first) / 100).toFixed(2)}"`);
    const review = (await order.browser.get(`${order.path}/place-order`)).text;
    expect(review).toContain("by bank transfer. Please transfer the rest");
    expect(review).not.toContain('value="place-order"');
    await expect(placeOrder(order.browser, order)).rejects.toThrow("409");

    expect(await pay(order, order.totalMinor - first)).toMatchObject({ state: "completed" });
    const { statuses, mails, invoices } = await factsOf(order);
    expect(statuses).toEqual(["part", "captured"]);
    // No action is needed, so the operator gets no mail.
    expect(mails).toEqual(["proforma", "transfer-received", "transfer-received"]);
    expect(invoices).toHaveLength(1);
  });

  test.each([200, 1000])(
    "continues when short by TDS at %i basis points and expects the certificate",
    async (rate) => {
      const order = await toTransfer(stack.url, { ...desk, quantity: 20 });
      const { order: stored } = await factsOf(order);
      const withheld = Math.round((stored.subtotal.minor * rate) / 10_000 / 100) * 100;
      expect(await pay(order, order.totalMinor - withheld)).toMatchObject({ state: "completed" });
      const { proformas, mails } = await factsOf(order);
      expect(proformas[0]).toMatchObject({ withheld_minor: withheld, surplus_minor: 0 });
      expect(mails).toEqual(["proforma", "transfer-received"]);
      expect(await pageOf(order)).toContain("which we take to be TDS");
      // The buyer transfers the withheld amount after all.
      expect(await pay(order, withheld)).toMatchObject({ state: "completed" });
      expect(await factsOf(order)).toMatchObject({
        statuses: ["captured", "part"],
        proformas: [{ withheld_minor: 0 }],
        mails: ["proforma", "transfer-received"],
      });
    },
  );

  test("continues when above the total and records the surplus", async () => {
    const order = await toTransfer(stack.url, desk);
    await pay(order, order.totalMinor + 5_00);
    const { proformas, statuses, mails, order: paid } = await factsOf(order);
    expect(paid.paymentStatus).toBe("completed");
    expect(proformas[0]).toMatchObject({ withheld_minor: 0, surplus_minor: 500 });
    expect(statuses).toEqual(["captured"]);
    expect(mails).toContain("operator-alert");
    expect(await pageOf(order)).toContain("You transferred ₹5 too much");
  });

  test("refunds a surplus first, without a credit note, as it was never invoiced", async () => {
    const order = await toTransfer(stack.url, desk);
    await pay(order, order.totalMinor + 5_00);
    const [payment] = await listPayments(db, order.id);
    const give = (amountMinor: number) =>
      refundByStaff(db, context.env, {
        target: payment?.providerPaymentId ?? "",
        amountMinor,
        reason: "A test.",
        allowDuplicate: false,
        by: "tester",
        isConfirmed: true,
      });
    const notes = async () => (await creditNotesOf(db, [order.id])).map(({ amount }) => amount.minor);
    await give(5_00);
    expect(await notes()).toEqual([]);
    await give(10_00);
    expect(await notes()).toEqual([10_00]);
    const { order: stored } = await factsOf(order);
    const uncredited = await listUncreditedRefunds(db);
    expect(uncredited.filter(({ number }) => number === stored.number)).toEqual([]);
  });

  test("asks which of several payments to refund", async () => {
    const order = await toTransfer(stack.url, desk);
    await pay(order, 100_00);
    await pay(order, order.totalMinor - 100_00);
    const input = {
      amountMinor: null,
      reason: "A test.",
      allowDuplicate: false,
      by: "tester",
      isConfirmed: true,
    };
    await expect(refundByStaff(db, context.env, { ...input, target: order.id })).rejects.toThrow(
      "This order has several payments.",
    );
  });

  test("turns up in the sweep when it arrives unreported after payment", async () => {
    const order = await toTransfer(stack.url, desk);
    await pay(order, order.totalMinor);
    await controls.credit({ accountId: await accountOf(controls, order), amount: 100_00 });
    await backdateCheckout(db, order.id, 24 * 60);
    await sweepPayments(context);
    expect((await factsOf(order)).statuses).toEqual(["captured", "surplus"]);
  });

  test("counts a second full amount as a surplus", async () => {
    const order = await toTransfer(stack.url, desk);
    await pay(order, order.totalMinor);
    await pay(order, order.totalMinor);
    expect(await factsOf(order)).toMatchObject({ statuses: ["captured", "surplus"] });
    expect((await factsOf(order)).invoices).toHaveLength(1);
  });

  test("counts a part as a surplus if the order is paid by card in the meantime", async () => {
    const browser = new HttpBrowser(stack.url);
    const card = await toCheckout(stack.url, { ...desk, browser });
    await askForProforma(browser, card);
    await pay(card, 100_00);
    const paid = await controls.pay({ orderId: card.providerOrderId });
    await settlePayment(context, {
      provider: "razorpay",
      account: "IN",
      providerOrderId: card.providerOrderId,
      providerPaymentId: paid.paymentId,
    });
    const { order, statuses, mails } = await factsOf(card);
    expect(order.paymentStatus).toBe("completed");
    expect(statuses).toEqual(["surplus", "captured"]);
    expect(mails.filter((kind) => kind === "operator-alert")).toHaveLength(1);
  });

  test("pays a late order at an unchanged price", async () => {
    const order = await toTransfer(stack.url, desk);
    await endProforma(order);
    expect(await pageOf(order)).toContain("This proforma was valid until");
    expect(await pay(order, order.totalMinor)).toMatchObject({ state: "completed" });
  });

  test("becomes a mismatch when late and the price has changed", async () => {
    const order = await toTransfer(stack.url, desk);
    await endProforma(order);
    await sql`update orders set total_minor = total_minor - 100, priced_at = priced_at - interval '30 days'
      where id = ${order.id}`.execute(db);
    await sql`update payment_intents set amount_minor = amount_minor - 100 where order_id = ${order.id}`.execute(
      db,
    );
    expect(await pay(order, order.totalMinor - 100)).toMatchObject({ state: "mismatch" });
    expect(await factsOf(order)).toMatchObject({
      order: { paymentStatus: "pending" },
      statuses: ["mismatch"],
      invoices: [],
    });
    expect((await factsOf(order)).mails).toEqual(["operator-alert", "proforma", "transfer-received"]);
    expect(await pageOf(order)).toContain("couldn&#x27;t accept it yet");
  });

  test("pays for the former order when the order was changed since", async () => {
    const order = await toTransfer(stack.url, desk);
    await order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "5" });
    expect(await pageOf(order)).toContain("This order changed after the proforma");
    await pay(order, order.totalMinor);
    const { order: paid } = await factsOf(order);
    expect(paid).toMatchObject({ paymentStatus: "completed", line: { quantity: 2 } });
  });

  test("goes back in full, in all parts, when the order cannot be fulfilled any more", async () => {
    const order = await toTransfer(stack.url, desk);
    const half = Math.floor(order.totalMinor / 2);
    await pay(order, half);
    await db.updateTable("orders").set({ payment_status: "refunded" }).where("id", "=", order.id).execute();
    expect(await pay(order, order.totalMinor - half)).toMatchObject({ state: "refunded" });
    const { statuses, refunds } = await factsOf(order);
    expect(statuses).toEqual(["refunded", "refunded"]);
    expect(refunds.map(({ amount_minor }) => amount_minor).sort((a, b) => a - b)).toEqual(
      [half, order.totalMinor - half].sort((a, b) => a - b),
    );
  });
});

describe("the TDS certificate", () => {
  const book = (order: OpenTransfer, number: string, amount: string, date = today()) =>
    runCommand(
      stack,
      "order",
      "certificate",
      order.id,
      "--number",
      number,
      "--date",
      date,
      "--amount",
      amount,
    );
  const today = () => dateView(new Date(), "IN").iso;
  const rupees = (minor: number) => (minor / 100).toFixed(2);
  const short = async () => {
    const order = await toTransfer(stack.url, { ...desk, quantity: 20 });
    const { order: stored } = await factsOf(order);
    const withheld = Math.round(stored.subtotal.minor / 10 / 100) * 100;
    await pay(order, order.totalMinor - withheld);
    return { order, withheld, name: orderNumber(stored) };
  };
  const overdue = async (name: string, now: Date) =>
    (await findUncertified(context, now)).filter(({ what }) => what.includes(name));

  test("stays outstanding on the page until one or more certificates cover the amount", {
    tags: ["full"],
  }, async () => {
    const { order, withheld, name } = await short();
    const { said: list } = await runCommand(stack, "order", "certificates");
    expect(list).toContain(formatMoney(money(withheld, "INR")));
    const first = 40_00;
    expect(await book(order, "AB-1", rupees(first))).toMatchObject({ how: "code 0" });
    expect(await pageOf(order)).toContain(`It&#x27;s ${formatMoney(money(withheld - first, "INR"))} short`);
    // An amount that was certified cannot be paid as well.
    expect((await book(order, "AB-1", rupees(first))).said).toContain("is already recorded for this order");
    expect((await book(order, "AB-2", rupees(withheld))).said).toContain("is outstanding");
    expect((await book(order, "AB-2", rupees(withheld - first), "2099-01-01")).said).toContain("future");
    expect((await book(order, "AB-2", rupees(withheld - first), "2020-01-01")).said).toContain("before");
    expect((await book(order, "AB-2", "much")).how).toBe("code 1");
    expect((await book(order, "AB-2", rupees(withheld - first))).said).toContain("Nothing more outstanding");
    expect(await pageOf(order)).toContain("Nothing is outstanding for this order");
    expect((await runCommand(stack, "order", "certificates")).said).not.toContain(name);
    const { said: story } = await runCommand(stack, "order", "show", order.id);
    expect(story.match(/order\.certificate/g)).toHaveLength(2);
    await pay(order, 40_00);
    expect((await factsOf(order)).statuses).toEqual(["captured", "surplus"]);
  });

  test("triggers two reminders, a month apart, and appears in the books until it arrives", async () => {
    const { order, withheld, name } = await short();
    const due = tdsCertificateDue(yearAndMonth(new Date(), "IN"));
    const at = (days: number) => new Date(Date.parse(`${due}T06:00:00Z`) + days * dayMs);
    const mails = async () => (await factsOf(order)).mails.filter((kind) => kind === "certificate-due");
    await sendCertificateReminders(context, at(0));
    expect(await mails()).toEqual([]);
    expect(await overdue(name, at(0))).toEqual([]);
    for (const days of [1, 2, 20]) await sendCertificateReminders(context, at(days));
    expect(await mails()).toHaveLength(1);
    for (const days of [32, 90]) await sendCertificateReminders(context, at(days));
    expect(await mails()).toHaveLength(2);
    expect(await overdue(name, at(1))).toMatchObject([
      { kind: "certificate-overdue", amountMinor: withheld, what: expect.stringContaining(due) },
    ]);
    await book(order, "AB-3", rupees(withheld));
    expect(await overdue(name, at(1))).toEqual([]);
  });

  test("belongs only to an order with TDS", async () => {
    const order = await toTransfer(stack.url, desk);
    await pay(order, order.totalMinor);
    expect(await book(order, "AB-4", "10")).toMatchObject({
      how: "code 1",
      said: expect.stringContaining("No TDS was deducted"),
    });
  });
});

async function endProforma(order: OpenTransfer): Promise<void> {
  await db
    .updateTable("proformas")
    .set({ valid_until: new Date(Date.now() - dayMs) })
    .where("order_id", "=", order.id)
    .execute();
}

describe("the report of a transfer", () => {
  test("arrives through the sweep, also in the second week, without webhooks", async () => {
    const order = await toTransfer(stack.url, desk);
    await controls.credit({ accountId: await accountOf(controls, order), amount: order.totalMinor });
    await backdateCheckout(db, order.id, 12 * 24 * 60);
    expect(await sweepPayments(context)).toBeGreaterThan(0);
    expect((await factsOf(order)).order.paymentStatus).toBe("completed");
  });

  test("applies each credit once for 300 webhooks, repeated and in random order", async () => {
    const order = await toTransfer(stack.url, desk);
    const account = await accountOf(controls, order);
    const third = Math.floor(order.totalMinor / 3);
    const amounts = [third, third, order.totalMinor - 2 * third];
    const credits = await Promise.all(
      amounts.map((amount) => controls.credit({ accountId: account, amount })),
    );
    const events = Array.from({ length: 300 }, (_, at) => ({
      credit: credits[(at * 7) % 3] ?? "",
      // Two in three are repeats of an event.
      id: `transfer-${order.id}-${at % 100}-${(at * 7) % 3}`,
    }));
    for (let at = 0; at < events.length; at += 10) {
      const answers = await Promise.all(
        events.slice(at, at + 10).map(({ credit, id }) => webhook(account, credit, id)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
    const stored = await db
      .selectFrom("provider_events")
      .select("event_id")
      .where("event_id", "like", `transfer-${order.id}-%`)
      .execute();
    expect(stored.length).toBeGreaterThanOrEqual(100);
    for (let at = 0; at < stored.length; at += 8) {
      await Promise.all(
        stored
          .slice(at, at + 8)
          .map(({ event_id: eventId }) =>
            handleProviderEvent(context, { provider: "bank-transfer", eventId }),
          ),
      );
    }
    const { statuses, mails, invoices, jobs } = await factsOf(order);
    expect([...statuses].sort()).toEqual(["captured", "part", "part"]);
    expect(mails.filter((kind) => kind === "transfer-received")).toHaveLength(3);
    expect(invoices).toHaveLength(1);
    expect(jobs).toHaveLength(1);
  });

  test("refuses a forged webhook", async () => {
    const answer = await new HttpBrowser(stack.url).ask("/webhooks/bank-transfer", {
      method: "POST",
      headers: { "X-Razorpay-Signature": "0".repeat(64), "X-Razorpay-Event-Id": randomUUID() },
      body: "{}",
    });
    expect(answer.status).toBe(401);
  });
});

describe("a large order", () => {
  const large = {
    quantity: 300,
    wanted: { family: "microsoft", item: "microsoft-365-business-premium" },
  };

  test("offers a transfer instead of Place Order by card", async () => {
    const browser = new HttpBrowser(stack.url);
    const order = await pastAccount(browser, large);
    const review = (await browser.get(`${order.path}/place-order`)).text;
    expect(review).toContain(
      "is over the limit of ₹5,00,000 for a payment by card, UPI, net banking or wallet",
    );
    expect(review).not.toContain('value="place-order"');
    expect(review).toContain(`href="/orders/${order.id}/pay"`);
    const { order: stored } = await factsOf(order);
    await expect(placeOrder(browser, { ...order, totalMinor: stored.total.minor })).rejects.toThrow("409");

    const open = { ...order, browser, totalMinor: stored.total.minor };
    await askForProforma(browser, open);
    expect(await pay(open, open.totalMinor)).toMatchObject({ state: "completed" });
  });
});
