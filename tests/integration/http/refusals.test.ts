/**
 * What the store refuses, asked over HTTP as an attacker, a careless client or a broken one would ask it: the right
 * status, the right words, and nothing written.
 */
import { createHmac, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { createSession } from "#server/accounts/sessions.ts";
import { createUser } from "#server/accounts/users.ts";
import { handleProviderEvent } from "#server/payments/webhook.ts";
import { type Answer, Browserless, fieldIn } from "#tests/support/browserless.ts";
import { digestOf } from "#tests/support/digest.ts";
import {
  accountForm,
  beginOrder,
  freshEmail,
  type OpenPayment,
  type OrderPlace,
  placeOrder,
  plan,
  returnForm,
  toCheckout,
  toReview,
} from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

// Without a worker nothing is written but by requests, and every job stays to be counted.
const { stack, context, levers } = await startStore();

const browser = () => new Browserless(stack.url);
const steps = [
  "subscription-details",
  "create-account",
  "place-order",
  "sign-in",
  "order-processed",
] as const;

/** Runs it and demands that the database is as it was. */
async function writingNothing<Result>(act: () => Promise<Result>): Promise<Result> {
  const before = await digestOf(context.db);
  const result = await act();
  expect(await digestOf(context.db), "something was written").toEqual(before);
  return result;
}

const paymentsOf = (order: OrderPlace) =>
  context.db.selectFrom("payments").selectAll().where("order_id", "=", order.id).execute();
const orderRow = (order: OrderPlace) =>
  context.db.selectFrom("orders").selectAll().where("id", "=", order.id).executeTakeFirstOrThrow();

const hmac = (secret: string | undefined, text: string) =>
  createHmac("sha256", secret ?? "")
    .update(text)
    .digest("hex");
const signReturn = (providerOrderId: string, paymentId: string) =>
  hmac(stack.env.RAZORPAY_KEY_SECRET, `${providerOrderId}|${paymentId}`);

function webhookBody(providerOrderId: string, paymentId: string): string {
  const entity = { id: paymentId, order_id: providerOrderId };
  return JSON.stringify({ entity: "event", event: "payment.captured", payload: { payment: { entity } } });
}

function postWebhook(body: string, headers: Record<string, string | null> = {}): Promise<Answer> {
  return browser().ask("/webhooks/razorpay", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Razorpay-Signature": hmac(stack.env.RAZORPAY_WEBHOOK_SECRET, body),
      "X-Razorpay-Event-Id": randomUUID(),
      ...headers,
    },
    body,
  });
}

/** As the provider's page posts it: from another site, without our cookies. */
function postReturn(form: Record<string, string>): Promise<Answer> {
  return browser().post("/payments/return", form, {
    "Sec-Fetch-Site": "cross-site",
    Origin: stack.sandboxUrl,
  });
}

describe("a total that is not the order's", () => {
  test.each([-1, 1, -100_000])(
    "is refused with 409 when it is off by %i, and nothing is charged",
    async (off) => {
      const buyer = browser();
      const order = await toReview(buyer);
      const asked = (await levers.state()).razorpay.orders.length;
      const answer = await writingNothing(() =>
        buyer.post(`${order.path}/place-order`, {
          intent: "place-order",
          terms: "on",
          total: String(order.totalMinor + off),
        }),
      );
      expect(answer.status).toBe(409);
      expect(answer.text).toContain("Price has changed");
      expect((await levers.state()).razorpay.orders).toHaveLength(asked);
      // The true total still buys.
      await placeOrder(buyer, order);
      expect(await orderRow(order)).toMatchObject({ payment_status: "pending" });
    },
  );

  test.each(["", "-5", "1e3", "12.5", "9".repeat(16)])(
    "that is no amount (%j) is refused with 400",
    async (total) => {
      const buyer = browser();
      const order = await toReview(buyer);
      const form = { intent: "place-order", terms: "on", total };
      const answer = await writingNothing(() => buyer.post(`${order.path}/place-order`, form));
      expect(answer.status).toBe(400);
    },
  );

  test("posted prices beside it change nothing", async () => {
    const buyer = browser();
    const order = await toReview(buyer);
    const before = await orderRow(order);
    await buyer.post(`${order.path}/place-order`, {
      intent: "place-order",
      terms: "on",
      total: String(order.totalMinor),
      price: "1",
      tax: "0",
      amount: "100",
    });
    expect(await orderRow(order)).toMatchObject({
      total_minor: before.total_minor,
      tax_minor: before.tax_minor,
    });
    const page = await buyer.get(`${order.path}/place-order`);
    expect(fieldIn(page.text, "amount")).toBe(String(before.total_minor));
  });

  test("the terms must be accepted", async () => {
    const buyer = browser();
    const order = await toReview(buyer);
    const form = { intent: "place-order", total: String(order.totalMinor) };
    const answer = await writingNothing(() => buyer.post(`${order.path}/place-order`, form));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Please accept the terms to place the order.");
  });
});

