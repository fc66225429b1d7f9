/** A fresh database for a test file: migrated, with the catalogue, thrown away at the end. */
import type pg from "pg";
import { afterAll, inject } from "vitest";
import { createDb, createPool } from "#db/client.ts";
import type { Db } from "#db/tables/index.ts";
import { copyDatabase } from "./copy-database.ts";
// For the type of what the global set-up provides.
import type {} from "./database-server.ts";

export interface TestDatabase {
  db: Db;
  pool: pg.Pool;
  /** For a second pool or another process. */
  url: string;
}

/** For the top of a test file: `const { db } = await createTestDatabase();`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const copy = await copyDatabase(inject("databaseTemplate"));
  // Connections still open when the database is removed are no fault of the test.
  const pool = createPool(copy.url, 10, () => undefined);
  const db = createDb(pool);
  afterAll(async () => {
    await db.destroy();
    await copy.destroy();
  });
  return { db, pool, url: copy.url };
}
