/**
 * A buyer cancels a subscription or gives licences back: at Microsoft first, then the money of each order, once each, and never more
 * than was paid. What Microsoft refuses gives nothing back.
 */
import { afterEach, describe, expect, test } from "vitest";
import { listUncreditedRefunds } from "#db/credit-notes.ts";
import { listPayments } from "#db/payments.ts";
import { latestCancellation } from "#server/cancellations/ask.ts";
import { creditNoteFactsSchema } from "#server/documents/credit-note-facts.ts";
import * as paths from "#server/paths.ts";
import { refundByOperator } from "#server/payments/operator-refund.ts";
import {
  type Bought,
  buy,
  buyMore,
  cancelPage,
  confirm,
  endOf,
  giveBack,
  letPass,
  toConfirm,
} from "#tests/support/bought.ts";
import { mainOf } from "#tests/support/browserless.ts";
import { beginChange, openPayment, outcomeOfChange, payChange } from "#tests/support/changes.ts";
import { give, makeCustomer, plantAtProviders } from "#tests/support/customer.ts";
import { readSubscription } from "#tests/support/held.ts";
import { returnForm } from "#tests/support/journey.ts";
import { join, makePerson, readOrder, signedIn } from "#tests/support/orders.ts";
import { makeJobsDue, queuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/waiting.ts";

const store = await startStore({ worker: true });
const { stack, context, levers, provider } = store;
const { db } = context;
afterEach(async () => {
  stack.resumeWorker();
  await levers.faults();
});

const change = { method: "PATCH", path: "/subscriptions/" };

async function atMicrosoft({ externalId }: Pick<Bought, "externalId">) {
  const { partnerCenter } = await provider.state();
  const found = partnerCenter.subscriptions.find(({ id }) => id === externalId);
  if (found === undefined) throw new Error("Microsoft does not have it");
  return found;
}

/** Of all orders of a subscription, once the payment provider has been asked for them. */
async function refundsOf({ id }: Pick<Bought, "id">): Promise<number[]> {
  const read = () =>
    db
      .selectFrom("refunds")
      .innerJoin("orders", "orders.id", "refunds.order_id")
      .select(["refunds.amount_minor", "refunds.status"])
      .where("orders.subscription_id", "=", id)
      .orderBy("refunds.created_at")
      .execute();
  await until("every refund was asked for", async () =>
    (await read()).every(({ status }) => status !== "requested"),
  );
  return (await read()).map(({ amount_minor }) => amount_minor);
}

const changesAt = async ({ externalId }: Pick<Bought, "externalId">) =>
  (await provider.calls(({ method, path }) => method === "PATCH" && path.endsWith(externalId))).length;

describe("on the third day", () => {
  test("the whole subscription is cancelled, and its unused part comes back", async () => {
    const bought = await buy(store, { daysAgo: 3 });
    const choice = mainOf((await cancelPage(bought)).text);
    expect(choice).toContain("Cancel the subscription");
    // 72 hours are over.
    expect(choice).toContain("This was possible until");

    const { state, totalMinor, page } = await giveBack(store, bought, "all");
    expect(state).toBe("refund_requested");
    const unused = Math.round((bought.totalMinor * 362) / 365 / 100) * 100;
    expect(totalMinor).toBe(unused);
    expect(await refundsOf(bought)).toEqual([unused]);
    expect((await atMicrosoft(bought)).status).toBe("deleted");
    expect(await readSubscription(db, bought.id)).toMatchObject({
      status: "cancelled",
      changing_order_id: null,
    });
    expect(page).toContain("Ended at Microsoft");
    expect((await cancelPage(bought)).text).toContain("This subscription is cancelled.");

    await until("the mail is there", async () =>
      (await levers.inbox(bought.email)).some(({ subject }) => subject.startsWith("Cancelled: ")),
    );
    const mail = (await levers.inbox(bought.email)).find(({ subject }) => subject.startsWith("Cancelled: "));
    expect(mail?.text).toContain("working days");
    // Nothing is bought for it any more.
    expect(await bought.browser.get(`/buy/more/${bought.id}`)).toMatchObject({
      status: 303,
      location: "/subscriptions",
    });
  });
});

test("one of four licences: one mail, which leads to the credit note, and that says how many at what price", async () => {
  const bought = await buy(store, { quantity: 4 });
  const kinds = async () =>
    (
      await db
        .selectFrom("mails")
        .select("kind")
        .where("recipient", "=", bought.email)
        .where("kind", "in", ["cancellation", "credit-note", "refund"])
        .execute()
    ).map(({ kind }) => kind);
  await giveBack(store, bought, "1");
  const [amount] = await refundsOf(bought);
  expect(await kinds()).toEqual(["cancellation"]);
  const toBuyer = async () =>
    (await levers.inbox(bought.email)).find(({ subject }) => subject.startsWith("Fewer licences: "));
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
  const page = mainOf((await bought.browser.get(paths.creditNote(note.refund_id ?? ""))).text);
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

describe("what was paid otherwise than once in full", () => {
  const notesOf = async ({ orderId }: Pick<Bought, "orderId">) =>
    (
      await db
        .selectFrom("credit_notes")
        .select("total_minor")
        .where("order_id", "=", orderId)
        .orderBy("serial")
        .execute()
    ).map(({ total_minor }) => total_minor);

  test("in two transfers comes back whole, of both, and is credited once each", async () => {
    const bought = await buy(store, { quantity: 3, credits: (total) => [total - 100_000, 100_000] });
    const { totalMinor, state } = await giveBack(store, bought, "all");
    expect(totalMinor).toBe(bought.totalMinor);
    expect(state).toBe("refund_requested");
    const refunds = await refundsOf(bought);
    expect(refunds.toSorted((one, other) => one - other)).toEqual([100_000, bought.totalMinor - 100_000]);
    for (const { providerPaymentId, amountMinor } of await listPayments(db, bought.orderId))
      expect(await levers.refundedOf(providerPaymentId)).toBe(amountMinor);
    expect((await notesOf(bought)).reduce((sum, each) => sum + each, 0)).toBe(bought.totalMinor);
    await until("the money is there", async () =>
      (await cancelPage(bought, `?asked=${await latestOf(bought)}`)).text.includes(
        "The money is back where it came from",
      ),
    );
    expect((await readOrder(db, bought.orderId)).payment_status).toBe("refunded");
  });

  test("beyond its total comes back without the surplus, which is given back by command and never credited", async () => {
    const bought = await buy(store, { quantity: 3, credits: (total) => [total + 70_000] });
    const { totalMinor } = await giveBack(store, bought, "all");
    expect(totalMinor).toBe(bought.totalMinor);
    expect(await refundsOf(bought)).toEqual([bought.totalMinor]);
    expect(await notesOf(bought)).toEqual([bought.totalMinor]);
    const [payment] = await listPayments(db, bought.orderId);
    await refundByOperator(db, context.env, {
      what: payment?.providerPaymentId ?? "",
      amountMinor: null,
      reason: "Transferred too much.",
      again: false,
      by: "tester",
      isMeant: true,
    });
    expect(await refundsOf(bought)).toEqual([bought.totalMinor, 70_000]);
    expect(await notesOf(bought)).toEqual([bought.totalMinor]);
    expect((await listUncreditedRefunds(db)).map(({ refundId }) => refundId)).toEqual([]);
  });

  test("and lost in part to a bank comes back without that", async () => {
    const bought = await buy(store, { quantity: 3 });
    const [payment] = await listPayments(db, bought.orderId);
    const paymentId = payment?.providerPaymentId ?? "";
    const dispute = await levers.dispute({ paymentId, amount: 50_000 });
    await levers.dispute({ disputeId: dispute, event: "lost" });
    await until("it is lost", async () => (await readOrder(db, bought.orderId)).payment_status === "lost");
    const { totalMinor, state } = await giveBack(store, bought, "all");
    expect(state).toBe("refund_requested");
    expect(totalMinor).toBe(bought.totalMinor - 50_000);
    expect(await refundsOf(bought)).toEqual([bought.totalMinor - 50_000]);
  });
});

const latestOf = async ({ id }: Pick<Bought, "id">) => (await latestCancellation(db, id))?.id ?? "";

describe("licences", () => {
  test("two of ten are given back, and the term still ends by itself", async () => {
    const bought = await buy(store);
    const { totalMinor, page } = await giveBack(store, bought, "2");
    expect(totalMinor).toBe(Math.round((bought.totalMinor * 2) / 10 / 100) * 100);
    expect(await refundsOf(bought)).toEqual([totalMinor]);
    expect(await atMicrosoft(bought)).toMatchObject({ quantity: 8, status: "active" });
    expect(await readSubscription(db, bought.id)).toMatchObject({
      quantity: 8,
      reduced_from: null,
      changing_order_id: null,
      status: "active",
    });
    expect(page).toContain("Taken off at Microsoft: 2 licences");
    const jobs = await queuedJobs(db);
    expect(jobs.filter(({ key }) => key === `stop-renewal:${bought.id}`)).toHaveLength(1);

    // What is given back later is of those that are left, and all of it together is what was paid.
    const rest = await giveBack(store, bought, "all");
    expect(await refundsOf(bought)).toEqual([totalMinor, rest.totalMinor]);
    expect(totalMinor + rest.totalMinor).toBe(bought.totalMinor);
  });

  test("are taken from the newest order first, each with its own refund", async () => {
    const bought = await buy(store, { quantity: 3 });
    await buyMore(store, bought, 2);
    const { text, totalMinor } = await toConfirm(bought, "4");
    expect(text).toContain("2 licences");
    const { state } = await giveBack(store, bought, "4");
    expect(state).toBe("refund_requested");
    const refunds = await refundsOf(bought);
    expect(refunds).toHaveLength(2);
    expect(refunds.reduce((sum, each) => sum + each, 0)).toBe(totalMinor);
    expect((await atMicrosoft(bought)).quantity).toBe(1);
  });

  test("more than can be given back are refused at the field", async () => {
    const bought = await buy(store, { quantity: 3 });
    const path = `/subscriptions/${bought.id}/cancel`;
    const many = await bought.browser.post(path, { intent: "count", seats: "3" });
    expect(many).toMatchObject({ status: 400 });
    expect(many.text).toContain("You can give back up to 2 licences.");
    expect(await bought.browser.post(path, { intent: "count", seats: "2" })).toMatchObject({
      status: 303,
      location: `${path}?give=2`,
    });
    // A page that was made up asks for nothing.
    expect((await cancelPage(bought, "?give=3")).location).toBe(path);
  });
});

describe("Microsoft's word counts", () => {
  test("its window closes between asking and doing: nothing comes back, and the buyer is told", async () => {
    const bought = await buy(store);
    const asked = await toConfirm(bought, "all");
    await levers.faults({ match: change, kind: "refuse", status: 400, code: "900117" });
    const { location } = await confirm(bought, asked);
    expect(await endOf({ context }, asked.form.id ?? "")).toBe("refused");
    await levers.faults();
    const page = await bought.browser.get(location ?? "");
    expect(page.text).toContain("Refused by Microsoft");
    expect(page.text).toContain("nothing comes back");
    expect(await refundsOf(bought)).toEqual([]);
    expect(await readSubscription(db, bought.id)).toMatchObject({
      status: "active",
      changing_order_id: null,
    });
    await until("the mail is there", async () =>
      (await levers.inbox(bought.email)).some(({ subject }) => subject.startsWith("Not cancelled: ")),
    );
    // It can be changed again.
    expect(await buyMore(store, bought, 1)).toBeDefined();
  });

  test("a date shorter than the terms' is shown, and nothing is offered after it", async () => {
    const bought = await buy(store);
    await levers.console({
      id: bought.externalId,
      returnableUntil: new Date(Date.now() - 1_000).toISOString(),
    });
    const choice = mainOf((await cancelPage(bought)).text);
    expect(choice).not.toContain("See what comes back");
    expect(choice.match(/This was possible until/g)).toHaveLength(2);
    expect((await cancelPage(bought, "?give=all")).status).toBe(302);
  });

  test("what Microsoft already did is not done again, and its money comes back", async () => {
    const bought = await buy(store);
    const asked = await toConfirm(bought, "all");
    // Or the store would know of it before the buyer confirms.
    await levers.notices("never");
    await levers.console({ id: bought.externalId, state: "cancelled" });
    const before = await changesAt(bought);
    await confirm(bought, asked);
    await levers.notices("normal");
    expect(await endOf({ context }, asked.form.id ?? "")).toBe("refund_requested");
    expect(await changesAt(bought)).toBe(before);
    expect(await refundsOf(bought)).toEqual([asked.totalMinor]);
  });

  test.each([
    { what: "a stale etag", status: 400, code: "2055" },
    { what: "an operation under way", status: 409, code: "900278" },
    { what: "a fault", status: 500, code: "800003" },
  ])("$what is waited out", async ({ status, code }) => {
    const bought = await buy(store, { quantity: 4 });
    await levers.faults({ match: change, kind: "refuse", status, code, times: 1 });
    const asked = await toConfirm(bought, "1");
    await confirm(bought, asked);
    await until("it was refused", async () => (await provider.state()).faults.length === 0);
    const due = setInterval(() => void makeJobsDue(db), 200);
    const state = await endOf({ context }, asked.form.id ?? "").finally(() => clearInterval(due));
    expect(state).toBe("refund_requested");
    expect((await atMicrosoft(bought)).quantity).toBe(3);
    expect(await refundsOf(bought)).toHaveLength(1);
  });

  test.each(["all", "1"])(
    "a change (%s) that is accepted first and made later is waited for",
    async (give) => {
      const bought = await buy(store, { quantity: 4 });
      const asked = await toConfirm(bought, give);
      await stack.pauseWorker();
      await confirm(bought, asked);
      await levers.delays(0.02);
      stack.resumeWorker();
      const state = await endOf({ context }, asked.form.id ?? "").finally(() => levers.delays(0));
      expect(state).toBe("refund_requested");
      expect(await refundsOf(bought)).toHaveLength(1);
    },
  );
});

describe("once", () => {
  test("pressed twice at once, or again from another page", async () => {
    const bought = await buy(store);
    const [asked, other] = [await toConfirm(bought, "2"), await toConfirm(bought, "2")];
    const before = await changesAt(bought);
    const answers = await Promise.all([confirm(bought, asked), confirm(bought, asked)]);
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
    const another = await confirm(bought, other);
    await endOf({ context }, asked.form.id ?? "");
    // Either the first was under way, or what comes back has changed since.
    expect(another.status).toBe(409);
    expect(await confirm(bought, asked)).toMatchObject({ status: 303, location: answers[0]?.location });
    expect(await changesAt(bought)).toBe(before + 1);
    expect(await refundsOf(bought)).toHaveLength(1);
    expect((await atMicrosoft(bought)).quantity).toBe(8);
  });

  test("while one is under way nothing is bought for the subscription, and what is paid goes back", async () => {
    const bought = await buy(store);
    const { browser, id } = bought;
    const more = await beginChange(browser, "more", id, 2);
    const providerOrderId = await openPayment(browser, more);
    await stack.pauseWorker();
    const asked = await toConfirm(bought, "2");
    await confirm(bought, asked);
    expect((await cancelPage(bought)).text).toContain("This goes on by itself.");
    const refused = await browser.get(`/buy/more/${id}`);
    expect(refused).toMatchObject({ status: 303, location: "/subscriptions" });
    const paid = await levers.pay({ orderId: providerOrderId, webhook: false });
    await browser.post("/payments/return", returnForm(providerOrderId, paid));
    stack.resumeWorker();
    expect(await outcomeOfChange(context, more)).toBe("refunded");
    await endOf({ context }, asked.form.id ?? "");
    expect((await atMicrosoft(bought)).quantity).toBe(8);
  });

  test("not while a paid order is on its way", async () => {
    const bought = await buy(store);
    const asked = await toConfirm(bought, "all");
    await stack.pauseWorker();
    const more = await beginChange(bought.browser, "more", bought.id, 2);
    await payChange(bought.browser, stack.sandboxUrl, more);
    expect((await confirm(bought, asked)).status).toBe(409);
    expect((await cancelPage(bought)).text).toContain("An order for this subscription is being carried out.");
    stack.resumeWorker();
    expect(await outcomeOfChange(context, more)).toBe("done");
  });

  test("another amount than was shown is not taken", async () => {
    const bought = await buy(store);
    const asked = await toConfirm(bought, "all");
    await letPass(store, bought, 1);
    const refused = await confirm(bought, asked);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("What comes back has changed");
    expect(await refundsOf(bought)).toEqual([]);
  });
});

describe("who may", () => {
  test("a viewer is refused, and another company's page is not there", async () => {
    const bought = await buy(store);
    const { customer_id: customerId } = await readSubscription(db, bought.id);
    const viewer = await makePerson(db);
    await join(db, customerId, viewer, "viewer");
    const path = `/subscriptions/${bought.id}/cancel`;
    const looking = await signedIn(context, stack.url, viewer);
    expect((await looking.get(path)).status).toBe(403);
    const { form } = await toConfirm(bought, "all");
    expect((await looking.post(path, form)).status).toBe(403);
    const other = await signedIn(context, stack.url, (await makeCustomer(db)).owner);
    expect((await other.get(path)).status).toBe(404);
    expect((await other.post(path, form)).status).toBe(404);
    expect((await atMicrosoft(bought)).status).toBe("active");
  });

  test("Google's page says why not, and what can be done at the renewal", async () => {
    const customer = await makeCustomer(db);
    const held = await give(db, customer, { family: "google" });
    await plantAtProviders(db, stack.sandboxUrl, customer);
    const browser = await signedIn(context, stack.url, customer.owner);
    const page = mainOf((await browser.get(`/subscriptions/${held.id}/cancel`)).text);
    expect(page).toContain("Google neither cancels nor reduces");
    expect(page).toContain("a subscription that is not renewed ends with its term");
    expect(page).not.toContain("<button");
    expect((await browser.get("/subscriptions")).text).toContain(`/subscriptions/${held.id}/cancel`);
  });

  test("what was not paid for here gives nothing back", async () => {
    const customer = await makeCustomer(db);
    const held = await give(db, customer, { endsInDays: 364 });
    await plantAtProviders(db, stack.sandboxUrl, customer);
    const browser = await signedIn(context, stack.url, customer.owner);
    const page = mainOf((await browser.get(`/subscriptions/${held.id}/cancel`)).text);
    expect(page).toContain("was not paid for here");
  });

  test("an answer that does not come is said, and nothing is offered", async () => {
    const bought = await buy(store);
    await levers.faults({ match: { method: "GET", path: "/subscriptions/" }, kind: "500" });
    const page = await cancelPage(bought);
    expect(page.status).toBe(200);
    expect(page.text).toContain("Microsoft does not answer at the moment");
  });
});
