/**
 * Impersonation: what it shows and hides, that it is read-only for every method and route, and every way in which it ends.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { CustomerId, OrderId, UserId } from "#db/ids.ts";
import { demoEmails } from "#sandbox/demo/login.ts";
import { storeCredentials } from "#server/accounts/credentials/credentials.ts";
import { listMemberships } from "#server/accounts/customers.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { endOverdueImpersonations } from "#server/desk/impersonation.ts";
import { changeStaffRole, endStaffSessions } from "#server/desk/staff-accounts.ts";
import * as paths from "#server/foundation/paths.ts";
import { sendMail } from "#server/mail/send.ts";
import { cleanUp } from "#server/operations/jobs/clean-up.ts";
import { makePlaces, type Places } from "#tests/bench/places.ts";
import { screens } from "#tests/bench/screens.ts";
import { makeStaff, staffBrowser, type TestStaff } from "#tests/support/desk.ts";
import { HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { makeCompany, makePerson } from "#tests/support/orders.ts";
import { servedRoutes } from "#tests/support/served-routes.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();
const { db } = context;

const readOnly = "This is a read-only view of the store as a customer sees it. Nothing was changed.";
const over = "Your view of the store as a customer has ended.";
const banner = "You can&#x27;t change anything.";

let places: Places;
let support: TestStaff;
let owner: { userId: UserId; email: string };
let company: CustomerId;
beforeAll(async () => {
  places = await makePlaces(stack, context);
  support = await makeStaff(context, "support");
  const user = await findUserByEmail(db, demoEmails.owner);
  if (user === null) throw new Error("Expected an owner in the demo data");
  owner = { userId: user.id, email: user.email };
  company = (await listMemberships(db, user.id))[0]?.id ?? company;
});

/** Returns a Desk browser that impersonates the owner. */
async function viewing(staff = support, reason = "They cannot find the renewal"): Promise<HttpBrowser> {
  const browser = await staffBrowser(context, stack.url, staff);
  const answer = await browser.post(paths.deskActionForm("customer.view", company), {
    person: owner.userId,
    reason,
  });
  expect(`${answer.status} ${answer.location}`).toBe("303 /Home");
  expect(browser.hasCookie("view")).toBe(true);
  return browser;
}

const entriesOf = (action: string, staff = support) =>
  db
    .selectFrom("audit_log")
    .select(["subject", "data"])
    .where("action", "=", action)
    .where("staff_id", "=", staff.id)
    .orderBy("id", "desc")
    .execute();

async function isOver(browser: HttpBrowser): Promise<void> {
  const answer = await browser.get(paths.subscriptions());
  expect(answer.status).toBe(403);
  expect(mainContentOf(answer.text)).toContain(over);
  expect(browser.hasCookie("view")).toBe(false);
  // From then on the browser is a visitor's, unless the person has signed in to the store.
  expect((await browser.get(paths.subscriptions())).location).toMatch(/^\/login/);
}

