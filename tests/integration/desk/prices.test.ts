/**
 * Price lists through the pages of Desk: import, comparison with affected orders and renewals, application, withdrawal, and what
 * buyers pay before and after the day.
 */
import { zipSync } from "fflate";
import { sql } from "kysely";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listVendorIds } from "#db/catalogue/vendor-catalogue.ts";
import type { OrderId } from "#db/ids.ts";
import { seedCatalogue } from "#db/seed/index.ts";
import { findItem } from "#server/catalogue/items.ts";
import { priceOf } from "#server/catalogue/prices.ts";
import { listVendorMarkets } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { updateMarket } from "#server/desk/vendor-catalogue/update.ts";
import * as paths from "#server/foundation/paths.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";
import { createSubscriptionFor, makeCustomer } from "#tests/support/customer.ts";
import {
  codeAt,
  makeStaff,
  performAction,
  postFile,
  staffBrowser,
  type TestStaff,
} from "#tests/support/desk.ts";
import { download } from "#tests/support/download.ts";
import { type HttpBrowser, mainContentOf } from "#tests/support/http-browser.ts";
import { toReview } from "#tests/support/journey.ts";
import {
  basic,
  costAboveListPrice,
  csv,
  insertVendorCosts,
  itemsBelowCost,
  longList,
  plans,
} from "#tests/support/long-price-list.ts";
import { makeOrder, signedIn } from "#tests/support/orders.ts";
import { startStore } from "#tests/support/store.ts";
import { toTransfer } from "#tests/support/transfer.ts";

const { stack, context } = await startStore();
const { db } = context;
const dayMs = 86_400_000;

/** First of the month after next in India, always in the future. */
const today = new Date();
const firstDay = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 2, 1))
  .toISOString()
  .slice(0, 10);
const first = new Date(Date.parse(`${firstDay}T00:00:00+05:30`));
const firstInWords = new Intl.DateTimeFormat("en-GB", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
}).format(new Date(`${firstDay}T00:00:00Z`));

let finance: TestStaff;
let onlooker: TestStaff;
let desk: HttpBrowser;
beforeAll(async () => {
  finance = await makeStaff(context, "finance");
  onlooker = await makeStaff(context, "viewer");
  desk = await staffBrowser(context, stack.url, finance);
  for (const market of listVendorMarkets(context)) await updateMarket(context, market);
  await seedCatalogue(db, [...catalogue, ...plans]);
  await insertVendorCosts(context, itemsBelowCost, costAboveListPrice);
  await insertVendorCosts(context, ["plan-004"], 120_000);
});
beforeEach(async () => {
  await db.deleteFrom("audit_log").execute();
});
afterEach(async () => {
  await db.deleteFrom("dated_prices").where("list_id", "is not", null).execute();
  await db.deleteFrom("price_lists").execute();
  await db.deleteFrom("subscriptions").execute();
});

const form = (changes: Record<string, string> = {}) => ({
  source: "own",
  from: firstDay,
  reason: "Prices of the new year",
  ...changes,
});

/** Imports a list. @returns its number, from the address of its page */
async function importList(text: string, changes: Record<string, string> = {}): Promise<number> {
  const answer = await postFile(desk, paths.deskPrices(), form(changes), { name: "list.csv", text });
  expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/^\/desk\/prices\/\d+$/)]);
  return Number(answer.location?.split("/").at(-1));
}

const oneChange = csv(`${basic},INR,P1Y,,1700,`);
const page = async (path: string) => mainContentOf((await desk.get(path)).text).replaceAll(/<!-- -->/g, "");
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
const yearly = { currency: "INR", kind: "regular", term: "P1Y", billingCycle: "annual" } as const;
const priceNow = async (item = basic) => {
  const found = await findItem(db, item);
  return found === null ? null : (priceOf(found, yearly)?.amount.minor ?? null);
};
const audit = () =>
  db
    .selectFrom("audit_log")
    .select(["action", "staff_id", "subject", "data"])
    .where("action", "like", "price-list.%")
    .orderBy("id")
    .execute();
const stateOf = async (id: number) => {
  const row = /<tr>(?:(?!<\/tr>).)*?Price list (\d+)(?:(?!<\/tr>).)*<\/tr>/gs;
  const rows = (await page(paths.deskPrices())).match(row) ?? [];
  return /\b(draft|planned|in force|discarded|reverted)\b/.exec(
    textOf(rows.find((each) => each.includes(`/desk/prices/${id}"`)) ?? ""),
  )?.[1];
};
const apply = (id: number, more: Record<string, string> = {}) =>
  performAction(desk, paths.deskActionForm("price-list.apply", String(id)), { lines: "whole", ...more });

