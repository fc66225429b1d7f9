/**
 * Import of subscriptions that were bought elsewhere with the same reseller's credentials: taken over once, exactly as the
 * provider describes them. To simulate the other program, these tests buy directly at the providers.
 */
import { randomUUID } from "node:crypto";
import { PassThrough } from "node:stream";
import pino from "pino";
import { afterEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import { isItemId } from "#db/catalogue/catalogue.ts";
import { type InvitationId, newId, type TenantId } from "#db/ids.ts";
import type { SyncedAccount } from "#db/orders/sync.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { customerResult, entitlementResult } from "#server/integrations/google.ts";
import { builtCommandArguments } from "#server/operations/built-commands.mjs";
import { startChild } from "#server/operations/child-process.ts";
import { createTasks } from "#server/operations/jobs/tasks.ts";
import { startWorker } from "#server/operations/jobs/worker.ts";
import { findOrder } from "#server/orders/find.ts";
import { queueSyncs, syncAccount, syncAll } from "#server/orders/subscriptions/sync.ts";
import { anonymousRequester, makeCompany, makeOrder, makePerson } from "#tests/support/orders.ts";
import { freshPrefix } from "#tests/support/paid-order.ts";
import { providerState } from "#tests/support/provider-state.ts";
import { deleteQueuedJobs, queuedJobs } from "#tests/support/queue.ts";
import { insertTestSubscription, insertTestTenant, readSubscription } from "#tests/support/subscriptions.ts";
import { eventually } from "#tests/support/until.ts";
import { startWorldOfCompany } from "./company.ts";

const { world, owner, company } = await startWorldOfCompany();
afterEach(async () => {
  const { db } = world.context;
  await world.controls.faults();
  await db.updateTable("subscriptions").set({ parent_subscription_id: null, order_id: null }).execute();
  await db.deleteFrom("control_proofs").execute();
  await db.deleteFrom("invitations").execute();
  await db.deleteFrom("subscriptions").execute();
  await db.deleteFrom("order_lines").execute();
  await db.deleteFrom("orders").execute();
  await db.deleteFrom("tenants").execute();
});

const standard = { sku: "CFQ7TTC0LDPB:0001", item: "microsoft-365-business-standard" };
const copilot = { sku: "CFQ7TTC0MM8R:0002", item: "copilot-for-microsoft-365" };
const quick = { secondsBetweenLists: 0.001 };

interface Held {
  account: SyncedAccount;
  tenantId: TenantId;
  domain: string;
}

/** Creates a Microsoft tenant that belongs to the company here and is the reseller's customer there. */
async function microsoftTenant(of = company): Promise<Held> {
  const externalId = randomUUID();
  const domain = `${freshPrefix("sync")}.onmicrosoft.com`;
  await world.controls.plant({ customers: [{ domain, id: externalId }] });
  const tenant = { family: "microsoft", external_id: externalId, domain } as const;
  const tenantId = await insertTestTenant(world.context.db, of, tenant);
  return { account: { family: "microsoft", externalId }, tenantId, domain };
}

/** Buys at Microsoft directly, without the store. @returns the provider's subscription id */
async function buyAtMicrosoft(
  { account: { externalId } }: Held,
  { sku, quantity }: { sku: string; quantity: number },
): Promise<string> {
  const partnerCenter = world.context.partnerCenterOf("IN");
  const contact = {
    firstName: "Asha",
    lastName: "Rao",
    email: "asha@example.com",
    phoneNumber: "9876543210",
  };
  await partnerCenter.ensureAgreement(
    externalId,
    { contact, templateId: null, dateAgreed: new Date() },
    randomUUID(),
  );
  const [productId = "", skuId = ""] = sku.split(":");
  const { catalogItemId } = await partnerCenter.findAvailability(productId, skuId, "IN", "P1Y");
  const line = { catalogItemId, quantity, billingCycle: "annual", termDuration: "P1Y" } as const;
  const cart = await partnerCenter.createCart(externalId, [line], randomUUID());
  const checkout = await partnerCenter.checkoutCart(externalId, cart.cartId, randomUUID());
  const id = checkout.outcome === "ordered" ? checkout.order.lineItems[0]?.subscriptionId : null;
  if (!id) throw new Error("Expected a subscription to be bought");
  return id;
}

/** Creates a legacy add-on: Microsoft reports the base of those only. @returns the provider's subscription id */
async function holdAddOn({ account: { externalId } }: Held, base: string): Promise<string> {
  const id = randomUUID();
  const [productId, skuId] = copilot.sku.split(":");
  const subscription = {
    id,
    customerId: externalId,
    productId,
    skuId,
    quantity: 4,
    termDuration: "P1Y",
    billingCycle: "annual",
    effectiveStartDate: new Date().toISOString(),
    commitmentEndDate: "2099-01-31T00:00:00Z",
    parentSubscriptionId: base,
  };
  await world.controls.plant({ subscriptions: [subscription] });
  return id;
}

async function googleTenant(of = company): Promise<Held> {
  const { google } = world.context;
  const domain = `${freshPrefix("sync")}.example`;
  const { name } = await google.createCustomer({
    domain,
    orgDisplayName: "Acme Tools",
    address: {
      regionCode: "IN",
      postalCode: "560038",
      administrativeArea: "Karnataka",
      locality: "Bengaluru",
      addressLines: ["221 100 Feet Road"],
    },
    contact: { firstName: "Asha", lastName: "Rao", email: `admin@${domain}`, phone: "+919876543210" },
    alternateEmail: "asha@example.com",
    languageCode: "en-IN",
  });
  const operation = await google.provisionCloudIdentity(name, {
    alternateEmail: "asha@example.com",
    phoneNumber: "+919876543210",
    languageCode: "en-IN",
    user: { email: `admin@${domain}`, givenName: "Asha", familyName: "Rao" },
  });
  await done(operation, customerResult);
  const tenantId = await insertTestTenant(world.context.db, of, {
    family: "google",
    external_id: name,
    domain,
  });
  return { account: { family: "google", externalId: name }, tenantId, domain };
}

async function buyAtGoogle(
  { account: { externalId } }: Held,
  { sku, quantity, base }: { sku: string; quantity: number; base?: string },
): Promise<string> {
  const { google } = world.context;
  const offer = await google.findOffer(externalId, { product: "Google-Apps", sku }, "IN");
  const wanted = {
    offer: offer.name,
    numUnits: quantity,
    purchaseOrderId: "elsewhere",
    baseEntitlement: base,
  };
  const operation = await google.createEntitlement(externalId, wanted, randomUUID());
  return (await done(operation, entitlementResult)).name;
}

async function done<T>(operation: string, result: z.ZodType<T>): Promise<T> {
  return eventually(async () => {
    const found = await world.context.google.getOperation(operation, result);
    if (found.state !== "done") throw new Error(`The operation is ${found.state}`);
    return found.response;
  });
}

const rows = (of = company) =>
  world.context.db.selectFrom("subscriptions").selectAll().where("customer_id", "=", of).execute();
const sync = (held: Held) => syncAccount(world.context, held.account, quick);
const otherCompany = async () =>
  makeCompany(world.context.db, await makePerson(world.context.db), "Other Works");

/** Whether a call's path (with query) lists the subscriptions of this account. */
const isListOf = (path: string, { account: { family, externalId } }: Held) =>
  new RegExp(`${externalId}/${family === "google" ? "entitlements" : "subscriptions"}(\\?|$)`).test(path);

/** Returns a context whose log can be read. */
function logged() {
  const lines: { level: number; msg: string }[] = [];
  const stream = new PassThrough();
  stream.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString().trim().split("\n")) lines.push(JSON.parse(line));
  });
  return { context: { ...world.context, log: pino({ level: "info" }, stream) }, lines };
}
const info = 30;
const warn = 40;