describe("starting an impersonation", () => {
  test("shows the store as the user sees it, audits the reason, and mails the user", async () => {
    const browser = await viewing(support, "Asked by telephone about the renewal");
    const page = await browser.get(paths.customerHome());
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.text).toContain(`<strong>${owner.email}</strong>`);
    expect(page.text).toContain(banner);
    expect(mainContentOf((await browser.get(paths.subscriptions())).text)).toContain("Microsoft 365");
    const [entry] = await entriesOf("customer.view");
    expect(entry?.subject).toBe(`customer:${company}`);
    expect(entry?.data).toMatchObject({
      reason: "Asked by telephone about the renewal",
      by: support.email,
      as: owner.email,
    });
    const { id } = await db
      .selectFrom("mails")
      .select("id")
      .where("kind", "=", "store-viewed")
      .where("recipient", "=", owner.email)
      .orderBy("created_at", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    await sendMail(context, id);
    const [mail] = await controls.inbox(owner.email);
    expect(mail?.subject).toContain("Our team viewed your");
    expect(mail?.text).toContain("Reason: Asked by telephone about the renewal");
  });

  test("stores nothing about the user in the browser, and runs no React", async () => {
    const browser = await viewing();
    const page = await browser.get(
      paths.newOrder(
        { family: "microsoft", item: "microsoft-365-business-basic", country: "IN" },
        { another: "true" },
      ),
    );
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("data-user");
    expect(page.text).not.toContain("__remixContext");
    expect(page.text).toContain(banner);
  });

  test("refuses users of other companies and users that do not exist", async () => {
    const browser = await staffBrowser(context, stack.url, support);
    const stranger = await makePerson(db);
    await makeCompany(db, stranger, "Other Tools");
    for (const person of [stranger.userId, "", "nobody"]) {
      const answer = await browser.post(paths.deskActionForm("customer.view", company), {
        person,
        reason: "test",
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(browser.hasCookie("view")).toBe(false);
    }
  });

  test("does not affect Desk, including its actions", async () => {
    const browser = await viewing();
    const answer = await browser.post(paths.deskActionForm("customer.note", company), {
      reason: "Seen in the store",
    });
    expect(answer.location).toBe(paths.deskCustomer(company));
    const page = await browser.get(paths.deskCustomer(company));
    expect(mainContentOf(page.text)).toContain("Seen in the store");
    expect(page.text).not.toContain(banner);
  });
});

describe("every POST route is read-only", () => {
  const actions = servedRoutes.filter((key) => key.startsWith("POST ") && !/^POST \/desk(\/|$)/.test(key));

  const pageless = [
    "POST /language",
    "POST /account/mailed-code",
    "POST /account/password-link",
    "POST /passkeys/options",
    "POST /orders/:id/quote",
    "POST /logout",
  ];

  test("covers all POST routes", () => expect(actions.length).toBeGreaterThan(60));

  test.each(actions)("%s", async (key) => {
    const browser = await theView();
    const path = key
      .replace("POST ", "")
      .replaceAll(/:\w+/g, () => crypto.randomUUID())
      .replace("*", "anything");
    const before = await written();
    const form = await browser.post(path, { intent: "x", email: owner.email });
    const json = await browser.ask(path, {
      method: "POST",
      headers: { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
      body: "{}",
    });
    for (const answer of [form, json]) {
      if (pageless.includes(key)) expect(`${answer.status} ${answer.location}`).toBe("303 /Home");
      else {
        expect(answer.status).toBe(403);
        expect(answer.text).toContain(readOnly);
      }
    }
    // A route without its own page shows the message on the next page.
    if (pageless.includes(key)) expect((await browser.get(paths.customerHome())).text).toContain(readOnly);
    // A page that refuses it keeps the banner, with the way out.
    if (form.headers.get("content-type")?.startsWith("text/html")) expect(form.text).toContain(banner);
    expect(await written()).toEqual(before);
  });

  let opened: HttpBrowser | undefined;
  const theView = async () => (opened ??= await viewing());

  /** Reads counts and times that any action of a customer would change. */
  async function written() {
    const { rows } = await context.pool.query<Record<string, unknown>>(
      `select (select count(*) from audit_log) as audit, (select count(*) from orders) as orders,
              (select max(updated_at) from orders) as touched, (select count(*) from sessions where revoked_at is null) as sessions,
              (select count(*) from users) as users, (select count(*) from one_time_tokens) as tokens,
              (select count(*) from mails where kind <> 'store-viewed') as mails`,
    );
    return rows[0];
  }

  test("refuses other methods, too", async () => {
    const browser = await theView();
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const answer = await browser.ask(paths.cart(), {
        method,
        headers: { "Sec-Fetch-Site": "same-origin" },
      });
      expect(answer.status, method).toBeGreaterThanOrEqual(400);
    }
  });

  test("refuses writes on GET through a read-only transaction", async () => {
    const browser = await theView();
    const before = await written();
    const answer = await browser.get("/?jwt-token=whatever");
    expect(answer.headers.getSetCookie().join()).not.toContain("session=");
    expect(await written()).toEqual(before);
  });
});

describe("every screen", () => {
  test("shows what the user would see, with the banner and the button to end it", async () => {
    const browser = await viewing();
    const found: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    for (const { name, at } of screens.filter(({ file }) => !file.startsWith("desk/"))) {
      const { path } = await at(places);
      const seen = await browser.get(path);
      const own = await places.owner.get(path);
      wanted[name] = `${own.status} ${own.location ?? ""}`;
      found[name] = `${seen.status} ${seen.location ?? ""}`;
      if (seen.headers.get("content-type")?.startsWith("text/html")) {
        expect(seen.text, name).toContain(banner);
        expect(seen.text, name).toContain(`action="${paths.deskEndImpersonation()}"`);
      }
    }
    expect(found).toEqual(wanted);
  });
});

test("hides sign-in details, and does not start their expiry", async () => {
  const { done } = places;
  const id = done.path.split("/")[2] as OrderId;
  await storeCredentials(context, db, id, "sign-in", {
    username: "admin@acme.example",
    password: "Shown-Once-1",
  });
  await db.updateTable("orders").set({ user_id: owner.userId }).where("id", "=", id).execute();
  const browser = await viewing();
  const page = await browser.get(`${done.path}/order-processed`);
  expect(page.status).toBe(200);
  expect(page.text).not.toContain("Shown-Once-1");
  const call = await browser.get(`/closure?id=${id}`);
  expect(call.status).toBe(200);
  expect(call.text).not.toContain("Shown-Once-1");
  const kept = await db.selectFrom("credentials").selectAll().where("order_id", "=", id).executeTakeFirst();
  expect(kept?.first_shown_at).toBeNull();
  // The user does see them.
  expect((await done.browser.get(`${done.path}/order-processed`)).text).toContain("Shown-Once-1");
});

describe("an impersonation", () => {
  test("ends with the button, returns to the customer and is audited", async () => {
    const browser = await viewing();
    const token = browser.cookie("view") ?? "";
    const answer = await browser.post(paths.deskEndImpersonation(), {});
    expect(answer.location).toBe(paths.deskCustomer(company));
    expect(browser.hasCookie("view")).toBe(false);
    const [entry] = await entriesOf("customer.view-end");
    expect(entry?.data).toMatchObject({ by: support.email, as: owner.email });
    // The old token is no longer valid.
    browser.setCookie("view", token);
    await isOver(browser);
  });

  test("ends after 60 minutes, which clean-up records once", async () => {
    const staff = await makeStaff(context, "finance");
    const browser = await viewing(staff);
    const [{ created_at, expires_at }] = await openViews();
    expect(expires_at.getTime() - created_at.getTime()).toBe(3_600_000);
    const past = new Date(Date.now() - 1_000);
    await db.updateTable("store_views").set({ expires_at: past }).where("ended_at", "is", null).execute();
    await isOver(browser);
    await cleanUp(context);
    await cleanUp(context);
    const entries = await entriesOf("customer.view-end", staff);
    expect(entries.map(({ data }) => data)).toMatchObject([{ as: owner.email, ended: past.toISOString() }]);
  });

  test("ends when another one starts", async () => {
    const staff = await makeStaff(context, "support");
    const browser = await viewing(staff);
    const first = browser.cookie("view") ?? "";
    await browser.post(paths.deskActionForm("customer.view", company), {
      person: owner.userId,
      reason: "again",
    });
    expect((await browser.get(paths.subscriptions())).status).toBe(200);
    browser.setCookie("view", first);
    await isOver(browser);
  });

  test("ends when the staff member signs out of Desk", async () => {
    const staff = await makeStaff(context, "support");
    const browser = await viewing(staff);
    await browser.post(paths.deskLogout(), {});
    await isOver(browser);
    expect(await entriesOf("customer.view-end", staff)).toHaveLength(1);
  });

  test("ends when the staff sessions are revoked or the role no longer allows it", async () => {
    const audit = { by: "test", reason: "test" };
    const gone = await makeStaff(context, "support");
    const browser = await viewing(gone);
    await endStaffSessions(db, gone.id, audit);
    await isOver(browser);
    expect(await endOverdueImpersonations(db, new Date())).toBe(1);

    const demoted = await makeStaff(context, "support");
    const other = await viewing(demoted);
    await changeStaffRole(db, demoted.id, "viewer", audit);
    await isOver(other);
  });

  test("ends when the user is disabled", async () => {
    const browser = await viewing();
    await db.updateTable("users").set({ disabled_at: new Date() }).where("id", "=", owner.userId).execute();
    await isOver(browser);
    await db.updateTable("users").set({ disabled_at: null }).where("id", "=", owner.userId).execute();
  });

  async function openViews() {
    const views = await db.selectFrom("store_views").selectAll().where("ended_at", "is", null).execute();
    const [view, ...others] = views.toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime());
    if (view === undefined) throw new Error("Expected an open impersonation");
    return [view, ...others] as const;
  }
});

test("issues a token that is useless as a session, in Desk or for the API", async () => {
  const token = (await viewing()).cookie("view") ?? "";
  const browser = new HttpBrowser(stack.url);
  for (const name of ["session", "desk"]) browser.setCookie(name, token);
  expect((await browser.get(paths.subscriptions())).location).toMatch(/^\/login/);
  expect((await browser.get(paths.desk())).location).toMatch(/^\/desk\/login/);
  const bare = new HttpBrowser(stack.url);
  bare.setCookie("view", token);
  expect((await bare.get(paths.desk())).location).toMatch(/^\/desk\/login/);
  const raw = JSON.parse(Buffer.from(token, "base64").toString()) as string;
  expect(
    (await new HttpBrowser(stack.url).get("/api/get/cust", { Authorization: `Bearer ${raw}` })).status,
  ).toBe(401);
});

test("uses an API call's own token, even while impersonating", async () => {
  const browser = await viewing();
  const call = await browser.get("/api/get/cust", { Authorization: "Bearer nonsense" });
  expect(call.status).toBe(401);
});
