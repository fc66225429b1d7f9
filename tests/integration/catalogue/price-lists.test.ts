/** Price lists, from the file to the price of orders and renewals: import, comparison, application, withdrawal. */
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { seedCatalogue } from "#db/seed/index.ts";
import { sandboxSellers } from "#sandbox/local/environment.ts";
import { editTexts, getTexts, textsVersion } from "#server/catalogue/edit.ts";
import { findItem, getItem } from "#server/catalogue/items.ts";
import { priceOf } from "#server/catalogue/prices.ts";
import { applyPriceList, discardPriceList, withdrawPriceList } from "#server/desk/price-lists/decide.ts";
import { diffOf, type PriceListDiff } from "#server/desk/price-lists/diff.ts";
import {
  importPriceList,
  type PriceListImport,
  priceListOf,
  requireMarketWithPriceSheets,
} from "#server/desk/price-lists/import.ts";
import { priceListView } from "#server/desk/price-lists/view.ts";
import { marketText } from "#server/desk/vendor-catalogue/check.ts";
import { listVendorMarkets } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { updateMarket } from "#server/desk/vendor-catalogue/update.ts";
import { builtCommandArguments } from "#server/operations/built-commands.mjs";
import { findOrder } from "#server/orders/find.ts";
import { readRenewalPrices } from "#server/orders/renewal-forecast.ts";
import { priceOrderNow } from "#server/orders/subscription-change.ts";
import { getSubscriptionOf } from "#server/orders/subscriptions/subscription.ts";
import { catalogue } from "#tests/support/catalogue/index.ts";
import {
  basic,
  costAboveListPrice,
  csv,
  insertVendorCosts,
  itemIdOf,
  itemsBelowCost,
  longList,
  plans,
} from "#tests/support/long-price-list.ts";
import { makeCompany, makeOrder, makePerson } from "#tests/support/orders.ts";
import { insertTestSubscription } from "#tests/support/subscriptions.ts";
import { startWorld } from "#tests/support/world.ts";
import { up } from "../../../migrations/2026-11-26T05-price-lists.ts";

const { context, environment } = await startWorld();
const { db } = context;

const day = 86_400_000;
const standard = "microsoft-365-business-standard";
const { sellers } = sandboxSellers;
const by = "asha";

/** Yearly price of the plan in test orders, before the list and under it. */
const oldPrice = 164_400;
const newPrice = 170_000;
/** Midnight of 1 December in India. */
const first = new Date("2026-11-30T18:30:00Z");
const today = new Date("2026-11-25T09:00:00Z");

/** Sets the clock of the process, which decides the prices in force. */
const at = (moment: Date) => vi.setSystemTime(moment);
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: today });
  await db.deleteFrom("dated_prices").execute();
  await db.deleteFrom("price_lists").execute();
  await db.deleteFrom("audit_log").execute();
  await db.deleteFrom("subscriptions").execute();
  await db.deleteFrom("order_lines").execute();
  await db.deleteFrom("orders").execute();
  await db.updateTable("catalogue_items").set({ texts_edited_at: null }).execute();
  await seedCatalogue(db, [...catalogue, ...plans]);
});
afterEach(() => {
  vi.useRealTimers();
});

async function* piecesOf(text: string) {
  yield text;
}
const take = (text: string, request: Partial<PriceListImport> = {}): Promise<PriceListDiff> =>
  importPriceList(context, {
    source: { kind: "file", name: "december.csv", pieces: piecesOf(text) },
    fromDay: "2026-12-01",
    by,
    now: new Date(),
    dryRun: false,
    ...request,
  });
const oneChange = csv(`${basic},INR,P1Y,,1700,`);
const yearly = { currency: "INR", kind: "regular", term: "P1Y", billingCycle: "annual" } as const;
const priceNow = async (item = basic) => {
  const found = await findItem(db, item);
  return found === null ? null : (priceOf(found, yearly)?.amount.minor ?? null);
};
const decision = (diff: PriceListDiff) => ({ id: diff.list.id, by, now: new Date() });
const audit = () => db.selectFrom("audit_log").select(["action", "subject", "data"]).orderBy("id").execute();
const rowsOf = (table: "price_lists" | "price_list_rows" | "dated_prices") =>
  db.selectFrom(table).selectAll().execute();