describe("Microsoft", () => {
  test("imports a plan and its add-on with seats, term and dates, linked to each other", async () => {
    const tenant = await microsoftTenant();
    const base = await buyAtMicrosoft(tenant, { sku: standard.sku, quantity: 9 });
    const addOn = await holdAddOn(tenant, base);

    const result = await sync(tenant);
    expect(result.passedOver).toBeNull();
    expect(result.takenIn.map(({ itemId, quantity }) => [itemId, quantity]).sort()).toEqual([
      [copilot.item, 4],
      [standard.item, 9],
    ]);
    const said = await world.context.partnerCenterOf("IN").getSubscription(tenant.account.externalId, base);
    const all = await rows();
    const taken = all.find(({ external_id }) => external_id === base);
    expect(all).toHaveLength(2);
    expect(taken).toMatchObject({
      customer_id: company,
      tenant_id: tenant.tenantId,
      order_id: null,
      item_id: standard.item,
      family: "microsoft",
      domain: tenant.domain,
      quantity: 9,
      term: "P1Y",
      billing_cycle: "annual",
      status: "active",
      parent_subscription_id: null,
      start_date: new Date(String(said.effectiveStartDate)),
      end_date: new Date(String(said.commitmentEndDate)),
    });
    expect(all.find(({ external_id }) => external_id === addOn)).toMatchObject({
      item_id: copilot.item,
      quantity: 4,
      parent_subscription_id: taken?.id,
    });
    const audit = await world.context.db
      .selectFrom("audit_log")
      .select(["action", "user_id"])
      .where("subject", "=", `subscription:${taken?.id}`)
      .execute();
    expect(audit).toEqual([{ action: "subscription.take-in", user_id: null }]);
  });

  test("links an imported add-on to a plan that was bought here", async () => {
    const tenant = await microsoftTenant();
    const base = await buyAtMicrosoft(tenant, { sku: standard.sku, quantity: 9 });
    // Our row has the id in capitals, as Microsoft writes some.
    const ours = await insertTestSubscription(world.context.db, company, {
      tenant_id: tenant.tenantId,
      external_id: base.toUpperCase(),
    });
    await holdAddOn(tenant, base);
    const { takenIn } = await sync(tenant);
    expect(takenIn.map(({ itemId }) => itemId)).toEqual([copilot.item]);
    const [id] = takenIn.map(({ subscriptionId }) => subscriptionId);
    if (id === undefined) throw new Error("Expected an imported subscription");
    expect(await readSubscription(world.context.db, id)).toMatchObject({ parent_subscription_id: ours });
  });

  test("updates a known subscription, and does not import it again", async () => {
    const tenant = await microsoftTenant();
    const external_id = await buyAtMicrosoft(tenant, { sku: standard.sku, quantity: 9 });
    const id = await insertTestSubscription(world.context.db, company, {
      tenant_id: tenant.tenantId,
      external_id,
      quantity: 5,
      status: "expired",
    });
    expect(await sync(tenant)).toMatchObject({
      refreshed: [{ subscriptionId: id, changes: { quantity: 9, status: "active" } }],
      takenIn: [],
      passedOver: null,
    });
    const said = await world.context
      .partnerCenterOf("IN")
      .getSubscription(tenant.account.externalId, external_id);
    expect(await readSubscription(world.context.db, id)).toMatchObject({
      quantity: 9,
      status: "active",
      end_date: new Date(String(said.commitmentEndDate)),
    });
    expect(await sync(tenant)).toMatchObject({ refreshed: [] });
    expect(await rows()).toHaveLength(1);
  });

  test("does not import what no longer runs, and reports what is not ours", async () => {
    const tenant = await microsoftTenant();
    const common = {
      customerId: tenant.account.externalId,
      productId: "CFQ7TTC0LDPB",
      skuId: "0001",
      quantity: 3,
      termDuration: "P1Y",
      billingCycle: "annual",
      effectiveStartDate: "2026-01-31T00:00:00Z",
      commitmentEndDate: "2099-01-31T00:00:00Z",
    };
    await world.controls.plant({
      subscriptions: [
        { ...common, id: randomUUID(), status: "suspended" },
        { ...common, id: randomUUID(), status: "expired" },
        { ...common, id: randomUUID(), status: "deleted" },
        { ...common, id: randomUUID(), commitmentEndDate: "2026-02-01T00:00:00Z", endsWithTerm: true },
        {
          ...common,
          id: randomUUID(),
          commitmentEndDate: "2026-02-01T00:00:00Z",
          autoRenewEnabled: false,
        },
        { ...common, id: randomUUID(), productId: "CFQ7TTC0LFLX" },
      ],
    });
    expect(await sync(tenant)).toEqual({
      refreshed: [],
      takenIn: [],
      notOurs: [
        // Auto-renewal was off, but nothing else was scheduled: Microsoft extends it and charges us.
        { sku: "CFQ7TTC0LDPB:0001", why: "a paid extended term" },
        { sku: "CFQ7TTC0LFLX:0001", why: "not sold here" },
      ],
      passedOver: null,
    });
    expect(await rows()).toEqual([]);
  });

  test("logs SKUs that are not sold here once a run", async () => {
    const tenant = await microsoftTenant();
    for (const quantity of [1, 2]) await buyAtMicrosoft(tenant, { sku: "CFQ7TTC0LFLX:0001", quantity });
    const { context, lines } = logged();
    await syncAccount(context, tenant.account, quick);
    const said = lines.filter(({ msg }) => msg.includes("not sold here"));
    expect(said).toMatchObject([
      { level: info, notOurs: [{ sku: "CFQ7TTC0LFLX:0001", why: "not sold here" }] },
    ]);
  });
});

