/**
 * Mails at the start of a renewed term: owners and buyers learn once until when they can reduce or cancel it and what is
 * refunded.
 */
import { expect, test } from "vitest";
import type { OrderId, SubscriptionId } from "#db/ids.ts";
import { chooseTopics } from "#server/accounts/mail-preferences.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import * as paths from "#server/foundation/paths.ts";
import { sendMail } from "#server/mail/send.ts";
import { advanceTerms } from "#server/orders/subscriptions/advance-terms.ts";
import { formatDate, formatDateTime } from "#server/orders/subscriptions/dates.ts";
import { refreshSubscription } from "#server/orders/subscriptions/refresh.ts";
import { cancelPage, openConfirmation } from "#tests/support/bought-subscription.ts";
import { beginChange, outcomeOfChange, payChange } from "#tests/support/changes.ts";
import {
  createSubscriptionFor,
  makeCustomer,
  type SubscriptionSpec,
  seedProviders,
} from "#tests/support/customer.ts";
import { mainContentOf } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { join, makePerson, readOrder, signedIn } from "#tests/support/orders.ts";
import { lastErrorOf, makeJobsDue } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";
import { readSubscription } from "#tests/support/subscriptions.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls } = await startStore({ worker: true });
const { db } = context;
const hour = 3_600_000;

async function holding(what: SubscriptionSpec) {
  const customer = await makeCustomer(db);
  const { id } = await createSubscriptionFor(db, customer, what);
  await seedProviders(db, stack.sandboxUrl, customer);
  return { ...customer, id, browser: await signedIn(context, stack.url, customer.owner) };
}
type Known = Awaited<ReturnType<typeof holding>>;

/** Renews a subscription. @returns the renewal's fulfilled order */
async function renew({ browser, id }: Known, quantity: number) {
  const order = await beginChange(browser, "renew", id, quantity);
  await payChange(browser, stack.sandboxUrl, order);
  expect(await outcomeOfChange(context, order)).toBe("done");
  return readOrder(db, order.id);
}

const windowMails = (id: SubscriptionId) =>
  db
    .selectFrom("mails")
    .selectAll()
    .where("dedupe_key", "like", `renewal-window:${id}:%`)
    .orderBy("dedupe_key")
    .execute();

/** Waits for the mail about the cancellation window and returns its text. */
async function letterTo(email: string) {
  const find = async () =>
    (await controls.inbox(email)).find(({ subject }) => subject.includes("You can still reduce or cancel: "));
  await until(`a mail to ${email}`, async () => (await find()) !== undefined);
  return (await find())?.text.replaceAll(/\s+/g, " ") ?? "";
}

const rowOf = async ({ browser }: Known) =>
  wordsOf(mainContentOf((await browser.get(paths.subscriptions())).text));

/** Moves the term and its orders back, as if this many hours had passed since the renewal. */
async function letPass({ id }: Known, hours: number): Promise<void> {
  const { start_date } = await readSubscription(db, id);
  const earlier = (date: Date) => new Date(date.getTime() - hours * hour);
  await db
    .updateTable("subscriptions")
    .set({ start_date: earlier(start_date) })
    .where("id", "=", id)
    .execute();
  const orders = await db
    .selectFrom("orders")
    .select(["id", "fulfilled_at"])
    .where("subscription_id", "=", id)
    .execute();
  for (const { id: orderId, fulfilled_at } of orders)
    if (fulfilled_at !== null)
      await db
        .updateTable("orders")
        .set({ fulfilled_at: earlier(fulfilled_at) })
        .where("id", "=", orderId)
        .execute();
}

/**
 * Sets the data as if the old term, renewed 20 days before its end, had ended an hour ago. @returns the start of the new term
 */
async function beganAnHourAgo({ id }: Known, orderId: OrderId): Promise<Date> {
  const begins = new Date(Date.now() - hour);
  await db
    .updateTable("subscriptions")
    .set({ next_term_start: begins, end_date: new Date(begins.getTime() + 365 * 24 * hour) })
    .where("id", "=", id)
    .execute();
  await db
    .updateTable("orders")
    .set({
      details: JSON.stringify({ renewal: { after: begins.toISOString() } }),
      fulfilled_at: new Date(begins.getTime() - 20 * 24 * hour),
    })
    .where("id", "=", orderId)
    .execute();
  return begins;
}

