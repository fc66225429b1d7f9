/** List rules: visible rows, paging without gaps, prefix search, and index scans. */
import { Kysely, PostgresDialect, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { CustomerId, OrderId } from "#db/ids.ts";
import type { Database } from "#db/tables/index.ts";
import { sandboxSellers } from "#sandbox/local/environment.ts";
import { getItem } from "#server/catalogue/items.ts";
import type { ListPage, ListQuery } from "#server/foundation/list-paging.ts";
import { removeDraft, restoreDraft } from "#server/orders/cart.ts";
import { changeSelection, claimDraft, savePartialAnswers } from "#server/orders/draft.ts";
import { findRecentDraftFor, type Requester } from "#server/orders/find.ts";
import { listCart, listPaidOrders } from "#server/orders/lists.ts";
import { listActiveSubscriptions, listEndedSubscriptions } from "#server/orders/subscriptions/lists.ts";
import { createTestDatabase } from "#tests/support/database.ts";
import {
  anonymousRequester,
  join,
  makeCompany,
  makeOrder,
  makePerson,
  readOrder,
} from "#tests/support/orders.ts";
import { insertTestSubscription } from "#tests/support/subscriptions.ts";

let customerId: CustomerId;
/** The owners of two companies. */
let owner: Requester;
let other: Requester;
const { db, pool } = await createTestDatabase();
beforeEach(async () => {
  owner = await ownerOf("Acme Tools");
  other = await ownerOf("Other Tools");
  if (owner.customer === null) throw new Error("Expected a company");
  customerId = owner.customer.id;
});
afterEach(() => sql`truncate orders, subscriptions cascade`.execute(db));

async function ownerOf(company: string): Promise<Requester> {
  const person = await makePerson(db);
  const id = await makeCompany(db, person, company);
  return { userId: person.userId, customer: { id, role: "owner" }, draftKey: null };
}

const day = 86_400_000;
const paid = { stage: "stage4", payment_status: "completed", fulfilment_status: "done" } as const;
const buy = (requester: Requester, changes: Parameters<typeof makeOrder>[2] = {}) =>
  makeOrder(db, { requester }, { ...paid, ...changes });
const draft = (requester: Requester, changes: Parameters<typeof makeOrder>[2] = {}) =>
  makeOrder(db, { requester }, changes);
const idsOf = ({ rows }: ListPage<{ id: string }>) => rows.map(({ id }) => id);

/** Reads every page of a list, and runs `between` after each. */
async function walk(
  list: (query: ListQuery) => Promise<ListPage<{ id: string }>>,
  query: ListQuery,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const seen: string[] = [];
  let page: string | undefined;
  do {
    const found = await list({ ...query, page });
    expect(found.rows.length).toBeLessThanOrEqual(query.limit ?? 20);
    seen.push(...idsOf(found));
    page = found.nextPage ?? undefined;
    await between();
  } while (page !== undefined);
  return seen;
}

describe("visibility", () => {
  test("shows paid orders in My Orders and unpaid ones in the cart, of one company only", async () => {
    const bought = await buy(owner);
    const refunded = await buy(owner, { payment_status: "refunded" });
    const begun = await draft(owner, { payment_status: "failed" });
    await buy(other);
    await draft(other);
    expect(idsOf(await listPaidOrders(db, owner))).toEqual([refunded, bought]);
    expect(idsOf(await listCart(db, owner))).toEqual([begun]);
    expect(idsOf(await listPaidOrders(db, anonymousRequester))).toEqual([]);
    expect(idsOf(await listCart(db, anonymousRequester))).toEqual([]);
  });

  test("shows drafts of a person without a company, and of the browser without a person", async () => {
    const [alone, browser] = [await makePerson(db), "key-of-a-browser"];
    const own = await draft({ ...anonymousRequester, userId: alone.userId });
    const unclaimed = await draft({ ...anonymousRequester, draftKey: browser });
    const ofCompany = await draft(owner);
    await draft({ ...anonymousRequester, draftKey: "key-of-another" });
    const requester = { ...anonymousRequester, userId: alone.userId, draftKey: browser };
    expect(idsOf(await listCart(db, requester))).toEqual([unclaimed, own]);
    // After joining the company, the person sees its drafts, too.
    await join(db, customerId, alone, "buyer");
    const member: Requester = { ...requester, customer: { id: customerId, role: "buyer" } };
    expect(idsOf(await listCart(db, member))).toEqual([ofCompany, unclaimed, own]);
    // A claimed draft no longer belongs to the browser.
    await db.transaction().execute((trx) => claimDraft(trx, { orderId: unclaimed, requester: member }));
    expect(idsOf(await listCart(db, { ...anonymousRequester, draftKey: browser }))).toEqual([]);
    expect(idsOf(await listCart(db, owner))).toEqual(
      [ofCompany, unclaimed].sort(newestFirst(await created())),
    );
  });

  const created = async () =>
    new Map(
      (await db.selectFrom("orders").select(["id", "created_at"]).execute()).map((row) => [
        row.id as string,
        row.created_at.getTime(),
      ]),
    );
  const newestFirst = (times: Map<string, number>) => (a: string, b: string) =>
    (times.get(b) ?? 0) - (times.get(a) ?? 0);
});

describe("paging", () => {
  test("shows each order once, newest first, while others begin; some at the same time", async () => {
    const made: OrderId[] = [];
    for (let count = 0; count < 47; count += 1) {
      const id = await buy(owner);
      // Fractions of a millisecond apart; every third one has the time of its predecessor.
      const at = 1_800_000_000_000_000 + (count - (count % 3 === 2 ? 1 : 0)) * 100;
      await sql`update orders set created_at = timestamptz 'epoch' + ${at}::double precision * interval '1 microsecond'
        where id = ${id}`.execute(db);
      made.push(id);
    }
    const seen = await walk(
      (query) => listPaidOrders(db, owner, query),
      { limit: 4 },
      () => buy(owner, { created_at: new Date("2027-06-01T00:00:00Z") }),
    );
    expect(seen).toHaveLength(47);
    expect(new Set(seen)).toEqual(new Set(made));
    const inOrder = await db
      .selectFrom("orders")
      .select("id")
      .where("id", "in", made)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .execute();
    expect(seen).toEqual(inOrder.map(({ id }) => id));
  });

  test("defaults to 20 a page, and merges a cart of several owners into one list", async () => {
    const draftKey = "key";
    const requester = { ...owner, draftKey };
    for (let count = 0; count < 7; count += 1) {
      await draft(owner);
      await draft({ ...anonymousRequester, userId: owner.userId });
      await draft({ ...anonymousRequester, draftKey });
    }
    expect((await listCart(db, requester)).rows).toHaveLength(20);
    const seen = await walk((query) => listCart(db, requester, query), { limit: 2 });
    expect(seen).toHaveLength(21);
    expect(new Set(seen).size).toBe(21);
    expect(seen).toEqual(idsOf(await listCart(db, requester, { limit: 200 })));
  });

  test("splits subscriptions at their end into active and ended, without gaps", async () => {
    const now = new Date();
    const at = (days: number) => new Date(now.getTime() + days * day);
    const active = [];
    for (const days of [1, 40, 40, 300])
      active.push(await insertTestSubscription(db, customerId, { end_date: at(days) }));
    const passed = await insertTestSubscription(db, customerId, { end_date: at(-2) });
    const expired = await insertTestSubscription(db, customerId, { end_date: at(-1), status: "expired" });
    const longAgo = await insertTestSubscription(db, customerId, { end_date: at(-90), status: "expired" });
    const cancelled = await insertTestSubscription(db, customerId, { end_date: at(60), status: "cancelled" });
    const otherCompany = other.customer?.id ?? customerId;
    await insertTestSubscription(db, otherCompany);
    await insertTestSubscription(db, otherCompany, { end_date: at(-1) });
    for (const limit of [1, 3, 20]) {
      const seen = await walk((query) => listActiveSubscriptions(db, customerId, query, now), { limit });
      expect(seen.sort()).toEqual([...active].sort());
      expect(await walk((query) => listEndedSubscriptions(db, customerId, query, now), { limit })).toEqual([
        cancelled,
        expired,
        passed,
        longAgo,
      ]);
    }
    const first = await listActiveSubscriptions(db, customerId, { limit: 1 }, now);
    expect(idsOf(first)).toEqual([active[0]]);
  });

  test.each([
    ["a word", "older"],
    ["a cursor cut short", Buffer.from("1800000000000000.3f0c0000").toString("base64url")],
    [
      "an invalid time",
      Buffer.from(`99999999999999999.${"3f0c0000-0000-4000-8000-000000000000"}`).toString("base64url"),
    ],
    ["an empty string", ""],
  ])("rejects %s as a page", async (_what, page) => {
    await expect(listPaidOrders(db, owner, { page })).rejects.toMatchObject({ code: "bad_request" });
    await expect(listActiveSubscriptions(db, customerId, { page }, new Date())).rejects.toMatchObject({
      code: "bad_request",
    });
  });
});

describe("a search", () => {
  const google = (domain: string) => ({
    details: JSON.stringify({ google: { domain, customerType: "new_signup" } }),
  });

  test("finds orders by the beginning of their id or domain, in any case", async () => {
    const draftId = await draft(owner, { family: "google", ...google("orchard.example") });
    const prefixed = await draft(owner, {
      signin: JSON.stringify({ mode: "new", username: "admin", prefix: "orchid" }),
    });
    const subscriptionId = await insertTestSubscription(db, customerId, { domain: "Orwell.example" });
    const added = await draft(owner, { subscription_id: subscriptionId });
    await draft(owner, google("myorchard.example"));
    const find = async (search: string) => new Set(idsOf(await listCart(db, owner, { search })));
    expect(await find("orch")).toEqual(new Set([draftId, prefixed]));
    expect(await find("  ORCHID.onmicro ")).toEqual(new Set([prefixed]));
    expect(await find("orwell")).toEqual(new Set([added]));
    expect(await find(draftId.slice(0, 13).toUpperCase())).toEqual(new Set([draftId]));
    expect(idsOf(await listCart(db, owner, { search: "orch", family: "google" }))).toEqual([draftId]);
    expect((await find("")).size).toBe(4);
  });

  test("treats every character literally, without wildcards", async () => {
    const domains = ["a%b.example", "a_b.example", "a\\b.example", "axb.example"];
    const ids = new Map<string, string>();
    for (const domain of domains) {
      ids.set(domain, await draft(owner, google(domain)));
      await insertTestSubscription(db, customerId, { domain });
    }
    for (const [search, found] of [
      ["a%b", ["a%b.example"]],
      ["a_b", ["a_b.example"]],
      ["a\\b", ["a\\b.example"]],
      ["%", []],
      ["_", []],
      ["a", domains],
    ] as const) {
      expect(new Set(idsOf(await listCart(db, owner, { search }))), search).toEqual(
        new Set(found.map((domain) => ids.get(domain))),
      );
      const { rows } = await listActiveSubscriptions(db, customerId, { search }, new Date());
      expect(rows.map(({ domain }) => domain).sort(), search).toEqual([...found].sort());
    }
  });

  test.each(["a\u0000b", "x".repeat(101)])("refuses %j", async (search) => {
    await expect(listCart(db, owner, { search })).rejects.toMatchObject({ code: "bad_request" });
  });
});

describe("an order removed from the cart", () => {
  const remove = (orderId: OrderId, requester: Requester = owner) =>
    db.transaction().execute((trx) => removeDraft(trx, { orderId, requester, now: new Date() }));
  const restore = (orderId: OrderId) =>
    db.transaction().execute((trx) => restoreDraft(trx, { orderId, requester: owner }));

  test("disappears from the cart without deletion, and can be restored", async () => {
    const id = await draft(owner);
    await remove(id);
    expect(idsOf(await listCart(db, owner))).toEqual([]);
    expect(await readOrder(db, id)).toMatchObject({ removed_at: expect.any(Date), version: 2 });
    // Removing it again changes nothing.
    await remove(id);
    expect((await readOrder(db, id)).version).toBe(2);
    await restore(id);
    expect(idsOf(await listCart(db, owner))).toEqual([id]);
  });

  test("returns when its buyer continues it", async () => {
    const id = await draft(owner);
    const { item_id } = await readOrder(db, id);
    const item = await getItem(db, item_id);
    const selection = { term: "P1Y", billingCycle: "annual", quantity: 7 } as const;
    await remove(id);
    await db.transaction().execute((trx) =>
      changeSelection(trx, {
        orderId: id,
        item,
        selection,
        placement: null,
        requester: owner,
        sellers: sandboxSellers.sellers,
        now: new Date(),
      }),
    );
    expect(idsOf(await listCart(db, owner))).toEqual([id]);
    await remove(id);
    await db
      .transaction()
      .execute((trx) => savePartialAnswers(trx, { orderId: id, details: {}, requester: owner }));
    expect(idsOf(await listCart(db, owner))).toEqual([id]);
  });

  test("does not return next to another order for the same change", async () => {
    const subscription_id = await insertTestSubscription(db, customerId);
    const renewal = (created_at: Date) =>
      makeOrder(db, { requester: owner }, { kind: "RENEW", subscription_id, created_at });
    const id = await renewal(new Date(Date.now() - 60_000));
    await remove(id);
    const since = await renewal(new Date());
    await expect(restore(id)).rejects.toThrow("You have started a newer order for this");
    await remove(since);
    await restore(id);
    expect((await readOrder(db, id)).removed_at).toBeNull();
  });

  test("does not come back through the first step of its plan", async () => {
    const id = await draft(owner);
    const { item_id } = await readOrder(db, id);
    const plan = { kind: "NEW", itemId: item_id, country: "IN", subscriptionId: null } as const;
    const begun = () => findRecentDraftFor(db, plan, owner, new Date());
    expect((await begun())?.id).toBe(id);
    await remove(id);
    expect(await begun()).toBeNull();
  });

  test("requires its buyer, no payment, and a role above viewer", async () => {
    const id = await draft(owner);
    const viewer = await makePerson(db);
    await join(db, customerId, viewer, "buyer");
    const looking: Requester = {
      ...anonymousRequester,
      userId: viewer.userId,
      customer: { id: customerId, role: "viewer" },
    };
    const own = await draft({ ...looking, customer: { id: customerId, role: "buyer" } });
    await sql`update members set role = 'viewer' where user_id = ${viewer.userId}`.execute(db);
    expect(idsOf(await listCart(db, looking))).toEqual([own, id]);
    await expect(remove(id, looking)).rejects.toMatchObject({ code: "not_found" });
    await expect(remove(own, looking)).rejects.toMatchObject({ code: "forbidden" });
    await expect(remove(id, other)).rejects.toMatchObject({ code: "not_found" });
    const bought = await buy(owner);
    await expect(remove(bought)).rejects.toMatchObject({ code: "conflict" });
    await sql`insert into payments (id, order_id, provider, provider_payment_id, provider_order_id, status)
      values (gen_random_uuid(), ${id}, 'razorpay', 'pay_1', 'order_1', 'returned')`.execute(db);
    await expect(remove(id)).rejects.toMatchObject({ code: "conflict" });
    expect((await readOrder(db, id)).removed_at).toBeNull();
  });
});

describe("among thousands of rows of a company", () => {
  const plan: z.ZodType<Plan> = z.object({
    "Node Type": z.string(),
    "Relation Name": z.string().optional(),
    "Actual Rows": z.number(),
    get Plans() {
      return z.array(plan).optional();
    },
  });
  interface Plan {
    "Node Type": string;
    "Relation Name"?: string | undefined;
    "Actual Rows": number;
    Plans?: Plan[] | undefined;
  }
  const explained = z.object({
    rows: z.array(z.object({ "QUERY PLAN": z.array(z.object({ Plan: plan })) })),
  });
  const nodesOf = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

  test("reads only the page's rows through an index, on the first page and far back", async () => {
    const now = new Date();
    await fill();
    const draftId: { sql: string; parameters: readonly unknown[] }[] = [];
    const watched = new Kysely<Database>({
      dialect: new PostgresDialect({ pool }),
      log: ({ query }) => {
        draftId.push({ sql: query.sql, parameters: query.parameters });
      },
    });
    const lists: ((page: string | undefined) => Promise<ListPage<{ id: string }>>)[] = [
      (page) => listPaidOrders(watched, owner, { page }),
      (page) => listCart(watched, { ...owner, draftKey: "key" }, { page }),
      (page) => listActiveSubscriptions(watched, customerId, { page }, now),
      (page) => listEndedSubscriptions(watched, customerId, { page }, now),
    ];
    for (const list of lists) {
      const first = await list(undefined);
      expect(first.rows).toHaveLength(20);
      const last = first.rows.at(-1)?.id;
      // Thousands of rows later, as in a page's address.
      const far = Buffer.from(`${(now.getTime() - 5 * day) * 1000}.${last}`).toString("base64url");
      await list(first.nextPage ?? undefined);
      await list(far);
    }
    const lasting = draftId.filter(({ sql: text }) => /from "(orders|subscriptions)"/.test(text));
    expect(lasting.length).toBeGreaterThanOrEqual(12);
    for (const { sql: text, parameters } of lasting) {
      const answer = explained.parse(
        await pool.query(`explain (analyze, format json) ${text}`, [...parameters]),
      );
      const nodes = answer.rows.flatMap(({ "QUERY PLAN": plans }) =>
        plans.flatMap(({ Plan }) => nodesOf(Plan)),
      );
      const read = nodes.filter((node) => ["orders", "subscriptions"].includes(node["Relation Name"] ?? ""));
      expect(read.length).toBeGreaterThan(0);
      expect(read.map((node) => node["Node Type"]).filter((type) => type.includes("Seq"))).toEqual([]);
      // One more row than the page, from each owner, and a few that a join looks ahead; a sort would have read all.
      expect(Math.max(...read.map((node) => node["Actual Rows"])), text).toBeLessThanOrEqual(25);
    }
  });

  /** Fills the tables: a third of the orders paid, two thirds in the cart; half of the subscriptions ended. */
  async function fill(): Promise<void> {
    const template = await draft(owner);
    await sql`
      insert into orders (id, kind, family, item_id, country, currency, stage, payment_status, user_id, customer_id, details,
        tax_rate_basis_points, subtotal_minor, tax_minor, rounding_minor, total_minor, priced_at, created_at)
      select gen_random_uuid(), kind, family, item_id, country, currency, stage,
        case when n % 3 = 0 then 'completed' else 'none' end, user_id, customer_id, details,
        tax_rate_basis_points, subtotal_minor, tax_minor, rounding_minor, total_minor, priced_at,
        now() - n * interval '150 seconds'
      from orders, generate_series(1, 6000) as n where id = ${template}`.execute(db);
    await sql`
      insert into order_lines (order_id, position, item_id, name, sku, term, billing_cycle, quantity, unit_price_minor, subtotal_minor)
      select orders.id, 0, line.item_id, line.name, sku, term, billing_cycle, quantity, unit_price_minor, line.subtotal_minor
      from orders, order_lines as line where line.order_id = ${template} and orders.id <> ${template}`.execute(
      db,
    );
    const held = await insertTestSubscription(db, customerId);
    await sql`
      insert into subscriptions (id, customer_id, item_id, family, external_id, domain, quantity, term, billing_cycle, status,
        start_date, end_date)
      select gen_random_uuid(), customer_id, item_id, family, gen_random_uuid()::text, domain, quantity, term, billing_cycle,
        case when n % 4 = 0 then 'expired' else 'active' end, start_date,
        now() + (n - 3000) * interval '200 seconds'
      from subscriptions, generate_series(1, 6000) as n where id = ${held}`.execute(db);
    await sql`analyze orders, order_lines, subscriptions`.execute(db);
  }
});
