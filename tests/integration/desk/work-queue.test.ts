/** The work queue: every kind of work item, longest waiting first, in pages, claimed by one staff member at a time. */
import { beforeAll, expect, test } from "vitest";
import { countWaiting, workItemKinds } from "#db/desk/work-queue.ts";
import {
  type CancellationId,
  type DisputeId,
  type MailId,
  newId,
  type OrderId,
  type PaymentId,
  type RefundId,
  type SubscriptionId,
} from "#db/ids.ts";
import { claimForStaff, readWorkQueue, releaseForStaff, type WorkItemView } from "#server/desk/work-queue.ts";
import * as paths from "#server/foundation/paths.ts";
import { makeStaff, staffBrowser, type TestStaff } from "#tests/support/desk.ts";
import { mainContentOf } from "#tests/support/http-browser.ts";
import { paidOrder } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
let one: TestStaff;
let other: TestStaff;
let orderId: OrderId;
let paymentId: string;

beforeAll(async () => {
  one = await makeStaff(context, "support");
  other = await makeStaff(context, "finance");
  ({ id: orderId } = await paidOrder(stack));
  const paid = await db
    .selectFrom("payments")
    .select("provider_payment_id")
    .where("order_id", "=", orderId)
    .executeTakeFirstOrThrow();
  paymentId = paid.provider_payment_id;
});

const sessionOf = ({ id, email }: TestStaff, role: "support" | "admin" = "support") => ({
  staff: { id, email, role, createdAt: new Date(), hasPassword: true, hasSecondFactor: true },
});

async function allItems(kind: WorkItemView["kind"] | null = null): Promise<WorkItemView[]> {
  const items: WorkItemView[] = [];
  let after: string | null = null;
  do {
    const page = await readWorkQueue(db, sessionOf(one), { after, kind });
    items.push(...page.items);
    after = page.next;
  } while (after !== null);
  return items;
}

const mail = (at: Date) => ({
  id: newId<MailId>(),
  kind: "order-delayed" as const,
  dedupe_key: newId<MailId>(),
  recipient: "gone@example.com",
  user_id: null,
  order_id: orderId,
  data: "{}",
  sent_at: null,
  refused_at: at,
  last_error: "550 no such mailbox",
});

