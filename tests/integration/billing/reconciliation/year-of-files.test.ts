/**
 * A year of Microsoft's price sheets and bills, generated from the documented columns with every oddity seen in real files, in
 * the formats of Excel and the portal in turn. The imported costs are the month's, and the sums are the invoices'.
 */
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { beforeAll, describe, expect, test } from "vitest";
import { listBills } from "#db/billing/vendor-bill-lists.ts";
import { findCharges } from "#db/catalogue/vendor-prices.ts";
import { newId, type OrderId, type PaymentId, type SubscriptionId } from "#db/ids.ts";
import { billedAccounts, importFile } from "#server/billing/reconciliation/bills.ts";
import { findDiscrepancies } from "#server/billing/reconciliation/reconcile.ts";
import { listVendorMarkets } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { importPriceSheet } from "#server/desk/vendor-catalogue/prices.ts";
import { updateMarket } from "#server/desk/vendor-catalogue/update.ts";
import { fileText } from "#server/foundation/file-text.ts";
import { documentedLines, type WrittenLine } from "#tests/contract/bill-lines.ts";
import { makeCompany, makeOrder, makePerson } from "#tests/support/orders.ts";
import { insertTestSubscription } from "#tests/support/subscriptions.ts";
import { startWorld } from "#tests/support/world.ts";

const { context } = await startWorld();
const { db } = context;
const basic = "microsoft-365-business-basic";
const months = Array.from({ length: 12 }, (_, index) => `2026-${String(index + 1).padStart(2, "0")}`);
const [sample] = documentedLines;
if (sample === undefined) throw new Error("Expected a documented line");
const titles = Object.keys(sample);
const dayOf = (month: string, day: number) => `${month}-${String(day).padStart(2, "0")}T00:00:00Z`;
const aYearLater = (text: string) => text.replace("2026", "2027");
const american = (text: string) => {
  const [year, month, day] = text.slice(0, 10).split("-").map(Number);
  return text === "" ? "" : `${month}/${day}/${year}`;
};

/** Returns the cost of a licence in a month; it rises by one rupee per month. */
const costOf = (index: number) => 1_300 + index;

describe("a monthly price sheet", () => {
  const columns = [
    "ChangeIndicator",
    "ProductTitle",
    "ProductId",
    "SkuId",
    "TermDuration",
    "BillingPlan",
    "Market",
    "Currency",
    "UnitPrice",
    "PricingTierRangeMin",
    "PricingTierRangeMax",
    "EffectiveStartDate",
    "EffectiveEndDate",
    "Tags",
    "Segment",
    "ERP Price",
  ];
  const market = listVendorMarkets(context, "IN").find(({ family }) => family === "microsoft");
  if (market === undefined) throw new Error("Expected a Microsoft market in India");

  function sheetOf(month: string, index: number): string {
    const isIso = index % 2 === 0;
    const first = isIso ? `${month}-01T00:00:00.0000000Z` : `${american(`${month}-01`)} 12:00:00 AM`;
    const open = isIso ? "9999-12-31T23:59:59.0000000Z" : "12/31/9999 11:59:59 PM";
    const usual = {
      ChangeIndicator: "Changed",
      ProductTitle: "Microsoft 365 Business Basic",
      ProductId: "CFQ7TTC0LH18",
      SkuId: index % 3 === 0 ? "1" : "0001",
      TermDuration: "P1Y",
      BillingPlan: "Annual",
      Market: "IN",
      Currency: "INR",
      UnitPrice: String(costOf(index)),
      EffectiveStartDate: first,
      EffectiveEndDate: open,
      Segment: "Commercial",
      "ERP Price": "1740",
    };
    const rows: Record<string, string>[] = [
      usual,
      { ...usual, ChangeIndicator: "Removed", UnitPrice: "999" },
      { ...usual, BillingPlan: "Monthly", UnitPrice: "120.96" },
      { ...usual, Segment: "Education", UnitPrice: "100" },
      { ...usual, TermDuration: "P3Y", UnitPrice: "3900" },
      { ...usual, Market: "US", Currency: "USD", UnitPrice: "57.6" },
      { ...usual, ProductId: "CFQ7TTC0NONE", EffectiveStartDate: "not looked at" },
    ];
    const delimiter = [",", ";", "\t"][index % 3] ?? ",";
    return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ""))]
      .map((cells) => cells.join(delimiter) + delimiter.repeat(index % 4))
      .join(index % 2 === 0 ? "\r\n" : "\n");
  }

  /** Packs a sheet like Excel or the portal. */
  const packed = (text: string, index: number): Uint8Array =>
    [
      () => new Uint8Array(Buffer.from(`\uFEFF${text}`)),
      () => new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le")),
      () => zipSync({ "sheet.csv": new Uint8Array(Buffer.from(text)) }),
    ][index % 3]?.() ?? new Uint8Array(0);

  beforeAll(async () => {
    for (const each of listVendorMarkets(context)) await updateMarket(context, each);
  });

  test.each(months.map((month, index) => ({ month, index })))(
    "sets the cost of $month",
    async ({ month, index }) => {
      const tally = await importPriceSheet(context, market, {
        pieces: textOf(packed(sheetOf(month, index), index)),
      });
      expect(tally.text).toBe(
        "1 row taken, 6 left out: 1 withdrawn by the vendor, 1 P1Y billed monthly, whose price may be for a month or for the year, 1 not for businesses, 1 not sold for P3Y billed Annual, 1 not for the market IN, 1 not sold here.",
      );
      const [charge] = await findCharges(db, [
        {
          family: market.family,
          country: market.country,
          account: market.account,
          itemId: await basicId(),
          term: "P1Y",
          billingCycle: "annual",
          currency: "INR",
          quantity: 1,
          now: new Date(dayOf(month, 15)),
        },
      ]);
      expect(charge).toMatchObject({ cost: { minor: costOf(index) * 100 }, retail: { minor: 174_000 } });
    },
  );

  test("refuses a sheet without our items and changes nothing", async () => {
    const other = sheetOf("2026-12", 11).replaceAll("CFQ7TTC0LH18", "CFQ7TTC0ELSE");
    const before = await db.selectFrom("vendor_prices").selectAll().execute();
    await expect(importPriceSheet(context, market, { pieces: textOf(packed(other, 0)) })).rejects.toThrow(
      "No price in this file is for an item sold here. 0 rows taken, 7 left out: 7 not sold here.",
    );
    expect(await db.selectFrom("vendor_prices").selectAll().execute()).toEqual(before);
  });

  test("ends a removed price as of now", async () => {
    const [titlesRow = "", usual = "", gone = ""] = sheetOf("2026-12", 11).split("\n");
    const monthly = usual.replace("P1Y", "P1M").replace("Annual", "Monthly");
    const removed = [titlesRow, gone, monthly].join("\n");
    await importPriceSheet(context, market, { pieces: textOf(packed(removed, 0)) });
    const row = await db
      .selectFrom("vendor_prices")
      .select(["cost_minor", "ends_at"])
      .where("family", "=", "microsoft")
      .where("term", "=", "P1Y")
      .where("starts_at", "=", new Date("2026-12-01T00:00:00Z"))
      .executeTakeFirstOrThrow();
    expect(row.cost_minor).toBe(costOf(11) * 100);
    expect(Number(row.ends_at)).toBeLessThanOrEqual(Date.now());
    await importPriceSheet(context, market, { pieces: textOf(packed(sheetOf("2026-12", 11), 11)) });
  });
});