describe("a list of 500 lines for the first of the month", () => {
  beforeEach(() => insertVendorCosts(context, itemsBelowCost, costAboveListPrice));

  test("reports the changes and the drafts and renewals that they affect", async () => {
    const company = await makeCompany(db, await makePerson(db));
    await insertTestSubscription(db, company, {
      item: basic,
      quantity: 12,
      end_date: new Date(first.getTime() + 90 * day),
    });
    await insertTestSubscription(db, company, {
      item: basic,
      quantity: 3,
      end_date: new Date(first.getTime() - day),
    });
    await insertTestSubscription(db, company, { item: basic, quantity: 9, status: "expired" });
    await insertTestSubscription(db, company, { item: basic, quantity: 9, suspended: true });
    await insertTestSubscription(db, company, { item: standard, quantity: 50 });
    await insertTestSubscription(db, company, {
      item: basic,
      quantity: 7,
      term: "P1M",
      billing_cycle: "monthly",
    });
    for (const daysAgo of [0, 1, 2, 6])
      await makeOrder(db, { now: new Date(today.getTime() - daysAgo * day) });
    await makeOrder(db, {}, { removed_at: today });
    await makeOrder(db, {}, { payment_status: "completed" });

    const diff = await take(longList());
    const count = (verdict: string) => diff.lines.filter((line) => line.verdict === verdict).length;
    expect(diff.lines).toHaveLength(500);
    expect([count("changed"), count("below-cost"), count("unknown"), count("repeated")]).toEqual([
      40, 3, 5, 1,
    ]);
    expect(count("unchanged")).toBe(451);
    expect(diff.lines[0]).toMatchObject({
      before: { amount: { minor: oldPrice } },
      after: { amount: { minor: newPrice } },
      from: first,
      // Drafts of two and six days ago will have been repriced by then.
      drafts: { count: 2, until: new Date(today.getTime() + 7 * day) },
      renewals: {
        subscriptions: 2,
        seats: 15,
        moreInYear: { minor: 15 * (newPrice - oldPrice), currency: "INR" },
      },
    });
    expect(diff.drafts).toEqual(diff.lines[0]?.drafts);
    expect(diff.renewals).toEqual([diff.lines[0]?.renewals]);
    expect(diff.lines.find(({ verdict }) => verdict === "below-cost")?.cost).toEqual({
      minor: 100_000,
      currency: "INR",
    });

    const { heading, facts, lines } = priceListView(diff);
    expect(heading).toBe("december.csv, from 1st December 2026: waiting to be applied");
    expect(facts).toEqual([
      "500 lines: 40 changed, 451 unchanged, 1 duplicate, 5 for items not in the store, 3 below cost.",
      "Duplicate, counted once: line 501.",
      "2 unpaid orders keep the price before until 2nd December 2026 at the latest.",
      "2 subscriptions renew at this price (15 licenses): ₹840 more over 12 months before tax, if all renew.",
    ]);
    expect(lines).toHaveLength(48);
    expect(lines[0]).toMatchObject({
      before: "₹1,644",
      after: "₹1,700",
      change: "+3.4%",
      from: "1st December 2026",
    });
    expect(lines.find(({ verdict }) => verdict === "below cost")).toMatchObject({
      cost: "₹1,000",
      margin: "-₹100, -11.1%",
      isLeftOut: true,
    });
  });

  test("takes effect on its day: drafts keep their price, later renewals use the new one", async () => {
    const company = await makeCompany(db, await makePerson(db));
    const held = await insertTestSubscription(db, company, { item: basic, quantity: 12 });
    const renewal = async () => {
      const subscription = await getSubscriptionOf(db, company, held);
      return (await readRenewalPrices(db, sellers, company, [subscription])).get(held)?.subtotal.minor;
    };
    const draft = await makeOrder(db, { quantity: 2 });
    const repriced = async (now: Date) => {
      at(now);
      const order = await findOrder(db, draft);
      expect.assert(order);
      return (await priceOrderNow(db, sellers, order, now))?.priced.subtotal.minor ?? null;
    };

    const diff = await take(longList());
    await expect(applyPriceList(context, { ...decision(diff), leaveOut: false })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("8 of 500 lines cannot be applied: 5 for items"),
    });
    expect(await applyPriceList(context, { ...decision(diff), leaveOut: true })).toBe(40);
    expect([await priceNow(), await renewal()]).toEqual([oldPrice, 12 * oldPrice]);

    at(new Date(first.getTime() - 1));
    expect([await priceNow(), await priceNow("plan-004"), await renewal()]).toEqual([
      oldPrice,
      oldPrice,
      12 * oldPrice,
    ]);
    at(first);
    expect([await priceNow(), await priceNow("plan-004"), await renewal()]).toEqual([
      newPrice,
      160_000,
      12 * newPrice,
    ]);
    // Prices that were left out or are not in the list do not change.
    expect([await priceNow("plan-001"), await priceNow(standard)]).toEqual([oldPrice, 874_800]);
    expect(await repriced(first)).toBeNull();
    expect(await repriced(new Date(today.getTime() + 7 * day))).toBeNull();
    expect(await repriced(new Date(today.getTime() + 7 * day + 1))).toBe(2 * newPrice);
    const begun = await findOrder(db, await makeOrder(db, { quantity: 2 }));
    expect(begun?.subtotal.minor).toBe(2 * newPrice);
  });

  test("allows withdrawal before its day only", async () => {
    const before = await rowsOf("dated_prices");
    const diff = await take(longList());
    await applyPriceList(context, { ...decision(diff), leaveOut: true });
    expect(await withdrawPriceList(context, decision(diff))).toBe(40);
    expect(await rowsOf("dated_prices")).toEqual(before);
    at(first);
    expect(await priceNow()).toBe(oldPrice);
    await expect(withdrawPriceList(context, decision(diff))).rejects.toMatchObject({ code: "conflict" });

    at(today);
    const again = await take(longList());
    await applyPriceList(context, { ...decision(again), leaveOut: true });
    at(first);
    await expect(withdrawPriceList(context, decision(again))).rejects.toMatchObject({
      message: expect.stringContaining("already in force"),
    });
    expect(await priceNow()).toBe(newPrice);
  });
});

