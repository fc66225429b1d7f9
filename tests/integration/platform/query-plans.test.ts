/**
 * Plans of queries for frequent pages and jobs, on tables of some size: none may read a big table completely, or one company's
 * size slows down everyone. The test checks PostgreSQL's plans of the statements that the store actually sends.
 */
import { type CompiledQuery, Kysely, PostgresDialect, sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { findTenant, hasTenantItem } from "#db/accounts/tenants.ts";
import { firstEntryAt, listBookDocuments, listEntries, sumEntriesBefore } from "#db/billing/books.ts";
import { listDueIntents } from "#db/billing/due-intents.ts";
import { spendByMonth } from "#db/billing/spend.ts";
import { isItemId } from "#db/catalogue/catalogue.ts";
import {
  listDocumentsOfCustomer,
  listLinkedTenants,
  listOrdersOfCustomer,
  listSubscriptionsWithVendorState,
} from "#db/desk/customer-details.ts";
import { findCustomers } from "#db/desk/customer-search.ts";
import { countOpenOrders, countOrdersIn, countStuckIn, fulfilmentTimesIn } from "#db/desk/store-stats.ts";
import type { CustomerId, ItemId, OrderId, SubscriptionId, TenantId } from "#db/ids.ts";
import { listAddOnBases } from "#db/orders/add-on-bases.ts";
import { listToRemind } from "#db/orders/due-subscriptions.ts";
import { listOwnedSubscriptions, listSeatOrders, listSeatReductions } from "#db/orders/licence-events.ts";
import { listOrders } from "#db/orders/order-lists.ts";
import { listAbandonedDrafts } from "#db/orders/order-reminders.ts";
import { findOrders } from "#db/orders/order-search.ts";
import { listOrderedSeats } from "#db/orders/seats.ts";
import { listEndingBefore } from "#db/orders/subscription-lists.ts";
import { releaseSubscriptionLock } from "#db/orders/subscription-lock.ts";
import { findProvenOwners, isOrderUnderWay } from "#db/orders/sync.ts";
import type { Database, Db } from "#db/tables/index.ts";
import { createTestDatabase } from "#tests/support/database.ts";

const big = [
  "invoices",
  "order_lines",
  "orders",
  "payment_intents",
  "quote_requests",
  "quotes",
  "subscriptions",
  "tenants",
];
const companies = 500;
const ordersOfEach = 20;

const { pool } = await createTestDatabase();
const listQuery: CompiledQuery[] = [];
const db: Db = new Kysely<Database>({
  dialect: new PostgresDialect({ pool }),
  log: ({ query }) => void listQuery.push(query),
});
/** Returns the same id for a kind and number as the SQL below. */
const idOf = (kind: number, n: number) =>
  `00000000-0000-4000-${String(8000 + kind)}-${String(n).padStart(12, "0")}`;
const company = idOf(1, 7) as CustomerId;

beforeAll(fill, 120_000);

describe("an index", () => {
  test("serves the add-on step, which counts the add-ons of each base subscription", async () => {
    const addOnId = itemId("copilot-for-microsoft-365");
    await plansOf(() =>
      listAddOnBases(db, company, { addOnId, baseItemIds: ["microsoft-365-business-basic"] }),
    );
  });

  test("serves the add-on's seats that others are about to pay for", () =>
    plansOf(() =>
      listOrderedSeats(
        db,
        { baseId: idOf(4, 77) as SubscriptionId, itemId: itemId("copilot-for-microsoft-365") },
        { except: idOf(2, 77) as OrderId, since: new Date() },
      ),
    ));

  test("serves a search in a company's orders and in its cart", async () => {
    for (const which of ["paid", "cart"] as const) {
      const page = { which, number: 12, family: null, search: "acme", after: null, limit: 20 };
      await plansOf(() => listOrders(db, [{ customerId: company }], page));
    }
  });

  test("serves the sums of My Subscriptions: a company's spend, and renewals in a year", async () => {
    const now = new Date();
    const query = { from: "2026-01", timeZone: "Asia/Kolkata", family: null };
    await plansOf(() => spendByMonth(db, company, query), "orders_sold_list");
    const until = new Date(now.getTime() + 365 * 86_400_000);
    await plansOf(
      () => listEndingBefore(db, company, { family: null, now, until }),
      "subscriptions_active_list",
    );
  });

  test("serves the payment sweep, among abandoned checkouts", () => plansOf(() => listDueIntents(db, 100)));

  test("serves renewal reminders, among many that were sent", async () => {
    const now = new Date();
    const until = new Date(now.getTime() + 30 * 86_400_000);
    const query = { term: "P1Y", now, until, limit: 200 } as const;
    for (const remindedAt of [null, 30])
      await plansOf(() => listToRemind(db, { ...query, remindedAt }), "subscriptions_to_remind");
  });

  test("serves the reminders of drafts, among all finished orders", async () => {
    const now = Date.now();
    const left = { after: new Date(now - 7 * 86_400_000), before: new Date(now - 2 * 3_600_000), limit: 100 };
    await plansOf(() => listAbandonedDrafts(db, left), "orders_left_behind");
  });

  test("serves a sync: the holders of an account, and orders in progress in it", async () => {
    const account = { family: "microsoft" as const, externalId: "tenant-7" };
    await plansOf(() => findProvenOwners(db, account, new Date()));
    const tenant = await findTenant(db, idOf(3, 7) as TenantId);
    if (tenant === null) throw new Error("Tenant not found");
    await plansOf(() => isOrderUnderWay(db, tenant));
  });

  test("serves the check whether a tenant has a plan", () =>
    plansOf(() => hasTenantItem(db, idOf(3, 7) as TenantId, itemId("microsoft-365-business-basic"))));

  test("serves the counts of an hour, for Desk and monitoring", async () => {
    const from = new Date(Date.now() - 3_600_000);
    const span = { from, until: new Date() };
    await plansOf(() => countOrdersIn(db, span), "orders_paid_at");
    await plansOf(() => countOrdersIn(db, span), "orders_fulfilled_at");
    await plansOf(() => fulfilmentTimesIn(db, span), "orders_fulfilled_at");
    await plansOf(() => countStuckIn(db, span));
  });

  test("serves a search for a company in Desk, and its whole page", async () => {
    const query = { search: "acme", number: 12, after: null, limit: 20 };
    await plansOf(() => findCustomers(db, query), "customers_name_part", { isForced: true });
    for (const direction of ["asc", "desc"] as const)
      for (const [by, index] of [
        ["since", "customers_age"],
        ["name", "customers_by_name"],
      ] as const)
        for (const after of [null, { at: Date.now() * 1_000, id: company }])
          await plansOf(
            () => findCustomers(db, { ...query, search: null, after, order: { by, direction } }),
            index,
          );
    await plansOf(() => listSubscriptionsWithVendorState(db, company, 50));
    for (const index of ["quotes_number", "quote_requests_email_part", "invoices_former_purchase_order"])
      await plansOf(() => findOrders(db, { ...query, isQuoted: false }), index, { isForced: true });
    await plansOf(() => listOrdersOfCustomer(db, company, 50), "orders_customer");
    await plansOf(() => listDocumentsOfCustomer(db, company, 50));
    await plansOf(() => listLinkedTenants(db, company));
  });

  test("serves a company's books: documents, statement and licences of a year", async () => {
    const span = { from: new Date(Date.now() - 365 * 86_400_000), before: new Date() };
    const owner = { customerId: company };
    await plansOf(() => listEntries(db, owner, span));
    await plansOf(() => sumEntriesBefore(db, owner, span.from));
    await plansOf(() => firstEntryAt(db, owner));
    await plansOf(() => listBookDocuments(db, owner, span, { after: null, limit: 20 }));
    await plansOf(() => listSeatOrders(db, owner, span));
    await plansOf(() => listSeatReductions(db, company, span));
    await plansOf(() => listOwnedSubscriptions(db, company));
  });

  test("serves the count of open orders", () => plansOf(() => countOpenOrders(db)));

  test("serves the release of a subscription's lock", () =>
    plansOf(() => releaseSubscriptionLock(db, idOf(2, 77) as OrderId)));

  test("serves the checks before a draft's deletion", async () => {
    for (const column of ["order_id", "changing_order_id"]) {
      await plansOf(() =>
        sql`select 1 from subscriptions where ${sql.ref(column)} = ${idOf(2, 77)}`.execute(db),
      );
    }
  });
});

/**
 * Runs a query, and expects that no statement it sends reads a big table completely.
 * @param index the index that each statement must use, where another one would read far more than needed
 * @param options.isForced whether to disable sequential scans unless no index can serve: for a table as small as this test's, a trigram
 *   index costs more than the table
 */
async function plansOf<Result>(
  run: () => Promise<Result>,
  index?: string,
  { isForced = false }: { isForced?: boolean } = {},
): Promise<Result> {
  listQuery.length = 0;
  const result = await run();
  const statements = [...listQuery];
  expect(statements.length).toBeGreaterThan(0);
  for (const statement of statements) {
    const client = await pool.connect();
    await client.query(`set enable_seqscan = ${isForced ? "off" : "on"}`);
    const { rows } = await client.query<{ "QUERY PLAN": unknown }>(`explain (format json) ${statement.sql}`, [
      ...statement.parameters,
    ]);
    await client.query("reset enable_seqscan");
    client.release();
    const [{ Plan }] = explained.parse(rows[0]?.["QUERY PLAN"]);
    const nodes = nodesOf(Plan);
    if (index !== undefined) expect(nodes.map((node) => node["Index Name"])).toContain(index);
    const whole = nodes.filter(
      (node) => node["Node Type"] === "Seq Scan" && big.includes(node["Relation Name"] ?? ""),
    );
    expect(
      whole.map((node) => node["Relation Name"]),
      statement.sql,
    ).toEqual([]);
  }
  return result;
}

const node = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Index Name": z.string().optional(),
  get Plans() {
    return z.array(node).optional();
  },
});
const explained = z.tuple([z.object({ Plan: node })]);