/** Simulates the arrival of the first day by moving stored times back by the difference. */
async function passToFirst(orders: readonly OrderId[] = []): Promise<void> {
  const ms = first.getTime() - Date.now() + 1_000;
  const earlier = (column: string) =>
    sql<Date>`${sql.ref(column)} - ${ms}::double precision * interval '1 millisecond'`;
  await db
    .updateTable("dated_prices")
    .set({ valid_from: earlier("valid_from") })
    .where("list_id", "is not", null)
    .execute();
  if (orders.length > 0)
    await db
      .updateTable("orders")
      .set({ priced_at: earlier("priced_at") })
      .where("id", "in", orders)
      .execute();
}

describe("a list of 500 lines for the first of the month", () => {
  test("shows its effects, is applied, and sets the prices of later orders and renewals", async () => {
    const customer = await makeCustomer(db);
    const held = await createSubscriptionFor(db, customer, { item: basic, quantity: 12, endsInDays: 20 });
    const owner = await signedIn(context, stack.url, customer.owner);
    const { browser: buyer, ...draft } = await toTransfer(stack.url);
    const beforeFirst = new Date(first.getTime() - 2 * dayMs);
    await db.updateTable("orders").set({ priced_at: today }).where("id", "=", draft.id).execute();
    await db
      .updateTable("proformas")
      .set({ valid_until: new Date(first.getTime() + 3 * dayMs) })
      .where("order_id", "=", draft.id)
      .execute();
    const left = await toReview(buyer);
    await db.updateTable("orders").set({ priced_at: beforeFirst }).where("id", "=", left.id).execute();
    await makeOrder(db, { now: new Date(first.getTime() - 8 * dayMs) });

    const id = await importList(longList());
    const diff = await page(paths.deskPriceList(id));
    const looks = [...diff.matchAll(/<a class="(button[^"]*)"[^>]*>(Apply|Discard)</g)];
    expect(looks.map(([, look, act]) => [act, look])).toEqual([
      ["Apply", "button"],
      ["Discard", "button danger"],
    ]);
    const said = textOf(diff);
    expect(said).toContain(`list.csv, from 1st ${firstInWords}: draft`);
    expect(said).toContain(
      "500 lines: 40 changed, 451 unchanged, 1 duplicate, 5 for items not in the store, 3 below cost.",
    );
    expect(said).toContain("Duplicate, counted once: line 501.");
    expect(said).toMatch(
      /2 unpaid orders keep the price before until .* at the latest, 1 of them by a proforma or a payment link\./,
    );
    expect(said).toContain(
      "1 subscription renews at this price (12 licenses): ₹672 more over 12 months before tax, if all renew.",
    );
    for (const tab of ["changed (40)", "below cost (3)", "unknown item (5)", "duplicate (1)"])
      expect(said).toContain(tab);
    expect(diff.match(/<tr>/g)).toHaveLength(1 + 48);
    expect(said).toContain(
      `2 Microsoft 365 Business Basic INR, a year, regular changed ₹1,644 ₹1,700 +3.4% unknown unknown 1st ${firstInWords}`,
    );
    expect(said).toContain(
      "3 Microsoft 365 Business Basic INR, a year, regular changed ₹1,644 ₹1,600 -2.7% list price ₹1,740 → ₹1,800 ₹1,200 ₹400, 25.0%",
    );
    const tooCheap = textOf(await page(paths.deskPriceList(id, { show: "below-cost" })));
    expect(tooCheap).toContain("below cost ₹1,644 ₹900 -45.3% ₹1,000 -₹100, -11.1%");
    expect(await page(paths.deskPriceList(id, { show: "unknown" }))).toContain("not-ours-5");
    expect(await page(paths.deskPriceList(id, { show: "repeated" }))).toContain(">501<");

    const whole = await apply(id);
    expect(whole.status).toBe(409);
    expect(whole.text).toContain("8 of 500 lines cannot be applied: 5 for items");
    expect(await stateOf(id)).toBe("draft");
    expect((await apply(id, { lines: "without" })).location).toBe(paths.deskPriceList(id));
    expect(await stateOf(id)).toBe("planned");
    expect(await audit()).toMatchObject([
      {
        action: "price-list.import",
        staff_id: finance.id,
        subject: `price-list:${id}`,
        data: { reason: "Prices of the new year", source: "list.csv", from: firstDay, lines: 500 },
      },
      {
        action: "price-list.apply",
        staff_id: finance.id,
        subject: `price-list:${id}`,
        data: { reason: "as agreed", before: "waiting", after: "applied", prices: 40, left: 8 },
      },
    ]);

    const renewal = async () => textOf(mainContentOf((await owner.get(paths.renew(held.id))).text));
    const review = async () => textOf(mainContentOf((await buyer.get(`${left.path}/place-order`)).text));
    const newOrder = async () =>
      textOf(mainContentOf((await buyer.get(`/order/microsoft/${basic}/IN`)).text));
    expect([await renewal(), await newOrder()]).toEqual([
      expect.stringContaining("₹1,644"),
      expect.stringContaining("₹1,644"),
    ]);

    await passToFirst([left.id]);
    expect(await stateOf(id)).toBe("in force");
    expect(await priceNow()).toBe(170_000);
    expect([await renewal(), await newOrder()]).toEqual([
      expect.stringContaining("₹1,700"),
      expect.stringContaining("₹1,700"),
    ]);
    expect(await renewal()).not.toContain("₹1,644");
    // Two licences at the price of two days before.
    expect(await review()).toContain("₹3,288");
    await db
      .updateTable("orders")
      .set({ priced_at: new Date(Date.now() - 8 * dayMs) })
      .where("id", "=", left.id)
      .execute();
    expect(await review()).toContain("₹3,400");

    const history = textOf(await page(paths.deskPriceHistory(basic)));
    expect(history).toMatch(
      /INR, a year, regular .{5,30} in force ₹1,700 ₹1,740 list\.csv \(list \d+\), applied by/,
    );
    expect(history).toMatch(
      /INR, a year, regular the start ended ₹1,644 ₹1,740 the store.{1,6}s own catalogue/,
    );
    const late = await performAction(desk, paths.deskActionForm("price-list.take-back", String(id)));
    expect(late.status).toBe(409);
    expect(late.text).toContain("already in force");
    expect(await priceNow()).toBe(170_000);
  });

  test("allows withdrawal before its day, without a trace in prices", async () => {
    const id = await importList(longList());
    expect((await apply(id, { lines: "without" })).status).toBe(303);
    expect(textOf(await page(paths.deskPriceHistory(basic)))).toContain("planned ₹1,700");
    const back = await performAction(desk, paths.deskActionForm("price-list.take-back", String(id)));
    expect(back.location).toBe(paths.deskPriceList(id));
    expect(await stateOf(id)).toBe("reverted");
    expect((await performAction(desk, paths.deskActionForm("price-list.take-back", String(id)))).status).toBe(
      409,
    );
    await passToFirst();
    expect(await priceNow()).toBe(164_400);
    expect((await audit()).at(-1)).toMatchObject({
      action: "price-list.take-back",
      staff_id: finance.id,
      data: { reason: "as agreed", before: "applied", after: "taken-back", prices: 40 },
    });
  });
});

