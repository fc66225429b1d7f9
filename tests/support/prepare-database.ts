/**
 * Prepares what every test database starts from, migrated and with the test catalogue: `--snapshot <file>` writes an embedded
 * database to a file; `--database <url>` fills one that exists. A process of its own, since migrations are TypeScript
 * that only tsx can load.
 */
import { parseArgs } from "node:util";
import { createDb, createPool } from "#db/client.ts";
import { startEmbeddedPostgres } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import { seedCatalogue } from "#db/seed/index.ts";
import { catalogue } from "./catalogue/index.ts";

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
}