test("mails owners and buyers once with Microsoft's deadlines, refunds and a link", async () => {
  const known = await holding({ quantity: 10, endsInDays: -3 });
  const [buyer, muted, approver] = [await makePerson(db), await makePerson(db), await makePerson(db)];
  await join(db, known.customerId, buyer, "buyer");
  await join(db, known.customerId, muted, "buyer");
  await join(db, known.customerId, approver, "approver");
  await db.transaction().execute((trx) => chooseTopics(trx, muted.userId, ["reminders"]));
  const order = await renew(known, 4);
  const fulfilledAt = order.fulfilled_at ?? new Date(0);

  const text = await letterTo(known.owner.email);
  const licencesUntil = formatDateTime(new Date(fulfilledAt.getTime() + 72 * hour), "IN");
  expect(licencesUntil).toMatch(/^\d+\w\w \w+ \d{4}, \d+:\d\d [ap]m \(India Standard Time\)$/);
  expect(text).toContain(`You can remove up to 3 licenses until ${licencesUntil}.`);
  const { start_date, end_date } = await readSubscription(db, known.id);
  const cancelUntil = formatDateTime(new Date(start_date.getTime() + 7 * 24 * hour), "IN");
  expect(text).toContain(`You can cancel the whole subscription until ${cancelUntil}.`);
  expect(text).toContain(`4 licenses, from ${formatDate(start_date, "IN")} to ${formatDate(end_date, "IN")}`);
  // The linked page shows the same deadlines.
  const link = paths.cancelSubscription(known.id);
  expect(text).toContain(`${stack.url}${link}`);
  const page = wordsOf(mainContentOf((await cancelPage(known)).text));
  for (const moment of [licencesUntil, cancelUntil])
    expect(page).toContain(`You can do this until ${moment}.`);
  for (const [how, words] of [
    ["1", "For each one you remove today, we'll refund"],
    ["all", "If you cancel today, we'll refund"],
  ] as const) {
    const { totalMinor } = await openConfirmation(known, how);
    expect(text).toContain(`${words} ${formatMoney({ minor: totalMinor, currency: "INR" })}, including tax`);
  }

  // Each mail has its own unsubscribe address.
  const shared = (letter: string) => letter.replace(/unsubscribe\/[\w-]+/, "");
  expect(shared(await letterTo(buyer.email))).toBe(shared(text));
  await until("all are processed", async () =>
    (await windowMails(known.id)).every(({ sent_at, withheld }) => sent_at !== null || withheld !== null),
  );
  const all = await windowMails(known.id);
  expect(all.map(({ recipient }) => recipient)).toEqual([known.owner.email, buyer.email, muted.email]);
  expect(await controls.inbox(muted.email)).toEqual([]);
  await advanceTerms(context);
  expect(await windowMails(known.id)).toHaveLength(3);
});

test("shows the deadline in My Subscriptions until it passes, to buyers only", async () => {
  const known = await holding({ quantity: 10, endsInDays: -3 });
  expect(await rowOf(known)).not.toContain("remove licenses from the new term");
  const viewer = await makePerson(db);
  await join(db, known.customerId, viewer, "viewer");
  const order = await renew(known, 4);
  const until = new Date((order.fulfilled_at?.getTime() ?? 0) + 72 * hour);
  const said = `You can remove licenses from the new term until ${formatDateTime(until, "IN")}`;
  expect(await rowOf(known)).toContain(said);
  expect((await known.browser.get(paths.subscriptions())).text).toContain(
    `href="${paths.cancelSubscription(known.id)}"`,
  );
  const looking = await signedIn(context, stack.url, viewer);
  expect(await rowOf({ ...known, browser: looking })).not.toContain("remove licenses from the new term");
  await letPass(known, 71.9);
  expect(await rowOf(known)).toContain("You can remove licenses from the new term until");
  await letPass(known, 0.2);
  expect(await rowOf(known)).not.toContain("remove licenses from the new term");
  expect(wordsOf(mainContentOf((await cancelPage(known)).text))).toContain("The deadline for this was");
});