describe("a draft", () => {
  test("allows a new day (recomputing the diff), then discarding", async () => {
    const id = await importList(oneChange);
    const move = (from: string) =>
      performAction(desk, paths.deskActionForm("price-list.day", String(id)), { from });
    expect((await move("2020-01-01")).text).toContain("2020-01-01 has passed");
    expect((await move("soon")).text).toContain("&quot;soon&quot; isn&#x27;t a valid date");
    expect((await move("")).status).toBe(303);
    expect(textOf(await page(paths.deskPriceList(id)))).toContain(
      "list.csv, as soon as it is applied: draft",
    );
    expect((await performAction(desk, paths.deskActionForm("price-list.discard", String(id)))).status).toBe(
      303,
    );
    expect(await stateOf(id)).toBe("discarded");
    for (const name of ["apply", "day", "discard", "take-back"])
      expect(
        (await performAction(desk, paths.deskActionForm(`price-list.${name}`, String(id)))).status,
        name,
      ).toBe(409);
    expect(await priceNow()).toBe(164_400);
    expect((await audit()).map(({ action, data }) => [action, data])).toEqual([
      ["price-list.import", expect.anything()],
      ["price-list.day", { by: finance.email, reason: "as agreed", before: firstDay, after: null }],
      [
        "price-list.discard",
        { by: finance.email, reason: "as agreed", source: "list.csv", before: "waiting", after: "discarded" },
      ],
    ]);
  });

  test("changes nothing if it is the exported prices", async () => {
    const { text, headers } = await desk.get(paths.deskPricesCsv());
    expect(headers.get("content-disposition")).toContain("prices.csv");
    const id = await importList(text);
    const lines = text.trim().split("\r\n").length - 1;
    expect(textOf(await page(paths.deskPriceList(id)))).toContain(`${lines} lines: ${lines} unchanged.`);
    const answer = await apply(id);
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("changes nothing")]);
  });

  test("pages through more lines than fit a page", async () => {
    const dearer = plans.map(({ id }) => `${id},INR,P1Y,,1900,`);
    const id = await importList(csv(...dearer));
    const begin = await page(paths.deskPriceList(id));
    expect(begin.match(/<tr>/g)).toHaveLength(101);
    const next = /rel="next" href="([^"]+)"/.exec(begin)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const rest = await page(next);
    expect(rest.match(/<tr>/g)).toHaveLength(31);
    expect(rest).not.toContain('rel="next"');
  });
});

