/**
 * Two buyers at the checkout for the last seats, the same term or the same base: an excess order is refused while possible. If
 * it is paid anyway, it is refunded in full, once, and never fulfilled.
 */
import { afterEach, describe, expect, test } from "vitest";
import { createSession } from "#server/accounts/sessions.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import * as paths from "#server/foundation/paths.ts";
import { ApiClient, requireSuccess } from "#tests/support/api-client.ts";
import { changeCallPath, paymentSchema } from "#tests/support/change-by-api.ts";
import { type BegunChange, beginChange, openPayment, outcomeOfChange } from "#tests/support/changes.ts";
import {
  createSubscriptionFor,
  makeCustomer,
  type SubscriptionSpec,
  seedProviders,
} from "#tests/support/customer.ts";
import type { HttpBrowser } from "#tests/support/http-browser.ts";
import { hiddenFieldValue } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { returnForm } from "#tests/support/journey.ts";
import { join, makePerson, signedIn } from "#tests/support/orders.ts";
import { makeJobsDue } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";
import { readSubscription } from "#tests/support/subscriptions.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
afterEach(() => controls.faults());
const { db } = context;

/** Creates a company with two buyers and a subscription. */
async function twoBuyers(what: SubscriptionSpec) {
  const customer = await makeCustomer(db);
  const held = await createSubscriptionFor(db, customer, what);
  await seedProviders(db, stack.sandboxUrl, customer);
  const colleague = await makePerson(db);
  await join(db, customer.customerId, colleague, "buyer");
  const { token } = await createSession(db, context.env.SESSION_SECRETS, colleague.userId);
  return {
    ...customer,
    held,
    colleague,
    first: await signedIn(context, stack.url, customer.owner),
    second: await signedIn(context, stack.url, colleague),
    client: new ApiClient(stack.url, token),
  };
}

/** Sets the time of Place Order back by this many minutes. */
const backdate = ({ id }: BegunChange, minutes: number) =>
  db
    .updateTable("orders")
    .set({ terms_accepted_at: new Date(Date.now() - minutes * 60_000) })
    .where("id", "=", id)
    .execute();

async function placed(browser: HttpBrowser, order: BegunChange) {
  const review = await browser.get(`${order.path}/place-order`);
  return browser.post(`${order.path}/place-order`, {
    intent: "place-order",
    terms: "on",
    total: hiddenFieldValue(review.text, "total"),
  });
}

async function paidAndReturned(browser: HttpBrowser, providerOrderId: string) {
  const paid = await controls.pay({ orderId: providerOrderId, webhook: false });
  const answer = await browser.post("/payments/return", returnForm(providerOrderId, paid));
  return { ...paid, location: answer.location };
}

const refundOf = ({ id }: BegunChange) =>
  db.selectFrom("refunds").selectAll().where("order_id", "=", id).executeTakeFirst();
const refunded = async (order: BegunChange, status = "processed") => {
  await until("the refund is processed", async () => (await refundOf(order))?.status === status);
  return refundOf(order);
};
const paymentAtProvider = async (paymentId: string) =>
  (await controls.state()).razorpay.payments.find(({ id }) => id === paymentId)?.status;
const refundsMade = async () => (await controls.state()).counts["razorpay.refund.create"] ?? 0;
const mailsAbout = async ({ id }: BegunChange) =>
  (await db.selectFrom("mails").select("kind").where("order_id", "=", id).execute())
    .map(({ kind }) => kind)
    .sort();

/** Brings two orders for 10 more of 290 seats to the checkout; the first has waited too long to be counted. */
async function bothAtCheckout(family: "brio" | "microsoft") {
  const known = await twoBuyers({ family, quantity: 290 });
  const one = await beginChange(known.first, "more", known.held.id, 10);
  const two = await beginChange(known.second, "more", known.held.id, 10);
  const openOne = await openPayment(known.first, one);
  await backdate(one, 31);
  const openTwo = await openPayment(known.second, two);
  return { ...known, one, two, openOne, openTwo };
}

