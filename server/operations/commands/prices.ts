/**
 * `npm run prices`: the store's prices, through price lists that are compared before they are applied (docs/operate/prices.md).
 *   -- export [--currency CODE]                     writes the prices in force as a list, to edit and import
 *   -- import FILE [--from 2026-12-01] [--dry-run] compares our own list and stores it, with --dry-run without storing it
 *   -- import FILE --country IN [...]              the same with Microsoft's price sheet
 *   -- import FILE --vendor FAMILY --country IN    the same with a vendor's file, such as Google's offers
 *   -- import --vendor FAMILY --country IN [...]   the same with a vendor's present prices
 *   -- list                                        imported lists, the newest first
 *   -- show ID                                     compares a list again
 *   -- apply ID [--leave-out]                      sets its prices; --leave-out skips the lines that cannot be applied
 *   -- discard ID                                  drops a waiting list
 *   -- take-back ID                                undoes a list before its day
 *   -- history ITEM                                every price of an item: its start, its author, its file
 *
 * Ends with 2 when a comparison has lines that cannot be applied, and with 1 for a wrong request.
 */
import { createReadStream, existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { listPricedItems, pricesAt } from "#db/catalogue/dated-prices.ts";
import { listPriceLists } from "#db/catalogue/price-lists.ts";
import type { PriceListId } from "#db/ids.ts";
import { parsePriceListId } from "#db/ids.ts";
import type { Country } from "#db/tables/enums.ts";
import { isLeftOut } from "#server/desk/price-lists/compare.ts";
import { writePriceList } from "#server/desk/price-lists/csv.ts";
import { applyPriceList, discardPriceList, withdrawPriceList } from "#server/desk/price-lists/decide.ts";
import { diffOf, type PriceListDiff } from "#server/desk/price-lists/diff.ts";
import {
  importPriceList,
  type PriceListSource,
  priceListOf,
  requireMarketWithPriceSheets,
} from "#server/desk/price-lists/import.ts";
import { readPriceHistory } from "#server/desk/price-lists/lists.ts";
import { type PriceLineView, priceListSummary, priceListView } from "#server/desk/price-lists/view.ts";
import { listVendorMarkets, type VendorMarket } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { currencies, isCountry } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { fileText } from "#server/foundation/file-text.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { commandContext, currentOsUser } from "./operator.ts";

const usage = `npm run prices -- export [--currency CODE]
npm run prices -- import FILE [--from 2026-12-01] [--dry-run]
npm run prices -- import FILE [--vendor FAMILY] --country IN [--from 2026-12-01] [--dry-run]
npm run prices -- import --vendor FAMILY --country IN [--from 2026-12-01] [--dry-run]
npm run prices -- list
npm run prices -- show ID
npm run prices -- apply ID [--leave-out]
npm run prices -- discard ID
npm run prices -- take-back ID
npm run prices -- history ITEM`;
const hasLeftOut = 2;
const most = 50;

const context = commandContext("prices");
const { db } = context;
const now = new Date();
const by = currentOsUser();
try {
  await run(process.argv.slice(2));
} catch (error) {
  // Prints one sentence for a wrong request or a vendor's refusal, and the stack for a fault of ours.
  if (!(error instanceof DomainError || error instanceof ProviderError)) throw error;
  const description = error instanceof ProviderError ? error.description : undefined;
  console.error([error.message, description].filter(Boolean).join(": "));
  process.exitCode = 1;
} finally {
  await db.destroy();
}

async function run(args: string[]): Promise<void> {
  const { values, positionals } = parse(args);
  const [act, what, ...more] = positionals;
  if (more.length > 0) throw wrong(`Unexpected argument "${more.join(" ")}".`);
  switch (act) {
    case "export":
      return write(values.currency);
    case "import": {
      const source = sourceOf(what, values);
      const dryRun = values["dry-run"] === true;
      const diff = await importPriceList(context, { source, fromDay: values.from ?? null, by, now, dryRun });
      show(diff);
      if (diff.rows !== null) console.log(diff.rows);
      console.log(
        dryRun
          ? "Nothing was stored."
          : `Saved as price list ${diff.list.id}. To apply it: npm run prices -- apply ${diff.list.id}`,
      );
      return;
    }
    case "list": {
      const lists = await listPriceLists(db, { limit: most });
      for (const list of lists) console.log(`${list.id}  ${priceListSummary(list)}`);
      if (lists.length === 0) console.log("No price list was imported.");
      return;
    }
    case "show":
      return show(await diffOf(context, await priceListOf(db, idOf(what)), now));
    case "apply": {
      const id = idOf(what);
      const count = await applyPriceList(context, { id, by, now, leaveOut: values["leave-out"] === true });
      console.log(`${count === 1 ? "1 price is" : `${count} prices are`} set by price list ${id}.`);
      return;
    }
    case "discard":
      await discardPriceList(context, { id: idOf(what), by, now });
      console.log(`Price list ${what} is discarded.`);
      return;
    case "take-back": {
      const count = await withdrawPriceList(context, { id: idOf(what), by, now });
      console.log(
        `Price list ${what} reverted: ${count === 1 ? "1 price stays as it was" : `${count} prices stay as they were`}.`,
      );
      return;
    }
    case "history":
      return history(what);
    default:
      throw wrong("Unknown command.");
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        from: { type: "string" },
        country: { type: "string" },
        vendor: { type: "string" },
        currency: { type: "string" },
        "dry-run": { type: "boolean" },
        "leave-out": { type: "boolean" },
      },
    });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : "Unknown arguments.");
  }
}

