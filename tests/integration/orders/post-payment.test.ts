/** Notices above the pages of a paid order, matching My Orders: refunds, disputes and returned licences. */
import { afterEach, describe, expect, test } from "vitest";
import { listPayments } from "#db/billing/payments.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { findOrder } from "#server/orders/find.ts";
import {
  type BoughtSubscription,
  buyMore,
  buySubscription,
  cancelAndWait,
  cancelPage,
  confirm,
  openConfirmation,
} from "#tests/support/bought-subscription.ts";
import { type HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { answerSignInNewTenant, freshPrefix, paidOrder } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const store = await startStore({ worker: true });
const { stack, context, controls } = store;
const { db } = context;
afterEach(() => stack.resumeWorker());

const asksForHindi = { "Accept-Language": "hi-IN,hi;q=0.9" };
const read = (html: string) => mainContentOf(html).replaceAll("<!-- -->", "").replaceAll("&#x27;", "'");
/** Returns the text of a page's first notice; "" if it has none. */
const noticeIn = (html: string) =>
  (/<div class="notice [a-z]+">.*?<\/div><\/div>/s.exec(read(html))?.[0] ?? "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

interface Placed {
  browser: HttpBrowser;
  path: string;
}

/** Returns the notices on the order's current page, in English and Hindi. */
async function noticesOf({ browser, path }: Placed): Promise<[string, string]> {
  const { location } = await browser.get(path);
  const page = location ?? path;
  return [noticeIn((await browser.get(page)).text), noticeIn((await browser.get(page, asksForHindi)).text)];
}

async function badgeOf({ browser }: Pick<Placed, "browser">): Promise<string> {
  const list = read((await browser.get("/myorders")).text);
  return /<span class="badge [a-z]+">([^<]*)<\/span>/.exec(list)?.[1] ?? "";
}

async function paymentIdOf(orderId: Parameters<typeof listPayments>[1]): Promise<string> {
  const [payment] = await listPayments(db, orderId);
  if (payment?.providerPaymentId == null) throw new Error("Expected a payment");
  return payment.providerPaymentId;
}

const statusIs = (orderId: Parameters<typeof findOrder>[1], status: string) =>
  until(`the payment is ${status}`, async () => (await findOrder(db, orderId))?.paymentStatus === status);

const placeOf = async ({
  browser,
  orderId,
}: Pick<BoughtSubscription, "browser" | "orderId">): Promise<Placed> => ({
  browser,
  path: await pathOf(browser, orderId),
});

describe("a payment", () => {
  test("shows partial refund, dispute, dispute won and full refund, on page and in list", async () => {
    const bought = await buySubscription(store, { quantity: 2 });
    const place = await placeOf(bought);
    const paymentId = await paymentIdOf(bought.orderId);
    expect(await noticesOf(place)).toEqual(["", ""]);

    const expectSaid = async (
      status: string,
      words: "orders.partlyRefunded" | "orders.refunded" | "orders.disputed" | "orders.lost",
      says: "orders.partlyRefundedSays" | "orders.refundedSays" | "orders.disputedSays" | "orders.lostSays",
    ) => {
      await statusIs(bought.orderId, status);
      const [english, hindi] = await noticesOf(place);
      expect(english).toBe(`${textIn("en")(words)} ${textIn("en")(says)}`);
      expect(hindi).toBe(`${textIn("hi")(words)} ${textIn("hi")(says)}`);
      expect(await badgeOf(place)).toBe(textIn("en")(words));
    };

    await controls.refund({ paymentId, amount: 10_000 });
    await expectSaid("partly_refunded", "orders.partlyRefunded", "orders.partlyRefundedSays");
    const disputeId = await controls.dispute({ paymentId });
    await expectSaid("disputed", "orders.disputed", "orders.disputedSays");
    await controls.dispute({ disputeId, event: "won" });
    await expectSaid("partly_refunded", "orders.partlyRefunded", "orders.partlyRefundedSays");
    await controls.refund({ paymentId });
    await expectSaid("refunded", "orders.refunded", "orders.refundedSays");
    // The delivery stays as it is.
    expect(read((await place.browser.get(`${place.path}/order-processed`)).text)).toContain("are ready");
  });

  test("shows a chargeback while the order waits, is being fulfilled, and is done", async () => {
    const order = await paidOrder(stack);
    const paymentId = await paymentIdOf(order.id);
    const disputeId = await controls.dispute({ paymentId });
    await statusIs(order.id, "disputed");
    const says = textIn("en")("orders.disputedSays");
    // The step that asks for the account.
    expect((await noticesOf(order))[0]).toContain(says);
    expect(await badgeOf(order)).toBe("");

    await stack.pauseWorker();
    await answerSignInNewTenant(order, { prefix: freshPrefix("after") });
    const working = read((await order.browser.get(`${order.path}/sign-in`)).text);
    expect(working).toContain("data-wait-url");
    expect(noticeIn(working)).toContain(says);
    stack.resumeWorker();
    await until("the order is fulfilled", async () => (await findOrder(db, order.id))?.stage === "stage4");
    await controls.dispute({ disputeId, event: "lost" });
    await statusIs(order.id, "lost");
    expect(noticeIn((await order.browser.get(`${order.path}/order-processed`)).text)).toBe(
      `${textIn("en")("orders.lost")} ${textIn("en")("orders.lostSays")}`,
    );
    expect(await badgeOf(order)).toBe(textIn("en")("orders.lost"));
  });
});

describe("a notice about licences", () => {
  test("shows them on the order that bought them only", async () => {
    const bought = await buySubscription(store, { quantity: 5 });
    const place = await placeOf(bought);
    const more = await buyMore(store, bought, 3);
    expect((await cancelAndWait(store, bought, "2")).state).toBe("refund_requested");
    const [said] = await noticesOf({ browser: bought.browser, path: await pathOf(bought.browser, more) });
    expect(said).toMatch(/^Partially refunded .* Removed on .*: 2 licenses\. Status$/);
    expect(await noticesOf(place)).toEqual(["", ""]);
  });

  test("replaces the instructions when the subscription is cancelled", async () => {
    const bought = await buySubscription(store, { quantity: 3 });
    const place = await placeOf(bought);
    await stack.pauseWorker();
    const { location } = await confirm(bought, await openConfirmation(bought, "all"));
    const [underWay, inHindi] = await noticesOf(place);
    expect(underWay).toBe("Its subscription is being cancelled. Status");
    expect(inHindi).toBe(
      `${textIn("hi")("orders.cancelling")} ${textIn("hi")("cancellation.whereItStands")}`,
    );
    stack.resumeWorker();
    await until("it is cancelled", async () =>
      (await cancelPage(bought)).text.includes("This subscription has been cancelled."),
    );
    const { text } = await bought.browser.get(`${place.path}/order-processed`);
    const [today = ""] = /\d{1,2}(st|nd|rd|th) \w+ \d{4}/.exec(noticeIn(text)) ?? [];
    expect(noticeIn(text)).toContain(
      `Its subscription was cancelled on ${today}: the licenses no longer work.`,
    );
    expect(today).not.toBe("");
    expect(read(text)).toContain(`href="${location}"`);
    const main = read(text);
    expect(main).toContain("<h1>Subscription Cancelled</h1>");
    for (const gone of ["are ready", "Get started", "Works with this plan", "Add users"])
      expect(main).not.toContain(gone);
    // They belong to the account, which stays.
    expect(main).toContain("Save your sign-in details");
  });
});

/** Returns the path that My Orders links to for an order. */
async function pathOf(browser: HttpBrowser, orderId: string): Promise<string> {
  const list = (await browser.get("/myorders")).text;
  const popup = list.slice(list.indexOf(`id="details-${orderId}"`));
  const path = /href="(\/[^"]*)"[^>]*>Open the order</.exec(popup)?.[1];
  if (path === undefined) throw new Error("Expected a link to the order in My Orders");
  return path;
}
