/**
 * Resume links by mail: once for an abandoned draft; three times for a paid order without sign-in details, then an operator
 * alert.
 */
import { sql } from "kysely";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { OrderId } from "#db/ids.ts";
import { sendReminders } from "#server/operations/jobs/order-reminders.ts";
import { anonymousRequester, makeOrder, makePerson, type Person, readOrder } from "#tests/support/orders.ts";
import { startWorld } from "#tests/support/world.ts";

let buyer: Person;
const world = await startWorld();
beforeAll(async () => {
  buyer = await makePerson(world.context.db);
});
afterEach(async () => {
  await world.context.db.deleteFrom("order_lines").execute();
  await world.context.db.deleteFrom("orders").execute();
  await world.context.db.deleteFrom("mails").execute();
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = new Date("2027-03-01T09:00:00Z");
const sinceStart = (ms: number) => new Date(start.getTime() + ms);

const mailsOf = (id: OrderId) =>
  world.context.db
    .selectFrom("mails")
    .select(["kind", "recipient", "user_id", "dedupe_key", "data"])
    .where("order_id", "=", id)
    .orderBy("created_at")
    .execute();
const kindsOf = async (id: OrderId) => (await mailsOf(id)).map(({ kind }) => kind);
const buying = () => ({ requester: { ...anonymousRequester, userId: buyer.userId } });

describe("an abandoned draft", () => {
  const draft = (changes: Parameters<typeof makeOrder>[2] = {}) =>
    makeOrder(world.context.db, buying(), { updated_at: start, ...changes });

  test("sends a link after two hours, once", async () => {
    const id = await draft();
    expect(await sendReminders(world.context, sinceStart(2 * hour - minute))).toBe(0);
    expect(await mailsOf(id)).toEqual([]);
    expect(await sendReminders(world.context, sinceStart(2 * hour + minute))).toBe(1);
    expect(await mailsOf(id)).toMatchObject([
      { kind: "resume-order", recipient: buyer.email, user_id: buyer.userId, data: {} },
    ]);
    for (const later of [3 * hour, day, 5 * day])
      expect(await sendReminders(world.context, sinceStart(later))).toBe(0);
    expect(await kindsOf(id)).toEqual(["resume-order"]);
    expect(await readOrder(world.context.db, id)).toMatchObject({
      resume_mailed_at: sinceStart(2 * hour + minute),
    });
  });

  test("sends one mail when workers run concurrently", async () => {
    const id = await draft();
    const at = sinceStart(3 * hour);
    await Promise.all([1, 2, 3].map(() => sendReminders(world.context, at)));
    expect(await kindsOf(id)).toEqual(["resume-order"]);
  });

  test("sends a link for a checkout whose payment was begun but not made", async () => {
    const id = await draft({ stage: "stage2", payment_status: "pending" });
    await sendReminders(world.context, sinceStart(3 * hour));
    expect(await kindsOf(id)).toEqual(["resume-order"]);
  });

  test("sends nothing after a week", async () => {
    const id = await draft();
    expect(await sendReminders(world.context, sinceStart(7 * day + hour))).toBe(0);
    expect(await mailsOf(id)).toEqual([]);
  });

  test("sends nothing while the draft is removed from the cart", async () => {
    const id = await draft({ removed_at: start });
    expect(await sendReminders(world.context, sinceStart(3 * hour))).toBe(0);
    expect(await mailsOf(id)).toEqual([]);
    await world.context.db.updateTable("orders").set({ removed_at: null }).where("id", "=", id).execute();
    expect(await sendReminders(world.context, sinceStart(3 * hour))).toBe(1);
  });

  test("sends nothing if the buyer is unknown", async () => {
    const id = await makeOrder(world.context.db, {}, { updated_at: start });
    expect(await sendReminders(world.context, sinceStart(3 * hour))).toBe(0);
    expect(await mailsOf(id)).toEqual([]);
  });

  test("sends nothing for a paid order", async () => {
    const paid = { stage: "stage4", payment_status: "completed", fulfilment_status: "done" } as const;
    const id = await draft({ ...paid, paid_at: start });
    expect(await sendReminders(world.context, sinceStart(3 * hour))).toBe(0);
    expect(await mailsOf(id)).toEqual([]);
  });
});

describe("a paid order that waits for sign-in details", () => {
  const waiting = (changes: Parameters<typeof makeOrder>[2] = {}) =>
    makeOrder(world.context.db, buying(), {
      stage: "stage3",
      payment_status: "completed",
      fulfilment_status: "waiting_for_signin",
      paid_at: start,
      updated_at: start,
      ...changes,
    });

  test("sends reminders after 1 hour, 1 day and 3 days; an operator alert after 7 days", async () => {
    const id = await waiting();
    const moments: [number, string[]][] = [
      [59 * minute, []],
      [61 * minute, ["signin-reminder"]],
      [2 * hour, []],
      [day - minute, []],
      [day + minute, ["signin-reminder"]],
      [2 * day, []],
      [3 * day + minute, ["signin-reminder"]],
      [7 * day - minute, []],
      [7 * day + minute, ["operator-alert"]],
      [8 * day, []],
      [30 * day, []],
    ];
    const expected: string[] = [];
    for (const [ms, more] of moments) {
      expect(await sendReminders(world.context, sinceStart(ms)), `after ${ms / hour} hours`).toBe(
        more.length,
      );
      expected.push(...more);
      expect(await kindsOf(id), `after ${ms / hour} hours`).toEqual(expected);
    }
    const mails = await mailsOf(id);
    expect(mails.slice(0, 3).map(({ recipient }) => recipient)).toEqual(Array(3).fill(buyer.email));
    expect(new Set(mails.map(({ dedupe_key }) => dedupe_key)).size).toBe(4);
    expect(mails[3]).toMatchObject({
      recipient: "operator",
      data: { what: expect.stringContaining("This order was paid a week ago") },
    });
  });

  test("sends only the latest reminder after two days without a run", async () => {
    const id = await waiting();
    expect(await sendReminders(world.context, sinceStart(2 * day))).toBe(1);
    expect(await kindsOf(id)).toEqual(["signin-reminder"]);
    expect(await readOrder(world.context.db, id)).toMatchObject({ reminders_sent: 2 });
  });

  test("sends one mail when workers run concurrently", async () => {
    const id = await waiting();
    await Promise.all([1, 2, 3].map(() => sendReminders(world.context, sinceStart(2 * hour))));
    expect(await kindsOf(id)).toEqual(["signin-reminder"]);
  });

  test.each(["queued", "running", "done", "needs_attention"] as const)(
    "sends nothing once the order is %s",
    async (status) => {
      const id = await waiting({ fulfilment_status: status });
      expect(await sendReminders(world.context, sinceStart(2 * day))).toBe(0);
      expect(await mailsOf(id)).toEqual([]);
    },
  );
});

test("mails more drafts than one batch takes in one run, before they are too old", async () => {
  const { db } = world.context;
  const id = await makeOrder(db, buying(), { updated_at: start });
  await sql`
    insert into orders
    select (jsonb_populate_record(one, jsonb_build_object(
      'id', gen_random_uuid(), 'number', nextval('orders_number_seq'), 'updated_at', one.updated_at + n * interval '1 second'
    ))).*
    from orders one, generate_series(1, 249) n
    where one.id = ${id}`.execute(db);
  expect(await sendReminders(world.context, sinceStart(day))).toBe(250);
  expect(await sendReminders(world.context, sinceStart(day + 10 * minute))).toBe(0);
});

test("mails more orders than one batch takes in the following runs", async () => {
  const ids: OrderId[] = [];
  for (let count = 0; count < 104; count += 1) {
    ids.push(
      await makeOrder(world.context.db, buying(), {
        stage: "stage3",
        payment_status: "completed",
        fulfilment_status: "waiting_for_signin",
        paid_at: sinceStart(count),
      }),
    );
  }
  for (let run = 0; run < 3; run += 1) await sendReminders(world.context, sinceStart(2 * hour));
  const mails = await world.context.db.selectFrom("mails").select("order_id").execute();
  expect(new Set(mails.map(({ order_id }) => order_id)).size).toBe(ids.length);
});