describe("a list", () => {
  test("takes effect at once when it has no day", async () => {
    const diff = await take(oneChange, { fromDay: null });
    expect(await priceNow()).toBe(oldPrice);
    at(new Date(today.getTime() + 60_000));
    await applyPriceList(context, { ...decision(diff), leaveOut: false });
    expect(await priceNow()).toBe(newPrice);
    at(today);
    expect(await priceNow()).toBe(oldPrice);
  });

  test("begins in each country by its own clock", async () => {
    const diff = await take(csv(`${basic},INR,P1Y,,1700,`, `${basic},USD,P1Y,,70,`));
    expect(diff.lines.map(({ from }) => from.toISOString())).toEqual([
      "2026-11-30T18:30:00.000Z",
      "2026-12-01T05:00:00.000Z",
    ]);
    await applyPriceList(context, { ...decision(diff), leaveOut: false });
    // It has begun in India only.
    at(first);
    await expect(withdrawPriceList(context, decision(diff))).rejects.toMatchObject({ code: "conflict" });
  });

  test("compares with the prices in force on its day, not with today's", async () => {
    const sooner = await take(csv(`${basic},INR,P1Y,,1690,`), { fromDay: "2026-11-28" });
    await applyPriceList(context, { ...decision(sooner), leaveOut: false });
    const diff = await take(oneChange);
    expect(diff.lines[0]).toMatchObject({ before: { amount: { minor: 169_000 } } });
  });

  test("applies only once, and not after it was discarded", async () => {
    const diff = await take(oneChange);
    await discardPriceList(context, decision(diff));
    for (const act of [
      () => applyPriceList(context, { ...decision(diff), leaveOut: false }),
      () => discardPriceList(context, decision(diff)),
      () => withdrawPriceList(context, decision(diff)),
    ])
      await expect(act()).rejects.toMatchObject({
        message: expect.stringContaining(`Price list ${diff.list.id} is discarded`),
      });
    const other = await take(oneChange);
    const both = await Promise.allSettled(
      [1, 2].map(() => applyPriceList(context, { ...decision(other), leaveOut: false })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("conflicts with another list for the same item and day", async () => {
    const [one, other] = [await take(oneChange), await take(csv(`${basic},INR,P1Y,,1800,`))];
    await applyPriceList(context, { ...decision(one), leaveOut: false });
    await expect(applyPriceList(context, { ...decision(other), leaveOut: false })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(`Another list sets the price of ${basic}`),
    });
    expect((await priceListOf(db, other.list.id)).state).toBe("waiting");
    at(first);
    expect(await priceNow()).toBe(newPrice);
  });

  test.each([
    ["2026-11-24", "has passed"],
    ["2026-02-31", "isn't a valid date"],
    ["tomorrow", "isn't a valid date"],
  ])("refuses %s as its first day", async (fromDay, words) => {
    await expect(take(oneChange, { fromDay })).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringContaining(words),
    });
    expect(await rowsOf("price_lists")).toEqual([]);
  });

  test("requires a new import when its day passed while it waited", async () => {
    const diff = await take(oneChange);
    at(new Date("2026-12-02T12:00:00Z"));
    await expect(applyPriceList(context, { ...decision(diff), leaveOut: false })).rejects.toMatchObject({
      message: expect.stringContaining("2026-12-01 has passed"),
    });
  });

  test("does not apply when it changes nothing", async () => {
    const diff = await take(csv(`${basic},INR,P1Y,,1644,`));
    await expect(applyPriceList(context, { ...decision(diff), leaveOut: false })).rejects.toMatchObject({
      message: expect.stringContaining("changes nothing"),
    });
  });

  test("reports the same in a dry run, and stores nothing", async () => {
    const dry = await take(oneChange, { dryRun: true });
    expect([await rowsOf("price_lists"), await audit()]).toEqual([[], []]);
    const stored = await take(oneChange);
    expect(priceListView(dry)).toEqual(priceListView(stored));
    expect(priceListView(await diffOf(context, stored.list, new Date()))).toEqual(priceListView(stored));
  });

  test("reports the same once applied; from its day on, no affected drafts or renewals", async () => {
    const company = await makeCompany(db, await makePerson(db));
    await insertTestSubscription(db, company, { item: basic, quantity: 12 });
    await makeOrder(db);
    const diff = await take(oneChange);
    await applyPriceList(context, { ...decision(diff), leaveOut: false });
    const applied = await priceListOf(db, diff.list.id);
    const { drafts, renewals, lines } = await diffOf(context, applied, new Date());
    expect({ drafts, renewals, lines }).toEqual({
      drafts: diff.drafts,
      renewals: diff.renewals,
      lines: diff.lines,
    });
    expect([drafts?.count, renewals.length]).toEqual([1, 1]);
    at(first);
    const later = await diffOf(context, applied, new Date());
    expect(later.lines).toEqual(diff.lines.map((line) => ({ ...line, drafts: null, renewals: null })));
    expect([later.drafts, later.renewals]).toEqual([null, []]);
  });

  test("records its steps and their actors in the audit log", async () => {
    const diff = await take(oneChange);
    await applyPriceList(context, { ...decision(diff), leaveOut: false });
    await withdrawPriceList(context, { ...decision(diff), by: "ravi" });
    const subject = `price-list:${diff.list.id}`;
    expect(await audit()).toMatchObject([
      {
        action: "price-list.import",
        subject,
        data: { by, source: "december.csv", from: "2026-12-01", lines: 1 },
      },
      { action: "price-list.apply", subject, data: { by, prices: 1, left: 0 } },
      { action: "price-list.take-back", subject, data: { by: "ravi", prices: 1 } },
    ]);
  });
});

describe("a list from a vendor", () => {
  const sheet = (retail: number, cost: number) =>
    [
      "ProductId,SkuId,TermDuration,BillingPlan,Market,Currency,UnitPrice,EffectiveStartDate,EffectiveEndDate,ERP Price",
      `CFQ7TTC0LH18,0001,P1Y,Annual,IN,INR,${cost},12/1/2026 12:00:00 AM,12/31/9999 12:00:00 AM,${retail}`,
      `CFQ7TTC0LH18,0001,P1Y,Annual,IN,INR,1305,1/1/2026 12:00:00 AM,12/31/9999 12:00:00 AM,1740`,
    ].join("\n");
  const takeSheet = (text: string, request: Partial<PriceListImport> = {}) =>
    take("", {
      source: {
        kind: "vendor file",
        name: "sheet.csv",
        pieces: piecesOf(text),
        market: requireMarketWithPriceSheets(context, "IN"),
      },
      fromDay: "2026-12-02",
      ...request,
    });
  beforeEach(async () => {
    await db.deleteFrom("vendor_prices").execute();
    for (const market of listVendorMarkets(context)) await updateMarket(context, market);
    await db.deleteFrom("vendor_prices").execute();
  });

  test("moves our prices with the sheet's, and shows their future cost", async () => {
    const diff = await takeSheet(sheet(1_800, 1_350));
    expect(diff.lines).toMatchObject([
      {
        item: basic,
        verdict: "changed",
        before: { amount: { minor: oldPrice }, list: { minor: 174_000 } },
        after: { amount: { minor: 170_100 }, list: { minor: 180_000 } },
        cost: { minor: 135_000 },
      },
    ]);
    expect(await db.selectFrom("vendor_prices").select("cost_minor").execute()).toHaveLength(2);
  });

  test("stores no cost in a dry run", async () => {
    const diff = await takeSheet(sheet(1_800, 1_350), { dryRun: true });
    expect(diff.lines[0]?.cost?.minor).toBe(135_000);
    expect(await db.selectFrom("vendor_prices").selectAll().execute()).toEqual([]);
  });

  test("reports a plan whose new cost is above its price", async () => {
    expect((await takeSheet(sheet(1_740, 1_650))).lines).toMatchObject([{ verdict: "unchanged" }]);
    expect((await takeSheet(sheet(1_750, 1_700))).lines).toMatchObject([{ verdict: "below-cost" }]);
  });

  test("refuses a file that is not a price sheet", async () => {
    await expect(takeSheet(oneChange)).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("This isn't a price sheet"),
    });
  });

  test("reads prices from a vendor that lists them with its offers", async () => {
    const market = listVendorMarkets(context, "IN").find(
      ({ catalogue: { readPriceSheet } }) => readPriceSheet === null,
    );
    expect.assert(market);
    const diff = await take("", { source: { kind: "vendor", market }, fromDay: null });
    const ofFamily = catalogue.filter(({ family }) => family === market.family);
    // The sandbox's vendor uses our list prices.
    expect(diff.lines).toHaveLength(ofFamily.flatMap(({ prices }) => prices).length / 2);
    expect(diff.lines.every(({ cost, after }) => cost !== null && cost.minor < after.amount.minor)).toBe(
      true,
    );
    expect(diff.list.source).toBe(marketText(market));
  });
});