describe("another buyer's order", () => {
  let owner: Browserless;
  let stranger: Browserless;
  let order: OpenPayment;
  let nowhere: string;
  beforeAll(async () => {
    order = await toCheckout(stack.url);
    owner = order.browser;
    stranger = browser();
    await toReview(stranger);
    nowhere = order.path.replace(order.id, randomUUID());
  });

  const forms: Record<(typeof steps)[number], Record<string, string>> = {
    "subscription-details": { term: "P1M", quantity: "9" },
    "create-account": accountForm("thief@example.com"),
    "place-order": { intent: "submit" },
    "sign-in": { mode: "new", username: "admin", prefix: "thief" },
    "order-processed": {},
  };

  test("opens for its owner", async () => {
    expect((await owner.get(`${order.path}/place-order`)).status).toBe(200);
    expect((await owner.get(`/get/stage?id=${order.id}`)).status).toBe(200);
    expect((await owner.get(`/reseller/invitation/status?id=${order.id}`)).status).toBe(200);
  });

  test.each(["", ...steps.map((step) => `/${step}`)])(
    "is a 404 at %j for who is signed in as somebody else",
    async (step) => {
      const answers = await writingNothing(() =>
        Promise.all([order.path, nowhere].map((path) => stranger.get(`${path}${step}`))),
      );
      for (const answer of answers) {
        expect(answer.status).toBe(404);
        expect(answer.text).toContain("We could not find that page");
        expect(answer.text).not.toContain(order.email);
      }
    },
  );

  test.each(["", ...steps.map((step) => `/${step}`)])(
    "leads to the login from %j for who is not signed in",
    async (step) => {
      const answers = await writingNothing(() =>
        Promise.all([order.path, nowhere].map((path) => browser().get(`${path}${step}`))),
      );
      expect(answers.map(({ status }) => status)).toEqual([302, 302]);
      expect(answers.map(({ location }) => location)).toEqual(
        [order.path, nowhere].map((path) => `/login?${new URLSearchParams({ next: `${path}${step}` })}`),
      );
    },
  );

  test.each(steps)("takes no post to %s", async (step) => {
    const [fromStranger, fromNobody] = await writingNothing(() =>
      Promise.all([stranger, browser()].map((who) => who.post(`${order.path}/${step}`, forms[step]))),
    );
    expect(fromStranger?.status).toBe(404);
    expect(fromNobody?.status).toBe(302);
    expect(fromNobody?.location).toMatch(/^\/login\?next=/);
  });

  test.each(steps)("tells nothing when an empty form is posted to %s", async (step) => {
    const [there, nowhereAtAll] = await writingNothing(() =>
      Promise.all([order.path, nowhere].map((path) => stranger.post(`${path}/${step}`, {}))),
    );
    expect(there?.status).toBe(nowhereAtAll?.status);
    expect(there?.text).not.toContain(order.email);
  });

  test.each(["/get/stage", "/reseller/invitation/status"])(
    "is a 404 at %s, for anybody else",
    async (call) => {
      for (const who of [stranger, browser()]) {
        for (const id of [order.id, randomUUID(), "not-an-id", `${order.id}'`]) {
          const answer = await writingNothing(() => who.get(`${call}?id=${encodeURIComponent(id)}`));
          expect(answer.status).toBe(404);
          expect(answer.text).toMatch(
            /^\{"error":"We could not find that order\.","requestId":"[0-9a-f-]{36}"\}$/,
          );
        }
      }
    },
  );

  test("a visitor's draft opens in the browser that began it only", async () => {
    const visitor = browser();
    const draft = await beginOrder(visitor);
    expect((await visitor.get(`${draft.path}/create-account`)).status).toBe(200);
    expect((await browser().get(`${draft.path}/create-account`)).status).toBe(302);
    expect((await stranger.get(`${draft.path}/create-account`)).status).toBe(404);
  });

  test("a draft cookie that was tampered with counts for nothing", async () => {
    const draft = await beginOrder(browser());
    for (const cookie of ["draft=ImEi", "draft=ImEi.AAAA", "draft="]) {
      expect((await browser().get(`${draft.path}/create-account`, { Cookie: cookie })).status).toBe(302);
    }
  });

  test("a session token signed by somebody else counts for nothing", async () => {
    const row = await orderRow(order);
    if (row.user_id === null) throw new Error("the order has no owner");
    const { token } = await createSession(context.db, "another-secret-of-32-characters-!", row.user_id);
    const answer = await browser().get(`${order.path}/place-order`, {
      Cookie: `session=${btoa(JSON.stringify(token))}`,
    });
    expect(answer.status).toBe(302);
    expect(answer.location).toMatch(/^\/login/);
  });
});

