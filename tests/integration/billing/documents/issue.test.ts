/**
 * Invoice numbers have no gaps or duplicates under concurrent payments, failures and requests. An order has one invoice, and an
 * issued one never changes.
 */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { newId, type OrderId, type UserId } from "#db/ids.ts";
import { sandboxSellers } from "#sandbox/local/environment.ts";
import { getInvoiceFor, type Invoice, issueInvoice } from "#server/billing/documents/issue.ts";
import { beginPayment } from "#server/billing/payments/begin.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import type { Requester } from "#server/orders/find.ts";
import { getOrderFor } from "#server/orders/find.ts";
import { anonymousRequester, makeCompany, makeOrder, makePerson } from "#tests/support/orders.ts";
import { accountAnswers } from "#tests/support/priced-order.ts";
import { tapStatements } from "#tests/support/statement-tap.ts";
import { contextForStack, startWorld } from "#tests/support/world.ts";

let requester: Requester;
const world = await startWorld();
beforeAll(async () => {
  const { db } = world.context;
  const buyer = await makePerson(db);
  requester = {
    userId: buyer.userId,
    customer: { id: await makeCompany(db, buyer), role: "owner" },
    draftKey: null,
  };
});

const count = 100;
const hundred = Array.from({ length: count }, (_, index) => index);

/** Creates an order at Place Order, or paid with these changes. */
const placeOrder = (changes: Parameters<typeof makeOrder>[2] = {}, quantity = 2): Promise<OrderId> =>
  makeOrder(
    world.context.db,
    { requester, quantity },
    {
      stage: "stage2",
      customer_id: requester.customer?.id ?? null,
      account: JSON.stringify(accountAnswers()),
      ...changes,
    },
  );
const paid = () =>
  placeOrder({ stage: "stage3", payment_status: "completed", paid_at: new Date("2026-11-20T09:00:00Z") });

const issue = (orderId: OrderId, at: Date): Promise<Invoice> =>
  world.context.db.transaction().execute((trx) => issueInvoice(trx, sandboxSellers, orderId, at));

const issuedIn = (series: string) =>
  world.context.db
    .selectFrom("invoices")
    .selectAll()
    .where("series", "=", series)
    .orderBy("serial")
    .execute();
const serialsIn = async (series: string) => (await issuedIn(series)).map(({ serial }) => serial);
const consecutive = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** Places the order and pays at the provider without a webhook. */
async function payFor(orderId: OrderId) {
  const { context, controls } = world;
  const order = await getOrderFor(context.db, orderId, requester);
  const { providerOrderId } = await beginPayment(context, {
    order,
    requester,
    shownTotalMinor: order.total.minor,
    shownAgreement: null,
    now: new Date(),
  });
  const { paymentId } = await controls.pay({ orderId: providerOrderId, webhook: false });
  return {
    orderId,
    provider: "razorpay" as const,
    account: "IN" as const,
    providerOrderId,
    providerPaymentId: paymentId,
  };
}

test("issues 100 consecutive invoices for 100 simultaneous payments reported twice", async () => {
  const { db } = world.context;
  const payments = [];
  for (const index of hundred) {
    const orderId = await placeOrder({ kind: index % 2 === 0 ? "TUP" : "NEW" }, index + 1);
    payments.push(await payFor(orderId));
  }
  const settled = await Promise.all(
    [...payments, ...payments].map((payment) => settlePayment(world.context, payment)),
  );
  expect(new Set(settled.map(({ state }) => state))).toEqual(new Set(["completed"]));

  const rows = await db
    .selectFrom("invoices")
    .innerJoin("payments", "payments.order_id", "invoices.order_id")
    .select(["number", "serial", "invoices.order_id", "amount_minor", "payments.status"])
    .orderBy("serial")
    .execute();
  expect(rows.map(({ serial }) => serial)).toEqual(consecutive(count));
  expect(new Set(rows.map(({ number }) => number)).size).toBe(count);
  expect(rows[count - 1]?.number).toMatch(/^IN\/\d\d-\d\d\/000100$/);
  expect(new Set(rows.map(({ order_id }) => order_id))).toEqual(
    new Set(payments.map(({ orderId }) => orderId)),
  );
  for (const { order_id, amount_minor } of rows) {
    const { facts } = await getInvoiceFor(world.context, order_id, requester);
    expect(facts.totalMinor).toBe(amount_minor);
  }
});

