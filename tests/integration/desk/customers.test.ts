/** Customers in Desk: search by anything they can name, paging, CSV, and the page with everything stored about one. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { saveRegistration } from "#db/accounts/gst-registrations.ts";
import { newId } from "#db/ids.ts";
import { type RenewalChoice, saveChoice } from "#db/orders/renewal-choices.ts";
import { saveVendorSnapshot } from "#db/orders/vendor-snapshots.ts";
import { addAddress, listAddresses } from "#server/accounts/customers.ts";
import { createSession } from "#server/accounts/sessions.ts";
import * as paths from "#server/foundation/paths.ts";
import { renewalChoiceText } from "#server/orders/renewal-choice-text.ts";
import { syncAccount } from "#server/orders/subscriptions/sync.ts";
import {
  type Customer,
  createSubscriptionFor,
  makeCustomer,
  seedProviders,
} from "#tests/support/customer.ts";
import { makeStaff, staffBrowser, type TestStaff } from "#tests/support/desk.ts";
import { type HttpBrowser, mainContentOf, type TestResponse } from "#tests/support/http-browser.ts";
import { wordsOf } from "#tests/support/invoice-documents.ts";
import { join, makeCompany, makeOrder, makePerson, numberOf, readOrder } from "#tests/support/orders.ts";
import { paidOrder } from "#tests/support/paid-order.ts";
import { refundPart } from "#tests/support/refunds.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();
const { db } = context;

let staff: TestStaff;
let desk: HttpBrowser;
beforeAll(async () => {
  staff = await makeStaff(context, "support");
  desk = await staffBrowser(context, stack.url, staff);
});

const said = ({ text }: TestResponse) => mainContentOf(text);
const find = async (search: string) => said(await desk.get(paths.deskCustomers({ search })));
const page = async ({ customerId }: Pick<Customer, "customerId">) =>
  said(await desk.get(paths.deskCustomer(customerId)));

/** Creates a company with unique values in every searchable field. */
async function namedCompany() {
  const word = randomUUID().slice(0, 8);
  const owner = await makePerson(db);
  const customerId = await makeCompany(db, owner, `Zeta ${word} Works`);
  const gstin = `29${word
    .slice(0, 5)
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, "K")}${word.replaceAll(/\D/g, "7").slice(0, 4)}Q1Z5`;
  await db.transaction().execute((trx) =>
    addAddress(trx, customerId, {
      gstCode: gstin,
      addressLine1: "7 Key Street",
      addressLine2: "",
      city: "Bengaluru",
      state: "Karnataka",
      pincode: "560038",
      country: "IN",
      organisationRegistrationNumber: "AABCB1234C",
      email: owner.email,
      firstName: "Asha",
      lastName: "Rao",
      phone: "9876543210",
    }),
  );
  return { owner, customerId, country: "IN" as const, word, gstin };
}

test("marks two companies with the same GSTIN, in the list and on their pages", async () => {
  const { owner, customerId, gstin, word } = await namedCompany();
  expect(await find(gstin)).not.toContain("also used by another customer");
  expect(await page({ customerId })).not.toContain("has the same GSTIN");
  const other = await makeCompany(db, owner, `Zeta ${word} Twin`);
  const [address] = await listAddresses(db, customerId);
  if (address === undefined) throw new Error("Expected the company to have an address");
  const { id: _id, ...fields } = address;
  await db.transaction().execute((trx) => addAddress(trx, other, fields));
  expect((await find(gstin)).match(/also used by another customer/g)).toHaveLength(2);
  const seen = await page({ customerId });
  expect(seen).toContain(`href="${paths.deskCustomer(other)}"`);
  expect(seen).toContain("has the same GSTIN");
  expect(await page({ customerId: other })).toContain(`href="${paths.deskCustomer(customerId)}"`);
});

