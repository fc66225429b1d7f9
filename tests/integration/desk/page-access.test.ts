/**
 * Access to every page and action of Desk: for each role, without the second factor, with an ended session, with a customer's
 * session, and without any. Pages and actions come from the registries, so a new one is tested automatically; only a new kind of
 * subject needs an address here.
 */
import { Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { type CancellationId, newId } from "#db/ids.ts";
import { loadDemoData } from "#sandbox/demo/data.ts";
import { demoEmails } from "#sandbox/demo/login.ts";
import { findUserByEmail } from "#server/accounts/users.ts";
import { invoiceFactsSchema } from "#server/billing/documents/facts.ts";
import { actionIds } from "#server/desk/actions/action-ids.ts";
import { actions, mayPerform } from "#server/desk/actions/registry.ts";
import { everyDocument, everyStaff } from "#server/desk/actions/subjects.ts";
import { readJobs } from "#server/desk/jobs.ts";
import { importPriceList } from "#server/desk/price-lists/import.ts";
import { type DeskPageId, deskPages, maySee, staffRoles } from "#server/desk/roles.ts";
import { createStaffSession } from "#server/desk/sessions.ts";
import { gstCountry } from "#server/foundation/countries/registry.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import * as paths from "#server/foundation/paths.ts";
import { zonedMonth } from "#server/orders/subscriptions/dates.ts";
import { makeStaff, staffBrowser, type TestStaff } from "#tests/support/desk.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { plan } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const { db } = context;

const staff = new Map<string, TestStaff>();
/** An example of each kind of subject of actions, as in an address. */
const things = new Map<string, string>();
const addresses: Record<DeskPageId, () => string> = {
  queue: () => paths.desk(),
  queueFile: () => paths.deskWorkQueueCsv(),
  orders: () => paths.deskOrders(),
  ordersFile: () => paths.deskOrdersCsv(),
  order: () => paths.deskOrder(thing("order")),
  documents: () => paths.deskDocuments(),
  documentsFile: () => paths.deskDocumentsCsv(),
  documentsZip: () => paths.deskDocumentsZip({ kind: "invoice", search: thing("document") }),
  document: () => paths.deskDocument(thing("document")),
  documentPdf: () => paths.deskDocumentPdf(thing("document")),
  gstr1: () => paths.deskGstr1(),
  gstr1File: () => paths.deskGstr1File({ month: thing("month"), gstin: thing("gstin"), file: "gstr1.json" }),
  money: () => paths.deskMoney(),
  moneyList: () => paths.deskMoneyList("refunds"),
  moneyFile: () => paths.deskMoneyCsv("refunds"),
  customers: () => paths.deskCustomers(),
  customersFile: () => paths.deskCustomersCsv(),
  customer: () => paths.deskCustomer(thing("customer")),
  tenants: () => paths.deskTenantImport(),
  act: () => paths.deskActionForm("order.note", thing("order")),
  mail: () => paths.deskMail(),
  jobs: () => paths.deskJobs(),
  vendors: () => paths.deskVendors(),
  prices: () => paths.deskPrices(),
  pricesFile: () => paths.deskPricesCsv(),
  priceList: () => paths.deskPriceList(Number(thing("price list"))),
  priceHistory: () => paths.deskPriceHistory(plan.item),
  texts: () => paths.deskTexts(),
  itemTexts: () => paths.deskItemTexts(plan.item),
  slide: () => paths.deskSlide("laptop"),
  staff: () => paths.deskStaff(),
  staffFile: () => paths.deskStaffCsv(),
  audit: () => paths.deskAudit(),
  auditFile: () => paths.deskAuditCsv(),
};
const doorIds = Object.keys(deskPages).filter((id): id is DeskPageId => id in deskPages);

function thing(kind: string): string {
  const found = things.get(kind);
  if (found === undefined) throw new Error(`No example of the action subject ${kind}`);
  return found;
}

function staffIn(role: string): TestStaff {
  const found = staff.get(role);
  if (found === undefined) throw new Error(`Expected staff with the role ${role}`);
  return found;
}

beforeAll(async () => {
  await loadDemoData(db);
  for (const role of staffRoles) staff.set(role, await makeStaff(context, role));
  const order = await db.selectFrom("orders").select("id").limit(1).executeTakeFirstOrThrow();
  things.set("order", order.id);
  things.set("documents", everyDocument);
  const { number, issued_at, facts } = await db
    .selectFrom("invoices")
    .select(["number", "issued_at", "facts"])
    .where("number", "like", "IN/%")
    .limit(1)
    .executeTakeFirstOrThrow();
  things.set("document", number);
  things.set("month", zonedMonth(issued_at, gstCountry));
  things.set("gstin", invoiceFactsSchema.parse(facts).supplier.gstin ?? "");
  const company = await db.selectFrom("customers").select("id").limit(1).executeTakeFirstOrThrow();
  things.set("customer", company.id);
  const { list } = await importPriceList(context, {
    source: {
      kind: "file",
      name: "doors.csv",
      pieces: Readable.from([`item,currency,term,price\n${plan.item},INR,P1Y,1700`], { encoding: "utf8" }),
    },
    fromDay: null,
    by: "test",
    now: new Date(),
    dryRun: false,
  });
  things.set("price list", String(list.id));
  things.set("staff", staffIn("viewer").id);
  things.set("staff list", everyStaff);
  await db
    .insertInto("money_differences")
    .values({
      key: "payment:doors",
      kind: "test",
      amount_minor: 100,
      currency: "INR",
      what: "A difference for the doors",
      resolved_at: null,
      told_at: null,
      acknowledged_at: null,
      acknowledged_because: null,
    })
    .execute();
  things.set("difference", "payment:doors");
  const mail = await db
    .insertInto("mails")
    .values({
      id: crypto.randomUUID() as never,
      kind: "order-confirmation",
      dedupe_key: "doors",
      recipient: "nobody@example.com",
      user_id: null,
      order_id: order.id,
      data: "{}",
      sent_at: null,
      refused_at: new Date(),
      last_error: "550 no such mailbox",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  things.set("item", `mail ${mail.id}`);
  const held = await db
    .selectFrom("subscriptions")
    .innerJoin("orders", "orders.id", "subscriptions.order_id")
    .innerJoin("users", "users.id", "orders.user_id")
    .select(["subscriptions.id", "orders.id as orderId", "users.id as userId"])
    .limit(1)
    .executeTakeFirstOrThrow();
  const cancellation = newId<CancellationId>();
  await db
    .insertInto("cancellations")
    .values({
      id: cancellation,
      subscription_id: held.id,
      order_id: held.orderId,
      kind: "cancel",
      seats_before: 1,
      seats_after: 0,
      state: "requested",
      asked_by: held.userId,
      problem: null,
      last_error: null,
      needs_person: true,
    })
    .execute();
  things.set("cancellation", cancellation);
  things.set("mail", mail.id);
  await db
    .insertInto("mail_suppressions")
    .values({ email: "nobody@example.com", reason: "550 no such mailbox", mail_id: mail.id })
    .execute();
  things.set("suppression", mail.id);
  await db
    .transaction()
    .execute((trx) => addJob(trx, "probe-vendor", { account: "doors" }, { jobKey: "probe:doors" }));
  const [job] = (await readJobs(db, { name: "probe-vendor", limit: 1 })).rows;
  things.set("job", job?.id ?? "");
  things.set("kind of job", "probe-vendor");
  await db
    .insertInto("vendor_pauses")
    .values({ account: "doors", family: "microsoft", country: "IN", reason: "token revoked" })
    .execute();
  things.set("vendor pause", "doors");
});

/** Returns the status, and the path of a redirect. */
async function ask(browser: HttpBrowser, path: string, form?: Record<string, string>): Promise<string> {
  const answer = form === undefined ? await browser.get(path) : await browser.post(path, form);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("x-robots-tag")).toBe("noindex");
  const to = answer.location === null ? "" : ` ${new URL(answer.location, stack.url).pathname}`;
  return `${answer.status}${to}`;
}

const closed = "302 /desk/login";

/** Browsers without access to Desk, by reason. */
const strangers: Record<string, () => Promise<HttpBrowser>> = {
  nobody: async () => new HttpBrowser(stack.url),
  "a customer": () => customer(),
  "a customer who puts the store's session into the desk's cookie": async () => {
    const browser = await customer();
    browser.setCookie("desk", browser.cookie("session") ?? "");
    return browser;
  },
  "an admin whose session has ended": async () => {
    const browser = await staffBrowser(context, stack.url, staffIn("admin"));
    await browser.post(paths.deskLogout(), {});
    return browser;
  },
  "an admin whose session has expired": () =>
    staffBrowser(context, stack.url, staffIn("admin"), { now: new Date(Date.now() - 3 * 3_600_000) }),
  "a browser with an invented token": async () => {
    const browser = new HttpBrowser(stack.url);
    browser.setCookie("desk", Buffer.from(JSON.stringify("a".repeat(43))).toString("base64"));
    return browser;
  },
};

async function customer(): Promise<HttpBrowser> {
  const user = await findUserByEmail(db, demoEmails.owner);
  if (user === null) throw new Error("Expected an owner in the demo data");
  return signedIn(context, stack.url, { userId: user.id, email: user.email });
}

describe.each(Object.entries(strangers))("%s", (_who, come) => {
  test("finds every page and action closed", async () => {
    const browser = await come();
    for (const door of doorIds) expect(await ask(browser, addresses[door]()), door).toBe(closed);
    expect(await ask(browser, paths.desk(), { intent: "take", kind: "mail", key: "x" })).toBe(closed);
    for (const id of actionIds) {
      const path = paths.deskActionForm(id, thing(actions[id].subject));
      expect(await ask(browser, path), id).toBe(closed);
      expect(await ask(browser, path, { reason: "because" }), id).toBe(closed);
    }
  });
});

test.each(staffRoles)("asks a %s without the second factor for it, and does nothing", async (role) => {
  const browser = await staffBrowser(context, stack.url, staffIn(role), { verified: false });
  for (const door of doorIds) expect(await ask(browser, addresses[door]()), door).toBe("302 /desk/code");
  for (const id of actionIds) {
    const path = paths.deskActionForm(id, thing(actions[id].subject));
    expect(await ask(browser, path), id).toBe("302 /desk/code");
    expect(await ask(browser, path, { reason: "because" }), id).toBe("302 /desk/code");
  }
});

test.each(staffRoles)("shows a %s the pages of the role only", async (role) => {
  const browser = await staffBrowser(context, stack.url, staffIn(role));
  for (const door of doorIds) {
    // The page of an action also requires permission for the action.
    const may = maySee(role, door) && (door !== "act" || mayPerform(role, "order.note"));
    expect(await ask(browser, addresses[door]()), door).toBe(may ? "200" : "403");
  }
});

test("marks the current section in the header", async () => {
  const browser = await staffBrowser(context, stack.url, staffIn("admin"));
  for (const door of doorIds) {
    const { text, headers } = await browser.get(addresses[door]());
    // An action belongs to no particular section.
    if (!headers.get("content-type")?.startsWith("text/html") || door === "act") continue;
    const [header = ""] = /<nav aria-label="Desk"[\s\S]*?<\/nav>/.exec(text) ?? [];
    const marks = [...header.matchAll(/aria-current="(\w+)"/g)].map(([, mark]) => mark);
    expect(marks, door).toEqual([deskPages[door].navigationLabel === null ? "true" : "page"]);
  }
});

test.each(staffRoles)("allows a %s the actions of the role only", async (role) => {
  const browser = await staffBrowser(context, stack.url, staffIn(role));
  for (const id of actionIds) {
    const path = paths.deskActionForm(id, thing(actions[id].subject));
    expect(await ask(browser, path), id).toBe(mayPerform(role, id) ? "200" : "403");
    // Without a reason the action fails: with an error at the field for roles that may perform it.
    expect(await ask(browser, path, { reason: "" }), id).toBe(mayPerform(role, id) ? "400" : "403");
  }
});

test("refuses a viewer who claims a work item", async () => {
  const browser = await staffBrowser(context, stack.url, staffIn("viewer"));
  const [kind = "", key = ""] = thing("item").split(" ");
  expect(await ask(browser, paths.desk(), { intent: "take", kind, key })).toBe("403");
});

test("does not accept a Desk session in the store", async () => {
  const token = await createStaffSession(db, staffIn("admin").id, {
    client: "test",
    isVerified: true,
    now: new Date(),
  });
  const browser = new HttpBrowser(stack.url);
  const value = Buffer.from(JSON.stringify(token)).toString("base64");
  browser.setCookie("desk", value);
  for (const name of ["session", "draft", "offered"]) {
    expect((await browser.get(paths.account())).location).toMatch(/^\/login/);
    expect((await browser.get(paths.subscriptions())).location).toMatch(/^\/login/);
    browser.setCookie(name, value);
  }
  const call = await browser.get("/api/get/cust", { Authorization: `Bearer ${token}` });
  expect(call.status).toBe(401);
  expect((await browser.get(`/?jwt-token=${token}`)).headers.getSetCookie().join()).not.toContain(
    "session=ey",
  );
});

test("refuses a form of another site", async () => {
  const browser = await staffBrowser(context, stack.url, staffIn("admin"));
  const answer = await browser.post(
    paths.deskActionForm("order.note", thing("order")),
    { reason: "from elsewhere" },
    { "Sec-Fetch-Site": "cross-site" },
  );
  expect(answer.status).toBe(403);
});

test("responds 404 for an unknown order, action or subject", async () => {
  const browser = await staffBrowser(context, stack.url, staffIn("admin"));
  const nowhere = crypto.randomUUID();
  for (const path of [
    paths.deskOrder(nowhere),
    paths.deskActionForm("order.note", nowhere),
    paths.deskActionForm("order.note", "what"),
    paths.deskActionForm("order.forget", thing("order")),
    paths.deskActionForm("staff.role", nowhere),
  ])
    expect((await browser.get(path)).status, path).toBe(404);
});