test("sells an add-on to a tenant with an active base, regardless of who sold that", async () => {
  const tenant = await microsoftTenant();
  const id = await makeOrder(world.context.db, {}, { kind: "ADDON", tenant_id: tenant.tenantId });
  const order = await findOrder(world.context.db, id);
  expect.assert(order !== null && isItemId(copilot.item));
  const ofAddOn = { ...order, itemId: copilot.item };
  const saleNow = () => families.microsoft.isOnSale(world.context, ofAddOn);
  expect(await saleNow()).toEqual({ isSold: true, lacksBase: true });
  await buyAtMicrosoft(tenant, { sku: standard.sku, quantity: 1 });
  expect(await saleNow()).toEqual({ isSold: true, lacksBase: false });
});

describe("Google", () => {
  test("imports a plan and its add-on, each with the year of its commitment", async () => {
    const tenant = await googleTenant();
    const base = await buyAtGoogle(tenant, { sku: "1010020027", quantity: 25 });
    const onTop = await buyAtGoogle(tenant, { sku: "1010020025", quantity: 5, base });
    await buyAtGoogle(tenant, { sku: "1010020026", quantity: 2 });

    const result = await sync(tenant);
    expect(result.notOurs).toEqual([{ sku: "Google-Apps:1010020026", why: "not sold here" }]);
    const said = await world.context.google.getEntitlement(base);
    const all = await rows();
    expect(all).toHaveLength(2);
    const taken = all.find(({ external_id }) => external_id === base);
    expect(taken).toMatchObject({
      tenant_id: tenant.tenantId,
      item_id: "google-workspace-business-starter",
      family: "google",
      domain: tenant.domain,
      quantity: 25,
      term: "P1Y",
      billing_cycle: "annual",
      status: "active",
      start_date: new Date(said.commitmentStart ?? ""),
      end_date: new Date(said.commitmentEnd ?? ""),
    });
    expect(all.find(({ external_id }) => external_id === onTop)).toMatchObject({
      item_id: "google-workspace-business-plus",
      parent_subscription_id: taken?.id,
    });
    expect(await sync(tenant)).toMatchObject({ takenIn: [] });
  });

  test("lists accounts no faster than the quota allows, across processes", async () => {
    const held = await Promise.all([1, 2, 3].map(async () => (await googleTenant()).account));
    const started = Date.now();
    const finished: number[] = [];
    const options = { secondsBetweenLists: 1 };
    await Promise.all(
      held.map(async (account) => {
        await syncAccount(world.context, account, options);
        finished.push(Date.now() - started);
      }),
    );
    // Each list starts a second after the one before.
    expect(Math.max(...finished)).toBeGreaterThanOrEqual(2_000);
  });
});

