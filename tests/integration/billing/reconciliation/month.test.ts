/**
 * A month of purchases, additions, renewals and refunds, reconciled after its payouts and bills are available: no differences.
 * Then each side is changed, and each change appears as one difference with its amount.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { listOpenDiscrepancies } from "#db/billing/reconciliation.ts";
import { lastMonthsRead } from "#db/billing/vendor-bill-lists.ts";
import { recordStatement, saveBillLines, saveOperation } from "#db/billing/vendor-bills.ts";
import { billedAccounts, importFile, readBills } from "#server/billing/reconciliation/bills.ts";
import { utcMonth } from "#server/billing/reconciliation/days.ts";
import {
  acknowledgeByStaff,
  findDiscrepancies,
  reconcile,
} from "#server/billing/reconciliation/reconcile.ts";
import { fetchMarket, listVendorMarkets } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { fetchPriceSheet } from "#server/desk/vendor-catalogue/prices.ts";
import { beginChange, type Change, openPayment, outcomeOfChange, payChange } from "#tests/support/changes.ts";
import {
  type Customer,
  type CustomerSubscription,
  createSubscriptionFor,
  makeCustomer,
  seedProviders,
} from "#tests/support/customer.ts";
import { googlePlan, type OpenPayment, returnForm, toCheckout } from "#tests/support/journey.ts";
import { signedIn } from "#tests/support/orders.ts";
import {
  answerSignInGoogle,
  answerSignInNewTenant,
  freshPrefix,
  paidOrder,
} from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls, provider } = await startStore({ worker: true });
const { db } = context;

const dayMs = 86_400_000;
/** Time until payments are paid out, next terms have begun, and the bills of this month and the next exist. */
const aheadMs = 60 * dayMs;
const later = new Date(Date.now() + aheadMs);

let microsoft: OpenPayment;
let grown: { customer: Customer; held: CustomerSubscription };
/** A payment at the provider that was never reported to the store. */
let unheard: { paymentId: string; amountMinor: number };

async function done(order: Pick<OpenPayment, "id">): Promise<void> {
  await until("the order is done", async () => {
    const row = await db.selectFrom("orders").select("stage").where("id", "=", order.id).executeTakeFirst();
    return row?.stage === "stage4";
  });
}

async function bought(family: "microsoft" | "google"): Promise<OpenPayment> {
  if (family === "microsoft") {
    const order = await paidOrder(stack);
    await answerSignInNewTenant(order, { prefix: freshPrefix() });
    await done(order);
    return order;
  }
  const domain = `${freshPrefix()}.com`;
  const order = await paidOrder(stack, googlePlan(domain));
  await answerSignInGoogle(order, "admin");
  await done(order);
  await provider.acceptTerms(domain);
  return order;
}

async function holding(endsInDays: number): Promise<{ customer: Customer; held: CustomerSubscription }> {
  const customer = await makeCustomer(db);
  const held = await createSubscriptionFor(db, customer, { endsInDays });
  await seedProviders(db, stack.sandboxUrl, customer);
  return { customer, held };
}

async function changed({ customer, held }: typeof grown, change: Change, quantity: number): Promise<void> {
  const browser = await signedIn(context, stack.url, customer.owner);
  const order = await beginChange(browser, change, held.id, quantity);
  await payChange(browser, stack.sandboxUrl, order);
  expect(await outcomeOfChange(context, order)).toBe("done");
}

/** Pays for an order that can no longer be fulfilled, so that it is refunded. */
async function givenBack(): Promise<void> {
  const { customer, held } = await holding(100);
  const browser = await signedIn(context, stack.url, customer.owner);
  const order = await beginChange(browser, "more", held.id, 5);
  const providerOrderId = await openPayment(browser, order);
  await db.updateTable("subscriptions").set({ status: "cancelled" }).where("id", "=", held.id).execute();
  const paid = await controls.pay({ orderId: providerOrderId, webhook: false });
  await browser.post("/payments/return", returnForm(providerOrderId, paid));
  await until("the refund is processed", async () => {
    const row = await db
      .selectFrom("refunds")
      .select("status")
      .where("order_id", "=", order.id)
      .executeTakeFirst();
    return row?.status === "processed";
  });
}