test("skips no number when a third of 100 simultaneous transactions roll back", async () => {
  const at = new Date("2031-05-01T00:00:00Z");
  const orders = await Promise.all(hundred.map(() => paid()));
  const results = await Promise.allSettled(
    orders.map((orderId, index) =>
      world.context.db.transaction().execute(async (trx) => {
        const invoice = await issueInvoice(trx, sandboxSellers, orderId, at);
        if (index % 3 === 0) throw new Error("undone");
        return invoice;
      }),
    ),
  );
  const undone = results.filter(({ status }) => status === "rejected");
  expect(undone).toHaveLength(34);
  expect(await serialsIn("IN/31-32")).toEqual(consecutive(66));
  // The rolled-back ones get the next numbers.
  await Promise.all(orders.map((orderId) => issue(orderId, at)));
  expect(await serialsIn("IN/31-32")).toEqual(consecutive(100));
});

test("issues one invoice for simultaneous requests for an order", async () => {
  const orderId = await paid();
  const at = new Date("2032-05-01T00:00:00Z");
  const invoices = await Promise.all(Array.from({ length: 20 }, () => issue(orderId, at)));
  expect(new Set(invoices.map(({ number }) => number))).toEqual(new Set(["IN/32-33/000001"]));
  expect(await serialsIn("IN/32-33")).toEqual([1]);
  expect(invoices[0]).toEqual(invoices[19]);
});

test("begins at 1 in each financial year and country", async () => {
  const before = await issue(await paid(), new Date("2034-03-31T18:29:59Z"));
  const after = await issue(await paid(), new Date("2034-03-31T18:30:00Z"));
  const american = await issue(
    await placeOrder({ payment_status: "completed", country: "US", currency: "USD" }),
    new Date("2034-03-31T18:30:00Z"),
  );
  expect([before.number, after.number, american.number]).toEqual([
    "IN/33-34/000001",
    "IN/34-35/000001",
    "US/2034/000001",
  ]);
});

test("keeps the dates of a series in order despite another process's clock", async () => {
  const first = await issue(await paid(), new Date("2035-05-02T00:00:00Z"));
  const second = await issue(await paid(), new Date("2035-05-01T23:59:00Z"));
  expect(second.number).toBe("IN/35-36/000002");
  expect(second.issuedAt).toEqual(first.issuedAt);
});

test("refuses an unpaid order without using a number", async () => {
  const orderId = await placeOrder();
  await expect(issue(orderId, new Date("2036-05-01T00:00:00Z"))).rejects.toThrow(RangeError);
  await expect(getInvoiceFor(world.context, orderId, requester)).rejects.toMatchObject({ code: "not_found" });
  expect(await issuedIn("IN/36-37")).toEqual([]);
});

test("leaves no gap for a refused payment", async () => {
  const { context, controls } = world;
  const orderId = await placeOrder();
  const payment = await payFor(orderId);
  const wrong = await controls.pay({ orderId: payment.providerOrderId, amount: 100, webhook: false });
  const last = async () =>
    await context.db.selectFrom("invoice_series").selectAll().orderBy("series").execute();
  const before = await last();
  const settled = await settlePayment(context, { ...payment, providerPaymentId: wrong.paymentId });
  expect(settled.state).toBe("mismatch");
  expect(await last()).toEqual(before);
});

describe("the lock on the invoice series", () => {
  /** Sign-in details given in advance, so that the payment queues the fulfilment. */
  const queuedWhenPaid = { signin: JSON.stringify({ mode: "new", username: "owner", prefix: "locked" }) };

  /** Returns a settlement's statements after the lock on the series, without the statistics of calls to providers. */
  async function afterTheLock(orderId: OrderId): Promise<string[]> {
    const payment = await payFor(orderId);
    const tap = await tapStatements(world.environment.DATABASE_URL ?? "");
    const tapped = contextForStack({ ...world.environment, DATABASE_URL: tap.url });
    expect((await settlePayment(tapped, payment)).state).toBe("completed");
    await tapped.calls.settled();
    const requested = tap.take().map(({ sql }) => sql);
    await tapped.db.destroy();
    await tap.stop();
    const own = requested.filter((sql) => !/provider_calls|vendor_signs/.test(sql));
    const locked = own.findIndex((sql) => sql.startsWith('insert into "invoice_series"'));
    const before = own.slice(0, locked).join("\n");
    for (const part of ["begin", 'update "orders"', 'insert into "payments"', "add_job"])
      expect(before).toContain(part);
    return own.slice(locked + 1).map((sql) => /^\w+(?: into "?\w+"?)?|add_job/.exec(sql)?.[0] ?? sql);
  }

  test("precedes only the invoice and the commit", async () => {
    expect(await afterTheLock(await placeOrder(queuedWhenPaid))).toEqual([
      'insert into "invoices"',
      "commit",
    ]);
  });

  test("precedes the registration, too, for a buyer with a GSTIN", async () => {
    const account = JSON.stringify(accountAnswers({ gst_code: "29AABCB1234C1ZA" }));
    expect(await afterTheLock(await placeOrder({ ...queuedWhenPaid, account }))).toEqual([
      'insert into "invoices"',
      'insert into "e_invoices"',
      "add_job",
      "commit",
    ]);
  });
});

