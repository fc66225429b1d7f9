/** Operations in Desk: mails, jobs and vendors with their actions, and the figures on the start page. */
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { findPause } from "#db/fulfilment/vendor-pauses.ts";
import type { MailId, OrderId } from "#db/ids.ts";
import { listRateLimitHits } from "#db/platform/provider-health.ts";
import { consentInSandbox } from "#sandbox/demo/consent.ts";
import { queueResetMail, requestPasswordReset } from "#server/accounts/password-reset.ts";
import { readJobs } from "#server/desk/jobs.ts";
import { listVendorMarkets } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { updateMarket } from "#server/desk/vendor-catalogue/update.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { queueMail } from "#server/foundation/outbox/mail.ts";
import * as paths from "#server/foundation/paths.ts";
import { sendMail } from "#server/mail/send.ts";
import { makeStaff, staffBrowser, type TestStaff } from "#tests/support/desk.ts";
import { type HttpBrowser, mainContentOf, type TestResponse } from "#tests/support/http-browser.ts";
import { toCheckout } from "#tests/support/journey.ts";
import { anonymousRequester, makeOrder, makePerson } from "#tests/support/orders.ts";
import { paidOrder } from "#tests/support/paid-order.ts";
import { deleteQueuedJobs, queuedJobs } from "#tests/support/queue.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();
const { db } = context;

let support: TestStaff;
let desk: HttpBrowser;
let viewer: HttpBrowser;
beforeAll(async () => {
  support = await makeStaff(context, "support");
  desk = await staffBrowser(context, stack.url, support);
  viewer = await staffBrowser(context, stack.url, await makeStaff(context, "viewer"));
});

const said = ({ text }: TestResponse) => mainContentOf(text);
const read = async (path: string, browser = desk) => said(await browser.get(path));
const entriesOf = (subject: string) =>
  db
    .selectFrom("audit_log")
    .select(["action", "data"])
    .where("subject", "=", subject)
    .where("staff_id", "=", support.id)
    .orderBy("id")
    .execute();

interface RequestedMail {
  id: MailId;
  email: string;
  userId: Awaited<ReturnType<typeof makePerson>>["userId"];
  orderId: OrderId;
}

async function requestMail(): Promise<RequestedMail> {
  const { email, userId } = await makePerson(db);
  const orderId = await makeOrder(db, { requester: { ...anonymousRequester, userId } });
  const dedupeKey = crypto.randomUUID();
  await db
    .transaction()
    .execute((trx) =>
      queueMail(trx, { kind: "order-confirmation", dedupeKey, recipient: email, userId, orderId }),
    );
  const { id } = await db
    .selectFrom("mails")
    .select("id")
    .where("dedupe_key", "=", dedupeKey)
    .executeTakeFirstOrThrow();
  return { id, email, userId, orderId };
}

async function suppress({ id, email }: RequestedMail): Promise<void> {
  await db.updateTable("mails").set({ refused_at: new Date() }).where("id", "=", id).execute();
  await db
    .insertInto("mail_suppressions")
    .values({ email, reason: "smtp refused SEND (550)", mail_id: id })
    .execute();
}

