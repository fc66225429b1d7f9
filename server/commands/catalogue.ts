/**
 * `npm run catalogue`: how our catalogue stands beside the vendors'. Ends with 0 when nothing differs, with 2 when something
 * does, and with 1 when a vendor could not be asked.
 *   -- check     asks every vendor in every country, and lists what differs
 *   -- update    stores what the vendors call our items, as found by name
 *   -- prices    reads the vendors' present price sheets; `--month 2026-11` those of a past month, `--country IN` one country's
 *   -- prices FILE --country IN --month 2026-11    a sheet that was downloaded, with the prices in effect in that month
 *   -- margins   lists what each price of ours leaves over the vendor's
 */

import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import type { Country } from "#db/tables/enums.ts";
import { vendorKey } from "#db/vendor-catalogue.ts";
import { isCountry } from "#server/countries/country.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { askMarket, listMarkets, type Market } from "#server/vendor-catalogue/ask.ts";
import { checkMarket, marketInSentence } from "#server/vendor-catalogue/check.ts";
import { fetchSheet, importSheet, listMargins } from "#server/vendor-catalogue/prices.ts";
import { updateMarket } from "#server/vendor-catalogue/update.ts";
import { commandContext } from "./operator.ts";

const differs = 2;
const usage =
  "What? npm run catalogue -- check, update, margins, or prices [FILE --country IN] [--month 2026-11]";

const context = commandContext("catalogue");
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { country: { type: "string" }, month: { type: "string" } },
  });
  const [asked, file, ...more] = positionals;
  const act = { check, update, margins, prices: fetchPrices }[asked ?? ""];
  const country = values.country?.toUpperCase();
  const isMonth = values.month === undefined || /^\d{4}-(0[1-9]|1[0-2])$/.test(values.month);
  if (act === undefined || more.length > 0 || !isMonth || (country !== undefined && !isCountry(country)))
    throw new Error(usage);
  if (file === undefined) await forEachMarket((market) => act(market, values.month), country);
  else if (asked === "prices" && country !== undefined) await importFile(file, country, values.month);
  else throw new Error(usage);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await context.db.destroy();
}

/** A vendor that does not answer does not keep the others from being asked. */
async function forEachMarket(act: (market: Market) => Promise<void>, only?: Country): Promise<void> {
  let failed = false;
  for (const market of listMarkets(context, only)) {
    try {
      await act(market);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      failed = true;
      console.error(
        `${marketInSentence(market)}: ${[error.message, error.description].filter(Boolean).join(": ")}`,
      );
    }
  }
  if (failed) process.exitCode = 1;
}

async function check(market: Market): Promise<void> {
  const differences = await checkMarket(context, market);
  for (const { itemId, what } of differences) console.log(`${marketInSentence(market)}: ${itemId}: ${what}`);
  const unknown = (await listMargins(context, market)).filter(({ cost }) => cost === null);
  for (const id of new Set(unknown.map(({ item }) => item.id)))
    console.log(
      `${marketInSentence(market)}: ${id}: what it costs us is not known, so it is sold whatever it costs.`,
    );
  if (differences.length === 0) console.log(`${marketInSentence(market)}: nothing differs.`);
  else process.exitCode = differs;
}

async function update(market: Market): Promise<void> {
  const stored = await updateMarket(context, market);
  for (const { itemId, ids, before } of stored) {
    const was = before === null ? "" : `, before ${vendorKey(before)}`;
    console.log(`${marketInSentence(market)}: ${itemId} is ${vendorKey(ids)}${was}.`);
  }
  if (stored.length === 0) console.log(`${marketInSentence(market)}: nothing new.`);
}

async function fetchPrices(market: Market, month?: string): Promise<void> {
  const count = await fetchSheet(context, market, month);
  if (count === null) await askMarket(context, market);
  const read = count === null ? "the prices of its offers are stored" : `${count} prices are stored`;
  console.log(`${marketInSentence(market)}: ${read}.`);
}

/** The sheet of the one vendor that has sheets. */
async function importFile(file: string, country: Country, month: string | undefined): Promise<void> {
  for (const market of listMarkets(context, country)) {
    if (market.catalogue.readPriceSheet === null) continue;
    const pieces = createReadStream(file, { encoding: "utf8" });
    const count = await importSheet(context, market, { pieces, month });
    console.log(`${marketInSentence(market)}: ${count} prices are stored.`);
  }
}

async function margins(market: Market): Promise<void> {
  for (const { item, price, cost } of await listMargins(context, market)) {
    const { amount, kind, term, billingCycle } = price;
    const left =
      cost === null
        ? "what it costs us is not known"
        : `it costs us ${formatMoney(cost)}, which leaves ${(100 * (1 - cost.minor / amount.minor)).toFixed(1)}%`;
    console.log(
      `${marketInSentence(market)}: ${item.id}, ${kind}, ${term}, ${billingCycle}: ${formatMoney(amount)}; ${left}.`,
    );
  }
}
