/**
 * Money in Desk: refunds, payouts with their lines, vendor bills, differences and outstanding TDS certificates, with the amounts
 * of the commands and the database, links to orders, and a CSV of every list, including the older lists.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { listOpenDiscrepancies } from "#db/billing/reconciliation.ts";
import type { OrderId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { billedAccounts, importFile } from "#server/billing/reconciliation/bills.ts";
import { findDiscrepancies } from "#server/billing/reconciliation/reconcile.ts";
import { readSettlements, settlementAccounts } from "#server/billing/reconciliation/settlements.ts";
import { formatExact, formatMoney } from "#server/catalogue/pricing/format.ts";
import { moneyListIds } from "#server/desk/lists/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import { dateView } from "#server/orders/subscriptions/dates.ts";
import { runCommand } from "#tests/support/command.ts";
import { makeStaff, staffBrowser, type TestStaff } from "#tests/support/desk.ts";
import { download, linesOf } from "#tests/support/download.ts";
import { type HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { numberOf } from "#tests/support/orders.ts";
import { paidOrder } from "#tests/support/paid-order.ts";
import { refundPart } from "#tests/support/refunds.ts";
import { startStore } from "#tests/support/store.ts";
import { accountOf, toTransfer } from "#tests/support/transfer.ts";

const { stack, context, controls } = await startStore();
const { db } = context;

const dayMs = 86_400_000;
const later = new Date(Date.now() + 20 * dayMs);

let accountant: TestStaff;
let finance: HttpBrowser;
let admin: HttpBrowser;
let support: HttpBrowser;
/** Paid by card; the second is partly refunded, the refund of the third failed. */
let paid: OrderId[];
let certificate: { orderId: OrderId; withheldMinor: number };

const paymentOf = (orderId: OrderId) =>
  db.selectFrom("payments").selectAll().where("order_id", "=", orderId).executeTakeFirstOrThrow();

/** Settles a transfer that is short by the TDS. */
async function shortTransfer(): Promise<typeof certificate> {
  const order = await toTransfer(stack.url, { wanted: { family: "brio", item: "brio-desk" }, quantity: 20 });
  const stored = await findOrder(db, order.id);
  const withheldMinor = Math.round((stored?.subtotal.minor ?? 0) / 10 / 100) * 100;
  const account = await accountOf(controls, order);
  const credited = await controls.credit({ accountId: account, amount: order.totalMinor - withheldMinor });
  await settlePayment(context, {
    provider: "bank-transfer",
    account: "IN",
    providerOrderId: account,
    providerPaymentId: credited,
  });
  return { orderId: order.id, withheldMinor };
}

beforeAll(async () => {
  accountant = await makeStaff(context, "finance");
  finance = await staffBrowser(context, stack.url, accountant);
  admin = await staffBrowser(context, stack.url, await makeStaff(context, "admin"));
  support = await staffBrowser(context, stack.url, await makeStaff(context, "support"));
  await controls.webhooks("never");
  paid = [];
  for (let made = 0; made < 3; made += 1) paid.push((await paidOrder(stack)).id);
  const [, second, third] = paid;
  if (second === undefined || third === undefined) throw new Error("Expected paid orders");
  await refundPart(context, second, 12_345, { reason: "=1+1" });
  const failed = await refundPart(context, third, 5_000);
  await db
    .updateTable("refunds")
    .set({ status: "failed", problem: "BAD_REQUEST_ERROR: insufficient balance" })
    .where("id", "=", failed)
    .execute();
  certificate = await shortTransfer();

  await controls.clock(20 * dayMs);
  for (const account of settlementAccounts(context)) await readSettlements(context, account, later);
  await controls.clock(0);
  const google = billedAccounts(context).find(({ family }) => family === "google");
  if (google === undefined) throw new Error("Expected a billed Google account");
  async function* bill() {
    yield [
      "invoice_number,entitlement,charge_type,quantity,unit_price,cost,currency,charge_start_date,charge_end_date",
      "GW1,accounts/C1/customers/S1/entitlements/S2,COMMITMENT_STARTED,2,100,200.50,INR,2026-11-03,2027-11-03",
      "GW1,accounts/C1/customers/S1/entitlements/S3,COMMITMENT_STARTED,1,100,100.00,INR,2026-11-04,2027-11-04",
    ].join("\n");
  }
  await importFile(context, google, { pieces: bill(), month: "2026-11" });
  // One of our payments is in the payout with a different amount.
  const { provider_payment_id: payment } = await paymentOf(paid[0] ?? second);
  await db
    .updateTable("settlement_lines")
    .set((eb) => ({ amount_minor: eb("amount_minor", "-", 700) }))
    .where("entity_id", "=", payment)
    .execute();
  await findDiscrepancies(context, later);
});