test("lists work items of every kind, longest waiting first", async () => {
  await db
    .updateTable("orders")
    .set({ fulfilment_status: "needs_attention", updated_at: daysAgo(1) })
    .where("id", "=", orderId)
    .execute();
  const { user_id: userId, customer_id: customerId } = await db
    .selectFrom("orders")
    .select(["user_id", "customer_id"])
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  const order = { order_id: orderId, provider: "razorpay", provider_payment_id: paymentId } as const;
  await db
    .insertInto("payments")
    .values({
      ...order,
      id: newId<PaymentId>(),
      account: "IN",
      provider_payment_id: "pay_surplus",
      provider_order_id: "order_1",
      amount_minor: 5_000,
      currency: "INR",
      method: "card",
      status: "surplus",
      problem: null,
      settled_at: null,
      created_at: daysAgo(2),
    })
    .execute();
  await db
    .insertInto("refunds")
    .values({
      ...order,
      id: newId<RefundId>(),
      amount_minor: 100,
      currency: "INR",
      reason: "test",
      status: "failed",
      provider_refund_id: null,
      problem: "the card is closed",
      updated_at: daysAgo(3),
    })
    .execute();
  await db
    .insertInto("disputes")
    .values({
      ...order,
      id: newId<DisputeId>(),
      provider_dispute_id: "disp_1",
      amount_minor: 700,
      currency: "INR",
      reason: "fraud",
      phase: "chargeback",
      status: "open",
      respond_by: daysAgo(-5),
      told_at: daysAgo(4),
      created_at: daysAgo(4),
    })
    .execute();
  await db.deleteFrom("e_invoices").where("order_id", "=", orderId).execute();
  await db
    .insertInto("e_invoices")
    .values({
      number: "IN/26-27/999999",
      kind: "INV",
      account: "IN",
      order_id: orderId,
      issued_at: daysAgo(5),
      body: "{}",
      state: "failed",
      irn: "a".repeat(64),
      ack_number: null,
      acknowledged_at: null,
      signed_qr: null,
      signed_invoice: null,
      error_code: "3028",
      error_words: "GSTIN is not present",
      asked_at: null,
      next_try_at: null,
      cancel_reason: null,
      cancelled_at: null,
    })
    .execute();
  await db
    .insertInto("vendor_pauses")
    .values({
      account: "microsoft:IN",
      family: "microsoft",
      country: "IN",
      reason: "token revoked",
      since: daysAgo(6),
    })
    .execute();
  await db
    .insertInto("mails")
    .values(mail(daysAgo(7)))
    .execute();
  const [refused, mailId] = [newId<MailId>(), newId<MailId>()];
  await db
    .insertInto("mails")
    .values([
      { ...mail(daysAgo(40)), id: refused, recipient: "locked-out@example.com" },
      {
        ...mail(daysAgo(6.5)),
        id: mailId,
        kind: "reset-password",
        recipient: "Locked-Out@example.com",
        order_id: null,
        withheld: true,
        last_error: "suppressed",
      },
    ])
    .execute();
  await db
    .insertInto("waiting_items")
    .values({ kind: "mail", key: refused, taken_by: null, taken_at: null, done_at: daysAgo(39) })
    .execute();
  await db
    .insertInto("mail_suppressions")
    .values({ email: "locked-out@example.com", reason: "550 no such mailbox", mail_id: refused })
    .execute();
  await db
    .insertInto("money_differences")
    .values({
      key: "refund:1",
      kind: "test",
      amount_minor: 900,
      currency: "INR",
      what: "A refund is missing",
      first_seen_at: daysAgo(8),
      resolved_at: null,
      told_at: null,
      acknowledged_at: null,
      acknowledged_because: null,
    })
    .execute();
  await db
    .insertInto("provider_events")
    .values({
      provider: "razorpay",
      account: "IN",
      event_id: "queue-event",
      type: "refund.processed",
      payload: "{}",
      received_at: daysAgo(4.5),
      processed_at: daysAgo(4.5),
      state: "unreadable",
      problem: "The event has no refund.",
    })
    .execute();
  if (userId === null || customerId === null) throw new Error("Expected the order to have an owner");
  const { item_id } = await db
    .selectFrom("orders")
    .select("item_id")
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  const subscription = await db
    .insertInto("subscriptions")
    .values({
      id: newId<SubscriptionId>(),
      customer_id: customerId,
      tenant_id: null,
      order_id: orderId,
      item_id,
      family: "microsoft",
      external_id: "queue-test",
      domain: "queue.example",
      quantity: 1,
      term: "P1Y",
      billing_cycle: "annual",
      status: "active",
      parent_subscription_id: null,
      start_date: daysAgo(9),
      end_date: daysAgo(-300),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("cancellations")
    .values({
      id: newId<CancellationId>(),
      subscription_id: subscription.id,
      order_id: orderId,
      kind: "cancel",
      seats_before: 1,
      seats_after: 0,
      state: "requested",
      asked_by: userId,
      problem: null,
      last_error: "still running",
      needs_person: true,
      created_at: daysAgo(9),
    })
    .execute();

  const { id: givenBack } = await paidOrder(stack);
  await db
    .updateTable("orders")
    .set({ fulfilment_status: "needs_attention", payment_status: "refunded", updated_at: daysAgo(0.5) })
    .where("id", "=", givenBack)
    .execute();
  await db
    .insertInto("provider_requests")
    .values({
      order_id: givenBack,
      step: "customer",
      request_id: newId(),
      status: "sent",
      unanswered: true,
      result: null,
      finished_at: null,
    })
    .execute();

  const items = await allItems();
  expect(items.map(({ kind }) => kind)).toEqual([
    "cancellation",
    "difference",
    "mail",
    "password-mail",
    "vendor-pause",
    "document",
    "event",
    "dispute",
    "refund",
    "payment",
    "stopped-order",
    "given-back",
  ]);
  // Fails when a new source is not covered here.
  expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(workItemKinds));
  expect(items.find(({ kind }) => kind === "mail")?.what).toBe(
    "Order delayed to gone@example.com: 550 no such mailbox",
  );
  const dispute = items.find(({ kind }) => kind === "dispute");
  expect(dispute).toMatchObject({ amount: "₹7", what: "fraud", due: daysAgoClose(-5) });
  expect(items.filter(({ order }) => order?.path === paths.deskOrder(orderId))).toHaveLength(7);

  expect(items.find(({ kind }) => kind === "document")?.reason).toEqual({
    sentence: "The e-invoice portal rejected the document: GSTIN is not present.",
    raw: "3028: GSTIN is not present",
  });

  const browser = await staffBrowser(context, stack.url, one);
  const page = mainContentOf((await browser.get(paths.desk())).text);
  // Work items come before the figures.
  expect(page.indexOf("GSTIN is not present")).toBeLessThan(page.indexOf("Figures of"));
  // An order's page begins with all its work items, and shows each action once.
  const itsPage = mainContentOf((await browser.get(paths.deskOrder(orderId))).text);
  for (const words of ["The order stopped.", "The refund failed: the card is closed.", "Try again now"])
    expect(itsPage.split(words), words).toHaveLength(2);
  expect(itsPage.indexOf("The order stopped.")).toBeLessThan(itsPage.indexOf("Timeline"));
  for (const words of [
    "GSTIN is not present",
    "token revoked",
    "the card is closed",
    "A refund is missing",
    "₹50",
  ])
    expect(page).toContain(words);
});

const daysAgoClose = (days: number) =>
  expect.toSatisfy((date: Date) => Math.abs(date.getTime() - daysAgo(days).getTime()) < 600_000);

test("pages without repeats or gaps, also for items of the same time", async () => {
  const at = daysAgo(20);
  await db
    .insertInto("mails")
    .values(Array.from({ length: 64 }, () => mail(at)))
    .execute();
  const items = await allItems("mail");
  expect(items).toHaveLength(65);
  expect(new Set(items.map(({ key }) => key)).size).toBe(65);
  await expect(readWorkQueue(db, sessionOf(one), { after: "nonsense", kind: null })).rejects.toMatchObject({
    code: "bad_request",
  });
});

test("shows the number of work items in the navigation, up to 99", async () => {
  const browser = await staffBrowser(context, stack.url, one);
  const shown = async () =>
    /<b aria-hidden="true">([^<]*)<\/b>/.exec((await browser.get(paths.deskOrders())).text)?.[1];
  const waiting = (await allItems()).length;
  expect(await shown()).toBe(String(waiting));
  await db
    .insertInto("mails")
    .values(Array.from({ length: 100 - waiting }, () => mail(daysAgo(20))))
    .execute();
  expect(await shown()).toBe("99+");
  expect(await countWaiting(db, 5)).toBe(5);
  await db.deleteFrom("mails").where("recipient", "=", "gone@example.com").execute();
});

test("opens the order of a claimed item", async () => {
  const browser = await staffBrowser(context, stack.url, one);
  const taken = await browser.post(paths.desk(), { intent: "take", kind: "stopped-order", key: orderId });
  expect(taken.location).toBe(paths.deskOrder(orderId));
  expect(mainContentOf((await browser.get(paths.deskOrder(orderId))).text)).toContain("Assigned to you");
  const released = await browser.post(paths.desk(), {
    intent: "release",
    kind: "stopped-order",
    key: orderId,
  });
  expect(released.location).toBe(paths.desk());
});

test("lets one of two claim an item; its holder or an admin can release it", async () => {
  const item = { kind: "vendor-pause", key: "microsoft:IN" } as const;
  const takers = await Promise.allSettled([
    claimForStaff(db, sessionOf(one), item),
    claimForStaff(db, sessionOf(other), item),
  ]);
  expect(takers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const [has, hasNot] = takers[0]?.status === "fulfilled" ? [one, other] : [other, one];
  const shown = async () => (await allItems("vendor-pause"))[0]?.taken;
  expect(await shown()).toEqual({ by: has.email, isYou: has.id === one.id });

  await expect(releaseForStaff(db, sessionOf(hasNot), item)).rejects.toMatchObject({ code: "conflict" });
  await releaseForStaff(db, sessionOf(hasNot, "admin"), item);
  expect(await shown()).toBeNull();
  await claimForStaff(db, sessionOf(hasNot), item);
  await releaseForStaff(db, sessionOf(hasNot), item);
  await expect(claimForStaff(db, sessionOf(one), { kind: "mail", key: newId() })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("finds orders by any value that a customer can name", async () => {
  const browser = await staffBrowser(context, stack.url, one);
  const {
    number,
    created_at: createdAt,
    account,
  } = await db
    .selectFrom("orders")
    .select(["number", "created_at", "account"])
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow();
  const { companyName, email } = account as { companyName: string; email: string };
  const invoice = await db
    .selectFrom("invoices")
    .select("number")
    .where("order_id", "=", orderId)
    .executeTakeFirstOrThrow();
  const year = String(createdAt.getUTCFullYear() % 100);
  for (const search of [
    `HUB-${year}-${String(number).padStart(6, "0")}`,
    String(number),
    invoice.number,
    email.toUpperCase(),
    companyName.slice(0, 6).toLowerCase(),
    "queue.exam",
  ]) {
    const page = mainContentOf((await browser.get(paths.deskOrders({ search }))).text);
    expect(page, search).toContain(paths.deskOrder(orderId));
  }
  const page = mainContentOf((await browser.get(paths.deskOrders({ search: "nobody-has-this" }))).text);
  expect(page).toContain("No results for");
  expect((await browser.get(paths.deskOrders({ page: "nonsense" }))).status).toBe(400);
});