describe("the mail log", () => {
  test("filters by address, kind, state and order, and shows the outcome of each mail", async () => {
    const [one, other] = [await requestMail(), await requestMail()];
    await sendMail(context, one.id);
    const { number } = await db
      .selectFrom("orders")
      .select("number")
      .where("id", "=", one.orderId)
      .executeTakeFirstOrThrow();
    for (const filter of [
      { recipient: one.email.toUpperCase() },
      { order: String(number) },
      { state: "sent", recipient: one.email },
      { kind: "order-confirmation", recipient: one.email },
    ]) {
      const page = await read(paths.deskMail(filter));
      expect(page, JSON.stringify(filter)).toContain(one.email);
      expect(page).not.toContain(other.email);
      expect(page).toContain(paths.deskOrder(one.orderId));
    }
    for (const filter of [{ order: "999999999" }, { order: "no number" }, { state: "bounced" }])
      expect(await read(paths.deskMail({ ...filter, recipient: one.email }))).toContain(
        "No matching emails.",
      );
    // An unknown filter value is ignored; an invalid page is refused.
    expect(await read(paths.deskMail({ state: "lost", recipient: one.email }))).toContain(one.email);
    expect((await desk.get(paths.deskMail({ page: "nonsense" }))).status).toBe(400);
  });

  test("resends a mail with a reason, for staff with the permission only", async () => {
    const mail = await requestMail();
    const path = paths.deskActionForm("mail.resend", mail.id);
    expect(await read(paths.deskMail({ recipient: mail.email }))).not.toContain(path);
    expect((await desk.post(path, { reason: "too early" })).status).toBe(409);
    await sendMail(context, mail.id);
    expect(await read(paths.deskMail({ recipient: mail.email }))).toContain(path);
    expect(await read(paths.deskMail({ recipient: mail.email }), viewer)).not.toContain("Resend");

    const answer = await desk.post(path, { reason: "It was deleted" });
    expect(answer.location).toBe(paths.deskMail());
    const mails = await db
      .selectFrom("mails")
      .select(["kind", "recipient", "order_id"])
      .where("recipient", "=", mail.email)
      .execute();
    expect(mails).toEqual(
      Array(2).fill({ kind: "order-confirmation", recipient: mail.email, order_id: mail.orderId }),
    );
    expect(await entriesOf(`order:${mail.orderId}`)).toMatchObject([
      { action: "mail.resent", data: { reason: "It was deleted", by: support.email, mail: mail.id } },
    ]);
  });
});

describe("a suppressed address", () => {
  test("appears in the list, until its suppression is lifted with a reason", async () => {
    const mail = await requestMail();
    await suppress(mail);
    const path = paths.deskActionForm("mail-suppression.lift", mail.id);
    const page = await read(paths.deskMail({ recipient: mail.email }));
    expect(page).toContain("smtp refused SEND (550)");
    expect(page).toContain(path);
    expect(await read(paths.deskMail({ recipient: mail.email }), viewer)).not.toContain(path);
    expect(said(await desk.get(paths.deskActionForm("mail.resend", mail.id)))).toContain(
      "This address is suppressed. Lift its suppression first.",
    );

    expect((await desk.post(path, { reason: "" })).status).toBe(400);
    expect((await desk.post(path, { reason: "Told by phone that it works" })).location).toBe(
      paths.deskMail(),
    );
    expect(await read(paths.deskMail({ recipient: mail.email }))).toContain(
      "This address isn&#x27;t suppressed.",
    );
    expect(await entriesOf(`mail:${mail.id}`)).toMatchObject([
      { action: "mail-suppression.lifted", data: { reason: "Told by phone that it works" } },
    ]);
    expect((await desk.get(path)).status).toBe(404);
  });

  test("creates a work item when a suppressed user requests a password reset", async () => {
    const mail = await requestMail();
    await suppress(mail);
    const askForPassword = async () => {
      await requestPasswordReset(db, mail.email, "203.0.113.9");
      await queueResetMail(db, { requestId: crypto.randomUUID(), email: mail.email });
      const { id } = await db
        .selectFrom("mails")
        .select("id")
        .where("recipient", "=", mail.email)
        .where("kind", "=", "reset-password")
        .orderBy("created_at", "desc")
        .limit(1)
        .executeTakeFirstOrThrow();
      await sendMail(context, id);
    };
    const queue = () => read(paths.desk({ kind: "password-mail" }));
    expect(await queue()).not.toContain(mail.email);

    await askForPassword();
    expect(await controls.inbox(mail.email)).toEqual([]);
    const lift = paths.deskActionForm("mail-suppression.lift", mail.id);
    expect(await queue()).toContain(`${mail.email} requested an email to set a password, 1 time.`);
    expect(await queue()).toContain(lift);
    // It is one work item, and not also one of the refused mails.
    expect(await read(paths.desk({ kind: "mail" }))).not.toContain("reset-password to");

    await desk.post(paths.deskActionForm("item.done", `password-mail ${mail.id}`), {
      reason: "Will call back",
    });
    expect(await queue()).not.toContain(mail.email);
    await askForPassword();
    expect(await queue()).toContain(`${mail.email} requested an email to set a password, 1 time.`);

    await desk.post(lift, { reason: "The mailbox is back" });
    expect(await queue()).not.toContain(mail.email);
    await askForPassword();
    expect(await controls.inbox(mail.email)).toHaveLength(1);
  });
});

