/**
 * Renewal mails: to everyone who may order for a company, 60, 30, 14, 7 and 1 days before the end, once each, and correct when
 * sent.
 */
import { afterEach, describe, expect, test } from "vitest";
import type { SubscriptionId } from "#db/ids.ts";
import { saveChoice } from "#db/orders/renewal-choices.ts";
import { chooseTopics } from "#server/accounts/mail-preferences.ts";
import { sendMail } from "#server/mail/send.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { sendRenewalReminders } from "#server/orders/subscriptions/renewal-reminders.ts";
import { anonymousRequester, join, makeCompany, makeOrder, makePerson } from "#tests/support/orders.ts";
import { insertTestSubscription, readSubscription } from "#tests/support/subscriptions.ts";
import { startWorldOfCompany } from "./company.ts";

const { world, owner, company } = await startWorldOfCompany();
afterEach(async () => {
  const { db } = world.context;
  await db.deleteFrom("subscriptions").execute();
  await db.deleteFrom("order_lines").execute();
  await db.deleteFrom("orders").execute();
  await db.deleteFrom("mails").execute();
  await db.deleteFrom("members").where("user_id", "<>", owner.userId).execute();
});

const hour = 3_600_000;
const day = 24 * hour;
const end = new Date("2028-03-01T09:00:00Z");
const earlier = (days: number) => new Date(end.getTime() - days * day);
const run = (now: Date) => sendRenewalReminders(world.context, now);
const hold = (changes: Parameters<typeof insertTestSubscription>[2] = {}, of = company) =>
  insertTestSubscription(world.context.db, of, { end_date: end, ...changes });
const mails = () =>
  world.context.db
    .selectFrom("mails")
    .select(["id", "kind", "recipient", "user_id", "dedupe_key", "data"])
    .orderBy("created_at")
    .orderBy("dedupe_key")
    .execute();
const milestoneIn = (key: string) => Number(key.split(":").at(-2));
const milestonesMailed = async () => (await mails()).map(({ dedupe_key }) => milestoneIn(dedupe_key));

describe("a yearly plan", () => {
  test("sends mails at 60, 30, 14, 7 and 1 days, rounded up, and at no other time", async () => {
    const id = await hold();
    const moments: [number, number[]][] = [
      [61, []],
      [60 + 1 / 24, []],
      [60, [60]],
      [59.9, []],
      [30 + 1 / 24, []],
      [30, [30]],
      [29.9, []],
      [14 + 1 / 24, []],
      [14, [14]],
      [8, []],
      [7 + 1 / 24, []],
      [7, [7]],
      [3, []],
      [1 + 1 / 24, []],
      [1, [1]],
      [0.5, []],
      [0, []],
      [-1, []],
      [-40, []],
    ];
    const expected: number[] = [];
    for (const [days, more] of moments) {
      expect(await run(earlier(days)), `${days} days before`).toBe(more.length);
      expected.push(...more);
      expect(await milestonesMailed(), `${days} days before`).toEqual(expected);
    }
    for (const mail of await mails()) {
      expect(mail).toMatchObject({
        kind: "renewal-reminder",
        recipient: owner.email,
        user_id: owner.userId,
        data: { subscriptionId: id, end: end.toISOString() },
      });
    }
  });

  test("sends only the most urgent mail after weeks without a run, then continues", async () => {
    await hold();
    expect(await run(earlier(5))).toBe(1);
    expect(await milestonesMailed()).toEqual([7]);
    expect(await run(earlier(0.9))).toBe(1);
    expect(await milestonesMailed()).toEqual([7, 1]);
  });

  test("sends one mail when workers run concurrently", async () => {
    await hold();
    const counts = await Promise.all([1, 2, 3, 4].map(() => run(earlier(20))));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await milestonesMailed()).toEqual([30]);
  });

  test("counts the days to a leap day like any other", async () => {
    const leap = new Date("2028-02-29T09:00:00Z");
    await hold({ start_date: new Date("2027-02-28T09:00:00Z"), end_date: leap });
    expect(await run(new Date("2028-01-30T08:59:59Z"))).toBe(1);
    expect(await run(new Date("2028-01-30T09:00:00Z"))).toBe(1);
    expect(await run(new Date("2028-02-28T09:00:00Z"))).toBe(1);
    expect(await milestonesMailed()).toEqual([60, 30, 1]);
  });
});