test("keeps a store's prices through the migration, readable by the previous version", async () => {
  const prices = () => sql`select * from prices order by amount_minor`.execute(db).then(({ rows }) => rows);
  await sql`insert into prices values (${basic}, 'INR', 'regular', 'P1Y', 'annual', 123400, null)`.execute(
    db,
  );
  const before = await prices();
  await db
    .transaction()
    .execute(async (trx) => {
      await sql`drop table dated_prices, price_list_rows, price_lists`.execute(trx);
      await sql`alter table catalogue_items drop column texts_edited_at`.execute(trx);
      await up(trx);
      const found = await findItem(trx, basic);
      expect(found?.prices).toMatchObject([
        { ...yearly, amount: { minor: 123_400, currency: "INR" }, list: null },
      ]);
      throw new RangeError("undone");
    })
    .catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
    });
  expect(await prices()).toEqual(before);
  await sql`delete from prices`.execute(db);
});

describe("the seed", () => {
  test("keeps every price that the store has, and adds missing ones", async () => {
    const diff = await take(oneChange, { fromDay: null });
    await applyPriceList(context, { ...decision(diff), leaveOut: false });
    await db.deleteFrom("dated_prices").where("item_id", "=", itemIdOf("brio-desk")).execute();
    const dearer = [...catalogue, ...plans].map((item) => ({
      ...item,
      prices: item.prices.map((price) => ({
        ...price,
        amount: { ...price.amount, minor: price.amount.minor + 100 },
      })),
    }));
    expect(await seedCatalogue(db, dearer)).toMatchObject({ written: 4 });
    expect([await priceNow(), await priceNow(standard)]).toEqual([newPrice, 874_800]);
    expect(await priceNow("brio-desk")).toBe(154_900);
  });

  test("keeps a future price that a list has set", async () => {
    const diff = await take(oneChange);
    await applyPriceList(context, { ...decision(diff), leaveOut: false });
    await seedCatalogue(
      db,
      [...catalogue, ...plans].map((item) =>
        item.id === basic ? { ...item, prices: item.prices.filter(({ term }) => term === "P1M") } : item,
      ),
    );
    expect(await priceNow()).toBe(oldPrice);
    at(first);
    expect(await priceNow()).toBe(newPrice);
  });

  test("keeps texts that staff edited, and updates the rest of the item", async () => {
    const before = await getTexts(db, itemIdOf(basic));
    const { audience } = before;
    const texts = { ...before, description: "Mail for sailors." };
    const edit = { itemId: itemIdOf(basic), by, reason: "a new audience", now: new Date() };
    await editTexts(db, { ...edit, texts, version: textsVersion(before) });
    const fewer = [...catalogue, ...plans].map((item) => ({ ...item, maxSeats: 99, audience: "Everybody" }));
    await seedCatalogue(db, fewer);
    expect(await seedCatalogue(db, fewer)).toMatchObject({ written: 0 });
    const item = await getItem(db, itemIdOf(basic));
    expect(item).toMatchObject({ audience, description: "Mail for sailors.", maxSeats: 99 });
    expect((await getItem(db, itemIdOf(standard))).audience).toBe("Everybody");
    expect(await audit()).toMatchObject([{ action: "item.edit", subject: `item:${basic}`, data: { by } }]);
    await expect(
      editTexts(db, { ...edit, texts: { ...texts, name: " " }, version: textsVersion(texts) }),
    ).rejects.toMatchObject({ code: "bad_request" });
  });
});