describe("a payment that is not right", () => {
  test("a forged signature at the return is refused with 400, and no payment is recorded", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId, signature } = await levers.pay({ orderId: order.providerOrderId, webhook: false });
    const forged = [
      "0".repeat(64),
      signature.replace(/^./, (first) => (first === "a" ? "b" : "a")),
      hmac("another secret", `${order.providerOrderId}|${paymentId}`),
      hmac(stack.env.RAZORPAY_WEBHOOK_SECRET, `${order.providerOrderId}|${paymentId}`),
      hmac(stack.env.RAZORPAY_KEY_SECRET, `${paymentId}|${order.providerOrderId}`),
    ];
    for (const wrong of forged) {
      const form = returnForm(order.providerOrderId, { paymentId, signature: wrong });
      const returned = await writingNothing(() => postReturn(form));
      expect(returned.status).toBe(400);
      const posted = await writingNothing(() =>
        order.browser.post(`${order.path}/place-order`, { intent: "paid", ...form }),
      );
      expect(posted.status).toBe(400);
      expect(posted.text).toContain("The payment&#x27;s signature is not valid");
    }
    expect(await paymentsOf(order)).toEqual([]);
    // The same payment, rightly signed, pays.
    expect((await postReturn(returnForm(order.providerOrderId, { paymentId, signature }))).status).toBe(303);
    expect(await orderRow(order)).toMatchObject({ payment_status: "completed" });
  });

  test("a signature for one payment does not prove another", async () => {
    const [cheap, dear] = [await toCheckout(stack.url), await toCheckout(stack.url)];
    const paid = await levers.pay({ orderId: cheap.providerOrderId, webhook: false });
    const answer = await writingNothing(() => postReturn(returnForm(dear.providerOrderId, paid)));
    expect(answer.status).toBe(400);
    expect(await orderRow(dear)).toMatchObject({ payment_status: "pending" });
  });

  test("a rightly signed payment of another order does not pay for this one", async () => {
    const [mine, other] = [await toCheckout(stack.url), await toCheckout(stack.url)];
    const { paymentId } = await levers.pay({ orderId: mine.providerOrderId, webhook: false });
    const signature = signReturn(other.providerOrderId, paymentId);
    await postReturn(returnForm(other.providerOrderId, { paymentId, signature }));
    expect(await orderRow(other)).toMatchObject({ payment_status: "pending", stage: "stage2" });
    expect(await paymentsOf(other)).toMatchObject([
      { status: "mismatch", problem: "It was made for another order." },
    ]);
  });

  test("a rightly signed return for an order we never made is a 404", async () => {
    const form = { paymentId: "pay_unknown1", signature: signReturn("order_unknown1", "pay_unknown1") };
    const answer = await writingNothing(() => postReturn(returnForm("order_unknown1", form)));
    expect(answer.status).toBe(404);
  });

  test.each([
    { razorpay_payment_id: "pay_1/../../orders" },
    { razorpay_order_id: "order_1", razorpay_signature: "x" },
    {},
    { "error[metadata]": "{}" },
    { "error[metadata]": "not json" },
    { "error[metadata]": '{"order_id":"order_unknown1","payment_id":"../x"}' },
  ])("a return that is none (%j) is a 404", async (form) => {
    const filled = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));
    expect((await writingNothing(() => postReturn(filled))).status).toBe(404);
  });

  test.each([
    { wrong: { amount: 100 }, says: /Paid 1 instead of [\d.]+ INR/ },
    { wrong: { amount: 99_999_999 }, says: /Paid 999999.99 instead of/ },
    { wrong: { currency: "USD" }, says: /Paid in USD instead of INR/ },
  ])(
    "$wrong is recorded as a mismatch and shown as the retry state; the order is not paid",
    async ({ wrong, says }) => {
      const order = await toCheckout(stack.url);
      const paid = await levers.pay({ orderId: order.providerOrderId, webhook: false, ...wrong });
      const answer = await postReturn(returnForm(order.providerOrderId, paid));
      expect(answer.status).toBe(303);
      expect(answer.location).toBe(`${order.path}/place-order`);

      expect(await paymentsOf(order)).toMatchObject([
        { status: "mismatch", provider_payment_id: paid.paymentId, problem: expect.stringMatching(says) },
      ]);
      expect(await orderRow(order)).toMatchObject({
        payment_status: "pending",
        stage: "stage2",
        fulfilment_status: "not_due",
        paid_at: null,
      });
      const page = await order.browser.get(`${order.path}/place-order`);
      expect(page.text).toContain(
        "Your payment has been completed. Please click Submit to complete your order.",
      );
      expect(page.text).not.toContain("checkout/embedded");

      const again = await order.browser.post(`${order.path}/place-order`, { intent: "submit" });
      expect(again.status).toBe(502);
      expect(again.text).toContain("Retry failed: Backend validation failed.");
      expect(await orderRow(order)).toMatchObject({ payment_status: "pending" });

      const alerts = await context.db
        .selectFrom("mails")
        .selectAll()
        .where("order_id", "=", order.id)
        .execute();
      expect(alerts).toMatchObject([
        { kind: "operator-alert", recipient: "operator", data: { what: expect.stringMatching(says) } },
      ]);
    },
  );

  test("a replayed webhook is acknowledged and has one effect", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await levers.pay({ orderId: order.providerOrderId, webhook: false });
    const body = webhookBody(order.providerOrderId, paymentId);
    const event = { "X-Razorpay-Event-Id": randomUUID() };

    const first = await postWebhook(body, event);
    expect([first.status, first.text]).toEqual([200, '{"received":true,"repeated":false}']);
    const replayed = await writingNothing(() => postWebhook(body, event));
    expect([replayed.status, replayed.text]).toEqual([200, '{"received":true,"repeated":true}']);

    const eventId = event["X-Razorpay-Event-Id"];
    const events = await context.db
      .selectFrom("provider_events")
      .selectAll()
      .where("event_id", "=", eventId)
      .execute();
    expect(events).toMatchObject([{ type: "payment.captured", processed_at: null }]);
    await handleProviderEvent(context, eventId);
    await writingNothing(() => handleProviderEvent(context, eventId));
    expect(await paymentsOf(order)).toMatchObject([{ status: "captured", provider_payment_id: paymentId }]);
    expect(await orderRow(order)).toMatchObject({ stage: "stage3", payment_status: "completed" });
  });

  test("a forged webhook is refused with 401, and no event is stored", async () => {
    const order = await toCheckout(stack.url);
    const { paymentId } = await levers.pay({ orderId: order.providerOrderId, webhook: false });
    const body = webhookBody(order.providerOrderId, paymentId);
    for (const signature of [
      null,
      "",
      "0".repeat(64),
      "zz",
      hmac(stack.env.RAZORPAY_KEY_SECRET, body),
      hmac(stack.env.RAZORPAY_WEBHOOK_SECRET, `${body} `),
    ]) {
      const answer = await writingNothing(() => postWebhook(body, { "X-Razorpay-Signature": signature }));
      expect(answer.status).toBe(401);
    }
  });

  test.each(["", "not json", "[]", '{"event":1,"payload":{}}', '{"event":"payment.captured"}'])(
    "a signed webhook that is no event (%j) is refused with 400",
    async (body) => {
      expect((await writingNothing(() => postWebhook(body))).status).toBe(400);
    },
  );

  test("a signed webhook without an event id is refused with 400", async () => {
    const body = webhookBody("order_1", "pay_1");
    expect((await writingNothing(() => postWebhook(body, { "X-Razorpay-Event-Id": null }))).status).toBe(400);
    const long = { "X-Razorpay-Event-Id": "e".repeat(201) };
    expect((await writingNothing(() => postWebhook(body, long))).status).toBe(400);
  });
});

