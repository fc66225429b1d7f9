/** `npm run migrate`: migrates the database at DATABASE_URL. Needs no other setting. */
import { createPool } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { builtMigrationsFolder } from "./built.mjs";

const url = process.env.DATABASE_URL;
if (!url) {
  console.error("DATABASE_URL is not set: give the address of the database, postgres://user@host/name");
  process.exit(1);
}

const pool = createPool(url, 2);
try {
  const names = await migrate(pool, builtMigrationsFolder);
  console.log(names.length === 0 ? "Already up to date." : `Ran ${names.length}: ${names.join(", ")}`);
} finally {
  await pool.end();
}
