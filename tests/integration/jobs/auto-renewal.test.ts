/** What a provider would renew by itself is switched off once a term has begun, and never when the next one is paid for. */
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { SubscriptionId } from "#db/ids.ts";
import { stopRenewal } from "#server/subscriptions/auto-renewal.ts";
import { turnTerms } from "#server/subscriptions/terms.ts";
import { give, type Held, type Holding, makeCustomer, plantAtProviders } from "#tests/support/customer.ts";
import { makeOrder } from "#tests/support/orders.ts";
import { type ProviderSide, providerSideOf } from "#tests/support/provider-side.ts";
import { startWorld } from "#tests/support/world.ts";

let provider: ProviderSide;
const world = await startWorld();
beforeAll(async () => {
  provider = providerSideOf(world.sandbox.url);
});

const families = ["microsoft", "google"] as const;

/** As the providers have it when they renew by themselves. */
async function renewingByItself(family: "microsoft" | "google", what: Holding = {}): Promise<Held> {
  const { context } = world;
  const customer = await makeCustomer(context.db);
  const held = await give(context.db, customer, { family, ...what });
  await plantAtProviders(context.db, world.sandbox.url, customer);
  if (family === "microsoft") {
    const resource = await context.partnerCenter.getSubscription(held.tenantExternalId, held.externalId);
    const changes = { autoRenewEnabled: true };
    await context.partnerCenter.updateSubscription(
      held.tenantExternalId,
      resource,
      changes,
      crypto.randomUUID(),
    );
  } else {
    const settings = {
      enableRenewal: true,
      resizeUnitCount: false,
      paymentCycle: { duration: 1, periodType: "YEAR" as const },
    };
    await context.google.changeRenewalSettings(held.externalId, settings, crypto.randomUUID());
  }
  return held;
}

async function renewsByItself(family: "microsoft" | "google", { externalId, tenantExternalId }: Held) {
  const { partnerCenter, google } = world.context;
  return family === "microsoft"
    ? (await partnerCenter.getSubscription(tenantExternalId, externalId)).autoRenewEnabled
    : (await google.getEntitlement(externalId)).renewal?.enableRenewal;
}

const set = (
  id: SubscriptionId,
  changes: { next_term_start: Date; next_term_quantity: number; end_date?: Date },
) => world.context.db.updateTable("subscriptions").set(changes).where("id", "=", id).execute();

test.each(families)("%s: it is switched off, and once off nothing is written", async (family) => {
  const held = await renewingByItself(family);
  expect(await renewsByItself(family, held)).toBe(true);
  await stopRenewal(world.context, held.id);
  expect(await renewsByItself(family, held)).toBe(false);
  const writes = async () => (await provider.calls(({ method }) => method !== "GET")).length;
  const before = await writes();
  await stopRenewal(world.context, held.id);
  expect(await writes()).toBe(before);
});

test.each(families)("%s: a next term that is paid for stays", async (family) => {
  const held = await renewingByItself(family);
  await set(held.id, { next_term_start: new Date(Date.now() + 86_400_000), next_term_quantity: 10 });
  await stopRenewal(world.context, held.id);
  expect(await renewsByItself(family, held)).toBe(true);
});

test("it waits while an order is changing the subscription", async () => {
  const held = await renewingByItself("microsoft");
  const { db } = world.context;
  const orderId = await makeOrder(db);
  await db
    .updateTable("subscriptions")
    .set({ changing_order_id: orderId })
    .where("id", "=", held.id)
    .execute();
  await expect(stopRenewal(world.context, held.id)).rejects.toThrow("being_changed");
  expect(await renewsByItself("microsoft", held)).toBe(true);
});

test("a term that begins asks for it", async () => {
  const held = await renewingByItself("google");
  const start = new Date(Date.now() - 1_000);
  await set(held.id, {
    next_term_start: start,
    next_term_quantity: 10,
    end_date: new Date(Date.now() + 9e9),
  });
  await turnTerms(world.context);
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker.jobs where task_identifier = 'stop-renewal'`.execute(world.context.db);
  expect(rows).toContainEqual({ key: `stop-renewal:${held.id}` });
});