describe("a body of 70 KiB", () => {
  const large = `x=${"a".repeat(70 * 1024)}`;
  /** Sent in pieces, its length not told. */
  const inPieces = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < large.length; at += 8_192) {
          controller.enqueue(new TextEncoder().encode(large.slice(at, at + 8_192)));
        }
        controller.close();
      },
    });
  const places = [
    "/login",
    `/order/${plan.family}/${plan.item}/IN`,
    "/logout",
    "/webhooks/razorpay",
    "/payments/return",
  ];

  test.each(places)("to %s is refused with 413, its length told or not", async (path) => {
    for (const body of [large, inPieces()]) {
      const answer = await writingNothing(() =>
        browser().ask(path, {
          method: "POST",
          headers: {
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/x-www-form-urlencoded",
            "X-Razorpay-Signature": hmac(stack.env.RAZORPAY_WEBHOOK_SECRET, large),
            "X-Razorpay-Event-Id": randomUUID(),
          },
          body,
        }),
      );
      expect(answer.status).toBe(413);
    }
  });

  test("to a step of an order is refused with 413, and the order stays", async () => {
    const buyer = browser();
    const order = await toReview(buyer);
    const form = { ...accountForm(order.email), addressLine1: "a".repeat(70 * 1024) };
    const answer = await writingNothing(() => buyer.post(`${order.path}/create-account`, form));
    expect(answer.status).toBe(413);
    expect(answer.text).toContain("too large");
  });

  test("is the limit's doing: 60 KiB are read", async () => {
    const answer = await browser().post("/login", { email: "a".repeat(60 * 1024), password: "x" });
    expect(answer.status).toBe(400);
  });
});

