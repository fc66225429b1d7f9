/** The demo company: loaded once by concurrent requests, priced like any order, and known to the sandbox. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { currentStep } from "#app/journey/steps.ts";
import type { ItemId, OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Database } from "#db/tables/index.ts";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { demoEmails, demoPassword } from "#sandbox/demo/login.ts";
import { seedSandbox } from "#sandbox/demo/vendors.ts";
import { createSecrets, sandboxEnvironment, sandboxIdentityProviders } from "#sandbox/local/environment.ts";
import { type RunningSandbox, startSandbox } from "#sandbox/vendors/start.ts";
import { findMembership } from "#server/accounts/customers.ts";
import { logIn } from "#server/accounts/login.ts";
import { getItem } from "#server/catalogue/items.ts";
import { findOrder, mayOpenOrder } from "#server/orders/find.ts";
import { priceSelection } from "#server/orders/pricing.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import { contextForStack } from "#tests/support/world.ts";

const dayMs = 86_400_000;
const now = new Date("2026-03-31T09:00:00Z");
const secret = "a-secret-for-tests-of-32-characters";
const written = [
  "users",
  "customers",
  "members",
  "addresses",
  "orders",
  "order_lines",
  "payment_intents",
  "payments",
  "fulfilments",
  "tenants",
  "subscriptions",
  "mails",
] as const satisfies readonly (keyof Database)[];

const database = await createTestDatabase();
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({
    host: "127.0.0.1",
    port: 0,
    smtpPort: 0,
    dataFile: null,
    razorpay: [],
    identityProviders: sandboxIdentityProviders({}, "http://localhost:3000"),
    partners: [],
    log: () => undefined,
  });
  // Concurrent, like two starts on one database.
  const loaded = await Promise.all([loadDemoData(database.db, now), loadDemoData(database.db, now)]);
  expect(loaded.sort()).toEqual([false, true]);
});
afterAll(() => sandbox.stop());

test("changes nothing when loaded again a month later", async () => {
  const before = await everything();
  expect(await loadDemoData(database.db, new Date(now.getTime() + 30 * dayMs))).toBe(false);
  expect(await everything()).toEqual(before);
  expect(before.orders).toHaveLength(6);
  expect(before.payments).toHaveLength(5);
});

test("lets owner and viewer sign in to the same company", async () => {
  const [owner, viewer] = await Promise.all(
    [demoEmails.owner, demoEmails.viewer].map((email) =>
      logIn(database.db, [secret], { email, password: demoPassword }, "203.0.113.7"),
    ),
  );
  expect(owner?.user.customer).toMatchObject({ role: "owner" });
  expect(viewer?.user.customer).toEqual({ ...owner?.user.customer, role: "viewer" });
  await expect(
    logIn(database.db, [secret], { email: demoEmails.owner, password: "demo-pass-1" }, "203.0.113.7"),
  ).rejects.toMatchObject({ code: "unauthenticated" });
});

test("prices every order as pricing does today", async () => {
  for (const order of await orders()) {
    const item = await getItem(database.db, order.itemId);
    const priced = priceSelection(item, order.country, order.line);
    expect(order).toMatchObject({
      subtotal: priced.subtotal,
      tax: priced.tax,
      rounding: priced.rounding,
      total: priced.total,
      taxRateBasisPoints: priced.taxRateBasisPoints,
    });
    expect(order.line).toMatchObject({
      unitPrice: priced.regularPrice,
      signupPrice: priced.secondaryUnitPrice,
      subtotal: priced.subtotal,
    });
  }
  const google = (await orders()).find((order) => order.family === "google");
  expect(google?.total).toEqual({ minor: 6_187_900, currency: "INR" });
});

test("includes five paid and fulfilled orders, and one at Place Order for its owner", async () => {
  const all = await orders();
  const done = all.filter((order) => order.stage === "stage4");
  expect(done.map((order) => [order.paymentStatus, order.fulfilmentStatus])).toEqual(
    Array(5).fill(["completed", "done"]),
  );
  for (const order of done) {
    const paid = await database.db
      .selectFrom("payments")
      .innerJoin("payment_intents", "payment_intents.provider_order_id", "payments.provider_order_id")
      .select(["payments.status", "payments.amount_minor", "payment_intents.status as intent"])
      .where("payments.order_id", "=", order.id)
      .execute();
    expect(paid).toEqual([{ status: "captured", amount_minor: order.total.minor, intent: "paid" }]);
  }

  const [waiting, ...more] = all.filter((order) => order.stage !== "stage4");
  expect.assert(waiting);
  expect(more).toEqual([]);
  expect(waiting).toMatchObject({ stage: "stage2", paymentStatus: "none", account: { state: "Karnataka" } });
  expect(currentStep(waiting).slug).toBe("place-order");
  expect.assert(waiting.userId);
  expect.assert(waiting.customerId);
  const membership = await findMembership(database.db, waiting.userId, waiting.customerId);
  expect.assert(membership);
  expect(mayOpenOrder(waiting, { userId: waiting.userId, customer: membership, draftKey: null })).toBe(true);
});

test("includes subscriptions at every stage: new, ending soon, expired, add-on", async () => {
  const rows = await database.db.selectFrom("subscriptions").selectAll().orderBy("end_date").execute();
  const view = rows.map((row) => ({
    item: row.item_id,
    status: row.status,
    quantity: row.quantity,
    daysLeft: Math.ceil((row.end_date.getTime() - now.getTime()) / dayMs),
    term: row.term,
  }));
  expect(view).toEqual([
    // A month before 31 March is the last day of February.
    { item: "microsoft-teams-essentials", status: "expired", quantity: 8, daysLeft: -31, term: "P1M" },
    { item: "microsoft-365-business-standard", status: "active", quantity: 12, daysLeft: 20, term: "P1Y" },
    { item: "google-workspace-business-starter", status: "active", quantity: 25, daysLeft: 200, term: "P1Y" },
    { item: "copilot-for-microsoft-365", status: "active", quantity: 5, daysLeft: 275, term: "P1Y" },
    { item: "microsoft-365-apps-for-business", status: "active", quantity: 4, daysLeft: 364, term: "P1Y" },
    { item: "microsoft-365-business-basic", status: "active", quantity: 10, daysLeft: 365, term: "P1Y" },
  ]);
  const standard = rows.find((row) => row.item_id === "microsoft-365-business-standard");
  const addOn = rows.find((row) => row.item_id === "copilot-for-microsoft-365");
  expect(addOn?.parent_subscription_id).toBe(standard?.id);
  const item = await getItem(database.db, itemIdOf(addOn));
  expect(item.baseItemIds).toContain(standard?.item_id);
});

test("seeds the sandbox with the same tenants and subscriptions, once", async () => {
  await seedSandbox(database.db, sandbox.url);
  const { customers, subscriptions } = sandbox.snapshot().partnerCenter;
  const rows = await database.db
    .selectFrom("subscriptions")
    .selectAll()
    .where("family", "=", "microsoft")
    .orderBy("external_id")
    .execute();
  expect(customers.map((customer) => customer.domain)).toEqual(["brightorchard.onmicrosoft.com"]);
  // Both sides mark an ended subscription only later (the sandbox by its clock, the store by a job), so compare by end date.
  const standing = (status: string, endsAt: number) => (endsAt <= Date.now() ? "expired" : status);
  const known = subscriptions.map(({ id, quantity, status, endsAt }) => ({
    id,
    quantity,
    status: standing(status, endsAt),
    endsAt,
  }));
  expect(known.sort((a, b) => a.id.localeCompare(b.id))).toEqual(
    rows.map((row) => ({
      id: row.external_id,
      quantity: row.quantity,
      status: standing(row.status, row.end_date.getTime()),
      endsAt: row.end_date.getTime(),
    })),
  );
  const addOn = subscriptions.find((each) => each.parentSubscriptionId !== null);
  const parent = rows.find((row) => row.external_id === addOn?.parentSubscriptionId);
  expect(parent?.item_id).toBe("microsoft-365-business-standard");

  const { google } = sandbox.snapshot();
  const starter = await database.db
    .selectFrom("subscriptions")
    .innerJoin("tenants", "tenants.id", "subscriptions.tenant_id")
    .select(["subscriptions.external_id", "end_date", "tenants.external_id as customer", "tenants.domain"])
    .where("subscriptions.family", "=", "google")
    .executeTakeFirstOrThrow();
  expect(google.customers).toMatchObject([{ name: starter.customer, domain: starter.domain }]);
  expect(google.entitlements).toMatchObject([
    {
      name: starter.external_id,
      customerName: starter.customer,
      numUnits: 25,
      endsAt: starter.end_date.getTime(),
    },
  ]);
  // The store finds them there as the configured reseller.
  const store = contextForStack(
    sandboxEnvironment({
      port: 3000,
      sandboxPort: sandbox.port,
      smtpPort: sandbox.smtpPort,
      databaseUrl: database.url,
      dataDir: "",
      secrets: createSecrets(),
    }),
  );
  try {
    const customer = await store.google.findCustomerByDomain(starter.domain);
    expect(customer?.name).toBe(starter.customer);
    const entitlements = await store.google.listEntitlements(starter.customer);
    expect(entitlements.map(({ name }) => name)).toEqual([starter.external_id]);
  } finally {
    await store.db.destroy();
  }

  await seedSandbox(database.db, sandbox.url);
  expect(sandbox.snapshot().partnerCenter).toMatchObject({ customers, subscriptions });
  expect(sandbox.snapshot().google).toEqual(google);
});

async function everything() {
  const tables = await Promise.all(
    written.map(async (table) => [table, await database.db.selectFrom(table).selectAll().execute()] as const),
  );
  return Object.fromEntries(tables);
}

async function orders(): Promise<Order[]> {
  const rows = await database.db.selectFrom("orders").select("id").orderBy("created_at").execute();
  const found = await Promise.all(rows.map(({ id }: { id: OrderId }) => findOrder(database.db, id)));
  return found.filter((order) => order !== null);
}

function itemIdOf(row: { item_id: ItemId } | undefined): ItemId {
  expect.assert(row);
  return row.item_id;
}
