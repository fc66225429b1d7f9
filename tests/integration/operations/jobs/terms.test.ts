/** The clock of subscriptions: begins paid next terms and ends last ones, once each, and never while an order changes them. */
import { afterEach, describe, expect, test } from "vitest";
import type { OrderId, SubscriptionId } from "#db/ids.ts";
import { sendMail } from "#server/mail/send.ts";
import { advanceTerms } from "#server/orders/subscriptions/advance-terms.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { anonymousRequester, join, makeOrder, makePerson } from "#tests/support/orders.ts";
import { insertTestSubscription, readSubscription } from "#tests/support/subscriptions.ts";
import { startWorldOfCompany } from "./company.ts";

const { world, owner, company } = await startWorldOfCompany();
afterEach(async () => {
  const { db } = world.context;
  await db.deleteFrom("subscriptions").execute();
  await db.deleteFrom("order_lines").execute();
  await db.deleteFrom("orders").execute();
  await db.deleteFrom("mails").execute();
});

const start = new Date("2027-03-01T09:00:00Z");
const turn = new Date("2028-03-01T09:00:00Z");
const last = new Date("2029-03-01T09:00:00Z");
const past = (date: Date, ms = 1) => new Date(date.getTime() + ms);

const run = (now: Date) => advanceTerms(world.context, now);
const hold = (changes: Parameters<typeof insertTestSubscription>[2] = {}) =>
  insertTestSubscription(world.context.db, company, { start_date: start, end_date: turn, ...changes });
/** Creates a subscription that was renewed early, with a paid next term and other seats. */
const renewed = () => hold({ end_date: last, next_term_start: turn, next_term_quantity: 15 });
const row = (id: SubscriptionId) => readSubscription(world.context.db, id);
const mails = () =>
  world.context.db
    .selectFrom("mails")
    .select(["id", "kind", "recipient", "dedupe_key"])
    .orderBy("id")
    .execute();
const order = (changes: Parameters<typeof makeOrder>[2]) =>
  makeOrder(
    world.context.db,
    { requester: { ...anonymousRequester, userId: owner.userId } },
    { stage: "stage3", payment_status: "completed", fulfilment_status: "running", ...changes },
  );
const change = (id: OrderId, changes: Parameters<typeof makeOrder>[2]) =>
  world.context.db
    .updateTable("orders")
    .set(changes ?? {})
    .where("id", "=", id)
    .execute();

describe("a paid next term", () => {
  test("becomes the current term at its start, with its own seats; the end stays", async () => {
    const id = await renewed();
    expect(await run(past(turn, -1))).toEqual({ begun: 0, ended: 0 });
    expect(await row(id)).toMatchObject({ start_date: start, quantity: 12, next_term_start: turn });
    expect(await run(turn)).toEqual({ begun: 1, ended: 0 });
    expect(await row(id)).toMatchObject({
      start_date: turn,
      end_date: last,
      quantity: 15,
      status: "active",
      next_term_start: null,
      next_term_quantity: null,
    });
    expect(await run(past(turn))).toEqual({ begun: 0, ended: 0 });
    expect(await mails()).toMatchObject([{ kind: "renewal-window", recipient: owner.email }]);
  });

  test("begins before anything ends: a late job does both, with one mail each", async () => {
    const id = await renewed();
    expect(await run(past(last))).toEqual({ begun: 1, ended: 1 });
    expect(await row(id)).toMatchObject({
      start_date: turn,
      end_date: last,
      quantity: 15,
      status: "expired",
    });
    const kinds = (await mails()).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["renewal-window", "subscription-ended"]);
  });

  test("waits for an order that is changing the subscription, then begins", async () => {
    const at = await order({ kind: "ADD" });
    const id = await renewed();
    await world.context.db
      .updateTable("subscriptions")
      .set({ changing_order_id: at })
      .where("id", "=", id)
      .execute();
    for (const fulfilment_status of ["queued", "running", "needs_attention"] as const) {
      await change(at, { fulfilment_status });
      expect(await run(past(turn)), fulfilment_status).toEqual({ begun: 0, ended: 0 });
    }
    // Nor does it end while that order is at work.
    expect(await run(past(last))).toEqual({ begun: 0, ended: 0 });
    await change(at, { stage: "stage4", fulfilment_status: "done" });
    expect(await run(past(turn))).toEqual({ begun: 1, ended: 0 });
  });
});