describe("a post from another site", () => {
  const foreign: [string, Record<string, string | null>][] = [
    ["Sec-Fetch-Site: cross-site", { "Sec-Fetch-Site": "cross-site" }],
    ["Sec-Fetch-Site: same-site", { "Sec-Fetch-Site": "same-site" }],
    ["as browsers send it", { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" }],
    ["cross-site, though the Origin is ours", { "Sec-Fetch-Site": "cross-site", Origin: "ours" }],
    ["Origin of another site", { "Sec-Fetch-Site": null, Origin: "https://evil.example" }],
    ["Origin that begins like ours", { "Sec-Fetch-Site": null, Origin: "ours.evil.example" }],
    ["Origin: null", { "Sec-Fetch-Site": null, Origin: "null" }],
    ["neither header", { "Sec-Fetch-Site": null }],
  ];
  const withOurs = (headers: Record<string, string | null>) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value?.replace("ours", stack.url) ?? null]),
    );

  test.each(foreign)("(%s) is refused with 403, and nothing is written", async (_name, headers) => {
    const buyer = browser();
    const order = await toReview(buyer);
    const total = String(order.totalMinor);
    const posts: [string, Record<string, string>][] = [
      [`${order.path}/place-order`, { intent: "place-order", terms: "on", total }],
      [`${order.path}/subscription-details`, { term: "P1M", quantity: "300" }],
      [`${order.path}/create-account`, accountForm(order.email)],
      [`/order/${plan.family}/${plan.item}/IN`, { term: "P1Y", quantity: "1" }],
      ["/login", { email: order.email, password: "x" }],
      ["/logout", {}],
    ];
    for (const [path, form] of posts) {
      const answer = await writingNothing(() => buyer.post(path, form, withOurs(headers)));
      expect(answer.status, path).toBe(403);
    }
    expect(buyer.hasCookie("session")).toBe(true);
  });

  test("is told apart by the Origin in a browser that says no more", async () => {
    const headers = { "Sec-Fetch-Site": null, Origin: stack.url };
    const answer = await browser().post(
      `/order/${plan.family}/${plan.item}/IN`,
      { term: "P1Y", quantity: "1" },
      headers,
    );
    expect(answer.status).toBe(303);
  });
});

test.each(["application/json", "text/plain", "multipart/form-data; boundary=x", null])(
  "a form sent as %s is refused with 415",
  async (type) => {
    const path = `/order/${plan.family}/${plan.item}/IN`;
    const form = { term: "P1Y", quantity: "1" };
    const headers = { "Content-Type": type };
    // fetch names a type for a text of its own accord; bytes have none.
    const answer = await writingNothing(() =>
      type === null
        ? browser().ask(path, {
            method: "POST",
            headers: { "Sec-Fetch-Site": "same-origin" },
            body: new Blob([new URLSearchParams(form).toString()]).stream(),
          })
        : browser().post(path, form, headers),
    );
    expect(answer.status).toBe(415);
  },
);

