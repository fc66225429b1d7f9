/**
 * Prepares the template of all test databases, migrated and with the test catalogue under the sandbox vendors' ids: `--snapshot
 * <file>` writes an embedded database to a file; `--database <url>` fills an existing one. A separate process, because migrations
 * are TypeScript that only tsx can load.
 */
import { parseArgs } from "node:util";
import { createDb, createPool } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { seedCatalogue } from "#db/seed/index.ts";
import { startEmbeddedPostgres } from "#sandbox/local/embedded.ts";
import { listVendorMarkets } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { updateMarket } from "#server/desk/vendor-catalogue/update.ts";
import { catalogue } from "./catalogue/index.ts";
import { contextWithSandbox } from "./context-with-sandbox.ts";

const { values } = parseArgs({ options: { snapshot: { type: "string" }, database: { type: "string" } } });

if (values.snapshot !== undefined) {
  const embedded = await startEmbeddedPostgres({ dataDir: null, port: 0 });
  await fill(embedded.url);
  await embedded.saveSnapshot(values.snapshot);
  await embedded.stop();
} else if (values.database !== undefined) {
  await fill(values.database);
}

async function fill(databaseUrl: string): Promise<void> {
  const pool = createPool(databaseUrl, 2, () => undefined);
  await migrate(pool);
  const db = createDb(pool);
  await seedCatalogue(db, catalogue);
  await db.destroy();
  await findAtVendors(databaseUrl);
}

/** Looks up the vendors' ids, which are the same in every sandbox. */
async function findAtVendors(databaseUrl: string): Promise<void> {
  const { context, stop } = await contextWithSandbox(databaseUrl);
  for (const market of listVendorMarkets(context)) await updateMarket(context, market);
  await stop();
}
