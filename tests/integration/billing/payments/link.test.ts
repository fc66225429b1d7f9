/**
 * Paying through a payment link (docs/decisions/transfers.md#payment-links): there is one for an order and its price, however often it is asked
 * for. Each payment through it counts once, regardless of who reports it and in which order. An outdated link is cancelled at
 * the provider.
 */
import { createHmac, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { closePayment } from "#server/billing/payments/close.ts";
import { createPaymentLink } from "#server/billing/payments/payment-link/create-link.ts";
import { refundPayment } from "#server/billing/payments/refund.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { refundByStaff } from "#server/billing/payments/staff-refund.ts";
import { sweepPayments } from "#server/billing/payments/sweep.ts";
import { handleProviderEvent } from "#server/billing/payments/webhook.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import {
  freshEmail,
  type OrderPlace,
  pastAccount,
  placeOrder,
  providerOrderOf,
  totalOnReview,
} from "#tests/support/journey.ts";
import { backdateCheckout, mailsOfOrder } from "#tests/support/orders.ts";
import { askForLink, type LinkedOrder, linksOf, toLink } from "#tests/support/payment-link.ts";
import { deleteQueuedJobs, queuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";
import { askForProforma } from "#tests/support/transfer.ts";

const { stack, context, controls } = await startStore();
const { db } = context;
// The tests post all webhooks themselves.
beforeEach(() => controls.webhooks("never"));
afterEach(async () => {
  await controls.faults();
  await controls.clock(0);
  await deleteQueuedJobs(db);
});

const desk = { wanted: { family: "brio", item: "brio-desk" } };
const keys = context.env.razorpayAccounts.get("IN");
const dayMs = 86_400_000;

const settle = (linkId: string, providerPaymentId: string) =>
  settlePayment(context, {
    provider: "payment-link",
    account: "IN",
    providerOrderId: linkId,
    providerPaymentId,
  });

/** Pays at the provider without a report to the store. */
const payQuietly = (order: LinkedOrder) => controls.payLink({ linkId: order.linkId, webhook: false });

const factsOf = async ({ id }: OrderPlace) => {
  const order = await findOrder(db, id);
  if (order === null) throw new Error(`No order ${id}`);
  const payments = await db
    .selectFrom("payments")
    .select(["status", "provider", "method", "provider_payment_id"])
    .where("order_id", "=", id)
    .orderBy("created_at")
    .execute();
  return {
    order,
    payments,
    statuses: payments.map(({ status }) => status),
    mails: (await mailsOfOrder(db, id)).map(({ kind }) => kind).sort(),
    fulfilments: (await queuedJobs(db)).filter(({ key }) => key?.endsWith(id)).length,
    invoices: await db.selectFrom("invoices").select("number").where("order_id", "=", id).execute(),
    intents: await db
      .selectFrom("payment_intents")
      .select(["id", "provider", "status", "closed_at"])
      .where("order_id", "=", id)
      .orderBy("created_at")
      .execute(),
  };
};

/** Runs the jobs that close payments. */
async function close(order: OrderPlace): Promise<void> {
  for (const { id, closed_at: closedAt } of (await factsOf(order)).intents)
    if (closedAt !== null) await closePayment(context, id);
}

const payPage = async (order: OrderPlace & { browser: HttpBrowser }) =>
  (await order.browser.get(`/orders/${order.id}/pay`)).text;

function webhook(
  address: string,
  event: string,
  payload: object,
  { eventId = randomUUID(), secret = keys?.webhookSecret ?? "" }: { eventId?: string; secret?: string } = {},
) {
  const body = JSON.stringify({ entity: "event", event, payload });
  return new HttpBrowser(stack.url).ask(address, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Razorpay-Signature": createHmac("sha256", secret).update(body).digest("hex"),
      "X-Razorpay-Event-Id": eventId,
    },
    body,
  });
}

const entity = (id: string, more: object = {}) => ({ entity: { id, ...more } });
const paidEvent = (linkId: string, paymentId: string) => ({
  payment_link: entity(linkId),
  payment: entity(paymentId),
});

