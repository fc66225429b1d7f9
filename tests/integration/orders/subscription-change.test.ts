/** Buy more and renew over HTTP, with worker and providers: the price, the provider's state afterwards, and refusals. */
import { describe, expect, test } from "vitest";
import { wallClock } from "#server/orders/subscriptions/dates.ts";
import { endOfTerm } from "#server/orders/subscriptions/term.ts";
import {
  beginChange,
  type Change,
  changePath,
  openPayment,
  outcomeOfChange,
  payChange,
} from "#tests/support/changes.ts";
import {
  type Customer,
  type CustomerSubscription,
  createSubscriptionFor,
  makeCustomer,
  type SubscriptionSpec,
  seedProviders,
} from "#tests/support/customer.ts";
import { digestDatabase } from "#tests/support/digest.ts";
import type { HttpBrowser } from "#tests/support/http-browser.ts";
import { hiddenFieldValue } from "#tests/support/http-browser.ts";
import { join, makePerson, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { readSubscription } from "#tests/support/subscriptions.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls, provider } = await startStore({ worker: true });

interface Known extends Customer {
  held: CustomerSubscription;
  browser: HttpBrowser;
}

async function holding(what: SubscriptionSpec = {}, country: "IN" | "US" = "IN"): Promise<Known> {
  const customer = await makeCustomer(context.db, country);
  const held = await createSubscriptionFor(context.db, customer, what);
  await seedProviders(context.db, stack.sandboxUrl, customer);
  return { ...customer, held, browser: await signedIn(context, stack.url, customer.owner) };
}

async function bought({ browser, held }: Known, change: Change, quantity: number): Promise<string> {
  const order = await beginChange(browser, change, held.id, quantity);
  await payChange(browser, stack.sandboxUrl, order);
  expect(await outcomeOfChange(context, order)).toBe("done");
  return order.path;
}

async function seatsAtProvider({
  externalId,
}: Pick<CustomerSubscription, "externalId">): Promise<number | undefined> {
  const { partnerCenter, google } = await provider.state();
  return (
    partnerCenter.subscriptions.find(({ id }) => id === externalId)?.quantity ??
    google.entitlements.find(({ name }) => name === externalId)?.numUnits
  );
}

const families = ["microsoft", "google", "brio"] as const;

describe("buy more", () => {
  test.each(families)("%s: adds seats once, here and at the provider", async (family) => {
    const known = await holding({ family, quantity: 10, endsInDays: 112 });
    const path = await bought(known, "more", 5);
    const after = await readSubscription(context.db, known.held.id);
    expect(after).toMatchObject({ quantity: 15, status: "active", changing_order_id: null });
    if (family !== "brio") expect(await seatsAtProvider(known.held)).toBe(15);
    const page = await known.browser.get(`${path}/order-processed`);
    expect(page.text).toContain("License Added");
    expect(page.text).toContain("now has 15 licenses");
    // "?stage=3" redirects there from the subscription.
    const last = await known.browser.get(`${changePath("more", known.held.id)}?stage=3`);
    expect(last.location).toBe(`${path}/order-processed`);
  });

  test("charges to the day for the rest of the term", async () => {
    const { browser, held } = await holding({ quantity: 10, endsInDays: 112 });
    const order = await beginChange(browser, "more", held.id, 5);
    const row = await context.db
      .selectFrom("order_lines")
      .selectAll()
      .where("order_id", "=", order.id)
      .executeTakeFirstOrThrow();
    const [yearly] = await context.db
      .selectFrom("dated_prices")
      .select("amount_minor")
      .where("item_id", "=", row.item_id)
      .where("currency", "=", "INR")
      .where("term", "=", "P1Y")
      .where("kind", "=", "regular")
      .execute();
    const { start_date: start, end_date: end } = await readSubscription(context.db, held.id);
    const days = Math.round((end.getTime() - start.getTime()) / 86_400_000);
    expect(row.unit_price_minor).toBe(Math.round(((yearly?.amount_minor ?? 0) * 112) / days));
    const review = await browser.get(`${order.path}/place-order`);
    expect(review.text).toContain(`5 licenses, 112 of ${days} days`);
  });

  test("counts paid seats in progress towards the maximum", async () => {
    const { browser, held } = await holding({ family: "google", quantity: 290 });
    const refused = await browser.post(changePath("more", held.id), { quantity: "11" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("so you can add 10 more");
    const one = await beginChange(browser, "more", held.id, 6);
    const other = await browser.post(`${one.path}/subscription-details`, { quantity: "10" });
    expect(other.status).toBe(303);
  });

  test("adds every paid seat once for two concurrent orders", async () => {
    const known = await holding({ quantity: 10 });
    const colleague = await makePerson(context.db);
    await join(context.db, known.customerId, colleague, "buyer");
    const second = await signedIn(context, stack.url, colleague);
    const orders = await Promise.all([
      beginChange(known.browser, "more", known.held.id, 3),
      beginChange(second, "more", known.held.id, 4),
    ]);
    await Promise.all([
      payChange(known.browser, stack.sandboxUrl, orders[0]),
      payChange(second, stack.sandboxUrl, orders[1]),
    ]);
    expect(await Promise.all(orders.map((order) => outcomeOfChange(context, order)))).toEqual([
      "done",
      "done",
    ]);
    expect((await readSubscription(context.db, known.held.id)).quantity).toBe(17);
    expect(await seatsAtProvider(known.held)).toBe(17);
  });

  test("limits an add-on's licences to those of its base", async () => {
    const customer = await makeCustomer(context.db);
    const { db } = context;
    const base = await createSubscriptionFor(db, customer, {
      quantity: 6,
      item: "microsoft-365-business-standard",
    });
    const held = await createSubscriptionFor(db, customer, {
      quantity: 4,
      item: "copilot-for-microsoft-365",
      parent: base,
    });
    await seedProviders(db, stack.sandboxUrl, customer);
    const browser = await signedIn(context, stack.url, customer.owner);
    const order = await beginChange(browser, "more", held.id, 3);
    const refused = await browser.post(`${order.path}/place-order`, {
      intent: "place-order",
      terms: "on",
      total: hiddenFieldValue((await browser.get(`${order.path}/place-order`)).text, "total"),
    });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("you can add up to 2");
  });

  test("refuses a subscription that has ended", async () => {
    const { browser, held } = await holding({ endsInDays: -3 });
    const answer = await browser.get(changePath("more", held.id));
    expect(answer.location).toBe("/subscriptions");
    expect((await browser.get("/subscriptions")).text).toContain("This subscription has ended.");
  });
});

describe("renew", () => {
  test.each(families)("%s, running: appends the next term to the current one", async (family) => {
    const known = await holding({ family, quantity: 10, endsInDays: 20 });
    const before = await readSubscription(context.db, known.held.id);
    const path = await bought(known, "renew", 10);
    expect(await readSubscription(context.db, known.held.id)).toMatchObject({
      quantity: 10,
      external_id: known.held.externalId,
      end_date: endOfTerm(before.end_date, "P1Y", "IN"),
      next_term_start: before.end_date,
      next_term_quantity: 10,
      anchor_day: wallClock(before.start_date, "IN").getUTCDate(),
      changing_order_id: null,
    });
    const page = await known.browser.get(`${path}/order-processed`);
    expect(page.text).toContain("License Renewed");
    expect(page.text).toContain(`Credentials are delivered to the registered email, ${known.owner.email}.`);
    const again = await known.browser.get(changePath("renew", known.held.id));
    expect(again.location).toBe("/subscriptions");
  });

  test("tells Microsoft the next term's seats, which survive a later ADD order", async () => {
    const known = await holding({ quantity: 10, endsInDays: 20 });
    await bought(known, "renew", 8);
    await bought(known, "more", 5);
    expect(await readSubscription(context.db, known.held.id)).toMatchObject({
      quantity: 15,
      next_term_quantity: 13,
    });
    const { partnerCenter } = await provider.state();
    const there = partnerCenter.subscriptions.find(({ id }) => id === known.held.externalId);
    expect(there).toMatchObject({
      quantity: 15,
      autoRenewEnabled: true,
      scheduledNextTermInstructions: { quantity: 13 },
    });
  });

  test.each(families)("%s, lapsed: buys a new subscription that begins today", async (family) => {
    const known = await holding({ family, quantity: 10, endsInDays: -40 });
    await bought(known, "renew", 4);
    const after = await readSubscription(context.db, known.held.id);
    expect(after).toMatchObject({ quantity: 4, status: "active", next_term_start: null, anchor_day: null });
    expect(after.start_date.getTime()).toBeGreaterThan(Date.now() - 60_000);
    expect(after.end_date).toEqual(endOfTerm(after.start_date, "P1Y", "IN"));
    if (family !== "brio") {
      expect(after.external_id).not.toBe(known.held.externalId);
      expect(await seatsAtProvider({ externalId: after.external_id })).toBe(4);
    }
  });

  test("opens 30 days before the end, and says when", async () => {
    const { browser, held } = await holding({ endsInDays: 31.5 });
    const answer = await browser.get(changePath("renew", held.id));
    expect(answer.location).toBe("/subscriptions");
    expect((await browser.get("/subscriptions")).text).toContain("You can renew from");
  });

  test("requires all licences of a running Google subscription", async () => {
    const { browser, held } = await holding({ family: "google", quantity: 25, endsInDays: 10 });
    for (const quantity of ["24", "26"]) {
      const refused = await browser.post(changePath("renew", held.id), { quantity });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain("Google renews all of your 25 licenses.");
    }
  });

  test.each(["microsoft", "google"] as const)(
    "%s: fulfils a concurrent renewal and ADD order once each",
    async (family) => {
      const known = await holding({ family, quantity: 10, endsInDays: 20 });
      const renewal = await beginChange(known.browser, "renew", known.held.id, 10);
      const more = await beginChange(known.browser, "more", known.held.id, 5);
      const open = await Promise.all([openPayment(known.browser, renewal), openPayment(known.browser, more)]);
      await Promise.all(open.map((orderId) => controls.pay({ orderId })));
      expect(await outcomeOfChange(context, renewal)).toBe("done");
      expect(await outcomeOfChange(context, more)).toBe("done");
      expect((await readSubscription(context.db, known.held.id)).quantity).toBe(15);
      expect(await seatsAtProvider(known.held)).toBe(15);
    },
  );

  test("sends a paid renewal to Google again after adding seats to the running term", async () => {
    const known = await holding({ family: "google", quantity: 10, endsInDays: 20 });
    await bought(known, "renew", 10);
    const { externalId } = known.held;
    const renewal = async () => (await context.google.getEntitlement(externalId)).renewal;
    expect(await renewal()).toMatchObject({ enableRenewal: true });
    const settings = { enableRenewal: false, resizeUnitCount: false } as const;
    const paymentCycle = { duration: 1, periodType: "YEAR" } as const;
    await context.google.changeRenewalSettings(
      externalId,
      { ...settings, paymentCycle },
      crypto.randomUUID(),
    );
    await bought(known, "more", 2);
    expect(await renewal()).toMatchObject({ enableRenewal: true, resizeUnitCount: false });
    expect(await seatsAtProvider(known.held)).toBe(12);
  });

  test("refunds a second renewal paid at the same time, without an extension", async () => {
    const known = await holding({ quantity: 10, endsInDays: 20 });
    const colleague = await makePerson(context.db);
    await join(context.db, known.customerId, colleague, "buyer");
    const second = await signedIn(context, stack.url, colleague);
    const orders = [
      { browser: known.browser, order: await beginChange(known.browser, "renew", known.held.id, 10) },
      { browser: second, order: await beginChange(second, "renew", known.held.id, 10) },
    ];
    const before = await readSubscription(context.db, known.held.id);
    const open = [];
    for (const { browser, order } of orders) open.push(await openPayment(browser, order));
    for (const orderId of open) await controls.pay({ orderId });
    const outcomes = await Promise.all(orders.map(({ order }) => outcomeOfChange(context, order)));
    expect(outcomes.toSorted()).toEqual(["done", "refunded"]);
    expect((await readSubscription(context.db, known.held.id)).end_date).toEqual(
      endOfTerm(before.end_date, "P1Y", "IN"),
    );
  });
});

describe("a payment made while the browser was closed", () => {
  test.each([
    ["more", "microsoft", 3],
    ["renew", "google", 10],
  ] as const)(
    "%s: finds the payment and continues its order, without a second one",
    async (change, family, quantity) => {
      const { browser, held } = await holding({ family, quantity: 10, endsInDays: 15 });
      const order = await beginChange(browser, change, held.id, quantity);
      const providerOrderId = await openPayment(browser, order);
      await stack.killWorker();
      await controls.pay({ orderId: providerOrderId, webhook: false });
      const answer = await browser.get(changePath(change, held.id));
      expect(answer.location).toBe(`/subscriptions?completed=${order.id}`);
      // Posting the first step does not begin another order either.
      const posted = await browser.post(changePath(change, held.id), { quantity: "1" });
      expect(posted.location).toBe(`/subscriptions?completed=${order.id}`);
      await stack.startWorker();
      expect(await outcomeOfChange(context, order)).toBe("done");
      const last = await browser.get(`${changePath(change, held.id)}?stage=3`);
      expect(last.location).toBe(`${order.path}/order-processed`);
    },
  );
});

describe("access", () => {
  test.each(["more", "renew"] as const)(
    "%s: responds 404 to another company, and 403 to a viewer at once",
    async (change) => {
      const known = await holding({ endsInDays: 15 });
      const stranger = await holding();
      const viewer = await makePerson(context.db);
      await join(context.db, known.customerId, viewer, "viewer");
      const viewing = await signedIn(context, stack.url, viewer);
      const unsent = () =>
        context.db.selectFrom("mails").select("id").where("sent_at", "is", null).executeTakeFirst();
      await until("all mail is sent", async () => (await unsent()) === undefined);
      const before = await digestDatabase(context.db);
      const path = changePath(change, known.held.id);
      expect((await stranger.browser.get(path)).status).toBe(404);
      expect((await stranger.browser.post(path, { quantity: "2" })).status).toBe(404);
      const response = await viewing.get(path);
      expect(response.status).toBe(403);
      expect(response.text).toContain("only an owner or a buyer can place one");
      expect((await viewing.post(path, { quantity: "2" })).status).toBe(403);
      expect(await digestDatabase(context.db)).toEqual(before);
    },
  );
});
