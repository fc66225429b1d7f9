/** Buying more and renewing through API calls: refusals, continuing later, repeated calls, and what a company's lists show. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type OrderId, parseId } from "#db/ids.ts";
import { createSession } from "#server/accounts/sessions.ts";
import { ApiClient, type Reply, requireSuccess } from "#tests/support/api-client.ts";
import {
  type ChangeName,
  changeCallPath,
  openChange,
  paymentSchema,
  startPayload,
  underWay,
} from "#tests/support/change-by-api.ts";
import {
  type Customer,
  createSubscriptionFor,
  makeCustomer,
  type SubscriptionSpec,
} from "#tests/support/customer.ts";
import { digestDatabase } from "#tests/support/digest.ts";
import { join, makePerson, type Person } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

// No worker, so paid orders stay unfulfilled.
const { stack, context, controls } = await startStore();

async function clientOf({ userId }: Person): Promise<ApiClient> {
  const { token } = await createSession(context.db, context.env.SESSION_SECRETS, userId);
  return new ApiClient(stack.url, token);
}

async function holder(what: SubscriptionSpec = { endsInDays: 20 }) {
  const customer = await makeCustomer(context.db);
  const held = await createSubscriptionFor(context.db, customer, what);
  return { ...customer, held, client: await clientOf(customer.owner) };
}

const both: ChangeName[] = ["add", "renew"];
const fieldsOf = ({ status, body }: Reply) => {
  const { fields = {} } = z.object({ fields: z.record(z.string(), z.string()).optional() }).parse(body);
  return [status, ...Object.keys(fields)];
};

describe.each(both)("%s", (change) => {
  test("refuses while an earlier order needs attention and begins no payment", async () => {
    const asking = await holder();
    const path = changeCallPath(change, asking.held);
    const sent = await startPayload(asking, change, 3);
    const other = change === "add" ? "renew" : "add";
    const { open } = await openChange(controls, asking, other, 3);
    const orderId = parseId<OrderId>(open.id);
    if (orderId === null) throw new Error("Expected an order");
    const holdBy = async (fulfilment_status: "running" | "needs_attention") => {
      await context.db
        .updateTable("orders")
        .set({ stage: "stage3", payment_status: "completed", fulfilment_status })
        .where("id", "=", orderId)
        .execute();
      await context.db
        .updateTable("subscriptions")
        .set({ changing_order_id: orderId })
        .where("id", "=", asking.held.id)
        .execute();
    };
    await holdBy("running");
    expect((await asking.client.get(path)).status).toBe(200);

    await holdBy("needs_attention");
    const before = await digestDatabase(context.db);
    for (const reply of [await asking.client.get(path), await asking.client.post(path, sent)]) {
      expect(reply).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining("Our team is looking into an earlier order") },
      });
    }
    expect(await digestDatabase(context.db)).toEqual(before);
  });

  test("names the field of a wrong or missing value and stores nothing", async () => {
    const asking = await holder();
    const path = changeCallPath(change, asking.held);
    const good = await startPayload(asking, change, 3);
    const { payment_details: details } = good;
    const before = await digestDatabase(context.db);
    const withDetails = async (more: object) =>
      fieldsOf(await asking.client.post(path, { ...good, payment_details: { ...details, ...more } }));
    expect(await withDetails({ amount: details.amount + 1 })).toEqual([409, "payment_details.amount"]);
    expect(await withDetails({ total_amount: details.total_amount - 1 })).toEqual([
      409,
      "payment_details.total_amount",
    ]);
    expect(await withDetails({ tax_amount: 0 })).toEqual([409, "payment_details.tax_amount"]);
    expect(await withDetails({ tax_rate: 0 })).toEqual([409, "payment_details.tax_rate"]);
    const changed = await asking.client.post(path, { ...good, payment_details: { ...details, amount: 1 } });
    expect(changed.body).toMatchObject({ status: "fail", Error: "Price has changed" });
    expect(await withDetails({ total_amount: null })).toEqual([400, "payment_details.total_amount"]);
    for (const quantity of [null, 0, -1, 1.5, "two"]) {
      expect(await withDetails({ quantity })).toEqual([400, "payment_details.quantity"]);
    }
    const other = change === "add" ? "RENEW" : "ADD";
    expect(await withDetails({ order_type: other })).toEqual([400, "payment_details.order_type"]);
    expect(await withDetails({ item_family: "google" })).toEqual([400, "payment_details.item_family"]);
    expect(await withDetails({ console: "UP" })).toEqual([400, "payment_details.console"]);
    expect(await withDetails({ address_id: crypto.randomUUID() })).toEqual([
      400,
      "payment_details.address_id",
    ]);
    expect(fieldsOf(await asking.client.post(path, { ...good, terms: false }))).toEqual([400, "terms"]);
    const elsewhere = { ...good, subscription_id: crypto.randomUUID() };
    expect(fieldsOf(await asking.client.post(path, elsewhere))).toEqual([400, "subscription_id"]);
    expect(await digestDatabase(context.db)).toEqual(before);
  });

  test("returns the same payment when repeated, a new one for another quantity", async () => {
    const asking = await holder();
    const path = changeCallPath(change, asking.held);
    const three = await startPayload(asking, change, 3);
    const first = requireSuccess(paymentSchema, await asking.client.post(path, three));
    expect(requireSuccess(paymentSchema, await asking.client.post(path, three))).toEqual(first);
    const four = await startPayload(asking, change, 4);
    const key = { "Idempotency-Key": "four" };
    const other = requireSuccess(paymentSchema, await asking.client.post(path, four, key));
    expect(other.id).toBe(first.id);
    expect(other.razorpay_order_id).not.toBe(first.razorpay_order_id);
    const repeated = await asking.client.post(path, four, key);
    expect(repeated.headers.get("idempotency-replayed")).toBe("true");
    expect(requireSuccess(paymentSchema, repeated)).toEqual(other);
    const standing = requireSuccess(underWay, await asking.client.get(`/api/subscription/${asking.held.id}`));
    expect(standing[`${change}_payment_status`]).toBe("pending");
    expect(standing[`${change}_payment_details`]).toMatchObject({ id: "", order_id: first.id, quantity: 4 });
    expect(standing[`${change === "add" ? "renew" : "add"}_payment_status`]).toBe("none");
  });

  test("begins no second order after payment, and Continue resumes the first", async () => {
    const asking = await holder();
    const { path, sent, given, open } = await openChange(controls, asking, change, 3);
    expect(
      requireSuccess(paymentSchema, await asking.client.post(path, { payment_details: given })),
    ).toMatchObject({
      status: true,
      stage: "stage3",
    });
    const standing = requireSuccess(underWay, await asking.client.get(`/api/subscription/${asking.held.id}`));
    expect(standing[`${change}_payment_status`]).toBe("completed");
    const stored = standing[`${change}_payment_details`];
    expect(stored).toMatchObject({ id: given.id, order_id: open.id, total_amount: open.amount / 100 });
    const before = await digestDatabase(context.db);
    const second = await asking.client.post(path, sent);
    expect([second.status, second.body]).toMatchObject([409, { status: "fail", error: /paid for/ }]);
    expect(await digestDatabase(context.db)).toEqual(before);
    const goOn = await asking.client.post(path, { payment_details: stored });
    expect(requireSuccess(paymentSchema, goOn)).toMatchObject({
      status: true,
      state: "completed",
      id: open.id,
    });
  });

  test("retries a payment taken during an outage, by its payload or its id", async () => {
    const asking = await holder();
    const { path, sent, given } = await openChange(controls, asking, change, 3);
    await controls.faults({ match: { path: "^/razorpay" }, kind: "500" });
    try {
      const pending = requireSuccess(
        paymentSchema,
        await asking.client.post(path, { payment_details: given }),
      );
      expect(pending).toMatchObject({ status: false, state: "pending" });
      const standing = requireSuccess(
        underWay,
        await asking.client.get(`/api/subscription/${asking.held.id}`),
      );
      expect(standing[`${change}_payment_status`]).toBe("completed");
      expect((await asking.client.post(path, sent)).status).toBe(409);
      const unanswered = await asking.client.post(path, { payment_details: { id: given.id } });
      expect([unanswered.status, unanswered.body]).toMatchObject([503, { Error: /Retry failed/ }]);
    } finally {
      await controls.faults();
    }
    const retried = await asking.client.post(path, { payment_details: { id: given.id } });
    expect(requireSuccess(paymentSchema, retried)).toMatchObject({ status: true, stage: "stage3" });
  });

  test("finds a payment that was never submitted before it begins another", async () => {
    const asking = await holder();
    const { path, sent, given } = await openChange(controls, asking, change, 3);
    expect((await asking.client.post(path, sent)).status).toBe(409);
    const standing = requireSuccess(underWay, await asking.client.get(`/api/subscription/${asking.held.id}`));
    expect(standing[`${change}_payment_status`]).toBe("completed");
    expect(standing[`${change}_payment_details`]?.id).toBe(given.id);
  });

  test("accepts the specification's payload, which has only the payment's id", async () => {
    const asking = await holder();
    const { path, sent, given, open } = await openChange(controls, asking, change, 3);
    const payment_details = { ...sent.payment_details, id: given.id };
    const paid = await asking.client.post(path, { payment_details, subscription_id: asking.held.id });
    expect(requireSuccess(paymentSchema, paid)).toMatchObject({ status: true, stage: "stage3", id: open.id });
  });

  test("refuses a forged, unknown or foreign payment", async () => {
    const [one, two] = [await holder(), await holder()];
    const { path, given } = await openChange(controls, one, change, 3);
    const settle = (more: object) => one.client.post(path, { payment_details: { ...given, ...more } });
    expect((await settle({ razorpay_signature: "0".repeat(64) })).status).toBe(400);
    expect((await settle({ razorpay_order_id: "order_unknown" })).status).toBe(404);
    expect(fieldsOf(await settle({ razorpay_signature: null }))).toEqual([
      400,
      "payment_details.razorpay_signature",
    ]);
    for (const id of ["pay_unknown", given.id.slice(0, -1)])
      expect(fieldsOf(await settle({ id, razorpay_order_id: null }))).toEqual([
        400,
        "payment_details.razorpay_order_id",
      ]);
    const theirs = await two.client.post(changeCallPath(change, two.held), { payment_details: given });
    expect(theirs.status).toBe(404);
    expect((await two.client.post(path, { payment_details: given })).status).toBe(404);
    expect(requireSuccess(paymentSchema, await settle({}))).toMatchObject({ status: true });
    // Recorded by now, but still of another company.
    const known = await two.client.post(changeCallPath(change, two.held), {
      payment_details: { id: given.id },
    });
    expect(known.status).toBe(400);
  });

  test("lets a viewer read but not buy", async () => {
    const { customerId, held, client } = await holder();
    const viewer = await makePerson(context.db);
    await join(context.db, customerId, viewer, "viewer");
    const looking = await clientOf(viewer);
    const path = changeCallPath(change, held);
    expect((await looking.get(path)).status).toBe(403);
    const sent = await startPayload({ client, held }, change, 1);
    expect((await looking.post(path, sent)).status).toBe(403);
    expect((await looking.get(`/api/subscription/${held.id}`)).status).toBe(200);
    expect((await looking.get(`/api/subscriptions?customerId=${customerId}`)).status).toBe(200);
    expect((await looking.get(`/api/get/orders?category=CRT&user=${viewer.userId}`)).status).toBe(200);
  });
});

test("explains why a change is refused: ended, too early, too many", async () => {
  const refusal = async (asking: Awaited<ReturnType<typeof holder>>, change: ChangeName) => {
    const path = changeCallPath(change, asking.held);
    const read = await asking.client.get(path);
    const sent = { terms: true, payment_details: { quantity: 1, total_amount: 1 } };
    const posted = await asking.client.post(path, sent);
    const { error } = z.object({ error: z.string() }).parse(posted.body);
    expect([read.status, posted.status, read.body]).toMatchObject([409, 409, { error }]);
    return error;
  };
  expect(await refusal(await holder({ endsInDays: -3 }), "add")).toMatch(/has ended/);
  expect(await refusal(await holder({ endsInDays: 31 }), "renew")).toMatch(/You can renew from/);
  const full = await holder({ family: "google", quantity: 300 });
  // The price is available; the limit is checked when buying.
  const path = changeCallPath("add", full.held);
  expect((await full.client.get(path)).status).toBe(200);
  const sent = { terms: true, payment_details: { quantity: 1, total_amount: 1 } };
  expect(fieldsOf(await full.client.post(path, sent))).toEqual([400, "payment_details.quantity"]);
});

describe("lists", () => {
  const row = z.object({ id: z.string(), end_date: z.string() });
  const subscriptions = z.object({
    active_subscriptions: z.array(row),
    expired_subscriptions: z.array(row),
    next_active: z.string().nullable(),
    next_expired: z.string().nullable(),
  });

  async function company(): Promise<Customer & { client: ApiClient; ids: string[] }> {
    const customer = await makeCustomer(context.db);
    const ids: string[] = [];
    for (const endsInDays of [10, 20, -5, -9]) {
      ids.push((await createSubscriptionFor(context.db, customer, { endsInDays })).id);
    }
    ids.push((await createSubscriptionFor(context.db, customer, { family: "google", endsInDays: 30 })).id);
    return { ...customer, ids, client: await clientOf(customer.owner) };
  }

  test("lists and filters a company's subscriptions in pages, for members only", async () => {
    const { client, customerId, ids } = await company();
    const ask = async (query: string) =>
      requireSuccess(subscriptions, await client.get(`/api/subscriptions?customerId=${customerId}${query}`));
    const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
    const all = await ask("");
    expect(idsOf(all.active_subscriptions)).toEqual([ids[0], ids[1], ids[4]]);
    expect(idsOf(all.expired_subscriptions)).toEqual([ids[2], ids[3]]);
    expect([all.next_active, all.next_expired]).toEqual([null, null]);
    expect(idsOf((await ask("&itemFamily=google")).active_subscriptions)).toEqual([ids[4]]);
    const first = await ask("&limit=1");
    const next = `&active_page=${first.next_active}&expired_page=${first.next_expired}`;
    const second = await ask(`&limit=1${next}`);
    expect([...idsOf(first.active_subscriptions), ...idsOf(second.active_subscriptions)]).toEqual([
      ids[0],
      ids[1],
    ]);
    expect(idsOf(second.expired_subscriptions)).toEqual([ids[3]]);
    expect((await client.get(`/api/subscriptions?customerId=${customerId}&limit=201`)).status).toBe(400);
    expect((await client.get(`/api/subscriptions?customerId=${customerId}&active_page=x`)).status).toBe(400);
    const stranger = await company();
    expect((await stranger.client.get(`/api/subscriptions?customerId=${customerId}`)).status).toBe(404);
    expect((await stranger.client.get(`/api/subscription/${ids[0]}`)).status).toBe(404);
  });

  test("lists the requesting account's orders and cart in pages", async () => {
    const asking = await holder();
    const { client, owner } = asking;
    const { given, path } = await openChange(controls, asking, "add", 2);
    requireSuccess(
      paymentSchema,
      await client.post(changeCallPath("renew", asking.held), await startPayload(asking, "renew", 4)),
    );
    const orders = z.array(
      z.object({
        id: z.string(),
        order_type: z.string(),
        quantity: z.number(),
        shipping_address: z.object({ city: z.string() }),
      }),
    );
    const list = (query: string, user: string = owner.userId) =>
      client.get(`/api/get/orders?user=${user}&${query}`);
    const cart = requireSuccess(orders, await list("category=CRT"));
    expect(cart).toMatchObject([
      { order_type: "RENEW", quantity: 4, shipping_address: { city: "Bengaluru" } },
      { order_type: "ADD", quantity: 2 },
    ]);
    expect(requireSuccess(orders, await list("category=CRT&service=google"))).toEqual([]);
    const first = await list("category=CRT&limit=1");
    expect(requireSuccess(orders, first)).toEqual([cart[0]]);
    const link = first.headers.get("link")?.match(/^<(.+)>; rel="next"$/)?.[1] ?? "";
    const last = await client.get(link);
    expect(requireSuccess(orders, last)).toEqual([cart[1]]);
    expect(last.headers.get("link")).toBeNull();
    expect(requireSuccess(orders, await list("category=ORD"))).toEqual([]);
    requireSuccess(paymentSchema, await client.post(path, { payment_details: given }));
    expect(requireSuccess(orders, await list("category=ORD"))).toMatchObject([
      { order_type: "ADD", quantity: 2 },
    ]);
    expect((await list("category=ALL")).status).toBe(400);
    expect((await list("category=ORD", (await makePerson(context.db)).userId)).status).toBe(404);
    expect((await list("category=ORD", "me")).status).toBe(404);
  });
});
