/**
 * `npm run gstr1 -- 2026-11 --out FOLDER`: exports a month's documents for the GST portal: for each of the sellers' registrations
 * a folder with the return's JSON and a CSV file for each table. Needs DATABASE_URL and no other setting. Ends with 2 when a
 * document could not be included, and says which and why.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { createDb, createPool } from "#db/client.ts";
import { buildReturns } from "#server/billing/documents/gstr1/build.ts";
import { requireDatabaseUrl } from "./database-url.ts";

const usage = "Usage: npm run gstr1 -- 2026-11 --out FOLDER";
const leftSomeOut = 2;

const db = createDb(createPool(requireDatabaseUrl(), 1));
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: "string" } },
  });
  const [month = "", ...more] = positionals;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month) || more.length > 0 || values.out === undefined)
    throw new Error(usage);
  const { returns, withoutGst } = await buildReturns(db, month);
  for (const { gstin, files, documents, leftOut } of returns) {
    const folder = path.join(values.out, `${gstin}-${month}`);
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of files) writeFileSync(path.join(folder, name), text);
    console.log(`${gstin}: ${documents.length} documents in ${folder}.`);
    for (const { number, why } of leftOut) console.error(`${gstin}: ${number} left out: ${why}.`);
    if (leftOut.length > 0) process.exitCode = leftSomeOut;
  }
  if (withoutGst.length > 0) console.log(`No GST, so not in any return: ${withoutGst.join(", ")}.`);
  if (returns.length === 0) console.log(`No document with GST was issued in ${month}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await db.destroy();
}