describe("the link", () => {
  test("appears on the page and in a mail while the order waits", async () => {
    const order = await toLink(stack.url, controls, desk);
    const { order: stored, mails } = await factsOf(order);
    expect(stored).toMatchObject({ stage: "stage2", paymentStatus: "pending" });
    expect(mails).toEqual(["payment-link"]);
    const page = await payPage(order);
    expect(page).toContain(`We&#x27;ve emailed the link to ${order.email}`);
    expect(page).toContain(`/razorpay/i/${order.linkId.slice("plink_".length)}"`);
    expect(page).not.toContain("Send me a payment link");
    const review = (await order.browser.get(`${order.path}/place-order`)).text;
    expect(review).toContain("Your payment link");
    expect(review).toContain('value="place-order"');
  });

  test("exists once and is mailed once, regardless of repeated requests", async () => {
    const browser = new HttpBrowser(stack.url);
    const order = await pastAccount(browser, desk);
    await Promise.all([1, 2, 3].map(() => askForLink(browser, order)));
    await askForLinkAgain({ ...order, browser });
    expect(await linksOf(controls, order)).toHaveLength(1);
    expect((await factsOf(order)).mails).toEqual(["payment-link"]);
  });

  test("stays the same while another way to pay is tried", async () => {
    const order = await toLink(stack.url, controls, desk);
    await placeOrder(order.browser, order);
    expect((await factsOf(order)).intents.map(({ status }) => status)).toEqual(["superseded", "open"]);
    await askForLink(order.browser, order);
    expect(await linksOf(controls, order)).toHaveLength(1);
    expect((await factsOf(order)).intents.map(({ status }) => status)).toEqual(["open", "superseded"]);
  });

  test("appears later when the provider does not respond", async () => {
    const browser = new HttpBrowser(stack.url);
    const order = { ...(await pastAccount(browser, desk)), browser };
    await controls.faults({ match: { method: "POST", path: "/payment_links$" }, kind: "500", times: 9 });
    await askForLink(browser, order);
    expect(await payPage(order)).toContain("We&#x27;re creating your payment link");
    expect((await factsOf(order)).mails).toEqual([]);
    await controls.faults();
    expect(await payPage(order)).toContain("We&#x27;ve emailed the link");
    expect(await linksOf(controls, order)).toHaveLength(1);
  });

  test("turns up by its reference when the response was lost", async () => {
    const browser = new HttpBrowser(stack.url);
    const order = await pastAccount(browser, desk);
    await controls.faults({
      match: { method: "POST", path: "/payment_links$" },
      kind: "reset-after",
      times: 1,
    });
    await askForLink(browser, order);
    const [intent] = (await factsOf(order)).intents;
    await createPaymentLink(context, intent?.id ?? "");
    expect(await linksOf(controls, order)).toHaveLength(1);
    expect((await factsOf(order)).mails).toEqual(["payment-link"]);
  });

  test("disappears when expired, and the next one is new", async () => {
    const order = await toLink(stack.url, controls, desk);
    await sql`update payment_links set expires_at = now() - interval '1 minute'
      from payment_intents i where i.id = intent_id and i.order_id = ${order.id}`.execute(db);
    expect(await payPage(order)).toContain("Send me a payment link");
    await askForLink(order.browser, order);
    expect(await linksOf(controls, order)).toHaveLength(2);
  });

  test("returns 404 to strangers", async () => {
    const order = await toLink(stack.url, controls, desk);
    const stranger = new HttpBrowser(stack.url);
    await pastAccount(stranger, desk);
    expect((await stranger.get(`/orders/${order.id}/pay`)).status).toBe(404);
  });
});

async function askForLinkAgain(order: OrderPlace & { browser: HttpBrowser }): Promise<void> {
  const total = await totalOnReview(order.browser, order);
  await order.browser.post(`/orders/${order.id}/pay`, {
    intent: "place-order",
    way: "link",
    terms: "on",
    total: String(total),
    agreement: "",
  });
}