describe("an order paid before invoices existed", () => {
  test("gets its invoice on the first request, dated then, and keeps it", async () => {
    const orderId = await paid();
    const began = Date.now();
    const first = await Promise.all(
      Array.from({ length: 5 }, () => getInvoiceFor(world.context, orderId, requester)),
    );
    expect(new Set(first.map(({ number }) => number)).size).toBe(1);
    expect(first[0]?.issuedAt.getTime()).toBeGreaterThanOrEqual(began);
    expect(first[0]?.facts.paidAt).toBe("2026-11-20T09:00:00.000Z");
    expect(await getInvoiceFor(world.context, orderId, requester)).toEqual(first[0]);
  });

  test("gets no invoice when a stranger requests it", async () => {
    const orderId = await paid();
    const strangers: Requester[] = [
      anonymousRequester,
      { ...anonymousRequester, userId: newId<UserId>() },
      { ...requester, customer: null },
      {
        ...requester,
        customer: {
          id: await makeCompany(world.context.db, await makePerson(world.context.db)),
          role: "owner",
        },
      },
    ];
    for (const stranger of strangers) {
      await expect(getInvoiceFor(world.context, orderId, stranger)).rejects.toMatchObject({
        code: "not_found",
      });
    }
    const rows = await world.context.db
      .selectFrom("invoices")
      .select("number")
      .where("order_id", "=", orderId)
      .execute();
    expect(rows).toEqual([]);
  });
});

describe("the language of an invoice", () => {
  const at = new Date("2038-05-01T00:00:00Z");

  test.each([
    ["hi", "hi"],
    ["en", "en"],
    [null, "en"],
    ["a language we no longer speak", "en"],
  ] as const)("takes an order in %s as %s, regardless of later changes", async (known, language) => {
    const orderId = await paid();
    const { db } = world.context;
    const speak = (id: string) =>
      db.updateTable("orders").set({ language: id }).where("id", "=", orderId).execute();
    if (known !== null) await speak(known);
    const issued = await issue(orderId, at);
    expect(issued.language).toBe(language);
    expect(issued.facts.lines[0]?.notes).toContain(textIn(language)("invoice.yearBilledAnnually"));
    await speak(language === "hi" ? "en" : "hi");
    expect(await getInvoiceFor(world.context, orderId, requester)).toEqual(issued);
  });

  test("defaults to English for an invoice without a language", async () => {
    const { db } = world.context;
    const orderId = await paid();
    const issued = await issue(orderId, at);
    await db.updateTable("invoices").set({ language: null }).where("order_id", "=", orderId).execute();
    await db.updateTable("orders").set({ language: "hi" }).where("id", "=", orderId).execute();
    expect(await getInvoiceFor(world.context, orderId, requester)).toEqual(issued);
    expect(issued.language).toBe("en");
  });
});

test("keeps an issued invoice when order, address and seller change", async () => {
  const orderId = await paid();
  const issued = await issue(orderId, new Date("2037-05-01T00:00:00Z"));
  await world.context.db
    .updateTable("orders")
    .set({
      account: JSON.stringify(accountAnswers({ companyName: randomUUID(), state: "Kerala" })),
      tax_rate_basis_points: 2_800,
      total_minor: 1,
      payment_status: "refunded",
    })
    .where("id", "=", orderId)
    .execute();
  const present = world.context.env.sellers.get("IN");
  if (present === undefined) throw new Error("Expected a seller in India");
  const named = { name: "Another Company", address: "Pune", gstin: "27AAPFU0939F1ZV", signatory: "Nobody" };
  const other = { ...present, ...named };
  const moved = {
    ...world.context,
    env: { ...world.context.env, sellers: new Map([["IN", other]] as const) },
  };
  expect(await getInvoiceFor(moved, orderId, requester)).toEqual(issued);
});