describe("a monthly bill", () => {
  const account = billedAccounts(context).find((each) => each.account === "microsoft:IN");
  if (account === undefined) throw new Error("Expected a Microsoft account in India");
  /** Total of each month's invoice, in paise. */
  const invoiced = new Map<string, number>();
  let bought: { id: SubscriptionId; externalId: string }[];

  beforeAll(async () => {
    const company = await makeCompany(db, await makePerson(db));
    bought = [];
    for (const [index, month] of months.entries()) {
      const externalId = crypto.randomUUID();
      const at = new Date(dayOf(month, 3));
      const id = await insertTestSubscription(db, company, { item: basic, external_id: externalId });
      bought.push({ id, externalId });
      const paid = { stage: "stage4", payment_status: "completed", paid_at: at, fulfilled_at: at } as const;
      const first = await makeOrder(db, { quantity: 10 + index }, { ...paid, subscription_id: id });
      const more = await makeOrder(db, { quantity: 2 }, { ...paid, kind: "ADD", subscription_id: id });
      for (const order of [first, more]) await insertCapturedPayment(order);
    }
  });

  /** Returns a month's bill: a purchase with a promotion, added licences, and lines of other systems. */
  function linesOf(month: string, index: number): WrittenLine[] {
    const price = costOf(index);
    const invoice = {
      InvoiceNumber: `G${month}`,
      ChargeStartDate: dayOf(month, 3),
      ChargeEndDate: aYearLater(dayOf(month, 2)),
    };
    const line = (number: number, changes: WrittenLine): WrittenLine => ({
      ...sample,
      ...invoice,
      SubscriptionId: bought[index]?.externalId ?? "",
      ReferenceId: `${month}-${number}`,
      UnitPrice: String(price),
      EffectiveUnitPrice: String(price),
      ...changes,
    });
    const promoted = Math.floor(price * 85) / 100;
    const other = { SubscriptionId: crypto.randomUUID() };
    return [
      line(1, {
        EffectiveUnitPrice: String(promoted),
        Quantity: 10 + index,
        BillableQuantity: 10 + index,
        Subtotal: (promoted * (10 + index)).toFixed(2),
      }),
      line(2, {
        ChargeType: "addQuantity",
        EffectiveUnitPrice: "1243.07",
        Quantity: 12 + index,
        BillableQuantity: 2,
        Subtotal: "2486.14",
      }),
      line(3, { ...other, ChargeType: "convert", UnitPrice: "0", EffectiveUnitPrice: "0", Subtotal: "0.00" }),
      line(4, {
        ChargeType: "new",
        UnitPrice: "0",
        EffectiveUnitPrice: "0",
        Quantity: 10 + index,
        BillableQuantity: 10 + index,
        Subtotal: "0",
      }),
      line(5, {
        ...other,
        ChargeType: "cycleFee",
        UnitPrice: "0.0009765625",
        EffectiveUnitPrice: "0.0009765625",
        Quantity: "0.000416",
        BillableQuantity: "0.000416",
        Subtotal: "0.01",
      }),
      line(6, { ...other, ChargeType: "purchaseFee", Subtotal: "4999.00", ChargeEndDate: "" }),
      line(7, { ...other, ChargeType: "newThingFee", Subtotal: "12.34" }),
      line(8, { ...other, Currency: "EUR", Subtotal: "49.00" }),
      line(9, {
        ...other,
        ChargeType: "cancelImmediate",
        Quantity: "-1",
        BillableQuantity: "-1",
        Subtotal: "-979.20",
      }),
    ];
  }

  function fileOf(lines: readonly WrittenLine[], index: number): Uint8Array {
    const ofPortal = lines.map(
      (line): WrittenLine => ({
        ...line,
        ChargeStartDate: american(String(line.ChargeStartDate)),
        ChargeEndDate: american(String(line.ChargeEndDate)),
      }),
    );
    const csv = [titles, ...ofPortal.map((line) => titles.map((title) => line[title] ?? ""))]
      .map((cells) => cells.join(","))
      .join("\r\n");
    const json = lines.map((line) => JSON.stringify(line)).join("\n");
    const files = [
      () => Buffer.from(csv),
      () => zipSync({ "recon.csv": new Uint8Array(Buffer.from(`\uFEFF${csv}`)) }),
      () => gzipSync(json),
      () => Buffer.from(`\uFEFF${JSON.stringify(lines, null, 2)}`),
    ];
    return new Uint8Array(files[index % files.length]?.() ?? []);
  }

  test("matches its invoice to the paisa", async () => {
    for (const [index, month] of months.entries()) {
      const lines = linesOf(month, index);
      const paise = lines
        .filter(({ Currency }) => Currency === "INR")
        .map(({ Subtotal }) => Math.round(Number(Subtotal) * 100));
      invoiced.set(
        month,
        paise.reduce((sum, each) => sum + each, 0),
      );
      const pieces = () => textOf(fileOf(lines, index));
      expect(await importFile(context, account, { pieces: pieces(), month }), month).toBe(9);
      expect(await importFile(context, account, { pieces: pieces(), month }), month).toBe(0);
      // The same bill in another format adds nothing.
      expect(await importFile(context, account, { pieces: textOf(fileOf(lines, index + 1)), month })).toBe(0);
    }
    const { rows } = await listBills(db, { family: "microsoft", month: null, after: null, limit: 100 });
    for (const [month, sum] of invoiced) {
      const bills = rows.filter((bill) => bill.month === month);
      const read = bills.reduce(
        (total, { chargedMinor, creditedMinor }) => total + chargedMinor + creditedMinor,
        0,
      );
      expect(read, month).toBe(sum);
    }
  });

  test("agrees with the paid orders and names the lines to check manually", async () => {
    const found = await findDiscrepancies(context, new Date());
    const vendors = found.filter(({ kind }) => kind.startsWith("vendor-"));
    const count = (kind: string) => vendors.filter((each) => each.kind === kind).length;
    expect({ odd: count("vendor-odd"), credit: count("vendor-credit"), all: vendors.length }).toEqual({
      odd: 12,
      credit: 12,
      all: 24,
    });
    const odd = vendors.filter(({ kind }) => kind === "vendor-odd");
    expect(odd.every(({ amountMinor }) => amountMinor === 1 + 499_900 + 1_234)).toBe(true);
    expect(odd.map(({ what }) => what).join("\n")).toContain(
      'has 4 lines that a person must check, ₹5,011.35 in all: line 6: usage of 0.000416; line 7: no end date; line 8: charge type "newThingFee"; line 9: 49 EUR.',
    );
  });
});

async function insertCapturedPayment(orderId: OrderId): Promise<void> {
  const id = crypto.randomUUID();
  await db
    .insertInto("payments")
    .values({
      id: newId<PaymentId>(),
      order_id: orderId,
      provider: "razorpay",
      account: "IN",
      provider_payment_id: `pay_${id}`,
      provider_order_id: `order_${id}`,
      amount_minor: 100,
      currency: "INR",
      method: "card",
      status: "captured",
      problem: null,
      settled_at: new Date(),
    })
    .execute();
}

async function basicId() {
  const { item_id: id } = await db
    .selectFrom("vendor_items")
    .select("item_id")
    .where("product_id", "=", "CFQ7TTC0LH18")
    .where("sku_id", "=", "0001")
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 500) yield bytes.subarray(at, at + 500);
}

const textOf = (bytes: Uint8Array) => fileText(bytesOf(bytes));