describe("ownership of an account", () => {
  test("leaves a subscription with the company that has it here", async () => {
    const other = await otherCompany();
    const tenant = await microsoftTenant();
    const external_id = await buyAtMicrosoft(tenant, { sku: standard.sku, quantity: 9 });
    const theirs = await insertTestSubscription(world.context.db, other, { external_id });
    expect(await sync(tenant)).toMatchObject({ takenIn: [], passedOver: null });
    expect(await readSubscription(world.context.db, theirs)).toMatchObject({ customer_id: other });
    expect(await rows()).toEqual([]);
  });

  test("skips an account that two companies have bought into, and logs a warning", async () => {
    const tenant = await microsoftTenant();
    await buyAtMicrosoft(tenant, { sku: standard.sku, quantity: 9 });
    const { externalId: external_id } = tenant.account;
    const other = await otherCompany();
    await insertTestTenant(world.context.db, other, {
      family: "microsoft",
      external_id,
      domain: tenant.domain,
    });
    const { context, lines } = logged();
    expect(await syncAccount(context, tenant.account, quick)).toMatchObject({
      takenIn: [],
      passedOver: "held by two companies",
    });
    expect(lines).toMatchObject([{ level: warn, companies: 2, account: tenant.account }]);
    expect([...(await rows()), ...(await rows(other))]).toEqual([]);
  });

  test("chooses the company that proved control if two have the account", async () => {
    const tenant = await microsoftTenant();
    await buyAtMicrosoft(tenant, { sku: standard.sku, quantity: 9 });
    const { externalId: external_id } = tenant.account;
    const other = await otherCompany();
    const theirs = { family: "microsoft", external_id, domain: tenant.domain, proven: false } as const;
    await insertTestTenant(world.context.db, other, theirs);
    expect((await sync(tenant)).takenIn).toHaveLength(1);
    expect(await rows(other)).toEqual([]);
  });

  test("imports nothing once its proof is older than 12 months", async () => {
    const tenant = await microsoftTenant();
    await buyAtMicrosoft(tenant, { sku: standard.sku, quantity: 9 });
    await world.context.pool.query(
      `update control_proofs set method = 'dns', expires_at = now() - interval '1 minute'
        where tenant_external_id = $1`,
      [tenant.account.externalId],
    );
    expect(await sync(tenant)).toMatchObject({ takenIn: [], passedOver: "nobody's by proof" });
    expect(await rows()).toEqual([]);
  });
});

