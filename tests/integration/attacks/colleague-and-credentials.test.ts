/** A colleague who wants to read, delete or outlive the buyer's only copy of a new administrator's password. */
import { beforeAll, expect, test } from "vitest";
import { cleanUp } from "#server/operations/jobs/clean-up.ts";
import { findOrder } from "#server/orders/find.ts";
import type { OpenPayment } from "#tests/support/journey.ts";
import { join, makePerson, signedIn } from "#tests/support/orders.ts";
import { answerSignInNewTenant, freshPrefix, paidOrder } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context } = await startStore({ worker: true });
const { db } = context;
const day = 86_400_000;

async function fulfilledOrder(): Promise<OpenPayment & { closure: string; username: string }> {
  const order = await paidOrder(stack);
  const prefix = freshPrefix();
  await answerSignInNewTenant(order, { prefix });
  await until(`${order.id} fulfilled`, async () => (await findOrder(db, order.id))?.stage === "stage4");
  return {
    ...order,
    closure: `${order.path}/order-processed`,
    username: `owner@${prefix}.onmicrosoft.com`,
  };
}

async function colleague(order: OpenPayment, role: "owner" | "buyer" | "viewer") {
  const customerId = (await findOrder(db, order.id))?.customerId;
  if (customerId == null) throw new Error("Expected the order to have a company");
  const person = await makePerson(db);
  await join(db, customerId, person, role);
  return signedIn(context, stack.url, person);
}

const rowOf = (order: OpenPayment) =>
  db
    .selectFrom("credentials")
    .select(["first_shown_at", "expires_at"])
    .where("order_id", "=", order.id)
    .where("purpose", "=", "sign-in")
    .executeTakeFirst();

let order: Awaited<ReturnType<typeof fulfilledOrder>>;
beforeAll(async () => {
  order = await fulfilledOrder();
});

test.each([
  ["owner", 200, 403],
  ["buyer", 200, 403],
  ["viewer", 404, 404],
] as const)(
  "hides the credentials from another %s of the company, who cannot delete them",
  async (role, seen, removed) => {
    const other = await colleague(order, role);
    const page = await other.get(order.closure);
    expect(page.status).toBe(seen);
    expect(page.text).not.toContain(order.username);
    expect(page.text).not.toContain("Your sign-in details are no longer shown here.");
    expect(page.text.includes("Only the person who placed this order can see its sign-in details.")).toBe(
      seen === 200,
    );
    const answer = await other.post(order.closure, {});
    expect(answer.status).toBe(removed);
    const call = await other.get(`/closure?id=${order.id}`);
    expect(call.text).not.toContain(order.username);
    // Viewing the order did not start the 7-day expiry.
    expect(await rowOf(order)).toMatchObject({ first_shown_at: null });
  },
);

test("keeps the credentials until 7 days after the buyer first sees them", async () => {
  await cleanUp(context, new Date(Date.now() + 45 * day));
  expect(await rowOf(order)).toMatchObject({ first_shown_at: null });
  await db
    .updateTable("credentials")
    .set({ expires_at: new Date(Date.now() - 30 * day) })
    .where("order_id", "=", order.id)
    .execute();
  const shown = (await order.browser.get(order.closure)).text.replaceAll("<!-- -->", "");
  expect(shown).toContain(order.username);
  expect(shown).toContain("Only you can see these, until");
  const row = await rowOf(order);
  expect(row?.expires_at.getTime()).toBeGreaterThan(Date.now() + 6.99 * day);
  await order.browser.get(order.closure);
  expect(await rowOf(order)).toEqual(row);
  await cleanUp(context, new Date(Date.now() + 6.9 * day));
  expect(await rowOf(order)).toEqual(row);
  await cleanUp(context, new Date(Date.now() + 7.1 * day));
  expect(await rowOf(order)).toBeUndefined();
});

test("starts the 7-day expiry through the API, too; only the buyer can delete them", async () => {
  const another = await fulfilledOrder();
  const call = await another.browser.get(`/closure?id=${another.id}`);
  expect(JSON.parse(call.text)).toMatchObject({
    username: another.username,
    password: expect.stringMatching(/.{8}/),
  });
  expect((await rowOf(another))?.first_shown_at).toEqual(expect.any(Date));
  const page = (await another.browser.get(another.closure)).text;
  expect(page).toContain("Remove these details? You won&#x27;t be able to see them again.");
  const foreign = await another.browser.post(another.closure, {}, { "Sec-Fetch-Site": "cross-site" });
  expect(foreign.status).toBe(403);
  expect(await rowOf(another)).toBeDefined();
  expect((await another.browser.post(another.closure, {})).status).toBe(303);
  expect(await rowOf(another)).toBeUndefined();
  expect((await another.browser.get(another.closure)).text).not.toContain(another.username);
});
