/**
 * Refunds by command, and the provider's reports about refunds and disputes: never more than was received, each once,
 * regardless of repetition and order.
 */
import { createHmac, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { OrderId, RefundId } from "#db/ids.ts";
import { refundPayment } from "#server/billing/payments/refund.ts";
import { sweepRefunds } from "#server/billing/payments/refund-sweep.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { refundByStaff } from "#server/billing/payments/staff-refund.ts";
import { handleProviderEvent, receiveWebhook } from "#server/billing/payments/webhook.ts";
import { sendMail } from "#server/mail/send.ts";
import { runCommand } from "#tests/support/command.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { type OpenPayment, toCheckout } from "#tests/support/journey.ts";
import { mailsOfOrder } from "#tests/support/orders.ts";
import { paidOrder } from "#tests/support/paid-order.ts";
import { queuedJobs } from "#tests/support/queue.ts";
import { refundPart } from "#tests/support/refunds.ts";
import { seededRandom } from "#tests/support/seeded-random.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();
const { db, env } = context;
// The tests handle all webhooks themselves.
beforeEach(async () => {
  await controls.webhooks("never");
  await controls.refunds({});
});

/** Runs `npm run refund`. */
const command = (...args: string[]) => runCommand(stack, "refund", ...args);

const orderOf = (id: OrderId) =>
  db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const statusOf = async ({ id }: OpenPayment) => (await orderOf(id)).payment_status;
const refundsOf = ({ id }: OpenPayment) =>
  db.selectFrom("refunds").selectAll().where("order_id", "=", id).orderBy("created_at").execute();
const alertsOf = async ({ id }: OpenPayment) =>
  (
    await db
      .selectFrom("mails")
      .select("dedupe_key")
      .where("order_id", "=", id)
      .where("kind", "=", "operator-alert")
      .execute()
  )
    .map(({ dedupe_key }) => dedupe_key)
    .filter((key) => /^(refund|dispute)-?/.test(key));
const paymentOf = async ({ id }: OpenPayment) => {
  const paid = db.selectFrom("payments").select("provider_payment_id").where("order_id", "=", id);
  return (await paid.where("status", "=", "captured").executeTakeFirstOrThrow()).provider_payment_id;
};
const madeFor = async (paymentId: string) =>
  (await controls.state()).razorpay.refunds.filter((each) => each.payment_id === paymentId);
const carryOut = (id: RefundId | null) => {
  if (id === null) throw new Error("Expected a refund");
  return refundPayment(context, id);
};

async function paid() {
  const order = await paidOrder(stack);
  const { number } = await orderOf(order.id);
  return { order, number, paymentId: await paymentOf(order) };
}

const ask = (target: string, amountMinor: number | null, reason = "A test.", allowDuplicate = false) =>
  refundByStaff(db, env, { target, amountMinor, reason, allowDuplicate, by: "tester", isConfirmed: true });

interface Event {
  event: string;
  payload: object;
  at?: number;
}
const secret = env.razorpayAccounts.get("IN")?.webhookSecret ?? "";
const seconds = () => Math.floor(Date.now() / 1000);

/** Receives a webhook and runs its job. */
async function arrives({ event, payload, at = seconds() }: Event): Promise<void> {
  const body = Buffer.from(JSON.stringify({ entity: "event", event, payload, created_at: at }));
  const eventId = randomUUID();
  const headers = new Headers({
    "x-razorpay-signature": createHmac("sha256", secret).update(body).digest("hex"),
    "x-razorpay-event-id": eventId,
  });
  await receiveWebhook(context, "razorpay", { body, headers });
  await handleProviderEvent(context, { provider: "razorpay", eventId });
}

interface RefundEvent {
  id: string;
  amount: number;
  status: "pending" | "processed" | "failed";
  receipt?: string | null;
  acquirer_data?: { arn?: string | null; rrn?: string } | [];
}
const refundEvent = (event: string, paymentId: string, refund: RefundEvent): Event => ({
  event: `refund.${event}`,
  payload: {
    refund: { entity: { ...refund, payment_id: paymentId } },
    payment: { entity: { id: paymentId } },
  },
});
const disputeEvent = (event: string, paymentId: string, id: string, amount: number, at: number): Event => ({
  event: `payment.dispute.${event}`,
  at,
  payload: {
    payment: { entity: { id: paymentId } },
    dispute: {
      entity: {
        id,
        payment_id: paymentId,
        amount,
        amount_deducted: event === "lost" ? amount : 0,
        currency: "INR",
        reason_code: "fraud",
        phase: "chargeback",
        respond_by: at + 604_800,
      },
    },
  },
});

describe("npm run refund", () => {
  test("refunds a part, then the rest, once each and only with --yes", async () => {
    const { order, paymentId } = await paid();
    const part = [paymentId, "--amount", "100.50", "--reason", "A mistake of ours."];
    expect((await command(...part)).said).toContain("Add --yes to refund.");
    expect(await refundsOf(order)).toEqual([]);

    expect((await command(...part, "--yes")).said).toContain("₹100.50");
    const [first] = await refundsOf(order);
    expect(first).toMatchObject({ amount_minor: 10_050, status: "requested", decided_by: "operator" });
    expect(await statusOf(order)).toBe("partly_refunded");
    await carryOut(first?.id ?? null);
    expect(await madeFor(paymentId)).toMatchObject([{ amount: 10_050, receipt: first?.id }]);
    expect((await command(...part, "--yes")).said).toContain("Add --again");
    expect(await refundsOf(order)).toHaveLength(1);
    // The order continues: paid, waiting for sign-in details.
    expect(await orderOf(order.id)).toMatchObject({ fulfilment_status: "waiting_for_signin" });
    expect((await order.browser.get(`${order.path}/sign-in`)).status).toBe(200);

    const over = await command(paymentId, "--amount", "99999", "--reason", "Too much.", "--yes");
    expect(over.said).toContain("left to refund");
    expect(over.how).not.toBe("ended");
    expect(await refundsOf(order)).toHaveLength(1);

    const id = order.id;
    expect((await command(id, "--reason", "All of it.", "--yes")).said).toContain("is being refunded");
    const [, rest] = await refundsOf(order);
    expect((rest?.amount_minor ?? 0) + 10_050).toBe(order.totalMinor);
    await carryOut(rest?.id ?? null);
    expect(await madeFor(paymentId)).toHaveLength(2);
    expect(await orderOf(id)).toMatchObject({ payment_status: "refunded", fulfilment_status: "not_due" });
    const page = wordsOf((await order.browser.get(`${order.path}/place-order`)).text);
    expect(page).toContain("Your payment has been refunded in full");
    const audit = await db
      .selectFrom("audit_log")
      .select("data")
      .where("subject", "=", `order:${id}`)
      .execute();
    expect(audit).toHaveLength(2);
    expect((await command(id, "--reason", "Once more.", "--yes")).said).toContain(
      "it has already been refunded in full",
    );
  });

  test("refunds a surplus and leaves the order paid", async () => {
    const { order } = await paid();
    const { paymentId } = await controls.pay({ orderId: order.providerOrderId, webhook: false });
    const key = { provider: "razorpay", account: "IN", providerOrderId: order.providerOrderId } as const;
    await settlePayment(context, { ...key, providerPaymentId: paymentId });
    expect((await command("--surplus")).said).toContain(paymentId);
    const { refundId } = await ask(paymentId, null);
    await carryOut(refundId);
    expect(await madeFor(paymentId)).toMatchObject([{ amount: order.totalMinor }]);
    expect((await command("--surplus")).said).not.toContain(paymentId);
    // Reported again, it stays a surplus.
    await settlePayment(context, { ...key, providerPaymentId: paymentId });
    const kept = db.selectFrom("payments").select("status").where("provider_payment_id", "=", paymentId);
    expect(await kept.executeTakeFirst()).toEqual({ status: "surplus" });
    expect(await statusOf(order)).toBe("completed");
  });

  test("refunds a mismatch, after which the order can still be paid", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await controls.pay({
      orderId: order.providerOrderId,
      amount: 5_000,
      webhook: false,
    });
    const key = { provider: "razorpay", account: "IN", providerOrderId: order.providerOrderId } as const;
    const settled = await settlePayment(context, { ...key, providerPaymentId: paymentId });
    expect(settled.state).toBe("mismatch");
    await carryOut((await ask(paymentId, null)).refundId);
    expect(await madeFor(paymentId)).toMatchObject([{ amount: 5_000 }]);
    expect(await statusOf(order)).toBe("pending");
    expect((await settlePayment(context, { ...key, providerPaymentId: paymentId })).state).toBe("mismatch");
  });

  test("does not refund more than was paid for two simultaneous requests", async () => {
    const { order, paymentId } = await paid();
    const half = Math.ceil(order.totalMinor / 2) + 1;
    const both = await Promise.allSettled([ask(paymentId, half, "One."), ask(paymentId, half, "Two.")]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await refundsOf(order)).toHaveLength(1);
  });

  test("refuses a payment older than the provider's limit without calling it", async () => {
    const { order, paymentId } = await paid();
    const old = new Date(Date.now() - 190 * 86_400_000);
    await db.updateTable("payments").set({ created_at: old }).where("order_id", "=", order.id).execute();
    await expect(ask(paymentId, null)).rejects.toThrow("older than 6 months");
    expect(await statusOf(order)).toBe("completed");
  });
});