test("mails once at the start of a term that was renewed early", async () => {
  const known = await holding({ family: "brio", quantity: 10, endsInDays: 20 });
  const order = await renew(known, 6);
  await until("the confirmation is there", async () =>
    (await controls.inbox(known.owner.email)).some(({ subject }) => subject.startsWith("License Renewed")),
  );
  const confirmation = (await controls.inbox(known.owner.email)).find(({ subject }) =>
    subject.startsWith("License Renewed"),
  );
  expect(confirmation?.text.replaceAll(/\s+/g, " ")).toContain(
    "Once the new term has started, you can remove licenses for 72 hours.",
  );
  expect(await windowMails(known.id)).toEqual([]);
  expect(await rowOf(known)).not.toContain("remove licenses from the new term");
  const begins = await beganAnHourAgo(known, order.id);
  await Promise.all([advanceTerms(context), advanceTerms(context)]);
  const text = await letterTo(known.owner.email);
  const until72 = formatDateTime(new Date(begins.getTime() + 72 * hour), "IN");
  expect(text).toContain(`You can remove up to 5 licenses until ${until72}.`);
  expect(text).not.toContain("the whole subscription");
  expect(await rowOf(known)).toContain(until72);
  expect(await windowMails(known.id)).toHaveLength(1);
});

test("waits until Microsoft has begun the term before it mails", async () => {
  const known = await holding({ quantity: 10, endsInDays: 20 });
  const order = await renew(known, 6);
  const begins = await beganAnHourAgo(known, order.id);
  await advanceTerms(context);
  // The worker may process it at the same time.
  await until("the mail is queued", async () => (await windowMails(known.id)).length === 1);
  const [mail] = await windowMails(known.id);
  if (mail === undefined) throw new Error("Expected a queued mail");
  await until("the letter's first attempt failed", async () =>
    Boolean((await lastErrorOf(db, `mail:${mail.id}`))?.includes("not_begun_there")),
  );
  const { external_id: id } = await readSubscription(db, known.id);
  await controls.console({ id, endsAt: begins.toISOString() });
  await makeJobsDue(db);
  const until72 = formatDateTime(new Date(begins.getTime() + 72 * hour), "IN");
  expect(await letterTo(known.owner.email)).toContain(`You can remove up to 5 licenses until ${until72}.`);
});

test("mails once, too, when the vendor begins the term before our clock does", async () => {
  const known = await holding({ quantity: 10, endsInDays: 100 });
  await db
    .updateTable("subscriptions")
    .set({ next_term_start: new Date(Date.now() - hour), next_term_quantity: 10 })
    .where("id", "=", known.id)
    .execute();
  expect(await refreshSubscription(context, known.id)).toMatchObject({ next: null });
  expect(await windowMails(known.id)).toHaveLength(1);
  await advanceTerms(context);
  await refreshSubscription(context, known.id);
  expect(await windowMails(known.id)).toHaveLength(1);
});

test("sends and shows nothing for Google, which takes no licences back", async () => {
  const known = await holding({ family: "google", quantity: 10, endsInDays: -3 });
  await renew(known, 4);
  expect(await rowOf(known)).not.toContain("remove licenses from the new term");
  expect(await windowMails(known.id)).toEqual([]);
});

test("withholds a mail whose deadlines have passed", async () => {
  const known = await holding({ family: "brio", quantity: 10, endsInDays: -3 });
  await renew(known, 4);
  await letterTo(known.owner.email);
  const [sent] = await windowMails(known.id);
  if (sent === undefined) throw new Error("Expected a queued mail");
  await letPass(known, 73);
  await db.updateTable("mails").set({ sent_at: null }).where("id", "=", sent.id).execute();
  const before = (await controls.inbox(known.owner.email)).length;
  await sendMail(context, sent.id);
  expect(await controls.inbox(known.owner.email)).toHaveLength(before);
});