async function page(path: string, browser = finance): Promise<string> {
  const answer = await browser.get(path);
  expect(answer.status, path).toBe(200);
  return mainContentOf(answer.text);
}
const rowsOf = (html: string) => [...html.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => row).slice(1);
function rowOf(html: string, text: string): string {
  const [found = "", ...others] = rowsOf(html).filter((row) => row.includes(text));
  expect([found, others], text).toEqual([expect.stringContaining(text), []]);
  return found;
}
const csv = async (path: string, browser = finance) => linesOf((await download(browser, path)).bytes);

describe("differences", () => {
  test("lists those of the command, each with its kind, amount and order", async () => {
    const html = await page(paths.deskMoneyList("differences"));
    const { said } = await runCommand(stack, "reconcile", "--list");
    const open = await listOpenDiscrepancies(db);
    expect(open.length).toBeGreaterThan(2);
    expect(said).toContain(`${open.length} open.`);
    expect(rowsOf(html)).toHaveLength(open.length);
    const lines = await csv(paths.deskMoneyCsv("differences"));
    expect(lines.map(({ key }) => key).toSorted()).toEqual(open.map(({ key }) => key).toSorted());
    for (const { key, amountMinor, currency, what } of open) {
      expect(said).toContain(key);
      expect(lines.find((line) => line.key === key)).toMatchObject({
        amount: (amountMinor / 100).toFixed(2),
        currency,
        what,
      });
    }
    const [first] = paid;
    if (first === undefined) throw new Error("Expected paid orders");
    const settled = rowOf(html, "Settled amount");
    expect(settled).toContain(formatExact(money(700, "INR")));
    expect(settled).toContain(`href="${paths.deskOrder(first)}">${await numberOf(db, first)}<`);
    const sums = new Map<string, number>();
    for (const { amountMinor, currency } of open) sums.set(currency, (sums.get(currency) ?? 0) + amountMinor);
    expect(await page(paths.deskMoney())).toContain(
      `${open.length} open, ${formatMoney(money(sums.get("INR") ?? 0, "INR"))}.`,
    );
  });

  test("filters by kind and state; an acknowledged one keeps its reason", async () => {
    const unpaid = await csv(paths.deskMoneyCsv("differences", { kind: "vendor-unpaid" }));
    expect(unpaid.map(({ amount }) => amount).toSorted()).toEqual(["100.00", "200.50"]);
    const [{ key = "" } = {}] = unpaid;
    const html = await page(paths.deskMoneyList("differences", { kind: "vendor-unpaid" }));
    expect(rowsOf(html)).toHaveLength(2);
    const act = paths.deskActionForm("difference.acknowledge", key);
    expect(html).toContain(`href="${act}"`);
    expect((await support.post(act, { reason: "x" })).status).toBe(403);
    expect((await finance.post(act, { reason: "Sold by hand" })).status).toBe(303);
    expect(rowsOf(await page(paths.deskMoneyList("differences", { kind: "vendor-unpaid" })))).toHaveLength(1);
    const acknowledged = await page(paths.deskMoneyList("differences", { state: "acknowledged" }));
    expect(rowsOf(acknowledged)).toHaveLength(1);
    expect(acknowledged).toContain("Sold by hand");
    const entry = await db
      .selectFrom("audit_log")
      .select(["action", "staff_id", "data"])
      .where("subject", "=", `difference:${key}`)
      .executeTakeFirstOrThrow();
    expect(entry).toEqual({
      action: "difference.acknowledge",
      staff_id: accountant.id,
      data: { because: "Sold by hand", by: accountant.email },
    });
  });

  test("links from the work queue to the order", async () => {
    const [first] = paid;
    const html = await page(paths.desk({ kind: "difference" }));
    const [item = "", ...others] = html.split("<li>").filter((each) => each.includes("is ₹"));
    expect(others).toEqual([]);
    expect(item).toContain(`href="${paths.deskOrder(first ?? "")}"`);
  });
});

