/**
 * Syncs the catalogue, looks up its ids at the sandbox's vendors, and adds the demo company to the store and to the sandbox:
 * `demo-seed <the sandbox's address>`. `npm start` and `npm run dev` run it at every start.
 */
import { createDb, createPool } from "#db/client.ts";
import { seedCatalogue } from "#db/seed/index.ts";
import type { Db } from "#db/tables/index.ts";
import { reasonToRefuse } from "#sandbox/vendors/guard.ts";
import { listVendorMarkets } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { fetchPriceSheet } from "#server/desk/vendor-catalogue/prices.ts";
import { updateMarket } from "#server/desk/vendor-catalogue/update.ts";
import { requireDatabaseUrl } from "#server/operations/commands/database-url.ts";
import { createContext } from "#server/platform/context.ts";
import { readEnv } from "#server/platform/env.ts";
import { consentInSandbox } from "./consent.ts";
import { loadDemoData } from "./data.ts";
import { seedSandbox } from "./vendors.ts";

const [sandboxUrl] = process.argv.slice(2);
const reason = sandboxUrl === undefined ? "no sandbox is named" : reasonToRefuse(process.env);
if (sandboxUrl === undefined || reason !== undefined) {
  console.error(`Can't load demo data with real providers: ${reason}.`);
  process.exit(1);
}

const db = createDb(createPool(requireDatabaseUrl(), 1));
try {
  const { items } = await seedCatalogue(db);
  console.log(`${items} items on sale`);
  console.log((await loadDemoData(db)) ? "Demo data loaded." : "Demo data was already loaded.");
  await meetSandbox(db, sandboxUrl);
} finally {
  await db.destroy();
}

/**
 * Registers the demo company and the consents with the sandbox at every start, because a sandbox whose file was deleted knows
 * neither.
 */
async function meetSandbox(db: Db, url: string): Promise<void> {
  const context = createContext(readEnv(), "seed");
  const { log } = context;
  // Starting without the demo tenants is better than not starting.
  const unless = (failure: string) => (error: unknown) => log.error({ err: error }, failure);
  try {
    for (const market of listVendorMarkets(context)) {
      await updateMarket(context, market).catch(unless("a vendor's catalogue could not be read"));
    }
    await seedSandbox(db, url).catch(unless("the sandbox does not know the demo company"));
    await consentInSandbox(context).catch(unless("the sandbox's partners have not consented"));
    for (const market of listVendorMarkets(context)) {
      await fetchPriceSheet(context, market).catch(unless("a vendor's price sheet could not be read"));
    }
  } finally {
    await context.db.destroy();
  }
}
