/**
 * Journeys of buyers with vendors whose changes appear with a delay. Each order is fulfilled once, after at least one response
 * that something does not exist yet; the sandbox would give none if it showed everything at once.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OrderId } from "#db/ids.ts";
import { openPayment } from "#tests/support/changes.ts";
import {
  type CustomerSubscription,
  createSubscriptionFor,
  makeCustomer,
  seedProviders,
} from "#tests/support/customer.ts";
import { type FaultWorld, startFaultWorld, statusOf } from "#tests/support/fault-world.ts";
import type { HttpBrowser } from "#tests/support/http-browser.ts";
import { returnForm, toCheckout } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import type { Placed } from "#tests/support/outcome.ts";
import { prepareMoreSeats, prepareRenewal } from "#tests/support/prepared-change.ts";
import {
  type PreparedOrder,
  prepareExistingTenant,
  prepareGoogleSignUp,
  prepareNewTenant,
  prepareTransfer,
} from "#tests/support/prepared-order.ts";
import { microsoftCalls } from "./microsoft-calls.ts";

/** Thirty times as fast as real vendors, but slow enough to have an effect on a busy machine: a Google operation takes 0.6 s. */
const delayScale = "0.03";

let world: FaultWorld;
beforeAll(async () => {
  world = await startFaultWorld({ env: { SANDBOX_DELAY_SCALE: delayScale } });
});
afterAll(() => world?.stop());

const purchases = {
  "a new Microsoft account": prepareNewTenant,
  "a Microsoft account that exists": prepareExistingTenant,
  "a new Google customer": prepareGoogleSignUp,
  "a Google customer of another reseller": prepareTransfer,
} as const;

test.each(Object.entries(purchases))("fulfils once: %s", async (_name, prepare) => {
  await carriedOutOnce(await prepare(world));
});

const changes = {
  "more licences at Microsoft": () => prepareMoreSeats(world, "microsoft"),
  "more licences at Google": () => prepareMoreSeats(world, "google"),
  "a renewal at Microsoft": () => prepareRenewal(world, "microsoft"),
  "a renewal at Google": () => prepareRenewal(world, "google"),
} as const;

test.each(Object.entries(changes))("fulfils once: %s", async (_name, prepare) => {
  await carriedOutOnce(await prepare());
});

test("adds a further subscription at Microsoft", async () => {
  const further = "/contract/microsoft/microsoft-365-business-standard/IN?TUP=true";
  await added(await holding("microsoft"), further, ({ tenantId }) => tenantId);
});

test("adds a further subscription at Google", async () => {
  const further = "/contract/google/google-workspace-business-standard/IN?TUP=true";
  await added(await holding("google"), further, ({ tenantId }) => tenantId);
});

test("adds an add-on", async () => {
  await added(await holding("microsoft"), "/subscription/addon", ({ id }) => id);
});

test("finds a tenant whose creation got no response once Microsoft lists it", async () => {
  const fault = microsoftCalls.faultAt("make customer", "reset-after", { times: 1 });
  await world.sides.provider.faults(fault);
  await carriedOutOnce(await prepareNewTenant(world));
  expect((await world.sides.provider.state()).faults).toEqual([]);
});

test("fulfils brio without waiting, since it has no vendor", async () => {
  const wanted = { family: "brio", item: "brio-desk" };
  const { id, browser, providerOrderId } = await toCheckout(world.stack.url, { wanted });
  await payFor(browser, providerOrderId);
  await world.finished([{ placed: { id } }]);
  expect(await statusOf(world, { id })).toBe("done");
  expect(await tenantsOf(id)).toEqual([]);
});

async function carriedOutOnce(prepared: PreparedOrder): Promise<void> {
  await prepared.signIn();
  await world.finished([prepared]);
  expect(await prepared.outcome()).toMatchObject(prepared.expected);
  await expectWaiting(prepared.placed);
}

async function holding(family: "microsoft" | "google") {
  const { db } = world.context;
  const customer = await makeCustomer(db);
  const held = await createSubscriptionFor(db, customer, { family });
  await seedProviders(db, world.stack.sandboxUrl, customer);
  return { customer, held };
}

/** Buys into an existing holding. @param destinationOf the holding's value in the first step's form */
async function added(
  { customer, held }: Awaited<ReturnType<typeof holding>>,
  firstStep: string,
  destinationOf: (held: CustomerSubscription) => string | null,
): Promise<void> {
  const browser = await signedIn(world.context, world.stack.url, customer.owner);
  const destination = destinationOf(held) ?? "";
  const begun = await browser.post(firstStep, { term: "P1Y", quantity: "2", destination });
  const path = (begun.location ?? "").replace(/\/place-order$/, "");
  const { id } = await world.context.db
    .selectFrom("orders")
    .select("id")
    .where("user_id", "=", customer.owner.userId)
    .executeTakeFirstOrThrow();
  const providerOrderId = await openPayment(browser, { id, path });
  await payFor(browser, providerOrderId);
  await world.finished([{ placed: { id } }]);
  expect(await statusOf(world, { id })).toBe("done");
  await expectWaiting({ id });
}

async function payFor(browser: HttpBrowser, providerOrderId: string): Promise<void> {
  const paid = await world.sides.controls.pay({ orderId: providerOrderId, webhook: false });
  await browser.post("/payments/return", returnForm(providerOrderId, paid));
}

/** Expects that the vendor has responded at least once for the order's tenant that something does not exist. */
async function expectWaiting({ id }: Pick<Placed, "id">): Promise<void> {
  const { unseen } = await world.sides.provider.state();
  const tenants = await tenantsOf(id);
  expect(tenants).toHaveLength(1);
  expect(unseen[tenants[0] ?? ""] ?? 0).toBeGreaterThan(0);
}

/** Lists the vendor's ids of the tenants of the order's company. */
async function tenantsOf(id: OrderId): Promise<string[]> {
  const rows = await world.context.db
    .selectFrom("tenants")
    .innerJoin("orders", "orders.customer_id", "tenants.customer_id")
    .select("tenants.external_id")
    .where("orders.id", "=", id)
    .execute();
  return rows.map(({ external_id }) => external_id);
}