describe("a vendor's file", () => {
  test("updates our prices with Microsoft's price sheet", async () => {
    const sheet = [
      "ProductId,SkuId,TermDuration,BillingPlan,Market,Currency,UnitPrice,EffectiveStartDate,EffectiveEndDate,ERP Price",
      "CFQ7TTC0LH18,0001,P1Y,Annual,IN,INR,1350,1/1/2026 12:00:00 AM,12/31/9999 12:00:00 AM,1800",
    ].join("\n");
    const id = await importList(sheet, { source: "file microsoft IN" });
    expect(textOf(await page(paths.deskPriceList(id, { show: "changed" })))).toContain(
      "Microsoft 365 Business Basic INR, a year, regular changed ₹1,644 ₹1,701 +3.5% list price ₹1,740 → ₹1,800 ₹1,350 ₹351, 20.6%",
    );
  });

  const offersOf = async (changes: object = {}) => {
    const [ids] = await listVendorIds(db, { family: "google", country: "IN" });
    expect.assert(ids);
    const amount = (units: string) => ({ currencyCode: "INR", units });
    return {
      ids,
      offer: {
        name: "accounts/C1/offers/O1",
        sku: { name: `products/${ids.productId}/skus/${ids.skuId}` },
        plan: { paymentPlan: "COMMITMENT", paymentCycle: { duration: 1, periodType: "YEAR" } },
        constraints: { customerConstraints: { allowedRegions: ["IN"] } },
        priceByResources: [{ price: { basePrice: amount("9000"), effectivePrice: amount("7000") } }],
        ...changes,
      },
    };
  };

  test("updates our prices with Google's offers, also from a later start", async () => {
    const { ids, offer } = await offersOf({ startTime: new Date(first.getTime() - dayMs).toISOString() });
    const id = await importList(JSON.stringify({ offers: [offer] }), { source: "file google IN" });
    const said = textOf(await page(paths.deskPriceList(id, { show: "changed" })));
    expect(said).toContain("→ ₹9,000 ₹7,000");
    const stored = await db
      .selectFrom("vendor_prices")
      .select(["cost_minor", "retail_minor"])
      .where("product_id", "=", ids.productId)
      .where("sku_id", "=", ids.skuId)
      .where("country", "=", "IN")
      .where("starts_at", ">", today)
      .execute();
    expect(stored).toEqual([{ cost_minor: 700_000, retail_minor: 900_000 }]);
  });

  test("reports where it cannot be read", async () => {
    const send = (source: string, text: string) =>
      postFile(desk, paths.deskPrices(), form({ source }), { name: "file", text });
    expect((await send("file google IN", '{\n"offers": [\n{]}')).text).toContain(
      "Line 3 of the file is not JSON",
    );
    expect((await send("file google IN", "[]x")).status).toBe(400);
    expect((await send("file google IN", "{}")).text).toContain("This isn&#x27;t a Google offers file");
    const { offer } = await offersOf({ plan: 7 });
    expect((await send("file google IN", JSON.stringify({ offers: [offer] }))).text).toContain(
      "Offer 1 of the file cannot be read: plan",
    );
    expect((await send("file microsoft IN", oneChange)).text).toContain("This isn&#x27;t a price sheet");
    expect(await db.selectFrom("price_lists").selectAll().execute()).toEqual([]);
  });

  test("lets a request to the vendor replace it", async () => {
    const answer = await postFile(
      desk,
      paths.deskPrices(),
      form({ source: "ask google IN", from: "" }),
      null,
    );
    expect(answer.status).toBe(303);
    expect(textOf(await page(answer.location ?? ""))).toContain(
      "Google in India, as soon as it is applied: draft",
    );
  });
});