describe("refunds", () => {
  test("shows amount, state, credit note and the provider's message", async () => {
    const [, second, third] = paid;
    if (second === undefined || third === undefined) throw new Error("Expected paid orders");
    const html = await page(paths.deskMoneyList("refunds"));
    expect(rowsOf(html)).toHaveLength(2);
    const query = rowOf(html, await numberOf(db, second));
    const note = await db
      .selectFrom("credit_notes")
      .select("number")
      .where("order_id", "=", second)
      .executeTakeFirstOrThrow();
    expect(query).toContain(formatExact(money(12_345, "INR")));
    expect(query).toContain(`href="${paths.deskDocument(note.number)}"`);
    const failed = await page(paths.deskMoneyList("refunds", { state: "failed" }));
    expect(rowsOf(failed)).toHaveLength(1);
    expect(rowOf(failed, await numberOf(db, third))).toContain("BAD_REQUEST_ERROR: insufficient balance");
    expect(await page(paths.deskMoney())).toContain("1 under way, 1 failed.");
    const today = dateView(new Date(), "IN").iso;
    expect(rowsOf(await page(paths.deskMoneyList("refunds", { from: today, to: today })))).toHaveLength(2);
    expect(await page(paths.deskMoneyList("refunds", { to: "2020-01-01" }))).toContain("No refunds found.");
  });

  test("exports a CSV without formulas, with amounts as numbers", async () => {
    const lines = await csv(paths.deskMoneyCsv("refunds"));
    expect(lines.map(({ amount }) => amount).toSorted()).toEqual(["123.45", "50.00"]);
    expect(lines.find(({ amount }) => amount === "123.45")).toMatchObject({
      reason: "'=1+1",
      currency: "INR",
    });
  });
});