describe("more than 300 seats", () => {
  test.each(["brio", "microsoft"] as const)(
    "%s: sells 300 of 310 paid seats and refunds the last ten with a mail",
    async (family) => {
      const known = await bothAtCheckout(family);
      const { one, two, first, second, held, client } = known;
      await paidAndReturned(first, known.openOne);
      const before = await refundsMade();
      const late = await paidAndReturned(second, known.openTwo);
      expect(late.location).toBe(`${two.path}/place-order`);
      expect(await outcomeOfChange(context, one)).toBe("done");
      expect((await readSubscription(db, held.id)).quantity).toBe(300);

      const refund = await refunded(two);
      expect(refund).toMatchObject({ provider_payment_id: late.paymentId, problem: null });
      expect(await paymentAtProvider(late.paymentId)).toBe("refunded");
      const order = await db
        .selectFrom("orders")
        .selectAll()
        .where("id", "=", two.id)
        .executeTakeFirstOrThrow();
      expect(order).toMatchObject({ payment_status: "refunded", fulfilment_status: "not_due" });
      expect(refund?.amount_minor).toBe(order.total_minor);
      expect(await refundsMade()).toBe(before + 1);

      const page = wordsOf((await second.get(`${two.path}/place-order`)).text);
      expect(page).toContain("Your payment has been refunded in full");
      expect(page).toContain("has 300 licenses and can have up to 300, so there is no room for 10 more.");
      expect(page).toContain("to the card or account you paid with");
      // Every step redirects there, and there is nothing left to submit.
      expect((await second.get(`${two.path}/subscription-details`)).location).toBe(`${two.path}/place-order`);
      expect(page).not.toContain("Submit");
      const orders = wordsOf((await second.get("/myorders")).text);
      expect(orders).toContain("Refunded");
      expect((await second.get(paths.invoice(two.id))).status).toBe(404);
      expect(await mailsAbout(two)).toEqual(["order-refunded", "refund"]);
      await until("the mail is there", async () =>
        (await controls.inbox(known.owner.email)).some(({ subject }) => subject.includes("refunded in full")),
      );

      const reply = requireSuccess(
        paymentSchema,
        await client.post(changeCallPath("add", held), {
          payment_details: {
            id: late.paymentId,
            razorpay_order_id: known.openTwo,
            razorpay_signature: late.signature,
          },
        }),
      );
      expect(reply).toMatchObject({ status: false, state: "refunded", razorpay_order_id: known.openTwo });
      // Another report refunds nothing more.
      await settlePayment(context, {
        provider: "razorpay",
        account: "IN",
        providerOrderId: known.openTwo,
        providerPaymentId: late.paymentId,
      });
      expect(await refundsMade()).toBe(before + 1);
    },
  );

  test("refuses the second of two simultaneous checkouts while the first may be paid", async () => {
    const { first, second, held } = await twoBuyers({ family: "brio", quantity: 290 });
    const one = await beginChange(first, "more", held.id, 6);
    const two = await beginChange(second, "more", held.id, 5);
    await openPayment(first, one);
    const refused = await placed(second, two);
    expect(refused.status).toBe(409);
    expect(wordsOf(refused.text)).toContain(
      "has 290 licenses and can have up to 300. 6 more are at the checkout in another order: until it is paid, or for 30 minutes, you can add up to 4.",
    );
    expect(await refundOf(two)).toBeUndefined();
    await backdate(one, 31);
    expect((await placed(second, two)).status).toBe(303);
  });

  test("ignores an order that was removed from the cart", async () => {
    const { first, second, held } = await twoBuyers({ family: "brio", quantity: 290 });
    const one = await beginChange(first, "more", held.id, 10);
    const two = await beginChange(second, "more", held.id, 10);
    await openPayment(first, one);
    expect((await placed(second, two)).status).toBe(409);
    await db.updateTable("orders").set({ removed_at: new Date() }).where("id", "=", one.id).execute();
    expect((await placed(second, two)).status).toBe(303);
  });

  test("counts the next term's licences, too, after a paid renewal", async () => {
    const { first, held } = await twoBuyers({ family: "brio", quantity: 250, endsInDays: 380 });
    await db
      .updateTable("subscriptions")
      .set({ next_term_start: new Date(Date.now() + 15 * 86_400_000), next_term_quantity: 295 })
      .where("id", "=", held.id)
      .execute();
    const six = await beginChange(first, "more", held.id, 6);
    const refused = await placed(first, six);
    expect([refused.status, wordsOf(refused.text)]).toMatchObject([
      409,
      expect.stringContaining("can add up to 5"),
    ]);
  });
});