test("sends mails for a monthly plan at 7 and 1 days only", async () => {
  await hold({ term: "P1M", billing_cycle: "monthly", start_date: earlier(30) });
  for (const days of [30, 20, 8]) expect(await run(earlier(days))).toBe(0);
  for (const days of [7, 2, 1, 0.5]) await run(earlier(days));
  expect(await milestonesMailed()).toEqual([7, 1]);
});

describe("a subscription that needs no mail", () => {
  test("sends nothing once its next term is paid for", async () => {
    await hold({ next_term_start: earlier(2), next_term_quantity: 12 });
    expect(await run(earlier(5))).toBe(0);
  });

  test("sends nothing for the old end after a renewal, and mails for the new end", async () => {
    const id = await hold();
    expect(await run(earlier(7))).toBe(1);
    const later = new Date("2029-03-01T09:00:00Z");
    await world.context.db
      .updateTable("subscriptions")
      .set({ end_date: later })
      .where("id", "=", id)
      .execute();
    expect(await run(earlier(1))).toBe(0);
    expect(await run(new Date(later.getTime() - 7 * day))).toBe(1);
    expect(await milestonesMailed()).toEqual([7, 7]);
  });

  test.each(["expired", "cancelled"] as const)("sends nothing if it is %s", async (status) => {
    await hold({ status });
    expect(await run(earlier(5))).toBe(0);
  });

  test("sends nothing while a paid order renews it; other orders do not count", async () => {
    const id = await hold();
    const requester = { requester: { ...anonymousRequester, userId: owner.userId } };
    const order = await makeOrder(world.context.db, requester, {
      kind: "RENEW",
      subscription_id: id,
      stage: "stage3",
      payment_status: "completed",
      fulfilment_status: "queued",
    });
    const become = (changes: Parameters<typeof makeOrder>[2]) =>
      world.context.db
        .updateTable("orders")
        .set(changes ?? {})
        .where("id", "=", order)
        .execute();
    expect(await run(earlier(7))).toBe(0);
    await become({ kind: "ADD" });
    expect(await run(earlier(7))).toBe(1);
    await become({ kind: "RENEW", stage: "stage1", payment_status: "none", fulfilment_status: "not_due" });
    expect(await run(earlier(1))).toBe(1);
  });
});