describe("payouts", () => {
  test("sums the lines of each payout, with fee, tax and bank reference", async () => {
    const stored = await db
      .selectFrom("settlement_lines")
      .select(({ fn }) => [
        "settlement_id",
        "bank_reference",
        fn.countAll<number>().as("lines"),
        fn.sum<number>("credit_minor").as("credit"),
        fn.sum<number>("debit_minor").as("debit"),
        fn.sum<number>("fee_minor").as("fee"),
        fn.sum<number>("tax_minor").as("tax"),
      ])
      .groupBy(["settlement_id", "bank_reference"])
      .execute();
    expect(stored.length).toBeGreaterThan(0);
    const html = await page(paths.deskMoneyList("payouts"));
    expect(rowsOf(html)).toHaveLength(stored.length);
    const lines = await csv(paths.deskMoneyCsv("payouts"));
    for (const payout of stored) {
      const row = rowOf(html, `>${payout.settlement_id}<`);
      expect(row).toContain(payout.bank_reference ?? "none");
      expect(lines.find((line) => line.payout === payout.settlement_id)).toMatchObject({
        lines: String(payout.lines),
        net: ((Number(payout.credit) - Number(payout.debit)) / 100).toFixed(2),
        fee: (Number(payout.fee) / 100).toFixed(2),
        "tax in the fee": (Number(payout.tax) / 100).toFixed(2),
        utr: payout.bank_reference ?? "",
      });
      expect(row).toContain(`>${formatMoney(money(Number(payout.fee), "INR"))}<`);
      expect(row).toContain(`>${formatMoney(money(Number(payout.tax), "INR"))} tax in it<`);
    }
  });

  test("finds a payout by its payment, and lists its lines with their orders", async () => {
    const [first] = paid;
    if (first === undefined) throw new Error("Expected paid orders");
    const { provider_payment_id: payment } = await paymentOf(first);
    const found = await page(paths.deskMoneyList("payouts", { search: payment }));
    expect(rowsOf(found)).toHaveLength(1);
    const [, lines = ""] = /href="([^"]*payout-lines[^"]*)"/.exec(found) ?? [];
    const row = rowOf(await page(lines), `>${payment}<`);
    expect(row).toContain(`href="${paths.deskOrder(first)}">${await numberOf(db, first)}<`);
    expect(await page(paths.deskMoneyList("payouts", { search: "setl_none" }))).toContain(
      "No payouts found.",
    );
    expect(await csv(paths.deskMoneyCsv("payout-lines", { search: payment }))).toHaveLength(1);
  });

  test("pages without repeats", async () => {
    const days = Array.from({ length: 35 }, (_, index) => new Date(Date.UTC(2025, 0, 1 + index)));
    await db
      .insertInto("settlement_lines")
      .values(
        days.flatMap((settledAt, index) =>
          ["a", "b"].map((line) => ({
            provider: "razorpay" as const,
            account: "IN" as const,
            entity_id: `pay_old${index}${line}`,
            settlement_id: `setl_old${index}`,
            kind: "payment" as const,
            provider_payment_id: `pay_old${index}${line}`,
            currency: "INR",
            amount_minor: 1_000,
            credit_minor: 980,
            debit_minor: 0,
            fee_minor: 20,
            tax_minor: 3,
            bank_reference: `UTR${index}`,
            settled_at: settledAt,
          })),
        ),
      )
      .execute();
    const query = { to: "2025-12-31" };
    const seen: string[] = [];
    let address: string | null = paths.deskMoneyList("payouts", query);
    for (let pages = 0; address !== null && pages < 4; pages += 1) {
      const html: string = await page(address);
      seen.push(...[...html.matchAll(/>(setl_old\d+)</g)].map(([, id = ""]) => id));
      address = (/rel="next" href="([^"]*)"/.exec(html)?.[1] ?? null)?.replaceAll("&amp;", "&") ?? null;
    }
    expect(seen).toEqual(days.map((_, index) => `setl_old${days.length - 1 - index}`));
    expect(await csv(paths.deskMoneyCsv("payouts", query))).toHaveLength(35);
    const allLines = await csv(paths.deskMoneyCsv("payout-lines", query));
    expect(new Set(allLines.map(({ line }) => line)).size).toBe(70);
    await db.deleteFrom("settlement_lines").where("settlement_id", "like", "setl_old%").execute();
  });
});

test("sums the lines of vendor bills, and shows the buyer of each line if known", async () => {
  const html = await page(paths.deskMoneyList("bills"));
  const bill = rowOf(html, "Google");
  expect(bill).toContain(">2026-11<");
  expect(bill).toContain(formatMoney(money(30_050, "INR")));
  const [, lines = ""] = /href="([^"]*bill-lines[^"]*)"/.exec(bill) ?? [];
  const listed = await page(lines.replaceAll("&amp;", "&"));
  expect(rowsOf(listed)).toHaveLength(2);
  expect(listed).toContain("unknown");
  expect((await csv(paths.deskMoneyCsv("bills"))).find(({ vendor }) => vendor === "google")).toMatchObject({
    lines: "2",
    charged: "300.50",
    credited: "0.00",
    currency: "INR",
  });
  const filed = await csv(paths.deskMoneyCsv("bill-lines", { family: "google" }));
  expect(filed.map(({ amount }) => amount)).toEqual(["100.00", "200.50"]);
  expect(await page(paths.deskMoney())).toContain("The last is of 2026-11, by Google");
});