test("waits for funds at the provider and retries the refund", async () => {
  const { order, paymentId } = await paid();
  await controls.refunds({ balance: "low" });
  const { refundId } = await ask(paymentId, 1_000);
  await carryOut(refundId);
  expect(await refundsOf(order)).toMatchObject([
    { status: "requested", problem: expect.stringContaining("balance") },
  ]);
  expect((await queuedJobs(db)).map(({ key }) => key)).toContain(`refund:${refundId}`);
  expect(await alertsOf(order)).toContainEqual(expect.stringContaining(`refund-waits:${refundId}`));
  await controls.refunds({});
  await carryOut(refundId);
  expect(await refundsOf(order)).toMatchObject([{ status: "processed", problem: null }]);
});

test("restores the order when a refund fails later, and allows a new one", async () => {
  const { order, paymentId } = await paid();
  await controls.refunds({ answer: "pending" });
  const { refundId } = await ask(paymentId, null);
  await carryOut(refundId);
  expect(await refundsOf(order)).toMatchObject([{ status: "pending" }]);
  expect(await orderOf(order.id)).toMatchObject({ payment_status: "refunded", fulfilment_status: "not_due" });
  const [made] = await madeFor(paymentId);
  if (made === undefined) throw new Error("Expected a refund at the provider");
  await controls.refund({ refundId: made.id, status: "failed" });
  // Its webhook was lost; the sweep finds the failure.
  await db
    .updateTable("refunds")
    .set({ created_at: new Date(Date.now() - 2 * 86_400_000) })
    .execute();
  await sweepRefunds(context);
  expect(await refundsOf(order)).toMatchObject([{ status: "failed" }]);
  expect(await orderOf(order.id)).toMatchObject({
    payment_status: "completed",
    fulfilment_status: "waiting_for_signin",
  });
  expect(await alertsOf(order)).toContain(`refund-failed:${refundId}`);
  await controls.refunds({});
  await carryOut((await ask(paymentId, null)).refundId);
  expect((await madeFor(paymentId)).map(({ amount }) => amount)).toEqual([
    order.totalMinor,
    order.totalMinor,
  ]);
  expect((await refundsOf(order)).map(({ status }) => status)).toEqual(["failed", "processed"]);
});

