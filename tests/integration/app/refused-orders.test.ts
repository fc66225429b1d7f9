/**
 * Refused orders over HTTP, as an attacker, a careless client or a broken one requests them: status, message, and no writes.
 */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { createSession } from "#server/accounts/sessions.ts";
import { expectNoWrites } from "#tests/support/digest.ts";
import { HttpBrowser, hiddenFieldValue } from "#tests/support/http-browser.ts";
import {
  accountForm,
  beginOrder,
  type OpenPayment,
  type OrderPlace,
  placeOrder,
  toCheckout,
  toReview,
} from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

// No worker, so that only requests write to the database and jobs stay in the queue.
const { stack, context, controls } = await startStore();

const browser = () => new HttpBrowser(stack.url);
const steps = [
  "subscription-details",
  "create-account",
  "place-order",
  "sign-in",
  "order-processed",
] as const;

const orderRow = (order: OrderPlace) =>
  context.db.selectFrom("orders").selectAll().where("id", "=", order.id).executeTakeFirstOrThrow();

describe("a wrong total", () => {
  test.each([-1, 1, -100_000])("returns 409 without a charge when it is off by %i", async (off) => {
    const buyer = browser();
    const order = await toReview(buyer);
    const count = (await controls.state()).razorpay.orders.length;
    const answer = await expectNoWrites(context.db, () =>
      buyer.post(`${order.path}/place-order`, {
        intent: "place-order",
        terms: "on",
        total: String(order.totalMinor + off),
      }),
    );
    expect(answer.status).toBe(409);
    expect(answer.text).toContain("Price has changed");
    expect((await controls.state()).razorpay.orders).toHaveLength(count);
    // The correct total still works.
    await placeOrder(buyer, order);
    expect(await orderRow(order)).toMatchObject({ payment_status: "pending" });
  });

  test.each(["", "-5", "1e3", "12.5", "9".repeat(16)])(
    "returns 400 when it is not an amount (%j)",
    async (total) => {
      const buyer = browser();
      const order = await toReview(buyer);
      const form = { intent: "place-order", terms: "on", total };
      const answer = await expectNoWrites(context.db, () => buyer.post(`${order.path}/place-order`, form));
      expect(answer.status).toBe(400);
    },
  );

  test("does not change with posted prices", async () => {
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
    expect(hiddenFieldValue(page.text, "amount")).toBe(String(before.total_minor));
  });

  test("requires the accepted terms", async () => {
    const buyer = browser();
    const order = await toReview(buyer);
    const form = { intent: "place-order", total: String(order.totalMinor) };
    const answer = await expectNoWrites(context.db, () => buyer.post(`${order.path}/place-order`, form));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Please accept the terms to place the order.");
  });
});

describe("another buyer's order", () => {
  let owner: HttpBrowser;
  let stranger: HttpBrowser;
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
    "returns 404 at %j to another signed-in user",
    async (step) => {
      const answers = await expectNoWrites(context.db, () =>
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
    "redirects from %j to the login without a session",
    async (step) => {
      const answers = await expectNoWrites(context.db, () =>
        Promise.all([order.path, nowhere].map((path) => browser().get(`${path}${step}`))),
      );
      expect(answers.map(({ status }) => status)).toEqual([302, 302]);
      expect(answers.map(({ location }) => location)).toEqual(
        [order.path, nowhere].map((path) => `/login?${new URLSearchParams({ next: `${path}${step}` })}`),
      );
    },
  );

  test.each(steps)("refuses posts to %s", async (step) => {
    const [fromStranger, fromNobody] = await expectNoWrites(context.db, () =>
      Promise.all([stranger, browser()].map((who) => who.post(`${order.path}/${step}`, forms[step]))),
    );
    expect(fromStranger?.status).toBe(404);
    expect(fromNobody?.status).toBe(302);
    expect(fromNobody?.location).toMatch(/^\/login\?next=/);
  });

  test.each(steps)("reveals nothing when an empty form is posted to %s", async (step) => {
    const [there, nowhereAtAll] = await expectNoWrites(context.db, () =>
      Promise.all([order.path, nowhere].map((path) => stranger.post(`${path}/${step}`, {}))),
    );
    expect(there?.status).toBe(nowhereAtAll?.status);
    expect(there?.text).not.toContain(order.email);
  });

  test.each(["/get/stage", "/reseller/invitation/status"])(
    "returns 404 at %s to everyone else",
    async (call) => {
      for (const who of [stranger, browser()]) {
        for (const id of [order.id, randomUUID(), "not-an-id", `${order.id}'`]) {
          const answer = await expectNoWrites(context.db, () =>
            who.get(`${call}?id=${encodeURIComponent(id)}`),
          );
          expect(answer.status).toBe(404);
          expect(answer.text).toMatch(
            /^\{"error":"We could not find that order\.","requestId":"[0-9a-f-]{36}"\}$/,
          );
        }
      }
    },
  );

  test("opens a visitor's draft only in the browser that began it", async () => {
    const visitor = browser();
    const draft = await beginOrder(visitor);
    expect((await visitor.get(`${draft.path}/create-account`)).status).toBe(200);
    expect((await browser().get(`${draft.path}/create-account`)).status).toBe(302);
    expect((await stranger.get(`${draft.path}/create-account`)).status).toBe(404);
  });

  test("ignores a forged draft cookie", async () => {
    const draft = await beginOrder(browser());
    for (const cookie of ["draft=ImEi", "draft=ImEi.AAAA", "draft="]) {
      expect((await browser().get(`${draft.path}/create-account`, { Cookie: cookie })).status).toBe(302);
    }
  });

  test("ignores a session token signed with another key", async () => {
    const row = await orderRow(order);
    if (row.user_id === null) throw new Error("Expected the order to have an owner");
    const { token } = await createSession(context.db, ["another-secret-of-32-characters-!"], row.user_id);
    const answer = await browser().get(`${order.path}/place-order`, {
      Cookie: `session=${btoa(JSON.stringify(token))}`,
    });
    expect(answer.status).toBe(302);
    expect(answer.location).toMatch(/^\/login/);
  });
});
