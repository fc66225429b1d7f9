/**
 * Orders that stop and continue: retried by a person with `npm run order`, queued for their turn at a subscription, or refused
 * while a person must look into an earlier order.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { OrderId } from "#db/ids.ts";
import { tenantIdOf } from "#sandbox/vendors/partner-center/login.ts";
import type { Context } from "#server/platform/context.ts";
import { beginChange, changePath, openPayment, outcomeOfChange, payChange } from "#tests/support/changes.ts";
import { runCommand } from "#tests/support/command.ts";
import {
  type CustomerSubscription,
  createSubscriptionFor,
  makeCustomer,
  seedProviders,
} from "#tests/support/customer.ts";
import { type FaultWorld, startFaultWorld, statusOf } from "#tests/support/fault-world.ts";
import type { HttpBrowser } from "#tests/support/http-browser.ts";
import { readOrder, signedIn } from "#tests/support/orders.ts";
import { prepareNewTenant } from "#tests/support/prepared-order.ts";
import { readSubscription } from "#tests/support/subscriptions.ts";
import { until } from "#tests/support/until.ts";
import { microsoftCalls } from "./microsoft-calls.ts";

let world: FaultWorld;
let context: Context;
beforeAll(async () => {
  world = await startFaultWorld({ env: { RETRY_BASE_MS: "50" } });
  ({ context } = world);
});
afterAll(() => world?.stop());
afterEach(async () => void (await world.sides.provider.faults()));

/** Runs `npm run order`. */
const command = (...args: string[]) => runCommand(world.stack, "order", ...args);

const stopped = (id: OrderId) =>
  until("the order needs attention", async () => (await statusOf(world, { id })) === "needs_attention");

describe("a stopped order", () => {
  test("continues with the command, which requires a reason; is fulfilled once", async () => {
    const order = await prepareNewTenant(world);
    const { id, domain } = order.placed;
    await world.sides.provider.faults(
      microsoftCalls.faultAt("check out", "orderErrors", { tenantId: tenantIdOf(domain), times: 1 }),
    );
    await order.signIn();
    await stopped(id);

    const { said: listed } = await command("list");
    const [, number = ""] = new RegExp(`(HUB-\\d\\d-\\d{6})  ${id}`).exec(listed) ?? [];
    for (const name of [number, number.toLowerCase(), id])
      expect((await command("show", name)).said).toMatch(/checkout: rejected or not requested yet/);

    const unreasoned = await command("retry", id);
    expect(unreasoned).toMatchObject({ how: "code 1" });
    expect(unreasoned.said).toContain("Missing --reason");
    expect(await statusOf(world, { id })).toBe("needs_attention");

    const retries = await Promise.all([
      command("retry", id, "--reason", "The offer is sold again"),
      command("retry", id, "--reason", "The offer is sold again"),
    ]);
    expect(retries.map(({ how }) => how).toSorted()).toEqual(["code 0", "code 1"]);
    await world.finished([order]);
    expect(await order.outcome()).toEqual(order.expected);

    const again = await command("retry", id, "--reason", "To see");
    expect(again).toMatchObject({ how: "code 1" });
    expect(again.said).toContain('Its fulfilment is "done"');
    const audit = await context.db
      .selectFrom("audit_log")
      .select("data")
      .where("subject", "=", `order:${id}`)
      .where("action", "=", "order.retry")
      .execute();
    expect(audit).toEqual([{ data: { reason: "The offer is sold again", by: expect.any(String) } }]);
  });

  test("alerts the operator again when it stops again", async () => {
    const order = await prepareNewTenant(world);
    const { id, domain } = order.placed;
    await world.sides.provider.faults(
      microsoftCalls.faultAt("check out", "orderErrors", { tenantId: tenantIdOf(domain), times: 2 }),
    );
    await order.signIn();
    await stopped(id);
    await command("retry", id, "--reason", "Perhaps by now");
    const alerts = () =>
      context.db
        .selectFrom("mails")
        .select("id")
        .where("order_id", "=", id)
        .where("kind", "=", "operator-alert")
        .execute();
    await until("there are two alerts", async () => (await alerts()).length === 2);
  });
});

test.each([["no-such-id"], [crypto.randomUUID()]])("reports an unknown order (%s)", async (id) => {
  const { how, said } = await command("show", id);
  expect(how).toBe("code 1");
  expect(said).toMatch(/Missing order number|could not find that order/);
});

