/** Migrates a database: our migrations by date, then the job queue's own. */
import { promises as fs } from "node:fs";
import path from "node:path";
import { runMigrations } from "graphile-worker";
import { FileMigrationProvider, Migrator, sql } from "kysely";
import type pg from "pg";
import { createDb } from "./client.ts";

/**
 * Runs all pending migrations. Safe to call from several processes at once, because the migrator takes a lock.
 * @param migrationFolder the sources, for commands that run with tsx; production passes the build's output
 * @returns the names of the migrations that ran
 * @throws the failing migration's error; earlier migrations stay applied
 */
export async function migrate(
  pool: pg.Pool,
  migrationFolder = path.resolve(import.meta.dirname, "../migrations"),
): Promise<string[]> {
  const migrator = new Migrator({
    db: createDb(pool),
    provider: new FileMigrationProvider({ fs, path, migrationFolder }),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  await runMigrations({ pgPool: pool });
  return results.map((result) => result.migrationName);
}

/**
 * A build newer than its database would fail at every other request. The reverse is normal: a release migrates first, while
 * the old version still serves.
 * @param built the names of the build's migrations
 * @throws Error naming the migrations that have not run, or saying that the database does not answer
 */
export async function requireBuiltMigrations(pool: pg.Pool, built: readonly string[]): Promise<void> {
  const run = await migrationsRun(pool).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The database at DATABASE_URL does not answer: ${reason}`, { cause });
  });
  const missing = built.filter((name) => !run.includes(name));
  if (missing.length === 0) return;
  throw new Error(
    `The database is older than this build, which needs ${missing.join(", ")}.\nRun this first: npm run migrate`,
  );
}

async function migrationsRun(pool: pg.Pool): Promise<string[]> {
  const { rows } = await sql<{
    has: boolean;
  }>`select to_regclass('kysely_migration') is not null as has`.execute(createDb(pool));
  if (rows[0]?.has !== true) return [];
  const run = await sql<{ name: string }>`select name from kysely_migration`.execute(createDb(pool));
  return run.rows.map(({ name }) => name);
}