describe("addresses", () => {
  const item = plan.item;
  test.each([
    `/order/microsoft/${item}/AE`,
    `/order/microsoft/${item}/SA`,
    `/order/microsoft/${item}/XX`,
    `/order/microsoft/${item}/in`,
    `/order/microsoft/${item}/IN/`.replace("/IN/", "/"),
    `/order/Microsoft/${item}/IN`,
    `/order/zoho/${item}/IN`,
    `/order/google/${item}/IN`,
    "/order/microsoft/no-such-plan/IN",
    "/order/microsoft/..%2F..%2Fetc/IN",
    "/order/microsoft/%00/IN",
    `/order/microsoft/${"a".repeat(200)}/IN`,
    "/order",
    `/order?sku_id=${item}`,
    `/order?sku_id=${item}&country=AE`,
    "/order?sku_id=no-such-plan&country=IN",
    `/order/not-an-id/microsoft/${item}/IN/place-order`,
    `/order/${"0".repeat(36)}/microsoft/${item}/IN`,
    `/order/${randomUUID().toUpperCase()}/microsoft/${item}/IN/place-order`,
    `/order/${randomUUID()}/microsoft/${item}/XX/place-order`,
    `/order/${randomUUID()}/microsoft/${item}/IN/no-such-step`,
    "/no-such-page",
    "/Login",
    "/HOME/x",
    "/MSSIGNUP",
    "/Check/User?email=a@example.com",
    "/GET/stage",
    "/Webhooks/razorpay",
    "/resume/short",
    "/set-password/short",
  ])("%s is a 404", async (path) => {
    const answer = await writingNothing(() => browser().get(path));
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.text).toContain("We could not find that page");
  });

  test.each([`/order/microsoft/${item}/AE`, `/order/google/${item}/IN`, "/order/microsoft/no-such-plan/IN"])(
    "takes no order at %s",
    async (path) => {
      expect((await writingNothing(() => browser().post(path, { term: "P1Y", quantity: "1" }))).status).toBe(
        404,
      );
    },
  );

  test("an order's link that names another plan or country leads to its own address", async () => {
    const buyer = browser();
    const order = await toReview(buyer);
    const answer = await buyer.get(
      `/order/${order.id}/google/google-workspace-business-starter/US/place-order`,
    );
    expect([answer.status, answer.location]).toEqual([302, `${order.path}/place-order`]);
  });

  test("a step that is out of reach leads to the first unfinished one", async () => {
    const buyer = browser();
    const draft = await beginOrder(buyer);
    for (const step of ["place-order", "sign-in", "order-processed"]) {
      expect((await buyer.get(`${draft.path}/${step}`)).location).toBe(`${draft.path}/create-account`);
    }
    const form = { mode: "new", username: "admin", prefix: "early" };
    const posted = await writingNothing(() => buyer.post(`${draft.path}/sign-in`, form));
    expect(posted.location).toBe(`${draft.path}/create-account`);
  });

  test.each(["/payments/return", "/webhooks/razorpay", "/logout"])("%s takes only POST", async (path) => {
    const answer = await writingNothing(() => browser().get(path));
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
  });

  test.each(["PUT", "DELETE", "PATCH"])("%s is not taken anywhere", async (method) => {
    for (const path of ["/webhooks/razorpay", "/payments/return", "/login", "/check/user", "/"]) {
      const headers = {
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/x-www-form-urlencoded",
      };
      const answer = await writingNothing(() => browser().ask(path, { method, headers, body: "x=1" }));
      expect(answer.status, path).toBe(405);
    }
  });

  test.each(["/check/user", "/get/stage", "/dashboard", "/health", "/search"])(
    "%s is only read",
    async (path) => {
      expect((await writingNothing(() => browser().post(path, { x: "1" }))).status).toBe(405);
    },
  );

  test.each([
    "/check/user",
    "/check/user?email=nonsense",
    `/check/user?email=${"a".repeat(200)}@example.com`,
    "/mssignup",
    "/mssignup?tenant=Not-A-Prefix",
    `/mssignup?tenant=${"a".repeat(28)}`,
    "/mssignup?tenant=free&console=XX",
    "/reseller/invitation/status",
  ])("%s is refused with 400, the field named", async (path) => {
    const answer = await writingNothing(() => browser().get(path));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({
      fields: expect.any(Object),
      requestId: expect.any(String),
    });
  });
});