describe("recipients", () => {
  test("includes each owner and buyer, but not approvers, viewers or closed accounts", async () => {
    const { db } = world.context;
    const second = await makePerson(db);
    const buyer = await makePerson(db);
    const closed = await makePerson(db);
    await join(db, company, second, "owner");
    await join(db, company, closed, "owner");
    await db.updateTable("users").set({ disabled_at: new Date() }).where("id", "=", closed.userId).execute();
    await join(db, company, buyer, "buyer");
    for (const role of ["approver", "viewer"] as const) await join(db, company, await makePerson(db), role);
    await hold();
    expect(await run(earlier(7))).toBe(1);
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([
      owner.email,
      second.email,
      buyer.email,
    ]);
    expect(await run(earlier(6))).toBe(0);
    expect(await mails()).toHaveLength(3);
  });

  test("gives each buyer a personal link, unless they switched these mails off", async () => {
    const { db } = world.context;
    const [wants, muted] = [await makePerson(db), await makePerson(db)];
    for (const buyer of [wants, muted]) await join(db, company, buyer, "buyer");
    await db.transaction().execute((trx) => chooseTopics(trx, muted.userId, ["reminders"]));
    const ends = new Date(Date.now() + 5 * day);
    await hold({ domain: "buyers.onmicrosoft.com", end_date: ends });
    await run(new Date());
    for (const { id } of await mails()) await sendMail(world.context, id);
    const [toBuyer] = await world.controls.inbox(wants.email);
    const toOwner = (await world.controls.inbox(owner.email)).find(({ text }) =>
      text.includes("buyers.onmicrosoft.com"),
    );
    const link = /\/renewal\/[\w-]{43}/;
    expect(toBuyer?.text).toContain("buyers.onmicrosoft.com");
    expect(toBuyer?.text.match(link)?.[0]).toMatch(link);
    expect(toBuyer?.text.match(link)?.[0]).not.toBe(toOwner?.text.match(link)?.[0]);
    expect(await world.controls.inbox(muted.email)).toEqual([]);
  });

  test("starts a new owner at the next milestone, without repeating the last", async () => {
    await hold();
    await run(earlier(20));
    const later = await makePerson(world.context.db);
    await join(world.context.db, company, later, "owner");
    expect(await run(earlier(19))).toBe(0);
    await run(earlier(7));
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([
      owner.email,
      owner.email,
      later.email,
    ]);
  });

  test("excludes owners of other companies", async () => {
    const stranger = await makePerson(world.context.db);
    await makeCompany(world.context.db, stranger, "Other Works");
    await hold();
    await run(earlier(7));
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([owner.email]);
  });
});

describe("a subscription that its company lets end", () => {
  const say = (id: SubscriptionId, decision: "stop" | "keep") =>
    world.context.db.transaction().execute((trx) =>
      saveChoice(trx, id, {
        decision,
        seats: null,
        chosenAt: new Date(),
        chosenBy: owner.userId,
        byLink: true,
      }),
    );
  const milestonesMarked = async (id: SubscriptionId) =>
    (await readSubscription(world.context.db, id)).reminded_days;

  test("sends no more mails, and is checked again only when the next mail would be due", async () => {
    const id = await hold();
    await run(earlier(60));
    await say(id, "stop");
    expect(await run(earlier(30))).toBe(0);
    expect(await milestonesMarked(id)).toBe(30);
    await say(id, "keep");
    expect(await run(earlier(20))).toBe(0);
    expect(await run(earlier(14))).toBe(1);
    expect(await milestonesMailed()).toEqual([60, 14]);
  });

  test("ignores the choice for the previous term", async () => {
    const id = await hold();
    await say(id, "stop");
    await world.context.db
      .updateTable("subscriptions")
      .set({ end_date: new Date("2029-03-01T09:00:00Z") })
      .where("id", "=", id)
      .execute();
    expect(await run(new Date("2029-02-20T09:00:00Z"))).toBe(1);
  });
});

test("mails about more subscriptions than one batch takes in one run", async () => {
  const ids: SubscriptionId[] = [];
  for (let count = 0; count < 205; count += 1) ids.push(await hold());
  expect(await run(earlier(3))).toBe(ids.length);
  const about = new Set((await mails()).map(({ dedupe_key }) => dedupe_key.split(":")[1]));
  expect(about).toEqual(new Set(ids));
});