describe("while an order is being fulfilled", () => {
  const paid = {
    stage: "stage3",
    payment_status: "completed",
    fulfilment_status: "running",
  } as const;
  const requester = () => ({ requester: { ...anonymousRequester, userId: owner.userId } });

  test.each(["queued", "running", "needs_attention"] as const)(
    "skips the tenant of the order (%s), and imports the rest once it is done",
    async (fulfilment_status) => {
      const tenant = await microsoftTenant();
      await buyAtMicrosoft(tenant, { sku: standard.sku, quantity: 9 });
      const order = await makeOrder(world.context.db, requester(), {
        ...paid,
        fulfilment_status,
        tenant_id: tenant.tenantId,
      });
      expect(await sync(tenant)).toMatchObject({ takenIn: [], passedOver: "an order is under way" });
      expect(await rows()).toEqual([]);
      await world.context.db
        .updateTable("orders")
        .set({ stage: "stage4", fulfilment_status: "done" })
        .where("id", "=", order)
        .execute();
      expect((await sync(tenant)).takenIn).toHaveLength(1);
    },
  );

  test("skips a tenant that an order renews in, was accepted by, or names by domain", async () => {
    const { db } = world.context;
    const tenant = await microsoftTenant();
    await buyAtMicrosoft(tenant, { sku: standard.sku, quantity: 9 });
    const subscription_id = await insertTestSubscription(db, company, { tenant_id: tenant.tenantId });
    const prefix = tenant.domain.replace(".onmicrosoft.com", "");
    const signin = JSON.stringify({ mode: "new", username: "admin", prefix });
    const approved = await makeOrder(db, requester(), paid);
    await db
      .insertInto("invitations")
      .values({
        id: newId<InvitationId>(),
        order_id: approved,
        username: `admin@${tenant.domain}`,
        domain: tenant.domain,
        tenant_external_id: tenant.account.externalId,
        status: "accepted",
        link: null,
        checked_at: null,
        expires_at: new Date(),
        accepted_at: new Date(),
      })
      .execute();
    const orders = [
      approved,
      await makeOrder(db, requester(), {
        ...paid,
        kind: "RENEW",
        subscription_id,
        fulfilment_status: "done",
      }),
      await makeOrder(db, requester(), { ...paid, signin, fulfilment_status: "done" }),
    ];
    for (const id of orders) {
      await db.updateTable("orders").set({ fulfilment_status: "done" }).where("id", "in", orders).execute();
      await db.updateTable("orders").set({ fulfilment_status: "running" }).where("id", "=", id).execute();
      expect(await sync(tenant)).toMatchObject({ takenIn: [], passedOver: "an order is under way" });
    }
    // Orders of other tenants, and orders that still wait for their buyer, do not block it.
    await db
      .updateTable("orders")
      .set({ fulfilment_status: "waiting_for_signin" })
      .where("id", "in", orders)
      .execute();
    await makeOrder(db, requester(), { ...paid, tenant_id: (await microsoftTenant()).tenantId });
    expect((await sync(tenant)).takenIn).toHaveLength(1);
  });

  test("skips a Google customer whose domain is in the order", async () => {
    const tenant = await googleTenant();
    await buyAtGoogle(tenant, { sku: "1010020027", quantity: 5 });
    await makeOrder(world.context.db, requester(), {
      ...paid,
      family: "google",
      details: JSON.stringify({ google: { domain: tenant.domain, customerType: "transfer_token" } }),
    });
    expect(await sync(tenant)).toMatchObject({ takenIn: [], passedOver: "an order is under way" });
  });
});

