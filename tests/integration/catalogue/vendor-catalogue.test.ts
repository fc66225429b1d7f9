/** The vendors' item ids: found by name, stored, and checked for differences that are reported once. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import { sql } from "kysely";
import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { isItemId } from "#db/catalogue/catalogue.ts";
import { findVendorIds, listCatalogueDifferences } from "#db/catalogue/vendor-catalogue.ts";
import { findCost } from "#db/catalogue/vendor-prices.ts";
import type { Country } from "#db/tables/enums.ts";
import { readCatalogueStatus, warnAboutCatalogue } from "#server/desk/vendor-catalogue/catalogue-status.ts";
import { checkCatalogue } from "#server/desk/vendor-catalogue/check.ts";
import { listVendorMarkets } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { fetchPriceSheet, listMargins } from "#server/desk/vendor-catalogue/prices.ts";
import { updateMarket } from "#server/desk/vendor-catalogue/update.ts";
import { builtCommandArguments } from "#server/operations/built-commands.mjs";
import { catalogue } from "#tests/support/catalogue/index.ts";
import { startWorld } from "#tests/support/world.ts";

const { context, environment, controls } = await startWorld();
const { db } = context;

const basic = "microsoft-365-business-basic";
const starter = "google-workspace-business-starter";
const starterIn = sql<boolean>`item_id = ${starter} and country = 'IN'`;
const withVendor = catalogue.filter(({ vendor }) => vendor !== null);

beforeEach(async () => {
  await controls.catalogue();
  await controls.faults();
  for (const market of listVendorMarkets(context)) await updateMarket(context, market);
  await db.deleteFrom("vendor_differences").execute();
  await db.deleteFrom("mails").execute();
});

const idsOf = async (itemId: string, country: Country = "IN") => {
  if (!isItemId(itemId)) throw new TypeError(`Expected an item id, got ${itemId}`);
  const accounts = listVendorMarkets(context, country).map(({ account }) => account);
  const all = await Promise.all(accounts.map((account) => findVendorIds(db, { itemId, country, account })));
  return all.find((ids) => ids !== null);
};
const sheet = [
  '"ProductTitle","ProductId","SkuId","TermDuration","BillingPlan","Market","Currency","UnitPrice","EffectiveStartDate","EffectiveEndDate","ERP Price“',
  '"Basic","CFQ7TTC0NEW1","0003","P1Y","Annual","IN","INR","1200.005","11/1/2026 12:00:00 AM","12/31/9999 12:00:00 AM","1740"',
  '"Basic","CFQ7TTC0NEW1","0003","P1Y","Annual","IN","INR","1100","1/1/2026 12:00:00 AM","10/31/2026 11:59:59 PM","1740"',
].join("\n");
const mails = () => db.selectFrom("mails").select(["recipient", "data"]).execute();

async function run(...args: string[]): Promise<{ code: number; out: string }> {
  const promise = promisify(execFile)(process.execPath, builtCommandArguments("catalogue", ...args), {
    env: { ...process.env, ...environment, LOG_LEVEL: "silent" },
  });
  return promise.then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout + error.stderr,
    }),
  );
}

describe("update", () => {
  test("finds every item in each country, and writes nothing on a second run", async () => {
    await db.deleteFrom("vendor_items").execute();
    const stored = [];
    for (const market of listVendorMarkets(context)) stored.push(...(await updateMarket(context, market)));
    expect(stored).toHaveLength(2 * withVendor.length);
    expect(await idsOf(basic)).toEqual({ productId: "CFQ7TTC0LH18", skuId: "0001" });
    expect(await idsOf("copilot-for-microsoft-365", "US")).toEqual({
      productId: "CFQ7TTC0MM8R",
      skuId: "0002",
    });
    expect(await idsOf(starter, "US")).toEqual({ productId: "Google-Apps", skuId: "1010020027" });
    for (const market of listVendorMarkets(context)) expect(await updateMarket(context, market)).toEqual([]);
  });

  test("stores a changed id per country, and keeps ids of missing or ambiguous offers", async () => {
    await controls.catalogue(
      { offer: "CFQ7TTC0LH18:0001", country: "IN", as: "CFQ7TTC0NEW1:0003" },
      { offer: "CFQ7TTC0LF8Q:0001", gone: true },
      { offer: "1010020026", title: "Google Workspace Business Starter" },
    );
    for (const market of listVendorMarkets(context)) await updateMarket(context, market);
    expect(await idsOf(basic)).toEqual({ productId: "CFQ7TTC0NEW1", skuId: "0003" });
    expect(await idsOf(basic, "US")).toEqual({ productId: "CFQ7TTC0LH18", skuId: "0001" });
    expect(await idsOf("office-365-e1")).toEqual({ productId: "CFQ7TTC0LF8Q", skuId: "0001" });
    expect(await idsOf(starter)).toEqual({ productId: "Google-Apps", skuId: "1010020027" });
  });

  test("ignores ids of another account", async () => {
    await db
      .updateTable("vendor_items")
      .set({ account: "another" })
      .where(sql<boolean>`item_id = ${starter}`)
      .execute();
    expect(await idsOf(starter)).toBeUndefined();
    expect(await readCatalogueStatus(context)).toMatchObject([
      { notFound: [starter] },
      { notFound: [starter] },
    ]);
  });
});

describe("check", () => {
  test("reports nothing and sends no mail while nothing differs", async () => {
    await checkCatalogue(context);
    expect(await listCatalogueDifferences(db)).toEqual([]);
    expect(await mails()).toEqual([]);
  });

  test("alerts the operator once to each difference, and again if it reappears", async () => {
    const fewer = { offer: "CFQ7TTC0LH18:0001", country: "IN", maxSeats: 25 };
    await controls.catalogue(fewer);
    for (const _night of [1, 2]) await checkCatalogue(context);
    expect(await mails()).toMatchObject([
      {
        recipient: "operator",
        data: { what: `${basic}: It is sold here up to 300 licenses, and by the vendor up to 25.` },
      },
    ]);
    await controls.catalogue(fewer, { offer: "1010020027", withoutTerm: "P1Y" });
    await checkCatalogue(context);
    expect(await mails()).toHaveLength(3);
    expect(await listCatalogueDifferences(db)).toHaveLength(3);

    await controls.catalogue();
    await checkCatalogue(context);
    expect(await listCatalogueDifferences(db)).toEqual([]);
    await controls.catalogue(fewer);
    await checkCatalogue(context);
    expect(await mails()).toHaveLength(4);
  });

  test("keeps known differences of a vendor that fails, and checks the others", async () => {
    await controls.catalogue(
      { offer: "CFQ7TTC0LH18:0001", maxSeats: 25 },
      { offer: "1010020027", gone: true },
    );
    await controls.faults({ match: { path: "/partner-center/v1/products" }, kind: "500", times: 100 });
    await expect(checkCatalogue(context)).rejects.toMatchObject({ provider: "microsoft", kind: "transient" });
    expect((await listCatalogueDifferences(db)).map(({ itemId }) => itemId)).toEqual([starter, starter]);
  });

  test("reads its result from the database at start-up and for the health check", async () => {
    await controls.catalogue({ offer: "CFQ7TTC0LH18:0001", country: "US", gone: true });
    await checkCatalogue(context);
    await db.deleteFrom("vendor_items").where(starterIn).execute();
    expect(await readCatalogueStatus(context)).toEqual([
      { country: "IN", notFound: [starter], differing: [] },
      { country: "US", notFound: [], differing: [basic] },
    ]);
    const lines: string[] = [];
    const stream = new PassThrough().on("data", (chunk: Buffer) => lines.push(chunk.toString()));
    await warnAboutCatalogue({ ...context, log: pino({ level: "warn" }, stream) });
    expect(lines.join("").trim().split("\n")).toHaveLength(2);
  });
});

describe("prices", () => {
  const place = {
    family: "microsoft",
    country: "IN",
    term: "P1Y",
    billingCycle: "annual",
    currency: "INR",
  } as const;
  const costOf = async (itemId: string, quantity = 1, now = new Date()) => {
    if (!isItemId(itemId)) throw new TypeError(`Expected an item id, got ${itemId}`);
    const account = context.env.partnerAccounts.get("IN")?.tenant ?? "";
    return (await findCost(db, { ...place, account, itemId, quantity, now }))?.minor ?? null;
  };
  const readSheets = async () => {
    for (const market of listVendorMarkets(context)) {
      // A market without a price sheet has its prices in the vendor's catalogue.
      if ((await fetchPriceSheet(context, market)) === null) await updateMarket(context, market);
    }
  };
  beforeEach(() => db.deleteFrom("vendor_prices").execute());

  test("stores the sheet's prices for our items; the latest of overlapping rows applies", async () => {
    await readSheets();
    // 75% of ₹1,740; the row before it and the education row are lower.
    expect(await costOf(basic)).toBe(130_500);
    const lastYear = new Date(Date.now() - 200 * 86_400_000);
    expect(await costOf(basic, 1, lastYear)).toBe(113_100);
    const stored = await db
      .selectFrom("vendor_prices")
      .select("sku_id")
      .where("product_id", "=", "CFQ7TTC0LFLX")
      .execute();
    expect(stored).toEqual([]);
    const count = async () => (await db.selectFrom("vendor_prices").select("sku_id").execute()).length;
    const before = await count();
    await readSheets();
    expect(await count()).toBe(before);
  });

  test("distinguishes prices by the number of seats", async () => {
    await readSheets();
    const row = await db
      .selectFrom("vendor_prices")
      .selectAll()
      .where("product_id", "=", "CFQ7TTC0LH18")
      .where("country", "=", "IN")
      .where("term", "=", "P1Y")
      .where("billing_cycle", "=", "annual")
      .orderBy("starts_at", "desc")
      .executeTakeFirstOrThrow();
    await db
      .insertInto("vendor_prices")
      .values({ ...row, least_seats: 100, cost_minor: 1 })
      .execute();
    expect([await costOf(basic, 99), await costOf(basic, 100)]).toEqual([130_500, 1]);
  });

  test("leaves a margin on every plan of the test catalogue", async () => {
    await readSheets();
    const margins = (
      await Promise.all(listVendorMarkets(context).map((market) => listMargins(context, market)))
    ).flat();
    expect(margins).toHaveLength(withVendor.flatMap(({ prices }) => prices).length);
    expect(margins.filter(({ price, cost }) => cost === null || cost.minor >= price.amount.minor)).toEqual(
      [],
    );
  });

  test("alerts the operator to costs above our prices in the nightly check", async () => {
    await controls.catalogue({ offer: "CFQ7TTC0LF8Q:0001", country: "US", costPercent: 130 });
    await checkCatalogue(context);
    expect(await listCatalogueDifferences(db)).toMatchObject([
      {
        itemId: "office-365-e1",
        country: "US",
        what: expect.stringContaining(
          "It costs us $15.60 for P1M (monthly), and its regular price is $11.40.",
        ),
      },
      {
        itemId: "office-365-e1",
        country: "US",
        what: expect.stringContaining("It costs us $156.00 for P1Y (annual)"),
      },
    ]);
  });

  test("checks the rest when price sheets cannot be read", async () => {
    await controls.faults({ match: { path: "/partner-prices/" }, kind: "refuse", status: 403, code: "403" });
    await controls.catalogue({ offer: "CFQ7TTC0LH18:0001", gone: true });
    await checkCatalogue(context);
    expect(await listCatalogueDifferences(db)).toHaveLength(2);
  });
});

describe("npm run catalogue", () => {
  test("exits with 0, with 2 if something differs, and with 1 if a vendor fails", {
    tags: ["full"],
  }, async () => {
    expect(await run("check")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Microsoft in India: no mismatches."),
    });
    await controls.catalogue({ offer: "CFQ7TTC0LH18:0001", as: "CFQ7TTC0NEW1:0003" });
    const differs = await run("check");
    expect(differs.code).toBe(2);
    expect(differs.out).toContain(
      `Microsoft in the USA: ${basic}: It is CFQ7TTC0NEW1:0003 at the vendor now, and CFQ7TTC0LH18:0001 is stored.`,
    );
    const updated = await run("update");
    expect(updated).toMatchObject({ code: 0, out: expect.stringContaining(`${basic} is CFQ7TTC0NEW1:0003`) });
    expect(await run("check")).toMatchObject({ code: 0 });

    await db.deleteFrom("vendor_prices").execute();
    expect(await run("check")).toMatchObject({
      code: 0,
      out: expect.stringContaining(`${basic}: cost unknown, so it's sold at any cost`),
    });
    expect(await run("prices", "--country", "IN")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Microsoft in India: \d\d prices are stored/),
    });
    expect(await run("margins")).toMatchObject({
      out: expect.stringContaining(
        `${basic}, regular, P1Y, annual: ₹1,644; it costs us ₹1,305, which leaves 20.6%`,
      ),
    });
    const file = path.join(mkdtempSync(path.join(tmpdir(), "sheet-")), "sheet.csv");
    writeFileSync(file, sheet);
    expect(await run("prices", file, "--country", "IN", "--month", "2026-11")).toMatchObject({
      code: 0,
      out: "Microsoft in India: 1 prices are stored. 1 row taken, 1 left out: 1 not in effect in 2026-11.\n",
    });
    expect(await run("prices", file)).toMatchObject({ code: 1 });
    writeFileSync(file, sheet.replaceAll("CFQ7TTC0NEW1", "CFQ7TTC0ELSE"));
    expect(await run("prices", file, "--country", "IN")).toMatchObject({
      code: 1,
      out: "No price in this file is for an item sold here. 0 rows taken, 2 left out: 2 not sold here.\n",
    });
    writeFileSync(file, Buffer.from(sheet.replace("Basic", "Caf\xe9"), "latin1"));
    expect(await run("prices", file, "--country", "IN")).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Line 2 of the file isn't UTF-8 text/),
    });

    await controls.faults({ match: { path: "/google-channel/v1/products" }, kind: "500", times: 100 });
    expect(await run("check")).toMatchObject({ code: 1, out: expect.stringContaining("Google in India") });
    expect(await run("nonsense")).toMatchObject({ code: 1 });
    // Runs a process per command.
  });

  test("exits normally when its reader closes the pipe", async () => {
    const child = spawn(process.execPath, builtCommandArguments("catalogue", "margins"), {
      env: { ...process.env, ...environment, LOG_LEVEL: "silent" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    const said: Buffer[] = [];
    child.stderr.on("data", (part: Buffer) => said.push(part));
    const [code] = await once(child, "close");
    expect({ code, said: Buffer.concat(said).toString() }).toEqual({ code: 0, said: "" });
  });
});