test("buys one term for a renewal paid twice and refunds the other payment", async () => {
  const { first, second, held } = await twoBuyers({ family: "brio", quantity: 10, endsInDays: 20 });
  const one = await beginChange(first, "renew", held.id, 10);
  const two = await beginChange(second, "renew", held.id, 10);
  const [openOne, openTwo] = [await openPayment(first, one), await openPayment(second, two)];
  const { end_date: end } = await readSubscription(db, held.id);
  await paidAndReturned(first, openOne);
  const late = await paidAndReturned(second, openTwo);
  expect(await outcomeOfChange(context, one)).toBe("done");
  expect(await outcomeOfChange(context, two)).toBe("refunded");
  await refunded(two);
  expect(await paymentAtProvider(late.paymentId)).toBe("refunded");
  const after = await readSubscription(db, held.id);
  expect(after.end_date.getTime() - end.getTime()).toBeLessThan(367 * 86_400_000);
});

describe("a subscription locked by an order that needs attention", () => {
  async function stuck() {
    const known = await twoBuyers({ family: "brio", quantity: 10, endsInDays: 20 });
    const one = await beginChange(known.first, "more", known.held.id, 1);
    const two = await beginChange(known.second, "renew", known.held.id, 10);
    const hold = async () => {
      await db
        .updateTable("orders")
        .set({ stage: "stage3", payment_status: "completed", fulfilment_status: "needs_attention" })
        .where("id", "=", one.id)
        .execute();
      await db
        .updateTable("subscriptions")
        .set({ changing_order_id: one.id })
        .where("id", "=", known.held.id)
        .execute();
    };
    return { ...known, two, hold };
  }

  test("sells nothing more and explains why before payment", async () => {
    const { second, two, hold } = await stuck();
    await hold();
    const refused = await placed(second, two);
    expect([refused.status, wordsOf(refused.text)]).toMatchObject([
      409,
      expect.stringContaining("Our team is looking into an earlier order for this subscription."),
    ]);
  });

  test("refunds an order that was paid at the checkout in the meantime", async () => {
    const { second, two, hold } = await stuck();
    const open = await openPayment(second, two);
    await hold();
    await paidAndReturned(second, open);
    expect(await outcomeOfChange(context, two)).toBe("refunded");
    expect(await refunded(two)).toMatchObject({
      reason: expect.stringContaining("looking into an earlier order"),
    });
  });
});

describe("the refund itself", () => {
  const aRefund = async () => {
    const { first, second, openOne, openTwo, two } = await bothAtCheckout("brio");
    await paidAndReturned(first, openOne);
    return { two, pay: () => paidAndReturned(second, openTwo) };
  };

  test.each(["500-after", "reset-after", "500", "timeout"] as const)(
    "happens once although its response is lost (%s)",
    async (kind) => {
      const { two, pay } = await aRefund();
      const before = await refundsMade();
      await controls.faults({ match: { method: "POST", path: "/refund$" }, kind, times: 2 });
      const { paymentId } = await pay();
      await until("the money is refunded", async () => {
        await runWaitingJobs();
        return (await refundOf(two))?.status === "processed";
      });
      expect(await refundsMade()).toBe(before + 1);
      expect(await paymentAtProvider(paymentId)).toBe("refunded");
    },
  );

  test("includes a second payment for the refunded order", async () => {
    const { two, pay } = await aRefund();
    const before = await refundsMade();
    const payments = [await pay(), await pay()];
    await until("both are refunded", async () => (await refundsMade()) === before + 2);
    for (const { paymentId } of payments) expect(await paymentAtProvider(paymentId)).toBe("refunded");
    const order = await db
      .selectFrom("orders")
      .selectAll()
      .where("id", "=", two.id)
      .executeTakeFirstOrThrow();
    expect(order).toMatchObject({ payment_status: "refunded", fulfilment_status: "not_due" });
  });

  test("alerts the operator once when the provider refuses it", async () => {
    const { two, pay } = await aRefund();
    await controls.faults({ match: { method: "POST", path: "/refund$" }, kind: "404", times: 1 });
    await pay();
    expect((await refunded(two, "failed"))?.problem).not.toBeNull();
    const mails = await db.selectFrom("mails").select("data").where("order_id", "=", two.id).execute();
    expect(JSON.stringify(mails)).toContain("refund by bank transfer");
  });
});

/** Makes failed and waiting jobs due now. */
const runWaitingJobs = () => makeJobsDue(db);