interface Known {
  held: CustomerSubscription;
  browser: HttpBrowser;
}

async function holding(): Promise<Known> {
  const customer = await makeCustomer(context.db);
  const held = await createSubscriptionFor(context.db, customer, { quantity: 10, endsInDays: 20 });
  await seedProviders(context.db, world.stack.sandboxUrl, customer);
  return { held, browser: await signedIn(context, world.stack.url, customer.owner) };
}

const atSubscription = ({ tenantExternalId, externalId }: CustomerSubscription, method: "GET" | "PATCH") => ({
  method,
  path: `^/partner-center/v1/customers/${tenantExternalId}/subscriptions/${externalId}$`,
});

describe("the subscription of a stopped order", () => {
  test("becomes free when its read failed through all retries; the next order succeeds", async () => {
    const { held, browser } = await holding();
    await world.sides.provider.faults({ match: atSubscription(held, "GET"), kind: "500" });
    const more = await beginChange(browser, "more", held.id, 5);
    await payChange(browser, world.stack.sandboxUrl, more);
    await world.exhaustRetries(more);
    expect(await outcomeOfChange(context, more)).toBe("needs_attention");
    expect((await readSubscription(context.db, held.id)).changing_order_id).toBeNull();
    await world.sides.provider.faults();

    const renewal = await beginChange(browser, "renew", held.id, 10);
    await payChange(browser, world.stack.sandboxUrl, renewal);
    expect(await outcomeOfChange(context, renewal)).toBe("done");

    expect((await command("retry", more.id, "--reason", "Microsoft answers again")).how).toBe("code 0");
    await until("the first order is done", async () => (await statusOf(world, more)) === "done");
    expect((await readSubscription(context.db, held.id)).quantity).toBe(15);
  });

  test("stays locked while a change is in doubt, and further orders are refused unpaid", async () => {
    const { held, browser } = await holding();
    const renewal = await beginChange(browser, "renew", held.id, 10);
    await world.sides.provider.faults({
      match: atSubscription(held, "PATCH"),
      kind: "reset",
    });
    const more = await beginChange(browser, "more", held.id, 5);
    await payChange(browser, world.stack.sandboxUrl, more);
    await world.exhaustRetries(more);
    expect(await outcomeOfChange(context, more)).toBe("needs_attention");
    expect((await readSubscription(context.db, held.id)).changing_order_id).toBe(more.id);

    // An order begun earlier is refused at Place Order, a new one at its first step.
    const { total_minor } = await readOrder(context.db, renewal.id);
    const placed = await browser.post(`${renewal.path}/place-order`, {
      intent: "place-order",
      terms: "on",
      total: String(total_minor),
    });
    expect(placed.status).toBe(409);
    expect(placed.text).toContain("Our team is looking into an earlier order for this subscription");
    expect(await intentsOf(renewal.id)).toEqual([]);
    const begun = await browser.post(changePath("renew", held.id), { quantity: "10" });
    expect(begun.location).toBe("/subscriptions");
    expect((await browser.get("/subscriptions")).text).toContain(
      "Our team is looking into an earlier order for this subscription",
    );
  });

  test("lets an order wait while another is changing it, however long that takes", async () => {
    const { held, browser } = await holding();
    const orders = [
      await beginChange(browser, "more", held.id, 5),
      await beginChange(browser, "renew", held.id, 10),
    ];
    const [more, renewal] = orders;
    if (more === undefined || renewal === undefined) throw new Error("Expected two orders");
    await world.sides.provider.faults({
      match: atSubscription(held, "PATCH"),
      kind: "slow",
      delayMs: 2_500,
      times: 1,
    });
    const open = [await openPayment(browser, more), await openPayment(browser, renewal)];
    for (const orderId of open) await world.sides.controls.pay({ orderId });
    const outcomes = await Promise.all(orders.map((order) => outcomeOfChange(context, order)));
    expect(outcomes).toEqual(["done", "done"]);
    expect((await readSubscription(context.db, held.id)).quantity).toBe(15);
  });
});

async function intentsOf(id: OrderId) {
  return context.db.selectFrom("payment_intents").select("id").where("order_id", "=", id).execute();
}
