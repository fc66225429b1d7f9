/**
 * A buyer cancels a subscription or removes licences: Microsoft first, then one refund per order, never more than was paid. A
 * change that Microsoft refuses refunds nothing.
 */
import { afterEach, describe, expect, test } from "vitest";
import { listUncreditedRefunds } from "#db/billing/credit-notes.ts";
import { listPayments } from "#db/billing/payments.ts";
import { latestCancellation } from "#server/billing/cancellations/request.ts";
import { creditNoteFactsSchema } from "#server/billing/documents/credit-note-facts.ts";
import { refundByStaff } from "#server/billing/payments/staff-refund.ts";
import * as paths from "#server/foundation/paths.ts";
import {
  ageSubscription,
  type BoughtSubscription,
  buyMore,
  buySubscription,
  cancelAndWait,
  cancellationState,
  cancelPage,
  confirm,
  openConfirmation,
} from "#tests/support/bought-subscription.ts";
import { beginChange, openPayment, outcomeOfChange, payChange } from "#tests/support/changes.ts";
import { createSubscriptionFor, makeCustomer, seedProviders } from "#tests/support/customer.ts";
import { mainContentOf } from "#tests/support/http-browser.ts";
import { returnForm } from "#tests/support/journey.ts";
import { join, makePerson, readOrder, signedIn } from "#tests/support/orders.ts";
import { makeJobsDue, queuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";
import { readSubscription } from "#tests/support/subscriptions.ts";
import { until } from "#tests/support/until.ts";

const store = await startStore({ worker: true });
const { stack, context, controls, provider } = store;
const { db } = context;
afterEach(async () => {
  stack.resumeWorker();
  await controls.faults();
});

const change = { method: "PATCH", path: "/subscriptions/" };

async function atMicrosoft({ externalId }: Pick<BoughtSubscription, "externalId">) {
  const { partnerCenter } = await provider.state();
  const found = partnerCenter.subscriptions.find(({ id }) => id === externalId);
  if (found === undefined) throw new Error("Expected the subscription at Microsoft");
  return found;
}

/** Returns the refund amounts of all orders of a subscription, once each was requested at the payment provider. */
async function refundsOf({ id }: Pick<BoughtSubscription, "id">): Promise<number[]> {
  const read = () =>
    db
      .selectFrom("refunds")
      .innerJoin("orders", "orders.id", "refunds.order_id")
      .select(["refunds.amount_minor", "refunds.status"])
      .where("orders.subscription_id", "=", id)
      .orderBy("refunds.created_at")
      .execute();
  await until("every refund is requested", async () =>
    (await read()).every(({ status }) => status !== "requested"),
  );
  return (await read()).map(({ amount_minor }) => amount_minor);
}

const changesAt = async ({ externalId }: Pick<BoughtSubscription, "externalId">) =>
  (await provider.calls(({ method, path }) => method === "PATCH" && path.endsWith(externalId))).length;

describe("on the third day, a cancellation", () => {
  test("ends the whole subscription and refunds its unused part", async () => {
    const bought = await buySubscription(store, { daysAgo: 3 });
    const choice = mainContentOf((await cancelPage(bought)).text);
    expect(choice).toContain("Cancel subscription");
    // More than 72 hours have passed.
    expect(choice).toContain("The deadline for this was");

    const { state, totalMinor, page } = await cancelAndWait(store, bought, "all");
    expect(state).toBe("refund_requested");
    const unused = Math.round((bought.totalMinor * 362) / 365 / 100) * 100;
    expect(totalMinor).toBe(unused);
    expect(await refundsOf(bought)).toEqual([unused]);
    expect((await atMicrosoft(bought)).status).toBe("deleted");
    expect(await readSubscription(db, bought.id)).toMatchObject({
      status: "cancelled",
      changing_order_id: null,
    });
    expect(page).toContain("Ended by Microsoft");
    expect((await cancelPage(bought)).text).toContain("This subscription has been cancelled.");

    await until("the mail is there", async () =>
      (await controls.inbox(bought.email)).some(({ subject }) => subject.startsWith("Cancelled: ")),
    );
    const mail = (await controls.inbox(bought.email)).find(({ subject }) =>
      subject.startsWith("Cancelled: "),
    );
    expect(mail?.text).toContain("working days");
    // No more orders for this subscription.
    expect(await bought.browser.get(`/buy/more/${bought.id}`)).toMatchObject({
      status: 303,
      location: "/subscriptions",
    });
  });
});

test("sends one mail for a removed licence, with a credit note for its price", async () => {
  const bought = await buySubscription(store, { quantity: 4 });
  const kinds = async () =>
    (
      await db
        .selectFrom("mails")
        .select("kind")
        .where("recipient", "=", bought.email)
        .where("kind", "in", ["cancellation", "credit-note", "refund"])
        .execute()
    ).map(({ kind }) => kind);
  await cancelAndWait(store, bought, "1");
  const [amount] = await refundsOf(bought);
  expect(await kinds()).toEqual(["cancellation"]);
  const toBuyer = async () =>
    (await controls.inbox(bought.email)).find(({ subject }) => subject.startsWith("Licenses removed: "));
  await until("the mail is there", async () => (await toBuyer()) !== undefined);
  const mail = await toBuyer();
  const note = await db
    .selectFrom("credit_notes")
    .select(["number", "refund_id", "facts"])
    .where("order_id", "=", bought.orderId)
    .executeTakeFirstOrThrow();
  expect(mail?.text).toContain(`Credit note: ${note.number}`);
  expect(mail?.text).toContain(paths.creditNote(note.refund_id ?? ""));
  const facts = creditNoteFactsSchema.parse(note.facts);
  expect(facts).toMatchObject({ totalMinor: amount, licences: 1 });
  expect(facts.lines).toMatchObject([{ quantity: 1, unitPriceMinor: facts.subtotalMinor }]);
  const page = mainContentOf((await bought.browser.get(paths.creditNote(note.refund_id ?? ""))).text);
  expect(page).toContain("Unit price");
  const refund = await db
    .selectFrom("refunds")
    .select("bank_reference")
    .where("id", "=", note.refund_id)
    .executeTakeFirstOrThrow();
  expect(refund.bank_reference).toMatch(/^\d+$/);
  const standing = await cancelPage(bought, `?asked=${await latestOf(bought)}`);
  expect(standing.text).toContain(`Bank reference: ${refund.bank_reference}`);
});

describe("a cancellation of an order with several payments or losses", () => {
  const notesOf = async ({ orderId }: Pick<BoughtSubscription, "orderId">) =>
    (
      await db
        .selectFrom("credit_notes")
        .select("total_minor")
        .where("order_id", "=", orderId)
        .orderBy("serial")
        .execute()
    ).map(({ total_minor }) => total_minor);

  test("refunds and credits both of two transfers in full", async () => {
    const bought = await buySubscription(store, {
      quantity: 3,
      credits: (total) => [total - 100_000, 100_000],
    });
    const { totalMinor, state } = await cancelAndWait(store, bought, "all");
    expect(totalMinor).toBe(bought.totalMinor);
    expect(state).toBe("refund_requested");
    const refunds = await refundsOf(bought);
    expect(refunds.toSorted((one, other) => one - other)).toEqual([100_000, bought.totalMinor - 100_000]);
    for (const { providerPaymentId, amountMinor } of await listPayments(db, bought.orderId))
      expect(await controls.refundedOf(providerPaymentId)).toBe(amountMinor);
    expect((await notesOf(bought)).reduce((sum, each) => sum + each, 0)).toBe(bought.totalMinor);
    await until("the refund is completed", async () =>
      (await cancelPage(bought, `?asked=${await latestOf(bought)}`)).text.includes("Refund completed"),
    );
    expect((await readOrder(db, bought.orderId)).payment_status).toBe("refunded");
  });

  test("excludes a surplus, which staff refund separately without a credit note", async () => {
    const bought = await buySubscription(store, { quantity: 3, credits: (total) => [total + 70_000] });
    const { totalMinor } = await cancelAndWait(store, bought, "all");
    expect(totalMinor).toBe(bought.totalMinor);
    expect(await refundsOf(bought)).toEqual([bought.totalMinor]);
    expect(await notesOf(bought)).toEqual([bought.totalMinor]);
    const [payment] = await listPayments(db, bought.orderId);
    await refundByStaff(db, context.env, {
      target: payment?.providerPaymentId ?? "",
      amountMinor: null,
      reason: "Transferred too much.",
      allowDuplicate: false,
      by: "tester",
      isConfirmed: true,
    });
    expect(await refundsOf(bought)).toEqual([bought.totalMinor, 70_000]);
    expect(await notesOf(bought)).toEqual([bought.totalMinor]);
    expect((await listUncreditedRefunds(db)).map(({ refundId }) => refundId)).toEqual([]);
  });

  test("excludes an amount lost in a dispute", async () => {
    const bought = await buySubscription(store, { quantity: 3 });
    const [payment] = await listPayments(db, bought.orderId);
    const paymentId = payment?.providerPaymentId ?? "";
    const dispute = await controls.dispute({ paymentId, amount: 50_000 });
    await controls.dispute({ disputeId: dispute, event: "lost" });
    await until(
      "the dispute is lost",
      async () => (await readOrder(db, bought.orderId)).payment_status === "lost",
    );
    const { totalMinor, state } = await cancelAndWait(store, bought, "all");
    expect(state).toBe("refund_requested");
    expect(totalMinor).toBe(bought.totalMinor - 50_000);
    expect(await refundsOf(bought)).toEqual([bought.totalMinor - 50_000]);
  });
});

const latestOf = async ({ id }: Pick<BoughtSubscription, "id">) =>
  (await latestCancellation(db, id))?.id ?? "";

describe("removing licences", () => {
  test("refunds two of ten while the term still ends as planned", async () => {
    const bought = await buySubscription(store);
    const { totalMinor, page } = await cancelAndWait(store, bought, "2");
    expect(totalMinor).toBe(Math.round((bought.totalMinor * 2) / 10 / 100) * 100);
    expect(await refundsOf(bought)).toEqual([totalMinor]);
    expect(await atMicrosoft(bought)).toMatchObject({ quantity: 8, status: "active" });
    expect(await readSubscription(db, bought.id)).toMatchObject({
      quantity: 8,
      reduced_from: null,
      changing_order_id: null,
      status: "active",
    });
    expect(page).toContain("Removed by Microsoft: 2 licenses");
    const jobs = await queuedJobs(db);
    expect(jobs.filter(({ key }) => key === `stop-renewal:${bought.id}`)).toHaveLength(1);

    // A later refund covers only the remaining licences; together they equal the payment.
    const rest = await cancelAndWait(store, bought, "all");
    expect(await refundsOf(bought)).toEqual([totalMinor, rest.totalMinor]);
    expect(totalMinor + rest.totalMinor).toBe(bought.totalMinor);
  });

  test("takes licences from the newest order first, with a refund per order", async () => {
    const bought = await buySubscription(store, { quantity: 3 });
    await buyMore(store, bought, 2);
    const { text, totalMinor } = await openConfirmation(bought, "4");
    expect(text).toContain("2 licenses");
    const { state } = await cancelAndWait(store, bought, "4");
    expect(state).toBe("refund_requested");
    const refunds = await refundsOf(bought);
    expect(refunds).toHaveLength(2);
    expect(refunds.reduce((sum, each) => sum + each, 0)).toBe(totalMinor);
    expect((await atMicrosoft(bought)).quantity).toBe(1);
  });

  test("refuses more than the removable number at the field", async () => {
    const bought = await buySubscription(store, { quantity: 3 });
    const path = `/subscriptions/${bought.id}/cancel`;
    const choice = mainContentOf((await cancelPage(bought)).text);
    expect(choice).toMatch(/data-count="-1".*name="seats".*max="2".*data-count="1"/);
    expect(choice).toMatch(/<a class="button danger"[^>]*>Cancel subscription</);
    const many = await bought.browser.post(path, { intent: "count", seats: "3" });
    expect(many).toMatchObject({ status: 400 });
    expect(many.text).toContain("You can remove up to 2 licenses.");
    expect(await bought.browser.post(path, { intent: "count", seats: "2" })).toMatchObject({
      status: 303,
      location: `${path}?give=2`,
    });
    // A made-up address redirects to the choice.
    expect((await cancelPage(bought, "?give=3")).location).toBe(path);
  });
});

describe("Microsoft's decision", () => {
  test("refunds nothing and mails the buyer when its window closes in between", async () => {
    const bought = await buySubscription(store);
    const confirmation = await openConfirmation(bought, "all");
    await controls.faults({ match: change, kind: "refuse", status: 400, code: "900117" });
    const { location } = await confirm(bought, confirmation);
    expect(await cancellationState({ context }, confirmation.form.id ?? "")).toBe("refused");
    await controls.faults();
    const page = await bought.browser.get(location ?? "");
    expect(page.text).toContain("Rejected by Microsoft");
    expect(page.text).toContain("there&#x27;s no refund");
    expect(await refundsOf(bought)).toEqual([]);
    expect(await readSubscription(db, bought.id)).toMatchObject({
      status: "active",
      changing_order_id: null,
    });
    await until("the mail is there", async () =>
      (await controls.inbox(bought.email)).some(({ subject }) => subject.startsWith("Not cancelled: ")),
    );
    // The subscription can be changed again.
    expect(await buyMore(store, bought, 1)).toBeDefined();
  });

  test("replaces our deadline with Microsoft's earlier one and offers nothing after it", async () => {
    const bought = await buySubscription(store);
    await controls.console({
      id: bought.externalId,
      returnableUntil: new Date(Date.now() - 1_000).toISOString(),
    });
    const choice = mainContentOf((await cancelPage(bought)).text);
    expect(choice).not.toContain("See your refund");
    expect(choice.match(/The deadline for this was/g)).toHaveLength(2);
    expect((await cancelPage(bought, "?give=all")).status).toBe(302);
  });

  test("refunds a cancellation already made at Microsoft without repeating it", async () => {
    const bought = await buySubscription(store);
    const confirmation = await openConfirmation(bought, "all");
    // Without this, the store would learn of it before the buyer confirms.
    await controls.notices("never");
    await controls.console({ id: bought.externalId, state: "cancelled" });
    const before = await changesAt(bought);
    await confirm(bought, confirmation);
    await controls.notices("normal");
    expect(await cancellationState({ context }, confirmation.form.id ?? "")).toBe("refund_requested");
    expect(await changesAt(bought)).toBe(before);
    expect(await refundsOf(bought)).toEqual([confirmation.totalMinor]);
  });

  test.each([
    { what: "a stale etag", status: 400, code: "2055" },
    { what: "an operation under way", status: 409, code: "900278" },
    { what: "a fault", status: 500, code: "800003" },
  ])("retries after $what", async ({ status, code }) => {
    const bought = await buySubscription(store, { quantity: 4 });
    await controls.faults({ match: change, kind: "refuse", status, code, times: 1 });
    const confirmation = await openConfirmation(bought, "1");
    await confirm(bought, confirmation);
    await until("it was refused", async () => (await provider.state()).faults.length === 0);
    const due = setInterval(() => void makeJobsDue(db), 200);
    const state = await cancellationState({ context }, confirmation.form.id ?? "").finally(() =>
      clearInterval(due),
    );
    expect(state).toBe("refund_requested");
    expect((await atMicrosoft(bought)).quantity).toBe(3);
    expect(await refundsOf(bought)).toHaveLength(1);
  });

  test.each(["all", "1"])("waits for a change (%s) that is accepted first and made later", async (give) => {
    const bought = await buySubscription(store, { quantity: 4 });
    const confirmation = await openConfirmation(bought, give);
    await stack.pauseWorker();
    await confirm(bought, confirmation);
    await controls.delays(0.02);
    stack.resumeWorker();
    const state = await cancellationState({ context }, confirmation.form.id ?? "").finally(() =>
      controls.delays(0),
    );
    expect(state).toBe("refund_requested");
    expect(await refundsOf(bought)).toHaveLength(1);
  });
});

describe("concurrent changes", () => {
  test("applies a cancellation once when pressed twice or on another page", async () => {
    const bought = await buySubscription(store);
    const [confirmation, other] = [await openConfirmation(bought, "2"), await openConfirmation(bought, "2")];
    const before = await changesAt(bought);
    const answers = await Promise.all([confirm(bought, confirmation), confirm(bought, confirmation)]);
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
    const another = await confirm(bought, other);
    await cancellationState({ context }, confirmation.form.id ?? "");
    // Either the first is still running, or the refund amount has changed.
    expect(another.status).toBe(409);
    expect(await confirm(bought, confirmation)).toMatchObject({
      status: 303,
      location: answers[0]?.location,
    });
    expect(await changesAt(bought)).toBe(before + 1);
    expect(await refundsOf(bought)).toHaveLength(1);
    expect((await atMicrosoft(bought)).quantity).toBe(8);
  });

  test("blocks further orders during a cancellation and refunds a payment", async () => {
    const bought = await buySubscription(store);
    const { browser, id } = bought;
    const more = await beginChange(browser, "more", id, 2);
    const providerOrderId = await openPayment(browser, more);
    await stack.pauseWorker();
    const confirmation = await openConfirmation(bought, "2");
    await confirm(bought, confirmation);
    expect((await cancelPage(bought)).text).toContain("This will finish automatically.");
    const refused = await browser.get(`/buy/more/${id}`);
    expect(refused).toMatchObject({ status: 303, location: "/subscriptions" });
    const paid = await controls.pay({ orderId: providerOrderId, webhook: false });
    await browser.post("/payments/return", returnForm(providerOrderId, paid));
    stack.resumeWorker();
    expect(await outcomeOfChange(context, more)).toBe("refunded");
    await cancellationState({ context }, confirmation.form.id ?? "");
    expect((await atMicrosoft(bought)).quantity).toBe(8);
  });

  test("refuses a cancellation while a paid order is being fulfilled", async () => {
    const bought = await buySubscription(store);
    const confirmation = await openConfirmation(bought, "all");
    await stack.pauseWorker();
    const more = await beginChange(bought.browser, "more", bought.id, 2);
    await payChange(bought.browser, stack.sandboxUrl, more);
    expect((await confirm(bought, confirmation)).status).toBe(409);
    expect((await cancelPage(bought)).text).toContain("An order for this subscription is being processed.");
    stack.resumeWorker();
    expect(await outcomeOfChange(context, more)).toBe("done");
  });

  test("refuses an outdated refund amount", async () => {
    const bought = await buySubscription(store);
    const confirmation = await openConfirmation(bought, "all");
    await ageSubscription(store, bought, 1);
    const refused = await confirm(bought, confirmation);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("Your refund amount has changed");
    expect(await refundsOf(bought)).toEqual([]);
  });
});

describe("access to cancellations", () => {
  test("refuses viewers and returns 404 to other companies", async () => {
    const bought = await buySubscription(store);
    const { customer_id: customerId } = await readSubscription(db, bought.id);
    const viewer = await makePerson(db);
    await join(db, customerId, viewer, "viewer");
    const path = `/subscriptions/${bought.id}/cancel`;
    const looking = await signedIn(context, stack.url, viewer);
    expect((await looking.get(path)).status).toBe(403);
    const { form } = await openConfirmation(bought, "all");
    expect((await looking.post(path, form)).status).toBe(403);
    const other = await signedIn(context, stack.url, (await makeCustomer(db)).owner);
    expect((await other.get(path)).status).toBe(404);
    expect((await other.post(path, form)).status).toBe(404);
    expect((await atMicrosoft(bought)).status).toBe("active");
  });

  test("explains why Google subscriptions cannot be cancelled before renewal", async () => {
    const customer = await makeCustomer(db);
    const held = await createSubscriptionFor(db, customer, { family: "google" });
    await seedProviders(db, stack.sandboxUrl, customer);
    const browser = await signedIn(context, stack.url, customer.owner);
    const page = mainContentOf((await browser.get(`/subscriptions/${held.id}/cancel`)).text);
    expect(page).toContain("Google subscriptions can&#x27;t be cancelled or reduced before renewal");
    expect(page).toContain("if you don&#x27;t renew, the subscription ends with its term");
    expect(page).not.toContain("<button");
    expect((await browser.get("/subscriptions")).text).toContain(`/subscriptions/${held.id}/cancel`);
  });

  test("explains that a subscription not paid for here gets no refund", async () => {
    const customer = await makeCustomer(db);
    const held = await createSubscriptionFor(db, customer, { endsInDays: 364 });
    await seedProviders(db, stack.sandboxUrl, customer);
    const browser = await signedIn(context, stack.url, customer.owner);
    const page = mainContentOf((await browser.get(`/subscriptions/${held.id}/cancel`)).text);
    expect(page).toContain("wasn&#x27;t paid for here");
  });

  test("shows that Microsoft does not respond and offers nothing", async () => {
    const bought = await buySubscription(store);
    await controls.faults({ match: { method: "GET", path: "/subscriptions/" }, kind: "500" });
    const page = await cancelPage(bought);
    expect(page.status).toBe(200);
    expect(page.text).toContain("Microsoft isn&#x27;t responding");
  });
});