describe("jobs", () => {
  const failing = async (account: string) => {
    await db
      .transaction()
      .execute((trx) => addJob(trx, "probe-vendor", { account }, { jobKey: `probe:${account}` }));
    const [job] = (await readJobs(db, { limit: 1 })).rows;
    const id = job?.id ?? "";
    await sql`select graphile_worker.permanently_fail_jobs(array[${id}::bigint], 'the vendor is out')`.execute(
      db,
    );
    return id;
  };

  test("shows failed jobs without payload, and retries one or all", async () => {
    await deleteQueuedJobs(db);
    const ids = [await failing("secret-account"), await failing("other-account"), await failing("third")];
    const page = await read(paths.deskJobs({ state: "failed" }));
    expect(page).toContain("the vendor is out");
    expect(page).not.toContain("secret-account");
    expect(page).toContain("25 of 25");
    expect(page).toContain("Try again: probe-vendor (3 failed)");
    expect(await read(paths.deskJobs({ state: "failed" }), viewer)).not.toContain("Try again");

    const [first = ""] = ids;
    expect(
      (await desk.post(paths.deskActionForm("job.retry", first), { reason: "It is back" })).location,
    ).toBe(paths.deskJobs());
    expect(await entriesOf(`job:${first}`)).toMatchObject([{ action: "job.retried" }]);
    const answer = await desk.post(paths.deskActionForm("jobs.retry-all", "probe-vendor"), {
      reason: "It is back",
    });
    expect(answer.location).toBe(paths.deskJobs());
    expect(await entriesOf("jobs:probe-vendor")).toMatchObject([
      { action: "jobs.retried", data: { count: 2, by: support.email } },
    ]);
    const states = (await readJobs(db, {})).rows.map(({ state, attempts }) => [state, attempts]);
    expect(states).toEqual(Array(3).fill(["due", 0]));
    const none = await desk.post(paths.deskActionForm("jobs.retry-all", "probe-vendor"), { reason: "again" });
    expect(none.status).toBe(409);
    expect(await read(paths.deskJobs({ name: "clean-up" }))).toContain("No matching jobs.");
    await deleteQueuedJobs(db);
  });

  test("shows when cron jobs last succeeded", async () => {
    await db
      .insertInto("clock_jobs")
      .values({ name: "clean-up", succeeded_at: new Date(Date.now() - 3 * 3_600_000) })
      .execute();
    const page = await read(paths.deskJobs());
    expect(page.replaceAll("<!-- -->", "")).toMatch(/clean-up<\/th>.{0,200}\(3 hours\)/s);
    expect(page).toContain("never");
  });
});

