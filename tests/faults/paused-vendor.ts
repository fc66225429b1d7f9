/** Paid orders that wait for a paused vendor, and the expected state after the pause. */
import { expect } from "vitest";
import { z } from "zod";
import type { FaultWorld } from "#tests/support/fault-world.ts";
import { type PreparedOrder, prepareNewTenant } from "#tests/support/prepared-order.ts";
import { until } from "#tests/support/until.ts";
import { microsoftCalls } from "./microsoft-calls.ts";

/** Prepares `count` paid orders, of which the latest signs in first. No worker may run yet. */
export async function paidInTurn(world: FaultWorld, count: number): Promise<PreparedOrder[]> {
  const orders: PreparedOrder[] = [];
  for (let made = 0; made < count; made += 1) orders.push(await prepareNewTenant(world));
  for (const order of orders.toReversed()) await order.signIn();
  return orders;
}

export async function untilHeld({ context: { db } }: FaultWorld, orders: readonly PreparedOrder[]) {
  const held = async () => {
    const rows = await db
      .selectFrom("fulfilments")
      .select("attempts")
      .where("held_for", "is not", null)
      .execute();
    expect(rows.every(({ attempts }) => attempts === 0)).toBe(true);
    return rows.length;
  };
  await until("all orders are parked", async () => (await held()) === orders.length, { timeoutMs: 120_000 });
}

const notice = z.object({ subject: z.string() });

/** Lists the subjects of the mails about vendors, oldest first. */
export async function vendorNotices({ context: { db } }: FaultWorld): Promise<string[]> {
  const mails = await db
    .selectFrom("mails")
    .select("data")
    .where("kind", "=", "vendor-notice")
    .orderBy("created_at")
    .execute();
  return mails.map(({ data }) => notice.parse(data).subject);
}

/** Expects that each order is done exactly once, and none needed a person. */
export async function expectAllDone(world: FaultWorld, orders: readonly PreparedOrder[]): Promise<void> {
  await world.finished(orders);
  for (const order of orders) expect(await order.outcome()).toEqual(order.expected);
  const { db } = world.context;
  const alerts = await db.selectFrom("mails").select("id").where("kind", "=", "operator-alert").execute();
  expect(alerts).toEqual([]);
  expect(await db.selectFrom("vendor_pauses").selectAll().execute()).toEqual([]);
}

/** Expects that the vendor was asked to create customers in the order of payment. */
export async function expectInTurn(world: FaultWorld, orders: readonly PreparedOrder[]): Promise<void> {
  const made = await world.sides.provider.calls((call) => microsoftCalls.nameOf(call) === "make customer");
  const domains = made.map(({ body }) => JSON.stringify(body));
  const places = orders.map(({ placed }) => domains.findIndex((each) => each.includes(placed.domain)));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
}
