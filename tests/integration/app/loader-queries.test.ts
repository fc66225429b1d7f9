/** Database reads of one page's loaders: they run in parallel and read the same order only once. */
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { sessionCookie } from "#app/http/cookies.ts";
import { loader as frame } from "#app/journey/layout.tsx";
import { loader as step } from "#app/journey/subscription-details/route.tsx";
import { createSession } from "#server/accounts/sessions.ts";
import { liftEgressLimit } from "#server/foundation/security/egress.ts";
import { openRequestStore } from "#server/foundation/web/request-store.ts";
import { findOrder } from "#server/orders/find.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { anonymousRequester, makeOrder, makePerson } from "#tests/support/orders.ts";
import { startWorld } from "#tests/support/world.ts";

const { context, environment } = await startWorld();
for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
// Later files in the same process start their own stores, which must not inherit these stubs.
afterAll(() => {
  liftEgressLimit();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
const requests = openRequestStore();

test("reads a step's order once for step and frame, and again on the next load", async () => {
  const { db, env } = context;
  const { userId } = await makePerson(db);
  const id = await makeOrder(db, { requester: { ...anonymousRequester, userId } });
  const order = await findOrder(db, id);
  if (order === null) throw new Error("Expected an order");
  const { token } = await createSession(db, env.SESSION_SECRETS, userId);
  const address = `${env.PUBLIC_URL}${stepPath(order, "subscription-details")}`;
  const cookie = await sessionCookie(env).serialize(token);
  const params = { id, family: order.family, item: order.itemId, country: order.country };
  const load = () => {
    const args = { request: new Request(address, { headers: { cookie } }), params, context: {} };
    return requests.run(
      { requestId: "one", clientAddress: "127.0.0.1", origin: null, isForData: false },
      () => Promise.all([frame(args), step(args)]),
    );
  };
  const queries = vi.spyOn(pg.Client.prototype, "query");
  const linesRead = () =>
    queries.mock.calls.filter(([query]) => JSON.stringify(query).includes('from \\"order_lines\\"')).length;

  const [, first] = await load();
  expect(first.data.chosen.quantity).toBe(2);
  expect(linesRead()).toBe(1);

  await db.updateTable("order_lines").set({ quantity: 5 }).where("order_id", "=", id).execute();
  const [, later] = await load();
  expect(later.data.chosen.quantity).toBe(5);
  expect(linesRead()).toBe(2);
});