describe("a payment through the link", () => {
  const done = { stage: "stage3", paymentStatus: "completed" };

  test("counts once for return, webhooks and sweep together", async () => {
    const order = await toLink(stack.url, controls, desk);
    const { paymentId, orderId, returnAddress } = await payQuietly(order);
    const back = new URL(returnAddress);
    const answers = await Promise.all([
      order.browser.get(back.pathname + back.search),
      webhook("/webhooks/payment-link", "payment_link.paid", paidEvent(order.linkId, paymentId)),
      webhook("/webhooks/razorpay", "payment.captured", {
        payment: entity(paymentId, { order_id: orderId }),
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 200, 200]);
    expect(answers[0]?.headers.get("location")).toContain(order.path);
    await handleAll();
    await backdateCheckout(db, order.id, 60);
    await sweepPayments(context);
    const { order: paid, payments, mails, invoices, fulfilments } = await factsOf(order);
    expect(paid).toMatchObject(done);
    expect(payments).toMatchObject([{ status: "captured", provider: "payment-link", method: "card" }]);
    expect(invoices).toHaveLength(1);
    expect(fulfilments).toBe(1);
    expect(mails).toEqual(["payment-link"]);
  });

  test.each(["the checkout's webhook", "the link's webhook", "the sweep"])(
    "settles by %s only",
    async (who) => {
      const order = await toLink(stack.url, controls, desk);
      const { paymentId, orderId } = await payQuietly(order);
      if (who === "the sweep") {
        await backdateCheckout(db, order.id, 60);
        expect(await sweepPayments(context)).toBeGreaterThan(0);
      } else if (who === "the link's webhook") {
        await webhook("/webhooks/payment-link", "payment_link.paid", paidEvent(order.linkId, paymentId));
        await handleAll();
      } else {
        const payment = entity(paymentId, { order_id: orderId });
        await webhook("/webhooks/razorpay", "payment.captured", { payment });
        await handleAll();
      }
      expect(await factsOf(order)).toMatchObject({ order: done, statuses: ["captured"] });
    },
  );

  test("counts once for 200 repeated webhooks in random order", async () => {
    const order = await toLink(stack.url, controls, desk);
    const { paymentId, orderId } = await payQuietly(order);
    const payment = entity(paymentId, { order_id: orderId });
    const events = Array.from({ length: 200 }, (_, at) => ({ at, id: `link-${order.id}-${(at * 7) % 60}` }));
    for (let from = 0; from < events.length; from += 10) {
      await Promise.all(
        events.slice(from, from + 10).map(({ id }) =>
          Number(id.split("-").at(-1)) % 2 === 0
            ? webhook("/webhooks/payment-link", "payment_link.paid", paidEvent(order.linkId, paymentId), {
                eventId: id,
              })
            : webhook("/webhooks/razorpay", "order.paid", { payment }, { eventId: id }),
        ),
      );
    }
    await handleAll();
    expect(await factsOf(order)).toMatchObject({ order: done, statuses: ["captured"], fulfilments: 1 });
    expect((await factsOf(order)).invoices).toHaveLength(1);
  });

  test("shows a payer without an account only the amount, date and order number", async () => {
    const order = await toLink(stack.url, controls, desk);
    const { returnAddress } = await payQuietly(order);
    const back = new URL(returnAddress);
    const answer = await new HttpBrowser(stack.url).get(back.pathname + back.search);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("Payment received");
    const { order: paid } = await factsOf(order);
    expect(paid).toMatchObject(done);
    for (const shown of [
      formatMoney(paid.total),
      orderNumber(paid),
      formatDate(paid.paidAt ?? new Date(0), "IN", "en"),
    ])
      expect(answer.text).toContain(shown);
    for (const kept of [order.id, order.email, paid.account?.companyName, paid.line.name])
      expect(answer.text).not.toContain(kept);
  });

  test.each([
    ["another signature", { razorpay_signature: "0".repeat(64) }],
    ["another payment", { razorpay_payment_id: "pay_00000000000000" }],
    ["another reference", { razorpay_payment_link_reference_id: "another" }],
  ])("refuses a return with %s", async (_what, forged) => {
    const order = await toLink(stack.url, controls, desk);
    const { returnAddress } = await payQuietly(order);
    const back = new URL(returnAddress);
    for (const [name, value] of Object.entries(forged)) back.searchParams.set(name, value);
    expect((await order.browser.get(back.pathname + back.search)).status).toBe(400);
    expect((await factsOf(order)).statuses).toEqual([]);
  });

  test("refuses a forged webhook", async () => {
    const order = await toLink(stack.url, controls, desk);
    const { paymentId } = await payQuietly(order);
    const event = paidEvent(order.linkId, paymentId);
    const forged = await webhook("/webhooks/payment-link", "payment_link.paid", event, { secret: "guess" });
    expect(forged.status).toBe(401);
    expect((await factsOf(order)).statuses).toEqual([]);
  });

  test("does not exist for an unpaid link, regardless of reports", async () => {
    const order = await toLink(stack.url, controls, desk);
    await webhook("/webhooks/payment-link", "payment_link.expired", { payment_link: entity(order.linkId) });
    await handleAll();
    await backdateCheckout(db, order.id, 60);
    await sweepPayments(context);
    expect(await factsOf(order)).toMatchObject({ order: { paymentStatus: "pending" }, statuses: [] });
  });
});

describe("an outdated link", () => {
  test("gets cancelled when the order is paid by card; a later payment is a surplus", async () => {
    const order = await toLink(stack.url, controls, desk);
    await placeOrder(order.browser, order);
    const providerOrderId = await providerOrderOf(order.browser, order);
    const card = await controls.pay({ orderId: providerOrderId, webhook: false });
    await settlePayment(context, {
      provider: "razorpay",
      account: "IN",
      providerOrderId,
      providerPaymentId: card.paymentId,
    });
    const closing = (await queuedJobs(db)).filter(({ key }) => key?.startsWith("close-payment:"));
    expect(closing).toHaveLength(1);
    await close(order);
    await close(order);
    expect((await linksOf(controls, order))[0]?.cancelled_at).toBeGreaterThan(0);

    const late = await payQuietly(order);
    expect(await settle(order.linkId, late.paymentId)).toMatchObject({ state: "completed" });
    const { statuses, mails, invoices } = await factsOf(order);
    expect(statuses).toEqual(["captured", "surplus"]);
    expect(mails).toEqual(["operator-alert", "payment-link"]);
    expect(invoices).toHaveLength(1);
  });

  test("gets cancelled and replaced when the price changes", async () => {
    const order = await toLink(stack.url, controls, desk);
    await order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "5" });
    await close(order);
    await askForLink(order.browser, order);
    const [former, current] = await linksOf(controls, order);
    expect(former?.cancelled_at).toBeGreaterThan(0);
    expect(current?.cancelled_at).toBe(0);
    expect(current?.amount).toBeGreaterThan(former?.amount ?? 0);
    expect((await factsOf(order)).mails).toEqual(["payment-link", "payment-link"]);
  });

  test("gets cancelled after a lost response if the price changed in between", async () => {
    const browser = new HttpBrowser(stack.url);
    const order = await pastAccount(browser, desk);
    // Created, but the response was lost.
    await controls.faults({
      match: { method: "POST", path: "/payment_links$" },
      kind: "reset-after",
      times: 1,
    });
    await askForLink(browser, order);
    await browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "5" });
    const [intent] = (await factsOf(order)).intents;
    await createPaymentLink(context, intent?.id ?? "");
    await close(order);
    expect((await linksOf(controls, order)).map((link) => link.cancelled_at > 0)).toEqual([true]);
    expect((await factsOf(order)).mails).toEqual([]);
  });

  test("pays for the former price if paid before its cancellation", async () => {
    const order = await toLink(stack.url, controls, desk);
    const { paymentId } = await payQuietly(order);
    await order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "5" });
    await close(order);
    expect(await settle(order.linkId, paymentId)).toMatchObject({ state: "completed" });
    expect((await factsOf(order)).order).toMatchObject({ paymentStatus: "completed", line: { quantity: 2 } });
  });

  test("gets cancelled when the order is paid by transfer", async () => {
    const order = await toLink(stack.url, controls, desk);
    await askForProforma(order.browser, order);
    const { razorpay } = await controls.state();
    const account = razorpay.virtualAccounts.find(({ notes }) => notes.order_id === order.id);
    const credit = await controls.credit({ accountId: account?.id ?? "", amount: order.totalMinor });
    await settlePayment(context, {
      provider: "bank-transfer",
      account: "IN",
      providerOrderId: account?.id ?? "",
      providerPaymentId: credit,
    });
    await close(order);
    expect((await linksOf(controls, order))[0]?.cancelled_at).toBeGreaterThan(0);
  });
});

