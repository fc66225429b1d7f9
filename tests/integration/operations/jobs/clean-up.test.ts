/** Clean-up deletes expired rows and nothing else: every row that must go has a neighbour that must stay. */
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { newId, type OrderId, type SessionId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { readCredentials, storeCredentials } from "#server/accounts/credentials/credentials.ts";
import { openProof } from "#server/accounts/identity-proofs.ts";
import { mintToken } from "#server/accounts/one-time-tokens.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import { hashToken } from "#server/foundation/security/token.ts";
import { cleanUp } from "#server/operations/jobs/clean-up.ts";
import { digestDatabase } from "#tests/support/digest.ts";
import { anonymousRequester, makeOrder, makePerson } from "#tests/support/orders.ts";
import { startWorld } from "#tests/support/world.ts";

let db: Db;
const world = await startWorld();
beforeAll(async () => {
  db = world.context.db;
});

const day = 86_400_000;
const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * day);
const exists = async (id: OrderId) =>
  (await db.selectFrom("orders").select("id").where("id", "=", id).execute()).length === 1;

test("deletes a visitor's draft and its lines 30 days after the last change", async () => {
  const buyer = await makePerson(db);
  const requester = { ...anonymousRequester, userId: buyer.userId };
  const old = { updated_at: daysAgo(31) };
  const gone = await makeOrder(db, {}, old);
  const intended = await makeOrder(db, {}, old);
  await db
    .insertInto("payment_intents")
    .values({
      id: newId(),
      order_id: intended,
      receipt: newId(),
      provider: "razorpay",
      provider_order_id: null,
      amount_minor: 100,
      currency: "INR",
      status: "superseded",
    })
    .execute();
  const kept = {
    young: await makeOrder(db, {}, { updated_at: daysAgo(29) }),
    claimed: await makeOrder(db, { requester }, old),
    pending: await makeOrder(db, {}, { ...old, payment_status: "pending" }),
    paid: await makeOrder(db, { requester }, { ...old, stage: "stage3", payment_status: "completed" }),
    intended,
  };
  await cleanUp(world.context, now);
  expect(await exists(gone)).toBe(false);
  expect(await db.selectFrom("order_lines").select("name").where("order_id", "=", gone).execute()).toEqual(
    [],
  );
  for (const [name, id] of Object.entries(kept)) expect(await exists(id), name).toBe(true);
  const lines = await db
    .selectFrom("order_lines")
    .select("name")
    .where("order_id", "in", Object.values(kept))
    .execute();
  expect(lines).toHaveLength(5);
});

test("deletes credentials after their week", async () => {
  const [old, fresh] = [await makeOrder(db), await makeOrder(db)];
  for (const id of [old, fresh]) {
    await storeCredentials(world.context, db, id, "sign-in", {
      username: "admin@x.onmicrosoft.com",
      password: "p",
    });
  }
  await db
    .updateTable("credentials")
    .set({ first_shown_at: daysAgo(7.001), expires_at: daysAgo(0.001) })
    .where("order_id", "=", old)
    .execute();
  // Hidden even before clean-up runs.
  expect(await readCredentials(world.context, db, old, "sign-in")).toBeNull();
  await cleanUp(world.context, now);
  expect(await db.selectFrom("credentials").select("order_id").execute()).toEqual([{ order_id: fresh }]);
  expect(await readCredentials(world.context, db, fresh, "sign-in")).toMatchObject({ password: "p" });
});

test("deletes tokens, sessions, provider events and rate limits after their retention", async () => {
  const { userId } = await makePerson(db);
  const ages = [1, 29, 31] as const;
  for (const age of ages) {
    await mintToken(db, { purpose: "resume-order", userId, ttlSeconds: -age * 86_400 });
    await db
      .insertInto("sessions")
      .values({ id: newId<SessionId>(), user_id: userId, expires_at: daysAgo(age), revoked_at: null })
      .execute();
  }
  for (const age of [89, 91]) {
    await db
      .insertInto("provider_events")
      .values({
        provider: "razorpay",
        event_id: `age-${age}`,
        type: "x",
        payload: "{}",
        received_at: daysAgo(age),
        processed_at: null,
      })
      .execute();
  }
  for (const age of [1, 3]) {
    await consumeRateLimit(db, {
      name: `age-${age}`,
      key: "k",
      limit: 5,
      windowSeconds: 60,
      now: daysAgo(age),
    });
  }
  await cleanUp(world.context, now);
  const left = async (table: "one_time_tokens" | "sessions") =>
    (await db.selectFrom(table).select("expires_at").where("user_id", "=", userId).execute()).length;
  expect(await left("one_time_tokens")).toBe(2);
  expect(await left("sessions")).toBe(2);
  expect(await db.selectFrom("provider_events").select("event_id").execute()).toEqual([
    { event_id: "age-89" },
  ]);
  const limits = await db.selectFrom("rate_limit_windows").select("key").execute();
  expect(limits.map(({ key }) => key.split(":")[0])).toEqual(["age-1"]);
});