describe("npm run prices", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "prices-"));
  async function run(...args: string[]): Promise<{ code: number; out: string }> {
    return promisify(execFile)(process.execPath, builtCommandArguments("prices", ...args), {
      env: { ...process.env, ...environment, LOG_LEVEL: "silent" },
    }).then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        out: error.stdout + error.stderr,
      }),
    );
  }
  const fileOf = (name: string, text: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };

  test("imports a list after a comparison, applies it, withdraws it, prints its history", {
    tags: ["full"],
  }, async () => {
    vi.useRealTimers();
    await db.deleteFrom("vendor_prices").execute();
    const soon = new Date(Date.now() + 3 * day).toISOString().slice(0, 10);
    const exported = await run("export", "--currency", "INR");
    expect(exported.out).toMatch(/^\uFEFFitem,name,currency,kind,term,price,list_price\r\n/);
    const same = fileOf("same.csv", exported.out);
    expect(await run("import", same, "--from", soon, "--dry-run")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/\d+ lines: \d+ unchanged\.\n\d+ rows taken\.\nNothing was stored\.\n$/),
    });

    const file = fileOf("new.csv", csv(`${basic},INR,P1Y,,1700,`, "not-ours,INR,P1Y,,5,"));
    const imported = await run("import", file, "--from", soon);
    expect(imported.code).toBe(2);
    expect(imported.out).toContain(
      "Microsoft 365 Business Basic, INR, a year, regular: ₹1,644 → ₹1,700 (+3.4%), from ",
    );
    expect(imported.out).toContain("2 lines: 1 changed, 1 for items not in the store.");
    const number = /Saved as price list (\d+)\./.exec(imported.out)?.[1] ?? "";
    expect(await run("apply", number)).toMatchObject({
      code: 1,
      out: expect.stringContaining("1 of 2 lines cannot"),
    });
    expect(await run("apply", number, "--leave-out")).toMatchObject({
      code: 0,
      out: `1 price is set by price list ${number}.\n`,
    });
    expect((await run("list")).out).toMatch(
      new RegExp(`^${number}  new\\.csv, from .* imported by .*: applied by `),
    );
    const history = await run("history", "MS-BUSINESS-BASIC");
    expect(history.out).toMatch(
      /INR, a year, regular {2}from .* \(later\) {2}₹1,700, .*new\.csv \(list \d+\), applied by .*\nINR, a year, regular {2}from the start \(now\) {2}₹1,644/,
    );
    expect(await run("take-back", number)).toMatchObject({ code: 0 });
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(`${soon}T12:00:00Z`) });
    expect(await priceNow()).toBe(oldPrice);
  });

  test("explains what is wrong with a request and how to correct it", { tags: ["full"] }, async () => {
    vi.useRealTimers();
    const file = fileOf("some.csv", oneChange);
    for (const [args, words] of [
      [["nonsense"], "Unknown command"],
      [["import", "nowhere.csv"], "File not found: nowhere.csv"],
      [["import", file, "--country", "FR"], 'does not sell in "FR"'],
      [["import", "--vendor", "nobody", "--country", "IN"], "Which vendor?"],
      [["apply", "x"], "Missing price list ID."],
      [["history", "nothing"], 'Item not found: "nothing"'],
    ] as const)
      expect(await run(...args)).toMatchObject({ code: 1, out: expect.stringContaining(words) });
  });
});