const open = async () =>
  (await listOpenDiscrepancies(db)).map(({ key, amountMinor }) => ({ key, amountMinor }));
const paymentOf = (order: Pick<OpenPayment, "id">) =>
  db.selectFrom("payments").selectAll().where("order_id", "=", order.id).executeTakeFirstOrThrow();
const mails = () =>
  db
    .selectFrom("mails")
    .select(["dedupe_key", "data"])
    .where("dedupe_key", "like", "money-differences:%")
    .execute();

beforeAll(async () => {
  for (const market of listVendorMarkets(context))
    if ((await fetchPriceSheet(context, market)) === null) await fetchMarket(context, market);
  microsoft = await bought("microsoft");
  await bought("google");
  grown = await holding(100);
  await changed(grown, "more", 5);
  await changed(await holding(20), "renew", 10);
  await changed(await holding(-10), "renew", 4);
  await givenBack();
  // The store is idle from here on.
  await stack.killWorker();
  await controls.clock(aheadMs);
});
afterEach(() => controls.faults());
afterAll(() => controls.clock(0));

describe("a month without differences", () => {
  test("opens no difference and alerts no one", async () => {
    await reconcile(context, later);
    expect(await open()).toEqual([]);
    expect(await mails()).toEqual([]);
  });

  test("covers all payouts and bills", async () => {
    const lines = await db.selectFrom("settlement_lines").select(["kind", "bank_reference"]).execute();
    expect(lines.map(({ kind }) => kind).toSorted()).toEqual([
      "payment",
      "payment",
      "payment",
      "payment",
      "payment",
      "payment",
      "refund",
    ]);
    expect(lines.every(({ bank_reference: reference }) => reference !== null)).toBe(true);
    const billed = await db
      .selectFrom("vendor_bill_lines")
      .select(["family", "kind", "seats"])
      .where("subscription_id", "is not", null)
      .orderBy("family")
      .orderBy("kind")
      .orderBy("seats")
      .execute();
    expect(billed).toEqual([
      { family: "google", kind: "term", seats: 2 },
      { family: "microsoft", kind: "seats", seats: 5 },
      { family: "microsoft", kind: "term", seats: 2 },
      { family: "microsoft", kind: "term", seats: 4 },
      { family: "microsoft", kind: "term", seats: 10 },
    ]);
  });

  test("stores nothing twice when read again", async () => {
    const count = async () => [
      (await db.selectFrom("settlement_lines").select("entity_id").execute()).length,
      (await db.selectFrom("vendor_bill_lines").select("line_key").execute()).length,
    ];
    const before = await count();
    await db.updateTable("vendor_statements").set({ imported_at: null }).execute();
    await db.deleteFrom("settlement_days").execute();
    await reconcile(context, later);
    expect(await count()).toEqual(before);
    expect(await open()).toEqual([]);
  });

  test("waits for a bill in preparation and requests it once", async () => {
    const before = (await db.selectFrom("vendor_bill_lines").select("line_key").execute()).length;
    await db.updateTable("vendor_statements").set({ imported_at: null }).execute();
    await db.deleteFrom("vendor_bill_lines").execute();
    const countCalls = async () =>
      (
        await provider.calls(
          ({ method, path }) => method === "POST" && /billed\/export|reports\/.*run/.test(path),
        )
      ).length;
    const earlier = await countCalls();
    // 1.5 seconds.
    await controls.delays(0.05);
    await expect(reconcile(context, later)).rejects.toThrow("Vendors prepare");
    const inAll = await countCalls();
    expect(inAll).toBeGreaterThan(earlier + 1);
    await until("the bills are read", () =>
      reconcile(context, later).then(
        () => true,
        () => false,
      ),
    );
    await controls.delays(0);
    expect(await countCalls()).toBe(inAll);
    expect((await db.selectFrom("vendor_bill_lines").select("line_key").execute()).length).toBe(before);
    expect(await open()).toEqual([]);
  });
});