test("imports each subscription once when two runs are concurrent", async () => {
  const tenant = await microsoftTenant();
  const base = await buyAtMicrosoft(tenant, { sku: standard.sku, quantity: 9 });
  await holdAddOn(tenant, base);
  const results = await Promise.all([1, 2, 3].map(() => sync(tenant)));
  const all = await rows();
  expect(all).toHaveLength(2);
  expect(results.flatMap(({ takenIn }) => takenIn)).toHaveLength(2);
  const [parent, child] = [base, all.find(({ external_id }) => external_id !== base)];
  expect(child?.parent_subscription_id).toBe(all.find(({ external_id }) => external_id === parent)?.id);
});

describe("a provider that fails", () => {
  test("throws a temporary error for a retry, and returns a refusal as a result", async () => {
    const tenant = await microsoftTenant();
    await buyAtMicrosoft(tenant, { sku: standard.sku, quantity: 9 });
    const path = `${tenant.account.externalId}/subscriptions$`;
    await world.controls.faults({ match: { path }, kind: "500", times: 1 });
    await expect(sync(tenant)).rejects.toBeInstanceOf(ProviderError);
    await world.controls.faults({ match: { path }, kind: "404", times: 1 });
    const { context, lines } = logged();
    expect(await syncAccount(context, tenant.account, quick)).toMatchObject({
      takenIn: [],
      passedOver: "refused by the provider",
    });
    expect(lines.filter(({ level }) => level === warn)).toHaveLength(1);
    expect((await sync(tenant)).takenIn).toHaveLength(1);
  });

  test("does not stop the other accounts or the other provider", async () => {
    const away = await googleTenant();
    const [refused, held, google] = [await microsoftTenant(), await microsoftTenant(), await googleTenant()];
    for (const tenant of [refused, held]) await buyAtMicrosoft(tenant, { sku: standard.sku, quantity: 9 });
    for (const tenant of [away, google]) await buyAtGoogle(tenant, { sku: "1010020027", quantity: 5 });
    await world.controls.faults(
      { match: { path: `${away.account.externalId}/entitlements` }, kind: "503" },
      { match: { path: `${refused.account.externalId}/subscriptions$` }, kind: "404" },
    );
    const reports = new Map<string, string>();
    await syncAll(
      world.context,
      (report) =>
        void reports.set(
          report.account.externalId,
          "failed" in report ? "failed" : (report.passedOver ?? `${report.takenIn.length} taken in`),
        ),
      quick,
    );
    expect(reports).toEqual(
      new Map([
        [away.account.externalId, "failed"],
        [refused.account.externalId, "refused by the provider"],
        [held.account.externalId, "1 taken in"],
        [google.account.externalId, "1 taken in"],
      ]),
    );
    expect(new Set((await rows()).map(({ domain }) => domain))).toEqual(
      new Set([held.domain, google.domain]),
    );
  });
});