describe("every answer carries the security headers and a request id", () => {
  let buyer: Browserless;
  let order: OpenPayment;
  beforeAll(async () => {
    order = await toCheckout(stack.url);
    buyer = order.browser;
  });

  const answers: Record<string, () => Promise<Answer>> = {
    "a document": () => browser().get("/"),
    "a step": () => buyer.get(`${order.path}/place-order`),
    "a data response": () => browser().get("/search.data"),
    "a step's data response": () => buyer.get(`${order.path}/place-order.data`),
    "a JSON call": () => browser().get("/health"),
    "a refused JSON call": () => browser().get("/check/user"),
    "a method not allowed": () => browser().get("/logout"),
    "a redirect of a loader": () => buyer.get(order.path),
    "a redirect to the login": () => browser().get(order.path),
    "a redirect of a form": () => browser().post("/logout", {}),
    "a redirect of the payment return": () =>
      browser().post("/payments/return", { order_id: order.providerOrderId }, { "Sec-Fetch-Site": null }),
    "an unknown page": () => browser().get("/no-such-page"),
    "a refused form": () => browser().post("/login", {}),
    "a form from another site": () => browser().post("/login", {}, { "Sec-Fetch-Site": "cross-site" }),
    "a method no route takes": () => browser().post("/search", {}),
    "an order that is not ours": () => browser().get(`/get/stage?id=${order.id}`),
  };

  test.each(Object.keys(answers))("%s", async (name) => {
    const answer = await answers[name]?.();
    const header = (wanted: string) => answer?.headers.get(wanted) ?? "";
    expect(header("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(header("x-content-type-options")).toBe("nosniff");
    expect(header("referrer-policy")).toBe("same-origin");
    const policy = header("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toMatch(/form-action 'self'/);
    expect(policy).not.toMatch(/unsafe-|\*/);
    expect(answer?.headers.has("x-powered-by")).toBe(false);
  });

  test("a document's nonce is its own, and stands at every script of it", async () => {
    const nonces = await Promise.all(
      [0, 1].map(async () => {
        const answer = await buyer.get(`${order.path}/place-order`);
        const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1] ?? "";
        expect(nonce).toMatch(/^[0-9a-f-]{36}$/);
        const scripts = [...answer.text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
        expect(scripts.length).toBeGreaterThan(1);
        for (const tag of scripts) expect(tag).toContain(` nonce="${nonce}"`);
        return nonce;
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test("what is one person's is kept by no cache", async () => {
    for (const path of [
      `${order.path}/place-order`,
      `/get/stage?id=${order.id}`,
      `${order.path}/place-order.data`,
    ]) {
      expect((await buyer.get(path)).headers.get("cache-control"), path).toBe("no-store");
    }
  });

  test("cookies are out of reach of scripts and of other sites", async () => {
    const answer = await browser().post(`/order/${plan.family}/${plan.item}/IN`, {
      term: "P1Y",
      quantity: "1",
    });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^draft=.*; HttpOnly; SameSite=Lax$/);
  });
});

describe("a fault of ours", () => {
  /** Takes a table away meanwhile. */
  async function without(table: "users" | "catalogue_items", act: () => Promise<void>): Promise<void> {
    await sql`alter table ${sql.table(table)} rename to taken_away`.execute(context.db);
    try {
      await act();
    } finally {
      await sql`alter table taken_away rename to ${sql.table(table)}`.execute(context.db);
    }
  }
  const secretive = (answer: Answer) => {
    expect(answer.status).toBe(500);
    expect(answer.text).toContain("Unexpected Application Error!");
    expect(answer.text).toContain(answer.headers.get("x-request-id"));
    expect(answer.text).not.toMatch(
      /relation|taken_away|catalogue_items|select|node_modules|\bat .*:\d+:\d+/i,
    );
  };

  test("is a generic page with the request id, and no more", async () => {
    await without("catalogue_items", async () => secretive(await browser().get("/")));
    expect((await browser().get("/")).status).toBe(200);
  });

  test("is a generic answer to a form", async () => {
    await without("catalogue_items", async () => {
      const form = { term: "P1Y", quantity: "1" };
      secretive(await browser().post(`/order/${plan.family}/${plan.item}/IN`, form));
    });
  });

  test("is a generic data response", async () => {
    await without("catalogue_items", async () => {
      const answer = await browser().get("/search.data");
      expect(answer.status).toBe(500);
      expect(answer.text).not.toMatch(/relation|taken_away|catalogue_items|node_modules/i);
    });
  });

  test("is a generic answer to a call", async () => {
    await without("users", async () => {
      const answer = await browser().get("/check/user?email=a@example.com");
      secretive(answer);
      expect(JSON.parse(answer.text)).toEqual({
        error: "Unexpected Application Error!",
        requestId: answer.headers.get("x-request-id"),
      });
    });
  });

  test("of the payment provider shows nothing of what it said, and the order can go on", async () => {
    const buyer = browser();
    const order = await toReview(buyer);
    await levers.faults({ match: { path: "^/razorpay/v1/orders" }, kind: "500" });
    const answer = await buyer.post(`${order.path}/place-order`, {
      intent: "place-order",
      terms: "on",
      total: String(order.totalMinor),
    });
    await levers.faults();
    expect(answer.status).toBe(503);
    expect(answer.text).not.toMatch(/Internal server error|razorpay|SERVER_ERROR/);
    await placeOrder(buyer, order);
  });

  test("of Microsoft at the domain check is told as one that may pass", async () => {
    await levers.faults({ match: { path: "^/partner-center" }, kind: "500" });
    const answer = await browser().get("/mssignup?tenant=freedomain");
    await levers.faults();
    expect(answer.status).toBe(503);
    expect(answer.text).not.toContain("Internal server error");
    expect(await browser().get("/mssignup?tenant=freedomain")).toMatchObject({
      status: 200,
      text: '{"valid":true}',
    });
  });
});

describe("too many tries", () => {
  async function untilRefused(ask: () => Promise<Answer>, allowed: number): Promise<Answer> {
    // A window may end while we count, and then as many are allowed again.
    for (let tries = 1; tries <= 2 * allowed + 1; tries += 1) {
      const answer = await ask();
      if (answer.status === 429) {
        expect(tries).toBeGreaterThan(allowed);
        return answer;
      }
    }
    throw new Error("never refused");
  }
  const tellsWhen = (answer: Answer, windowSeconds: number) => {
    const seconds = Number(answer.headers.get("retry-after"));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(windowSeconds);
    expect(answer.text).toContain("Too many attempts. Please try again in");
  };

  test("at /check/user: 429 with Retry-After, for this address only", async () => {
    const guesser = browser();
    tellsWhen(await untilRefused(() => guesser.get("/check/user?email=a@example.com"), 60), 600);
    expect((await browser().get("/check/user?email=a@example.com")).status).toBe(200);
  });

  test("at /mssignup: 429 with Retry-After, and the provider is not asked", async () => {
    const guesser = browser();
    tellsWhen(await untilRefused(() => guesser.get("/mssignup?tenant=freedomain"), 120), 600);
  });

  test("at the login: 429 after five wrong passwords, then also for the right one", async () => {
    const buyer = browser();
    const { email } = await toReview(buyer);
    const guesser = browser();
    const guess = () => guesser.post("/login", { email, password: "wrong password" });
    const first = await guess();
    expect(first.status).toBe(401);
    expect(first.text).toContain("Login failed. Please try again.");
    expect(first.text).not.toContain("wrong password");
    tellsWhen(await untilRefused(guess, 4), 900);
    expect(guesser.hasCookie("session")).toBe(false);
  });

  test("at the login, one address over many accounts: 429", async () => {
    const guesser = browser();
    tellsWhen(
      await untilRefused(() => guesser.post("/login", { email: freshEmail(), password: "x" }), 20),
      900,
    );
  });

  test("cannot be passed by claiming another address", async () => {
    const guesser = browser();
    let forged = 0;
    const ask = () => {
      forged += 1;
      // What stands further left than our own proxy wrote is made up.
      const headers = {
        "X-Forwarded-For": `1.2.3.${forged}, ${guesser.address}`,
        "X-Client-Address": `1.2.4.${forged}`,
      };
      return guesser.get("/check/user?email=a@example.com", headers);
    };
    tellsWhen(await untilRefused(ask, 60), 600);
  });
});

describe("the way back after the login", () => {
  let signedIn: Browserless;
  beforeAll(async () => {
    signedIn = browser();
    await toReview(signedIn);
  });

  test.each([
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\\/evil.example",
    "javascript:alert(1)",
    "https://evil.example",
    "https:evil.example",
    "%2F%2Fevil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\r\n//evil.example",
    " //evil.example",
    "evil.example",
    "/\u0000/evil.example",
    "/\u2028evil",
    `/${"a".repeat(600)}`,
    "",
  ])("%j leads nowhere but home", async (next) => {
    const query = new URLSearchParams({ next });
    const redirected = await signedIn.get(`/login?${query}`);
    expect([redirected.status, redirected.location]).toEqual([302, "/"]);
    const page = await browser().get(`/login?${query}`);
    expect(fieldIn(page.text, "next")).toBe("/");
  });

  test("a path of ours is kept", async () => {
    const redirected = await signedIn.get(`/login?${new URLSearchParams({ next: "/search?query=mail" })}`);
    expect(redirected.location).toBe("/search?query=mail");
  });

  test("is checked again when the form is posted", async () => {
    const email = freshEmail();
    await setUpLogin(email, "a-good-Pass-1");
    const login = (next: string) => browser().post("/login", { email, password: "a-good-Pass-1", next });
    for (const next of ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)"]) {
      const answer = await login(next);
      expect([answer.status, answer.location]).toEqual([303, "/"]);
    }
    expect((await login("/subscriptions")).location).toBe("/subscriptions");
  });
});

test("a mismatch reaches the operator's mailbox", async () => {
  const order = await toCheckout(stack.url);
  const paid = await levers.pay({ orderId: order.providerOrderId, webhook: false, amount: 500 });
  await postReturn(returnForm(order.providerOrderId, paid));
  await stack.startWorker();
  await vi.waitFor(async () => {
    const mails = await levers.inbox("operator@example.com");
    expect(mails.map(({ text }) => text).join("\n")).toContain(order.id);
  }, 30_000);
  await stack.killWorker();
}, 60_000);

async function setUpLogin(email: string, password: string): Promise<void> {
  await context.db
    .transaction()
    .execute((trx) =>
      createUser(trx, { email, firstName: "Asha", lastName: "Rao", phone: "9876543210", password }),
    );
}
