/**
 * Providers' reports about a payment, in every order and with lost events, lead to the same final state. Unusable events are
 * accepted and shown to staff.
 */
import { createHmac, randomInt, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listWorkItems } from "#db/desk/work-queue.ts";
import type { ProviderEventState } from "#db/tables/payments.ts";
import { lookUpRefunds } from "#server/billing/payments/refund-reports.ts";
import { sweepReports } from "#server/billing/payments/report-sweep.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { handleProviderEvent } from "#server/billing/payments/webhook.ts";
import { createRazorpay } from "#server/integrations/razorpay.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { type OrderPlace, toCheckout } from "#tests/support/journey.ts";
import { toLink } from "#tests/support/payment-link.ts";
import { deleteQueuedJobs, queuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";
import { accountOf, toTransfer } from "#tests/support/transfer.ts";

const { stack, context, controls } = await startStore();
const { db } = context;
// The tests post all webhooks themselves.
beforeEach(() => controls.webhooks("never"));
afterEach(() => deleteQueuedJobs(db));

type Address = "razorpay" | "bank-transfer" | "payment-link";
interface Event {
  at?: Address;
  event: string;
  payload: unknown;
  created_at?: number;
}
const secret = context.env.razorpayAccounts.get("IN")?.webhookSecret ?? "";
const seconds = () => Math.floor(Date.now() / 1000);

/** Posts a signed webhook. @returns the status and the event's id */
async function post({ at = "razorpay", ...event }: Event): Promise<{ status: number; eventId: string }> {
  const body = JSON.stringify({ entity: "event", created_at: seconds(), ...event });
  const eventId = randomUUID();
  const { status } = await new HttpBrowser(stack.url).ask(`/webhooks/${at}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Razorpay-Signature": createHmac("sha256", secret).update(body).digest("hex"),
      "X-Razorpay-Event-Id": eventId,
    },
    body,
  });
  return { status, eventId };
}

/** Posts a webhook and runs its job and the jobs it queues. @returns the event's id */
async function arrives(event: Event): Promise<string> {
  const { status, eventId } = await post(event);
  expect(status).toBe(200);
  await handleProviderEvent(context, { provider: event.at ?? "razorpay", eventId }, 4);
  await runReportJobs();
  return eventId;
}

/** Runs the jobs that a settlement queues about earlier reports. */
async function runReportJobs(): Promise<void> {
  for (const { key } of await queuedJobs(db)) {
    const [kind, at, id = ""] = key?.split(":") ?? [];
    const provider = (["razorpay", "bank-transfer", "payment-link"] as const).find((each) => each === at);
    if (key === null || provider === undefined || (kind !== "refunds" && kind !== "event")) continue;
    await deleteQueuedJobs(db, key);
    if (kind === "refunds") await lookUpRefunds(context, { provider, account: "IN", providerPaymentId: id });
    else await handleProviderEvent(context, { provider, eventId: id }, 4);
  }
}

const stateOf = async (eventId: string) =>
  (
    await db
      .selectFrom("provider_events")
      .select("state")
      .where("event_id", "=", eventId)
      .executeTakeFirstOrThrow()
  ).state;

/** Returns the final state of an order's money, without ids and times. */
async function endOf({ id }: OrderPlace) {
  const of = (table: "payments" | "refunds" | "disputes") =>
    db.selectFrom(table).select(["status", "amount_minor"]).where("order_id", "=", id);
  const invoices = await db.selectFrom("invoices").select("number").where("order_id", "=", id).execute();
  const notes = await db
    .selectFrom("credit_notes")
    .select("total_minor")
    .where("order_id", "=", id)
    .orderBy("total_minor")
    .execute();
  const { stage, payment_status } = await db
    .selectFrom("orders")
    .select(["stage", "payment_status"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return {
    stage,
    payment_status,
    payments: await of("payments").orderBy("amount_minor").execute(),
    refunds: await of("refunds").orderBy("amount_minor").execute(),
    disputes: await of("disputes").orderBy("amount_minor").execute(),
    invoices: invoices.length,
    notes: notes.map(({ total_minor }) => total_minor),
  };
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

/** An order paid at the provider without the store's knowledge, and the events about the payment. */
interface Paid {
  order: OrderPlace & { totalMinor: number };
  paymentId: string;
  orderId: string | null;
  paidEvents: Event[];
}

const ways = {
  async card(): Promise<Paid> {
    const order = await toCheckout(stack.url);
    const { paymentId } = await controls.pay({ orderId: order.providerOrderId, webhook: false });
    const payment = { entity: { id: paymentId, order_id: order.providerOrderId } };
    return {
      order,
      paymentId,
      orderId: order.providerOrderId,
      paidEvents: [{ event: "payment.captured", payload: { payment } }],
    };
  },
  async transfer(): Promise<Paid> {
    const order = await toTransfer(stack.url);
    const accountId = await accountOf(controls, order);
    const paymentId = await controls.credit({ accountId, amount: order.totalMinor, webhook: false });
    const payment = { entity: { id: paymentId, order_id: null } };
    const virtual_account = { entity: { id: accountId } };
    return {
      order,
      paymentId,
      orderId: null,
      paidEvents: [
        { at: "bank-transfer", event: "virtual_account.credited", payload: { payment, virtual_account } },
      ],
    };
  },
  async link(): Promise<Paid> {
    const order = await toLink(stack.url, controls);
    const { linkId } = order;
    const { paymentId } = await controls.payLink({ linkId, webhook: false });
    const orderId =
      (await controls.state()).razorpay.payments.find(({ id }) => id === paymentId)?.order_id ?? null;
    const payment = { entity: { id: paymentId, order_id: orderId } };
    return {
      order,
      paymentId,
      orderId,
      paidEvents: [
        {
          at: "payment-link",
          event: "payment_link.paid",
          payload: { payment, payment_link: { entity: { id: linkId } } },
        },
      ],
    };
  },
} as const;

const refundEvent = (
  kind: string,
  { paymentId }: Paid,
  refund: { id: string; amount: number; status: string },
): Event => ({
  event: `refund.${kind}`,
  payload: { refund: { entity: { ...refund, payment_id: paymentId } } },
});
const disputeEvent = (
  kind: string,
  { paymentId }: Paid,
  dispute: { id: string; amount: number },
  at: number,
): Event => ({
  event: `payment.dispute.${kind}`,
  created_at: at,
  payload: {
    dispute: {
      entity: {
        ...dispute,
        payment_id: paymentId,
        amount_deducted: kind === "lost" ? dispute.amount : 0,
        currency: "INR",
      },
    },
  },
});

/** One report to the store: an event or a look-up at the provider. */
type Step = () => Promise<unknown>;
const stepsOf = (events: readonly Event[]): Step[] => events.map((event) => () => arrives(event));

const wayIds = ["card", "transfer", "link"] as const;
const seed = Number(process.env.ORDER_SEED ?? randomInt(wayIds.length));

describe.each(wayIds)("a payment by %s", (way) => {
  // Each way covers a third of the permutations; together they cover all.
  test(`reaches the same state in every order of its events (ORDER_SEED=${seed})`, {
    tags: ["full"],
  }, async () => {
    const ends = new Set<string>();
    const first = (wayIds.indexOf(way) + seed) % wayIds.length;
    for (let index = first; index < 24; index += wayIds.length) {
      const paid = await ways[way]();
      const id = await controls.refund({ paymentId: paid.paymentId, amount: 100_000 });
      const disputeId = await controls.dispute({ paymentId: paid.paymentId, amount: 50_000 });
      const steps = stepsOf([
        ...paid.paidEvents,
        refundEvent("created", paid, { id, amount: 100_000, status: "pending" }),
        refundEvent("processed", paid, { id, amount: 100_000, status: "processed" }),
        disputeEvent("created", paid, { id: disputeId, amount: 50_000 }, seconds()),
      ]);
      for (const step of permutations(steps)[index] ?? []) await step();
      ends.add(JSON.stringify(await endOf(paid.order)));
    }
    expect([...ends].map((end) => JSON.parse(end))).toMatchObject([
      {
        stage: "stage3",
        payment_status: "disputed",
        payments: [{ status: "captured" }],
        refunds: [{ status: "processed", amount_minor: 100_000 }],
        disputes: [{ status: "open", amount_minor: 50_000 }],
        invoices: 1,
        notes: [100_000],
      },
    ]);
  });

  test.each([
    ["refund first", ["refund", "paid", "dispute"]],
    ["dispute first", ["dispute", "refund", "paid"]],
    ["only the refund", ["refund", "dispute"]],
    ["only the payment", ["paid", "sweep"]],
    ["nothing but the sweep", ["sweep"]],
  ] as const)("creates the invoice and the credit note with %s", async (_name, order) => {
    const paid = await ways[way]();
    const id = await controls.refund({ paymentId: paid.paymentId, amount: 100_000 });
    const disputeId = await controls.dispute({ paymentId: paid.paymentId, amount: 50_000 });
    const steps: Record<"refund" | "dispute" | "paid" | "sweep", Step> = {
      refund: () => arrives(refundEvent("processed", paid, { id, amount: 100_000, status: "processed" })),
      dispute: () => arrives(disputeEvent("created", paid, { id: disputeId, amount: 50_000 }, seconds())),
      paid: async () => {
        for (const event of paid.paidEvents) await arrives(event);
      },
      sweep: () => sweepReports(context),
    };
    for (const step of order) await steps[step]();
    await runReportJobs();
    expect(await endOf(paid.order)).toMatchObject({
      stage: "stage3",
      payment_status: "disputed",
      refunds: [{ status: "processed", amount_minor: 100_000 }],
      disputes: [{ status: "open" }],
      invoices: 1,
      notes: [100_000],
    });
  });

  test("leaves the order unpaid when refunded in full before the store knew it", async () => {
    for (const order of permutations(["paid", "refund"] as const)) {
      const paid = await ways[way]();
      const id = await controls.refund({ paymentId: paid.paymentId });
      const amount = paid.order.totalMinor;
      for (const step of order)
        if (step === "refund")
          await arrives(refundEvent("processed", paid, { id, amount, status: "processed" }));
        else for (const event of paid.paidEvents) await arrives(event);
      expect(await endOf(paid.order)).toMatchObject({
        stage: "stage2",
        payments: [{ status: "refunded" }],
        refunds: [{ status: "processed", amount_minor: amount }],
        invoices: 0,
        notes: [],
      });
    }
  });
});

describe("the sweep of reports", () => {
  test("finds an unreported refund and lost dispute of a paid order", async () => {
    const paid = await ways.card();
    for (const event of paid.paidEvents) await arrives(event);
    await controls.refund({ paymentId: paid.paymentId, amount: 100_000 });
    const disputeId = await controls.dispute({ paymentId: paid.paymentId, amount: 50_000 });
    await controls.dispute({ disputeId, event: "lost" });
    await sweepReports(context);
    await sweepReports(context);
    expect(await endOf(paid.order)).toMatchObject({
      payment_status: "lost",
      refunds: [{ status: "processed", amount_minor: 100_000 }],
      disputes: [{ status: "lost", amount_minor: 50_000 }],
      notes: [100_000],
    });
  });

  test("fails and is retried while the provider does not respond", async () => {
    await controls.faults({ match: { method: "GET", path: "^/razorpay/v1/refunds" }, kind: "500" });
    await expect(sweepReports(context)).rejects.toMatchObject({ kind: "transient" });
    await controls.faults();
    await expect(sweepReports(context)).resolves.toBeTypeOf("number");
  });

  test("skips an account that lists no disputes", async () => {
    await controls.faults({ match: { method: "GET", path: "^/razorpay/v1/disputes" }, kind: "404" });
    await expect(sweepReports(context)).resolves.toBeTypeOf("number");
    await controls.faults();
  });
});

describe("an event about an unknown payment", () => {
  const someRefund = (payment_id: string): Event => ({
    event: "refund.processed",
    payload: { refund: { entity: { id: "rfnd_1", amount: 100, status: "processed", payment_id } } },
  });
  const items = async () =>
    (await listWorkItems(db, { after: null, limit: 50, kind: "event" })).rows.map(({ key }) => key);

  test("appears in the Desk after a day and is applied once its payment is settled", async () => {
    const paid = await ways.card();
    const unknown = await arrives(someRefund("pay_NobodyMade1"));
    expect(await stateOf(unknown)).toBe("waiting");
    expect(await items()).not.toContain(`razorpay:${unknown}`);
    await db
      .updateTable("provider_events")
      .set({ received_at: new Date(Date.now() - 25 * 3_600_000), payment_id: paid.paymentId })
      .where("event_id", "=", unknown)
      .execute();
    expect(await items()).toContain(`razorpay:${unknown}`);
    await settlePayment(context, {
      provider: "razorpay",
      account: "IN",
      providerOrderId: paid.orderId ?? "",
      providerPaymentId: paid.paymentId,
    });
    expect((await queuedJobs(db)).map(({ key }) => key)).toContain(`event:razorpay:${unknown}`);
  });

  test.each([
    ["a payment of another shop's order", "payment.captured", { order_id: "order_Other00000001" }],
    ["a payment without an order", "payment.captured", { order_id: null }],
    ["a failed payment of another shop", "payment.failed", { order_id: "order_Other00000002" }],
  ])("changes nothing: %s", async (_name, event, entity) => {
    const before = await queuedJobs(db);
    const { status, eventId } = await post({
      event,
      payload: {
        payment: { entity: { id: "pay_Other000001", ...entity, notes: { woocommerce_order_id: "1042" } } },
      },
    });
    expect(status).toBe(200);
    // The job ends at its first attempt.
    await handleProviderEvent(context, { provider: "razorpay", eventId });
    expect(["foreign", "applied"]).toContain(await stateOf(eventId));
    expect(
      await db
        .selectFrom("payments")
        .select("id")
        .where("provider_payment_id", "=", "pay_Other000001")
        .execute(),
    ).toEqual([]);
    expect((await queuedJobs(db)).filter(({ key }) => key !== `event:razorpay:${eventId}`)).toEqual(before);
  });

  test.each([
    ["refund", someRefund("pay_Other000002")],
    [
      "refund with a payment of another shop",
      {
        event: "refund.processed",
        payload: {
          payment: { entity: { id: "pay_Other000003", order_id: "order_Other00000001" } },
          refund: {
            entity: { id: "rfnd_2", amount: 100, status: "processed", payment_id: "pay_Other000003" },
          },
        },
      },
    ],
    [
      "dispute",
      {
        event: "payment.dispute.created",
        payload: {
          dispute: { entity: { id: "disp_1", payment_id: "pay_Other000004", amount: 100, currency: "INR" } },
        },
      },
    ],
  ])("ends its job at the first attempt without rows or mails: %s", async (_name, event) => {
    const mails = await countMails();
    const { status, eventId } = await post(event);
    expect(status).toBe(200);
    await handleProviderEvent(context, { provider: "razorpay", eventId });
    expect(await countMails()).toBe(mails);
    expect(
      await db.selectFrom("refunds").select("id").where("provider_refund_id", "=", "rfnd_2").execute(),
    ).toEqual([]);
  });
});

const countMails = async () => (await db.selectFrom("mails").select("id").execute()).length;

describe("a webhook secret", () => {
  const both = createRazorpay({
    keyId: "key",
    keySecret: "secret",
    webhookSecret: "new-secret old-secret",
    apiUrl: "https://api.razorpay.com/v1",
    timeoutMs: 1_000,
  });
  const signedWith = (key: string, body: string) => createHmac("sha256", key).update(body).digest("hex");

  test.each([
    ["new-secret", true],
    ["old-secret", true],
    ["new-secret old-secret", false],
    ["", false],
    ["older-secret", false],
    ["new-secret ", false],
  ])("accepts a signature with %j during rotation: %s", (key, isValid) => {
    expect(both.isWebhookSignatureValid("{}", signedWith(key, "{}"))).toBe(isValid);
  });
});

describe("an event of an unknown kind or shape", () => {
  const refund = { id: "rfnd_3", payment_id: "pay_1", amount: 100, status: "processed" };
  const cases: [string, ProviderEventState, Event][] = [
    ["invoice.paid", "unused", { event: "invoice.paid", payload: { invoice: { entity: { id: "inv_1" } } } }],
    [
      "payment.downtime.started",
      "unused",
      { event: "payment.downtime.started", payload: { "payment.downtime": { entity: { id: "down_1" } } } },
    ],
    ["settlement.processed", "unused", { event: "settlement.processed", payload: { settlement: {} } }],
    ["fund_account", "unused", { event: "fund_account.validation.completed", payload: {} }],
    ["a kind of next year", "unused", { event: "payout.reversed", payload: { payout: [] } }],
    [
      "virtual_account.closed",
      "new",
      {
        at: "bank-transfer",
        event: "virtual_account.closed",
        payload: { virtual_account: { entity: { id: "va_1" } } },
      },
    ],
    [
      "payment_link.expired",
      "new",
      {
        at: "payment-link",
        event: "payment_link.expired",
        payload: { payment_link: { entity: { id: "plink_1" } } },
      },
    ],
    [
      "acquirer_data and notes as lists",
      "new",
      {
        event: "refund.processed",
        payload: { refund: { entity: { ...refund, acquirer_data: [], notes: [] } } },
      },
    ],
    [
      "refund.created with status created",
      "unreadable",
      { event: "refund.created", payload: { refund: { entity: { ...refund, status: "created" } } } },
    ],
    ["refund null", "unreadable", { event: "refund.processed", payload: { refund: null } }],
    [
      "refund entity null",
      "unreadable",
      { event: "refund.processed", payload: { refund: { entity: null } } },
    ],
    [
      "refund without an amount",
      "unreadable",
      { event: "refund.processed", payload: { refund: { entity: { ...refund, amount: undefined } } } },
    ],
    ["payload []", "unreadable", { event: "refund.created", payload: [] }],
    ["no payload", "unreadable", { event: "payment.captured", payload: undefined }],
    ["payload null", "unreadable", { event: "order.paid", payload: null }],
    ["payload a text", "unreadable", { event: "order.paid", payload: "none" }],
    [
      "dispute without an amount",
      "unreadable",
      {
        event: "payment.dispute.created",
        payload: { dispute: { entity: { id: "disp_2", payment_id: "pay_1", currency: "INR" } } },
      },
    ],
    [
      "an unknown state of a dispute",
      "unreadable",
      {
        event: "payment.dispute.escalated",
        payload: { dispute: { entity: { id: "disp_2", payment_id: "pay_1", amount: 1, currency: "INR" } } },
      },
    ],
    [
      "a credit without its account",
      "unreadable",
      {
        at: "bank-transfer",
        event: "virtual_account.credited",
        payload: { payment: { entity: { id: "pay_1" } } },
      },
    ],
    [
      "a paid link without its payment",
      "unreadable",
      { at: "payment-link", event: "payment_link.paid", payload: [] },
    ],
    [
      "a payment whose id is a path",
      "unreadable",
      { event: "payment.captured", payload: { payment: { entity: { id: "../refunds" } } } },
    ],
  ];

  test.each(cases)("accepts %s", async (_name, state, event) => {
    const { status, eventId } = await post(event);
    expect(status).toBe(200);
    expect(await stateOf(eventId)).toBe(state);
    const shown = (await listWorkItems(db, { after: null, limit: 100, kind: "event" })).rows;
    const item = shown.find(({ key }) => key.endsWith(eventId));
    expect(item !== undefined).toBe(state === "unreadable");
    if (state === "unreadable") expect(item?.what).toMatch(/The (event|refund|dispute|payment|store)/);
    const jobs = (await queuedJobs(db)).filter(({ key }) => key?.endsWith(eventId));
    expect(jobs).toHaveLength(state === "new" ? 1 : 0);
  });

  test.each(["", "not json", "[]", "null", '{"event":1,"payload":{}}', '{"payload":{}}'])(
    "refuses a body that is not an event: %j",
    async (body) => {
      const answer = await new HttpBrowser(stack.url).ask("/webhooks/razorpay", {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "X-Razorpay-Signature": createHmac("sha256", secret).update(body).digest("hex"),
          "X-Razorpay-Event-Id": randomUUID(),
        },
        body,
      });
      expect(answer.status).toBe(400);
    },
  );
});