function wrong(why: string): DomainError {
  return new DomainError("bad_request", `${why}\n${usage}`);
}

function idOf(text: string | undefined): PriceListId {
  const id = parsePriceListId(text ?? "");
  if (id === null) throw wrong("Missing price list ID. Find it with `list`.");
  return id;
}

function sourceOf(
  file: string | undefined,
  { vendor, country: code }: { vendor?: string | undefined; country?: string | undefined },
): PriceListSource {
  const country = code === undefined ? undefined : countryOf(code);
  const named = vendor === undefined ? undefined : marketOf(vendor, country);
  if (file === undefined) {
    if (named === undefined) throw wrong("Missing FILE.");
    return { kind: "vendor", market: named };
  }
  if (!existsSync(file)) throw new DomainError("bad_request", `File not found: ${file}.`);
  const pieces = fileText(createReadStream(file));
  const name = path.basename(file);
  const market =
    named ?? (country === undefined ? undefined : requireMarketWithPriceSheets(context, country));
  return market === undefined
    ? { kind: "file", name, pieces }
    : { kind: "vendor file", name, pieces, market };
}

function marketOf(vendor: string, country: Country | undefined): VendorMarket {
  if (country === undefined) throw wrong("Add --country: vendor prices are per country.");
  const markets = listVendorMarkets(context, country);
  const market = markets.find(({ family }) => family === vendor);
  if (market === undefined)
    throw wrong(`Which vendor? In that country: ${markets.map(({ family }) => family).join(", ")}.`);
  return market;
}

function countryOf(code: string): Country {
  const country = code.toUpperCase();
  if (!isCountry(country)) throw wrong(`The store does not sell in "${code}".`);
  return country;
}

async function write(currencyText: string | undefined): Promise<void> {
  const currency = currencies.find((each) => each === currencyText?.toUpperCase());
  if (currencyText !== undefined && currency === undefined)
    throw wrong(`"${currencyText}" isn't one of the store's currencies.`);
  const prices = [...(await pricesAt(db, now)).values()];
  process.stdout.write(writePriceList(await listPricedItems(db), prices, currency));
}

function show(diff: PriceListDiff): void {
  const { heading, facts, lines } = priceListView(diff);
  for (const line of lines) for (const text of lineWords(line)) console.log(text);
  console.log(heading);
  for (const fact of facts) console.log(`  ${fact}`);
  if (diff.list.state === "waiting" && diff.lines.some(isLeftOut)) process.exitCode = hasLeftOut;
}

function lineWords(line: PriceLineView): string[] {
  const { cost, margin, listPrice, change } = line;
  const prices = `${line.before} → ${line.after}${change === null ? "" : ` (${change})`}`;
  const costs =
    cost === null ? "what it costs us is not known" : `it costs us ${cost}, which leaves ${margin}`;
  return [
    `line ${line.line}  ${line.verdict}  ${line.item}, ${line.price}: ${prices}, from ${line.from}`,
    ...(line.itemId !== null ? [`    ${costs}${listPrice === null ? "" : `; list price ${listPrice}`}`] : []),
    ...line.touched.map((sentence) => `    ${sentence}`),
  ];
}

async function history(item: string | undefined): Promise<void> {
  const { prices } = await readPriceHistory(db, item ?? "", now).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError("not_found", `Item not found: "${item ?? ""}".`, { cause: error });
  });
  for (const { price, from, amount, listPrice, setBy, when } of prices)
    console.log(`${price}  from ${from} (${when})  ${amount}, list price ${listPrice}  ${setBy}`);
}
