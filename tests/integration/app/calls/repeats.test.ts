/** Idempotency-Key: a call that creates or charges runs once and returns the same response to every repetition. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { z } from "zod";
import { runOnce } from "#server/foundation/security/idempotency.ts";
import { cleanUp } from "#server/operations/jobs/clean-up.ts";
import { ApiClient, accountPayload, requireSuccess } from "#tests/support/api-client.ts";
import { digestDatabase } from "#tests/support/digest.ts";
import { freshEmail } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();

const freshKey = () => ({ "Idempotency-Key": randomUUID() });
const plan = { sku_id: "microsoft-365-business-basic", console: "IP", count: 2 };
const begun = z.object({ id: z.string(), token: z.string(), totalCost: z.number() });

async function buyer() {
  const client = new ApiClient(stack.url);
  const email = freshEmail();
  const order = requireSuccess(
    begun,
    await client.post("/create/order", { ...plan, ...accountPayload(email) }),
  );
  client.token = order.token;
  return { client, email, ...order };
}

test("returns the stored response, including its token, and does nothing", async () => {
  const client = new ApiClient(stack.url);
  const body = { ...plan, ...accountPayload() };
  const key = freshKey();
  const first = await client.post("/create/order", body, key);
  expect(first.headers.get("idempotency-replayed")).toBeNull();
  const after = await digestDatabase(context.db);
  const again = await client.post("/create/order", body, key);
  expect(requireSuccess(begun, again)).toEqual(requireSuccess(begun, first));
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await digestDatabase(context.db)).toEqual(after);
  // Without the key it fails, because the email has an account by now.
  expect((await client.post("/create/order", body)).status).toBe(409);
});

test("stores the response encrypted", async () => {
  const client = new ApiClient(stack.url);
  const key = freshKey();
  const { token } = requireSuccess(
    begun,
    await client.post("/create/order", { ...plan, ...accountPayload() }, key),
  );
  const rows = await context.db.selectFrom("idempotency_keys").selectAll().execute();
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(JSON.stringify(rows)).not.toContain(key["Idempotency-Key"]);
});

test("refuses a guest's key that is not a random UUID, as the response has a session", async () => {
  const sent = { ...plan, ...accountPayload() };
  for (const key of ["order-1", "1".repeat(64), "00000000-0000-0000-0000-000000000000"]) {
    const { status, body } = await new ApiClient(stack.url).post("/create/order", sent, {
      "Idempotency-Key": key,
    });
    expect([status, body]).toMatchObject([400, { fields: { "Idempotency-Key": /random UUID/ } }]);
  }
  const { client } = await buyer();
  expect((await client.post("/subscriptiondetails", plan, { "Idempotency-Key": "order-1" })).status).toBe(
    200,
  );
});

test("refuses another body under the same key, but not another path or client", async () => {
  const [one, two] = [await buyer(), await buyer()];
  const key = freshKey();
  const first = requireSuccess(
    z.object({ id: z.string() }),
    await one.client.post("/subscriptiondetails", plan, key),
  );
  const other = await one.client.post("/subscriptiondetails", { ...plan, count: 3 }, key);
  expect([other.status, other.body]).toMatchObject([409, { status: "fail", Error: /Idempotency-Key/ }]);
  const theirs = requireSuccess(
    z.object({ id: z.string() }),
    await two.client.post("/subscriptiondetails", plan, key),
  );
  expect(theirs.id).not.toBe(first.id);
  const account = { ...accountPayload(one.email), id: first.id };
  expect((await one.client.post("/createacount", account, key)).status).toBe(200);
});

test("creates one order for ten concurrent requests", async () => {
  const { client, email } = await buyer();
  const key = freshKey();
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => client.post("/subscriptiondetails", plan, key)),
  );
  const ids = new Set(
    replies
      .filter(({ status }) => status === 200)
      .map((reply) => requireSuccess(z.object({ id: z.string() }), reply).id),
  );
  expect(ids.size).toBe(1);
  for (const refused of replies.filter(({ status }) => status !== 200)) {
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([409, "1"]);
  }
  const { count } = await context.db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("users.email", "=", email)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(2);
});

test("calls the provider once for a repeated payment; a refusal releases the key", async () => {
  const { client, id, totalCost } = await buyer();
  const key = freshKey();
  const refused = await client.post(
    "/api/capturepayment",
    { data: { id, terms: false, totalAmount: totalCost } },
    key,
  );
  expect(refused.status).toBe(400);
  const data = { id, terms: true, totalAmount: totalCost };
  const provider = z.object({ razorpay_order_id: z.string().min(1) });
  const first = requireSuccess(provider, await client.post("/api/capturepayment", { data }, key));
  expect(requireSuccess(provider, await client.post("/api/capturepayment", { data }, key))).toEqual(first);
  // Without a key, too, the open payment is returned.
  expect(requireSuccess(provider, await client.post("/api/capturepayment", { data }))).toEqual(first);
});

test.each(["two words", "x".repeat(256), "schlüssel"])("refuses the key %j by name", async (key) => {
  const { client } = await buyer();
  const sent = Buffer.from(key, "utf8").toString("latin1");
  const reply = await client.post("/subscriptiondetails", plan, { "Idempotency-Key": sent });
  expect([reply.status, reply.body]).toMatchObject([400, { fields: { "Idempotency-Key": /ASCII/ } }]);
});

test("retries a dead run after 2 minutes and deletes a stored response after a day", async () => {
  const request = { who: "user:x", path: "/x", key: "dead", body: "{}" };
  const at = (seconds: number) => new Date(Date.now() + seconds * 1_000);
  const run = async () => ({ status: 200, text: "done" });
  await new Promise<void>((begun) => {
    void runOnce(context, request, () => {
      begun();
      return new Promise<never>(() => undefined);
    });
  });
  await expect(runOnce(context, request, run)).rejects.toMatchObject({
    code: "conflict",
    retryAfterSeconds: 1,
  });
  await expect(runOnce(context, request, run, at(60))).rejects.toMatchObject({ retryAfterSeconds: 1 });
  await expect(runOnce(context, { ...request, body: "[]" }, run, at(130))).rejects.toMatchObject({
    code: "conflict",
  });
  expect(await runOnce(context, request, run, at(130))).toEqual({
    status: 200,
    text: "done",
    replayed: false,
  });
  expect(await runOnce(context, request, run, at(140))).toEqual({
    status: 200,
    text: "done",
    replayed: true,
  });
  await cleanUp(context, at(140 + 3_600));
  expect(await runOnce(context, request, run, at(150))).toMatchObject({ replayed: true });
  await cleanUp(context, at(130 + 24 * 3_600 + 1));
  expect(await runOnce(context, request, run, at(150))).toMatchObject({ replayed: false });
});