describe("a last term that has ended", () => {
  test("ends at its time, with one mail to each owner", async () => {
    const second = await makePerson(world.context.db);
    await join(world.context.db, company, second, "owner");
    const id = await hold();
    const later = await hold({ end_date: past(turn, 60_000) });
    expect(await run(past(turn, -1))).toEqual({ begun: 0, ended: 0 });
    expect(await run(turn)).toEqual({ begun: 0, ended: 1 });
    expect(await row(id)).toMatchObject({
      status: "expired",
      start_date: start,
      end_date: turn,
      quantity: 12,
    });
    expect(await row(later)).toMatchObject({ status: "active" });
    for (let again = 0; again < 2; again += 1) await run(turn);
    const sent = await mails();
    expect(sent.map(({ kind }) => kind)).toEqual(["subscription-ended", "subscription-ended"]);
    expect(new Set(sent.map(({ recipient }) => recipient))).toEqual(new Set([owner.email, second.email]));
    await world.context.db.deleteFrom("members").where("user_id", "=", second.userId).execute();
  });

  test("does not end an add-on that is paid for longer than its base", async () => {
    const base = await hold();
    const item = "copilot-for-microsoft-365";
    const longer = await hold({ item, parent_subscription_id: base, end_date: last });
    const shorter = await hold({ item, parent_subscription_id: base, end_date: past(turn, -1000) });
    expect(await run(turn)).toEqual({ begun: 0, ended: 2 });
    expect(await row(base)).toMatchObject({ status: "expired" });
    expect(await row(shorter)).toMatchObject({ status: "expired" });
    expect(await row(longer)).toMatchObject({ status: "active" });
    await world.context.db.deleteFrom("subscriptions").where("parent_subscription_id", "=", base).execute();
  });

  test("does not change a cancelled subscription", async () => {
    const id = await hold({ status: "cancelled" });
    expect(await run(past(last))).toEqual({ begun: 0, ended: 0 });
    expect(await row(id)).toMatchObject({ status: "cancelled" });
  });

  test.each(["changing it", "waiting for its turn"])("waits while a paid renewal is %s", async (how) => {
    const id = await hold();
    const at = await order({ kind: "RENEW", subscription_id: id, fulfilment_status: "queued" });
    if (how === "changing it") {
      await change(at, { subscription_id: null });
      await world.context.db
        .updateTable("subscriptions")
        .set({ changing_order_id: at })
        .where("id", "=", id)
        .execute();
    }
    expect(await run(past(turn))).toEqual({ begun: 0, ended: 0 });
    expect(await row(id)).toMatchObject({ status: "active" });
    // Given up and refunded: it ends after all.
    await change(at, { stage: "stage2", payment_status: "refunded" });
    expect(await run(past(turn))).toEqual({ begun: 0, ended: 1 });
  });

  test("ends again after a later renewal, with its own mail", async () => {
    const id = await hold();
    await run(turn);
    await world.context.db
      .updateTable("subscriptions")
      .set({ status: "active", end_date: last })
      .where("id", "=", id)
      .execute();
    await run(last);
    expect(await mails()).toHaveLength(2);
  });
});

test("begins or ends each subscription once in concurrent runs, beyond one batch", async () => {
  const ids: SubscriptionId[] = [];
  for (let count = 0; count < 120; count += 1) ids.push(await (count % 2 === 0 ? renewed() : hold()));
  const results = await Promise.all([1, 2, 3].map(() => run(turn)));
  expect(results.reduce((sum, { begun }) => sum + begun, 0)).toBe(60);
  expect(results.reduce((sum, { ended }) => sum + ended, 0)).toBe(60);
  const kinds = (await mails()).map(({ kind }) => kind);
  for (const kind of ["renewal-window", "subscription-ended"] as const)
    expect(kinds.filter((each) => each === kind)).toHaveLength(60);
  // Nothing is left for a later run.
  expect(await run(turn)).toEqual({ begun: 0, ended: 0 });
});

describe("the mail as it arrives", () => {
  const ended = (domain: string) =>
    hold({
      domain,
      start_date: new Date("2025-02-28T19:00:00Z"),
      end_date: new Date("2026-02-28T19:00:00Z"),
    });
  const sendAll = async () => {
    for (const { id } of await mails()) await sendMail(world.context, id);
  };
  const arrivedFor = async (domain: string) =>
    (await world.controls.inbox(owner.email)).filter(({ text }) => text.includes(domain));

  test("names the plan and its last day in India, and links to the renewal", async () => {
    const id = await ended("over.onmicrosoft.com");
    await run(new Date());
    await sendAll();
    const [mail] = await arrivedFor("over.onmicrosoft.com");
    expect(mail?.subject).toMatch(/^Your subscription has ended: Microsoft 365 Business Standard /);
    expect(mail?.text).toContain("12 licenses, ended on 1st March 2026.");
    expect(formatDate(new Date("2026-02-28T19:00:00Z"), "US")).toBe("28th February 2026");
    expect(mail?.text).toContain(`${world.context.env.PUBLIC_URL}/${id}/renew\n`);
  });

  test("does not go out after a renewal in between", async () => {
    const id = await ended("again.onmicrosoft.com");
    await run(new Date());
    await world.context.db
      .updateTable("subscriptions")
      .set({ status: "active", end_date: new Date(Date.now() + 1e9) })
      .where("id", "=", id)
      .execute();
    await sendAll();
    expect(await arrivedFor("again.onmicrosoft.com")).toEqual([]);
  });
});