function nodesOf(plan: z.infer<typeof node>): z.infer<typeof node>[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function itemId(text: string): ItemId {
  if (!isItemId(text)) throw new Error(`Expected an item id, got ${text}`);
  return text;
}

/** Creates 500 companies with a buyer, a tenant, twenty orders and as many subscriptions each; nearly all of it is finished. */
async function fill(): Promise<void> {
  const id = (kind: number, n: string) =>
    sql`('00000000-0000-4000-${sql.raw(String(8000 + kind))}-' || lpad((${sql.raw(n)})::text, 12, '0'))::uuid`;
  const all = companies * ordersOfEach;
  await sql`
    insert into customers (id, name, country)
    select ${id(1, "n")}, 'Company ' || n, 'IN' from generate_series(1, ${companies}) n`.execute(db);
  await sql`
    insert into users (id, email, first_name, last_name, phone)
    select ${id(6, "n")}, 'buyer-' || n || '@example.com', 'Asha', 'Rao', '' from generate_series(1, ${companies}) n`.execute(
    db,
  );
  await sql`
    insert into tenants (id, customer_id, family, external_id, domain, name)
    select ${id(3, "n")}, ${id(1, "n")}, 'microsoft', 'tenant-' || n, 'c' || n || '.onmicrosoft.com', 'Company ' || n
    from generate_series(1, ${companies}) n`.execute(db);
  await sql`
    insert into orders (id, kind, family, item_id, country, currency, stage, payment_status, fulfilment_status,
      customer_id, user_id, tenant_id, tax_rate_basis_points, subtotal_minor, tax_minor, rounding_minor, total_minor, priced_at,
      created_at, updated_at, subscription_id, paid_at, fulfilled_at)
    select ${id(2, "n")}, case when n % 10 = 3 then 'RENEW' else 'NEW' end, 'microsoft', 'microsoft-365-business-basic',
      'IN', 'INR',
      case when n % 400 = 3 then 'stage3' when n % 4 = 0 then 'stage2' else 'stage4' end,
      case when n % 4 = 0 then 'pending' else 'completed' end,
      case when n % 400 = 3 then 'queued' when n % 4 = 0 then 'not_due' else 'done' end,
      ${id(1, "1 + n / 20 % 500")}, ${id(6, "1 + n / 20 % 500")}, ${id(3, "1 + n / 20 % 500")}, 1800, 1000, 180, 0, 1180, now(),
      now() - n * interval '1 minute', now() - n * interval '1 minute',
      case when n % 10 = 3 then ${id(4, "n")} end,
      case when n % 4 <> 0 then now() - n * interval '1 minute' end,
      case when n % 4 <> 0 and n % 400 <> 3 then now() - n * interval '1 minute' + interval '20 seconds' end
    from generate_series(1, ${all}) n`.execute(db);
  await sql`
    insert into order_lines (order_id, position, item_id, name, sku, term, billing_cycle, quantity, unit_price_minor,
      subtotal_minor)
    select ${id(2, "n")}, 0, 'microsoft-365-business-basic', 'Basic', 'sku', 'P1Y', 'annual', 2, 500, 1000
    from generate_series(1, ${all}) n`.execute(db);
  await sql`
    insert into payment_intents (id, order_id, receipt, provider, provider_order_id, amount_minor, currency, status, next_look_at)
    select ${id(5, "n")}, ${id(2, "n")}, 'receipt-' || n, 'razorpay', 'order_' || n, 1180, 'INR',
      case when n % 4 = 0 then 'open' else 'paid' end, now() + (n - 100) * interval '1 minute'
    from generate_series(1, ${all}) n`.execute(db);
  await sql`
    insert into subscriptions (id, customer_id, tenant_id, order_id, item_id, family, external_id, domain, quantity, term,
      billing_cycle, status, start_date, end_date, changing_order_id)
    select ${id(4, "n")}, ${id(1, "1 + n / 20 % 500")}, ${id(3, "1 + n / 20 % 500")}, ${id(2, "n")},
      'microsoft-365-business-basic', 'microsoft', 'subscription-' || n, 'c.onmicrosoft.com', 2, 'P1Y', 'annual',
      'active', now() - interval '340 days', now() + n * interval '1 hour',
      case when n % 400 = 3 then ${id(2, "n")} end
    from generate_series(1, ${all}) n`.execute(db);
  await sql`
    insert into invoice_series (series, last_serial, last_issued_at)
    values ('IN/26-27', ${2 * all}, now()), ('QT/IN/26-27', ${all}, now())`.execute(db);
  await sql`
    insert into invoices (number, order_id, series, serial, issued_at, facts, replaced_by)
    select 'IN/26-27/' || n || part, ${id(2, "n")}, 'IN/26-27', 2 * n + case part when 'A' then 0 else 1 end, now(),
      jsonb_build_object('references', jsonb_build_object('purchaseOrder', 'PO ' || n)),
      case part when 'A' then 'IN/26-27/' || n || 'B' end
    from generate_series(1, ${all}) n, unnest(array['B', 'A']) part where n % 4 <> 0`.execute(db);
  await sql`
    insert into quotes (id, order_id, number, version, series, serial, issued_at, valid_until, language, facts, hash)
    select ${id(7, "n")}, ${id(2, "n")}, 'QT/IN/26-27/' || n, 1, 'QT/IN/26-27', n, now(), now(), 'en', '{}', repeat('a', 64)
    from generate_series(1, ${all}) n`.execute(db);
  await sql`
    insert into quote_requests (id, quote_id, kind, email, why, created_at)
    select ${id(8, "n")}, ${id(7, "n")}, 'pay', 'payer-' || n || '@example.com', '', now() from generate_series(1, ${all}) n`.execute(
    db,
  );
  await sql`analyze`.execute(db);
}
