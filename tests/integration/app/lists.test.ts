/** My Subscriptions, My Orders and the cart over HTTP: visibility, allowed actions, and late payments. */
import { beforeEach, describe, expect, test } from "vitest";
import { insertIntent, setProviderOrderId } from "#db/billing/payment-intents.ts";
import { savePayment } from "#db/billing/payments.ts";
import type { CustomerId, OrderId, SubscriptionId } from "#db/ids.ts";
import { sweepPayments } from "#server/billing/payments/sweep.ts";
import type { Requester } from "#server/orders/find.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { beginOrder, returnForm, toCheckout } from "#tests/support/journey.ts";
import {
  backdateCheckout,
  join,
  makeCompany,
  makeOrder,
  makePerson,
  numberOf,
  type Person,
  readOrder,
  signedIn,
} from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { insertTestSubscription } from "#tests/support/subscriptions.ts";

let customerId: CustomerId;
let requester: Requester;
let buyer: HttpBrowser;
let viewer: HttpBrowser;
let stranger: HttpBrowser;
const { stack, context, controls } = await startStore();
beforeEach(async () => {
  const { db } = context;
  const [owner, looking, other]: [Person, Person, Person] = [
    await makePerson(db),
    await makePerson(db),
    await makePerson(db),
  ];
  customerId = await makeCompany(db, owner);
  await makeCompany(db, other, "Other Tools");
  await join(db, customerId, looking, "viewer");
  requester = { userId: owner.userId, customer: { id: customerId, role: "owner" }, draftKey: null };
  buyer = await signedIn(context, stack.url, owner);
  viewer = await signedIn(context, stack.url, looking);
  stranger = await signedIn(context, stack.url, other);
});

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day);
/** Returns a page's text without tags and React's comments. */
const wordsOf = (html: string) =>
  html
    .replaceAll(/<!--.*?-->/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

describe("My Subscriptions", () => {
  test("offers the possible actions with reasons for the others; viewers get none", async () => {
    const { db } = context;
    const soon = await insertTestSubscription(db, customerId, {
      end_date: inDays(29.5),
      domain: "soon.example",
    });
    const later = await insertTestSubscription(db, customerId, {
      end_date: inDays(30.5),
      domain: "later.example",
    });
    const passed = await insertTestSubscription(db, customerId, {
      end_date: inDays(-1),
      domain: "over.example",
    });
    const gone = await insertTestSubscription(db, customerId, {
      status: "cancelled",
      domain: "gone.example",
    });
    const { text } = await buyer.get("/subscriptions");
    const linked = (path: string) => text.includes(`href="${path}"`);
    expect(
      [soon, later, passed, gone].map((id) => [linked(`/buy/more/${id}`), linked(`/${id}/renew`)]),
    ).toEqual([
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ]);
    expect(wordsOf(text)).toMatch(/You can renew from \d+(st|nd|rd|th) \w+ \d{4}, 30 days before it ends\./);
    expect(wordsOf(text)).toContain("This subscription was cancelled. Please place a new order.");
    const [active = "", expired = ""] = text.split("Expired subscriptions");
    expect([active.includes("over.example"), expired.includes("over.example")]).toEqual([false, true]);

    const seen = await viewer.get("/subscriptions");
    for (const domain of ["soon", "later", "over", "gone"]) expect(seen.text).toContain(`${domain}.example`);
    expect(seen.text).not.toMatch(/\/buy\/more\/|\/renew"|New Subscription|Actions/);
    const others = await stranger.get("/subscriptions");
    expect(wordsOf(others.text)).toContain("No active subscriptions found.");
    expect(wordsOf(others.text)).toContain("No expired subscriptions found.");
    for (const domain of ["soon", "later", "over", "gone"])
      expect(others.text).not.toContain(`${domain}.example`);
  });

  test("begins with upcoming renewals and spend, on its first page only", async () => {
    const { db } = context;
    const soon = await insertTestSubscription(db, customerId, {
      end_date: inDays(19.5),
      domain: "soon.example",
    });
    await insertTestSubscription(db, customerId, { end_date: inDays(9.5), domain: "sooner.example" });
    await makeOrder(
      db,
      { requester },
      { stage: "stage4", payment_status: "completed", paid_at: new Date(), total_minor: 4_200 },
    );
    const words = wordsOf((await buyer.get("/subscriptions")).text);
    expect(words).toContain("Microsoft 365 Business Standard ends in 10 days");
    expect(words).toContain("12 licenses for sooner.example, until");
    expect(words).toContain("1 more subscription ends soon. Renew for ₹1,23,872");
    expect(words).toContain("Next 12 months, before GST: ₹2,09,952");
    expect(words).toContain("Last 12 months, including GST: ₹42");
    expect(words).toContain("₹1,04,976 per year, before GST");
    for (const query of ["search=soon", "service=google"])
      expect(wordsOf((await buyer.get(`/subscriptions?${query}`)).text)).not.toMatch(
        /Upcoming renewals|Spend|ends in/,
      );

    const seen = await viewer.get("/subscriptions");
    expect(wordsOf(seen.text)).toContain("ends in 10 days");
    expect(seen.text).not.toContain(`/${soon}/renew`);
    expect(wordsOf(seen.text)).not.toContain("Renew for");
    expect(wordsOf((await stranger.get("/subscriptions")).text)).not.toMatch(
      /Upcoming renewals|Spend|ends in/,
    );
  });

  test("shows a paid next term with its dates", async () => {
    await insertTestSubscription(context.db, customerId, {
      end_date: new Date("2028-03-03T06:00:00Z"),
      next_term_start: new Date("2027-03-03T06:00:00Z"),
      next_term_quantity: 12,
    });
    expect(wordsOf((await buyer.get("/subscriptions")).text)).toContain(
      "Renewed: next term from 3rd March 2027, 12 licenses",
    );
  });

  test("filters by service and search in pages, and refuses an invalid page", async () => {
    const { db } = context;
    for (let count = 10; count < 31; count += 1) {
      await insertTestSubscription(db, customerId, {
        domain: `many-${count}.example`,
        end_date: inDays(count + 100),
      });
    }
    await insertTestSubscription(db, customerId, { family: "brio", domain: "desk.example" });
    const domains = async (url: string) => {
      const { text } = await buyer.get(url);
      const next = /rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? null;
      return {
        next,
        domains: [...text.matchAll(/data-column="Domain"[^>]*>(.*?)<\/td>/g)].map(([, domain = ""]) =>
          wordsOf(domain).replaceAll(" ", ""),
        ),
      };
    };
    expect((await domains("/subscriptions?service=brio")).domains).toEqual(["desk.example"]);
    expect((await domains("/subscriptions?search=many-1")).domains).toHaveLength(10);
    const first = await domains("/subscriptions?service=microsoft&search=many-");
    expect(first.domains).toHaveLength(20);
    const rest = await domains(first.next ?? "");
    expect([rest.domains, rest.next]).toEqual([["many-30.example"], null]);
    for (const query of ["page=older", "ended=older", "search=a%00b"]) {
      expect((await buyer.get(`/subscriptions?${query}`)).status, query).toBe(400);
    }
    expect(wordsOf((await buyer.get("/subscriptions?search=zzz")).text)).toContain("starts with “zzz”");
  });
});

test("shows the user's tasks at the top of home and to no one else", async () => {
  const { db } = context;
  const before = wordsOf((await buyer.get("/")).text);
  expect(before).not.toMatch(/Next renewal|Not paid yet|Needs sign-in details:/);
  await insertTestSubscription(db, customerId, { end_date: new Date("2028-03-03T06:00:00Z") });
  await makeOrder(db, { requester });
  await makeOrder(
    db,
    { requester },
    { stage: "stage3", payment_status: "completed", fulfilment_status: "waiting_for_signin" },
  );
  const { text } = await buyer.get("/");
  expect(wordsOf(text)).toMatch(
    /Next renewal: Microsoft 365 Business Standard, 3rd March 2028 Not paid yet: Microsoft 365 Business Basic Needs sign-in details: Microsoft 365 Business Basic Buy more/,
  );
  for (const href of ["/renewals", "/cart", "/myorders?state=needs-sign-in", "/subscriptions"])
    expect(text).toContain(`<a href="${href}">`);
  for (const who of [stranger, new HttpBrowser(stack.url)])
    expect(wordsOf((await who.get("/")).text)).not.toContain("Next renewal");
  expect(wordsOf((await viewer.get("/")).text)).not.toContain("Buy more");
});

test("translates the lists with their dates and amounts", async () => {
  const { db } = context;
  const inHindi = { "Accept-Language": "hi-IN" };
  await insertTestSubscription(db, customerId, { end_date: new Date("2028-03-03T06:00:00Z") });
  await insertTestSubscription(db, customerId, { end_date: new Date("2025-03-03T06:00:00Z") });
  const paid = { stage: "stage4", payment_status: "completed", fulfilment_status: "done" } as const;
  await makeOrder(db, { requester }, { ...paid, created_at: new Date("2025-03-03T06:00:00Z") });
  await makeOrder(db, { requester });
  for (const [path, wanted] of [
    [
      "/subscriptions",
      ["मेरे सब्सक्रिप्शन", "3 मार्च 2028", "₹1,04,976 प्रति वर्ष, GST से पहले", "और ख़रीदें", "रिन्यू करें"],
    ],
    ["/myorders", ["मेरे ऑर्डर", "3 मार्च 2025", "एक साल, सालाना बिल", "₹3,880", "पूरा हुआ", "इनवॉइस"]],
    ["/cart", ["कार्ट", "₹3,880", "हटाएँ"]],
  ] as const) {
    const { text } = await buyer.get(path, inHindi);
    const [, main = ""] = /<main[^>]*>(.*)<\/main>/s.exec(text) ?? [];
    const words = wordsOf(main);
    for (const word of wanted) expect(words, path).toContain(word);
    // Products, codes, taxes and place names stay in English.
    const latin = words.match(/[A-Za-z]{3,}/g) ?? [];
    expect(
      latin.filter((word) => /^(and|of|the|Licen[cs]e|Renew|Buy|Order|Total|Date|Price)/.test(word)),
    ).toEqual([]);
    const seen = wordsOf((await viewer.get(path, inHindi)).text);
    if (path !== "/myorders") expect(seen, path).toContain("सिर्फ़ ओनर या ख़रीदार कर सकते हैं");
  }
});

describe("the popup of a completed payment", () => {
  const continued = "Your payment has been completed. Please click Continue to complete your order.";

  async function change(changes: Parameters<typeof makeOrder>[2]): Promise<{
    id: OrderId;
    subscriptionId: SubscriptionId;
    shown: (who?: HttpBrowser) => Promise<boolean>;
  }> {
    const subscriptionId = await insertTestSubscription(context.db, customerId);
    const id = await makeOrder(context.db, { requester }, { subscription_id: subscriptionId, ...changes });
    const shown = async (who = buyer) => {
      const { status, text } = await who.get(`/subscriptions?completed=${id}`);
      expect(status).toBe(200);
      return text.includes(continued);
    };
    return { id, subscriptionId, shown };
  }

  /** Records a payment that returned from the checkout and is not verified yet. */
  const returned = (orderId: OrderId) =>
    context.db.transaction().execute(async (trx) => {
      const providerOrderId = `order_${orderId}`;
      const intent = {
        orderId,
        receipt: orderId,
        provider: "razorpay",
        account: "IN",
        amountMinor: 1,
        currency: "INR",
        paidFor: null,
      } as const;
      const { id } = await insertIntent(trx, intent);
      await setProviderOrderId(trx, id, providerOrderId);
      await savePayment(trx, {
        orderId,
        provider: "razorpay",
        account: "IN",
        providerPaymentId: `pay_${orderId}`,
        providerOrderId,
        amountMinor: null,
        customerFeeMinor: 0,
        currency: null,
        method: null,
        status: "returned",
        problem: null,
      });
    });

  test.each([
    ["ADD", (id: string) => `/buy/more/${id}?stage=3`],
    ["RENEW", (id: string) => `/${id}/renew?stage=3`],
  ] as const)("opens the last step of a paid %s order", async (kind, last) => {
    const paid = { kind, stage: "stage3", payment_status: "completed", fulfilment_status: "queued" } as const;
    const { id, subscriptionId, shown } = await change(paid);
    expect(await shown()).toBe(true);
    const answer = await buyer.post(`/subscriptions?completed=${id}`, { order: id });
    expect([answer.status, answer.location]).toEqual([303, last(subscriptionId)]);
    for (const who of [viewer, stranger]) {
      expect(await shown(who)).toBe(false);
      expect((await who.post("/subscriptions", { order: id })).status).toBe(404);
    }
    await context.db.updateTable("orders").set({ fulfilment_status: "done" }).where("id", "=", id).execute();
    // Fulfilled while the popup is open; the last step shows that.
    expect(await shown()).toBe(true);
  });

  test("verifies a pending payment again and shows an error when that fails", async () => {
    const { id, shown } = await change({ kind: "ADD", stage: "stage2", payment_status: "pending" });
    expect(await shown()).toBe(false);
    await returned(id);
    expect(await shown()).toBe(true);
    await controls.faults({ match: { path: "payments" }, kind: "500" });
    const answer = await buyer.post(`/subscriptions?completed=${id}`, { order: id });
    await controls.faults();
    expect(answer.status).toBe(503);
    expect(answer.text).toContain(continued);
    expect(answer.text).toContain("Retry failed: the payment provider did not answer.");
  });

  test("appears only after buy more and renew", async () => {
    const { id, shown } = await change({ stage: "stage3", payment_status: "completed" });
    expect(await shown()).toBe(false);
    expect((await buyer.post("/subscriptions", { order: id })).status).toBe(404);
    expect((await buyer.post("/subscriptions", { order: "x" })).status).toBe(400);
    expect((await buyer.get("/subscriptions?completed=x")).status).toBe(200);
  });
});

describe("My Orders", () => {
  test("lists paid orders with figures and status under both spellings", async () => {
    const { db } = context;
    const paid = { stage: "stage4", payment_status: "completed", fulfilment_status: "done" } as const;
    const done = await makeOrder(
      db,
      { requester },
      { ...paid, created_at: new Date("2025-03-03T06:00:00Z") },
    );
    await makeOrder(db, { requester }, { ...paid, kind: "ADDON", fulfilment_status: "needs_attention" });
    const asks = { stage: "stage3", fulfilment_status: "waiting_for_signin" } as const;
    const waiting = await makeOrder(db, { requester }, { ...paid, ...asks });
    const unpaid = await makeOrder(db, { requester });
    for (const url of ["/myorders", "/Myorders"]) {
      const { text } = await buyer.get(url);
      const words = wordsOf(text);
      expect(text).not.toContain(unpaid);
      expect(words).toContain("3rd March 2025");
      for (const status of ["Completed", "Our team is working on it", "Needs sign-in details"])
        expect(words).toContain(status);
      for (const type of ["New subscription", "Add-on"]) expect(words).toContain(type);
      expect(words).toMatch(
        /Item ID microsoft-365-business-basic .*Quantity 2 Total before tax ₹3,288 Tax amount ₹591\.84 Rounding ₹0\.16 Grand total ₹3,880/,
      );
      expect(text).toContain(`href="/order/${waiting}/microsoft/microsoft-365-business-basic/IN"`);
      expect(text).toContain(`popovertarget="details-${done}"`);
    }
    const seen = await viewer.get("/myorders");
    expect(seen.text).toContain(`details-${done}`);
    expect(seen.text).not.toContain('href="/order/');
    expect(wordsOf((await stranger.get("/myorders")).text)).toContain("Orders not found.");
    expect((await buyer.get("/myorders?service=google")).text).toContain("Orders not found.");
    expect((await buyer.get(`/myorders?search=${done.slice(0, 8)}`)).text).not.toContain(
      `details-${waiting}`,
    );
    const number = await numberOf(db, done);
    expect(wordsOf((await buyer.get("/myorders")).text)).toContain(`Order ID ${number}`);
    const found = (await buyer.get(`/myorders?search=${number.toLowerCase()}`)).text;
    expect([found.includes(`details-${done}`), found.includes(`details-${waiting}`)]).toEqual([true, false]);
  });
});

test("filters My Orders by state, kind and year in the address", async () => {
  const { db } = context;
  const states = [
    ["needs-sign-in", "Needs sign-in details", "completed", "waiting_for_signin"],
    ["setting-up", "Setting up", "disputed", "running"],
    ["looked-after", "Our team is working on it", "partly_refunded", "needs_attention"],
    ["completed", "Completed", "completed", "done"],
    ["partly-refunded", "Partially refunded", "partly_refunded", "done"],
    ["disputed", "Payment disputed", "disputed", "done"],
    ["refunded", "Refunded", "refunded", "queued"],
    ["lost", "Payment reversed by your bank", "lost", "done"],
  ] as const;
  const numbers = new Map<string, string>();
  for (const [state, , payment_status, fulfilment_status] of states) {
    const id = await makeOrder(
      db,
      { requester },
      {
        ...{ stage: "stage4", payment_status, fulfilment_status },
        kind: state === "lost" ? "RENEW" : "NEW",
        created_at: state === "disputed" ? new Date("2024-03-30T06:00:00Z") : new Date(),
      },
    );
    numbers.set(state, await numberOf(db, id));
  }
  const listed = async (query: string) => {
    const { text } = await buyer.get(`/myorders?search=&${query}`);
    return [...text.matchAll(/<a href="[^"]*">(HUB-[^<]*)<\/a>/g)].map(([, number]) => number);
  };
  for (const [state, words] of states) {
    expect(await listed(`state=${state}`), state).toEqual([numbers.get(state)]);
    const { text } = await buyer.get(`/myorders?state=${state}&kind=&year=`);
    expect(text).toContain(`<option value="${state}" selected="">${words}</option>`);
    expect(wordsOf(/<tbody>.*<\/tbody>/s.exec(text)?.[0] ?? "")).toContain(words);
    expect(text).toContain(`href="/myorders?state=${state}&amp;kind=&amp;year=&amp;service=google"`);
  }
  expect(await listed("kind=RENEW")).toEqual([numbers.get("lost")]);
  expect(await listed("year=2023")).toEqual([numbers.get("disputed")]);
  expect(await listed("kind=other&year=x")).toHaveLength(states.length);
  const none = (await buyer.get("/myorders?year=2023&kind=ADD")).text;
  expect(none).toContain("Orders not found.");
  expect(none).toContain('href="/myorders">Show all</a>');
  expect((await buyer.get("/myorders")).text).toContain('<option value="2023">2023-24</option>');
});

test("shows an order's number on its pages, not the id of its address", async () => {
  const { db } = context;
  const paid = { stage: "stage4", payment_status: "completed", fulfilment_status: "done" } as const;
  const done = await makeOrder(db, { requester }, paid);
  const stopped = { stage: "stage3", fulfilment_status: "needs_attention" } as const;
  const attention = await makeOrder(db, { requester }, { ...paid, ...stopped });
  const pathOf = (id: OrderId) => `/order/${id}/microsoft/microsoft-365-business-basic/IN`;
  for (const [id, url] of [
    [done, `${pathOf(done)}/order-processed`],
    [attention, `${pathOf(attention)}/sign-in`],
    // The first request issues the invoice, the second reads the issued one.
    [done, `/orders/${done}/invoice`],
    [done, `/orders/${done}/invoice`],
  ] as const) {
    const words = wordsOf((await buyer.get(url)).text.replaceAll(/<script.*?<\/script>/gs, ""));
    expect(words).toContain(await numberOf(db, id));
    expect(words).not.toContain(id);
  }
});

describe("the cart", () => {
  const remove = (who: HttpBrowser, order: string) => who.post("/cart", { intent: "remove", order });

  test("lists unpaid orders with the specification's links; a removed one can return", async () => {
    const { db } = context;
    const fresh = await makeOrder(db, { requester });
    const added = await makeOrder(db, { requester }, { kind: "TUP" });
    const { text } = await buyer.get("/cart");
    expect(text).toContain(`href="/order/${fresh}/microsoft/microsoft-365-business-basic/IN"`);
    expect(text).toContain(`href="/contract/${added}"`);
    expect(wordsOf(text)).toContain("Each order is paid for separately.");

    const answer = await remove(buyer, fresh);
    expect([answer.status, answer.location]).toEqual([303, `/cart?removed=${fresh}`]);
    const after = await buyer.get(answer.location ?? "");
    expect(wordsOf(after.text)).toContain("Removed: Microsoft 365 Business Basic, 2 licenses. Undo");
    // Another user's browser gets no information from the address.
    expect((await stranger.get(answer.location ?? "")).text).not.toContain("Removed");
    expect((await buyer.post("/cart", { intent: "restore", order: fresh })).location).toBe("/cart");
    expect((await buyer.get("/cart")).text).toContain(fresh);

    const seen = await viewer.get("/cart");
    expect(wordsOf(seen.text)).toContain("Each order is paid for separately.");
    expect(seen.text).not.toMatch(/href="\/(order|contract)\/|Remove/);
    expect((await remove(viewer, fresh)).status).toBe(404);
    expect((await remove(stranger, fresh)).status).toBe(404);
    expect((await buyer.post("/cart", { intent: "burn", order: fresh })).status).toBe(400);
    expect(wordsOf((await stranger.get("/cart")).text)).toContain("Carts not found.");
    expect((await readOrder(db, fresh)).removed_at).toBeNull();
  });

  test("contains a removed order again after it is continued through its link", async () => {
    const order = await toCheckout(stack.url);
    await remove(order.browser, order.id);
    expect((await order.browser.get("/cart")).text).not.toContain(order.id);
    expect((await order.browser.get(`${order.path}/subscription-details`)).status).toBe(200);
    expect((await readOrder(context.db, order.id)).removed_at).not.toBeNull();
    await order.browser.post(`${order.path}/subscription-details`, { term: "P1Y", quantity: "5" });
    expect((await order.browser.get("/cart")).text).toContain(order.id);
  });

  test.each(["return", "sweeper"] as const)("accepts a late payment for a removed order (%s)", async (by) => {
    const order = await toCheckout(stack.url);
    expect((await remove(order.browser, order.id)).status).toBe(303);
    const paid = await controls.pay({ orderId: order.providerOrderId, webhook: false });
    if (by === "return") {
      await order.browser.post("/payments/return", returnForm(order.providerOrderId, paid));
    } else {
      await backdateCheckout(context.db, order.id, 20);
      await sweepPayments(context);
    }
    expect(await readOrder(context.db, order.id)).toMatchObject({
      stage: "stage3",
      payment_status: "completed",
      removed_at: null,
    });
    expect((await order.browser.get("/myorders")).text).toContain(`details-${order.id}`);
    expect((await order.browser.get("/cart")).text).not.toContain(order.id);
    expect((await remove(order.browser, order.id)).status).toBe(409);
  });

  test("shows the drafts of this browser with their links", async () => {
    const visitor = new HttpBrowser(stack.url);
    const { id, path } = await beginOrder(visitor);
    expect((await buyer.get("/cart")).text).not.toContain(id);
    buyer.setCookie("draft", visitor.cookie("draft") ?? "");
    expect((await buyer.get("/cart")).text).toContain(`href="${path}"`);
    expect((await stranger.get("/cart")).text).not.toContain(id);
  });
});
