/** Requests refused for their form: too large, from another site, of another content type, or to an invalid address. */
import { createHmac, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { expectNoWrites } from "#tests/support/digest.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { accountForm, beginOrder, plan, toReview } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

// No worker, so that only requests write to the database and jobs stay in the queue.
const { stack, context } = await startStore();

const browser = () => new HttpBrowser(stack.url);

describe("a body of 70 KiB", () => {
  const large = `x=${"a".repeat(70 * 1024)}`;
  /** Sends the body in chunks, without a Content-Length. */
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

  test.each(places)("returns 413 at %s with or without a Content-Length", async (path) => {
    for (const body of [large, inPieces()]) {
      const answer = await expectNoWrites(context.db, () =>
        browser().ask(path, {
          method: "POST",
          headers: {
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/x-www-form-urlencoded",
            "X-Razorpay-Signature": createHmac("sha256", stack.env.RAZORPAY_WEBHOOK_SECRET_IN ?? "")
              .update(large)
              .digest("hex"),
            "X-Razorpay-Event-Id": randomUUID(),
          },
          body,
        }),
      );
      expect(answer.status).toBe(413);
    }
  });

  test("returns 413 at a step and keeps the order", async () => {
    const buyer = browser();
    const order = await toReview(buyer);
    const form = { ...accountForm(order.email), addressLine1: "a".repeat(70 * 1024) };
    const answer = await expectNoWrites(context.db, () => buyer.post(`${order.path}/create-account`, form));
    expect(answer.status).toBe(413);
    expect(answer.text).toContain("too large");
  });

  test("exceeds the limit, which 60 KiB do not", async () => {
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

  test.each(foreign)("returns 403 and writes nothing (%s)", async (_name, headers) => {
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
      const answer = await expectNoWrites(context.db, () => buyer.post(path, form, withOurs(headers)));
      expect(answer.status, path).toBe(403);
    }
    expect(buyer.hasCookie("session")).toBe(true);
  });

  test("accepts the store's Origin from browsers without Sec-Fetch-Site", async () => {
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
  "refuses a form sent as %s with 415",
  async (type) => {
    const path = `/order/${plan.family}/${plan.item}/IN`;
    const form = { term: "P1Y", quantity: "1" };
    const headers = { "Content-Type": type };
    // fetch adds a content type to a string, but not to a stream.
    const answer = await expectNoWrites(context.db, () =>
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

describe("the router", () => {
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
  ])("returns 404 for %s", async (path) => {
    const answer = await expectNoWrites(context.db, () => browser().get(path));
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.text).toMatch(/We could not find that page|There is no page at/);
  });

  test.each([`/order/microsoft/${item}/AE`, `/order/google/${item}/IN`, "/order/microsoft/no-such-plan/IN"])(
    "accepts no order at %s",
    async (path) => {
      expect(
        (await expectNoWrites(context.db, () => browser().post(path, { term: "P1Y", quantity: "1" }))).status,
      ).toBe(404);
    },
  );

  test("redirects an order's link with another plan or country to its own address", async () => {
    const buyer = browser();
    const order = await toReview(buyer);
    const answer = await buyer.get(
      `/order/${order.id}/google/google-workspace-business-starter/US/place-order`,
    );
    expect([answer.status, answer.location]).toEqual([302, `${order.path}/place-order`]);
  });

  test("redirects from an unreachable step to the first unfinished one", async () => {
    const buyer = browser();
    const draft = await beginOrder(buyer);
    for (const step of ["place-order", "sign-in", "order-processed"]) {
      expect((await buyer.get(`${draft.path}/${step}`)).location).toBe(`${draft.path}/create-account`);
    }
    const form = { mode: "new", username: "admin", prefix: "early" };
    const posted = await expectNoWrites(context.db, () => buyer.post(`${draft.path}/sign-in`, form));
    expect(posted.location).toBe(`${draft.path}/create-account`);
  });

  test.each([
    "/payments/return",
    "/payments/return?razorpay_payment_id=pay_1",
    `/payments/return?razorpay_payment_id=pay_1&razorpay_payment_link_id=plink_1&razorpay_payment_link_reference_id=${randomUUID()}&razorpay_payment_link_status=paid&razorpay_signature=${"0".repeat(64)}`,
  ])("returns 404 for a return without a known payment: %s", async (path) => {
    const answer = await expectNoWrites(context.db, () => browser().get(path));
    expect(answer.status).toBe(404);
  });

  test.each(["/webhooks/razorpay", "/logout"])("%s: accepts only POST", async (path) => {
    const answer = await expectNoWrites(context.db, () => browser().get(path));
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
  });

  test.each(["PUT", "DELETE", "PATCH"])("refuses %s everywhere", async (method) => {
    for (const path of ["/webhooks/razorpay", "/payments/return", "/login", "/check/user", "/"]) {
      const headers = {
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/x-www-form-urlencoded",
      };
      const answer = await expectNoWrites(context.db, () =>
        browser().ask(path, { method, headers, body: "x=1" }),
      );
      expect(answer.status, path).toBe(405);
    }
  });

  test.each(["/check/user", "/get/stage", "/dashboard", "/health", "/search"])(
    "%s: refuses POST",
    async (path) => {
      expect((await expectNoWrites(context.db, () => browser().post(path, { x: "1" }))).status).toBe(405);
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
  ])("%s: returns 400 and names the field", async (path) => {
    const answer = await expectNoWrites(context.db, () => browser().get(path));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({
      fields: expect.any(Object),
      requestId: expect.any(String),
    });
  });
});
