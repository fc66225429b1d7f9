/** `npm run migrate`: migrates the database at DATABASE_URL. Needs no other setting. */
import { createPool } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { builtMigrationsFolder } from "../built-commands.mjs";
import { requireDatabaseUrl } from "./database-url.ts";

const url = requireDatabaseUrl();
const pool = createPool(url, 2);
try {
  const names = await migrate(pool, builtMigrationsFolder);
  console.log(names.length === 0 ? "Already up to date." : `Ran ${names.length}: ${names.join(", ")}`);
} finally {
  await pool.end();
}
