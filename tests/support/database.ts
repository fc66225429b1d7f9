/** A fresh database for a test file: migrated, with the catalogue, dropped at the end. */
import type pg from "pg";
import { afterAll, inject } from "vitest";
import { createDb, createPool } from "#db/client.ts";
import type { Db } from "#db/tables/index.ts";
import { copyDatabase } from "./copy-database.ts";
// For the type of the value from the global set-up.
import type {} from "./database-server.ts";

export interface TestDatabase {
  db: Db;
  pool: pg.Pool;
  /** Address, for a second pool or another process. */
  url: string;
}

/** Call at the top of a test file: `const { db } = await createTestDatabase();`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const copy = await copyDatabase(inject("databaseTemplate"));
  // Connections still open when the database is dropped are not the test's fault.
  const pool = createPool(copy.url, 10, () => undefined);
  const db = createDb(pool);
  afterAll(async () => {
    await db.destroy();
    await copy.destroy();
  });
  return { db, pool, url: copy.url };
}
