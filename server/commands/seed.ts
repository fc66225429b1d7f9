/**
 * `npm run seed`: syncs the catalogue in the database at DATABASE_URL with db/seed. Idempotent. `--demo <sandbox's address>`
 * also finds what the sandbox's vendors call it, and adds the demo company, here and in the sandbox. `npm start` and `npm run
 * dev` use it.
 */
import { parseArgs } from "node:util";
import { createDb, createPool } from "#db/client.ts";
import { seedCatalogue } from "#db/seed/index.ts";
import { createContext } from "#server/context.ts";
import { readEnv } from "#server/env.ts";
import { reasonToRefuse } from "#server/sandbox/guard.ts";
import { listVendorMarkets } from "#server/vendor-catalogue/fetch-market.ts";
import { fetchPriceSheet } from "#server/vendor-catalogue/prices.ts";
import { updateMarket } from "#server/vendor-catalogue/update.ts";
import { requireDatabaseUrl } from "./database-url.ts";
import { consentInSandbox } from "./demo-consent.ts";
import { loadDemoData } from "./demo-data.ts";
import { seedSandbox } from "./demo-sandbox.ts";

const { values } = parseArgs({ options: { demo: { type: "string" } } });

const url = requireDatabaseUrl();
const reason = values.demo === undefined ? undefined : reasonToRefuse(process.env);
if (reason !== undefined) {
  console.error(`Can't load demo data with real providers: ${reason}.`);
  process.exit(1);
}

const db = createDb(createPool(url, 1));
try {
  const { items, written, retired } = await seedCatalogue(db);
  console.log(
    `${items} items on sale; ${written} rows written; ${retired.length} retired ${retired.join(", ")}`.trim(),
  );
  if (values.demo !== undefined) {
    console.log((await loadDemoData(db)) ? "Demo data loaded." : "Demo data was already loaded.");
    await meetSandbox(values.demo);
  }
} finally {
  await db.destroy();
}

/** At every start, because a sandbox whose file was deleted knows neither the demo company nor a consent. */
async function meetSandbox(sandboxUrl: string): Promise<void> {
  const context = createContext(readEnv(), "seed");
  const { log } = context;
  // Starting without the demo tenants is better than not starting.
  const unless = (failure: string) => (error: unknown) => log.error({ err: error }, failure);
  try {
    for (const market of listVendorMarkets(context)) {
      await updateMarket(context, market).catch(unless("a vendor's catalogue could not be read"));
    }
    await seedSandbox(db, sandboxUrl).catch(unless("the sandbox does not know the demo company"));
    await consentInSandbox(context).catch(unless("the sandbox's partners have not consented"));
    for (const market of listVendorMarkets(context)) {
      await fetchPriceSheet(context, market).catch(unless("a vendor's price sheet could not be read"));
    }
  } finally {
    await context.db.destroy();
  }
}