describe("running the sync", () => {
  test("queues one job per account by the clock, without duplicates", async () => {
    const { context } = world;
    const microsoft = await microsoftTenant();
    const google = await googleTenant();
    await insertTestTenant(context.db, company, { family: "brio", external_id: "acme", domain: "acme" });
    await buyAtMicrosoft(microsoft, { sku: standard.sku, quantity: 9 });
    await buyAtGoogle(google, { sku: "1010020027", quantity: 5 });
    await Promise.all([queueSyncs(context), queueSyncs(context)]);
    const worker = await startWorker({
      databaseUrl: context.env.DATABASE_URL,
      db: context.db,
      healthDb: context.healthDb,
      tasks: createTasks(context),
      log: context.log,
      concurrency: 2,
      pollMs: 50,
      heartbeatMs: 200,
      crons: {},
    });
    await eventually(async () => expect(await rows()).toHaveLength(2));
    await worker.stop();
    const calls = await providerState(world.sandbox.url).calls(({ method }) => method === "GET");
    for (const tenant of [microsoft, google])
      expect(calls.filter(({ path }) => isListOf(path, tenant))).toHaveLength(1);
  });

  test("starts with accounts that waited longest, so that each gets its turn", async () => {
    const { context } = world;
    for (let n = 0; n < 5; n += 1)
      await insertTestTenant(context.db, company, {
        family: "google",
        external_id: `turn-${n}`,
        domain: `turn-${n}`,
      });
    const queued = async () => {
      const keys = (await queuedJobs(context.db)).flatMap(({ key }) =>
        key?.startsWith("sync:") ? [key] : [],
      );
      await deleteQueuedJobs(context.db);
      return keys.toSorted();
    };
    const nights = [];
    for (let night = 0; night < 3; night += 1) {
      await queueSyncs(context, 2);
      nights.push(await queued());
    }
    expect(nights.map((keys) => keys.length)).toEqual([2, 2, 2]);
    expect(new Set(nights.flat()).size).toBe(5);
  });

  test("prints for the operator what was imported, left out or failed", async () => {
    const held = await microsoftTenant();
    await buyAtMicrosoft(held, { sku: standard.sku, quantity: 9 });
    await buyAtMicrosoft(held, { sku: "CFQ7TTC0LFLX:0001", quantity: 1 });
    const run = async () => {
      const lines: string[] = [];
      const child = startChild({
        name: "sync",
        args: builtCommandArguments("sync"),
        env: { ...process.env, ...world.environment },
        onLine: (line) => lines.push(line),
      });
      return { how: await child.ended, lines };
    };
    const first = await run();
    expect(first.how).toBe("code 0");
    const [taken] = await rows();
    expect(first.lines).toEqual([
      `microsoft ${held.account.externalId}: took in ${standard.item} x 9 for ${held.domain} as ${taken?.id}`,
      `microsoft ${held.account.externalId}: left CFQ7TTC0LFLX:0001: not sold here`,
      "1 accounts asked, 1 subscriptions taken in, 0 failed.",
    ]);
    await world.controls.faults({
      match: { path: `${held.account.externalId}/subscriptions$` },
      kind: "500",
    });
    const second = await run();
    expect(second.how).toBe("code 1");
    expect(second.lines.join("\n")).toContain(
      `microsoft ${held.account.externalId}: failed: microsoft failed`,
    );
    expect(second.lines.at(-1)).toBe("1 accounts asked, 0 subscriptions taken in, 1 failed.");
  });
});