describe("after the payment", () => {
  async function paid() {
    const order = await toLink(stack.url, controls, desk);
    const { paymentId } = await payQuietly(order);
    await settle(order.linkId, paymentId);
    return { ...order, paymentId };
  }

  test("refunds through staff with a credit note", async () => {
    const order = await paid();
    const { refundId } = await refundByStaff(db, context.env, {
      target: order.paymentId,
      amountMinor: null,
      reason: "Ordered by mistake",
      allowDuplicate: false,
      by: "test",
      isConfirmed: true,
    });
    if (refundId === null) throw new Error("Expected a refund");
    await refundPayment(context, refundId);
    expect(await controls.refundedOf(order.paymentId)).toBe(order.totalMinor);
    const { order: stored, mails } = await factsOf(order);
    expect(stored.paymentStatus).toBe("refunded");
    expect(mails).toContain("credit-note");
  });

  test("follows a dashboard refund and a dispute", async () => {
    const order = await paid();
    const half = Math.floor(order.totalMinor / 2);
    const refund = await controls.refund({ paymentId: order.paymentId, amount: half });
    await webhook("/webhooks/razorpay", "refund.processed", {
      payment: entity(order.paymentId, { order_id: null }),
      refund: entity(refund, {
        payment_id: order.paymentId,
        amount: half,
        status: "processed",
        receipt: null,
      }),
    });
    await handleAll();
    expect((await factsOf(order)).order.paymentStatus).toBe("partly_refunded");
    const dispute = await controls.dispute({ paymentId: order.paymentId, amount: half });
    await webhook("/webhooks/razorpay", "payment.dispute.created", {
      payment: entity(order.paymentId),
      dispute: entity(dispute, { payment_id: order.paymentId, amount: half, currency: "INR" }),
    });
    await handleAll();
    expect((await factsOf(order)).order.paymentStatus).toBe("disputed");
  });
});