describe("the mail as it arrives", () => {
  const sendAll = async () => {
    for (const { id } of await mails()) await sendMail(world.context, id);
  };
  /** Returns an end the given number of days from now, at half past midnight in India: the evening before in UTC. */
  const endIn = (days: number) => {
    const date = new Date(Date.now() + days * day);
    date.setUTCHours(19, 0, 0, 0);
    return date;
  };
  const arrivedFor = async (what: string) =>
    (await world.controls.inbox(owner.email)).filter(({ text }) => text.includes(what));

  test("shows plan, domain, licences, date in India and price, and links to the renewal", async () => {
    const ends = endIn(5);
    await hold({ end_date: ends });
    await run(new Date());
    await sendAll();
    const [mail] = await arrivedFor("Business Standard");
    const inIndia = formatDate(ends, "IN");
    expect(inIndia).not.toBe(formatDate(ends, "US"));
    expect(mail?.text).toContain(`for acme.onmicrosoft.com, 12 licenses, ends on ${inIndia}, in `);
    expect(mail?.subject).toMatch(/^Ends in [56] days: /);
    // From the seed: 12 licences for a year, 18% tax.
    expect(mail?.text).toMatch(
      /Renewing 12 licenses for a year costs ₹[\d,.]+ before GST, or ₹[\d,]+ including GST, today\./,
    );
    expect(mail?.text).toMatch(/\/renewal\/[\w-]{43}\n/);
  });

  test("says two months ahead when renewal opens, and that nothing is charged before", async () => {
    const ends = endIn(58);
    const id = await hold({ domain: "ahead.onmicrosoft.com", end_date: ends });
    await run(new Date());
    await sendAll();
    const [mail] = await arrivedFor("ahead.onmicrosoft.com");
    const opens = formatDate(new Date(ends.getTime() - 30 * day), "IN");
    expect(mail?.text).toContain(`You can renew from ${opens}, at the price on the day you pay.`);
    expect(mail?.text).toMatch(/Renewing 12 licenses for a year costs ₹[\d,.]+ before GST/);
    expect(mail?.text).not.toContain(`/${id}/renew`);
    expect(mail?.text).toContain("Plan your renewal");
  });

  test("uses Google's price for existing customers, not the sign-up price", async () => {
    await hold({
      item: "google-workspace-business-starter",
      family: "google",
      domain: "acme.example",
      quantity: 20,
      end_date: endIn(5),
    });
    await run(new Date());
    await sendAll();
    const [mail] = await arrivedFor("acme.example");
    // 20 x 2,760.00 (docs/specification.md, section 9.1), and 18%: the sign-up price of 1,932.00 is for newcomers.
    expect(mail?.text).toContain("costs ₹55,200 before GST, or ₹65,136 including GST, today.");
  });

  test("omits the price if the item is not sold with this billing", async () => {
    await hold({ billing_cycle: "monthly", domain: "unpriced.onmicrosoft.com", end_date: endIn(5) });
    await run(new Date());
    await sendAll();
    const [mail] = await arrivedFor("unpriced.onmicrosoft.com");
    expect(mail?.text).toContain("12 licenses");
    expect(mail?.text).not.toContain("costs");
  });

  test("shows the number of licences that the company chose; not sent if it ends", async () => {
    const { db } = world.context;
    const [fewer, stop] = [
      await hold({ domain: "fewer.onmicrosoft.com", end_date: endIn(20) }),
      await hold({ domain: "stop.onmicrosoft.com", end_date: endIn(20) }),
    ];
    await run(new Date());
    const choice = { chosenAt: new Date(), chosenBy: owner.userId, byLink: true };
    await db.transaction().execute(async (trx) => {
      await saveChoice(trx, fewer, { ...choice, decision: "fewer", seats: 8 });
      await saveChoice(trx, stop, { ...choice, decision: "stop", seats: null });
    });
    await sendAll();
    const [mail] = await arrivedFor("fewer.onmicrosoft.com");
    expect(mail?.text).toContain("You've chosen to renew 8 licenses.");
    expect(mail?.text).toContain("Renewing 8 licenses for a year costs ₹69,984 before GST");
    expect(await arrivedFor("stop.onmicrosoft.com")).toEqual([]);
  });

  test("does not go out after a renewal", async () => {
    const id = await hold({ domain: "renewed.onmicrosoft.com", end_date: endIn(5) });
    await run(new Date());
    await world.context.db
      .updateTable("subscriptions")
      .set({ end_date: endIn(370) })
      .where("id", "=", id)
      .execute();
    await sendAll();
    expect(await arrivedFor("renewed.onmicrosoft.com")).toEqual([]);
  });
});
