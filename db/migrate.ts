/** Brings a database to the present: our migrations in order of their dates, then the job queue's own. */
import { promises as fs } from "node:fs";
import path from "node:path";
import { runMigrations } from "graphile-worker";
import { FileMigrationProvider, Migrator } from "kysely";
import type pg from "pg";
import { createDb } from "./client.ts";

/**
 * Runs every migration not yet run; safe to call from several processes at once (the migrator takes a lock).
 * @returns the names of those that ran
 * @throws what the failing migration threw; the ones before it stay
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const migrationFolder = path.resolve(import.meta.dirname, "../migrations");
  const migrator = new Migrator({
    db: createDb(pool),
    provider: new FileMigrationProvider({ fs, path, migrationFolder }),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  await runMigrations({ pgPool: pool });
  return results.map((result) => result.migrationName);
}