/** Runs the jobs of all received webhooks. */
async function handleAll(): Promise<void> {
  const events = await db
    .selectFrom("provider_events")
    .select(["provider", "event_id as eventId"])
    .where("processed_at", "is", null)
    .execute();
  for (let at = 0; at < events.length; at += 8)
    await Promise.all(events.slice(at, at + 8).map((event) => handleProviderEvent(context, event)));
}

describe("the payment link", () => {
  const agents = {
    WhatsApp:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 WhatsApp/24.1 Mobile/15E148",
    Instagram:
      "Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36 Instagram 330.0.0",
  };

  async function reviewAndPayPage(agent: string | null) {
    const browser = new HttpBrowser(stack.url, agent === null ? {} : { "User-Agent": agent });
    const order = await pastAccount(browser, { ...desk, email: freshEmail() });
    const review = (await browser.get(`${order.path}/place-order`)).text;
    return { review, page: (await browser.get(`/orders/${order.id}/pay`)).text };
  }

  test.each(Object.entries(agents))("comes first in %s, with the reason", async (app, agent) => {
    const { review, page } = await reviewAndPayPage(agent);
    const why = `You&#x27;re in ${app}&#x27;s built-in browser`;
    expect(review).toContain(why);
    expect(review.indexOf("Send me a payment link")).toBeLessThan(review.indexOf('value="place-order"'));
    expect(page).toContain(why);
    expect(page.indexOf('value="link"')).toBeLessThan(page.indexOf('value="transfer"'));
    expect(page).toMatch(/<input[^>]* checked=""[^>]*value="link"/);
  });

  test("comes after the transfer in a regular browser, and not in the review", async () => {
    const { review, page } = await reviewAndPayPage(null);
    expect(review).not.toContain("Send me a payment link");
    expect(review).toContain("Pay another way");
    expect(page).not.toContain("built-in browser");
    expect(page).toMatch(/<input[^>]* checked=""[^>]*value="transfer"/);
    expect(page.indexOf('value="transfer"')).toBeLessThan(page.indexOf('value="link"'));
  });

  test("shows one button with a label for each way", async () => {
    const { page } = await reviewAndPayPage(null);
    const form = /<form[^>]*class="ways"[\s\S]*?<\/form>/.exec(page)?.[0] ?? "";
    expect(form.match(/<button/g)).toHaveLength(1);
    expect(form).toMatch(
      /<button[^>]*>.*data-way="transfer">Get bank details<.*data-way="link">Send me a payment link</s,
    );
  });
});

describe("above the limit of payment links", () => {
  test("offers no link and refuses a request for one", async () => {
    const browser = new HttpBrowser(stack.url);
    const order = await pastAccount(browser, {
      quantity: 300,
      wanted: { family: "microsoft", item: "microsoft-365-business-premium" },
    });
    expect(await payPage({ ...order, browser })).not.toContain("Send me a payment link");
    const { order: stored } = await factsOf(order);
    const answer = await browser.post(`/orders/${order.id}/pay`, {
      intent: "place-order",
      way: "link",
      terms: "on",
      total: String(stored.total.minor),
      agreement: "",
    });
    expect(answer.status).toBe(409);
    expect(await linksOf(controls, order)).toEqual([]);
  });
});

test("keeps a link valid for seven days", async () => {
  const order = await toLink(stack.url, controls, desk);
  const row = await db
    .selectFrom("payment_links")
    .innerJoin("payment_intents", "payment_intents.id", "payment_links.intent_id")
    .select("expires_at")
    .where("order_id", "=", order.id)
    .executeTakeFirstOrThrow();
  const days = (row.expires_at.getTime() - Date.now()) / dayMs;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThan(7.1);
});