describe("a search", () => {
  test("finds a company by name, GSTIN, a member's email or a domain", async () => {
    const { owner, customerId, country, word, gstin } = await namedCompany();
    const held = await createSubscriptionFor(db, { owner, customerId, country });
    const google = await createSubscriptionFor(db, { owner, customerId, country }, { family: "google" });
    await db
      .updateTable("tenants")
      .set({ domain: "elsewhere.example" })
      .where("id", "=", google.tenantId)
      .execute();
    await db
      .updateTable("subscriptions")
      .set({ domain: "elsewhere.example" })
      .where("id", "=", held.id)
      .execute();
    const link = `href="${paths.deskCustomer(customerId)}"`;
    const keys = [
      `Zeta ${word}`,
      `zeta ${word} wor`,
      gstin,
      gstin.toLowerCase(),
      owner.email,
      owner.email.toUpperCase(),
      // In the tenant only, and in the subscription only.
      held.domain,
      google.domain.slice(0, 12),
      // Any part of them.
      `eta ${word}`,
      gstin.slice(2, 12),
      owner.email.slice(1, -4),
      held.domain.slice(2, 14),
    ];
    for (const key of keys) expect(await find(key), key).toContain(link);
    for (const key of [`x${word}`, gstin.slice(1, 3), `x${owner.email}`, "%", "_"])
      expect(await find(key), key).not.toContain(link);
  });

  test.each(["Meadow", "meadow", "MEADOW LEGAL", "Sunny", "sunny trade"])(
    "finds a company and its orders by its name in the tax register: %s",
    async (key) => {
      const { customerId, gstin } = await namedCompany();
      const word = gstin.slice(2, 7);
      const taxpayer = { gstin, status: "Active", taxpayerType: "Regular" };
      const [legalName, tradeName] = [`Meadow Legal ${word}`, `Sunny Trade ${word}`];
      await saveRegistration(db, { ...taxpayer, legalName, tradeName }, new Date());
      expect(await find(key)).toContain(`href="${paths.deskCustomer(customerId)}"`);
      expect(await find(`${key}x`)).not.toContain(`href="${paths.deskCustomer(customerId)}"`);
    },
  );

  test("finds it by numbers of orders and documents, and by its buyer's email", async () => {
    const order = await paidOrder(stack);
    const { customer_id, account } = await readOrder(db, order.id);
    const link = `href="${paths.deskCustomer(customer_id ?? "")}"`;
    const invoice = await db
      .selectFrom("invoices")
      .select("number")
      .where("order_id", "=", order.id)
      .executeTakeFirstOrThrow();
    const refundId = await refundPart(context, order.id, 100);
    const note = await db
      .selectFrom("credit_notes")
      .select("number")
      .where("refund_id", "=", refundId)
      .executeTakeFirstOrThrow();
    const { email } = account as { email: string };
    const number = await numberOf(db, order.id);
    const partOfEmail = email.slice(1, -3);
    for (const key of [number, invoice.number, note.number, email, partOfEmail])
      expect(await find(key), key).toContain(link);
    expect(said(await desk.get(paths.deskOrders({ search: partOfEmail })))).toContain(number);
  });

  test("shows when nothing is found, and refuses an invalid query", async () => {
    expect(await find("nobody-here")).toContain("No results for &quot;nobody-here&quot;.");
    expect((await desk.get(`${paths.deskCustomers()}?search=a%00b`)).status).toBe(400);
    expect((await desk.get(paths.deskCustomers({ page: "nonsense" }))).status).toBe(400);
  });
});

test("pages through the list without repeats while companies are added", async () => {
  const word = randomUUID().slice(0, 8);
  const owner = await makePerson(db);
  const made = new Set<string>();
  for (let n = 0; n < 45; n += 1) made.add(await makeCompany(db, owner, `Page ${word} ${n}`));
  const seen: string[] = [];
  let path: string | undefined = paths.deskCustomers({ search: `Page ${word}` });
  while (path !== undefined) {
    const text = said(await desk.get(path));
    seen.push(...[...text.matchAll(/href="\/desk\/customers\/([0-9a-f-]{36})"/g)].map(([, id = ""]) => id));
    path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    await makeCompany(db, owner, `Page ${word} added`);
  }
  expect(seen).toHaveLength(45);
  expect(new Set(seen)).toEqual(made);
});

test("exports search results as CSV, without formulas for spreadsheets", async () => {
  const owner = await makePerson(db);
  const word = randomUUID().slice(0, 8);
  const id = await makeCompany(db, owner, `=${word}, "Works"`);
  const answer = await desk.get(paths.deskCustomersCsv({ search: `=${word}` }));
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const [titles, line, ...others] = answer.text.split("\r\n");
  expect(titles).toBe("id,company,country,gstin,owner,running_subscriptions,paid_orders,since");
  expect(line).toMatch(new RegExp(`^${id},"'=${word}, ""Works""",IN,,${owner.email},0,0,2`));
  expect(others).toEqual([""]);
});

