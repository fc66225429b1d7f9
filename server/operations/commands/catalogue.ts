/**
 * `npm run catalogue`: compares our catalogue with the vendors'. Ends with 0 when nothing differs, with 2 when something does,
 * and with 1 when a vendor did not respond.
 *   -- check     asks every vendor in every country, and lists the differences
 *   -- update    stores the vendors' ids of our items, found by name
 *   -- prices    reads the vendors' present price sheets; `--month 2026-11` those of a past month, `--country IN` one country's
 *   -- prices FILE --country IN --month 2026-11    a downloaded sheet, with the prices in effect in that month
 *   -- margins   lists the margin of each of our prices over the vendor's
 */

import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import { vendorKey } from "#db/catalogue/vendor-catalogue.ts";
import type { Country } from "#db/tables/enums.ts";
import type { FileTally } from "#server/catalogue/families/vendor-catalogue.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { checkMarket, marketText } from "#server/desk/vendor-catalogue/check.ts";
import {
  fetchMarket,
  listVendorMarkets,
  type VendorMarket,
} from "#server/desk/vendor-catalogue/fetch-market.ts";
import { fetchPriceSheet, importPriceSheet, listMargins } from "#server/desk/vendor-catalogue/prices.ts";
import { updateMarket } from "#server/desk/vendor-catalogue/update.ts";
import { isCountry } from "#server/foundation/countries/registry.ts";
import { FileError, fileText } from "#server/foundation/file-text.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { commandContext } from "./operator.ts";

const differs = 2;
const usage =
  "Usage: npm run catalogue -- check, update, margins, or prices [FILE --country IN] [--month 2026-11]";

const context = commandContext("catalogue");
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { country: { type: "string" }, month: { type: "string" } },
  });
  const [requested, file, ...more] = positionals;
  const act = { check, update, margins, prices: fetchPrices }[requested ?? ""];
  const country = values.country?.toUpperCase();
  const isMonth = values.month === undefined || /^\d{4}-(0[1-9]|1[0-2])$/.test(values.month);
  if (act === undefined || more.length > 0 || !isMonth || (country !== undefined && !isCountry(country)))
    throw new Error(usage);
  if (file === undefined) await forEachMarket((market) => act(market, values.month), country);
  else if (requested === "prices" && country !== undefined) await importFile(file, country, values.month);
  else throw new Error(usage);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await context.db.destroy();
}

/** Continues with the other vendors when one does not respond. */
async function forEachMarket(act: (market: VendorMarket) => Promise<void>, only?: Country): Promise<void> {
  let failed = false;
  for (const market of listVendorMarkets(context, only)) {
    try {
      await act(market);
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof FileError)) throw error;
      failed = true;
      const description = error instanceof ProviderError ? error.description : undefined;
      console.error(`${marketText(market)}: ${[error.message, description].filter(Boolean).join(": ")}`);
    }
  }
  if (failed) process.exitCode = 1;
}

async function check(market: VendorMarket): Promise<void> {
  const differences = await checkMarket(context, market);
  for (const { itemId, what } of differences) console.log(`${marketText(market)}: ${itemId}: ${what}`);
  const unknown = (await listMargins(context, market)).filter(({ cost }) => cost === null);
  for (const id of new Set(unknown.map(({ item }) => item.id)))
    console.log(`${marketText(market)}: ${id}: cost unknown, so it's sold at any cost.`);
  if (differences.length === 0) console.log(`${marketText(market)}: no mismatches.`);
  else process.exitCode = differs;
}

async function update(market: VendorMarket): Promise<void> {
  const stored = await updateMarket(context, market);
  for (const { itemId, ids, before } of stored) {
    const was = before === null ? "" : `, before ${vendorKey(before)}`;
    console.log(`${marketText(market)}: ${itemId} is ${vendorKey(ids)}${was}.`);
  }
  if (stored.length === 0) console.log(`${marketText(market)}: no changes.`);
}

async function fetchPrices(market: VendorMarket, month?: string): Promise<void> {
  const sheet = await fetchPriceSheet(context, market, month);
  if (sheet !== null) return showSheet(market, sheet);
  await fetchMarket(context, market);
  console.log(`${marketText(market)}: the prices of its offers are stored.`);
}

function showSheet(market: VendorMarket, { taken, leftOut, text }: FileTally): void {
  console.log(`${marketText(market)}: ${taken} prices are stored.${leftOut.size > 0 ? ` ${text}` : ""}`);
  if (taken === 0) process.exitCode = 1;
}

/** Imports the sheet of the only vendor that has sheets. */
async function importFile(file: string, country: Country, month: string | undefined): Promise<void> {
  for (const market of listVendorMarkets(context, country)) {
    if (market.catalogue.readPriceSheet === null) continue;
    const pieces = fileText(createReadStream(file));
    showSheet(market, await importPriceSheet(context, market, { pieces, month }));
  }
}

async function margins(market: VendorMarket): Promise<void> {
  for (const { item, price, cost } of await listMargins(context, market)) {
    const { amount, kind, term, billingCycle } = price;
    const left =
      cost === null
        ? "what it costs us is not known"
        : `it costs us ${formatMoney(cost)}, which leaves ${(100 * (1 - cost.minor / amount.minor)).toFixed(1)}%`;
    console.log(
      `${marketText(market)}: ${item.id}, ${kind}, ${term}, ${billingCycle}: ${formatMoney(amount)}; ${left}.`,
    );
  }
}