test("recognises our refund by its key before the call returns", async () => {
  const { order, paymentId } = await paid();
  const { refundId } = await ask(paymentId, 2_000);
  const report = { id: "rfnd_early", amount: 2_000, status: "processed" as const, receipt: refundId };
  await arrives(refundEvent("processed", paymentId, report));
  await arrives(refundEvent("created", paymentId, { ...report, status: "pending" }));
  expect(await refundsOf(order)).toMatchObject([{ status: "processed", provider_refund_id: "rfnd_early" }]);
});

test("finds a former version's refund whose response was lost and makes no second one", async () => {
  const { order, paymentId } = await paid();
  const { refundId } = await ask(paymentId, 3_000);
  await asEarlier(paymentId, refundId ?? "", 3_000);
  await carryOut(refundId);
  const made = await madeFor(paymentId);
  expect(made).toMatchObject([{ amount: 3_000 }]);
  expect(await refundsOf(order)).toMatchObject([{ status: "processed", provider_refund_id: made[0]?.id }]);
  // Another refund of the same amount is a different one.
  const again = await ask(paymentId, 3_000, "A test.", true);
  await carryOut(again.refundId);
  expect(await madeFor(paymentId)).toHaveLength(2);
});

/** Requests a refund like the version that identified refunds only by the idempotency key. */
async function asEarlier(paymentId: string, key: string, amount: number): Promise<void> {
  const { keyId, keySecret } = env.razorpayAccounts.get("IN") ?? { keyId: "", keySecret: "" };
  const answer = await fetch(`${stack.sandboxUrl}/razorpay/v1/payments/${paymentId}/refund`, {
    method: "POST",
    headers: {
      Authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`,
      "Content-Type": "application/json",
      "X-Refund-Idempotency": key,
    },
    body: JSON.stringify({ amount }),
  });
  if (!answer.ok) throw new Error(`The refund answered ${answer.status}: ${await answer.text()}`);
}

test("applies each of a thousand webhooks once, repeated and in any order", {
  tags: ["full"],
}, async () => {
  const [byUs, dashboard, won, lost, failing] = [
    await paid(),
    await paid(),
    await paid(),
    await paid(),
    await paid(),
  ];
  const { refundId: ours } = await ask(byUs.paymentId, 3_000);
  const { refundId: fails } = await ask(failing.paymentId, 4_000);
  const now = seconds();
  const ofRefund = (
    paymentId: string,
    report: Omit<RefundEvent, "status">,
    end: "processed" | "failed",
  ): Event[] => [
    refundEvent("created", paymentId, { ...report, status: "pending" }),
    refundEvent("speed_changed", paymentId, { ...report, status: "pending" }),
    refundEvent(end, paymentId, { ...report, status: end }),
  ];
  const ofDispute = (paymentId: string, id: string, end: "won" | "lost"): Event[] =>
    ["created", "under_review", "action_required", end, "closed"].map((event, index) =>
      disputeEvent(event, paymentId, id, 1_500, now + index),
    );
  const events = [
    ...ofRefund(byUs.paymentId, { id: "rfnd_ours", amount: 3_000, receipt: ours }, "processed"),
    ...ofRefund(failing.paymentId, { id: "rfnd_fails", amount: 4_000, receipt: fails }, "failed"),
    ...ofRefund(dashboard.paymentId, { id: "rfnd_theirs", amount: dashboard.order.totalMinor }, "processed"),
    ...ofDispute(won.paymentId, "disp_won", "won"),
    ...ofDispute(lost.paymentId, "disp_lost", "lost"),
  ];
  const random = seededRandom(20_261_125);
  const queue = Array.from({ length: 1_000 }, (_, index) => events[index % events.length])
    .map((event) => ({ event, at: random(0, 1_000_000_000) }))
    .sort((a, b) => a.at - b.at);
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop())
        if (next.event !== undefined) await arrives(next.event);
    }),
  );

  expect(await refundsOf(byUs.order)).toMatchObject([{ id: ours, status: "processed", amount_minor: 3_000 }]);
  expect(await statusOf(byUs.order)).toBe("partly_refunded");
  expect(await refundsOf(failing.order)).toMatchObject([{ id: fails, status: "failed" }]);
  expect(await statusOf(failing.order)).toBe("completed");
  expect(await refundsOf(dashboard.order)).toMatchObject([
    { decided_by: "provider", status: "processed", amount_minor: dashboard.order.totalMinor },
  ]);
  expect(await statusOf(dashboard.order)).toBe("refunded");
  expect(await statusOf(won.order)).toBe("completed");
  expect(await statusOf(lost.order)).toBe("lost");
  for (const { order } of [won, lost]) {
    const disputes = db
      .selectFrom("disputes")
      .select(["status", "respond_by"])
      .where("order_id", "=", order.id);
    expect(await disputes.execute()).toEqual([
      { status: order === won.order ? "won" : "lost", respond_by: expect.any(Date) },
    ]);
    const reported = await alertsOf(order);
    expect(new Set(reported).size).toBe(reported.length);
    expect(reported.length).toBeLessThanOrEqual(5);
    // Disputes under review or won need no action.
    expect(reported.filter((key) => /:(review|won|closed)$/.test(key))).toEqual([]);
  }
  expect(await alertsOf(byUs.order)).toEqual([]);
  expect(await alertsOf(dashboard.order)).toHaveLength(1);
  // The provider has no such refund, so the store requested none.
  expect(await madeFor(dashboard.paymentId)).toEqual([]);
});

test("shows an open dispute on a paid order and refuses to refund a lost amount", async () => {
  const { order, paymentId } = await paid();
  const at = seconds();
  await arrives(disputeEvent("created", paymentId, "disp_shown", order.totalMinor, at));
  expect(await statusOf(order)).toBe("disputed");
  expect((await order.browser.get(`${order.path}/sign-in`)).status).toBe(200);
  await arrives(disputeEvent("lost", paymentId, "disp_shown", order.totalMinor, at + 2));
  await arrives(disputeEvent("under_review", paymentId, "disp_shown", order.totalMinor, at + 9));
  expect(await statusOf(order)).toBe("lost");
  await expect(ask(paymentId, null)).rejects.toThrow("it has already been refunded in full");
});

describe("the refund mail", () => {
  /** Sends and returns the mails about an order's refunds, oldest first. */
  async function mailed(order: OpenPayment & { email: string }) {
    const queued = await db
      .selectFrom("mails")
      .select(["id", "sent_at"])
      .where("order_id", "=", order.id)
      .where("kind", "=", "refund")
      .orderBy("created_at")
      .execute();
    for (const { id } of queued.filter(({ sent_at }) => sent_at === null)) await sendMail(context, id);
    return (await controls.inbox(order.email))
      .toReversed()
      .filter(({ subject }) =>
        /^(Your refund of ₹[\d,.]+ is on its way|₹[\d,.]+ has been refunded)/.test(subject),
      );
  }
  const kindsOf = async ({ id }: OpenPayment) => (await mailsOfOrder(db, id)).map(({ kind }) => kind);

  test("shows amount, destination, time and bank reference", async () => {
    const { order, paymentId } = await paid();
    const { refundId } = await ask(paymentId, 12_350, "A mistake of ours.");
    await carryOut(refundId);
    const [mail, ...more] = await mailed(order);
    expect(more).toEqual([]);
    expect(mail?.subject).toMatch(/^₹123.50 has been refunded: Microsoft 365/);
    const [made] = await madeFor(paymentId);
    for (const said of [
      "We've refunded ₹123.50 to the card you paid with.",
      "A mistake of ours.",
      "5 to 7 working days",
      "Bank reference: 10000000000000",
      `Refund number: ${made?.id}`,
      `/credit-notes/${refundId}`,
    ])
      expect(mail?.text).toContain(said);
  });

  test("announces a slow refund and confirms it when processed", async () => {
    const { order, paymentId } = await paid();
    await controls.refunds({ answer: "pending" });
    const { refundId } = await ask(paymentId, 10_000);
    await carryOut(refundId);
    const [first] = await mailed(order);
    expect(first?.subject).toMatch(/^Your refund of ₹100 is on its way/);
    expect(first?.text).not.toContain("Bank reference");
    const [made] = await madeFor(paymentId);
    const done = { id: made?.id ?? "", amount: 10_000, receipt: refundId, status: "processed" } as const;
    await arrives(refundEvent("processed", paymentId, { ...done, acquirer_data: { rrn: "112233445566" } }));
    await arrives(refundEvent("processed", paymentId, { ...done, acquirer_data: [] }));
    const mails = await mailed(order);
    expect(mails).toHaveLength(2);
    expect(mails[1]?.text).toContain("Bank reference: 112233445566");
  });

  test("reports a dashboard refund once, regardless of repeated events", async () => {
    const { order, paymentId } = await paid();
    const report = { id: `rfnd_${randomUUID().slice(0, 14)}`, amount: 5_000, receipt: null };
    const created = refundEvent("created", paymentId, { ...report, status: "pending" });
    const processed = refundEvent("processed", paymentId, { ...report, status: "processed" });
    for (const event of [processed, created, processed, created]) await arrives(event);
    const mails = await mailed(order);
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^₹50 has been refunded/)]);
    expect(mails[0]?.text).toContain("We refunded this payment.");
  });

  test("does not report a failed refund or a dispute", async () => {
    const { order, paymentId } = await paid();
    await controls.refunds({ answer: "pending" });
    const { refundId } = await ask(paymentId, 10_000);
    await carryOut(refundId);
    const [made] = await madeFor(paymentId);
    const failed = { id: made?.id ?? "", amount: 10_000, receipt: refundId, status: "failed" } as const;
    await arrives(refundEvent("failed", paymentId, failed));
    expect(await mailed(order)).toEqual([]);
    const before = (await kindsOf(order)).filter((kind) => kind !== "operator-alert");
    const at = seconds();
    for (const event of ["created", "lost"])
      await arrives(disputeEvent(event, paymentId, `disp_${order.id}`, 10_000, at));
    expect((await kindsOf(order)).filter((kind) => kind !== "operator-alert")).toEqual(before);
  });

  test("does not repeat a refund that the cancellation mail announced", async () => {
    const { order, paymentId } = await paid();
    await controls.refunds({ answer: "pending" });
    const refundId = await refundPart(context, order.id, 7_700);
    await carryOut(refundId);
    expect(await mailed(order)).toEqual([]);
    const [made] = await madeFor(paymentId);
    const done = { id: made?.id ?? "", amount: 7_700, receipt: refundId, status: "processed" } as const;
    await arrives(refundEvent("processed", paymentId, done));
    expect(await mailed(order)).toEqual([]);
    expect(await kindsOf(order)).not.toContain("credit-note");
  });
});