describe("certificates of TDS", () => {
  test("lists those of the command, and records one once, with a reason", async () => {
    const { orderId, withheldMinor } = certificate;
    const number = await numberOf(db, orderId);
    const act = paths.deskActionForm("order.certificate", orderId);
    const { said } = await runCommand(stack, "order", "certificates");
    expect(said).toContain(number);
    const row = rowOf(await page(paths.deskMoneyList("certificates")), number);
    expect(row).toContain(formatExact(money(withheldMinor, "INR")));
    expect(row).toContain(`href="${act}"`);
    expect((await csv(paths.deskMoneyCsv("certificates"))).map(({ awaited }) => awaited)).toEqual([
      (withheldMinor / 100).toFixed(2),
    ]);
    const form = {
      number: "TDS-1",
      dated: dateView(new Date(), "IN").iso,
      amount: (withheldMinor / 100).toFixed(2),
      reason: "Came by mail",
    };
    const more = await finance.post(act, { ...form, amount: ((withheldMinor + 100_000) / 100).toFixed(2) });
    expect([more.status, more.text]).toEqual([409, expect.stringContaining("is outstanding.")]);
    expect((await finance.post(act, { ...form, amount: "much" })).status).toBe(400);
    expect((await support.post(act, form)).status).toBe(403);
    expect((await finance.post(act, form)).location).toBe(paths.deskOrder(orderId));
    expect(await page(paths.deskMoneyList("certificates"))).toContain("No certificates outstanding.");
    expect((await runCommand(stack, "order", "certificates")).said).not.toContain(number);
    expect(await page(act)).toContain("We have certificates for all TDS deducted.");
    const entries = await db
      .selectFrom("audit_log")
      .select(["staff_id", "data"])
      .where("subject", "=", `order:${orderId}`)
      .where("action", "=", "order.certificate")
      .execute();
    expect(entries).toEqual([
      {
        staff_id: accountant.id,
        data: {
          number: "TDS-1",
          dated: form.dated,
          amountMinor: withheldMinor,
          by: accountant.email,
          reason: "Came by mail",
        },
      },
    ]);
  });
});

describe("a CSV", () => {
  test("exists for every money list, for finance and not for support", async () => {
    for (const id of moneyListIds) {
      const { status, headers, bytes } = await download(finance, paths.deskMoneyCsv(id));
      expect([status, headers.get("content-type")], id).toEqual([200, "text/csv; charset=utf-8"]);
      expect([...bytes.subarray(0, 3)], id).toEqual([0xef, 0xbb, 0xbf]);
      expect((await support.get(paths.deskMoneyCsv(id))).status, id).toBe(403);
      expect((await support.get(paths.deskMoneyList(id))).status, id).toBe(403);
    }
    expect((await support.get(paths.deskMoney())).status).toBe(403);
    expect((await finance.get(paths.deskMoneyList("losses"))).status).toBe(404);
    expect((await finance.get(paths.deskMoneyCsv("losses"))).status).toBe(404);
    expect((await finance.get(paths.deskMoneyList("payouts", { page: "x" }))).status).toBe(400);
  });

  test("matches the page of orders and of the work queue, with the same filters", async () => {
    const [first] = paid;
    const stored = await findOrder(db, first ?? certificate.orderId);
    if (stored === null) throw new Error("Order not found");
    const orders = await csv(paths.deskOrdersCsv(), support);
    const { count } = await db
      .selectFrom("orders")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(orders).toHaveLength(Number(count));
    expect(await csv(paths.deskOrdersCsv({ search: orderNumber(stored) }), support)).toMatchObject([
      {
        number: orderNumber(stored),
        total: (stored.total.minor / 100).toFixed(2),
        currency: stored.total.currency,
      },
    ]);
    const waiting = await csv(paths.deskWorkQueueCsv({ kind: "refund" }), support);
    expect(waiting).toMatchObject([{ what: "Refund failed", amount: "50.00", currency: "INR" }]);
    expect((await csv(paths.deskWorkQueueCsv(), support)).length).toBeGreaterThan(waiting.length);
  });

  test("lists staff for admins only", async () => {
    expect(await csv(paths.deskStaffCsv(), admin)).toContainEqual(
      expect.objectContaining({ email: accountant.email, role: "finance", "second factor": "yes" }),
    );
    expect((await finance.get(paths.deskStaffCsv())).status).toBe(403);
  });
});