describe("a difference", () => {
  test("appears for a payment without payout, with an odd fee, or unknown here", async () => {
    const payment = await paymentOf(microsoft);
    const other = await db
      .selectFrom("payments")
      .selectAll()
      .where("status", "=", "captured")
      .where("id", "<>", payment.id)
      .orderBy("created_at")
      .limit(1)
      .executeTakeFirstOrThrow();
    const order = await toCheckout(stack.url, {});
    const { paymentId } = await controls.pay({ orderId: order.providerOrderId, webhook: false });
    unheard = { paymentId, amountMinor: order.totalMinor };
    await controls.clock(aheadMs + 10 * dayMs);
    const fee = Math.round(Number(other.amount_minor) * 0.0236) + 500;
    await controls.settlements({
      held: [payment.provider_payment_id],
      fees: { [other.provider_payment_id]: fee },
    });
    await db.deleteFrom("settlement_lines").execute();
    await db.deleteFrom("settlement_days").execute();
    // Paid while the vendors' clock was ahead, so it is paid out later.
    const then = new Date(later.getTime() + 10 * dayMs);
    await reconcile(context, then);
    await reconcile(context, then);
    const found = await open();
    expect(found).toHaveLength(3);
    expect(found).toContainEqual({
      key: `paid-not-settled:${payment.provider_payment_id}`,
      amountMinor: payment.amount_minor,
    });
    expect(found).toContainEqual({
      key: expect.stringMatching(`^fee-odd:${other.provider_payment_id}:setl_`),
      amountMinor: 90,
    });
    expect(found).toContainEqual({
      key: expect.stringMatching(`^settled-unknown:${unheard.paymentId}:setl_`),
      amountMinor: unheard.amountMinor,
    });
    const readMails = await mails();
    expect(readMails).toHaveLength(1);
    expect(JSON.stringify(readMails[0]?.data)).toContain(payment.provider_payment_id);

    await controls.settlements();
    await db.deleteFrom("settlement_lines").execute();
    await db.deleteFrom("settlement_days").execute();
    await reconcile(context, then);
    expect((await open()).map(({ key }) => key)).toEqual([
      expect.stringMatching(`^settled-unknown:${unheard.paymentId}`),
    ]);
    expect(await mails()).toHaveLength(1);
  });

  test("disappears from the list when acknowledged with a reason, which is audited", async () => {
    const [difference] = await listOpenDiscrepancies(db);
    const key = difference?.key ?? "";
    const said = { because: "paid in another shop", by: "asha", now: later };
    expect(await acknowledgeByStaff(context, key, said)).toBe(true);
    expect(await acknowledgeByStaff(context, key, said)).toBe(false);
    await findDiscrepancies(context, later);
    expect(await open()).toEqual([]);
    const entry = await db
      .selectFrom("audit_log")
      .selectAll()
      .where("action", "=", "difference.acknowledge")
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({
      subject: `difference:${key}`,
      data: { because: "paid in another shop", by: "asha" },
    });
  });

  test("appears for billed seats that differ in existence, number or price", async () => {
    const account = billedAccounts(context).find((each) => each.account === "microsoft:IN");
    if (account === undefined) throw new Error("Expected a Microsoft account in India");
    const of = (kind: "term" | "seats", seats: number) =>
      db
        .selectFrom("vendor_bill_lines")
        .selectAll()
        .where("kind", "=", kind)
        .where("seats", "=", seats)
        .where("family", "=", "microsoft")
        .executeTakeFirstOrThrow();
    const [bought2, grown5, renewed10] = [await of("term", 2), await of("seats", 5), await of("term", 10)];
    const today = new Date();
    const unknown = crypto.randomUUID();
    const lineOf = (changes: object) =>
      JSON.stringify({
        InvoiceNumber: "G0001",
        SubscriptionId: grown5.external_id,
        ChargeType: "addQuantity",
        Quantity: "3",
        UnitPrice: 1305,
        Subtotal: 1000.5,
        Currency: "INR",
        ChargeStartDate: today.toISOString(),
        ChargeEndDate: later.toISOString(),
        ...changes,
      });
    const file = async function* () {
      yield `${lineOf({})}\n${lineOf({ SubscriptionId: unknown, ChargeType: "new", Subtotal: 20 })}`;
    };
    const month = utcMonth(new Date());
    expect(await importFile(context, account, { pieces: file(), month })).toBe(2);
    expect(await importFile(context, account, { pieces: file(), month })).toBe(0);
    await db.deleteFrom("vendor_bill_lines").where("line_key", "=", bought2.line_key).execute();
    await db
      .updateTable("vendor_bill_lines")
      .set({ seats: 12, amount_minor: renewed10.unit_minor * 12 })
      .where("line_key", "=", renewed10.line_key)
      .execute();
    await db
      .updateTable("vendor_bill_lines")
      .set({ unit_minor: grown5.unit_minor * 2 })
      .where("line_key", "=", grown5.line_key)
      .execute();
    await findDiscrepancies(context, later);
    await findDiscrepancies(context, later);
    const order = await db
      .selectFrom("orders")
      .select("subtotal_minor")
      .where("id", "=", microsoft.id)
      .executeTakeFirstOrThrow();
    const found = await listOpenDiscrepancies(db);
    expect(found.map(({ kind, amountMinor }) => ({ kind, amountMinor })).toSorted(byKind)).toEqual([
      { kind: "vendor-price", amountMinor: Math.round(grown5.amount_minor / 2) },
      { kind: "vendor-quantity", amountMinor: renewed10.unit_minor * 2 },
      { kind: "vendor-unbilled", amountMinor: order.subtotal_minor },
      { kind: "vendor-unpaid", amountMinor: 2_000 },
      { kind: "vendor-unpaid", amountMinor: 100_050 },
    ]);

    await db.deleteFrom("vendor_bill_lines").execute();
    await db.deleteFrom("vendor_statements").execute();
    await reconcile(context, later);
    expect(await of("term", 2)).toMatchObject({ external_id: bought2.external_id });
    expect(await open()).toEqual([]);
  });

  test("appears for missing and wrong invoices and for unpaid ones", async () => {
    const invoices = await db.selectFrom("invoices").selectAll().orderBy("serial").limit(3).execute();
    const [gone, other, unpaid] = invoices;
    if (gone === undefined || other === undefined || unpaid === undefined)
      throw new Error("Expected three invoices");
    const totalOf = (facts: unknown) => Number(JSON.parse(JSON.stringify(facts)).totalMinor);
    await db.deleteFrom("invoices").where("number", "=", gone.number).execute();
    await db
      .updateTable("invoices")
      .set({
        facts: JSON.stringify({
          ...JSON.parse(JSON.stringify(other.facts)),
          totalMinor: totalOf(other.facts) + 700,
        }),
      })
      .where("number", "=", other.number)
      .execute();
    await db
      .updateTable("payments")
      .set({ status: "failed" })
      .where("order_id", "=", unpaid.order_id)
      .where("status", "=", "captured")
      .execute();
    await findDiscrepancies(context, later);
    await findDiscrepancies(context, later);
    const paid = await paymentOf({ id: gone.order_id });
    const found = await listOpenDiscrepancies(db);
    const documents = found.filter(({ kind }) => !kind.startsWith("vendor-"));
    expect(documents.map(({ key, amountMinor }) => ({ key, amountMinor })).toSorted(byKey)).toEqual(
      [
        { key: `paid-not-invoiced:${paid.provider_payment_id}`, amountMinor: paid.amount_minor },
        { key: `invoice-total:${other.number}`, amountMinor: 700 },
        { key: `invoiced-not-paid:${unpaid.number}`, amountMinor: totalOf(unpaid.facts) },
      ].toSorted(byKey),
    );
  });
});