describe("vendors", () => {
  test("shows a missing consent, or the age of the stored one", async () => {
    await db.deleteFrom("provider_secrets").execute();
    expect(await read(paths.deskVendors())).toContain("Consent needed: npm run consent");
    await consentInSandbox(context);
    await db
      .updateTable("provider_secrets")
      .set({ obtained_at: new Date(Date.now() - 61 * 86_400_000) })
      .execute();
    const page = await read(paths.deskVendors());
    expect(page).toContain("61 days old");
    expect(page).toContain("The consent is old. Consent again");
  });

  test("shows why a vendor is paused and what waits, and probes it again on request", async () => {
    await deleteQueuedJobs(db);
    await db
      .insertInto("vendor_pauses")
      .values({ account: "test-account", family: "google", country: "US", reason: "the credit is used up" })
      .execute();
    const path = paths.deskActionForm("vendor.probe", "test-account");
    const page = await read(paths.deskVendors());
    expect(page).toContain("the credit is used up");
    expect(page).toContain(path);
    expect(await read(paths.deskVendors(), viewer)).not.toContain(path);
    expect((await desk.post(path, { reason: "The credit is raised" })).location).toBe(paths.deskVendors());
    const [probe] = (await queuedJobs(db)).filter(({ key }) => key === "probe:test-account");
    expect(probe?.dueAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(await entriesOf("vendor:test-account")).toMatchObject([
      { action: "vendor.probe", data: { reason: "The credit is raised", pause: "the credit is used up" } },
    ]);
    // Only the vendor's answer ends a pause.
    expect(await findPause(db, "test-account")).not.toBeNull();
    await db.deleteFrom("vendor_pauses").execute();
    expect((await desk.get(path)).status).toBe(404);
  });

  test("shows catalogue items that are missing or differ at the vendor", async () => {
    const [market] = listVendorMarkets(context);
    if (market === undefined) throw new Error("Expected at least one market with a vendor");
    const items = await db
      .selectFrom("vendor_items")
      .select("item_id")
      .where("account", "=", market.account)
      .where("country", "=", market.country)
      .limit(2)
      .execute();
    const [missing, differing] = items.map(({ item_id }) => item_id);
    if (missing === undefined || differing === undefined)
      throw new Error("Expected two items in the catalogue");
    const gone = await db
      .deleteFrom("vendor_items")
      .where("item_id", "=", missing)
      .where("country", "=", market.country)
      .returningAll()
      .execute();
    await db
      .insertInto("vendor_differences")
      .values({ item_id: differing, country: market.country, what: "It is sold up to 25 licenses." })
      .execute();
    const page = await read(paths.deskVendors());
    expect(page).toContain(missing);
    expect(page).toContain(`${differing}: It is sold up to 25 licenses.`);
    await db.insertInto("vendor_items").values(gone).execute();
  });

  test("shows the last webhook of each kind, and ignores forged ones", async () => {
    const order = await toCheckout(stack.url);
    expect((await desk.post("/webhooks/razorpay", {})).status).toBe(401);
    expect(await read(paths.deskVendors())).not.toContain("payment.captured");
    await controls.pay({ orderId: order.providerOrderId });
    await expect.poll(() => read(paths.deskVendors())).toContain("payment.captured");
    const pulses = await db.selectFrom("webhook_pulses").selectAll().execute();
    expect(pulses.filter(({ kind }) => kind === "payment.captured")).toHaveLength(1);
  });

  test("counts rate limits per day", async () => {
    await db.deleteFrom("provider_limits").execute();
    await controls.faults({ match: { path: "/partner-center/v1/products" }, kind: "429", times: 1 });
    const [market] = listVendorMarkets(context);
    if (market === undefined) throw new Error("Expected at least one market with a vendor");
    await updateMarket(context, market).catch(() => null);
    const since = new Date(Date.now() - 86_400_000);
    await expect.poll(() => listRateLimitHits(db, since)).toMatchObject([{ count: 1, days: 1 }]);
    expect(await read(paths.deskVendors())).toContain("Times in 30 days");
    await controls.faults();
  });
});

describe("the start page", () => {
  const figuresIn = (page: string) => /<section[^>]* class="figures".*?<\/section>/s.exec(page)?.[0] ?? "";

  test("shows the figures of a day, month or year, and the number of work items per kind", async () => {
    await db.deleteFrom("waiting_items").execute();
    const { id } = await paidOrder(stack);
    const at = new Date("2025-05-17T06:00:00Z");
    await db
      .updateTable("orders")
      .set({
        paid_at: at,
        fulfilled_at: new Date(at.getTime() + 45_000),
        fulfilment_status: "needs_attention",
      })
      .where("id", "=", id)
      .execute();
    await db.updateTable("payments").set({ settled_at: at }).where("order_id", "=", id).execute();
    const { total_minor: minor } = await db
      .selectFrom("orders")
      .select("total_minor")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const rupees = `₹${(minor / 100).toLocaleString("en-IN")}`;
    for (const [unit, on, title] of [
      ["day", "2025-05-17", "17th May 2025"],
      ["month", "2025-05-01", "May 2025"],
      ["year", "2025-12-31", "2025"],
    ] as const) {
      const page = figuresIn(await read(paths.desk({ unit, on })));
      expect(page.replaceAll("<!-- -->", "")).toContain(`Figures of ${title}</h2>`);
      expect(page).toContain(rupees);
      expect(page).toContain("45 s");
      expect(page).toContain("95% within 45 s");
    }
    const other = await read(paths.desk({ unit: "day", on: "2025-05-18" }));
    // The list below shows the order's amount on every day.
    expect(figuresIn(other)).not.toContain(rupees);
    expect(other).toMatch(/Order stopped(?:<!-- -->)? <span class="count">1<\/span>/);
    // The list's links keep the selection; an invalid date means today.
    expect(other).toContain("unit=day&amp;on=2025-05-18&amp;kind=stopped-order");
    expect((await desk.get(paths.desk({ unit: "week", on: "2025-02-30" }))).status).toBe(200);
  });
});