describe("an import", () => {
  const inText = (bytes: Buffer) => new Uint8Array(bytes);
  test.each([
    ["with semicolons", oneChange.replaceAll(",", ";")],
    ["with tabs", oneChange.replaceAll(",", "\t")],
    ["with sep=; and a mark", `\uFEFFsep=;\r\n${oneChange.replaceAll(",", ";")}`],
    ["with CR only", oneChange.replaceAll("\r\n", "\n").replaceAll("\n", "\r")],
    [
      "with empty columns and rows",
      `${oneChange.replaceAll("\r\n", "\n").trim().replaceAll("\n", ",,\n")},,\n,,,,,,\n`,
    ],
    ["as Unicode text", inText(Buffer.from(`\uFEFF${oneChange.replaceAll(",", "\t")}`, "utf16le"))],
    ["in a zip", zipSync({ "list.csv": inText(Buffer.from(oneChange)) })],
  ])("reads a file %s", async (_what, text) => {
    const sent = await postFile(desk, paths.deskPrices(), form(), {
      name: "list.csv",
      text: new Uint8Array(Buffer.from(text)),
    });
    expect([sent.status, sent.text]).toEqual([303, ""]);
    const lists = await db.selectFrom("price_list_rows").select(["item", "amount_minor"]).execute();
    expect(lists).toEqual([{ item: basic, amount_minor: 170_000 }]);
    expect((await desk.get(sent.location ?? "")).text).toContain("1 row taken.");
  });

  test("accepts the file that Desk exported", async () => {
    const { bytes } = await download(desk, paths.deskPricesCsv());
    const sent = await postFile(desk, paths.deskPrices(), form(), {
      name: "prices.csv",
      text: new Uint8Array(bytes),
    });
    expect(sent.status).toBe(303);
  });
});

describe("a refused import", () => {
  const send = (fields: Record<string, string>, text: string | Uint8Array<ArrayBuffer> | null = oneChange) =>
    postFile(desk, paths.deskPrices(), form(fields), text === null ? null : { name: "list.csv", text });
  afterEach(async () => {
    expect(await db.selectFrom("price_lists").selectAll().execute()).toEqual([]);
    expect(await audit()).toEqual([]);
  });

  test("lists the lines that it cannot read", async () => {
    const answer = await send(
      {},
      csv(`${basic},INR,P1Y,,1700,`, `${basic},INR,P2Y,,1,`, `${basic},EUR,P1Y,,1,`),
    );
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Line 3: &quot;P2Y&quot; isn&#x27;t a term");
    expect(answer.text).toContain("Line 4: &quot;EUR&quot; isn&#x27;t one of the store&#x27;s currencies");
  });

  test.each([
    ["without a file", {}, null, "Choose the file to import."],
    ["of an unknown kind", { source: "file brio IN" }, oneChange, "Choose a list type."],
    ["for a day that is over", { from: "2020-01-01" }, oneChange, "2020-01-01 has passed"],
    ["without a reason", { reason: " " }, oneChange, "Enter a reason."],
    ["that is half a zip", {}, Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe]), "The zip file is damaged"],
    ["with a NUL in it", {}, `${oneChange}\0`, "of the file isn&#x27;t UTF-8 text"],
    [
      "in Windows-1252",
      {},
      Buffer.from(`${oneChange}caf\xe9`, "latin1"),
      "Line 2 of the file isn&#x27;t UTF-8 text",
    ],
    ["of a workbook", {}, zipSync({ "[Content_Types].xml": new Uint8Array(1) }), "This is a workbook"],
    [
      "with a value under no title",
      {},
      oneChange.replace("1700,", "1700,,,stray"),
      "has &quot;stray&quot; in column",
    ],
  ])("refuses an import %s", async (_what, fields, text, words) => {
    const answer = await send(fields, text);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(words)]);
  });

  test("checks the permission before it reads the file", async () => {
    const viewer = await staffBrowser(context, stack.url, onlooker);
    const answer = await postFile(viewer, paths.deskPrices(), form(), { name: "list.csv", text: "no list" });
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("can&#x27;t open this page")]);
  });

  test("asks for the second factor again after ten minutes", async () => {
    const earlier = new Date(Date.now() - 11 * 60_000);
    const browser = await staffBrowser(context, stack.url, finance, { now: earlier });
    expect(await browser.get(paths.deskPrices())).toMatchObject({
      text: expect.stringContaining("authenticator app"),
    });
    const answer = await postFile(browser, paths.deskPrices(), form(), { name: "list.csv", text: oneChange });
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining("That code is incorrect or already used"),
    ]);
  });
});

test("accepts an import with a current code", async () => {
  const earlier = new Date(Date.now() - 11 * 60_000);
  const browser = await staffBrowser(context, stack.url, finance, { now: earlier });
  const fields = form({ code: codeAt(finance.secret) });
  const answer = await postFile(browser, paths.deskPrices(), fields, { name: "list.csv", text: oneChange });
  expect(answer.status).toBe(303);
});