describe("a failing vendor or provider", () => {
  test("does not block the others and resumes where it stopped", async () => {
    await db.deleteFrom("settlement_lines").execute();
    await db.deleteFrom("settlement_days").execute();
    await db.deleteFrom("vendor_bill_lines").execute();
    await db.deleteFrom("vendor_statements").execute();
    await controls.faults(
      { match: { path: `recon/combined.*day=${later.getUTCDate()}(&|$)` }, kind: "500" },
      { match: { path: "/partner-center/v1/invoices" }, kind: "503" },
    );
    await expect(reconcile(context, later)).rejects.toMatchObject({ provider: "razorpay" });
    const days = async () => (await db.selectFrom("settlement_days").select("day").execute()).length;
    const before = await days();
    expect(before).toBeGreaterThan(20);
    const read = async () =>
      new Set(
        (await db.selectFrom("vendor_bill_lines").select("family").execute()).map(({ family }) => family),
      );
    expect(await read()).toEqual(new Set(["google"]));
    await controls.faults();
    await reconcile(context, later);
    expect(await days()).toBeGreaterThanOrEqual(before);
    expect(await read()).toEqual(new Set(["google", "microsoft"]));
  });

  test("alerts the operator once about a permanent refusal without blocking the others", async () => {
    await db.deleteFrom("vendor_bill_lines").execute();
    await db.deleteFrom("vendor_statements").execute();
    await controls.faults({
      match: { path: "/partner-center/v1/invoices" },
      kind: "refuse",
      status: 403,
      code: "900308",
      description: "The role is missing",
    });
    const readMails = async () =>
      (
        await db
          .selectFrom("mails")
          .select(["dedupe_key", "data"])
          .where("dedupe_key", "like", "not-compared:%")
          .execute()
      ).map(({ data }) => JSON.stringify(data));
    await reconcile(context, later);
    const first = await readMails();
    expect(first.join()).toContain("microsoft:IN");
    expect(first.join()).toContain("The role is missing");
    await reconcile(context, later);
    expect(await readMails()).toEqual(first);
    const families = await db.selectFrom("vendor_bill_lines").select("family").distinct().execute();
    expect(families).toEqual([{ family: "google" }]);
    await controls.faults();
    await reconcile(context, later);
  });

  test("stops before a month whose bill is still in preparation", async () => {
    const account = { family: "microsoft", account: "microsoft:IN" } as const;
    const read = async () => (await lastMonthsRead(db)).find((each) => each.account === account.account);
    const known = await read();
    if (known === undefined) throw new Error("Expected a month that was read");
    expect(known.last >= known.first).toBe(true);
    const another = { ...account, statement: "another", month: known.last };
    await recordStatement(db, another);
    expect(await read()).toEqual(known);
    await saveOperation(db, another, "op-1");
    const now = await read();
    expect(now === undefined || now.last < known.last).toBe(true);
    await db.transaction().execute((trx) => saveBillLines(trx, another, []));
    expect(await read()).toEqual(known);
    await db.deleteFrom("vendor_statements").where("statement", "=", "another").execute();
  });

  test("refuses a file that is not a bill and changes nothing", async () => {
    const [account] = billedAccounts(context);
    if (account === undefined) throw new Error("Expected a billed account");
    const file = async function* () {
      yield "<html>";
    };
    const month = utcMonth(new Date());
    await expect(importFile(context, account, { pieces: file(), month })).rejects.toThrow(
      "Line 1 of the bill",
    );
    expect(await readBills(context, account, "2020-01")).toEqual({ lines: 0, awaited: 0 });
  });
});

const byKey = (one: { key: string }, other: { key: string }) => one.key.localeCompare(other.key);
const byKind = (one: { kind: string; amountMinor: number }, other: { kind: string; amountMinor: number }) =>
  one.kind.localeCompare(other.kind) || one.amountMinor - other.amountMinor;