test("finds nothing to do when run again", async () => {
  await cleanUp(world.context, now);
  const before = await digestDatabase(db);
  await cleanUp(world.context, now);
  expect(await digestDatabase(db)).toEqual(before);
  const { rows } = await sql`select 1 from orders`.execute(db);
  expect(rows.length).toBeGreaterThan(0);
});

test("deletes unproven sign-ins through a provider a day after they expired", async () => {
  const person = {
    provider: "google" as const,
    issuer: "https://issuer.example",
    firstName: "A",
    lastName: "B",
    email: null,
  };
  for (const age of [0.9, 1.1]) {
    const key = await db
      .transaction()
      .execute((trx) => openProof(trx, { ...person, subject: `age-${age}` }, "/"));
    await db
      .updateTable("identity_proofs")
      .set({ expires_at: daysAgo(age) })
      .where("key_hash", "=", hashToken(key))
      .execute();
  }
  await cleanUp(world.context, now);
  const left = await db.selectFrom("identity_proofs").select("subject").execute();
  expect(left).toEqual([{ subject: "age-0.9" }]);
});

test("deletes more drafts than one statement takes in one run", async () => {
  const old = await makeOrder(db, {}, { updated_at: daysAgo(31) });
  await sql`
    insert into orders
    select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'number', nextval('orders_number_seq')))).*
    from orders one, generate_series(1, 1200)
    where one.id = ${old}`.execute(db);
  await cleanUp(world.context, now);
  const drafts = await db
    .selectFrom("orders")
    .select("id")
    .where("updated_at", "<", daysAgo(30))
    .where("user_id", "is", null)
    .where("payment_status", "=", "none")
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("payment_intents").select("id").whereRef("order_id", "=", "orders.id"))),
    )
    .execute();
  expect(drafts).toEqual([]);
});

test("deletes expired credentials in batches, so that none waits for a long statement", async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 3 }, () => makeOrder(db)));
  if (first === undefined) throw new Error("Expected an order");
  await sql`
    insert into orders
    select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'number', nextval('orders_number_seq')))).*
    from orders one, generate_series(1, 1200)
    where one.id = ${first}`.execute(db);
  const old = daysAgo(0.001);
  await sql`
    insert into credentials (order_id, purpose, username, secret_ciphertext, expires_at, first_shown_at)
    select id, 'sign-in', 'x', 'v1.x', ${old}, ${daysAgo(7.001)} from orders
    where id <> all (${others.map(String)}::uuid[])
    on conflict do nothing`.execute(db);
  const batches = await counting("credentials", () => cleanUp(world.context, now));
  expect(batches.length).toBeGreaterThan(2);
  expect(Math.max(...batches)).toBeLessThanOrEqual(500);
  const left = await sql`select 1 from credentials where expires_at = ${old}`.execute(db);
  expect(left.rows).toEqual([]);
});

/** Counts the rows of a table that each statement deletes during `run`. */
async function counting(table: string, run: () => Promise<void>): Promise<number[]> {
  await sql`create table deletions (id serial primary key, count integer not null)`.execute(db);
  await sql`
    create function note_deletions() returns trigger language plpgsql as $$
    begin
      insert into deletions (count) select count(*) from gone;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger note_deletions after delete on ${sql.table(table)}
    referencing old table as gone for each statement execute function note_deletions()`.execute(db);
  try {
    await run();
    const { rows } = await sql<{ count: number }>`select count from deletions order by id`.execute(db);
    return rows.map(({ count }) => count);
  } finally {
    await sql`drop trigger note_deletions on ${sql.table(table)}`.execute(db);
    await sql`drop function note_deletions`.execute(db);
    await sql`drop table deletions`.execute(db);
  }
}