describe("a company's page", () => {
  test("lists members with their roles and last sign-in", async () => {
    const customer = await makeCustomer(db);
    expect(await page(customer)).toContain("none recently");
    const now = new Date("2026-11-20T08:30:00Z");
    await createSession(db, context.env.SESSION_SECRETS, customer.owner.userId, now);
    await createSession(
      db,
      context.env.SESSION_SECRETS,
      customer.owner.userId,
      new Date("2026-11-18T08:30:00Z"),
    );
    const text = await page(customer);
    expect(text).toContain(customer.owner.email);
    expect(text).toContain(">owner<");
    expect(text).toContain('dateTime="2026-11-20T08:30:00.000Z"');
    expect(text).toContain("1 Saved Street");
    expect(text).toContain("The company withholds none and pays our invoices in full");
  });

  test("compares each subscription with the vendor's last data, and marks differences", async () => {
    const customer = await makeCustomer(db);
    const same = await createSubscriptionFor(db, customer, { quantity: 10 });
    const fewer = await createSubscriptionFor(db, customer, { quantity: 12, endsInDays: 200 });
    const gone = await createSubscriptionFor(db, customer, { quantity: 3, endsInDays: 50 });
    const unread = await createSubscriptionFor(db, customer, { family: "brio", quantity: 5 });
    const endOf = async (id: typeof same.id) =>
      await db
        .selectFrom("subscriptions")
        .select(["start_date", "end_date"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
    const readAt = new Date("2026-11-24T20:00:00Z");
    await db.transaction().execute(async (trx) => {
      const { start_date: start, end_date: end } = await endOf(same.id);
      await saveVendorSnapshot(
        trx,
        same.id,
        { state: "active", quantity: 10, term: { start, end }, atEnd: "ends", inUse: null },
        readAt,
      );
      const later = await endOf(fewer.id);
      const wrongEnd = new Date(later.end_date.getTime() + 30 * 86_400_000);
      await saveVendorSnapshot(
        trx,
        fewer.id,
        {
          state: "suspended",
          quantity: 9,
          term: { start: later.start_date, end: wrongEnd },
          atEnd: "renews",
          inUse: null,
        },
        readAt,
      );
      await saveVendorSnapshot(trx, gone.id, null, readAt);
    });
    const rows = [...(await page(customer)).matchAll(/<tr>(?:(?!<\/tr>).)*<\/tr>/gs)].map(([row]) => row);
    const rowOf = ({ domain }: { domain: string }) =>
      rows.find((row) => row.includes(domain) && row.includes("Licenses")) ?? "";
    expect(rowOf(same)).toContain("vendor: 10");
    expect(rowOf(same)).toContain('<span class="badge good">active</span>');
    expect(rowOf(same)).not.toContain("<mark>");
    expect(rowOf(same)).toContain('dateTime="2026-11-24T20:00:00.000Z"');
    expect(rowOf(fewer).match(/<mark>/g)).toHaveLength(3);
    expect(rowOf(fewer)).toMatch(/12.*<mark>Mismatch: vendor has (<!-- -->)?9/s);
    expect(rowOf(fewer)).toMatch(/Mismatch: vendor has (<!-- -->)?suspended/);
    expect(rowOf(gone)).toMatch(/Mismatch: vendor has (<!-- -->)?not found/);
    const brio = rows.find((row) => row.includes("no vendor")) ?? "";
    expect(brio).toContain(">5");
    expect(brio).not.toContain("<mark>");
    expect(brio).not.toContain("vendor: ");
    expect(unread.tenantId).toBeNull();
  });

  test("shows each renewal choice with its time and author, and the licences in use", async () => {
    const customer = await makeCustomer(db);
    const buyer = await makePerson(db);
    await join(db, customer.customerId, buyer, "buyer");
    const [kept, fewer, stopped, silent] = [
      await createSubscriptionFor(db, customer, { quantity: 12 }),
      await createSubscriptionFor(db, customer, { quantity: 40 }),
      await createSubscriptionFor(db, customer),
      await createSubscriptionFor(db, customer),
    ];
    // Half past midnight of the second in India.
    const chosenAt = new Date("2026-12-01T19:00:00Z");
    await db.transaction().execute(async (trx) => {
      const by = { seats: null, chosenAt, chosenBy: customer.owner.userId, byLink: false };
      await saveChoice(trx, kept.id, { ...by, decision: "keep" });
      await saveChoice(trx, fewer.id, {
        ...by,
        decision: "fewer",
        seats: 31,
        chosenBy: buyer.userId,
        byLink: true,
      });
      await saveChoice(trx, stopped.id, { ...by, decision: "stop" });
      const says = { state: "active", quantity: 40, term: null, atEnd: null } as const;
      await saveVendorSnapshot(trx, fewer.id, { ...says, inUse: { assigned: 31, of: 40 } }, chosenAt);
      await saveVendorSnapshot(trx, silent.id, { ...says, quantity: 10, inUse: null }, chosenAt);
    });
    const rows = new Map(
      (await page(customer))
        .split("<tr")
        .map((row) => [/held-[0-9a-f]{8}/.exec(row)?.[0], wordsOf(`<tr${row}`)]),
    );
    const rowOf = ({ domain }: { domain: string }) => rows.get(domain.split(".")[0]) ?? "";
    const date = "2nd December 2026";
    const said = (choice: Pick<RenewalChoice, "decision" | "seats">) =>
      renewalChoiceText({ ...choice, chosenAt, chosenBy: customer.owner.userId, byLink: false }, "IN", "en");
    for (const [held, words, by] of [
      [kept, said({ decision: "keep", seats: null }), customer.owner.email],
      [fewer, said({ decision: "fewer", seats: 31 }), `${buyer.email}, by an emailed link`],
      [stopped, said({ decision: "stop", seats: null }), customer.owner.email],
    ] as const) {
      expect(words).toContain(date);
      expect(rowOf(held)).toContain(words);
      expect(rowOf(held)).toContain(by);
    }
    expect(rowOf(kept)).not.toContain("by an emailed link");
    expect(rowOf(silent)).toContain("not chosen");
    expect(rowOf(fewer)).toContain(`31 of 40 in use, as of ${date}`);
    for (const held of [kept, stopped, silent]) expect(rowOf(held)).not.toContain("in use");
  });

  test("shows what a sync read at the vendor, for known and imported subscriptions", async () => {
    const customer = await makeCustomer(db);
    const held = await createSubscriptionFor(db, customer, { quantity: 10, endsInDays: 100 });
    await seedProviders(db, stack.sandboxUrl, customer);
    await controls.console({ id: held.externalId, quantity: 14 });
    await syncAccount(context, { family: "microsoft", externalId: held.tenantExternalId });
    const reading = await db
      .selectFrom("vendor_readings")
      .selectAll()
      .where("subscription_id", "=", held.id)
      .executeTakeFirstOrThrow();
    expect(reading).toMatchObject({ is_there: true, state: "active", quantity: 14 });
    expect(await page(customer)).toContain("vendor: 14");
  });

  test("links to the history of its orders, and lists their documents", async () => {
    const order = await paidOrder(stack);
    const { customer_id } = await readOrder(db, order.id);
    const invoice = await db
      .selectFrom("invoices")
      .select("number")
      .where("order_id", "=", order.id)
      .executeTakeFirstOrThrow();
    const text = said(await desk.get(paths.deskCustomer(customer_id ?? "")));
    expect(text).toContain(`href="${paths.deskOrder(order.id)}"`);
    expect(text).toContain(await numberOf(db, order.id));
    expect(text).toContain(`href="${paths.deskDocument(invoice.number)}"`);
    const other = await makeOrder(db);
    expect(text).not.toContain(other);
  });

  test("shows staff notes with author and time, and never to the customer", async () => {
    const customer = await makeCustomer(db);
    const answer = await desk.post(paths.deskActionForm("customer.note", customer.customerId), {
      reason: "Pays by cheque, in the first week",
    });
    expect(answer.location).toBe(paths.deskCustomer(customer.customerId));
    const text = await page(customer);
    expect(text).toContain("Pays by cheque, in the first week");
    expect(text).toContain(`Note, by ${staff.email}`);
    const entries = await db
      .selectFrom("audit_log")
      .select(["action", "data", "staff_id"])
      .where("subject", "=", `customer:${customer.customerId}`)
      .where("staff_id", "is not", null)
      .execute();
    expect(entries).toEqual([
      {
        action: "customer.note",
        data: { reason: "Pays by cheque, in the first week", by: staff.email },
        staff_id: staff.id,
      },
    ]);
  });

  test("responds 404 if the company does not exist", async () => {
    for (const id of [newId(), "acme"]) expect((await desk.get(paths.deskCustomer(id))).status).toBe(404);
  });
});
